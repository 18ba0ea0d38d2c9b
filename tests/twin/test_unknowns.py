"""What is estimated of a system, and what it does to members."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.model import System
from fairlead.studies.twin_mooring import system as mooring
from fairlead.twin.file import ParameterChoice
from fairlead.twin.unknowns import prepared, unknowns

from .tows import system as tow


def made(system: System, **choices: dict):
    given = {name: ParameterChoice.model_validate(choice) for name, choice in choices.items()}
    ready = prepared(system, given)
    found, wrong = unknowns(ready, given)
    assert wrong == []
    return ready, found


def test_a_current_is_added_to_that_of_the_file_linear_between_levels_but_for_bends():
    samples = [{"z": 0, "velocity": [0.5, 0, 0]}, {"z": -100, "velocity": [0, 0.2, 0]}]
    system = tow().with_values({"environment.current": samples})
    ready, found = made(system, current={"levels": [-10, -60], "sd": 0.2})
    third = 50.0 / 3.0
    heights = [0.0, -10.0, -10.0 - third, -60.0 + third, -60.0, -100.0]
    assert [sample.z for sample in ready.environment.current] == pytest.approx(heights)
    assert [one.name for one in found.numbers if one.shown] == [f"current.{c}@-{z}" for c in "uv" for z in (10, 60)]
    values = found.paths(np.array([[0.1, 0.4, 0.05, 0.0, 0.0, -0.1, 0.0, 0.02]]))
    rows = [values[f"environment.current[{k}].velocity"][0] for k in range(6)]
    assert rows[0] == pytest.approx([0.6, 0.0, 0.0])
    assert rows[1] == pytest.approx([0.45 + 0.1, 0.02, 0.0])
    assert rows[2][0] == pytest.approx(0.5 * (1.0 + heights[2] / 100.0) + 0.2 + 0.05)
    assert rows[3][1] == pytest.approx(-0.2 * heights[3] / 100.0 - 0.1 * 2.0 / 3.0 + 0.02)
    assert rows[5] == pytest.approx([0.4, 0.2 - 0.1, 0.0])


@pytest.mark.parametrize(
    ("levels", "between"), [([-5], []), ([-140, -20], [-60, -100]), ([0, -30, -90], [-60]), ([0, -9, -30, -90], [])]
)
def test_a_current_of_few_levels_may_bend_where_they_are_farthest_apart(levels, between):
    """What the levels cannot say members differ in, by a share of what these are uncertain, and forget it sooner."""
    ready, found = made(tow(), current={"levels": levels, "sd": 0.2, "walk": 0.004})
    bent = [one for one in found.numbers if not one.shown]
    assert {sample.z for sample in ready.environment.current} == {0.0, *levels, *between}
    assert [one.name for one in bent] == [f"current.{c}~{z:g}" for c in "uv" for z in between]
    assert all(one.sd == pytest.approx(0.05) for one in bent)
    theta = np.full((1, len(found.numbers)), 0.05)
    for k in range(100):
        theta = found.wandered(theta, 10.0, [1, k])  # one member: draws less their mean are zero, it only goes home
    left = {one.shown: value for one, value in zip(found.numbers, theta[0] / 0.05, strict=True)}
    assert left[True] > 0.97
    assert left.get(False, np.exp(-1.0)) == pytest.approx(np.exp(-1.0), rel=0.02)


def test_a_drag_is_a_factor_and_an_anchor_goes_towards_the_ship():
    anchor = {"of": "anchor", "towards": "fairlead", "sd": "1 m"}
    ready, found = made(mooring(), anchor=anchor, drag_normal={"sd": "20 %"})
    assert ready.points["anchor"].kind == "controlled"
    theta = np.array([[0.8, 0.0], [0.0, np.log(2.0)]])
    assert found.inputs(theta)["anchor.position"] == pytest.approx(np.array([[0.8, 0, -79.92], [0, 0, -79.92]]))
    assert found.paths(theta)["types.chain.drag.normal"] == pytest.approx([1.3, 2.6])


def test_any_property_may_be_estimated_by_its_path():
    path = "environment.seabed.friction"
    _, found = made(mooring(), **{path: {"sd": "30 %"}})
    assert found.paths(np.array([[np.log(0.5)]]))[path] == pytest.approx([0.35])


def test_draws_have_the_spread_asked_for_and_a_walk_ends_where_it_was_known_at_first():
    """Never seen, a parameter keeps its standard deviation for ever: σ² ← ρ² σ² + w² t = σ²."""
    _, found = made(tow(), current={"levels": [-5], "sd": 0.25, "walk": 0.05})
    theta = found.first(200, 1)
    assert theta.mean(axis=0) == pytest.approx(0.0, abs=1e-12)
    assert theta.std(axis=0, ddof=1) == pytest.approx(0.25)
    for k in range(300):
        theta = found.wandered(theta, 10.0, [1, k])
    assert theta.std(axis=0, ddof=1) == pytest.approx(0.25, rel=0.2)
    assert np.array_equal(found.wandered(theta, 10.0, [1, 5]), found.wandered(theta, 10.0, [1, 5]))
