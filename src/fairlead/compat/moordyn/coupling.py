"""What a host moves: coupled bodies, rods and points of a MoorDyn file, and the cable ends that go with them.

A host hands over one row x of all of them, and v: bodies first (place and angles, 6 numbers), then rods (6), then
points (3), each in the order of the file. Every cable end that one of them carries is a led point here
(`fairlead.formulations.led_ends`), which follows the host exactly.

A body turns by R = Rx(roll) Ry(pitch) Rz(yaw), angles in rad. Within a step all numbers of x go on with those of v, and
a place at the arm r moves with v + ω × r, ω being the last three of v: as MoorDyn has it, which does not tell rates of
angles from an angular velocity. A rod has its origin at its end A and its own z towards B.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fairlead.exchange.moordyn.attitude import matrix
from fairlead.exchange.moordyn.convert import Converted
from fairlead.exchange.moordyn.deck import Deck, Rod

from .constants import ERRCODE_INVALID_INPUT, ERRCODE_NON_IMPLEMENTED, MoorDynError

NO_MOTION = {"table": [[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]}
"""The two rows that the paths of a led point take the place of."""


@dataclass
class Carrier:
    """A coupled body, rod or point: its name here, where its numbers begin in x, and the led ends at their arms."""

    name: str
    first: int
    size: int
    ends: dict[str, np.ndarray] = field(default_factory=dict)
    """Arms in its own frame, (3,) m, by the names of the led points."""
    at: np.ndarray = field(default_factory=lambda: np.zeros(6))
    """Where the file puts it: its numbers in x, angles in rad."""

    def arms(self, x: np.ndarray) -> np.ndarray:
        """From its origin to its ends, global, (ends, 3) m."""
        return np.asarray(np.array(list(self.ends.values())) @ attitude(x[self.first + 3 : self.first + 6]).T)


class Coupling:
    """All carriers of a file, in the order of x."""

    def __init__(self, deck: Deck, converted: Converted) -> None:
        self.carriers: list[Carrier] = []
        self.size = 0
        """Numbers in x."""
        self._by_name: dict[str, Carrier] = {}
        for body in deck.bodies.values():
            if body.held.kind == "coupled_pinned":
                what = f"body {body.id} is CoupledPinned (its place is given, it turns freely), which is not carried"
                raise MoorDynError(ERRCODE_NON_IMPLEMENTED, f"{deck.file}:{body.line}: {what}; use Coupled or Free")
            if body.held.kind == "coupled":
                self._add(f"body{body.id}", 6, np.concatenate([body.position, np.radians(body.angles)]))
        for rod in deck.rods.values():
            if rod.held.kind == "coupled_pinned":
                what = f"rod {rod.id} is held by a pin that a host moves, which is not carried"
                raise MoorDynError(ERRCODE_NON_IMPLEMENTED, f"{deck.file}:{rod.line}: {what}; use Coupled")
            if rod.held.kind == "coupled":
                self._add(f"rod{rod.id}", 6, np.concatenate([rod.a, _rod_angles(rod)]))
        for point in deck.points.values():
            if point.held.kind == "coupled":
                self._add(point.name, 3, np.array(point.position))
        self._lead(converted.data)
        self.names = [name for carrier in self.carriers for name in carrier.ends]
        """Led points that cables end at, in the order in which arrays of them stand."""

    def _add(self, name: str, size: int, at: np.ndarray) -> None:
        carrier = Carrier(name, self.size, size, at=at)
        self.carriers.append(carrier)
        self._by_name[name] = carrier
        self.size += size

    def _lead(self, data: dict[str, Any]) -> None:
        """Let every cable end on a coupled body or rod end at a led point instead; coupled points become such."""
        bodies, points = data.get("bodies", {}), data["points"]
        for cable in data["cables"].values():
            for side in ("start", "end"):
                end = cable[side]
                owner, _, place = (end["point"] if isinstance(end, dict) else end).partition(".")
                carrier = self._by_name.get(owner)
                if carrier is None:
                    continue
                if not place:  # a point, or a rod without length
                    carrier.ends[owner] = np.zeros(3)
                    continue
                arm = np.array(bodies[owner]["attachments"][place])
                on_body = owner.startswith("body")
                name = place if on_body else f"{owner}{place}"
                carrier.ends[name] = arm if on_body else np.array([0.0, 0.0, np.linalg.norm(arm)])
                release = end.get("release") if isinstance(end, dict) else None
                cable[side] = name if release is None else {"point": name, "release": release}
        for carrier in self.carriers:
            bodies.pop(carrier.name, None)
            for name in carrier.ends:
                points[name] = {"kind": "controlled", "position": [0.0, 0.0, 0.0], "motion": NO_MOTION}
        if not bodies:
            data.pop("bodies", None)

    def checked(self, x: Any, what: str) -> np.ndarray:
        """A row of a host as numbers."""
        try:
            row = np.array(x, dtype=float).ravel()
        except (TypeError, ValueError):
            raise MoorDynError(ERRCODE_INVALID_INPUT, f"{what} must be numbers, not {x!r:.60}") from None
        if row.shape != (self.size,):
            text = f"{what} has {row.size} numbers; this system has {self.size} coupled degrees of freedom"
            raise MoorDynError(ERRCODE_INVALID_INPUT, text)
        if not np.isfinite(row).all():
            raise MoorDynError(ERRCODE_INVALID_INPUT, f"{what} must be finite")
        return row

    def ends(self, x: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Places and velocities (ends, 3) of the led points."""
        places, velocities = np.empty((2, len(self.names), 3))
        k = 0
        for carrier in self.carriers:
            first, some = carrier.first, slice(k, k + len(carrier.ends))
            places[some], velocities[some] = x[first : first + 3], v[first : first + 3]
            if carrier.size == 6 and carrier.ends:
                arms = carrier.arms(x)
                places[some] += arms
                velocities[some] += arms @ _across(v[first + 3 : first + 6])
            k = some.stop
        return places, velocities

    def forces(self, x: np.ndarray, pulls: dict[str, np.ndarray]) -> np.ndarray:
        """Force, and moment about the origin, on each carrier from the pulls at its ends."""
        f = np.zeros(self.size)
        for carrier in self.carriers:
            first = carrier.first
            if not carrier.ends:
                continue
            on = np.array([pulls[name] for name in carrier.ends])
            f[first : first + 3] = on.sum(axis=0)
            if carrier.size == 6:
                turning = carrier.arms(x).T @ on  # Σ r pᵀ, whose skew part is Σ r × p
                moment = turning - turning.T
                f[first + 3 : first + 6] = moment[1, 2], moment[2, 0], moment[0, 1]
        return f

    def of(self, name: str) -> Carrier | None:
        """The coupled body, rod or point of that name."""
        return self._by_name.get(name)


def attitude(angles: np.ndarray) -> np.ndarray:
    """MoorDyn's turn by roll, pitch and yaw in rad, from a frame of its own to the global one."""
    roll, pitch, yaw = (math.degrees(angle) for angle in angles)
    return np.array(matrix((roll, pitch, yaw)))


def _across(spin: np.ndarray) -> np.ndarray:
    """The matrix that takes rows r to ω × r."""
    x, y, z = spin
    return np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])


def _rod_angles(rod: Rod) -> np.ndarray:
    """Roll and pitch for which Rx Ry takes z to the axis (sin p, −sin r cos p, cos r cos p) from A to B; no spin."""
    x, y, z = (float(d) / (math.dist(rod.a, rod.b) or 1.0) for d in np.subtract(rod.b, rod.a))
    return np.array([math.atan2(-y, z), math.asin(max(-1.0, min(1.0, x))), 0.0])
