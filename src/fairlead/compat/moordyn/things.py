"""Bodies, rods, points and lines of a system, as MoorDyn hands them out."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fairlead.exchange.moordyn.attitude import angles_of, turned
from fairlead.exchange.moordyn.deck import Body as BodyRow
from fairlead.exchange.moordyn.deck import Held
from fairlead.exchange.moordyn.deck import Line as LineRow
from fairlead.exchange.moordyn.deck import Point as PointRow
from fairlead.exchange.moordyn.deck import Rod as RodRow
from fairlead.exchange.moordyn.rows import Vector
from fairlead.exchange.moordyn.segment_tension import rope_tension, segment_tension
from fairlead.model import CableType
from fairlead.model.bodies import rotation_matrix
from fairlead.rigging.hubs import hub_names

from . import constants as md
from .constants import MoorDynError
from .coupling import attitude
from .instance import MoorDyn, Piece


@dataclass(frozen=True)
class Body:
    """A body; its state is that of its reference point, angles in rad."""

    of: MoorDyn
    row: BodyRow

    @property
    def kind(self) -> int:
        kinds = {"coupled": md.BODY_TYPE_COUPLED, "coupled_pinned": md.BODY_TYPE_COUPLED, "free": md.BODY_TYPE_FREE}
        return kinds.get(self.row.held.kind, md.BODY_TYPE_FIXED)

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        """Place with angles, and velocity with angular velocity, (6,) each."""
        if not self.of.has_begun:
            return np.concatenate([self.row.position, np.radians(self.row.angles)]), np.zeros(6)
        name = f"body{self.row.id}"
        host = self.of.host(name)
        if host is not None:
            return host[0].copy(), host[1].copy()
        if name not in self.of.system.bodies or not self.of.system.bodies[name].is_free:
            return np.concatenate([self.row.position, np.radians(self.row.angles)]), np.zeros(6)
        out = self.of.outputs
        roll, pitch, yaw = (math.degrees(out[f"{name}.{angle}"]) for angle in ("roll", "pitch", "yaw"))
        turn = np.array(rotation_matrix((roll, pitch, yaw)))
        centre = np.zeros(3)
        centre[-len(self.row.centre) :] = self.row.centre
        tables = self.of.simulation.compiled.tables(self.of.simulation.state)
        spin = turn @ tables.hub_state.spin[hub_names(self.of.system).index(name)]
        arm = turn @ -centre
        place = np.asarray(out[f"{name}.position"]) + arm
        velocity = np.asarray(out[f"{name}.velocity"]) + np.cross(spin, arm)
        rows = tuple(tuple(r) for r in turn.tolist())
        angles = np.radians(angles_of(rows))  # type: ignore[arg-type]
        return np.concatenate([place, angles]), np.concatenate([velocity, spin])

    def force(self) -> np.ndarray:
        """Force and moment about the reference point of all lines that end at the body, (6,)."""
        origin = self.state()[0][:3]
        total = np.zeros(6)
        for point in self.of.deck.points.values():
            if point.held.kind == "body" and str(point.held.number) == self.row.id:
                place = Point(self.of, point)
                pull = place.force()
                total[:3] += pull
                total[3:] += np.cross(place.position() - origin, pull)
        return total


@dataclass(frozen=True)
class Rod:
    """A rod: known by where its ends are."""

    of: MoorDyn
    row: RodRow

    @property
    def kind(self) -> int:
        kinds = {
            "coupled": md.ROD_TYPE_COUPLED, "coupled_pinned": md.ROD_TYPE_CPLDPIN, "free": md.ROD_TYPE_FREE,
            "pinned": md.ROD_TYPE_PINNED,
        }  # fmt: skip
        return kinds.get(self.row.held.kind, md.ROD_TYPE_FIXED)

    def node(self, i: int) -> np.ndarray:
        """Place of node i, from end A."""
        if not 0 <= i <= self.row.segments:
            raise MoorDynError(md.ERRCODE_INVALID_VALUE, f"rod {self.row.id} has the nodes 0 to {self.row.segments}")
        a, b = (self._end(side) for side in "AB")
        return np.asarray(a + (b - a) * (i / max(1, self.row.segments)))

    def _end(self, side: str) -> np.ndarray:
        if not self.of.has_begun:
            return _in_file(self.of, self.row.held, self.row.a if side == "A" else self.row.b)
        for name, line, end in _line_ends(self.of):
            if name in (f"R{self.row.id}{side}",):
                return Line(self.of, line).node("position", line.segments if end else 0)
        host = self.of.host(f"rod{self.row.id}")
        if host is not None:
            turn = attitude(host[0][3:])
            length = math.dist(self.row.a, self.row.b)
            return np.asarray(host[0][:3] + (turn @ [0.0, 0.0, length] if side == "B" else 0.0))
        return np.array(self.row.a if side == "A" else self.row.b)


@dataclass(frozen=True)
class Point:
    """A point."""

    of: MoorDyn
    row: PointRow

    @property
    def kind(self) -> int:
        kinds = {"coupled": md.POINT_TYPE_COUPLED, "free": md.POINT_TYPE_FREE}
        return kinds.get(self.row.held.kind, md.POINT_TYPE_FIXED)

    def lines(self) -> list[tuple[LineRow, int]]:
        """Lines that end there, each with its end: 0 for A, 1 for B."""
        return [(line, end) for name, line, end in _line_ends(self.of) if name == self.row.id]

    def position(self) -> np.ndarray:
        return self._seen("position")

    def velocity(self) -> np.ndarray:
        return self._seen("velocity")

    def _seen(self, what: str) -> np.ndarray:
        if not self.of.has_begun:
            return _in_file(self.of, self.row.held, self.row.position) if what == "position" else np.zeros(3)
        for line, end in self.lines():
            return Line(self.of, line).node(what, line.segments if end else 0)
        host = self.of.host(self.row.name)
        if host is not None:
            return np.array(host[0 if what == "position" else 1])
        return np.array(self.row.position if what == "position" else (0.0, 0.0, 0.0))

    def force(self) -> np.ndarray:
        """Force of all lines on it, (3,) N."""
        total = np.zeros(3)
        for line, end in self.lines():
            total += Line(self.of, line).end_force(end)
        return total


@dataclass(frozen=True)
class Line:
    """A line; node 0 is at its end A."""

    of: MoorDyn
    row: LineRow

    @property
    def piece(self) -> Piece:
        return self.of.pieces[self.row.id]

    def node(self, what: str, i: int) -> np.ndarray:
        """Position or velocity of node i, (3,)."""
        return np.array(np.asarray(self.of.outputs[f"{self.piece.cable}.{what}"])[self._node(i)])

    def _node(self, i: int) -> int:
        if isinstance(i, bool) or not isinstance(i, (int, np.integer)) or not 0 <= i <= self.row.segments:
            text = f"line {self.row.id} has the nodes 0 to {self.row.segments}, not {i!r}"
            raise MoorDynError(md.ERRCODE_INVALID_VALUE, text)
        return self.piece.node(int(i))

    def places(self) -> np.ndarray:
        """All nodes from A to B, (nodes, 3)."""
        return self._nodes("position")

    def _nodes(self, what: str) -> np.ndarray:
        first, count = self.piece.first, self.piece.count
        nodes = np.asarray(self.of.outputs[f"{self.piece.cable}.{what}"])[first : first + count + 1]
        return nodes[::-1].copy() if self.piece.turned else nodes.copy()

    @property
    def segment_length(self) -> float:
        """Unstretched, m."""
        return self.length / self.row.segments

    @property
    def length(self) -> float:
        """Unstretched, m."""
        return self.of.lengths.get(self.row.id, self.row.length)

    def tensions(self) -> np.ndarray:
        """Of all segments from A to B with their damping, (segments,) N; none where a segment is slack."""
        if self._kind.axial is not None:
            pulls = self._nodes("tension_effective")
            return rope_tension(pulls[:-1], pulls[1:])
        steps, velocities = (np.diff(nodes, axis=0) for nodes in (self.places(), self._nodes("velocity")))
        return segment_tension(self._kind, self.segment_length, steps, velocities)

    @property
    def _kind(self) -> CableType:
        return self.of.kind(self.row)

    def tension(self, i: int) -> np.ndarray:
        """Tension at node i, (3,) N: of the last segment at an end, the mean of its two neighbours elsewhere."""
        self._node(i)
        steps = np.diff(self.places(), axis=0)
        pulls = steps / np.linalg.norm(steps, axis=1)[:, None] * self.tensions()[:, None]
        return np.asarray(pulls[max(0, i - 1) : i + 1].mean(axis=0))

    def end_force(self, end: int) -> np.ndarray:
        """Force of the line on what holds its end A (0) or B (1), (3,) N; between lines of one cable, its tension."""
        piece, cable = self.piece, self.of.system.cables[self.piece.cable]
        node = piece.node(self.row.segments if end else 0)
        if node == 0:
            return np.array(self.of.outputs[f"{piece.cable}.force_start"])
        if node == cable.element_count:
            return np.array(self.of.outputs[f"{piece.cable}.force_end"])
        pull = self.tension(self.row.segments if end else 0)
        return pull if end == 0 else -pull

    def force(self, i: int) -> np.ndarray:
        """Net force on node i, (3,) N: on the support at an end, mass times mean acceleration of the step inside."""
        self._node(i)
        if i in (0, self.row.segments):
            return self.end_force(0 if i == 0 else 1)
        return np.asarray(self.mass() * self.of.acceleration(self.piece, i))

    def mass(self) -> float:
        """Of a node inside the line with the water that moves with it across, kg."""
        kind = self._kind
        water = self.of.system.environment.water_density * math.pi / 4.0 * kind.diameter**2 * kind.added_mass.normal
        return float((kind.mass_per_metre + water) * self.segment_length)

    def curvature(self, i: int) -> float:
        """Of the line at node i, 1/m: κ = 2 sin(θ/2)/l of the turn θ between its segments; 0 at the ends."""
        self._node(i)
        if i in (0, self.row.segments):
            return 0.0
        steps = np.diff(self.places()[i - 1 : i + 2], axis=0)
        one, two = steps / np.linalg.norm(steps, axis=1)[:, None]
        return 2.0 / self.segment_length * math.sqrt(max(0.0, (1.0 - float(one @ two)) / 2.0))


def _in_file(of: MoorDyn, held: Held, place: Vector) -> np.ndarray:
    """Where a file puts a place, which is given from its body where it has one."""
    body = of.deck.bodies.get(str(held.number)) if held.kind == "body" else None
    return np.array(place if body is None else np.add(body.position, turned(body.angles, place)))


def _line_ends(of: MoorDyn) -> list[tuple[str, LineRow, int]]:
    return [(name, line, end) for line in of.deck.lines.values() for end, name in enumerate(line.ends)]
