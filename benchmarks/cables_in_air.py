"""The sinking cables lifted out of the water, as in section 3.1.1 of Skjong, Reite and Aarsæther."""

from __future__ import annotations

from pathlib import Path

import fairlead as fl

CASE = Path(__file__).resolve().parents[1] / "examples" / "sinking_cables.yaml"
DURATION = 50.0  # s, Table 3
FIRST_STEP = 1e-3  # s, the first trial of the adaptive integrator
SAMPLE = 0.5  # s


def cables_in_air() -> fl.System:
    """The two cables of Case 1 without water, current and seabed, stepped by the adaptive Runge-Kutta 2 of Table 3."""
    described = fl.load(CASE).to_dict()
    described["title"] = "Two connected cables dropped in air"
    described["environment"] = {"water_density": 0}
    described["simulation"] = {
        "integrator": "rk2",
        "tolerance": {"relative": 1e-5, "absolute": 1e-5},
        "duration": DURATION,
        "step": FIRST_STEP,
        "output_every": SAMPLE,
    }
    return fl.System(**described)


def tuned(tuning: str, alpha: float, epsilon: float, duration: float = DURATION) -> fl.Simulation:
    """A simulation of them with the joints of the paper."""
    bars = {"tuning": tuning, "alpha": alpha, "epsilon": epsilon}
    return fl.Simulation(cables_in_air(), duration=duration, bars=bars)
