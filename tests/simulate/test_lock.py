"""Two runs never write the same result at once."""

from __future__ import annotations

import os
from pathlib import Path

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


@pytest.mark.parametrize("make", [Path.symlink_to, Path.hardlink_to])
def test_a_lock_that_leads_elsewhere_harms_nothing(tmp_path, make):
    """Somebody who may write into the folder cannot have another file emptied."""
    precious = tmp_path / "precious.txt"
    precious.write_text("years of work")
    make(tmp_path / ".run.nc.lock", precious)
    if make is Path.symlink_to:
        with pytest.raises(ResultError, match=r"which is a link where the lock of the result should be"):
            new().run(duration=0.1, output=tmp_path / "run.nc")
    else:
        new().run(duration=0.1, output=tmp_path / "run.nc")
    assert precious.read_text() == "years of work"


def test_a_pipe_in_place_of_the_lock_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / ".run.nc.lock")
    with pytest.raises(ResultError, match="no plain file"):
        new().run(duration=0.1, output=tmp_path / "run.nc")
