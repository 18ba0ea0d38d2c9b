"""Added mass, damping and excitation of a submerged sphere, read off runs in time, against multipoles."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.hydro import hulls
from fairlead.hydro.linear import Coefficients, Setting, coefficients
from fairlead.studies.submerged_sphere import DENSITY, DEPTH, EXACT, GRAVITY, MASS, MULTIPOLES, PLACE, RADIUS
from fairlead.studies.verification.record import Record

AROUND = 40
"""Panels round a great circle."""
LARGE = 2000.0
"""N s/m: above this damping is held to 3 %, below, where it is a hundredth of the rest, to 5 %."""


def found(omega: float, around: int = AROUND, periods: int = 14) -> Coefficients:
    """Of the sphere in heave."""
    setting = Setting(depth=DEPTH, density=DENSITY, gravity=GRAVITY, periods=periods)
    return coefficients(hulls.sphere(RADIUS, around), PLACE, omega, (2,), setting)


def check() -> Iterator[Record]:
    """All frequencies of the table."""
    for omega, exact in EXACT.items():
        c = found(omega)
        name = f"hydro, submerged sphere, {omega:g} rad/s"
        yield Record.relative(f"{name}, added mass", MULTIPOLES, c.added_mass[2, 2] / MASS, exact.added_mass, 0.015)
        bound = 0.03 if exact.damping > LARGE else 0.05
        yield Record.relative(f"{name}, damping, N s/m", MULTIPOLES, c.damping[2, 2], exact.damping, bound)
        yield Record.relative(f"{name}, force, N/m", MULTIPOLES, float(abs(c.excitation[2])), exact.force, 0.015)
