"""`fairlead verify` and `fairlead bench`."""

from __future__ import annotations

import json
import math
import os
from types import SimpleNamespace

import numpy as np
import pytest

from fairlead.studies import benchmarks, verification
from fairlead.studies.benchmarks.measurements import start_up
from fairlead.studies.benchmarks.sinking_case import paper_case
from fairlead.studies.verification import Record


@pytest.fixture
def two_checks(monkeypatch):
    """One check that passes and fails, one that breaks down."""

    def check():
        yield Record.relative("length", "a ruler", 1.01, 1.0, 0.02)
        yield Record.absolute("width [m]", "a ruler", 1.5, 1.0, 0.1)

    def broken():
        raise ZeroDivisionError("no ruler")
        yield

    modules = {"good": SimpleNamespace(check=check), "worse": SimpleNamespace(check=broken)}
    monkeypatch.setattr(verification, "chosen", lambda package, wanted: wanted or tuple(modules))
    monkeypatch.setattr(verification, "study", lambda package, name: modules[name])


def test_records_are_judged_by_their_error():
    assert Record.relative("", "", 0.9, 1.0, 0.1000001).passed
    assert not Record.relative("", "", 1.2, 1.0, 0.1).passed
    assert Record.absolute("", "", 5.0, 0.0, 5.0).passed
    assert not Record.absolute("", "", math.nan, 0.0, 5.0).passed


@pytest.mark.usefixtures("two_checks")
def test_verify_prints_one_record_a_check_and_exits_with_3_when_one_failed(fairlead):
    result = fairlead("verify", "--json")
    assert result.exit_code == 3
    records = json.loads(result.stdout)
    assert [set(record) for record in records] == [
        {"name", "source", "value", "reference", "error", "bound", "passed"}
    ] * 3
    assert [record["passed"] for record in records] == [True, False, False]
    assert records[2]["name"] == "worse"
    assert records[2]["value"] is None
    assert "ZeroDivisionError: no ruler" in result.stderr


@pytest.mark.usefixtures("two_checks")
def test_verify_prints_a_table(fairlead):
    result = fairlead("verify", "good")
    assert result.exit_code == 3
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["check", "value", "reference", "error", "bound"]
    assert lines[2].split() == ["length", "1.01", "1", "0.01", "0.02", "ok"]
    assert lines[3].split()[-1] == "FAILED"
    assert lines[4] == "2 comparisons, 1 failed"


def test_the_shipped_check_of_the_catenary_passes(fairlead):
    result = fairlead("verify", "discrete_catenary", "--json")
    assert result.exit_code == 0
    assert len(json.loads(result.stdout)) == 5


def test_an_unknown_check_gets_the_nearest_name(fairlead):
    result = fairlead("verify", "discrete_catenry")
    assert result.exit_code == 2
    assert "did you mean 'discrete_catenary'?" in result.stderr
    assert result.stdout == ""


def test_all_unknown_measurements_are_told_and_no_table_is_begun(fairlead):
    result = fairlead("bench", "bar_cots", "start_up", "pack")
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        "there is no 'bar_cots'; did you mean 'bar_cost'?", "there is no 'pack'; did you mean 'packs'?"
    ]  # fmt: skip
    assert result.stdout == ""


def test_every_check_and_measurement_says_what_it_is(fairlead):
    for command, package in (("verify", verification), ("bench", benchmarks)):
        listed = fairlead(command, "--list").stdout
        assert package.names()
        for name, title in package.names().items():
            assert title, name
            assert name in listed


def test_bench_prints_one_record_a_measurement(fairlead, monkeypatch):
    records = [benchmarks.Record("run", 2.0, "s", "other 1.0", 10.0), benchmarks.Record("alone", 1.0, "s")]
    monkeypatch.setattr(benchmarks, "run", lambda *names: iter(records))
    printed = json.loads(fairlead("bench", "--json").stdout)
    assert printed[0] == {
        "name": "run", "value": 2.0, "unit": "s", "peer": "other 1.0", "peer_value": 10.0, "ratio": 5.0,
    }  # fmt: skip
    assert printed[1]["peer_value"] is printed[1]["ratio"] is None
    assert fairlead("bench").stdout.splitlines()[2].split() == ["run", "2", "s", "other", "1.0", "10", "5"]


def test_bench_says_why_it_does_not_measure(fairlead, monkeypatch):
    """One measurement that the machine cannot make is told, and the others go on."""
    records = [benchmarks.Skipped("members on a GPU", "no GPU here"), benchmarks.Record("alone", 1.0, "s")]
    monkeypatch.setattr(benchmarks, "run", lambda *names: iter(records))
    assert "members on a GPU: not measured: no GPU here" in fairlead("bench").stdout
    assert json.loads(fairlead("bench", "--json").stdout)[0] == {"name": "members on a GPU", "skipped": "no GPU here"}


def test_memory_of_a_run_is_that_of_its_process_alone(tmp_path):
    """A large parent does not count: ru_maxrss begins with the parent's, VmHWM does not."""
    case = tmp_path / "case.yaml"
    case.write_text(paper_case(0.1).with_settings(duration=0.2, output_every=0.1).to_yaml(), encoding="utf-8")
    first = start_up._run(case, dict(os.environ))[2]
    held = np.ones(100_000_000)  # 800 MB in this process
    again = start_up._run(case, dict(os.environ))[2]
    assert held[0] == 1.0
    assert again < first + 400.0
