"""What a tree offers to those who find forces on its bodies themselves, as the water about hulls does.

H v̇ = τ − C + Jᵀ(forces and moments on the bodies), with the motions of the bodies and their Jacobians J; loads that act
on them for a look; what the water does to them by Morison's law, which gives way where it is solved for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fairlead.loads import rigid_body as r
from fairlead.rigging.states import places_of

from .mass_matrix import MOTION, move_places
from .schema import FREE, SPEEDS

if TYPE_CHECKING:
    from .compiled_multibody import CompiledMultibody
    from .linearised import LinearisedMultibody

WATER = np.r_[
    r.BODY_ADDED : r.BODY_ADDED + 3, r.BODY_INERTIA_ADDED : r.BODY_INERTIA_ADDED + 3, r.BODY_DISPLACED, r.BODY_SLAM
]  # fmt: skip
"""Of a body's record: added mass (3) and inertia (3), displaced mass, slamming."""


class Carrier:
    """A compiled tree and those of its bodies on which others act; its state is the formulation's own vector.

    The last loads of its system, one for each of the bodies and in their order, are those of `push`.
    """

    def __init__(self, compiled: CompiledMultibody, bodies: Sequence[str]) -> None:
        self.compiled, self.bodies = compiled, tuple(bodies)
        self._tables = compiled.tables(compiled.initial_state())
        self.speeds = compiled.layout["speed"]
        """Where all speeds are in the state."""
        self._drives = places_of(self._tables, "ledger", "drives")[0]
        seen = [compiled.shape.points.index(name) for name in self.bodies]
        self._records, self._origins = self._tables.seen.record[seen], self._tables.origin.offset[seen]
        self._drums = self._on_drums()
        self._dy = np.zeros(compiled.layout.size)
        self._water = {name: self._tables.block("hull")[self._solid(name), WATER].copy() for name in self.bodies}

    # ---- how it moves

    def equations(self, t: float, y: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, ...]:
        """H (speeds, speeds), C (speeds,) and τ (speeds,) in the state y at t; motions (bodies, MOTION) and Jacobians
        (bodies, 6, speeds) of the bodies, see `mass_matrix.move_places`."""
        c, count = self.compiled, len(self.bodies)
        H, C, torques = c.mass_and_bias(t, y, u)
        motions, jacobians = np.empty((count, MOTION)), np.zeros((count, 6, len(C)))
        move_places(y, c.ints, c.reals, c.work, self._records, self._origins, motions, jacobians)
        for active, count, speeds in self._drums:  # nodes that are still on a drum have no motion of their own
            idle = speeds[: 3 * (count - int(y[active]))]
            torques[idle], jacobians[:, :, idle] = 0.0, 0.0  # their axes may be those of a trial that was ahead of y
        return H, C, torques, motions, jacobians

    def _on_drums(self) -> list[tuple[int, int, np.ndarray]]:
        """Of each cable: where the state holds its elements off the drum, how many there are, and the nodes' speeds."""
        cable, firsts, found = self._tables.cable, self._tables.body.speed, []
        for place, body, count in zip(places_of(self._tables, "paid", "count"), cable.body, cable.count, strict=True):
            first = firsts[body : body + count]
            found.append((place, int(count), (first[:, None] + np.arange(3)).ravel()))
        return found

    def rates(self, t: float, y: np.ndarray, u: np.ndarray, accelerations: np.ndarray, power: float) -> np.ndarray:
        """Rates of the state with these accelerations (speeds,); power [W] of what acts from outside, as of drives."""
        c = self.compiled
        c.rhs(float(t), y.copy(), u, c.ints, c.reals, c.work, self._dy)
        dy = self._dy.copy()
        dy[self.speeds] = accelerations
        dy[self._drives] += power
        return dy

    def booked(self, y: np.ndarray, work: float) -> None:
        """Add work [J] to the ledger of the drives of a state, in place."""
        y[self._drives] += work

    def settle(self, t: float, y: np.ndarray, u: np.ndarray, h: float) -> int:
        """After a step of h: unit quaternions, drums, frames, contacts; in place. Returns a status."""
        c = self.compiled
        return int(c.settle(float(t), y, u, float(h), c.ints, c.reals, c.work))

    def speeds_of(self, name: str) -> slice:
        """Which of all speeds are those of the joint a body hangs by."""
        body, j = self._tables.body, self._records[self.bodies.index(name)] - self._tables.bases
        first = int(body.speed[j]) if j >= 0 else 0
        return slice(first, first + (SPEEDS[body.kind[j]] if j >= 0 else 0))

    def turn_of(self, name: str) -> slice:
        """Where the quaternion of a free body is in the state."""
        body = self._tables.body
        (j,) = np.flatnonzero((body.speed == self.speeds_of(name).start) & (body.kind == FREE))
        first = places_of(self._tables, "coordinate", "value")[int(body.coordinate[j]) + 3]
        return slice(first, first + 4)

    def linearised(self, t: float, u: np.ndarray) -> LinearisedMultibody:
        """The tree alone, held still at t."""
        return self.compiled.linearised(t, u)

    # ---- what acts on the bodies

    def push(self, forces: np.ndarray) -> None:
        """Let forces and torques (bodies, 6) act on the bodies, as loads of the file do."""
        push = self.compiled.tables(np.empty(0)).push
        last = slice(len(push) - len(forces), None)
        push.force[last], push.torque[last] = forces[:, :3], forces[:, 3:]

    def _solid(self, name: str) -> np.ndarray:
        """Row of a body among those the water sees (n, 1); none for one that it does not."""
        solid, own = self._tables.solid, self._records[self.bodies.index(name)]
        return np.flatnonzero((solid.record == own) & (solid.turns != 0))[:, None]

    def added_mass(self, name: str) -> np.ndarray:
        """Of a body by Morison's law, along and about its axes (6,), all of it wet."""
        return np.asarray(self._water[name][0, :6])

    def give_to_water(self, name: str, solved: bool) -> None:
        """Let Morison's law, buoyancy and slamming act on a body, or nothing of it where the water is solved for."""
        self._tables.block("hull")[self._solid(name), WATER] = 0.0 if solved else self._water[name]
