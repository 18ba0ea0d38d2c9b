"""Commands that look at a result, with outputs that cannot be written and results that are none: one sentence each."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import pytest
import xarray as xr

HOSTILE = '<script>alert(1)</script> "quo\'ted" & $x$ 缆 @DATA@'
OUTPUTS = {"view": "page.html", "report": "page.html", "film": "film.gif"}
SMALL = {"film": ("--size", "200x140", "--rate", "2"), "view": ("--no-open",), "report": ("--no-open",)}


@pytest.fixture
def result(fairlead, chain_file, toy_formulation) -> Path:
    fairlead("run", chain_file, "--duration", "1", "--quiet")
    return Path("chain.nc")


@pytest.mark.parametrize("command", ["view", "report", "film", "plot"])
def test_a_folder_is_no_result(fairlead, command):
    done = fairlead(command, ".")
    assert done.exit_code == 2
    assert done.stderr == ".: is a folder, not a result file; name the .nc file in it\n"


@pytest.mark.parametrize("command", ["view", "report", "film"])
def test_a_file_goes_into_a_folder_that_is_there(fairlead, result, command):
    done = fairlead(command, result, "-o", f"missing/{OUTPUTS[command]}", *SMALL[command])
    assert done.exit_code == 2
    assert "there is no folder missing; create it or choose another with -o" in done.stderr
    assert not Path("missing").exists()


def test_an_fmu_and_a_comparison_go_into_a_folder_that_is_there(fairlead, chain_file):
    for command, name in (("fmu", "chain.fmu"), ("compare", "chain.png")):
        done = fairlead(command, chain_file, "-o", f"missing/{name}")
        assert done.exit_code == 2
        assert "there is no folder missing; create it or choose another with -o" in done.stderr
    assert not Path("missing").exists()


@pytest.mark.parametrize("command", ["view", "report", "film"])
def test_a_full_disk_gets_one_sentence(fairlead, result, command, monkeypatch):
    monkeypatch.setattr("fairlead.view.report.report.FIGURES", ())  # figures have tests of their own
    Path(OUTPUTS[command]).symlink_to("/dev/full")
    done = fairlead(command, result, "-o", OUTPUTS[command], *SMALL[command])
    assert done.exit_code == 2
    assert "No space left on device" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("command", ["schema", "types", "--help"])
def test_what_is_printed_on_a_full_disk_gets_one_sentence(command):
    call = [sys.executable, "-c", "from fairlead.cli.main import program; program()", command]
    with open("/dev/full", "w") as full:
        done = subprocess.run(call, stdout=full, stderr=subprocess.PIPE, text=True, timeout=300)
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_run_replaces_a_result_but_no_other_file(fairlead, chain_file, result):
    """A run over an earlier one says so; somebody's notes stay, whatever their name."""
    assert "replaces the earlier result" in fairlead("run", chain_file, "--duration", "1").stderr
    result.write_text("minutes of a meeting")
    for more in ((), ("--quiet",)):
        done = fairlead("run", chain_file, "--duration", "1", *more)
        assert done.exit_code == 2
        assert "there is a file of this name that is no result; name another with -o, or remove it" in done.stderr
        assert "replaces" not in done.stderr
    assert result.read_text() == "minutes of a meeting"


def test_a_film_is_never_written_over_the_result(fairlead, result):
    before = result.read_bytes()
    Path("film.gif").symlink_to(result)
    done = fairlead("film", result, "-o", "film.gif", *SMALL["film"])
    assert done.exit_code == 2
    assert "cannot be written over the result" in done.stderr
    assert result.read_bytes() == before


def test_a_title_of_any_signs_is_drawn_without_a_word(fairlead, result, monkeypatch):
    monkeypatch.setattr("fairlead.view.report.report.FIGURES", ("tension_history",))  # all have the same title
    with xr.open_dataset(result, engine="h5netcdf") as run:
        run.load().assign_attrs(title=HOSTILE).to_netcdf("hostile.nc", engine="h5netcdf")
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        for command in ("view", "report", "film"):
            done = fairlead(command, "hostile.nc", "-o", OUTPUTS[command], *SMALL[command])
            assert done.exit_code == 0, done.stderr
            assert done.stderr == ""
        assert fairlead("plot", "hostile.nc", "-o", "pictures", "--kind", "geometry").exit_code == 0
    assert "<script>alert" not in Path("page.html").read_text(encoding="utf-8")
