"""What moves in the water: the interface between the water and any mechanics, and the simplest mechanics.

The water knows hulls; it asks a mechanism where they are, how they move, and how their accelerations follow from the
mechanism's own (generalised) accelerations x:

    [a; ω̇]_b = J_b x + drift_b,      H x = force + Σ_b J_bᵀ (force and moment of the water on hull b).

All vectors are in world axes, moments about the origin of the body's frame.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from .panels import Floats
from .vectors import cross


@dataclass(frozen=True)
class Motion:
    """Where a hull is and how it moves."""

    place: Floats
    """Origin of the body's frame (3), m."""
    rotation: Floats
    """Body axes to world axes (3, 3)."""
    velocity: Floats
    """Of the origin (3), m/s."""
    spin: Floats
    """Angular velocity ω (3), rad/s."""
    jacobian: Floats
    """J (6, n): accelerations of the origin and angular accelerations for each generalised acceleration."""
    drift: Floats
    """The same when all generalised accelerations are zero (6), m/s², rad/s²."""


class Mechanism(Protocol):
    """Any mechanics with hulls in the water."""

    n_states: int
    """Numbers in its state."""
    n_accelerations: int
    """Generalised accelerations."""

    def initial_state(self) -> Floats:
        """State at the start (n_states,)."""

    def motions(self, t: float, y: Floats) -> list[Motion]:
        """Of every hull, in order."""

    def equations(self, t: float, y: Floats) -> tuple[Floats, Floats]:
        """H (n, n) and the generalised force (n,): everything but the pressure of the water on the hulls."""

    def rates(self, t: float, y: Floats, accelerations: Floats) -> Floats:
        """dy/dt (n_states,)."""

    def inputs(self) -> Floats:
        """What acts on it from outside the simulation and may change between steps."""


class Some:
    """A mechanism of which the water sees only some hulls; all else is its own."""

    def __init__(self, whole: Mechanism, which: Sequence[int]) -> None:
        self._whole, self._which = whole, list(which)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._whole, name)

    def motions(self, t: float, y: Floats) -> list[Motion]:
        """Of those hulls."""
        every = self._whole.motions(t, y)
        return [every[k] for k in self._which]


@dataclass
class RigidBody:
    """One rigid body, its frame's origin in its centre of mass, free in some of its six degrees of freedom."""

    mass: float
    """kg."""
    inertia: Floats = field(default_factory=lambda: np.eye(3))
    """About the centre of mass, body axes (3, 3), kg m²."""
    place: Floats = field(default_factory=lambda: np.zeros(3))
    """At the start, m."""
    velocity: Floats = field(default_factory=lambda: np.zeros(3))
    free: tuple[bool, bool, bool, bool, bool, bool] = (True,) * 6
    """Surge, sway, heave, and turns about the world's x, y, z."""
    load: Callable[[float, Motion], Floats] | None = None
    """Force and moment (6) from springs, dampers, cables, world axes, about the origin: of time and motion."""


class RigidBodies:
    """Rigid bodies with loads of their own, joined by nothing but the water. State: place, quaternion, speeds each."""

    def __init__(self, bodies: Sequence[RigidBody], gravity: float = 9.81) -> None:
        self.bodies = list(bodies)
        self.gravity = gravity
        self.n_states = 13 * len(self.bodies)
        self.columns = [np.flatnonzero(body.free) for body in self.bodies]
        self.starts = np.cumsum([0, *(len(c) for c in self.columns)])
        self.n_accelerations = int(self.starts[-1])

    def initial_state(self) -> Floats:
        """All bodies upright."""
        parts = [np.concatenate([b.place, [1.0, 0.0, 0.0, 0.0], b.velocity, np.zeros(3)]) for b in self.bodies]
        return np.concatenate(parts) if parts else np.zeros(0)

    def motions(self, t: float, y: Floats) -> list[Motion]:
        """See `Mechanism`."""
        found = []
        for k, columns in enumerate(self.columns):
            s = y[13 * k : 13 * k + 13]
            J = np.zeros((6, self.n_accelerations))
            J[columns, self.starts[k] + np.arange(len(columns))] = 1.0
            found.append(Motion(s[:3].copy(), rotation_of(s[3:7]), s[7:10].copy(), s[10:13].copy(), J, np.zeros(6)))
        return found

    def equations(self, t: float, y: Floats) -> tuple[Floats, Floats]:
        """See `Mechanism`."""
        n = self.n_accelerations
        H, force = np.zeros((n, n)), np.zeros(n)
        for body, motion in zip(self.bodies, self.motions(t, y), strict=True):
            J, R = motion.jacobian, motion.rotation
            inertia = R @ body.inertia @ R.T
            M = np.zeros((6, 6))
            M[:3, :3] = body.mass * np.eye(3)
            M[3:, 3:] = inertia
            loads = np.zeros(6) if body.load is None else np.array(body.load(t, motion), dtype=float)
            loads[2] -= body.mass * self.gravity
            loads[3:] -= cross(motion.spin, inertia @ motion.spin)
            H += J.T @ M @ J
            force += J.T @ loads
        return H, force

    def rates(self, t: float, y: Floats, accelerations: Floats) -> Floats:
        """See `Mechanism`."""
        dy = np.zeros(self.n_states)
        for k, motion in enumerate(self.motions(t, y)):
            s, d = y[13 * k : 13 * k + 13], dy[13 * k : 13 * k + 13]
            d[:3] = motion.velocity
            w, q = motion.spin, s[3:7]
            d[3] = -0.5 * (q[1:] @ w)
            d[4:7] = 0.5 * (q[0] * w + cross(w, q[1:]))
            d[7:] = motion.jacobian @ accelerations
        return dy

    def inputs(self) -> Floats:
        """None."""
        return np.zeros(0)


class Moved:
    """Bodies whose motion is prescribed: a path gives place, velocity and acceleration at t; they do not turn."""

    n_states = 0
    n_accelerations = 0

    def __init__(self, *paths: Callable[[float], tuple[Floats, Floats, Floats]]) -> None:
        self.paths = paths

    def initial_state(self) -> Floats:
        """Nothing."""
        return np.zeros(0)

    def motions(self, t: float, y: Floats) -> list[Motion]:
        """See `Mechanism`."""
        found = []
        for path in self.paths:
            place, velocity, acceleration = (np.asarray(part, dtype=float) for part in path(t))
            drift = np.concatenate([acceleration, np.zeros(3)])
            found.append(Motion(place, np.eye(3), velocity, np.zeros(3), np.zeros((6, 0)), drift))
        return found

    def equations(self, t: float, y: Floats) -> tuple[Floats, Floats]:
        """Nothing to solve."""
        return np.zeros((0, 0)), np.zeros(0)

    def rates(self, t: float, y: Floats, accelerations: Floats) -> Floats:
        """Nothing to integrate."""
        return np.zeros(0)

    def inputs(self) -> Floats:
        """None."""
        return np.zeros(0)


def rotation_of(quaternion: Floats) -> Floats:
    """Rotation (3, 3), body to world, of a quaternion (scalar first) that need not be quite of unit length."""
    w, x, y, z = quaternion / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
