"""Hulls and the tree they belong to at rest in still water: weight, buoyancy, springs and cables in balance.

The tree's own forces and stiffness are its formulation's; the water adds its static load f₆ on every hull (about the
hull's origin) and springs theirs, τ += Jᵀf₆, and K += Jᵀ(−∂f₆/∂h)J by differences over the six moves h of a hull. Held
freedoms are left out: x = P z, with P the moves that a hull may make. A held angle is roll, pitch or yaw, so that turns
about the other axes are along the columns of E (`held_angles`), and what a finite step leaves is put right after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from fairlead.algebra.turns import of_angles
from fairlead.model.hydro import FREEDOMS

from .carrier import AtRest
from .held_angles import angles_of, spin_of_angle_rates
from .hulls import HullError
from .mechanism import Motion, rotation_of
from .panels import Floats
from .tree import TreeMechanism
from .vectors import cross
from .water import Water

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

NUDGE = 1e-5
"""Half width of the differences that give the stiffness of the water on a hull, m and rad."""


def still_loads(water: Water, mechanism: TreeMechanism, motions: Sequence[Motion], solved: Sequence[bool]) -> Floats:
    """Force and moment (hulls, 6) of still water and of springs on hulls at rest; NaN where a hull leaves the water.

    solved: those in the water; on others it acts by Morison's law, with the tree's own loads.
    """
    loads = np.zeros((len(motions), 6))
    for k, number in enumerate(i for i, there in enumerate(solved) if there):
        try:
            loads[number] = water.still_load(k, motions[number])
        except HullError:
            loads[number] = np.nan
    for spring, found in zip(mechanism.springs, mechanism.spring_forces(motions), strict=True):
        loads[mechanism.hulls.index(spring.body)] += np.concatenate([found.force, cross(found.arm, found.force)])
    return loads


def nudged(motion: Motion, move: Floats) -> Motion:
    """A hull moved by (3) and turned by a small vector (3), world axes."""
    turn = rotation_of(np.concatenate([[1.0], 0.5 * move[3:]]))
    return Motion(motion.place + move[:3], turn @ motion.rotation, *_still(motion))


def _still(motion: Motion) -> tuple[Floats, Floats, Floats, Floats]:
    return np.zeros(3), np.zeros(3), motion.jacobian, np.zeros(6)


def still_stiffness(
    water: Water, mechanism: TreeMechanism, motions: Sequence[Motion], solved: Sequence[bool]
) -> list[Floats]:
    """−∂f₆/∂h (6, 6) of every hull."""
    found = []
    for k, motion in enumerate(motions):
        K = np.zeros((6, 6))
        for i in range(6):
            sides = []
            for sign in (1.0, -1.0):
                moved = list(motions)
                moved[k] = nudged(motion, sign * NUDGE * np.eye(6)[i])
                sides.append(still_loads(water, mechanism, moved, solved)[k])
            K[:, i] = (sides[1] - sides[0]) / (2.0 * NUDGE)
        found.append(K)
    return found


class TreeAtRest:
    """See `Linearised`: that of the tree, with the water on its hulls; finds its own part of each state `y`."""

    def __init__(
        self,
        tree: AtRest,
        mechanism: TreeMechanism,
        water: Water,
        part: slice,
        held: Sequence[tuple[str, ...]],
        solved: Sequence[bool],
        notes: Callable[[float, np.ndarray], tuple[str, ...]],
    ) -> None:
        """part: where the tree's state is in y; held: freedoms of each hull; solved: whether each is in the water;
        notes(t, y): what is to be said of y."""
        self._solved = tuple(solved)
        self._tree, self._mechanism, self._water, self._part, self._notes = tree, mechanism, water, part, notes
        self.t = tree.t
        self._held = [
            (mechanism.carrier.speeds_of(name), freedoms) for name, freedoms in zip(mechanism.hulls, held, strict=True)
        ]
        own = mechanism.initial_state()
        self._start = [motion.rotation for motion in self._motions(own)]
        self._kept, places = self._free_moves(own)
        self.size = self._kept.shape[1]
        self.kinds, self.levers = tree.kinds[places], tree.levers[places]
        self._places = places

    # ---- which moves there are

    def _free_moves(self, own: Floats) -> tuple[Floats, np.ndarray]:
        """P (tree's size, size), and for each of its columns a degree of freedom of the tree that it is like."""
        columns: list[Floats] = []
        places: list[int] = []
        taken: dict[int, tuple[int, tuple[str, ...]]] = {}
        for k, (speeds, freedoms) in enumerate(self._held):
            if freedoms:
                taken |= {self._tree.number(speed): (k, freedoms) for speed in range(speeds.start, speeds.stop)}
        turned = self._motions(own) if taken else []
        done: set[int] = set()
        for x in range(self._tree.size):
            if x not in taken:
                columns.append(np.eye(self._tree.size)[x])
                places.append(x)
                continue
            k, freedoms = taken[x]
            if k in done:
                continue
            done.add(k)
            first = self._tree.number(self._held[k][0].start)
            for i, name in enumerate(FREEDOMS[:3]):
                if name not in freedoms:
                    columns.append(np.eye(self._tree.size)[first + i])
                    places.append(first + i)
            loose = [i for i, name in enumerate(FREEDOMS[3:]) if name not in freedoms]
            E = np.eye(3) if len(loose) == 3 else spin_of_angle_rates(turned[k].rotation)
            for i in loose:
                column = np.zeros(self._tree.size)
                column[first + 3 : first + 6] = E[:, i]
                columns.append(column)
                places.append(first + 3 + i)
        return np.array(columns).reshape(-1, self._tree.size).T, np.array(places, dtype=int)

    def _moves(self, own: Floats) -> Floats:
        return self._free_moves(own)[0]

    # ---- states

    def _own(self, y: np.ndarray) -> np.ndarray:
        return self._tree.placed(np.ascontiguousarray(y[self._part]))

    def _put(self, y: np.ndarray, own: np.ndarray) -> np.ndarray:
        after = y.copy()
        after[self._part] = own
        return after

    def _motions(self, own: np.ndarray) -> list[Motion]:
        return self._mechanism.motions(self.t, own)

    def placed(self, y: np.ndarray) -> np.ndarray:
        """See `Linearised`."""
        return self._put(y, self._own(y))

    def displaced(self, y: np.ndarray, dx: np.ndarray, share: float = 1.0) -> np.ndarray:
        """See `Linearised`."""
        own = self._own(y)
        after = self._tree.displaced(own, self._moves(own) @ dx, share)
        motions = self._motions(after)
        hulls = self._mechanism.hulls
        for name, (_, freedoms), start, motion in zip(hulls, self._held, self._start, motions, strict=True):
            loose = [angle not in freedoms for angle in FREEDOMS[3:]]
            if any(loose) and not all(loose):
                angles = np.where(loose, angles_of(motion.rotation), angles_of(start))
                after[self._mechanism.carrier.turn_of(name)] = of_angles(angles)[0]
        return self._put(y, after)

    def settled(self, y: np.ndarray) -> np.ndarray:
        """See `Linearised`."""
        return self._put(y, self._tree.settled(self._own(y)))

    def speeds(self, y: np.ndarray) -> np.ndarray:
        """See `Linearised`: only for relaxation, of which there is none."""
        return np.zeros(self.size)

    def relax(self, y: np.ndarray, n: int, h: float) -> bool:
        """See `Linearised`: the water cannot be let go with time standing still."""
        return False

    # ---- forces

    def _with_water(self, y: np.ndarray, forces: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """Forces of the tree, and what still water and springs do to its hulls, on z."""
        own = self._own(y)
        motions = self._motions(own)
        loads = still_loads(self._water, self._mechanism, motions, self._solved)
        joints = sum(J.T @ f for J, f in zip(self._mechanism.full_jacobians, loads, strict=True))
        return np.asarray(self._moves(own).T @ (forces(own) + self._tree.on_moves(own, np.asarray(joints))))

    def on_moves(self, y: np.ndarray, joints: Floats) -> Floats:
        """Further forces on all speeds of the tree (speeds,) as forces on z (size,)."""
        own = self._own(y)
        return np.asarray(self._moves(own).T @ self._tree.on_moves(own, joints))

    def by_moves(self, y: np.ndarray, speeds: Floats) -> Floats:
        """∂(anything)/∂(all speeds of the tree) (n, speeds) as ∂/∂z (n, size)."""
        own = self._own(y)
        return np.asarray(self._tree.by_moves(own, speeds) @ self._moves(own))

    def hulls_in(self, y: np.ndarray) -> tuple[list[Floats], list[Motion]]:
        """∂(velocity, angular velocity)/∂(all speeds) (6, speeds) and the motion of every hull."""
        motions = self._motions(self._own(y))
        return self._mechanism.full_jacobians, motions

    def loads(self, y: np.ndarray) -> np.ndarray:
        """See `Linearised`."""
        own = self._own(y)
        return np.asarray(self._moves(own).T @ self._tree.loads(own))

    def residual(self, y: np.ndarray) -> np.ndarray:
        """See `Linearised`."""
        return self._with_water(y, self._tree.residual)

    def imbalance(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See `Linearised`; no forces are kept beside the shape."""
        return self.residual(y), np.zeros(0)

    def stress(self, y: np.ndarray) -> float:
        """No force is kept."""
        return 0.0

    # ---- stiffness and mass

    def tangent(self, y: np.ndarray, sticking: bool = False) -> csc_matrix:
        """See `Linearised`."""
        own = self._own(y)
        P, motions = self._moves(own), self._motions(own)
        K = np.asarray(self._tree.tangent(own, sticking).todense())
        for J, stiffness in zip(
            self._mechanism.full_jacobians,
            still_stiffness(self._water, self._mechanism, motions, self._solved),
            strict=True,
        ):
            moves = self._tree.by_moves(own, J)
            K = K + moves.T @ stiffness @ moves
        return sp.csc_matrix(P.T @ K @ P)

    def mass(self, y: np.ndarray) -> csc_matrix:
        """See `Linearised`: that of the tree; the water's depends on the frequency."""
        own = self._own(y)
        P = self._moves(own)
        return sp.csc_matrix(P.T @ np.asarray(self._tree.mass(own).todense()) @ P)

    # ---- words

    def notes(self, y: np.ndarray) -> tuple[str, ...]:
        """What a user should know of an equilibrium."""
        return self._notes(self.t, y)

    def place(self, i: int) -> str:
        """See `Linearised`."""
        return self._tree.place(int(self._places[i]))


def how_moved(name: str, before: Motion, after: Motion) -> str:
    """Where a hull has come to rest, in words; empty where it has hardly moved."""
    way = after.place - before.place
    turn = np.degrees(np.array(angles_of(after.rotation)) - np.array(angles_of(before.rotation)))
    parts = [f"{value:+.3g} m in {what}" for what, value in zip(FREEDOMS[:3], way, strict=True) if abs(value) > 1e-3]
    parts += [
        f"{value:+.3g} deg in {what}" for what, value in zip(FREEDOMS[3:], turn, strict=True) if abs(value) > 0.01
    ]
    return f"'{name}' by " + ", ".join(parts) if parts else ""
