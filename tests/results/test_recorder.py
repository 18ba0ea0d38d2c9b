"""The recorder: what is appended is on disk after a flush, whole, or the disk holds what it held before."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import h5py
import numpy as np
import pytest
import xarray as xr

from fairlead.results import Recorder, Restart, ResultError, open_result, places, read_restart, rows_of

from .sinking import METADATA


def record(path, shape, times, rows, **options):
    recorder = Recorder(path, shape, METADATA, **options)
    for time, row in zip(times, rows, strict=True):
        recorder.append(time, row)
    return recorder


@pytest.fixture(scope="module")
def whole(tmp_path_factory, shape, times, rows) -> Path:
    """The file of a complete run."""
    path = tmp_path_factory.mktemp("whole") / "run.nc"
    record(path, shape, times, rows).close(restart=Restart(600.0, 600, np.arange(5.0)))
    return path


def test_file_and_memory_hold_the_same_dataset(whole, dataset):
    xr.testing.assert_identical(open_result(whole), dataset)


@pytest.mark.parametrize("small", [0, 1 << 30], ids=["read again", "from memory"])
def test_what_is_handed_back_is_what_the_file_holds(tmp_path, shape, times, rows, monkeypatch, small):
    monkeypatch.setattr("fairlead.results.recorder.SMALL", small)
    recorder = record(tmp_path / "run.nc", shape, times, rows)
    recorder.close()
    xr.testing.assert_identical(recorder.dataset(), open_result(tmp_path / "run.nc"))


def test_plain_xarray_opens_the_file(whole, dataset):
    with xr.open_dataset(whole, engine="h5netcdf") as plain:
        assert set(plain.data_vars) == set(dataset.data_vars)
        assert set(plain.coords) == set(dataset.coords)
        assert np.isnan(plain["position"].encoding["_FillValue"]), "where a cable has no more nodes"
    with xr.open_dataset(whole, engine="h5netcdf", group="restart") as state:
        assert state["y"].values.tolist() == [0, 1, 2, 3, 4]


def test_every_dimension_has_a_number_of_its_own(whole):
    """By them, not by names, the C library of NetCDF tells dimensions apart, those of groups included."""
    with h5py.File(whole) as file:
        scales = [item for place in (file, file["restart"]) for item in place.values() if "_Netcdf4Dimid" in item.attrs]
        assert {"/time", "/node", "/restart/state"} <= {scale.name for scale in scales}
        assert sorted(scale.attrs["_Netcdf4Dimid"] for scale in scales) == list(range(len(scales)))


def test_the_same_run_gives_the_same_bytes(tmp_path, whole, shape, times, rows):
    record(tmp_path / "again.nc", shape, times, rows).close(restart=Restart(600.0, 600, np.arange(5.0)))
    assert (tmp_path / "again.nc").read_bytes() == whole.read_bytes()


def test_the_memory_grows_as_needed(shape):
    recorder = Recorder(None, shape, {})
    for k in range(1000):
        recorder.append(float(k), np.full(shape.size, float(k)))
    assert recorder.times.tolist() == list(range(1000))
    assert np.array_equal(recorder.rows[:, 17], np.arange(1000.0))


def test_rows_of_wrong_size_or_order_are_refused(shape):
    recorder = Recorder(None, shape, {})
    recorder.append(1.0, np.zeros(shape.size))
    with pytest.raises(ValueError, match="numbers"):
        recorder.append(2.0, np.zeros(shape.size + 1))
    with pytest.raises(ValueError, match="follows one at 1"):
        recorder.append(1.0, np.zeros(shape.size))


def test_restart_state_survives_to_the_last_bit(tmp_path, shape, times, rows):
    path = tmp_path / "run.nc"
    state = Restart(1.0 / 3.0, 2**40, np.random.default_rng(1).normal(size=1328), layout="bars:abc", input_hash="def")
    record(path, shape, times, rows).flush(lambda: state)
    back = read_restart(path)
    assert (back.time, back.steps, back.layout, back.input_hash) == (1.0 / 3.0, 2**40, "bars:abc", "def")
    assert back.samples == len(times)
    assert np.array_equal(back.y, state.y)
    back.require(layout="bars:abc", input_hash="def", path="run.nc")
    with pytest.raises(ResultError, match="input differs"):
        back.require(layout="bars:abc", input_hash="other", path="run.nc")
    with pytest.raises(ResultError, match="layout"):
        back.require(layout="bars:other", input_hash="def", path="run.nc")


def test_a_resumed_recording_equals_an_uninterrupted_one(tmp_path, whole, shape, times, rows):
    broken = tmp_path / "broken.nc"
    first = record(broken, shape, times[:50], rows[:50])
    first.flush(Restart(times[49], 49, np.arange(5.0)))
    first.append(times[50], rows[50])
    first.close("stopped: by the user")  # the state is one sample older than the results
    restart = read_restart(broken)
    assert restart.samples == 50
    second = Recorder.resume(broken, shape, METADATA, restart)
    for time, row in zip(times[50:], rows[50:], strict=True):
        second.append(time, row)
    second.close(restart=Restart(600.0, 600, np.arange(5.0)))
    assert broken.read_bytes() == whole.read_bytes()


def test_resuming_with_other_cables_is_refused(tmp_path, whole, shape):
    """And the file let go of at once, even if who asked keeps the error."""
    with pytest.raises(ResultError, match="other cables") as told:
        Recorder.resume(whole, shape, METADATA, read_restart(whole), output=tmp_path / "new.nc", cables=["left"])
    held = [os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")]
    assert str(whole.resolve()) not in held, told


def test_only_the_chosen_cables_are_kept(tmp_path, shape, times, rows, dataset):
    path = tmp_path / "run.nc"
    record(path, shape, times, rows, cables=["right"], energy=False).close()
    result = open_result(path)
    assert list(result["cable"].values) == ["right"]
    assert result.sizes["node"] == 25
    right = dataset["position"].sel(cable="right").isel(node=slice(0, 25))
    assert np.array_equal(result["position"].sel(cable="right").values, right.values)
    assert np.array_equal(result["point_position"].values, dataset["point_position"].values)
    assert not any(str(name).startswith(("energy_", "work_")) for name in result.data_vars)
    assert np.isnan(rows_of(result)[:, -2]).all()
    with pytest.raises(ResultError, match="middle, which is no cable"):
        Recorder(None, shape, {}, cables=["middle"])


def test_flushes_take_less_than_a_twentieth_of_the_time(tmp_path, shape, rows, monkeypatch):
    now = [0.0]
    written = []

    def slow_disk(journal, *_):
        now[0] += 1.5
        written.append(now[0])

    monkeypatch.setattr("fairlead.results.journal.Journal.append", slow_disk)
    recorder = Recorder(tmp_path / "run.nc", shape, METADATA, clock=lambda: now[0])
    recorder.append(-1.0, rows[0])
    recorder.flush()
    for k in range(1000):
        now[0] += 0.2
        recorder.append(float(k), rows[0])
        recorder.maybe_flush()
    assert 2.0 < written[0] < 4.0
    assert np.diff(written).min() >= 20 * 1.5
    assert len(written) * 1.5 / now[0] < 0.06


def test_the_restart_state_is_asked_for_only_when_it_is_written(tmp_path, shape, rows):
    recorder = Recorder(tmp_path / "run.nc", shape, METADATA, clock=lambda: 0.0)
    recorder.append(0.0, rows[0])
    assert recorder.maybe_flush(lambda: pytest.fail("asked too early")) is False


def test_leaving_early_says_why(tmp_path, shape, rows):
    path = tmp_path / "run.nc"

    def run_into_trouble() -> None:
        with Recorder(path, shape, METADATA) as recorder:
            recorder.append(0.0, rows[0])
            raise RuntimeError("cable left, element 3: not finite")

    with pytest.raises(RuntimeError):
        run_into_trouble()
    assert open_result(path).attrs["status"] == "stopped: cable left, element 3: not finite"
    with Recorder(None, shape, METADATA) as recorder:
        recorder.append(0.0, rows[0])
    assert recorder.dataset().attrs["status"] == "complete"


def test_awkward_texts_survive(tmp_path, shape, rows):
    path = tmp_path / "run.nc"
    awkward = {
        "title": "<script>\"'$\\ å 漢",
        "input_file": "x" * 3_000_000,
        "settings": {},
        "description": "a\0b\ud800",
    }
    recorder = Recorder(path, shape, awkward)
    recorder.append(0.0, rows[0])
    recorder.close()
    attrs = open_result(path).attrs
    assert attrs["title"] == awkward["title"]
    assert attrs["input_file"] == awkward["input_file"]
    assert attrs["description"] == "a\\0b?"


@pytest.mark.parametrize(
    ("name", "words"),
    [("", "is a folder"), ("missing/run.nc", "there is no folder"), ("file/run.nc", "there is no folder")],
)
def test_a_bad_place_is_refused_before_the_run(tmp_path, shape, name, words):
    (tmp_path / "file").write_text("")
    with pytest.raises(ResultError, match=words):
        Recorder(tmp_path / name, shape, METADATA)


def test_a_folder_that_takes_no_files_is_refused_before_the_run(shape):
    with pytest.raises(ResultError, match=r"cannot write the result .* another folder"):
        Recorder("/proc/run.nc", shape, METADATA)


def test_too_small_a_disk_is_refused_before_the_run(tmp_path, shape):
    with pytest.raises(ResultError, match=r"disk has .* free; .*output_every"):
        places.require_writable(tmp_path / "run.nc", expected_bytes=10**18)


@contextmanager
def disk_full(limit: int):
    """No file may grow beyond `limit` bytes."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_disk_that_is_full_for_a_while_costs_no_sample(tmp_path, shape, times, rows, dataset):
    """What cannot be written is kept and written later; meanwhile the file reads as it was."""
    path = tmp_path / "run.nc"
    now = [0.0]
    recorder = record(path, shape, times[:2], rows[:2], clock=lambda: now[0])
    recorder.flush()
    for time, row in zip(times[2:60], rows[2:60], strict=True):
        recorder.append(time, row)
    now[0] += 10.0
    with disk_full(1000):
        assert recorder.maybe_flush() is False
        assert open_result(path).sizes["time"] == 2
    assert len(recorder.notes) == 1
    assert "kept in memory" in recorder.notes[0]
    for time, row in zip(times[60:], rows[60:], strict=True):
        recorder.append(time, row)
    now[0] += 10.0
    assert recorder.maybe_flush() is True
    assert open_result(path).sizes["time"] == len(times)
    recorder.close()
    assert os.listdir(tmp_path) == ["run.nc"]
    xr.testing.assert_identical(open_result(path), dataset)


