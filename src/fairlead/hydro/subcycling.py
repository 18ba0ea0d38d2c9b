"""Many short steps of a stiff mechanism inside one step of the water, and cables of any formulation hung on a hull.

A cable's axial vibrations need steps of milliseconds, the water steps of a fortieth of a wave period. So the water
hands the mechanism its force on the hulls as a function of time over the step,

    f(t) = f₀(t) − A [a; ω̇],

with f₀ a polynomial through the stages of the Runge–Kutta step and A the added mass, and the mechanism *glides* from
the start of the step in `substeps` steps of its own under that force. Since the added mass moves with the mechanism
the exchange is stable for bodies lighter than the water they push, and the impulse that the mechanism takes from the
water is the integral of f.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .mechanism import Mechanism, Motion
from .panels import Floats

WaterForce = Callable[[float], tuple[Floats, Floats]]
"""Of time: f₀ (6·hulls) and A (6·hulls)²."""


def accelerations(mechanism: Mechanism, t: float, y: Floats, f0: Floats, A: Floats) -> Floats:
    """x of (H + JᵀAJ) x = force + Jᵀ(f₀ − A drift)."""
    motions = mechanism.motions(t, y)
    J = np.concatenate([m.jacobian for m in motions])
    drift = np.concatenate([m.drift for m in motions])
    H, force = mechanism.equations(t, y)
    if not len(force):
        return np.zeros(0)
    return np.asarray(np.linalg.solve(H + J.T @ A @ J, force + J.T @ (f0 - A @ drift)))


def glide(mechanism: Mechanism, t: float, y: Floats, dt: float, substeps: int, force: WaterForce) -> Floats:
    """The mechanism's state at t + dt: its own way of gliding if it has one, else Runge–Kutta 4 in `substeps` steps.

    A mechanism with a `settle(t, y, h) -> status` has it called, in place, after each small step; a status other than
    zero is a `MechanismFault`.
    """
    own = getattr(mechanism, "glide", None)
    if own is not None:
        return np.asarray(own(t, y, dt, substeps, force))
    settle = getattr(mechanism, "settle", None)
    h = dt / substeps
    for k in range(substeps):
        y = substep(mechanism, t + k * h, y, h, force)
        status = settle(t + (k + 1) * h, y, h) if settle is not None else 0
        if status:
            raise MechanismFault(status, t + (k + 1) * h)
    return y


def substep(mechanism: Mechanism, t: float, y: Floats, h: float, force: WaterForce) -> Floats:
    """One Runge–Kutta step of a mechanism under a force of the water."""

    def slope(t: float, y: Floats) -> Floats:
        return mechanism.rates(t, y, accelerations(mechanism, t, y, *force(t)))

    k1 = slope(t, y)
    k2 = slope(t + 0.5 * h, y + 0.5 * h * k1)
    k3 = slope(t + 0.5 * h, y + 0.5 * h * k2)
    k4 = slope(t + h, y + h * k3)
    return np.asarray(y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4))


def through(t: float, dt: float, *values: tuple[Floats, Floats]) -> WaterForce:
    """Force through one value (constant), two at t and t + dt/2, or three at t, t + dt/2, t + dt."""

    def at(now: float) -> tuple[Floats, Floats]:
        s = 2.0 * (now - t) / dt
        shares = [1.0]
        if len(values) == 2:
            shares = [1.0 - s, s]
        elif len(values) == 3:
            shares = [0.5 * (s - 1.0) * (s - 2.0), s * (2.0 - s), 0.5 * s * (s - 1.0)]
        f0 = sum(share * value[0] for share, value in zip(shares, values, strict=True))
        A = sum(share * value[1] for share, value in zip(shares, values, strict=True))
        return np.asarray(f0), np.asarray(A)

    return at


@dataclass(frozen=True)
class EndPath:
    """How a cable's end moves over a step: a cubic between two places and velocities."""

    t: float
    dt: float
    places: tuple[Floats, Floats]
    velocities: tuple[Floats, Floats]

    def at(self, t: float) -> tuple[Floats, Floats]:
        """Place and velocity (3) at t."""
        s = (t - self.t) / self.dt
        a, b = self.places
        u, v = (self.dt * velocity for velocity in self.velocities)
        place = (1 + 2 * s) * (1 - s) ** 2 * a + s * (1 - s) ** 2 * u + s**2 * (3 - 2 * s) * b + s**2 * (s - 1) * v
        speed = 6 * s * (1 - s) * (b - a) + (1 - s) * (1 - 3 * s) * u + s * (3 * s - 2) * v
        return place, speed / self.dt


