"""What is kept: ticks that come back as they were, segments of the usual kind, and one file of all of them."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairlead.live.recording.joined import join
from fairlead.live.recording.log import Heard, Log, Past, Tick, replace_file
from fairlead.live.recording.segments import record, sample, told
from fairlead.results import ResultError, open_result

from .clients import Sea

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
FIELDS = st.dictionaries(st.text(max_size=3), FLOATS, max_size=3)
HEARD = st.lists(st.builds(Heard, st.text(max_size=5), FIELDS, FLOATS), max_size=4).map(tuple)
TICKS = st.builds(Tick, st.integers(0, 10**9), FLOATS, HEARD)


@settings(max_examples=60)
@given(TICKS)
def test_a_tick_comes_back_bit_for_bit(tick):
    assert Tick.of(tick.line()) == tick


@settings(max_examples=60)
@given(st.text(max_size=60))
def test_no_line_makes_reading_raise(line):
    Tick.of(line)


def ticks(count: int) -> list[Tick]:
    return [Tick(k, 0.1 * k, (Heard("gps", {"x": 0.3 * k, "y": 1.0}, 0.1 * k - 0.05),)) for k in range(count)]


def test_a_log_is_read_as_it_was_written_over_all_its_files_and_a_torn_line_is_dropped(tmp_path):
    log = Log(tmp_path, 1.6e9, segment=2.0, identity="abc")
    for tick in ticks(100):
        log.write(tick)
    log.close()
    files = sorted(tmp_path.glob("heard_*.jsonl"))
    assert len(files) == 5
    past = Past.of(tmp_path)
    assert past.epoch == 1.6e9
    assert list(past.ticks()) == ticks(100)
    assert list(past.ticks(after=61)) == ticks(100)[62:]
    with open(files[-1], "a") as file:
        file.write('{"tick":100,"until":10.0,"hea')
    assert list(past.ticks()) == ticks(100)
    with pytest.raises(ResultError, match="no log of a live twin"):
        Past.of(tmp_path / "elsewhere")


def test_an_epoch_that_could_not_be_written_is_tried_again(tmp_path, monkeypatch):
    def full(path, data):
        raise OSError("no space left on device")

    for again in (Log.sync, lambda log: log.set_epoch(log.epoch)):
        log = Log(tmp_path, 1.6e9)
        kept = Past.of(tmp_path).epoch
        with monkeypatch.context() as disk:
            disk.setattr("fairlead.live.recording.log.replace_file", full)
            with pytest.raises(OSError, match="no space"):
                log.set_epoch(kept + 20.0)
            log.sync()
        assert Past.of(tmp_path).epoch == kept
        again(log)
        assert Past.of(tmp_path).epoch == kept + 20.0


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "state"
    replace_file(path, b"one")
    replace_file(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


def test_segments_are_results_of_the_usual_kind_and_are_joined_to_one(tmp_path):
    """25 s in files of 10 s; the variables are those of any run, so that plots, views and reports open them."""
    sea = Sea()
    rows = [sample(float(k), 1.6e9 + k, sea.row(float(k))) for k in range(25)]
    head = told(tmp_path, sea.shape, {"title": "A tow", "formulation": "bars"}, 10.0, 1e9)
    record(io.BytesIO(head + b"".join(rows) + b"torn"))
    files = sorted(tmp_path.glob("live_*.nc"))
    assert [file.name for file in files] == [f"live_20200913T12{s}Z.nc" for s in (2640, 2650, 2700)]
    parts = [open_result(file) for file in files]
    assert [part.sizes["time"] for part in parts] == [10, 10, 5]
    assert parts[1]["tension_effective"].values[3, 0] == pytest.approx(sea.shape.node_table(sea.row(13.0), 0)[:, 6])
    assert parts[0].attrs["start_utc"].startswith("2020-09-13T12:26:40")
    assert parts[0].attrs["status"] == "complete"
    assert join(tmp_path, tmp_path / "whole.nc") == 25
    whole = open_result(tmp_path / "whole.nc")
    assert whole["time"].values.tolist() == list(map(float, range(25)))
    assert np.array_equal(whole["position"].values[10:20], parts[1]["position"].values)
    with pytest.raises(ResultError, match="no recording"):
        join(tmp_path / "none", tmp_path / "x.nc")


def test_the_file_is_finished_after_the_twin_was_killed(tmp_path):
    program = (
        "import sys, os, signal\nsys.path.insert(0, sys.argv[2])\n"
        "from pathlib import Path\nfrom live.clients import Sea\n"
        "from fairlead.live.recording.segments import Segments\n"
        "sea = Sea()\nsegments = Segments(Path(sys.argv[1]), sea.shape, {'title': 'A tow'})\n"
        "for k in range(7): segments.put(float(k), 1.6e9 + k, sea.row(float(k)))\n"
        "while not segments._rows.empty(): pass\n"
        "import time; time.sleep(0.2)\nprint(segments._process.pid, flush=True)\nos.kill(os.getpid(), signal.SIGKILL)\n"
    )
    here = str(Path(__file__).parents[1])
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path), here], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    end = time.monotonic() + 30.0
    while Path(f"/proc/{done.stdout.strip()}/cmdline").exists() and time.monotonic() < end:
        if Path(f"/proc/{done.stdout.strip()}/status").read_text().split("State:")[1].split()[0] == "Z":
            break
        time.sleep(0.05)
    [file] = tmp_path.glob("live_*.nc")
    assert open_result(file).sizes["time"] == 7
    assert open_result(file).attrs["status"] == "complete"


def test_the_folder_of_a_log_is_for_its_owner_only(tmp_path):
    from fairlead.live.recording.log import Log

    Log(tmp_path / "log", 0.0)
    assert (tmp_path / "log").stat().st_mode & 0o077 == 0
