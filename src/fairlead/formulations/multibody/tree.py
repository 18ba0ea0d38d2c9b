"""Trees of bodies as flat arrays, and their accelerations by either algorithm: a small library by itself.

tree = Tree()
arm = tree.add(WORLD, REVOLUTE, axis=(0, 1, 0), mass=2.0, centre=(0, 0, -0.5), inertia=(0.1, 0.1, 0.02))
tree.add(arm, SPHERICAL, place=(0, 0, -1), mass=1.0, centre=(0, 0, -0.2), inertia=(0.1, 0.1, 0.1))
model = tree.build()
rates = model.accelerations(model.state(q, v), gravity=9.81)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from fairlead.algebra import quaternion
from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.small import matvec

from . import arrays as a
from .arrays import (
    CENTRE, MASS, N_BASES, N_BODIES, POSITION, ROTATION, SPIN, VELOCITY, W_STIFF, W_TORQUE, ZERO3, constants_at,
    matrix_of, record_at, vector_of,
)  # fmt: skip
from .articulated import OK, articulated
from .bodies import add_dry, clear, push_at
from .commands import rest_bases
from .composite import composite, solve_dense
from .coordinates import coordinate_rates
from .joints import place_all

WORLD = -1
"""Parent of what hangs from the world."""
_IDENTITY = np.eye(3)


@dataclass
class Tree:
    """Bodies and bases as they are added; every parent before its children."""

    ints: list[list[int]] = field(default_factory=list)
    reals: list[np.ndarray] = field(default_factory=list)
    bases: list[np.ndarray] = field(default_factory=lambda: [np.concatenate((_IDENTITY.ravel(), np.zeros(3)))])
    """Rotation (9) and position (3) of each base; the first is the world."""

    def add_base(self, position: Sequence[float] | np.ndarray, rotation: np.ndarray = _IDENTITY) -> int:
        """Add a base that is held or moved: returns its number as a parent, −2 and below."""
        self.bases.append(np.concatenate((np.ravel(rotation), position)))
        return -len(self.bases)

    def add(
        self,
        parent: int,
        kind: int,
        place: Sequence[float] | np.ndarray = (0.0, 0.0, 0.0),
        frame: np.ndarray = _IDENTITY,
        axis: Sequence[float] | np.ndarray = (0.0, 0.0, 1.0),
        mass: float = 0.0,
        centre: Sequence[float] | np.ndarray = (0.0, 0.0, 0.0),
        inertia: Sequence[float] | np.ndarray = (0.0, 0.0, 0.0),
        element: int = -1,
        cable: int = -1,
    ) -> int:
        """Add a body that hangs from `parent` (a body's number, `WORLD` or a base) by a joint; returns its number.

        place, frame   of the joint in the parent's frame (3,) [m], (3, 3)
        axis           of a revolute or prismatic joint
        mass, centre   dry mass [kg] and its centre (3,) [m], in the body's frame
        inertia        about the centre: three moments or the full matrix (3, 3) [kg m²]
        """
        row = np.zeros(a.BODY_REALS)
        row[a.FRAME : a.FRAME + 9], row[a.PLACE : a.PLACE + 3] = np.ravel(frame), place
        row[a.AXIS : a.AXIS + 3] = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
        row[a.LOW], row[a.HIGH] = -np.inf, np.inf
        row[a.MASS], row[a.CENTRE : a.CENTRE + 3] = mass, centre
        full = np.diag(inertia) if np.ndim(inertia) == 1 else np.asarray(inertia)
        row[a.INERTIA : a.INERTIA + 6] = full[np.triu_indices(3)]
        if kind == a.CABLE and element < 0:
            element = sum(other[a.KIND] == a.CABLE for other in self.ints)
        self.reals.append(row)
        self.ints.append([parent, kind, 0, 0, element, cable])
        return len(self.ints) - 1

    def numbered(self) -> np.ndarray:
        """The bodies' int records with parents as record numbers and offsets of coordinates and speeds, (bodies, 6)."""
        rows = np.array(self.ints, dtype=np.int64).reshape(-1, a.BODY_INTS)
        parents = rows[:, a.PARENT]
        rows[:, a.PARENT] = np.where(parents < 0, -1 - parents, parents + len(self.bases))
        sizes_q = np.array([a.COORDINATES[kind] for kind in rows[:, a.KIND]], dtype=np.int64)
        sizes_v = np.array([a.SPEEDS[kind] for kind in rows[:, a.KIND]], dtype=np.int64)
        rows[:, a.AT_Q] = np.cumsum(sizes_q) - sizes_q
        rows[:, a.AT_V] = sizes_q.sum() + np.cumsum(sizes_v) - sizes_v
        return rows

    def counts(self) -> tuple[int, int]:
        """Numbers of coordinates and of speeds."""
        kinds = [row[a.KIND] for row in self.ints]
        return sum(a.COORDINATES[kind] for kind in kinds), sum(a.SPEEDS[kind] for kind in kinds)

    def build(self) -> TreeModel:
        """The tree alone as arrays, without sea, cables and commands."""
        header = np.zeros(a.HEADER, dtype=np.int64)
        header[a.N_BODIES], header[a.N_BASES] = len(self.ints), len(self.bases)
        header[a.N_Q], header[a.N_V] = self.counts()
        header[a.N_ELEMENTS] = sum(row[a.KIND] == a.CABLE for row in self.ints)
        a.set_offsets(header)
        ints = np.concatenate((header, self.numbered().ravel()))
        elements = np.zeros(header[a.N_ELEMENTS] * a.ELEMENT_REALS)
        reals = np.concatenate((np.zeros(a.SETTING_COUNT), *self.reals, *self.bases, elements))
        return TreeModel(ints, reals, np.zeros(ints[a.W_END]))


@dataclass(frozen=True)
class TreeModel:
    """A tree as arrays. `y` holds its coordinates (rotations as quaternions, scalar first), then its speeds.

    Speeds of a free joint: velocity (global), then angular velocity (body axes); of a spherical one: the child's
    angular velocity against its parent, in the child's axes.
    """

    ints: np.ndarray
    reals: np.ndarray
    work: np.ndarray

    def state(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The state of coordinates q and speeds v."""
        y = np.zeros(self.ints[a.Y_END] + 1)
        y[: len(q)], y[len(q) : len(q) + len(v)] = q, v
        rows = self.ints[self.ints[a.I_BODIES] : self.ints[a.I_CABLES]].reshape(-1, a.BODY_INTS)
        frames = self.reals[self.ints[a.R_BODIES] : self.ints[a.R_BASES]].reshape(-1, a.BODY_REALS)[:, :9]
        cables = rows[:, a.KIND] == a.CABLE
        for element, frame in zip(rows[cables, a.ELEMENT], frames[cables], strict=True):
            at = self.ints[a.Y_FRAMES] + 4 * element
            y[at : at + 4] = quaternion.from_matrix(frame.reshape(3, 3))
        return y

    def accelerations(
        self, y: np.ndarray, torques: np.ndarray | None = None, gravity: float = 0.0, method: str = "articulated"
    ) -> np.ndarray:
        """Joint accelerations (speeds,), by the `articulated` (O(n)) or the `composite` algorithm."""
        n = int(self.ints[a.N_V])
        rates = np.zeros(n)
        torque = np.zeros(n) if torques is None else np.asarray(torques, dtype=float)
        if method == "articulated":
            status = tree_articulated(y, torque, gravity, self.ints, self.reals, self.work, rates)
        else:
            H, C = np.zeros(n * n), np.zeros(n)
            status = tree_composite(y, torque, gravity, self.ints, self.reals, self.work, H, C, rates)
        if status != OK:
            raise ZeroDivisionError(f"joint of body {int(self.work[1])} has no inertia, or its axes fall together")
        return rates

    def mass_and_bias(self, y: np.ndarray, gravity: float = 0.0, times: int = 1) -> tuple[np.ndarray, np.ndarray]:
        """H (speeds, speeds) and C (speeds,); made `times` over where the cost of it is to be measured."""
        n = int(self.ints[a.N_V])
        H, C = np.zeros(n * n), np.zeros(n)
        tree_mass_and_bias(y, gravity, times, self.ints, self.reals, self.work, H, C)
        return H.reshape(n, n), C

    def run(self, y: np.ndarray, h: float, n: int, gravity: float = 0.0) -> np.ndarray:
        """The state after n steps of Runge–Kutta 4."""
        y = y.copy()
        stages = np.zeros((5, y.size))
        status = tree_run(y, n, h, gravity, self.ints, self.reals, self.work, stages)
        if status != OK:
            raise ZeroDivisionError("a joint has no inertia, or its axes fall together")
        return y

    def motions(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Rotation (bodies, 3, 3), position, velocity and angular velocity (bodies, 3) of every body, global."""
        tree_place(y, 0.0, self.ints, self.reals, self.work)
        rows = self.work[self.ints[a.W_RECORDS] : self.ints[a.W_OLD]].reshape(-1, a.RECORD)[self.ints[a.N_BASES] :]
        return (
            rows[:, ROTATION : ROTATION + 9].reshape(-1, 3, 3).copy(), rows[:, POSITION : POSITION + 3].copy(),
            rows[:, VELOCITY : VELOCITY + 3].copy(), rows[:, SPIN : SPIN + 3].copy(),
        )  # fmt: skip


@kernel
def prepare(y, gravity, ints, reals, work):
    """Place the tree and give its bodies their dry mass and weight."""
    rest_bases(ints, reals, work)
    place_all(ints, reals, y, work)
    clear(ints, work)
    for j in range(ints[N_BODIES]):
        add_dry(j, ints, reals, work)
        const, record = constants_at(ints, j), record_at(ints, ints[N_BASES] + j)
        c = matvec(matrix_of(work, record + ROTATION), vector_of(reals, const + CENTRE))
        push_at(work, record, (0.0, 0.0, -reals[const + MASS] * gravity), ZERO3, c)


@entry
def tree_place(y, gravity, ints, reals, work):
    """Place the tree."""
    prepare(y, gravity, ints, reals, work)


@entry
def tree_articulated(y, torque, gravity, ints, reals, work, rates):
    """Accelerations in O(n)."""
    prepare(y, gravity, ints, reals, work)
    for k in range(torque.shape[0]):
        work[ints[W_TORQUE] + k] = torque[k]
        work[ints[W_STIFF] + k] = 0.0
    return articulated(ints, y, work, rates, 0)


@entry
def tree_mass_and_bias(y, gravity, times, ints, reals, work, H, C):
    """H and C, made `times` over."""
    for _ in range(times):
        prepare(y, gravity, ints, reals, work)
        composite(ints, y, work, H, C)


@entry
def tree_composite(y, torque, gravity, ints, reals, work, H, C, rates):
    """Accelerations from H and C."""
    prepare(y, gravity, ints, reals, work)
    composite(ints, y, work, H, C)
    for k in range(torque.shape[0]):
        work[ints[W_TORQUE] + k] = torque[k]
        work[ints[W_STIFF] + k] = 0.0
    return solve_dense(ints, work, H, C, rates, 0)


@entry
def tree_run(y, n, h, gravity, ints, reals, work, stages):
    """n steps of the classical Runge–Kutta method on a tree without torques."""
    for k in range(ints[W_TORQUE], ints[a.W_START]):
        work[k] = 0.0
    for _ in range(n):
        for stage in range(4):
            part = 0.0 if stage == 0 else (h if stage == 3 else 0.5 * h)
            for i in range(y.shape[0]):
                stages[4, i] = y[i] + (part * stages[stage - 1, i] if stage > 0 else 0.0)
            prepare(stages[4], gravity, ints, reals, work)
            coordinate_rates(ints, stages[4], stages[stage])
            if articulated(ints, stages[4], work, stages[stage], ints[a.Y_V]) != OK:
                return 1
        for i in range(y.shape[0]):
            y[i] += h / 6.0 * (stages[0, i] + 2.0 * (stages[1, i] + stages[2, i]) + stages[3, i])
    return OK
