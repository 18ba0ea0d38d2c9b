"""Tension figures show the numbers of the result."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead import view

from .systems import straight_cables


def test_history_shows_the_largest_and_both_ends_of_each_cable(dataset):
    whole, ends = view.tension_history(dataset).axes
    tension = dataset["tension_effective"]
    assert np.allclose(whole.lines[0].get_ydata(), tension.sel(cable="left").max("node"))
    assert np.allclose(ends.lines[0].get_ydata(), tension.sel(cable="left").isel(node=0))
    assert np.allclose(ends.lines[3].get_ydata(), tension.sel(cable="right").isel(node=24))
    assert whole.get_ylabel() == "tension (N)"


def test_history_points_out_the_largest_tension_of_the_run(dataset):
    whole, _ = view.tension_history(dataset).axes
    peak = float(dataset["tension_effective"].max())
    (text,) = (t.get_text() for t in whole.texts)
    assert text.startswith(f"{peak:.4g} N at ")
    assert text.endswith("in left, 0 m from its start")


def test_ends_are_those_of_the_line_that_is_out(dataset):
    reeled = dataset.copy(deep=True)
    reeled["tension_effective"].values[:, 0, :5] = np.nan
    _, ends = view.tension_history(reeled).axes
    assert np.allclose(ends.lines[0].get_ydata(), dataset["tension_effective"].values[:, 0, 5])


def test_of_many_cables_the_most_loaded_stand_out():
    many = straight_cables([((0, 0, 0), (10, i, -10)) for i in range(26)])
    whole, _ = view.tension_history(many).axes
    labels = [text.get_text() for text in whole.get_legend().get_texts()]
    assert labels == [*(f"cable_{i}" for i in range(19, 26)), "19 others"]
    assert whole.get_ylabel() == "tension (kN)"


def test_along_shows_range_and_mean_of_each_cable(dataset):
    left, right = view.tension_along(dataset).axes
    for axes, name in ((left, "left"), (right, "right")):
        tension = dataset["tension_effective"].sel(cable=name).dropna("node")
        low, high, *_, mean = (line.get_ydata() for line in axes.lines)
        assert np.allclose(low, tension.min("time"))
        assert np.allclose(high, tension.max("time"))
        assert np.allclose(mean, tension.mean("time"))
        assert axes.get_title(loc="left") == name


def test_zero_is_always_in_view(dataset):
    for axes in view.tension_history(dataset).axes + view.tension_along(dataset).axes:
        assert axes.get_ylim()[0] <= 0.0


@pytest.mark.parametrize(("largest", "unit"), [(0.5, "N"), (999.0, "N"), (1.5e3, "kN"), (2e6, "MN")])
def test_units_suit_the_size_of_the_numbers(dataset, largest, unit):
    scaled = dataset.copy(deep=True)
    scaled["tension_effective"] *= largest / float(dataset["tension_effective"].max())
    axes = view.tension_along(scaled).axes[0]
    assert axes.get_ylabel() == f"tension ({unit})"
    assert axes.get_ylim()[1] < 1100.0


def test_history_marks_an_end_that_was_released():
    """An end that carries nothing from the third sample on, told to let go at 15 s."""
    line = {"start": {"point": "a"}, "end": {"point": "b", "release": {"time": 15.0}}}
    cables = straight_cables([((0, 0, 0), (10, 0, -10))], samples=4, settings={"cables": {"cable_0": line}})
    cables["force_end"].values[:2, 0, 1] = (-1000.0, 0.0, 0.0)
    cables["force_end"].values[:, 0, 0] = (1000.0, 0.0, 0.0)
    whole, ends = view.tension_history(cables).axes
    assert [text.get_text() for text in ends.texts] == ["cable_0 released, 15 s"]
    for axes in (whole, ends):
        assert [15.0, 15.0] in [list(line.get_xdata()) for line in axes.lines]
