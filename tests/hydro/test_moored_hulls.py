"""Hulls that carry cables of any formulation: as one tree does, with a closed form, with all energy accounted for."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from marks import slowly
from test_model_hydro import BUOY, FLOATER, changed, compiled
from test_run_hydro import hanging, simulation

from fairlead import statics
from fairlead.formulations.contract import Failure, UnsupportedSystem
from fairlead.hydro.afloat import Afloat
from fairlead.model import ModelError, System

WEIGHT, DEPTH = (5.6 - 1025.0 * math.pi / 4 * 0.03**2) * 9.81, 20.0
ANCHOR, FAIRLEAD = 40.0, 1.2


def swinging(formulation: str) -> dict[str, Any]:
    """The floater of the tests of `multibody`, a load on a softer rope of six elements over its side, stretched."""
    data = hanging(simulation__formulation=formulation, simulation__duration=1.2)
    data["types"]["rope"] |= {"axial_stiffness": 2e5, "damping_time": 0.001}
    data["cables"]["rope"] |= {"elements": 6, "allow_stretch": True}
    data["points"]["load"]["position"][2] -= 106 * 9.81 / 2e5 * 3
    return changed(data, environment__waves__height=0.5)


def moored(**changes: Any) -> dict[str, Any]:
    """The floater between two chains of 46 m along x, in still water 20 m deep; held at the start, it is top-heavy."""
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
    data["hydro"]["at_rest"] = "hold"
    data["simulation"] |= {"formulation": "lumped", "start": "statics"}
    return changed(data, **changes)


@pytest.fixture(scope="module")
def one_tree() -> xr.Dataset:
    """The rope by `multibody`, solved as one with the hull."""
    return simulation(swinging("multibody")).run()


@pytest.mark.parametrize("formulation", ["lumped", *slowly("bars", "links")])
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
    pulls, *_ = both.kept(sim.state[start:-1])
    np.testing.assert_allclose(pulls, [[H, 0.0, -V], [-H, 0.0, -V]], rtol=0.01, atol=0.01 * H)


def test_energy_of_hull_and_chains_is_accounted_for() -> None:
    """Pushed aside by 2 kN, the hull lifts its chains and makes waves; 0.2 % of what goes to and fro is lost."""
    data = moored(loads=[{"point": "buoy", "force": [2000, 0, 0]}], simulation__duration=3.0)
    result = simulation(data).run()
    names = [name for name in result.data_vars if str(name).startswith(("energy_", "work_"))]
    energy = sum(result[name].values for name in names if str(name).startswith("energy_"))
    work = sum(result[name].values for name in names if str(name).startswith("work_"))
    change = energy - energy[0]
    assert np.ptp(result["energy_gravity"].values) > 100.0
    assert np.abs(change - work).max() < 0.002 * np.ptp(result["energy_gravity"].values)


def test_more_small_steps_change_nothing() -> None:
    push = [{"point": "buoy", "force": [2000, 0, 0]}]
    few, many = (simulation(moored(loads=push, hydro__substeps=n, simulation__duration=0.6)).run() for n in (5, 15))
    a, b = (result["point_position"].sel(point="buoy").values for result in (few, many))
    assert np.abs(a - b).max() < 0.002 * np.ptp(a, axis=0).max()


def test_a_run_that_is_taken_up_again_is_the_same_to_the_last_bit(tmp_path: Path) -> None:
    data = moored(environment__waves={"kind": "regular", "height": 0.5, "period": 5.0}, hydro__mode="weak_scatterer",
                  simulation__duration=0.7)  # fmt: skip
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


def test_a_hull_comes_to_rest_on_its_chains() -> None:
    """1 t more sinks it by what the water and the chains give, and a pull aside moves it; then nothing moves."""
    push = [{"point": "buoy", "force": [300.0, 0.0, 0.0]}]
    data = moored(bodies__buoy__mass=8736.0, loads=push, hydro__mode="weak_scatterer", simulation__duration=0.2)
    held = ["sway", "roll", "pitch", "yaw"]
    data["hydro"]["hulls"]["buoy"]["locked"] = held
    data["hydro"]["at_rest"] = "float"
    before, rest = statics.solve(System(**moored())), statics.solve(System(**data))
    assert rest.report.stable
    assert any("the hulls float at rest; from where they start 'buoy' by" in note for note in rest.notes)
    assert not any("left over" in note for note in rest.notes)
    up = [sum(at.outputs[f"{name}.force_start"][2] for name in ("east", "west")) for at in (before, rest)]
    place = rest.outputs["buoy.position"]
    sunk = (1000.0 * 9.81 - (up[1] - up[0])) / (1025.0 * 9.81 * math.pi)
    started = before.outputs["buoy.position"][2]
    assert started - place[2] == pytest.approx(sunk, rel=0.01)
    aside = sum(rest.outputs[f"{name}.force_start"][0] for name in ("east", "west"))
    assert aside == pytest.approx(-300.0, rel=1e-3)
    assert place[0] > 0.05
    run = simulation(data).run()
    assert np.ptp(run["point_position"].sel(point="buoy").values, axis=0).max() < 2e-5


def test_pulls_whose_arms_swing_with_a_hull_resist_its_turning() -> None:
    """K of constant pulls p at arms r, (r·p) 1 − r pᵀ on turns, is the change of their moments."""
    data = moored(hydro__at_rest="float", hydro__hulls__buoy__locked=[], hydro__symmetry=False)
    for cable in data["cables"].values():
        cable["elements"] = 6
    whole = compiled(data)
    rest = whole.linearised()
    assert isinstance(rest, Afloat)
    hulls, pulls = rest._all[0], 1e3 * np.random.default_rng(5).normal(size=6)
    start = rest.placed(whole.initial_state())
    y = hulls.displaced(start, 0.05 * np.random.default_rng(6).normal(size=hulls.size))

    def forces(z: np.ndarray) -> np.ndarray:
        after = hulls.displaced(y, z)
        return np.asarray(hulls.on_moves(after, rest._end_moves(after).T @ pulls))

    nudge = 1e-5
    found = np.array([forces(-nudge * way) - forces(nudge * way) for way in np.eye(hulls.size)]).T / (2.0 * nudge)
    K = rest._swung(y, pulls)
    both = [0.5 * (matrix + matrix.T) for matrix in (K, found)]  # what is left turns with the axes they are written in
    assert both[0] == pytest.approx(both[1], abs=1e-5 * np.abs(K).max())
    assert np.abs(both[0][3:, 3:]).max() > 500.0


def test_held_hulls_do_not_take_part_in_statics_and_it_is_said_what_is_left_on_them() -> None:
    light, heavy = (statics.solve(System(**moored(bodies__buoy__mass=mass))) for mass in (7736.0, 12000.0))
    np.testing.assert_allclose(heavy.outputs["east.force_start"], light.outputs["east.force_start"], rtol=1e-9)
    held = "the hulls are held where they start"
    assert any(f"{held}; on 'buoy' -41,800 N in heave are left over" in note for note in heavy.notes)
    assert any(f"{held}; they balance there" in note for note in light.notes)


def test_a_hull_that_does_not_float_is_told_of() -> None:
    notes = simulation(moored(bodies__buoy__mass=12000, simulation__start="catenary")).warnings
    assert any("'buoy' does not float where it starts: -41,800 N in heave" in note for note in notes)


@pytest.mark.parametrize("substeps", [5, 40])
def test_a_hull_lighter_than_the_chain_at_its_fairlead_is_no_trouble(substeps: int) -> None:
    """A submerged float of 60 kg under a chain of 20 kg/m in two elements: 85 kg are moved with its end."""
    data = changed(BUOY, environment={"seabed": {"depth": 12}}, hydro__springs=[], hydro__substeps=substeps)
    data["bodies"]["buoy"] = {"kind": "free", "position": [0, 0, -3], "mass": 60, "inertia": [5, 5, 5],
                              "attachments": {"eye": [0, 0, -0.5]}}  # fmt: skip
    data["hydro"]["hulls"]["buoy"] = {"sphere": {"diameter": 1}, "panel_size": 0.3}
    data["hydro"]["surface"] = {"radius": 15, "outer": 3, "columns": 16}
    data["types"] = {"chain": {"diameter": 0.08, "mass_per_length": 20, "axial_stiffness": 1e6, "damping_time": 0.01}}
    data["points"] = {"anchor": {"kind": "fixed", "position": [0, 0, -12]}}
    data["cables"] = {"line": {"type": "chain", "length": 8.5, "elements": 2, "start": "buoy.eye", "end": "anchor"}}
    data["simulation"] |= {"formulation": "lumped", "duration": 2.0, "step": 0.1, "output_every": 0.1}
    data["cables"]["line"]["allow_stretch"] = True
    result = simulation(data).run()
    assert result.attrs["status"] == "complete"
    assert np.abs(result["point_position"].sel(point="buoy").values - [0, 0, -3]).max() < 0.5


def test_a_hull_that_is_pulled_out_of_the_plane_gets_the_whole_water() -> None:
    tug = {"kind": "controlled", "position": [ANCHOR, 0, -DEPTH], "motion": {"table": [[0, 0, 0, 0], [1, 0, 2, 0]]}}
    assert compiled(moored()).basin.symmetric
    assert not compiled(moored(points__east=tug)).basin.symmetric


def test_a_live_pull_from_the_side_stops_half_the_water() -> None:
    sim = simulation(moored(points__east={"kind": "controlled", "position": [ANCHOR, 0, -DEPTH]}))
    sim.set_inputs({"east.position": (ANCHOR, 8.0, -DEPTH)})
    outcome = sim.attempt(200, 0.05, 10.0)
    assert isinstance(outcome, Failure)
    assert "leaves the plane y = 0" in outcome.what
    assert outcome.cure == "use hydro.symmetry: false"


@pytest.mark.parametrize("formulation", ["lumped", "multibody"])
def test_a_named_load_on_a_hull_is_an_input(formulation: str) -> None:
    """2 kN for 0.2 s on a hull in still water: it has the impulse, less what the water beside it and the rope have."""
    thruster = {"name": "thruster", "point": "buoy", "force": [0, 0, 0]}
    data = changed(swinging(formulation), loads=[thruster], hydro__springs=[])
    data["environment"].pop("waves")
    data["hydro"]["surface"] |= {"radius": 30, "outer": 5}
    data["hydro"]["hulls"]["buoy"]["locked"] = ["sway", "heave", "roll", "pitch", "yaw"]
    pushed, left = simulation(data), simulation(data)
    for k in range(4):
        one = pushed.step(0.05, inputs={"thruster.force": (2000, 0, 0)} if k == 0 else None)
        other = left.step(0.05)
    gained = float(one["buoy.velocity"][0] - other["buoy.velocity"][0])
    assert 0.4 * 400 / 8000 < gained < 400 / 8000


def test_cables_may_bend() -> None:
    data = moored(simulation__formulation="bars")
    data["types"]["chain"]["bending_stiffness"] = 1e3
    assert simulation(data).run().attrs["status"] == "complete"


@pytest.mark.parametrize("formulation", ["lumped", *slowly("links", "spline", "tether")])
def test_live_steps_of_any_length_keep_cable_and_hull_together(formulation: str) -> None:
    sim = simulation(swinging(formulation))
    sim.run(duration=0.3)
    for dt in (0.01, 0.05, 0.033):
        for _ in range(5):
            out = sim.step(dt)
        pitch = float(out["buoy.pitch"])
        tip = [3 * np.cos(pitch) + 4 * np.sin(pitch), 0.0, 4 * np.cos(pitch) - 3 * np.sin(pitch)]
        assert np.abs(out["rope.position"][0] - out["buoy.position"] - tip).max() < 1e-9


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
