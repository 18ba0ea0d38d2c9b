"""Every file in `examples/` runs as it is."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner
from marks import slowly

import fairlead as fl
from fairlead.cli.main import main
from fairlead.model import warnings

from .files import IN_FOLDERS, NAMES, example

SHORT = 3.0
"""s"""


def test_there_are_examples():
    assert "sinking_cables" in NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_file_teaches(name):
    text = example(name).read_text(encoding="utf-8")
    assert text.startswith("# "), "an example begins with what it is about"
    assert "# What to look at:" in text or name == "sinking_cables"
    assert fl.load(example(name)).title


@pytest.fixture(scope="module", params=NAMES)
def ran(request, tmp_path_factory):
    """Each example, run for a short while by the command, once for all tests: system, result file, what was said."""
    name = request.param
    system = fl.load(example(name))
    step = system.simulation.step
    short = SHORT if system.hydro is None else SHORT / 6  # water is dear
    every = step * max(round(short / 6 / step), 1)
    file = tmp_path_factory.mktemp(name) / f"{name}.nc"
    options = ["-o", file, "--duration", repr(every * round(short / every)), "--output-every", repr(every)]
    done = CliRunner().invoke(main, ["run", str(example(name)), *map(str, options)])
    assert done.exit_code == 0, done.output
    return system, file, short, done


def test_it_runs(ran):
    system, file, short, done = ran
    said = done.stdout
    result = fl.open_result(file)
    assert result.attrs["status"] == "complete"
    assert "simulated " in said
    assert ("largest tension" in said) == bool(system.cables)
    assert float(result.time[-1]) == pytest.approx(short, abs=0.5)
    for cable in system.cables:
        nodes = result.sel(cable=cable).isel(node=slice(0, int(result.node_count.sel(cable=cable))))
        paid_out = np.isfinite(nodes["position"].values[..., 2])
        assert paid_out.all() or system.cables[cable].winch is not None
        for quantity in ("position", "velocity", "tension_effective", "shear", "bending_moment", "torsion"):
            assert np.isfinite(nodes[quantity].values[paid_out]).all(), quantity
    moving = "velocity" if "velocity" in result else "point_velocity"
    speed = np.linalg.norm(result[moving].values, axis=-1)
    assert np.nanmax(speed) < 5.0, "nothing in these examples moves fast in its first seconds"


TAUGHT = {
    "paper_cable_swinging": ("is heavier than lead", "stretches by 15 %"),
    "rov_tether": ("elements are long for its curvature",),
    "seismic_front_end": ("EI = ", "GJ = ", "lost their tension"),
    "sinking_cables": ("EI = ", "GJ = ", "lost its tension"),
    "sinking_cables_paper_tuning": ("EI = ", "GJ = "),
    "tether_15_nodes": ("elements are long for its curvature",),
    "seismic_co_simulation/port": ("EI = ", "GJ = ", "lost their tension"),
    "seismic_co_simulation/starboard": ("EI = ", "GJ = ", "lost their tension"),
    "twin_front_end/front_end": ("EI = ", "GJ = ", "lost their tension"),
}
"""Warnings of which the file itself speaks, because it keeps the numbers of a paper or shows what they are worth."""


def assert_it_warns_of_nothing_but_what_it_teaches(name, system, done):
    """In the check of the file, before the run and after it."""
    taught = TAUGHT.get(name, ())
    warned = [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
    warned += map(str, warnings(system))
    assert [line for line in warned if not any(words in line for words in taught)] == []
    assert [words for words in taught if not any(words in line for line in warned)] == [], "it no longer warns of this"
    assert not taught or "`fairlead check` warns" in example(name).read_text(encoding="utf-8")


def test_it_warns_of_nothing_but_what_it_teaches(ran):
    system, file, _, done = ran
    assert_it_warns_of_nothing_but_what_it_teaches(file.stem, system, done)


@pytest.mark.parametrize("name", [name for name in IN_FOLDERS if name != "uncertainty_quantification/cable"])
def test_a_model_in_a_folder_warns_of_nothing_but_what_it_teaches(name, tmp_path):
    """All but the one that runs on a reduced model that is to be made first."""
    system = fl.load(example(name))
    every = system.simulation.step * max(round(0.5 / system.simulation.step), 1)
    options = ["-o", tmp_path / "run.nc", "--duration", repr(6 * every), "--output-every", repr(every)]
    done = CliRunner().invoke(main, ["run", str(example(name)), *map(str, options)])
    assert done.exit_code == 0, done.output
    assert_it_warns_of_nothing_but_what_it_teaches(name, system, done)


COMMANDS = {
    "plot": ("{kind}.png", ("-o", ".")),
    "report": ("page.html", ("-o", "page.html", "--no-open")),
    "view": ("replay.html", ("-o", "replay.html", "--no-open")),
    "film": ("film.gif", ("-o", "film.gif", "--size", "160x120", "--rate", "1", "--speed", "1.5")),
}
"""What each writes of a result, and how it is asked to."""


@pytest.mark.parametrize("turn", [0, *slowly(1, 2, 3)])
def test_its_result_goes_through_every_command(ran, turn, tmp_path, monkeypatch):
    """Every example through one of the commands, each of which has a fourth of them; `make verify` has the rest."""
    monkeypatch.chdir(tmp_path)
    command = tuple(COMMANDS)[(NAMES.index(ran[1].stem) + turn) % len(COMMANDS)]
    written, options = COMMANDS[command]
    kind = "tension_history" if ran[0].cables else "floaters"  # one picture, however many cables
    monkeypatch.setattr("fairlead.view.report.report.FIGURES", ())  # figures have tests of their own
    only = ("--kind", kind) if command == "plot" else ()
    done = CliRunner().invoke(main, [command, str(ran[1]), *options, *only])
    assert done.exit_code == 0, done.output
    assert (tmp_path / written.format(kind=kind)).stat().st_size > 1000


@pytest.mark.parametrize("name", NAMES)
def test_it_survives_a_round_trip_through_python(name):
    system = fl.load(example(name))
    assert fl.load_text(system.to_yaml(), "again.yaml") == system
