"""`fairlead compare`."""

from __future__ import annotations

import json

import pytest
from studies.test_compare import DATA

from fairlead.model import System


@pytest.fixture
def tow(tmp_path, monkeypatch):
    """A model file in an empty folder, which is the working folder."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "tow.yaml"
    file.write_text(System.model_validate(DATA).to_yaml())
    return file


def test_it_prints_a_table_and_the_reasons(fairlead, tow):
    result = fairlead(
        "compare", tow, "--with", "bars,tether", "--duration", "1 s", "--set", "types.rope.torsional_stiffness=1"
    )
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "A tow"
    assert lines[1].split()[:2] == ["formulation", "step"]
    assert lines[3].split()[:3] == ["bars", "0.02", "s"]
    assert lines[4].startswith("tether cannot: ")
    assert "torsional stiffness" in lines[4]


def test_steps_for_one_or_for_all(fairlead, tow):
    arguments = ("--with", "bars,tether", "--step", "0.05", "--step", "tether=0.01", "--duration", "1", "--json", "-q")
    found = json.loads(fairlead("compare", tow, *arguments).stdout)
    assert [row["step"] for row in found["formulations"]] == [0.05, 0.01]
    assert found["refused"] == {}
    assert found["formulations"][1]["shape_difference_max"] < 0.1


@pytest.mark.parametrize(
    ("output", "files"), [("tow.svg", ["tow.svg"]), ("out", ["out/tow_compare.png", "out/tow_compare.nc"])]
)
def test_it_draws_and_keeps_the_numbers(fairlead, tow, tmp_path, output, files):
    result = fairlead("compare", tow, "--with", "bars,tether", "--duration", "1", "-o", output, "-q")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-len(files) :] == files
    for file in files:
        assert (tmp_path / file).stat().st_size > 1000
    if "out/tow_compare.nc" in files:
        import xarray as xr

        with xr.open_dataset(tmp_path / files[1], engine="h5netcdf") as kept:
            assert list(kept["formulation"].values) == ["bars", "tether"]


def test_mistakes_are_told(fairlead, tow):
    assert fairlead("compare", tow, "--with", "bars,teher").exit_code == 2
    assert fairlead("compare", tow, "--step", "tether=").exit_code == 2
    wrong = fairlead("compare", tow, "--with", "bars,tether", "--step", "tether=0.03")
    assert wrong.exit_code == 2
    assert "whole number of steps" in wrong.stderr


def test_progress_names_each_run(fairlead, tow):
    result = fairlead("compare", tow, "--with", "bars", "--duration", "1")
    assert "bars ..." in result.stderr
