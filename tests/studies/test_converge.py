"""Finer and finer runs: what settles, with which order, and what is said when it does not."""

from __future__ import annotations

import json
import math
import sys
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

import fairlead as fl
from fairlead.cli.main import main
from fairlead.studies.converge import Level, converge, default_outputs, finer, value_of
from fairlead.studies.discovery import UnknownStudy

FILE = """
title: A weight on a rope, shaken
environment: {water_density: 0}
types:
  rope: {diameter: 0.02, mass_per_length: 0.5, axial_stiffness: 2e5, damping_time: 0.02, drag: none}
points:
  top: {kind: controlled, position: [0, 0, 0], motion: {harmonic: {amplitude: [0, 0, 0.05], period: 0.5}}}
  load: {kind: free, position: [0, 0, -5], mass: 50}
cables:
  rope: {type: rope, length: 5, elements: 2, start: top, end: load}
simulation: {formulation: bars, duration: 1, step: 0.02, output_every: 0.02}
"""


LIVELY = ("--set", "types.rope.damping_time=0.005")
"""A rope that bounces for some time."""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("converge") / "weight.yaml"
    path.write_text(FILE, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def found(path):
    return converge(path, ["cables.rope.force_start.max"], tolerance=0.03, budget=200)


def test_it_settles_and_the_finer_runs_agree(found, path):
    """A run with an eighth of the step and four times the elements is within the tolerance of what it says to use."""
    assert found.settled
    used, proof = (fl.simulate(system) for system in (found.system, finer(fl.load(path), found.step / 8, 4)))
    pulls = [value_of(fl.results.summarise(run), found.outputs[0]) for run in (used, proof)]
    assert pulls[0] == pytest.approx(pulls[1], rel=2 * found.tolerance)


def test_every_run_is_in_the_table_with_what_was_halved(found):
    rows = found.rows()
    assert rows[0] | {"values": None, "cpu_time": None} == {
        "step": 0.02, "elements_factor": 1, "halved": "", "values": None, "change": None, "order": None,
        "status": "complete", "cpu_time": None,
    }  # fmt: skip
    assert {"step", "elements", "both"} <= {row["halved"] for row in rows}
    steps = [row for row in rows if row["halved"] == "step"]
    assert [row["step"] for row in steps] == [0.02 / 2 ** (k + 1) for k in range(len(steps))]


def test_the_error_left_is_richardsons():
    """1 + h with h = 0.4, 0.2, 0.1: order 1, 0.1 left in the finest and 0.2 in the one before; h²: a third of 0.03."""
    first = Level(0.1, 1, "step", (1.1,), (0.1,), (1.0,))
    assert first.left(finer=True) == pytest.approx(0.1)
    assert first.left(finer=False) == pytest.approx(0.2)
    second = Level(0.1, 1, "step", (1.01,), (0.03,), (2.0,))
    assert second.left(finer=True) == pytest.approx(0.01)
    assert second.left(finer=False) == pytest.approx(0.04)
    assert Level(0.1, 1, "step", (math.nan,), (math.nan,), (math.nan,)).left(finer=True) == math.inf


def test_elements_of_every_kind_are_halved():
    text = FILE.replace("length: 5, elements: 2", "element_lengths: [2, 3]")
    lengths = [s.length for s in finer(fl.load_text(text), 0.01, 2).cables["rope"].segments()]
    assert lengths == pytest.approx([1, 1, 1.5, 1.5])
    part = "{type: rope, length: 2.5, elements: 3}"
    text = FILE.replace("type: rope, length: 5, elements: 2", f"sections: [{part}, {part}]")
    assert finer(fl.load_text(text), 0.01, 4).cables["rope"].element_count == 24


def test_the_command_writes_the_settings(path, tmp_path):
    out = tmp_path / "settled.yaml"
    words = ["converge", str(path), "--watch", "cables.rope.force_start.max", "--tolerance", "1%", "--step-only", "-o"]
    done = CliRunner().invoke(main, [*words, str(out), "--quiet", "--budget", "500", *LIVELY])
    assert done.exit_code == 0, done.output
    assert "at most 500 times the cost" in done.output.splitlines()[1]
    assert "settled within 1 %" in done.output
    assert fl.load(out).simulation.step < 0.02
    assert fl.load(out).cables == fl.load(path).cables


def test_two_runs_that_agree_prove_nothing(path, monkeypatch):
    """A load let go on an unstretched rope: steps of a fifth and a tenth of its bounce damp it alike, to 0.05 %, and
    the truth is half as much again. With the pulls of those runs, by the step."""
    pulls = {0.02: 706.13, 0.01: 706.48, 0.005: 714.13, 0.0025: 762.5, 0.00125: 855.9, 0.000625: 948.5}
    seen = []

    def run(self, step, factor):
        seen.append(step)
        return SimpleNamespace(attrs={"status": "complete", "cpu_time": 0.0}, pull=pulls[step])

    study = sys.modules[converge.__module__]
    monkeypatch.setattr(study._Search, "_run", run)
    monkeypatch.setattr(study, "_summary", lambda result: {"pull": result.pull})
    found = converge(path, ["pull"], tolerance=0.05, budget=63, elements=False)
    assert seen == list(pulls)
    assert not found.settled
    assert "costs 64 runs of the file; 63 of 63 are spent" in found.reason


def test_what_does_not_settle_within_the_budget_is_said_and_nothing_is_written(path, tmp_path):
    out = tmp_path / "settled.yaml"
    words = ["converge", str(path), "--tolerance", "0.01%", "--budget", "3", "--json", "--quiet", "-o", str(out)]
    done = CliRunner().invoke(main, words)
    told = json.loads(done.stdout)
    assert done.exit_code == 1
    assert not told["settled"]
    assert told["settings"] is None
    assert "3 of 3 are spent" in told["reason"]
    assert not out.exists()


def test_unknown_outputs_are_named():
    summary = {"cables": {"rope": {"tension_max": {"value": 2.0}, "lowest": None, "touchdown": {"length": 1.0}}}}
    assert value_of(summary, "cables.rope.tension_max") == 2.0
    assert math.isnan(value_of(summary, "cables.rope.lowest"))
    with pytest.raises(UnknownStudy, match=r"cables\.rope has no 'tension_mx'; did you mean 'tension_max'"):
        value_of(summary, "cables.rope.tension_mx")
    with pytest.raises(UnknownStudy, match="is no number"):
        value_of(summary, "cables.rope.touchdown")


CRANE = """
title: A load of 5 t on 30 m of wire in air, let go at 5 degrees
environment: {water_density: 0}
types:
  wire: {diameter: 0.03, mass_per_length: 1, axial_stiffness: 4e7, drag: none}
points:
  crane: {kind: fixed, position: [0, 0, 40]}
  load: {kind: free, position: [2.61788, 0, 10.07754], mass: 5000}
cables:
  wire: {type: wire, length: 30, elements: 10, start: crane, end: load, allow_stretch: true}
simulation: {formulation: lumped, duration: 66, step: 0.05, output_every: 0.25, start: catenary}
"""


@pytest.mark.parametrize("scheme", ["first_order", "second_order"])
def test_a_swing_that_the_step_damps_is_seen(scheme, tmp_path):
    """The swing of a load keeps its amplitude. The first-order step damps it by ωh/2 of critical,
    1.4 % (T = 11 s), so that four swings leave 70 %; the largest tension changes by 0.04 %."""
    path = tmp_path / "crane.yaml"
    path.write_text(CRANE, encoding="utf-8")
    words = ["converge", str(path), "--step-only", "--quiet", "--set", f"simulation.lumped.scheme={scheme}"]
    done = CliRunner().invoke(main, words)
    last = done.output.splitlines()[-1]
    assert "wire.tension_max" in done.output
    assert "load.swing.last" in done.output
    if scheme == "second_order":
        assert last == "settled within 2 %: the file's own settings are enough: step 0.05 s"
    else:
        assert last.startswith("With the file's own settings points.load.swing.last is off by ")
        assert float(last.split()[-2]) > 15.0


def test_amplitudes_of_free_points_and_bodies_are_watched_by_default():
    outputs = default_outputs(fl.load_text(FILE))
    assert outputs[:2] == ("cables.rope.tension_max", "cables.rope.tension_min")
    assert outputs[2:] == tuple(f"points.load.{swing}" for swing in ("swing.last", "swing.first", "heave.last",
                                                                     "heave.first"))  # fmt: skip
