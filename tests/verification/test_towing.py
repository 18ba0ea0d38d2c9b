"""Tows that start without a jerk: velocities in the file, and statics in a frame that moves with the tow."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl

SPEED = np.array([1.6, 0.9, 0.0])
WIRE = {"diameter": 0.03, "mass_per_length": 2.0, "axial_stiffness": 2e5, "drag": {"normal": 1.2, "axial": 0.02}}
CURRENT = np.array([0.2, -0.1, 0.0])
STATICS = ["bars", "lumped", "links", "spline", "chain", "multibody"]


def tow(formulation: str, velocity: np.ndarray, current: np.ndarray, **settings: object) -> fl.Simulation:
    """A weight on 20 m of wire behind a ship."""
    wire = WIRE | ({"bending_stiffness": 5.0} if formulation == "spline" else {})
    weight = {"kind": "free", "position": [-13, -6, -13], "mass": 60.0, "volume": 0.01, "drag_area": 0.05}
    return fl.Simulation(
        fl.System.model_validate(
            {
                "environment": {"current": [{"z": 0, "velocity": current.tolist()}]},
                "types": {"wire": wire},
                "points": {
                    "ship": {"kind": "controlled", "position": [0, 0, -1], "velocity": velocity.tolist()},
                    "weight": weight,
                },
                "cables": {"wire": {"type": "wire", "length": 20, "elements": 8, "start": "ship", "end": "weight"}},
                "simulation": {
                    "formulation": formulation, "duration": 3.0, "step": 0.01, "output_every": 0.5,
                    "start": "statics", **settings,
                },
            }
        )
    )  # fmt: skip


@pytest.mark.parametrize("formulation", STATICS)
def test_a_tow_that_starts_from_statics_stays_steady(formulation: str) -> None:
    found = tow(formulation, SPEED, CURRENT).run()
    tension = found["tension_effective"].values[:, 0]
    assert np.abs(tension / tension[0] - 1.0).max() < 1e-6
    seen = found["position"].values[:, 0] - found["time"].values[:, None, None] * SPEED
    assert np.abs(seen - seen[0]).max() < 1e-6
    assert np.abs(found["velocity"].values[:, 0] - SPEED).max() < 1e-6
    assert np.abs(seen[0, -1] - seen[0, 0])[:2].max() > 1.0, "it trails"


@pytest.mark.parametrize("formulation", STATICS)
def test_a_tow_hangs_as_the_same_wire_held_in_the_water_that_flows_past_it(formulation: str) -> None:
    towed = tow(formulation, SPEED, CURRENT).outputs()
    held = tow(formulation, np.zeros(3), CURRENT - SPEED).outputs()
    assert towed["wire.position"] == pytest.approx(held["wire.position"], abs=1e-7)
    assert towed["wire.force_start"] == pytest.approx(held["wire.force_start"], rel=1e-6)
    assert held["wire.velocity"] == pytest.approx(np.zeros((9, 3)), abs=1e-12)


@pytest.mark.parametrize("formulation", [*STATICS, "tether"])
def test_what_hangs_on_a_tow_moves_with_it_from_the_start(formulation: str) -> None:
    out = tow(formulation, SPEED, CURRENT, start="catenary").outputs()
    assert out["wire.velocity"] == pytest.approx(np.tile(SPEED, (9, 1)), abs=1e-9)
    assert out["weight.velocity"] == pytest.approx(SPEED, abs=1e-9)


@pytest.mark.parametrize("formulation", ["bars", "lumped", "links", "spline", "chain", "multibody", "tether"])
def test_a_cable_starts_as_fast_as_its_ends_and_between_them_in_proportion(formulation: str) -> None:
    """A weight that swings on its wire across it, which no formulation need stretch or compress at first."""
    swing = np.array([0.0, 2.0, 0.0])
    wire = WIRE | ({"bending_stiffness": 5.0} if formulation == "spline" else {})
    system = {
        "environment": {"water_density": 0, "gravity": 9.81},
        "types": {"wire": wire},
        "points": {
            "hook": {"kind": "fixed", "position": [0, 0, 20]},
            "weight": {"kind": "free", "position": [0, 0, 10], "mass": 60.0, "velocity": swing.tolist()},
        },
        "cables": {"wire": {"type": "wire", "length": 10, "elements": 5, "start": "hook", "end": "weight"}},
        "simulation": {"formulation": formulation, "duration": 1.0, "step": 0.001, "start": "catenary"},
    }
    simulation = fl.Simulation(fl.System.model_validate(system))
    out = simulation.outputs()
    assert out["wire.velocity"] == pytest.approx(np.linspace(0, 1, 6)[:, None] * swing, abs=1e-3)
    assert out["weight.velocity"] == pytest.approx(swing, abs=1e-9)
    later = simulation.step(0.2)["weight.position"]
    assert later[1] == pytest.approx(2.0 * np.sin(0.2 * np.sqrt(0.981)) / np.sqrt(0.981), rel=0.02)


@pytest.mark.parametrize("formulation", ["bars", "lumped"])
def test_a_thrown_body_flies_as_it_was_thrown(formulation: str) -> None:
    thrown = np.array([3.0, -2.0, 4.0])
    system = {
        "environment": {"water_density": 0, "gravity": 9.81},
        "types": {"thread": {"diameter": 0.001, "mass_per_length": 1e-4, "axial_stiffness": 1e3, "drag": "none"}},
        "points": {"hook": {"kind": "fixed", "position": [0, 0, 30]}},
        "bodies": {
            "ball": {
                "kind": "free", "position": [0, 0, 30.5], "mass": 100, "inertia": [1, 1, 1],
                "velocity": thrown.tolist(), "attachments": {"eye": [0, 0, 0]},
            }
        },
        "cables": {"thread": {"type": "thread", "length": 40, "elements": 6, "start": "hook", "end": "ball.eye"}},
        "simulation": {"formulation": formulation, "duration": 1.0, "step": 0.001, "start": "catenary"},
    }  # fmt: skip
    out = fl.Simulation(fl.System.model_validate(system)).step(0.5)
    flown = np.array([0, 0, 30.5]) + 0.5 * thrown - [0, 0, 0.5 * 9.81 * 0.25]
    assert out["ball.position"] == pytest.approx(flown, abs=5e-3)
