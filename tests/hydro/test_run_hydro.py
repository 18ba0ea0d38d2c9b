"""Hulls in water as a run: the contract, results, resuming, springs, freedoms, and cables that stay attached."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_model_hydro import BUOY, FLOATER, PERIOD, changed, compiled

import fairlead as fl
from fairlead.formulations.contract import Failure
from fairlead.hydro.hydrostatics import hydrostatics

STEP = PERIOD / 40


def simulation(data: dict[str, Any]) -> fl.Simulation:
    return fl.Simulation(fl.System(**data))


def test_linear_heave_of_the_buoy_is_that_of_the_multipole_solution() -> None:
    """RAO 2.1783 at 1 rad/s for the power take-off of Guillaume et al., section 6.1; a coarse mesh, 10 periods."""
    data = changed(BUOY, simulation__duration=10 * PERIOD, simulation__output_every=STEP)
    data["hydro"]["hulls"]["buoy"] = {"sphere": {"diameter": 7}, "locked": ["surge", "sway", "roll", "pitch", "yaw"]}
    data["hydro"]["springs"][0] |= {"stiffness": 302478.6, "length": 13}
    data["hydro"]["surface"] = {"columns": 24, "outer": 8}
    heave = simulation(data).run()["point_position"].values[1:, 0, 2].reshape(10, 40) + 7.0
    wave = np.exp(2j * np.pi * np.arange(1, 41) / 40)
    assert abs(heave[-1] @ wave) * 2 / 40 / 0.125 == pytest.approx(2.1783, rel=0.02)


def test_a_result_holds_surface_force_motion_and_spring() -> None:
    held = ["surge", "sway", "roll", "pitch", "yaw"]
    result = simulation(changed(BUOY, simulation__output_every=STEP, hydro__hulls__buoy__locked=held)).run()
    assert result.attrs["status"] == "complete"
    assert result["surface_perturbation"].dims == ("time", "surface_panel")
    assert result["surface_incident"].shape == result["surface_x"].shape == result["surface_perturbation"].shape
    power = result["spring_0.power"].values
    speed = result["point_velocity"].values[:, 0, 2]
    np.testing.assert_allclose(power, 5e4 * speed**2, rtol=1e-9, atol=1e-9)
    assert result.attrs["hydro_weak_scatterer_violated"] == "no"
    assert "a step must be below" in result.attrs["hydro_step_bound"]
    assert float(result["buoy.water_force_z"].values[0]) == pytest.approx(184084.24 * 9.81, rel=1e-4)


def test_held_freedoms_stay_where_they_are() -> None:
    result = simulation(changed(BUOY, hydro__hulls__buoy__locked=["surge", "pitch"])).run()
    place = result["point_position"].values[:, 0]
    assert np.ptp(place[:, 0]) == 0.0
    assert np.ptp(result["buoy.pitch"].values) < 1e-30
    assert np.ptp(place[:, 2]) > 1e-3
    assert np.abs(place[:, 1]).max() < 1e-12


@pytest.mark.parametrize("held", ["roll", "pitch", "yaw"])
def test_a_held_angle_does_not_creep(held: str) -> None:
    """Pushed round about two axes, the third angle stays: its spin is not nothing then, by the way of cones."""
    push = [{"point": "buoy", "torque": [3e4, -2e4, 1e4]}]
    data = changed(BUOY, hydro__hulls__buoy__locked=["surge", "sway", "heave", held], loads=push)
    result = simulation(changed(data, simulation__output_every=PERIOD / 10)).run()
    angles = {name: result[f"buoy.{name}"].values for name in ("roll", "pitch", "yaw")}
    assert np.abs(angles.pop(held)).max() < 1e-5
    assert all(np.ptp(angle) > 0.1 for angle in angles.values())


def test_the_work_of_a_push_is_the_motion_of_a_hull_with_a_held_angle() -> None:
    """A sphere in deep water turns without making waves: ½ω·Iω is the work of the torque, whatever holds its yaw."""
    push = [{"point": "buoy", "torque": [3e4, -2e4, 1e4]}]
    data = changed(BUOY, hydro__hulls__buoy__locked=["surge", "sway", "heave", "yaw"], loads=push)
    data["environment"].pop("waves")
    data["hydro"]["surface"] |= {"radius": 60}
    data["hydro"]["springs"] = []
    data["bodies"]["buoy"]["inertia"] = [9e5, 7e5, 5e5]
    step = PERIOD / 160
    result = simulation(changed(data, simulation__step=step, simulation__output_every=step)).run()
    roll, pitch, t = result["buoy.roll"].values, result["buoy.pitch"].values, result["time"].values
    turning, tipping = np.gradient(roll, t), np.gradient(pitch, t)
    spins = np.array([turning, tipping * np.cos(roll), -tipping * np.sin(roll)])
    energy = 0.5 * np.array([9e5, 7e5, 5e5]) @ spins**2
    middle = 0.5 * (pitch[1:] + pitch[:-1])
    work = np.cumsum(np.diff(roll) * (3e4 * np.cos(middle) - 1e4 * np.sin(middle)) - 2e4 * np.diff(pitch))
    assert energy[-2] > 1e4
    np.testing.assert_allclose(energy[5:-1], work[4:-1], rtol=0.01)


def test_state_and_time_are_all_that_a_run_needs(tmp_path: Path) -> None:
    data = changed(BUOY, hydro__mode="weak_scatterer", simulation__duration=8 * STEP, simulation__output_every=STEP)
    straight = simulation(data).run()
    path = tmp_path / "run.nc"
    count = iter(range(100))
    stopped = simulation(data).run(output=path, stop=lambda: next(count) >= 4)
    assert stopped.attrs["status"].startswith("stopped")
    resumed = simulation(data).run(output=path, resume=True)
    for name in ("point_position", "surface_perturbation", "buoy.water_force_z"):
        np.testing.assert_array_equal(resumed[name].values, straight[name].values)


def test_a_floater_at_rest_in_still_water_stays_at_rest() -> None:
    data = changed(FLOATER, hydro__mode="weak_scatterer", simulation__duration=20 * STEP)
    data["environment"].pop("waves")
    data["hydro"]["surface"] |= {"radius": 30, "outer": 5}
    wet = compiled(data)
    start = wet.water.start[0]
    displaced = hydrostatics(wet.water.hulls[0].placed(start.place)[0], half=wet.basin.symmetric).volume
    data["bodies"]["buoy"]["mass"] = 1025.0 * displaced
    result = simulation(data).run()
    assert np.abs(result["point_position"].values).max() < 1e-9
    assert np.abs(result["surface_perturbation"].values).max() < 1e-9


def test_a_free_floater_heaves_at_the_frequency_of_its_stiffness_and_mass() -> None:
    """Pushed down 0.2 m in still water it comes back within a quarter to a half of 2π√((m + A)/ρgS), A up to m/3."""
    data = changed(FLOATER, simulation__duration=60 * 0.05, simulation__step=0.05, simulation__output_every=0.05)
    data["environment"].pop("waves")
    data["hydro"]["surface"] |= {"radius": 30, "outer": 5}
    data["hydro"]["hulls"]["buoy"]["locked"] = ["surge", "sway", "roll", "pitch", "yaw"]
    mass = 1025.0 * np.pi * 2.5
    data["bodies"]["buoy"] |= {"mass": mass * 1.1}
    result = simulation(data).run()
    z, t = result["point_position"].values[:, 0, 2], result["time"].values
    lowest = t[np.argmin(z)]
    dry = np.pi * np.sqrt(1.1 * mass / (1025.0 * 9.81 * np.pi))
    assert dry < lowest < 1.2 * dry
    assert z.min() == pytest.approx(-0.5, rel=0.15)  # twice the static sinkage of 0.25 m, less what the waves take


def test_a_swamped_hull_stops_the_run_with_cause_and_cure() -> None:
    data = changed(FLOATER, hydro__mode="weak_scatterer", simulation__duration=40 * STEP)
    data["hydro"]["hulls"]["buoy"] |= {"cylinder": {"diameter": 2, "height": 5}, "centre": [0, 0, -2.3]}
    data["bodies"]["buoy"]["mass"] = 30000
    sim = simulation(data)
    outcome = sim.attempt(40, STEP, 40 * STEP)
    assert isinstance(outcome, Failure)
    assert "over the deck" in outcome.what
    assert "freeboard" in outcome.cause


def hanging(**changes: Any) -> dict[str, Any]:
    """The floater with a load on a rope of two elements over its side."""
    data = changed(FLOATER, simulation__duration=10 * 0.05, simulation__step=0.05, simulation__output_every=0.05)
    data["types"] = {"rope": {"diameter": 0.05, "mass_per_length": 4, "axial_stiffness": 1e6, "drag": "none"}}
    data["points"] = {"load": {"kind": "free", "position": [3, 0, 1], "mass": 100}}
    data["bodies"]["buoy"]["attachments"] = {"tip": [3, 0, 4]}
    data["cables"] = {"rope": {"type": "rope", "length": 3, "elements": 2, "start": "buoy.tip", "end": "load"}}
    data["hydro"]["springs"] = [{"body": "buoy", "dof": "surge", "stiffness": 1e4}]
    return changed(data, **changes)


def test_stiff_cables_take_small_steps_and_many_of_them_change_nothing() -> None:
    few = simulation(hanging())
    assert few.compiled.substeps > 5  # type: ignore[attr-defined]
    many = simulation(hanging(hydro__substeps=3 * few.compiled.substeps))  # type: ignore[attr-defined]
    a, b = few.run(), many.run()
    stretch = 100 * 9.81 * 3 / 1e6  # of the rope under its load
    np.testing.assert_allclose(a["point_position"].values, b["point_position"].values, atol=0.02 * stretch)
    assert a["tension_effective"].values[-1, 0, 0] == pytest.approx(b["tension_effective"].values[-1, 0, 0], rel=0.02)


def test_the_first_node_of_the_rope_is_where_the_floater_carries_it() -> None:
    result = simulation(hanging()).run()
    place = result["point_position"].sel(point="buoy").values
    pitch = result["buoy.pitch"].values
    tip = place + np.column_stack(
        [3 * np.cos(pitch) + 4 * np.sin(pitch), 0 * pitch, 4 * np.cos(pitch) - 3 * np.sin(pitch)]
    )
    np.testing.assert_allclose(result["position"].values[:, 0, 0], tip, atol=1e-9)
    assert np.ptp(pitch) > 1e-5
