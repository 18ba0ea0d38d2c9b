"""The floater of Guillaume et al., section 6.2, with and without cable and payload: surge per metre of wave."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.studies.verification.record import Record

from .shipped_examples import example

PERIOD, STEPS, AMPLITUDE = 2.0010144, 40, 0.05
PERIODS, BEAT = 24, 6
SOURCE = "independent weak-scatterer solution with links that do not stretch; frequency domain 0.942 and 1.405"


def surge(name: str, periods: int = PERIODS, **changes: object) -> np.ndarray:
    """First harmonic of the surge over the wave's amplitude, period by period, of a shipped example."""
    data = example(name).to_dict()
    step = PERIOD / STEPS
    data["simulation"] |= {"duration": periods * PERIOD, "step": step, "output_every": step}
    data["hydro"] |= changes
    result = Simulation(System(**data)).run()
    x = result["point_position"].sel(point="floater", axis="x").values[1:].reshape(periods, STEPS)
    wave = np.exp(2j * np.pi * np.arange(1, STEPS + 1) / STEPS)
    return np.asarray(np.abs(x @ wave) * 2.0 / STEPS / AMPLITUDE)


def check() -> Iterator[Record]:
    """Means over the last six periods, the beat of the lightly damped motion that the growing wave leaves."""
    alone = float(surge("floater_alone")[-BEAT:].mean())
    carried = float(surge("floater_cable_payload", matrices="freeze")[-BEAT:].mean())
    name = "hydro, floater in surge, metres per metre of wave"
    yield Record.relative(f"{name}, without cable", SOURCE, alone, 1.39, 0.05)
    yield Record.relative(f"{name}, with cable and payload", SOURCE, carried, 0.93, 0.05)
