"""A tree of bodies alone, without cables, sea and time: its accelerations by either algorithm.

tree = Tree()
arm = tree.add(WORLD, REVOLUTE, axis=(0, 1, 0), mass=2.0, centre=(0, 0, -0.5), inertia=(0.1, 0.1, 0.02))
tree.add(arm, SPHERICAL, place=(0, 0, -1), mass=1.0, centre=(0, 0, -0.2), inertia=(0.1, 0.1, 0.1))
model = TreeModel.of(tree)
rates = model.accelerations(model.state(q, v), gravity=9.81)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairlead.algebra import quaternion
from fairlead.algebra.cholesky import solve_positive
from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.records import Tables
from fairlead.algebra.small import ZERO3, matvec
from fairlead.formulations.multibody.articulated import OK, SINGULAR, articulated
from fairlead.formulations.multibody.bodies import add_dry, clear, push_at
from fairlead.formulations.multibody.commands import rest_bases
from fairlead.formulations.multibody.coordinates import coordinate_rates
from fairlead.formulations.multibody.joints import place_all
from fairlead.formulations.multibody.mass_matrix import composite
from fairlead.formulations.multibody.schema import CABLE, CLIP, SCHEMA, system
from fairlead.formulations.multibody.tree import Tree
from fairlead.rigging.axial import STRAIN


@dataclass(frozen=True)
class TreeModel:
    """A tree as arrays. `y` holds its coordinates (rotations as quaternions, scalar first), then its speeds.

    Speeds of a free joint: velocity (global), then angular velocity (body axes); of a spherical one: the child's
    angular velocity against its parent, in the child's axes.
    """

    ints: np.ndarray
    reals: np.ndarray
    work: np.ndarray

    @classmethod
    def of(cls, tree: Tree) -> TreeModel:
        """The tree alone as arrays, without sea, cables and commands."""
        elements = sum(row["kind"] == CABLE for row in tree.bodies)
        counts = {**dict.fromkeys(SCHEMA.counts, 0), **tree.counts, "elements": elements}
        tables = SCHEMA.allocate(counts, slack=CLIP, law=STRAIN)
        tree.fill(tables)
        return cls(tables.ints, tables.reals, tables.work)

    def state(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The state of coordinates q and speeds v."""
        tables = self.tables(np.zeros(SCHEMA.sizes(self.counts)["y"]))
        tables.coordinate.value, tables.speed.value = q, v
        for element, kind, frame in zip(tables.body.element, tables.body.kind, tables.joint.frame, strict=True):
            if kind == CABLE:
                tables.frame.turn[element] = quaternion.from_matrix(frame.reshape(3, 3))
        return tables.y

    def tables(self, y: np.ndarray) -> Tables:
        """The tree and its state by name."""
        return SCHEMA.tables(self.ints, self.reals, y, self.work)

    @property
    def counts(self) -> dict[str, int]:
        """How many there are of each thing."""
        return self.tables(np.empty(0)).counts

    def accelerations(
        self, y: np.ndarray, torques: np.ndarray | None = None, gravity: float = 0.0, method: str = "articulated"
    ) -> np.ndarray:
        """Joint accelerations (speeds,), by the `articulated` (O(n)) or the `composite` algorithm."""
        n = self.counts["speeds"]
        rates = np.zeros(n)
        torque = np.zeros(n) if torques is None else np.asarray(torques, dtype=float)
        if method == "articulated":
            status = tree_articulated(y, torque, gravity, self.ints, self.reals, self.work, rates)
        else:
            H, C = np.zeros(n * n), np.zeros(n)
            status = tree_composite(y, torque, gravity, self.ints, self.reals, self.work, H, C, rates)
        if status != OK:
            body = int(self.tables(y).fault.place)
            raise ZeroDivisionError(f"joint of body {body} has no inertia, or its axes fall together")
        return rates

    def mass_and_bias(self, y: np.ndarray, gravity: float = 0.0, times: int = 1) -> tuple[np.ndarray, np.ndarray]:
        """H (speeds, speeds) and C (speeds,); made `times` over where the cost of it is to be measured."""
        n = self.counts["speeds"]
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
        tables = self.tables(y)
        kept, own = tables.record, slice(tables.bases, None)
        return (
            kept.rotation[own].reshape(-1, 3, 3).copy(), kept.position[own].copy(), kept.velocity[own].copy(),
            kept.spin[own].copy(),
        )  # fmt: skip


@kernel
def prepare(gravity, sys):
    """Place the tree and give its bodies their dry mass and weight."""
    rest_bases(sys)
    place_all(sys)
    clear(sys)
    for j in range(sys.bodies):
        add_dry(j, sys)
        joint, record = sys.joint[j], sys.record[sys.bases + j]
        push_at(record, (0.0, 0.0, -joint.mass * gravity), ZERO3, matvec(record.rotation, joint.centre))


@kernel
def put_torques(torque, sys):
    """Torques (speeds,) of joints without springs."""
    for k in range(sys.speeds):
        sys.effort[k].torque, sys.effort[k].stiff = torque[k], 0.0


@entry
def tree_place(y, gravity, ints, reals, work):
    """Place the tree."""
    prepare(gravity, system(ints, reals, y, work))


@entry
def tree_articulated(y, torque, gravity, ints, reals, work, rates):
    """Accelerations in O(n)."""
    sys = system(ints, reals, y, work)
    prepare(gravity, sys)
    put_torques(torque, sys)
    return articulated(sys, rates, 0)


@entry
def tree_mass_and_bias(y, gravity, times, ints, reals, work, H, C):
    """H and C, made `times` over."""
    sys = system(ints, reals, y, work)
    for _ in range(times):
        prepare(gravity, sys)
        composite(sys, H, C)


@kernel
def solve_dense(sys, H, C, rates, first):
    """q̈ of (H + G) q̈ = τ − C by Cholesky, into `rates` from `first` on; H is overwritten. Returns a status."""
    size = sys.speeds
    for k in range(size):
        H[k * size + k] += sys.effort[k].stiff
        rates[first + k] = sys.effort[k].torque - C[k]
    return OK if solve_positive(H, rates, first, size, 1e-14) else SINGULAR


@entry
def tree_composite(y, torque, gravity, ints, reals, work, H, C, rates):
    """Accelerations from H and C."""
    sys = system(ints, reals, y, work)
    prepare(gravity, sys)
    composite(sys, H, C)
    put_torques(torque, sys)
    return solve_dense(sys, H, C, rates, 0)


@entry
def tree_run(y, n, h, gravity, ints, reals, work, stages):
    """n steps of the classical Runge–Kutta method on a tree without torques."""
    sys = system(ints, reals, stages[4], work)
    for k in range(sys.speeds):
        sys.effort[k].torque, sys.effort[k].stiff = 0.0, 0.0
    for _ in range(n):
        for stage in range(4):
            part = 0.0 if stage == 0 else (h if stage == 3 else 0.5 * h)
            for i in range(y.shape[0]):
                stages[4, i] = y[i] + (part * stages[stage - 1, i] if stage > 0 else 0.0)
            prepare(gravity, sys)
            coordinate_rates(sys, system(ints, reals, stages[stage], work))
            if articulated(sys, stages[stage], sys.speed.start) != OK:
                return 1
        for i in range(y.shape[0]):
            y[i] += h / 6.0 * (stages[0, i] + 2.0 * (stages[1, i] + stages[2, i]) + stages[3, i])
    return OK