def test_a_disk_that_stays_full_leaves_all_that_was_flushed(tmp_path, shape, times, rows):
    path = tmp_path / "run.nc"
    recorder = record(path, shape, times[:2], rows[:2])
    recorder.flush()
    for time, row in zip(times[2:], rows[2:], strict=True):
        recorder.append(time, row)
    with disk_full(1000), pytest.raises(ResultError, match=r"cannot write the result .* free some space"):
        recorder.close()
    assert open_result(path).sizes["time"] == 2
    assert [name.split(".")[-1] for name in sorted(os.listdir(tmp_path))] == ["nc", "rows"], "no partial file is left"
    assert recorder.dataset().sizes["time"] == len(times), "in memory nothing is lost"
    recorder.close()
    assert open_result(path).sizes["time"] == len(times)


def test_a_file_keeps_its_permissions_and_its_journal_has_the_same(tmp_path, shape, rows):
    path = tmp_path / "run.nc"
    path.write_bytes(b"")
    path.chmod(0o600)
    recorder = record(path, shape, [0.0], rows[:1])
    recorder.flush()
    assert {stat.S_IMODE(entry.stat().st_mode) for entry in tmp_path.iterdir()} == {0o600}
    recorder.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    record(tmp_path / "new.nc", shape, [0.0], rows[:1]).close()
    (tmp_path / "plain").touch()
    assert (tmp_path / "new.nc").stat().st_mode == (tmp_path / "plain").stat().st_mode, "as any new file"


