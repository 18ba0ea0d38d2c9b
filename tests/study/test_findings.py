"""What a study found: extremes by condition, worst cases, and both as files for spreadsheets."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
import xarray as xr

from fairlead.results import ResultError
from fairlead.study import Study
from fairlead.study.dataset import write
from fairlead.study.exporting import export_study
from fairlead.study.findings import conditions, extremes, tables_of, worst_cases
from fairlead.view.study import study_page

LOCATION, SCALE, SEEDS = (100.0, 200.0), 10.0, 400


@pytest.fixture
def result() -> xr.Dataset:
    """Two heights of sea, whose maxima are drawn from Gumbel distributions, intact and with a line lost."""
    rng = np.random.default_rng(3)
    heights, lost = np.repeat([4.0, 6.0], SEEDS), np.array(["", "north"] * SEEDS, dtype=object)
    maxima = rng.gumbel(np.repeat(LOCATION, SEEDS), SCALE) - np.where(lost == "", 0.0, 50.0)
    count = len(heights)
    found = xr.Dataset(
        {
            "line.tension.max": ("scenario", maxima, {"units": "N"}),
            "line.tension.mean": ("scenario", np.full(count, 50.0), {"units": "N"}),
            "weight": ("scenario", np.ones(count), {"units": "1"}),
            "status": ("scenario", np.full(count, "complete", dtype=object)),
            "failed_at": ("scenario", np.full(count, np.nan), {"units": "s"}),
        },
        coords={
            "scenario": np.arange(count),
            "environment.waves.significant_height": ("scenario", heights, {"units": "m"}),
            "environment.waves.seed": ("scenario", np.arange(count), {"units": "1"}),
            "cables": ("scenario", lost),
        },
    )
    attrs = {"channels": json.dumps(["line.tension"]), "kept_time": 600.0, "study_file": "", "status": "complete"}
    found.attrs = attrs | {"title": "made up", "design": "product", "core_seconds": 1.0}
    return found


def test_each_condition_has_the_extremes_of_its_distribution(result):
    """The most probable maximum of a Gumbel distribution is its location, and p90 lies 2.25 scales above it."""
    found = {one["condition"]: one for one in extremes(result)}
    assert set(found) == {
        f"significant height {height} m, {lost}" for height in (4, 6) for lost in ("intact", "north lost")
    }
    for height, location in zip((4, 6), LOCATION, strict=True):
        one = found[f"significant height {height} m, intact"]
        assert one["count"] == SEEDS / 2
        assert one["most_probable"] == pytest.approx(location, abs=3.0)
        assert one["p90"] == pytest.approx(location - SCALE * np.log(-np.log(0.9)), abs=5.0)
        assert one["low"] < one["p90"] < one["high"] < one["p90"] + 10.0


def test_seeds_do_not_make_conditions_and_too_few_maxima_make_no_extreme(result):
    assert [len(members) for members in conditions(result).values()] == [SEEDS // 2] * 4
    assert extremes(result.isel(scenario=np.arange(12))) == []


def test_worst_cases_are_the_largest_with_what_made_them(result):
    worst = worst_cases(result)
    values = result["line.tension.max"].values
    assert [one["value"] for one in worst] == sorted(values, reverse=True)[:3]
    assert worst[0]["scenario"] == int(np.argmax(values))
    assert worst[0]["condition"] == f"significant height 6 m, seed {worst[0]['scenario']}, intact"


def test_a_study_is_exported_by_its_folder(result, tmp_path):
    folder = tmp_path / "storm.study"
    folder.mkdir()
    with pytest.raises(ResultError, match=r"has no result\.nc yet"):
        export_study(folder, tmp_path / "storm.csv")
    write(result, folder / "result.nc")
    (path,) = export_study(folder, tmp_path / "storm.csv")
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == len(result["scenario"])
    assert [rows[k]["lost cable"] for k in (0, 1)] == ["intact", "north"]
    assert float(rows[5]["line.tension.max [N]"]) == result["line.tension.max"].values[5]
    assert float(rows[5]["environment.waves.significant_height [m]"]) == 4.0
    with pytest.raises(ResultError, match=r"is written as \.csv or \.xlsx"):
        export_study(folder, tmp_path / "storm.mat")


def test_a_workbook_has_all_tables(result, tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    folder = tmp_path / "storm.study"
    folder.mkdir()
    write(result, folder / "result.nc")
    book = openpyxl.load_workbook(export_study(folder, tmp_path / "storm.xlsx")[0])
    assert book.sheetnames == ["scenarios", "statistics", "extremes", "worst cases"]
    assert book["extremes"].max_row == 5
    assert book["worst cases"].cell(2, 3).value == result["line.tension.max"].values.max()


def test_the_page_has_the_tables_and_names_intact_scenarios(result):
    page = study_page(result, {}, tables_of(result))
    for title in ("Statistics over the scenarios", "Extremes", "Worst cases"):
        assert f"<h2>{title}</h2>" in page
    assert '"intact"' in page
    assert "significant height 6 m, intact" in page


def test_results_are_found_beside_the_study_file_from_any_folder(tmp_path, monkeypatch, study):
    study()
    study_file = tmp_path / "storm.yaml"
    assert Study("storm.yaml").folder.resolve() == tmp_path / "storm.study"
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert Study(study_file).folder == tmp_path / "storm.study"
    here = tmp_path / "elsewhere" / "storm.study"
    here.mkdir()
    assert Study(study_file).folder.resolve() == here, "one that was begun in the working folder goes on there"
