"""Many short steps of a stiff mechanism inside one step of the water.

A cable's axial vibrations need steps of milliseconds, the water steps of a fortieth of a wave period. So the water
hands the mechanism its force on the hulls as a function of time over the step,

    f(t) = f₀(t) − A [a; ω̇],

with f₀ a polynomial through the stages of the Runge–Kutta step and A the added mass, and the mechanism *glides* from
the start of the step in `substeps` steps of its own under that force. Since the added mass moves with the mechanism
the exchange is stable for bodies lighter than the water they push, and the impulse that the mechanism takes from the
water is the integral of f.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .mechanism import Mechanism
from .panels import Floats

WaterForce = Callable[[float], tuple[Floats, Floats]]
"""Of time: f₀ (6·hulls) and A (6·hulls)²."""


def with_water(mechanism: Mechanism, t: float, y: Floats, f0: Floats, A: Floats) -> tuple[Floats, Floats]:
    """H + JᵀAJ and force + Jᵀ(f₀ − A drift), the equations of a mechanism in the water."""
    motions = mechanism.motions(t, y)
    H, force = mechanism.equations(t, y)
    if not motions or not len(force):
        return H, force
    J = np.concatenate([m.jacobian for m in motions])
    drift = np.concatenate([m.drift for m in motions])
    return H + J.T @ A @ J, force + J.T @ (f0 - A @ drift)


def solved(H: Floats, force: Floats) -> Floats:
    """x of H x = force."""
    return np.asarray(np.linalg.solve(H, force)) if len(force) else np.zeros(0)


def glide(mechanism: Mechanism, t: float, y: Floats, dt: float, substeps: int, force: WaterForce) -> Floats:
    """The mechanism's state at t + dt: its own way of gliding if it has one, else Runge–Kutta 4 in `substeps` steps.

    A mechanism with a `settle(t, y, h) -> status` has it called, in place, after each small step; a status other than
    zero is a `MechanismFault`.
    """
    own = getattr(mechanism, "glide", None)
    if own is not None:
        return np.asarray(own(t, y, dt, substeps, force))
    h = dt / substeps
    for k in range(substeps):
        y = substep(mechanism, t + k * h, y, h, force)
        settle(mechanism, t + (k + 1) * h, y, h)
    return y


def foresee(mechanism: Mechanism, t: float, y: Floats, dt: float, substeps: int, force: WaterForce) -> Floats:
    """About where the mechanism will be at t + dt: its own way of foreseeing it if it has one, else it glides there."""
    own = getattr(mechanism, "foresee", None)
    return glide(mechanism, t, y, dt, substeps, force) if own is None else np.asarray(own(t, y, dt, substeps, force))


def settle(mechanism: Mechanism, t: float, y: Floats, h: float) -> None:
    """What a mechanism does after an accepted step of h, in place; raises `MechanismFault`."""
    own = getattr(mechanism, "settle", None)
    status = own(t, y, h) if own is not None else 0
    if status:
        raise MechanismFault(status, t)


def substep(mechanism: Mechanism, t: float, y: Floats, h: float, force: WaterForce) -> Floats:
    """One Runge–Kutta step of a mechanism under a force of the water."""

    def slope(t: float, y: Floats) -> Floats:
        return mechanism.rates(t, y, solved(*with_water(mechanism, t, y, *force(t))))

    k1 = slope(t, y)
    k2 = slope(t + 0.5 * h, y + 0.5 * h * k1)
    k3 = slope(t + 0.5 * h, y + 0.5 * h * k2)
    k4 = slope(t + h, y + h * k3)
    return np.asarray(y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4))


def through(t: float, dt: float, *values: tuple[Floats, Floats]) -> WaterForce:
    """Force through one value (constant), two at t and t + dt/2, or three at t, t + dt/2, t + dt."""
    flat = [np.concatenate([f0, A.ravel()]) for f0, A in values]
    n, shape = values[0][0].size, values[0][1].shape
    slope, bend = np.zeros(1), np.zeros(1)
    if len(flat) == 2:
        slope = flat[1] - flat[0]
    elif len(flat) == 3:
        bend = 0.5 * (flat[0] - 2.0 * flat[1] + flat[2])
        slope = flat[1] - flat[0] - bend

    def at(now: float) -> tuple[Floats, Floats]:
        s = 2.0 * (now - t) / dt
        value = flat[0] + s * (slope + s * bend)
        return value[:n], value[n:].reshape(shape)

    return at


class MechanismFault(RuntimeError):
    """A small step of the mechanism went wrong; `status` is the mechanism's own."""

    def __init__(self, status: int, t: float) -> None:
        super().__init__(f"status {status} at t = {t:g} s")
        self.status, self.t = status, t
