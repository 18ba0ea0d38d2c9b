"""The study that ships: it is right, and its first scenario runs."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
import fairlead.study
from fairlead.ensembles.bench import Bench
from fairlead.ensembles.cluster import ClusterFile
from fairlead.model.loader import read_as
from fairlead.study import read_study
from fairlead.study.costs import STRUCTURE, Costs
from fairlead.study.file import StudyFile
from fairlead.study.job import StudyJob

ROOT = Path(__file__).resolve().parents[2]
STORM = ROOT / "examples" / "storm_extremes" / "storm.yaml"


def test_the_shipped_study_is_forty_storms_of_a_year(tmp_path):
    study = fl.Study(STORM, folder=tmp_path)
    assert len(study) == 40
    weights = [study.ready.scenarios.weight(i) for i in range(40)]
    assert sum(weights) == 8 * 8500.0
    assert {study.values(i)["cables"] for i in range(40)} == {"", "north"}
    assert sorted(study.scenario(1).cables) == ["east", "west"]


def test_a_storm_runs():
    text = STORM.read_text(encoding="utf-8")
    text = text.replace("duration: 5 min, discard: 60 s", "duration: 4, discard: 1").replace("60 s}", "1 s}")
    study = fl.Study(read_study(text, str(STORM)))
    job = StudyJob(study.ready, Costs(study.ready, (STRUCTURE,) * 3))
    found = job.run(np.array([0]), Bench(), lambda: False)
    assert found.status == ["complete"]
    assert np.isfinite(found.values).all()


def test_a_lowering_runs_at_every_speed(tmp_path):
    """The winch comes to its speed in 5 s; the pull on the hook before that is the weight in air."""
    file = ROOT / "examples" / "lowering_limit" / "limit.yaml"
    text = file.read_text(encoding="utf-8").replace("duration: 60 s", "duration: 2 s")
    study = fl.Study(read_study(text, str(file)), folder=tmp_path)
    assert len(study) == 60
    assert [study.scenario(i).cables["wire"].winch.table[1] for i in (0, 1, 59)] == [(5.0, 0.2), (5.0, 0.2), (5.0, 1.0)]
    found = StudyJob(study.ready, Costs(study.ready, (STRUCTURE,) * 3)).run(np.array([0]), Bench(), lambda: False)
    assert found.status == ["complete"]
    assert found.values[0, 0] == pytest.approx(5000 * 9.81, rel=0.1)


def test_the_file_and_the_python_of_the_page_are_right():
    page = (ROOT / "docs" / "many_runs.md").read_text(encoding="utf-8")
    file, of_cluster = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert isinstance(read_study(file), StudyFile)
    assert read_as(ClusterFile, of_cluster, "slurm.yaml", "", lambda mistake: mistake)[0].queue == "slurm"
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        compile(block, "many_runs.md", "exec")
        for names in re.findall(r"from fairlead\.study import (.*)", block):
            assert set(names.split(", ")) <= set(fairlead.study.__all__)


@pytest.mark.parametrize("key", sorted(StudyFile.model_fields))
def test_the_page_names_every_key_of_the_file(key):
    assert f"{key}:" in (ROOT / "docs" / "many_runs.md").read_text(encoding="utf-8")
