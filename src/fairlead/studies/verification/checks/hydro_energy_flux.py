"""Energy of a linear wave: what a damper takes is what flows in through a cylinder round the body."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fairlead.hydro.flux import ControlCylinder
from fairlead.hydro.linear import Setting
from fairlead.hydro.water import Water
from fairlead.model.waves import wavenumber
from fairlead.studies.submerged_sphere import DAMPING, DEPTH, GRAVITY, sphere_in_waves
from fairlead.studies.verification.record import Record

RADII = (0.2, 0.25, 0.3)
SOURCE = "mean power of the damper in the same run"


def powers(omega: float, periods: int = 16, steps: int = 40) -> tuple[float, float]:
    """Mean power through three cylinders and of the damper over the last period, W, in a wave of 1 m."""
    water: Water = sphere_in_waves(1.0, omega, around=40, setting=Setting(depth=DEPTH, columns=40, outer=0.08))
    length = 2.0 * math.pi / wavenumber(omega, DEPTH, GRAVITY)
    cylinders = [ControlCylinder.of(water, share * length) for share in RADII]
    dt = 2.0 * math.pi / omega / steps
    y, stages = water.initial_state(), []
    for i in range(periods * steps):
        y = water.step(i * dt, y, dt)
        if i >= (periods - 1) * steps:
            stages.append(water.stage((i + 1) * dt, y))
    speeds = np.array([stage.motions[0].velocity[2] for stage in stages])
    flowing = float(np.mean([cylinder.mean_power(water, stages, omega) for cylinder in cylinders]))
    return flowing, DAMPING * float(np.mean(speeds**2))


def check() -> Iterator[Record]:
    """At resonance, and beside it; cylinders of 0.2, 0.25 and 0.3 wave lengths, well within the absorbing zone."""
    for omega in (0.9, 1.0, 1.2):
        flowing, taken = powers(omega)
        name = f"hydro, sphere on a spring, {omega:g} rad/s, energy through cylinders round it, W"
        yield Record.relative(name, SOURCE, flowing, taken, 0.03)
