"""`fairlead study`: plan, run, status, resume."""

from __future__ import annotations

import json

import pytest
from study.conftest import LINE, STUDY

from fairlead.results import ResultError
from fairlead.study.store import Store


@pytest.fixture
def storm(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "line.yaml").write_text(LINE)
    (tmp_path / "storm.yaml").write_text(STUDY)
    return tmp_path


@pytest.mark.usefixtures("storm")
def test_a_plan_tells_scenarios_costs_time_and_memory(fairlead):
    lines = fairlead("study", "plan", "storm.yaml", "--workers", 2).stdout.splitlines()
    assert lines[2].split(maxsplit=3) == ["environment.waves.significant_height", "2", "values", "constants only"]
    assert lines[4] == "4 scenarios; all share one start"
    assert lines[5].startswith("engine here: 2 workers, ")
    assert lines[6].startswith("engine dask: about ")
    assert lines[7] == "engine gpu: carries it"
    assert lines[8].startswith("memory ")
    plan = json.loads(fairlead("study", "plan", "storm.yaml", "--json").stdout)
    assert plan["scenarios"] == 4
    assert plan["starts"] == 1


@pytest.mark.usefixtures("storm")
def test_a_run_ends_with_a_table_and_can_be_asked_about(fairlead):
    assert fairlead("study", "status", "storm.yaml").stdout.startswith("0 of 4 scenarios in storm.study")
    result = fairlead("study", "run", "storm.yaml", "--workers", 1)
    assert result.exit_code == 0
    assert "line.tension@top.max" in result.stdout
    assert "complete: 4 of 4 scenarios, 0 failed" in result.stdout
    assert fairlead("study", "status", "storm.yaml", "--json").stdout.count('"done": 4') == 1
    again = fairlead("study", "run", "storm.yaml")
    assert again.exit_code == 2
    assert "are there already; resume runs what is missing" in again.stderr
    numbers = json.loads(fairlead("study", "resume", "storm.yaml", "--json").stdout)
    assert numbers["channels"]["line.tension@top.max"]["max"] > numbers["channels"]["line.tension@top.mean"]["max"]


@pytest.mark.usefixtures("storm")
def test_why_it_stopped_is_told_in_quiet_too(fairlead, monkeypatch):
    def full(self, batch):
        raise ResultError("storm.study: cannot write; free some space")

    monkeypatch.setattr(Store, "write", full)
    result = fairlead("study", "run", "storm.yaml", "--workers", 1, "-q")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == "stopped: storm.study: cannot write; free some space\n"
    told = fairlead("study", "run", "storm.yaml", "--workers", 1).stdout
    assert "what is done is kept in storm.study; `fairlead study resume` goes on" in told
    assert "results in" not in told


@pytest.mark.usefixtures("storm")
def test_a_cluster_that_is_not_there_is_told_and_nothing_is_begun(fairlead):
    result = fairlead("study", "run", "storm.yaml", "--cluster", "nowhere")
    assert result.exit_code == 2
    assert result.stderr.startswith("--cluster nowhere: is no place of a cluster")
    assert fairlead("study", "status", "storm.yaml").stdout.startswith("0 of 4 scenarios")


def test_a_wrong_study_lists_its_mistakes_and_exits_with_2(fairlead, storm):
    (storm / "storm.yaml").write_text(STUDY.replace("significant_height", "height").replace("@top", "@tip"))
    result = fairlead("study", "plan", "storm.yaml")
    assert result.exit_code == 2
    assert "storm.yaml:5:3: " in result.stderr
    assert "storm.yaml:10:3: " in result.stderr
