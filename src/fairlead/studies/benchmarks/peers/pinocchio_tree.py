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

from fairlead.formulations.multibody.schema import CABLE, COORDINATES, FREE, PRISMATIC, REVOLUTE, SPEEDS, SPHERICAL
from fairlead.studies.benchmarks.tree_model import TreeModel

_TURNS = (FREE, SPHERICAL)


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
        tables = tree.tables(np.empty(0))
        self._body, own = tables.body, tables.joint
        # of each record: its joint, and where its frame is in that joint's
        joints, standing = {0: 0}, {0: pin.SE3.Identity()}
        coordinates: list[int] = []
        speeds: list[int] = []
        for j in self._branch_by_branch():
            kind, parent = int(self._body.kind[j]), int(self._body.parent[j])
            placed = standing[parent] * pin.SE3(own.frame[j].reshape(3, 3).copy(), own.place[j].copy())
            joint = joints[parent]
            for k, theirs in enumerate(self._joints(kind, own.axis[j])):
                joint = self._model.addJoint(joint, theirs, placed, f"{j}.{k}")
                placed = pin.SE3.Identity()
            full = np.zeros((3, 3))
            full[np.triu_indices(3)] = own.inertia[j]
            full += np.triu(full, 1).T
            inertia = pin.Inertia(float(own.mass[j]), own.centre[j].copy(), full)
            self._model.appendBodyToJoint(joint, inertia, placed)
            joints[j + 1], standing[j + 1] = joint, placed
            first, speed = int(self._body.coordinate[j]), int(self._body.speed[j])
            coordinates += range(first, first + COORDINATES[kind])
            speeds += range(speed, speed + SPEEDS[kind])
        self._coordinates, self._speeds = np.array(coordinates), np.array(speeds)
        self._data = self._model.createData()

    def _branch_by_branch(self) -> list[int]:
        """Numbers of the bodies, each followed by all that hangs from it: the order Pinocchio asks for."""
        parents = self._body.parent - 1
        found: list[int] = []
        waiting = [int(j) for j in np.flatnonzero(parents < 0)[::-1]]
        while waiting:
            found.append(waiting.pop())
            waiting += [int(j) for j in np.flatnonzero(parents == found[-1])[::-1]]
        return found

    def _joints(self, kind: int, axis: np.ndarray) -> list[Any]:
        """Joints of Pinocchio for one of ours."""
        pin = self.pin
        if kind == CABLE:
            return [pin.JointModelRY(), pin.JointModelRX(), pin.JointModelPZ()]
        found = {
            REVOLUTE: lambda: pin.JointModelRevoluteUnaligned(*axis),
            PRISMATIC: lambda: pin.JointModelPrismaticUnaligned(*axis),
            SPHERICAL: pin.JointModelSpherical, FREE: pin.JointModelFreeFlyer,
        }.get(kind)  # fmt: skip
        return [] if found is None else [found()]

    def _state(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates and speeds of Pinocchio, T of v_pin = T v, and Ṫ v."""
        tables = self.tree.tables(y)
        q, v = tables.coordinate.value.copy(), tables.speed.value
        T, rate = np.eye(len(v)), np.zeros(len(v))
        for kind, at, first in zip(self._body.kind, self._body.coordinate, self._body.speed, strict=True):
            at += 3 if kind == FREE else 0
            if kind in _TURNS:
                q[at : at + 4] = np.roll(q[at : at + 4], -1)  # scalar last
            if kind == FREE:
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
