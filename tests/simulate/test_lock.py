"""Two runs never write the same result at once."""

from __future__ import annotations

import os

import pytest

from fairlead.results import ResultError
from fairlead.simulate import Simulation
from fairlead.simulate.lock import ResultLock

from .toy import Toy, chain


def new() -> Simulation:
    return Simulation.of(Toy(chain()))


def test_a_second_run_to_the_same_file_is_refused_and_harms_nothing(tmp_path):
    output = tmp_path / "run.nc"
    refused = []

    def meanwhile() -> bool:
        if not refused:
            with pytest.raises(ResultError) as caught:
                new().run(output=output)
            refused.append(str(caught.value))
        return False

    result = new().run(duration=0.3, output=output, stop=meanwhile)
    assert refused == [
        f"{output}: another run (process {os.getpid()}) is writing this result now; wait for it to end, or choose "
        "another file with -o"
    ]
    assert result.attrs["status"] == "complete"
    assert os.listdir(tmp_path) == ["run.nc"], "nothing is left behind"


def test_other_files_are_not_in_the_way(tmp_path):
    with ResultLock(tmp_path / "other.nc"):
        assert new().run(duration=0.1, output=tmp_path / "run.nc").attrs["status"] == "complete"


def test_what_a_killed_run_left_is_no_lock(tmp_path):
    (tmp_path / ".run.nc.lock").write_text("12345")
    assert new().run(duration=0.1, output=tmp_path / "run.nc").attrs["status"] == "complete"
    assert os.listdir(tmp_path) == ["run.nc"]


def test_a_run_that_fails_lets_go(tmp_path):
    output = tmp_path / "run.nc"
    with pytest.raises(ValueError, match="duration"):
        new().run(duration=-1.0, output=output)
    assert os.listdir(tmp_path) == []


def test_a_folder_that_is_not_there_is_told_as_ever(tmp_path):
    with pytest.raises(ResultError, match="there is no folder"):
        new().run(output=tmp_path / "nowhere" / "run.nc")