def test_files_are_made_under_names_nobody_can_prepare(tmp_path, shape, rows, monkeypatch):
    """Whoever guessed a name and put a link there would stop the run, and nothing would be written through it."""
    precious = tmp_path / "precious.txt"
    precious.write_text("years of work")
    recorder = record(tmp_path / "run.nc", shape, [0.0], rows[:1])
    monkeypatch.setattr("secrets.token_hex", lambda count: "0" * 2 * count)
    for name in (".run.nc.0000000000000000.partial", "run.nc.0000000000000000.rows"):
        (tmp_path / name).symlink_to(precious)
        with pytest.raises(ResultError, match="File exists"):
            recorder.flush()
        (tmp_path / name).unlink()
    assert precious.read_text() == "years of work"
    monkeypatch.undo()
    recorder.close()
    assert sorted(os.listdir(tmp_path)) == ["precious.txt", "run.nc"]


def test_a_link_to_something_else_than_a_result_is_refused(tmp_path, shape, rows):
    precious = tmp_path / "precious.txt"
    precious.write_text("years of work")
    (tmp_path / "run.nc").symlink_to(precious)
    with pytest.raises(ResultError, match="is no result"):
        record(tmp_path / "run.nc", shape, [0.0], rows[:1])
    assert precious.read_text() == "years of work"


def test_a_link_of_somebody_else_is_replaced_not_followed(tmp_path, shape, rows, monkeypatch):
    precious = tmp_path / "precious.nc"
    record(precious, shape, [0.0], rows[:1]).close()
    before = precious.read_bytes()
    (tmp_path / "run.nc").symlink_to(precious)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    record(tmp_path / "run.nc", shape, [0.0], rows[:1]).close()
    assert precious.read_bytes() == before
    assert not (tmp_path / "run.nc").is_symlink()


def test_a_link_to_a_result_stays_a_link(tmp_path, shape, rows):
    """While it is recorded, too: the journal lies beside the file itself, and is found through the link."""
    (tmp_path / "disk").mkdir()
    link, real = tmp_path / "run.nc", tmp_path / "disk" / "other.nc"
    link.symlink_to(real)
    recorder = record(link, shape, [0.0], rows[:1])
    recorder.flush()
    recorder.append(1.0, rows[1])
    recorder.flush()
    assert link.is_symlink()
    assert open_result(link).sizes["time"] == open_result(real).sizes["time"] == 2
    recorder.close()
    assert link.is_symlink()
    assert [path.name for path in real.parent.iterdir()] == ["other.nc"]
    assert sorted(os.listdir(tmp_path)) == ["disk", "run.nc"]


def test_a_killed_run_leaves_the_file_of_its_last_flush(tmp_path):
    """Processes that record and flush without pause are killed (SIGKILL) at random moments, one after the other."""
    script = Path(__file__).with_name("killed_runs.py")
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "run.nc"), "6"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    readable, advanced = (int(n) for n in done.stdout.split())
    assert readable == 6
    assert advanced >= 4
