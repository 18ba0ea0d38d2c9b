"""The page of a study: all scenarios in it, and nothing that a title could break."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
import xarray as xr

from fairlead.view.study import page as pages
from fairlead.view.study import study_page
from fairlead.view.study.names import spoken


def result(count: int = 6) -> xr.Dataset:
    """What a study may come to, one of whose scenarios failed."""
    peaks = np.linspace(1e3, 2e3, count)
    peaks[2] = np.nan
    status = np.array(["complete"] * count, dtype=object)
    status[2] = "failed: t = 3 s, cable 'line'"
    return xr.Dataset(
        {
            "line.tension@top.max": ("scenario", peaks, {"units": "N"}),
            "line.tension@top.max_time": ("scenario", peaks),
            "weight": ("scenario", np.ones(count)),
            "status": ("scenario", status),
            "failed_at": ("scenario", np.where(np.isnan(peaks), 3.0, np.nan)),
        },
        coords={
            "scenario": np.arange(count),
            "environment.waves.seed": ("scenario", np.arange(count)),
            "cables": ("scenario", np.array(["", "line"] * (count // 2), dtype=object)),
        },
        attrs={"title": "A <b>&@TITLE@</script>", "status": "complete", "design": "product", "kept_time": 10.0,
               "core_seconds": 7200.0, "study_file": "study: </script>"},
    )  # fmt: skip


def data(text: str) -> dict:
    return json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)[1])[0]


def test_the_page_holds_what_varies_what_came_out_and_the_replays():
    found = data(study_page(result(), {4: "histories/scenario_000004.html"}))
    axes = {axis["name"]: axis for axis in found["axes"]}
    assert list(axes) == ["environment.waves.seed", "cables", "line.tension@top.max"]
    assert axes["cables"]["names"] == ["intact", "line"]
    assert axes["cables"]["values"] == [0, 1, 0, 1, 0, 1]
    assert axes["line.tension@top.max"]["values"][2] is None
    assert axes["line.tension@top.max"]["values"][5] == 2000.0
    assert found["replays"] == {"4": "histories/scenario_000004.html"}


def test_titles_and_failures_are_shown_as_they_are_written():
    text = study_page(result())
    assert "A &lt;b&gt;&amp;@TITLE@&lt;/script&gt;" in text
    assert "failed: t = 3 s" in text
    assert text.count("</script>") == 2


def test_of_very_many_scenarios_some_are_drawn_and_all_with_replays(monkeypatch):
    monkeypatch.setattr(pages, "MOST_SHOWN", 10)
    found = data(study_page(result(100), {57: "a.html"}))
    assert found["count"] == 100
    assert 57 in found["scenario"]
    assert len(found["scenario"]) <= 11
    assert len(found["axes"][0]["values"]) == len(found["scenario"])


def test_large_forces_are_told_in_kilonewtons_and_a_short_study_in_seconds() -> None:
    forces = xr.DataArray([2.5e4, np.nan], dims="scenario", attrs={"units": "N"})
    found = pages._axis("line.tension@top.max", forces, np.arange(2), False)
    assert (found["unit"], found["values"]) == ("kN", [25.0, None])
    small = pages._axis("line.tension@top.max", (forces / 10).assign_attrs(forces.attrs), np.arange(2), False)
    assert (small["unit"], small["values"]) == ("N", [2500.0, None])
    facts = xr.Dataset(attrs={"core_seconds": 75.0, "kept_time": 240.0, "status": "complete", "design": "product"})
    assert pages._facts(facts).endswith("75 s of one core")


@pytest.mark.parametrize(
    ("name", "varied", "words"),
    [
        ("environment.waves.significant_height", True, "significant height of waves"),
        ("environment.current[0].velocity[1]", True, "velocity y of current 1"),
        ("cables.line.winch.rate", True, "winch rate of line"),
        ("simulation.step", True, "step"),
        ("cables", True, "lost cable"),
        ("west.tension@buoy.max", False, "west: largest tension at buoy"),
        ("buoy.offset.std", False, "buoy: standard deviation of offset"),
    ],
)
def test_axes_are_called_by_words_not_by_paths(name: str, varied: bool, words: str) -> None:
    assert spoken(name, varied) == words


def test_a_statistic_without_a_word_of_its_own_is_told_in_its_long_name() -> None:
    words = "tension: 90 % of the time below"
    assert spoken("line.tension@top.p90", False, words) == f"line: {words}"
    assert spoken("line.tension@top.p90", False) == "line.tension@top.p90"


def test_the_page_may_load_nothing_from_elsewhere():
    from importlib import resources

    text = (resources.files("fairlead.view.study") / "study.html").read_text(encoding="utf-8")
    assert 'http-equiv="Content-Security-Policy" content="default-src \'none\'' in text
