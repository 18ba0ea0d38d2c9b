"""`fairlead fmu` and `fairlead cosim` on the command line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import xarray as xr
from click.testing import CliRunner

from fairlead.cli import cosim
from fairlead.cli.main import main
from fairlead.cosim.fmu import link

from .host import Host
from .systems import LINE

SIGNALS = "signals: {top.position: {unit: m, base: [0, 0, -1], harmonic: {amplitude: [1, 0, 0], period: 5}}}\n"
SETUP = """
title: A line and where its top is told to be
step: 0.05
duration: 1
output_every: 0.5
fmus: {told: told.yaml, line: line.fmu}
connections: {told.top.position: line.top.position}
outputs: [line.tension_max, line.upper.force_start]
"""


def fairlead(*arguments: object):
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    section = (
        "fmu: {inputs: [top.position], outputs: [tension_max, upper.force_start], parameters: [environment.viscosity]}"
    )
    (tmp_path / "line.yaml").write_text(f"{LINE}{section}\n")
    (tmp_path / "told.yaml").write_text(SIGNALS)
    (tmp_path / "setup.yaml").write_text(SETUP)
    return tmp_path


def test_the_file_chooses_what_the_fmu_shows_and_the_summary_says_it(folder):
    done = fairlead("fmu", "line.yaml", "--target", link.host())
    assert done.exit_code == 0, done.output
    assert (folder / "line.fmu").exists()
    for words in ("FMI 3.0", link.host(), "top.position", "tension_max, upper.force_start", "environment.viscosity"):
        assert words in done.stdout
    host = Host(folder / "line.fmu")
    assert set(host.references) == {
        "time", "top.position", "tension_max", "upper.force_start", "environment.viscosity"
    }  # fmt: skip
    host.close()


def test_json_tells_every_variable_with_its_unit(folder):
    done = fairlead("fmu", "line.yaml", "-o", "two.fmu", "--fmi", "2", "--target", link.host(), "--json",
                    "--parameter", "types.rope.bending_stiffness")  # fmt: skip
    told = json.loads(done.stdout)
    units = {v["name"]: v["unit"] for v in told["variables"]}
    assert told["fmi"] == "2.0"
    assert units["top.position.z"] == "m"
    assert units["types.rope.bending_stiffness"] == "N.m2"
    assert "environment.viscosity" not in units


def test_fmus_run_together_and_leave_a_result(folder):
    assert fairlead("fmu", "line.yaml", "--target", link.host(), "-q").exit_code == 0
    done = fairlead("cosim", "setup.yaml", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["status"] == "complete"
    assert told["outputs"] == ["line.tension_max", "line.upper.force_start"]
    with xr.open_dataset(folder / "setup.nc", engine="h5netcdf") as result:
        assert result.time.to_numpy().tolist() == [0.0, 0.5, 1.0]
        assert result["line.upper.force_start"].shape == (3, 3)
    done = fairlead("cosim", "setup.yaml", "-o", "out.csv")
    assert "x real time" in done.stdout
    assert len((folder / "out.csv").read_text().splitlines()) == 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("fmu", "line.yaml", "-o", "line.zip"), ["ends in .fmu"]),
        (("fmu", "line.yaml", "--output-variable", "uper.force_start"), ["uper.force_start", "upper.force_start"]),
        (("fmu", "line.yaml", "--parameter", "types.rope.density"), ["types.rope.density", "start: statics"]),
        (("fmu", "line.yaml", "--target", "vax-vms"), ["vax-vms", "x86_64-linux"]),
        (("fmu", "told.yaml", "--parameter", "a"), ["signals"]),
        (("fmu", "nowhere.yaml"), ["nowhere.yaml"]),
        (("cosim", "setup.yaml"), ["fmus.line", "line.fmu"]),
        (("cosim", "setup.yaml", "-o", "out.txt"), [".nc or .csv"]),
        (("cosim", "line.yaml"), ["line.yaml", "fmus"]),
    ],
)
def test_what_is_wrong_is_said_with_its_cure(folder, arguments, words):
    done = fairlead(*arguments)
    assert done.exit_code == 2, done.output
    assert all(word in done.output for word in words), done.output


def test_help_explains_with_examples():
    for name in ("fmu", "cosim"):
        page = fairlead(name, "--help").stdout
        assert "Examples:" in page
        assert "Exit codes:" in page
    assert "`bars`, `lumped`, `tether` and `links` can be FMUs" in fairlead("fmu", "--help").stdout


def test_what_cannot_be_an_fmu_says_what_can(folder):
    (folder / "chain.yaml").write_text(
        "points: {A: {kind: fixed, position: [0, 0, -5]}, B: {kind: controlled, position: [8, 0, -5]}}\n"
        "types: {wire: {diameter: 0.02, density: 7850, youngs_modulus: 2e11}}\n"
        "cables: {line: {type: wire, length: 10, elements: 4, start: A, end: B}}\n"
        "simulation: {formulation: chain, start: catenary, duration: 0.5, step: 0.01}\n"
    )
    done = fairlead("fmu", "chain.yaml")
    assert done.exit_code == 2
    assert "the formulation 'chain' cannot be an FMU; bars, lumped, tether, links can: use" in done.output


def test_a_co_simulation_may_keep_to_the_clock(folder):
    (folder / "played.yaml").write_text("fmus: {told: told.yaml}\nstep: 0.05\nduration: 0.1\n")
    done = fairlead("cosim", "played.yaml", "--real-time", "--speed", "10", "--json")
    assert done.exit_code == 0, done.output
    kept = json.loads(done.stdout)["real_time"]
    assert (kept["speed"], kept["steps"]) == (10.0, 2)
    assert fairlead("cosim", "played.yaml", "--speed", "2").exit_code == 2


@pytest.mark.slow
def test_the_worked_example_of_the_guide_runs(tmp_path, monkeypatch):
    """Its three files as they are printed, for two seconds; starboard mirrors port."""
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).resolve().parents[2] / "docs" / "co_simulation.md").read_text(encoding="utf-8")
    port, positions, together = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    Path("port.yaml").write_text(port)
    Path("starboard.yaml").write_text(port.replace("[0, 5, 0]", "[0, -5, 0]").replace("[-150, 60,", "[-150, -60,"))
    Path("positions.yaml").write_text(positions)
    Path("together.yaml").write_text(together.replace("duration: 200", "duration: 2"))
    assert fairlead("fmu", "port.yaml", "--target", link.host()).exit_code == 0
    done = fairlead("cosim", "together.yaml", "-o", "together.nc")
    assert done.exit_code == 0, done.output
    with xr.open_dataset("together.nc", engine="h5netcdf") as result:
        port_force, starboard_force = result["port.tow.force_start"], result["starboard.tow.force_start"]
        # denser water on the port side, as its start value says: almost, but not quite a mirror image
        assert float(abs(port_force[0, 1] + starboard_force[0, 1])) < 0.05 * float(abs(port_force[0, 1]))
        assert float(port_force[0, 0]) != float(starboard_force[0, 0])


def test_progress_is_counted_from_the_first_step_on(monkeypatch, capsys):
    """Minutes in which FMUs are made are announced and are no part of the speed."""
    clock = iter([0.0, 250.0, 262.0])
    monkeypatch.setattr(cosim.time, "perf_counter", lambda: next(clock))
    progress = cosim._Progress(60.0, quiet=False)
    progress.making(["port.yaml"])
    progress.update(0.1)
    progress.update(24.1)
    progress.close()
    told = capsys.readouterr().err.splitlines()
    assert told == [
        "making FMUs of port.yaml (minutes, where kernels must be compiled first)", "t = 24.1 of 60 s, 2 x real time",
    ]  # fmt: skip


def test_fmpy_prints_nothing_into_what_we_print():
    call = [sys.executable, "-c", "from fairlead.cli.cosim import fetch_fmpy; fetch_fmpy(); import fmpy.fmi2"]
    assert subprocess.run(call, capture_output=True, text=True, timeout=300, check=True).stdout == ""
