"""One step of a load on a wire of one element, in closed form: which elements are taut is decided within the step.

The wire of stiffness k = EA/L is stretched by s, at rest, and the load is pushed with F. Taut over a step taken with
θ = 1 it pulls with T = (k s + k h² F/M)/(1 + k h²/M), and the load moves off with (F − T) h/M. With a push towards the
anchor T would be negative: the wire lets go within the step and the load flies with F h/M. With a push outwards a wire
that starts slack is caught within the step, and that with θ = 1 whatever θ is.
"""

from typing import Any

import pytest

import fairlead as fl

MASS, STIFFNESS, LENGTH, STEP, PUSH = 1000.0, 1e6, 10.0, 0.1, 1e5
K = STIFFNESS / LENGTH


def wire(stretch: float, **load: Any) -> dict[str, Any]:
    """Points and cable of a wire along x, 50 m under the surface."""
    return {
        "points": {
            "anchor": {"kind": "fixed", "position": [0, 0, -50]},
            "load": {"kind": "free", "position": [LENGTH + stretch, 0, -50], "mass": MASS, **load},
        },
        "cables": {
            "wire": {
                "type": "wire", "length": LENGTH, "elements": 1, "allow_stretch": True, "start": "anchor",
                "end": "load",
            },
        },
    }  # fmt: skip


def after_a_step(formulation: str, theta: float, stretch: float, push: float) -> float:
    """Speed of the load."""
    system = fl.System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": 1e-6},
            "types": {"wire": {"diameter": 0.01, "mass_per_length": 1e-3, "axial_stiffness": STIFFNESS}},
            **wire(stretch),
            "loads": [{"point": "load", "force": [push, 0, 0]}],
            "simulation": {
                "formulation": formulation, "duration": STEP, "step": STEP, "output_every": STEP, "start": "catenary",
                formulation: {"theta": theta},
            },
        }
    )  # fmt: skip
    return float(fl.simulate(system)["point_velocity"].sel(point="load")[-1, 0])


@pytest.mark.parametrize("theta", [1.0, 0.5])
@pytest.mark.parametrize("formulation", ["lumped", "multibody"])
def test_a_wire_that_would_push_lets_go_within_the_step(formulation, theta):
    assert after_a_step(formulation, theta, stretch=1e-3, push=-PUSH) == pytest.approx(-PUSH * STEP / MASS, rel=1e-3)


@pytest.mark.parametrize("theta", [1.0, 0.5])
@pytest.mark.parametrize("formulation", ["lumped", "multibody"])
def test_a_slack_wire_is_caught_within_the_step_and_at_its_end(formulation, theta):
    pull = K * (-1e-3 + STEP**2 * PUSH / MASS) / (1 + K * STEP**2 / MASS)
    speed = (PUSH - pull) * STEP / MASS
    assert after_a_step(formulation, theta, stretch=-1e-3, push=PUSH) == pytest.approx(speed, rel=1e-3)


@pytest.mark.parametrize("formulation", ["lumped", "bars", "multibody"])
def test_what_others_spend_is_booked_once_however_often_a_step_is_solved(formulation):
    """A rope is towed beside a load that is caught and let go again, while steps are redone: its works are its own."""

    def works(beside: dict[str, Any]) -> tuple[float, float]:
        data: dict[str, Any] = {
            "types": {
                "wire": {"diameter": 1e-4, "mass_per_length": 1e-3, "axial_stiffness": STIFFNESS, "drag": "none"},
                "rope": {"diameter": 0.05, "density": 3000, "axial_stiffness": 1e6},
            },
            "points": {
                "A": {
                    "kind": "controlled", "position": [0, 90, -5],
                    "motion": {"harmonic": {"amplitude": [1, 0, 0], "period": 2, "ramp": 0.5}},
                },
                "E": {"kind": "free", "position": [0, 90, -15]},
                **beside.get("points", {}),
            },
            "cables": {
                "rope": {"type": "rope", "length": 10, "elements": 2, "start": "A", "end": "E"},
                **beside.get("cables", {}),
            },
            "simulation": {"formulation": formulation, "duration": 1.0, "step": 0.02, "start": "catenary"},
        }  # fmt: skip
        end = fl.simulate(fl.System.model_validate(data)).isel(time=-1)
        return float(end["work_drag"]), float(end["work_drives"])

    alone, both = works({}), works(wire(-0.1, volume=MASS / 1025.0, velocity=[1, 0, 0]))
    assert abs(alone[0]) > 10.0
    assert abs(alone[1]) > 10.0
    assert both == pytest.approx(alone, rel=1e-6)
