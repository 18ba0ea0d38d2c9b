"""A buoy and a plate on a power take-off, by coefficients of both: motions, power, and where the energy goes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.floaters.frequency import responses
from fairlead.simulate import simulate
from fairlead.studies.verification.platforms import BUOY, PLATE, afloat, amplitude, body, made
from fairlead.studies.verification.record import Record

FREQUENCY = "frequency domain of both bodies, the take-off a complex stiffness k + iωc between them"
POWER = "½ c ω² |stroke|² of the frequency domain"
BALANCE = "work of waves = radiated + taken off + damped + stored"
STIFFNESS, DAMPING, HEIGHT = 2e5, 1.2e6, 0.02


def check() -> Iterator[Record]:
    pair = (BUOY, PLATE)
    _, floater = made(*pair)
    held = np.diag([*BUOY.mooring, *PLATE.mooring]).astype(complex)
    row = np.zeros(12)
    row[2], row[8] = -1.0, 1.0
    for period in (6.0, 8.0, 10.0):
        omega = 2.0 * np.pi / period
        step, a = period / 100, 0.5 * HEIGHT
        waves = {"kind": "regular", "height": HEIGHT, "period": period, "ramp": 10 * period}
        pto = {"between": ["buoy", "plate"], "axis": [0, 0, 1], "stiffness": STIFFNESS, "damping": DAMPING}
        bodies = {one.name: body(pair, i) for i, one in enumerate(pair)}
        result = simulate(afloat(bodies, step, 60 * period, waves, ptos={"gear": pto}))
        Z = held + (STIFFNESS + 1j * omega * DAMPING) * np.outer(row, row)
        known = responses(floater, np.array([omega]), 0.0, Z)[0]
        t = result["time"].values
        for i, name in ((2, "buoy"), (8, "plate")):
            found = abs(amplitude(result[f"{name}.heave"].values, t, omega, 20)) / a
            what = f"{name} on its take-off, waves of {period:g} s, heave"
            yield Record.relative(what, FREQUENCY, found, abs(known[i]), 0.01)
        taken, last = result["gear.energy"].values, 20 * 100
        power = float(taken[-1] - taken[-1 - last]) / (20 * period) / a**2
        wanted = 0.5 * DAMPING * omega**2 * abs(row @ known) ** 2
        what = f"take-off in waves of {period:g} s, mean power, W per m² of amplitude"
        yield Record.relative(what, POWER, power, wanted, 0.01)
        if period == 8.0:
            works = [
                sum(float(result[f"{name}.work_{one}"][-1]) for name in bodies)
                for one in ("waves", "radiation", "viscous")
            ]
            energies = [result[f"energy_{one}"].values for one in ("kinetic", "gravity", "elastic")]
            spent = float(sum(one[-1] - one[0] for one in energies)) - works[1] - works[2] + float(taken[-1])
            yield Record.relative("buoy and plate, energy of 60 periods", BALANCE, spent, works[0], 0.01)
