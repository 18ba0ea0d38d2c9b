"""Hulls that carry cables of any formulation: as one tree does, with a closed form, with all energy accounted for."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from test_model_hydro import FLOATER, changed, compiled
from test_run_hydro import hanging, simulation

from fairlead import statics
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import ModelError, System

WEIGHT, DEPTH = (5.6 - 1025.0 * math.pi / 4 * 0.03**2) * 9.81, 20.0
ANCHOR, FAIRLEAD = 40.0, 1.2


def swinging(formulation: str) -> dict[str, Any]:
    """The floater of the tests of `multibody`, a load on a softer rope of six elements over its side, stretched."""
    data = hanging(simulation__formulation=formulation, simulation__duration=3.0)
    data["types"]["rope"] |= {"axial_stiffness": 2e5, "damping_time": 0.001}
    data["cables"]["rope"] |= {"elements": 6, "allow_stretch": True}
    data["points"]["load"]["position"][2] -= 106 * 9.81 / 2e5 * 3
    return changed(data, environment__waves__height=0.5)


def moored(**changes: Any) -> dict[str, Any]:
    """The floater between two chains of 46 m along x, in still water 20 m deep."""
    data = changed(FLOATER, simulation__duration=1.0, simulation__step=0.05, simulation__output_every=0.1)
    data["environment"].pop("waves")
    data["environment"]["seabed"]["friction"] = 0.5
    data["types"] = {
        "chain": {"diameter": 0.03, "mass_per_length": 5.6, "axial_stiffness": 2e7, "drag": {"normal": 1, "axial": 0.1}}
    }
    data["points"] = {
        name: {"kind": "fixed", "position": [side * ANCHOR, 0, -DEPTH]} for name, side in (("east", 1), ("west", -1))
    }
    data["bodies"]["buoy"]["attachments"] = {"east": [FAIRLEAD, 0, -2], "west": [-FAIRLEAD, 0, -2]}
    data["cables"] = {
        name: {"type": "chain", "length": 46, "elements": 46, "start": f"buoy.{name}", "end": name}
        for name in ("east", "west")
    }
    data["hydro"]["surface"] |= {"radius": 30, "outer": 5}
    data["simulation"] |= {"formulation": "lumped", "start": "statics"}
    return changed(data, **changes)


@pytest.fixture(scope="module")
def one_tree() -> xr.Dataset:
    """The rope by `multibody`, solved as one with the hull."""
    return simulation(swinging("multibody")).run()


@pytest.mark.parametrize("formulation", ["bars", "links", "lumped"])
def test_hull_and_load_move_as_when_they_are_one_tree(one_tree: xr.Dataset, formulation: str) -> None:
    one, two = one_tree, simulation(swinging(formulation)).run()
    assert two.attrs["formulation"] == formulation
    for point, bound in (("buoy", 0.002), ("load", 0.01)):
        a, b = (result["point_position"].sel(point=point).values for result in (one, two))
        a, b = a - a[0], b - b[0]  # links do not stretch: the load hangs 16 mm higher
        assert np.abs(a - b).max() < bound * np.ptp(a, axis=0).max()
    pitch = one["buoy.pitch"].values
    assert np.abs(two["buoy.pitch"].values - pitch).max() < 0.01 * np.ptp(pitch)


def catenary() -> tuple[float, float]:
    """Horizontal and vertical pull of one chain: x(H) of a catenary that lies on the seabed, solved by bisection."""
    span, rise, length = ANCHOR - FAIRLEAD, DEPTH - 2.0, 46.0
    low, high = 1.0, 1e5
    for _ in range(200):
        H = 0.5 * (low + high)
        lifted = math.sqrt(rise**2 + 2.0 * rise * H / WEIGHT)
        reach = length - lifted + H / WEIGHT * math.asinh(lifted * WEIGHT / H)
        low, high = (H, high) if reach < span else (low, H)
    return H, WEIGHT * lifted


def test_statics_hang_the_chains_from_the_hull_where_it_starts() -> None:
    """Pulls of the closed form (chains that do not stretch: EA is 6000 times the pull), and the same at t = 0."""
    H, V = catenary()
    rest = statics.solve(System(**moored()))
    np.testing.assert_allclose(np.abs(rest.outputs["east.force_start"]), [H, 0.0, V], rtol=0.01, atol=0.01 * H)
    sim = simulation(moored())
    both, start = sim.compiled.both, 2 * sim.compiled.water.n_surface  # type: ignore[attr-defined]
    pulls = sim.state[start:-1][both.parts[2]].reshape(-1, 3)
    np.testing.assert_allclose(pulls, [[H, 0.0, -V], [-H, 0.0, -V]], rtol=0.01, atol=0.01 * H)


def test_energy_of_hull_and_chains_is_accounted_for() -> None:
    """Pushed aside by 2 kN, the hull lifts its chains and makes waves; 0.2 % of what goes to and fro is lost."""
    data = moored(loads=[{"point": "buoy", "force": [2000, 0, 0]}], simulation__duration=6.0)
    result = simulation(data).run()
    names = [name for name in result.data_vars if str(name).startswith(("energy_", "work_"))]
    energy = sum(result[name].values for name in names if str(name).startswith("energy_"))
    work = sum(result[name].values for name in names if str(name).startswith("work_"))
    change = energy - energy[0]
    assert np.ptp(result["energy_gravity"].values) > 100.0
    assert np.abs(change - work).max() < 0.002 * np.ptp(result["energy_gravity"].values)


def test_more_small_steps_change_nothing() -> None:
    push = [{"point": "buoy", "force": [2000, 0, 0]}]
    few, many = (simulation(moored(loads=push, hydro__substeps=n, simulation__duration=3.0)).run() for n in (5, 15))
    a, b = (result["point_position"].sel(point="buoy").values for result in (few, many))
    assert np.abs(a - b).max() < 0.002 * np.ptp(a, axis=0).max()


def test_a_run_that_is_taken_up_again_is_the_same_to_the_last_bit(tmp_path: Path) -> None:
    data = moored(environment__waves={"kind": "regular", "height": 0.5, "period": 5.0}, hydro__mode="weak_scatterer")
    straight = simulation(data).run()
    path, count = tmp_path / "run.nc", iter(range(100))
    assert simulation(data).run(output=path, stop=lambda: next(count) >= 4).attrs["status"].startswith("stopped")
    resumed = simulation(data).run(output=path, resume=True)
    for name in ("point_position", "tension_effective", "surface_perturbation"):
        np.testing.assert_array_equal(resumed[name].values, straight[name].values)


def test_a_winch_on_the_hull_answers_to_its_input() -> None:
    data = swinging("lumped")
    data["cables"]["rope"]["winch"] = {"end": "start", "length_max": 6}
    sim = simulation(data)
    assert "rope.winch.rate" in sim.compiled.inputs
    assert not any(name.startswith("buoy") for name in sim.compiled.inputs)
    before = sim.outputs()["load.position"][2]
    for _ in range(20):
        out = sim.step(0.05, inputs={"rope.winch.rate": 0.5})
    assert out["rope.winch.length"] == pytest.approx(3.5, abs=0.05)
    assert out["load.position"][2] - before == pytest.approx(-0.5, abs=0.1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cables__east__start": {"point": "buoy.east", "joint": "clamp"}}, r"cables.east.start.*clamped to a hull"),
        ({"simulation__integrator": "rk4"}, r"simulation.integrator.*use auto"),
        ({"simulation__formulation": "chain"}, r"'chain' cannot run this system.*needs a seabed"),
        ({"simulation__formulation": "multibody"}, r"closes a loop.*use formulation: bars or lumped"),
    ],
)  # fmt: skip
def test_what_cannot_be_carried_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UnsupportedSystem, match=f"(?s){message}"):
        compiled(moored(**changes))


def test_cables_that_touch_no_hull_are_no_part_of_it() -> None:
    data = moored()
    data["points"] = {name: {"kind": "fixed", "position": [x, 9, -9]} for name, x in (("east", 20), ("west", -20))}
    data["cables"] = {"loose": {**data["cables"]["east"], "start": "west"}}
    with pytest.raises(UnsupportedSystem, match="none of them ends on a hull"):
        compiled(data)


def test_joints_need_one_tree() -> None:
    data = moored(joints={"knee": {"kind": "revolute", "parent": "buoy", "child": "arm", "axis": [0, 1, 0]}})
    data["bodies"]["arm"] = {"kind": "free", "position": [0, 0, 3], "mass": 100, "inertia": [10, 10, 10]}
    with pytest.raises(ModelError, match="hulls with joints cannot carry cables of the formulation 'lumped'"):
        System(**data)
