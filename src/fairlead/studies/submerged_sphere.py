"""The submerged sphere on a spring (a wave energy converter of type CETO): Guillaume et al., section 6.1.

A sphere of 3.5 m radius, its centre 7 m under the surface of 20 m of water, as heavy as the water it displaces, free in
heave, on a spring and damper to the bottom.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fairlead.hydro import hulls
from fairlead.hydro.bounds import perturbation
from fairlead.hydro.incident import IncidentWave, regular
from fairlead.hydro.linear import Setting, surface_mesh
from fairlead.hydro.mechanism import Motion, RigidBodies, RigidBody
from fairlead.hydro.panels import Floats
from fairlead.hydro.surface import FreeSurface, absorbing
from fairlead.hydro.water import Water
from fairlead.model.waves import wavenumber

RADIUS, SUBMERGENCE, DEPTH = 3.5, 7.0, 20.0  # m
DENSITY, GRAVITY = 1025.0, 9.81
MASS = DENSITY * 4.0 / 3.0 * math.pi * RADIUS**3
STIFFNESS, DAMPING = 302478.6, 5.0e4  # N/m, N s/m
PLACE = np.array([0.0, 0.0, -SUBMERGENCE])

MULTIPOLES = "linear multipole solution of the submerged sphere in 20 m of water, converged to 1e-9"


@dataclass(frozen=True)
class Exact:
    """The linear solution at one frequency."""

    added_mass: float
    """Of the mass."""
    damping: float
    """N s/m."""
    force: float
    """N per metre of wave."""
    response: float
    """Metres of heave per metre of wave, on the spring and damper."""
    phase: float
    """rad, of heave e^{−iωt} with the crest over the sphere at t = 0."""


EXACT = {
    0.40: Exact(0.53182, 50.9, 28366, 0.1099, -3.0635),
    0.60: Exact(0.54080, 467.9, 60888, 0.3005, -2.9888),
    0.80: Exact(0.55398, 2450.0, 99066, 0.7828, -2.7925),
    0.90: Exact(0.55970, 4795.2, 116910, 1.3664, -2.5079),
    1.00: Exact(0.56148, 8411.1, 131383, 2.1783, -1.7918),
    1.10: Exact(0.55649, 13103.9, 140701, 1.7096, -0.9590),
    1.20: Exact(0.54380, 18124.9, 143967, 1.0707, -0.5953),
    1.60: Exact(0.46585, 26283.7, 111468, 0.2738, -0.2243),
}
ADDED_MASS_INFINITE = 0.48249
"""A(∞) of the mass, from the same solution."""


def pull(_: float, motion: Motion) -> Floats:
    """Force and moment of spring and damper."""
    heave = -STIFFNESS * (motion.place[2] + SUBMERGENCE) - DAMPING * motion.velocity[2]
    return np.array([0.0, 0.0, heave, 0.0, 0.0, 0.0])


def sphere_in_waves(
    amplitude: float,
    omega: float = 1.0,
    *,
    linear: bool = True,
    theory: str = "airy",
    around: int = 32,
    setting: Setting | None = None,
    smoothing: float = 0.0,
    matrices: str = "stage",
    ramp: float = 2.0,
) -> Water:
    """The sphere in a regular wave that grows over `ramp` periods; `around`: panels round a great circle."""
    setting = setting or Setting(depth=DEPTH)
    wave: IncidentWave = regular(
        theory, 2.0 * amplitude, 2.0 * math.pi / omega, DEPTH, GRAVITY, ramp=ramp * 2.0 * math.pi / omega
    )
    length = 2.0 * math.pi / wavenumber(omega, DEPTH, GRAVITY)
    hull = hulls.sphere(RADIUS, around)
    mesh = surface_mesh(hull, PLACE, np.zeros((0, 3)), length, setting).halved()
    radius = setting.radius * length
    damping = absorbing(mesh.at(), 0.5 * radius, radius, omega)
    surface = FreeSurface(mesh, damping, gravity=GRAVITY, symmetric=True, linear=linear)
    heave = (False, False, True, False, False, False)
    mechanism = RigidBodies([RigidBody(MASS, np.eye(3), PLACE, free=heave, load=pull)], GRAVITY)
    return Water(
        surface, [hull.halved()], mechanism, wave, density=DENSITY, depth=DEPTH, matrices=matrices, smoothing=smoothing
    )


@dataclass(frozen=True)
class Heave:
    """A run: heave from rest, period by period."""

    harmonic: np.ndarray
    """First harmonic of each period (periods,) complex, m: Re z e^{−iωt}."""
    mean: np.ndarray
    """Mean of each period (periods,), m."""
    perturbation: float
    """Largest perturbation of the surface, m."""


def heave(water: Water, omega: float, periods: int, steps: int = 40) -> Heave:
    """Run for so many periods."""
    dt = 2.0 * math.pi / omega / steps
    y, level, largest = water.initial_state(), [], 0.0
    at = 2 * water.n_surface + 2
    for i in range(periods * steps):
        y = water.step(i * dt, y, dt)
        level.append(y[at] + SUBMERGENCE)
        largest = max(largest, perturbation(water, y))
    z = np.reshape(level, (periods, steps))
    wheel = np.exp(1j * omega * dt * np.arange(1, periods * steps + 1)).reshape(periods, steps)
    return Heave(2.0 * np.mean(z * wheel, axis=1), np.mean(z, axis=1), largest)
