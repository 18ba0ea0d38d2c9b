"""A hemisphere in deep water: coefficients, relations between them, fit of its radiation and response in heave."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fairlead.floaters import fit_radiation
from fairlead.floaters.checks import haskind_ratio
from fairlead.floaters.frequency import Floater, natural_modes, responses, rigid_mass, weight_stiffness
from fairlead.floaters.hemisphere import hemisphere, response
from fairlead.floaters.kernels import infinite_added_mass
from fairlead.studies.verification.record import Record

RADIUS = 5.0
HULME = {0.2: (0.7938, 0.2793), 1.0: (0.4284, 0.2484), 2.0: (0.3884, 0.1030)}
HEAVE = {0.5: 1.1069, 1.0: 1.8841, 1.4: 0.6757}
TABLE = "A. Hulme, J. Fluid Mech. 121 (1982) 443"


def check() -> Iterator[Record]:
    """Closed solution against its table; Haskind; Ogilvie; responses by poles against those of the coefficients."""
    for Ka, (added, damping) in HULME.items():
        water, _ = response(Ka)
        name = f"floating hemisphere, Ka = {Ka:g}, heave"
        yield Record.absolute(f"{name}, added mass over displaced mass", TABLE, water.real, added, 2e-4)
        yield Record.absolute(f"{name}, damping over displaced mass and ω", TABLE, -water.imag, damping, 2e-4)
    omega = np.linspace(0.1, 6.0, 120)
    data = hemisphere(RADIUS, omega, np.radians(np.arange(-180.0, 181.0, 10.0)))
    ratio = haskind_ratio(data)
    for i, motion in ((0, "surge"), (2, "heave")):
        name = f"floating hemisphere, {motion}, damping by the excitation of all directions"
        yield Record.absolute(f"{name}, over that of the coefficients", "Haskind", float(ratio[i]), 1.0, 0.003)
    made = infinite_added_mass(data).value[2, 2]
    yield Record.relative(
        "floating hemisphere, heave, added mass at infinite frequency, kg", "Ogilvie; half the displaced mass", made,
        float(data.added_mass_infinite[2, 2]), 0.002,  # type: ignore[index]
    )  # fmt: skip
    mass = float(data.density * data.volume[0])
    centre = np.array([0.0, 0.0, -2.0])
    weight = weight_stiffness(mass * data.gravity, centre)
    floater = Floater(data, rigid_mass(mass, centre, np.full(3, 1e6)), weight, np.zeros((6, 6)))
    for Ka, wanted in HEAVE.items():
        w = math.sqrt(Ka * data.gravity / RADIUS)
        found = abs(responses(floater, np.array([w]))[0, 2])
        name = f"floating hemisphere, Ka = {Ka:g}, heave over wave amplitude"
        yield Record.relative(name, "multipoles", float(found), wanted, 0.005)
    fit = fit_radiation(data)
    worst = 0.0
    for w in np.linspace(0.5, 2.5, 41):
        whole = floater.impedance(w)
        kernel = fit.transfer(np.array([w]))[0]
        inertia = floater.mass + fit.added_mass_infinite
        by_poles = floater.restoring - w**2 * inertia + 1j * w * (kernel + floater.damping)
        worst = max(worst, abs(whole[2, 2] / by_poles[2, 2] - 1.0))
    name = f"floating hemisphere, heave by {fit.orders[-1]} poles, largest error of the response"
    yield Record.absolute(name, "the coefficients themselves", worst, 0.0, 0.005)
    heave = next(mode for mode in natural_modes(floater) if mode.motion == "heave")
    inertia_at = mass + data.added_mass_at(2.0 * math.pi / heave.period)[2, 2]
    wanted = 2.0 * math.pi * math.sqrt(inertia_at / data.stiffness[2, 2])
    name = "floating hemisphere, natural period in heave, s"
    yield Record.relative(name, "2π√((m + A)/C)", heave.period, wanted, 1e-6)