class MechanismFault(RuntimeError):
    """A small step of the mechanism went wrong; `status` is the mechanism's own."""

    def __init__(self, status: int, t: float) -> None:
        super().__init__(f"status {status} at t = {t:g} s")
        self.status, self.t = status, t


class Cable(Protocol):
    """A cable of any formulation whose one end is carried by a hull."""

    n_states: int

    def initial_state(self) -> Floats:
        """State at the start (n_states,)."""

    def advance(self, y: Floats, path: EndPath) -> tuple[Floats, Floats]:
        """State after the step of the path, and the impulse (3) that the cable gave to its support over it, N s."""


@dataclass(frozen=True)
class Fastening:
    """Where a cable is fastened: to which hull, and where in its body's frame (3), m."""

    cable: Cable
    hull: int
    place: Floats


class WithCables:
    """A mechanism with cables of any formulation on its hulls, exchanged once every substep.

    In each substep a cable follows its fastening along the path that the present acceleration leads to, and the mean
    of its pull over the substep acts on the hull. Where the hull has then gone another way the cable is led there by
    the next path, and nothing is lost: the impulse put on the hull is that of the cable, to the last digit. Hull and
    cable take turns, so a substep must be short against the bounce of what hangs on the cable (a tenth of its period);
    the cable's own shorter vibrations are its formulation's affair.
    State: the mechanism's, then for each cable its own and its latest mean pull (3).
    """

    def __init__(self, mechanism: Mechanism, fastenings: Sequence[Fastening]) -> None:
        self.mechanism = mechanism
        self.fastenings = list(fastenings)
        self.n_accelerations = mechanism.n_accelerations
        sizes = [f.cable.n_states + 3 for f in self.fastenings]
        self.starts = mechanism.n_states + np.cumsum([0, *sizes])
        self.n_states = int(self.starts[-1])

    def initial_state(self) -> Floats:
        """No pull before the first step."""
        parts = [np.concatenate([f.cable.initial_state(), np.zeros(3)]) for f in self.fastenings]
        return np.concatenate([self.mechanism.initial_state(), *parts])

    def motions(self, t: float, y: Floats) -> list[Motion]:
        """See `Mechanism`."""
        return self.mechanism.motions(t, y[: self.mechanism.n_states])

    def equations(self, t: float, y: Floats) -> tuple[Floats, Floats]:
        """With the latest mean pulls of the cables."""
        H, force = self.mechanism.equations(t, y[: self.mechanism.n_states])
        return H, force + self.pulls(t, y)

    def pulls(self, t: float, y: Floats) -> Floats:
        """Generalised force (n,) of the cables' latest mean pulls."""
        motions = self.motions(t, y)
        total = np.zeros(self.n_accelerations)
        for k, f in enumerate(self.fastenings):
            motion, pull = motions[f.hull], y[self.starts[k + 1] - 3 : self.starts[k + 1]]
            moment = np.cross(motion.rotation @ f.place, pull)
            total += motion.jacobian.T @ np.concatenate([pull, moment])
        return total

    def rates(self, t: float, y: Floats, accelerations: Floats) -> Floats:
        """Of the mechanism; cables move in `glide` alone."""
        n = self.mechanism.n_states
        own = self.mechanism.rates(t, y[:n], accelerations)
        return np.concatenate([own, np.zeros(self.n_states - n)])

    def glide(self, t: float, y: Floats, dt: float, substeps: int, force: WaterForce) -> Floats:
        """Substeps of cables and mechanism in turn."""
        h = dt / substeps
        y = y.copy()
        for k in range(substeps):
            now = t + k * h
            x = accelerations(self, now, y, *force(now))
            for i, f in enumerate(self.fastenings):
                own = slice(self.starts[i], self.starts[i + 1] - 3)
                after, impulse = f.cable.advance(y[own], self._path(f, now, y, h, x))
                y[own] = after
                y[self.starts[i + 1] - 3 : self.starts[i + 1]] = impulse / h
            y = substep(self, now, y, h, force)
        return y

    def _path(self, fastening: Fastening, t: float, y: Floats, h: float, x: Floats) -> EndPath:
        """Of a fastening over the next h under the present acceleration."""
        motion = self.motions(t, y)[fastening.hull]
        arm = motion.rotation @ fastening.place
        acceleration = motion.jacobian @ x + motion.drift
        w = motion.spin
        place, velocity = motion.place + arm, motion.velocity + np.cross(w, arm)
        a = acceleration[:3] + np.cross(acceleration[3:], arm) + np.cross(w, np.cross(w, arm))
        return EndPath(t, h, (place, place + h * velocity + 0.5 * h * h * a), (velocity, velocity + h * a))
