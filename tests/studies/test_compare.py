"""The same system by several formulations, in one Dataset."""

from __future__ import annotations

import json

import numpy as np
import pytest

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import System
from fairlead.results import ObservationShape, build_dataset
from fairlead.results import observation as obs
from fairlead.studies import compare
from fairlead.studies.compare import merged, refusals, table
from fairlead.studies.discovery import UnknownStudy
from fairlead.view import comparison

DATA = {
    "title": "A tow",
    "environment": {"current": [{"z": 0, "velocity": [0.5, 0.2, 0]}]},
    "types": {
        "rope": {
            "diameter": 0.02,
            "density": 1500,
            "axial_stiffness": 1e5,
            "drag": {"normal": 1.2, "axial": 0.02},
        }
    },
    "points": {
        "A": {"kind": "fixed", "position": [0, 0, -5]},
        "B": {"kind": "controlled", "position": [16, 0, -5], "motion": {"table": [[0, 0, 0, 0], [4, 2, 2, 0]]}},
    },
    "cables": {"line": {"type": "rope", "length": 20, "elements": 16, "start": "A", "end": "B"}},
    "simulation": {"start": "catenary", "duration": 6, "step": 0.02, "output_every": 0.5},
}


@pytest.fixture(scope="module")
def both():
    """Bars and tether, the tether with a step of its own."""
    return compare(System.model_validate(DATA), ["bars", "tether"], settings={"tether": {"step": 0.01}})


def test_one_dataset_with_a_dimension_of_formulations(both):
    assert list(both["formulation"].values) == ["bars", "tether"]
    assert both["position"].dims == ("formulation", "time", "cable", "node", "axis")
    assert both["force_end"].sizes["formulation"] == 2
    assert both["time"].values[-1] == 6.0
    assert both["steps"].values.tolist() == [300, 600]
    assert "link_length_mean" not in both, "what only one formulation reports is left out"


def test_formulations_agree_on_shape_and_force(both):
    """Nodes within 0.3 % of the length of each other, end forces within 2 %."""
    apart = both["shape_difference"]
    assert (apart.sel(formulation="bars") == 0.0).all()
    assert 0.0 < float(apart.sel(formulation="tether").max()) < 0.06
    forces = both["force_end_final"].values
    assert forces[1] == pytest.approx(forces[0], rel=0.02)


def test_the_table_is_plain_and_complete(both):
    rows = table(both)
    json.dumps(rows)
    assert [row["formulation"] for row in rows] == ["bars", "tether"]
    assert [row["step"] for row in rows] == [0.02, 0.01]
    for row in rows:
        assert row["cpu_time"] > 0.0
        assert row["energy_error"] < 0.02
        assert row["status"] == "complete"
    assert rows[1]["shape_difference_max"] == float(both["shape_difference"].sel(formulation="tether").max())


def test_what_cannot_run_it_is_told_and_left_out():
    data = DATA | {"types": {"rope": DATA["types"]["rope"] | {"torsional_stiffness": 1.0}}}
    found = compare(System.model_validate(data), ["bars", "tether"], duration=1)
    assert list(found["formulation"].values) == ["bars"]
    assert "types.rope.torsional_stiffness needs torsional stiffness" in refusals(found)["tether"]


def test_a_system_that_none_can_run_says_why_for_each():
    data = DATA | {"types": {"rope": DATA["types"]["rope"] | {"torsional_stiffness": 1.0}}}
    with pytest.raises(UnsupportedSystem, match=r"tether: .*torsional stiffness"):
        compare(System.model_validate(data), ["tether"])


def test_the_systems_own_formulation_comes_first_and_its_integrator_stays_with_it():
    data = DATA | {"simulation": DATA["simulation"] | {"formulation": "tether", "integrator": "explicit_euler"}}
    found = compare(
        System.model_validate(data | {"simulation": data["simulation"] | {"duration": 1}}), ["tether", "bars"]
    )
    assert list(found["formulation"].values) == ["tether", "bars"]
    assert not refusals(found)


def test_an_unknown_name_gets_the_nearest_one():
    with pytest.raises(UnknownStudy, match="did you mean 'tether'"):
        compare(System.model_validate(DATA), ["bars", "teher"])
    with pytest.raises(UnknownStudy, match="not among bars"):
        compare(System.model_validate(DATA), ["bars"], settings={"tether": {"step": 0.01}})


def result(nodes: int, samples: int = 3, bow: float = 0.0):
    """A made-up result: a cable of 30 m along x, bent by `bow` in z as a parabola."""
    arc = tuple(np.linspace(0.0, 30.0, nodes))
    shape = ObservationShape(("line",), (nodes,), ("A",), (arc,))
    rows = np.zeros((samples, shape.size))
    rows[:, shape.extremes.start :] = np.nan
    nodes_of = shape.node_table(rows, 0)
    nodes_of[..., 0] = arc
    nodes_of[..., 2] = -bow * np.array(arc)
    nodes_of[..., obs.NODE_TENSION] = 100.0 + np.array(arc)
    settings = {"simulation": {"start": "catenary", "step": 0.1}}
    numbers = {"cpu_time": 0.1, "simulated_time": 1.0, "steps": 10, "status": "complete"}
    return build_dataset(shape, np.arange(samples) * 1.0, rows, {"settings": settings, **numbers})


def test_other_nodes_are_compared_by_interpolation_along_the_cable():
    found = merged({"one": result(31), "other": result(7, bow=0.1)}, {})
    assert found.sizes["node"] == 31
    other = found.sel(formulation="other").isel(time=0, cable=0)
    assert other["position"].values[:, 0] == pytest.approx(np.linspace(0, 30, 31), abs=1e-12)
    assert other["tension_effective"].values == pytest.approx(100.0 + np.linspace(0, 30, 31), abs=1e-9)
    assert found["shape_difference"].values == pytest.approx(np.array([[0.0] * 3, [3.0] * 3]))


def test_a_run_that_stopped_early_is_compared_as_far_as_it_came():
    found = merged({"one": result(7, 3), "other": result(7, 2)}, {})
    apart = found["shape_difference"].sel(formulation="other").values
    assert apart[:2] == pytest.approx(0.0)
    assert np.isnan(apart[2])
    assert table(found)[1]["shape_difference_final"] == 0.0


def test_the_picture_shows_every_formulation(both):
    figure = comparison(both)
    assert len(figure.axes) == 5
    drawn = [text.get_text() for text in figure.legends[0].get_texts()]
    assert drawn == ["bars", "tether"]
