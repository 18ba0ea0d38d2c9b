"""Cables that only pull: a load that is thrown up slackens its wire, falls, and is caught.

The wire weighs next to nothing, so that the load is a mass on a spring that only pulls, m ẍ = F(t) − m g + T,
T = k max(0, x₀ − x): its motion is integrated here by a method of its own.
"""

from functools import cache

import numpy as np
import pytest
from marks import slowly
from scipy.integrate import solve_ivp

import fairlead as fl

MASS, STIFFNESS, LENGTH = 1000.0, 1e6, 10.0
WEIGHT = 9.81 * MASS
DURATION = 2.2
LIFT = [[0.0, 0.0], [0.01, 1.0], [0.5, 1.0], [0.51, 0.0]]
"""How much of twice its weight lifts the load at each time (s)."""


ELEMENTS = {"multibody": 2}
"""Of the wire, else 4: nodes of `multibody` must not pass each other, and the load flies up by 2.6 m."""
PUSH = {"multibody": 0.5}
"""N, else nothing: the weight of an element, half of which is of one piece with the load that is thrown up."""
ONE_WAY = {"compression": "none"}
LAW = {"multibody": {"slack": "clip"}}
"""How a file says that elements only pull, else `compression: none`."""


@cache
def exact_peak() -> float:
    """The largest tension when the load is caught."""

    def motion(t, y):
        tension = STIFFNESS / LENGTH * max(0.0, -y[0])
        return [y[1], (tension - WEIGHT + 2 * WEIGHT * np.interp(t, *np.transpose(LIFT))) / MASS]

    start = [-WEIGHT * LENGTH / STIFFNESS, 0.0]
    found = solve_ivp(motion, (0, DURATION), start, max_step=1e-3, rtol=1e-9)
    return STIFFNESS / LENGTH * float(-found.y[0].min())


@cache
def caught(formulation: str, step: float, theta: float = 1.0):
    """The load on its wire, started from rest."""
    system = fl.System.model_validate(
        {
            "environment": {"water_density": 0.0},
            "types": {"wire": {"diameter": 0.01, "mass_per_length": 0.01, "axial_stiffness": STIFFNESS}},
            "points": {
                "top": {"kind": "fixed", "position": [0, 0, 0]},
                "load": {"kind": "free", "position": [0, 0, -LENGTH], "mass": MASS},
            },
            "cables": {
                "wire": {
                    "type": "wire", "length": LENGTH, "elements": ELEMENTS.get(formulation, 4), "start": "top",
                    "end": "load",
                },
            },
            "loads": [
                {"point": "load", "force": [0, 0, 2 * WEIGHT], "table": LIFT},
            ],
            "simulation": {
                "formulation": formulation, "duration": DURATION, "step": step, "output_every": step,
                "start": "statics", formulation: {"theta": theta, **LAW.get(formulation, ONE_WAY)},
            },
        }
    )  # fmt: skip
    return fl.simulate(system)


def peak(result) -> float:
    return float(result["tension_effective_max"].max())


FORMULATIONS = ["lumped", "bars", "multibody"]


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_falling_load_is_caught_with_the_pull_of_its_fall(formulation):
    assert peak(caught(formulation, 0.001)) == pytest.approx(exact_peak(), rel=0.02)


@pytest.mark.parametrize("theta", [1.0, 0.55])
@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("step", [0.1, 0.02, *slowly(0.05, 0.005)])
def test_no_step_makes_a_snap_harder_or_lets_the_wire_push(formulation, step, theta):
    """With theta below one either: a slack element is caught at the end of the step all the same."""
    result = caught(formulation, step, theta)
    assert peak(result) < 1.005 * exact_peak()
    assert float(result["tension_effective"].min()) >= -PUSH.get(formulation, 0.0)
    stored = result["energy_kinetic"] + result["energy_gravity"] + result["energy_elastic"]
    after = stored.values[result["time"].values > 0.51 + step]
    told = 0.03 if theta == 1.0 else 0.05  # theta h into the step, the elastic energy is that of another moment
    assert after.max() - after[0] < told * exact_peak() ** 2 * LENGTH / (2 * STIFFNESS)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("step", [0.1, 0.02, *slowly(0.05)])
def test_a_peak_that_the_step_has_lowered_is_said_to_be_low_by_as_much(formulation, step):
    """The peak that the note tells is that of a whole run with a tenth of the step (0.5 %), nearer to the truth."""
    result = caught(formulation, step)
    fine, _, part = result.attrs["warnings"].partition(" kN with a tenth of the step, and so ")
    fine = 1e3 * float(fine.rpartition(" is ")[2])
    assert fine == pytest.approx(peak(caught(formulation, step / 10)), rel=5e-3)
    assert float(part.partition(" % too low")[0]) / 100 == pytest.approx(1 - peak(result) / fine, abs=5e-3)
    assert peak(result) < 0.98 * fine < exact_peak()


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_fine_step_is_no_matter(formulation):
    assert "lost its tension" not in caught(formulation, 0.001).attrs["warnings"]


def test_with_theta_one_half_a_coarse_step_keeps_the_peak():
    largest = float(caught("lumped", 0.02, 0.5)["tension_effective_max"].max())
    assert largest == pytest.approx(exact_peak(), rel=0.02)
