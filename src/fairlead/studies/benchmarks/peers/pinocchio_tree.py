"""A tree of bodies as Pinocchio sees it: its mass matrix and accelerations in our coordinates.

Pinocchio counts the velocity of a free body in body axes, and its acceleration as the time derivative of that; a cable
element is three joints of it, a fixed joint none.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from fairlead.formulations.multibody import arrays as a
from fairlead.formulations.multibody.tree import TreeModel

_TURNS = (a.FREE, a.SPHERICAL)


def package() -> ModuleType:
    """Pinocchio's Python module."""
    try:
        return importlib.import_module("pinocchio")
    except ImportError as missing:
        raise ImportError(
            "the comparison needs the Pinocchio package, which is not installed: pip install 'fairlead[bench]'"
        ) from missing


@dataclass
class PinocchioTree:
    """The same tree in Pinocchio, hung from the world."""

    tree: TreeModel
    gravity: float = 9.81
    pin: ModuleType = field(default_factory=package)

    def __post_init__(self) -> None:
        pin, tree = self.pin, self.tree
        self._model = pin.Model()
        self._model.gravity.linear = np.array([0.0, 0.0, -self.gravity])
        self._bodies = tree.ints[tree.ints[a.I_BODIES] : tree.ints[a.I_CABLES]].reshape(-1, a.BODY_INTS)
        rows = tree.reals[tree.ints[a.R_BODIES] : tree.ints[a.R_BASES]].reshape(-1, a.BODY_REALS)
        # of each record: its joint, and where its frame is in that joint's
        joints, standing = {0: 0}, {0: pin.SE3.Identity()}
        coordinates: list[int] = []
        speeds: list[int] = []
        for j in self._branch_by_branch():
            body, row, parent = self._bodies[j], rows[j], int(self._bodies[j, a.PARENT])
            placed = standing[parent] * pin.SE3(row[:9].reshape(3, 3).copy(), row[a.PLACE : a.PLACE + 3].copy())
            joint = joints[parent]
            for k, kind in enumerate(self._joints(int(body[a.KIND]), row[a.AXIS : a.AXIS + 3])):
                joint = self._model.addJoint(joint, kind, placed, f"{j}.{k}")
                placed = pin.SE3.Identity()
            full = np.zeros((3, 3))
            full[np.triu_indices(3)] = row[a.INERTIA : a.INERTIA + 6]
            full += np.triu(full, 1).T
            inertia = pin.Inertia(float(row[a.MASS]), row[a.CENTRE : a.CENTRE + 3].copy(), full)
            self._model.appendBodyToJoint(joint, inertia, placed)
            joints[j + 1], standing[j + 1] = joint, placed
            first = int(body[a.AT_V] - tree.ints[a.N_Q])
            coordinates += range(body[a.AT_Q], body[a.AT_Q] + a.COORDINATES[body[a.KIND]])
            speeds += range(first, first + a.SPEEDS[body[a.KIND]])
        self._coordinates, self._speeds = np.array(coordinates), np.array(speeds)
        self._data = self._model.createData()

    def _branch_by_branch(self) -> list[int]:
        """Numbers of the bodies, each followed by all that hangs from it: the order Pinocchio asks for."""
        parents = self._bodies[:, a.PARENT] - 1
        found: list[int] = []
        waiting = [int(j) for j in np.flatnonzero(parents < 0)[::-1]]
        while waiting:
            found.append(waiting.pop())
            waiting += [int(j) for j in np.flatnonzero(parents == found[-1])[::-1]]
        return found

    def _joints(self, kind: int, axis: np.ndarray) -> list[Any]:
        """Joints of Pinocchio for one of ours."""
        pin = self.pin
        if kind == a.CABLE:
            return [pin.JointModelRY(), pin.JointModelRX(), pin.JointModelPZ()]
        found = {
            a.REVOLUTE: lambda: pin.JointModelRevoluteUnaligned(*axis),
            a.PRISMATIC: lambda: pin.JointModelPrismaticUnaligned(*axis),
            a.SPHERICAL: pin.JointModelSpherical, a.FREE: pin.JointModelFreeFlyer,
        }.get(kind)  # fmt: skip
        return [] if found is None else [found()]

    def _state(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates and speeds of Pinocchio, T of v_pin = T v, and Ṫ v."""
        n_q, n_v = int(self.tree.ints[a.N_Q]), int(self.tree.ints[a.N_V])
        q, v = y[:n_q].copy(), y[n_q : n_q + n_v]
        T, rate = np.eye(n_v), np.zeros(n_v)
        for body in self._bodies:
            at = int(body[a.AT_Q]) + (3 if body[a.KIND] == a.FREE else 0)
            if body[a.KIND] in _TURNS:
                q[at : at + 4] = np.roll(y[at : at + 4], -1)  # scalar last
            if body[a.KIND] == a.FREE:
                first = int(body[a.AT_V]) - n_q
                turn = self.pin.Quaternion(q[at : at + 4]).toRotationMatrix().T
                T[first : first + 3, first : first + 3] = turn
                rate[first : first + 3] = -np.cross(v[first + 3 : first + 6], turn @ v[first : first + 3])
        T, rate = T[self._speeds], rate[self._speeds]
        return q[self._coordinates], T @ v, T, rate

    def mass_matrix(self, y: np.ndarray) -> np.ndarray:
        """H (speeds, speeds) by Pinocchio's composite-rigid-body algorithm, in our speeds."""
        q, _, T, _ = self._state(y)
        H = np.triu(self.pin.crba(self._model, self._data, q))
        H += np.triu(H, 1).T
        return np.asarray(T.T @ H @ T)

    def accelerations(self, y: np.ndarray, torques: np.ndarray) -> np.ndarray:
        """Accelerations (speeds,) by Pinocchio's articulated-body algorithm, in our speeds."""
        q, v, T, rate = self._state(y)
        found = self.pin.aba(self._model, self._data, q, v, np.linalg.solve(T.T, torques))
        return np.asarray(np.linalg.solve(T, found - rate))

    def ready(self, y: np.ndarray, torques: np.ndarray) -> tuple[Any, ...]:
        """What `aba` takes for this state, to time it alone."""
        q, v, T, _ = self._state(y)
        return self._model, self._data, q, v, np.linalg.solve(T.T, torques)
