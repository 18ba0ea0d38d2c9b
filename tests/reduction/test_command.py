"""`fairlead reduce` and `fairlead run --formulation reduced --model`."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from fairlead.cli.main import main
from fairlead.results import open_result
from fairlead.simulate import Simulation
from fairlead.studies.verification.checks.reduced_slack_cable import short


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("reduce")
    system = short(1, duration=10.0)
    Simulation(system).run(output=place / "run.nc")
    (place / "cable.yaml").write_text(system.to_yaml(), encoding="utf-8")
    return place


def call(*words, code=0):
    outcome = CliRunner().invoke(main, [str(word) for word in words])
    assert outcome.exit_code == code, outcome.output
    return outcome.output


def test_from_a_full_run_to_a_fast_one(folder):
    model, fast = folder / "cable.rom.nc", folder / "fast.nc"
    said = call("reduce", folder / "run.nc", "--modes", 9, "--tension-modes", 5, "-o", model)
    assert "9 modes of the motion, 5 tension modes, 5 shapes against locking" in said
    assert "singular values" in said
    call("run", folder / "cable.yaml", "--formulation", "reduced", "--model", model, "--step", 0.025, "-o", fast, "-q")
    full, own = open_result(folder / "run.nc"), open_result(fast)
    assert own.attrs["formulation"] == "reduced"
    assert np.abs(full["position"].values - own["position"].values).max() < 0.02


def test_report_as_json(folder):
    numbers = json.loads(
        call("reduce", folder / "run.nc", "--tolerance", 0.02, "-o", folder / "chosen.rom.nc", "--json")
    )
    assert numbers["error"] <= 0.02
    assert numbers["singular_values"] == sorted(numbers["singular_values"], reverse=True)


def test_what_cannot_be_used_is_told(folder):
    assert "no such file" in call("reduce", folder / "nothing.nc", "-o", folder / "x.rom.nc", code=2)
    assert "modes were asked for" in call(
        "reduce", folder / "run.nc", "--modes", 500, "-o", folder / "x.rom.nc", code=2
    )
    assert "is not a reduced model" in call(
        "run", folder / "cable.yaml", "--formulation", "reduced", "--model", folder / "run.nc", "--step", 0.025,
        "-o", folder / "x.nc", code=2,
    )  # fmt: skip
