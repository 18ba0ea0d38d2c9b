"""Heave of the submerged sphere on its spring in small waves: against multipoles, and non-linear against linear."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.hydro.linear import Setting
from fairlead.studies.submerged_sphere import DEPTH, EXACT, MULTIPOLES, heave, sphere_in_waves
from fairlead.studies.verification.record import Record

PERIODS = 20
COARSE = Setting(depth=DEPTH, columns=16, outer=0.2)


def nonlinear_beside_linear(amplitude: float = 0.01, periods: int = 4) -> tuple[complex, complex]:
    """First harmonics of heave in the last period on one mesh, per metre of wave."""
    both = []
    for linear in (True, False):
        water = sphere_in_waves(amplitude, linear=linear, around=16, setting=COARSE)
        both.append(heave(water, 1.0, periods, steps=30).harmonic[-1] / amplitude)
    return both[1], both[0]


def check() -> Iterator[Record]:
    """Response and phase at four frequencies after 20 periods; then a wave of 1 cm on and off its own surface."""
    for omega in (0.8, 1.0, 1.2, 1.6):
        exact = EXACT[omega]
        z = complex(heave(sphere_in_waves(1.0, omega), omega, PERIODS).harmonic[-1])
        name = f"hydro, sphere on a spring, {omega:g} rad/s"
        yield Record.relative(f"{name}, heave per metre of wave", MULTIPOLES, abs(z), exact.response, 0.02)
        yield Record.absolute(f"{name}, phase, rad", MULTIPOLES, float(np.angle(z)), exact.phase, 0.03)
    moved, fixed = nonlinear_beside_linear()
    yield Record.relative(
        "hydro, sphere on a spring, wave of 1 cm, body-exact on the incident surface", "linear mode on the same mesh",
        abs(moved), abs(fixed), 0.003,
    )  # fmt: skip
