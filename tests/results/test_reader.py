"""Files that are no result get one clear sentence, whatever is wrong with them."""

from __future__ import annotations

import gc
import os

import h5py
import numpy as np
import pytest
import xarray as xr
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from marks import slowly

from fairlead.results import ObservationShape, Recorder, Restart, ResultError, open_result, read_restart

from .sinking import METADATA


@pytest.fixture(scope="module")
def whole(tmp_path_factory, shape, rows):
    path = tmp_path_factory.mktemp("reader") / "run.nc"
    recorder = Recorder(path, shape, METADATA)
    recorder.append(0.0, rows[0])
    recorder.close(restart=Restart(0.0, 0, np.zeros(100)))
    return path


def sentence(error) -> str:
    text = str(error.value)
    assert "\n" not in text
    assert len(text) < 300
    return text


def test_a_missing_file(tmp_path):
    for read in (open_result, read_restart):
        with pytest.raises(ResultError, match="there is no such file") as error:
            read(tmp_path / "none.nc")
        assert "none.nc" in sentence(error)


def test_a_folder(tmp_path):
    with pytest.raises(ResultError, match="is a folder"):
        open_result(tmp_path)


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "is empty"), (b"hello world, this is text", "is not a NetCDF file"), (b"CDF\x01", "classic NetCDF")],
)
def test_a_file_of_another_kind(tmp_path, content, words):
    path = tmp_path / "other.nc"
    path.write_bytes(content)
    for read in (open_result, read_restart):
        with pytest.raises(ResultError, match=words) as error:
            read(path)
        sentence(error)


def test_a_foreign_netcdf_file(tmp_path):
    path = tmp_path / "weather.nc"
    xr.Dataset({"temperature": ("time", [1.0, 2.0])}).to_netcdf(path, engine="h5netcdf")
    with pytest.raises(ResultError, match="not a result of Fairlead") as error:
        open_result(path)
    sentence(error)
    with pytest.raises(ResultError, match="no state to resume from"):
        read_restart(path)


def test_a_result_without_a_state_cannot_be_resumed(tmp_path, shape, rows):
    path = tmp_path / "run.nc"
    recorder = Recorder(path, shape, METADATA)
    recorder.append(0.0, rows[0])
    recorder.close()
    with pytest.raises(ResultError, match="no state to resume from"):
        read_restart(path)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0.0, 0.999))
def test_a_file_cut_short_anywhere(tmp_path, whole, share):
    content = whole.read_bytes()
    path = tmp_path / "short.nc"
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(ResultError) as error:
        open_result(path)
    sentence(error)


@pytest.fixture(scope="module")
def loaded(whole):
    with xr.open_dataset(whole, engine="h5netcdf") as lazy:
        return lazy.load()


def _changed(loaded, change, path):
    change(loaded).to_netcdf(path, engine="h5netcdf")
    return path


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda run: run.drop_vars("arc_length"), r"it has no arc_length\(cable, node\)"),
        (lambda run: run.isel(axis=[0, 1]), r"its dimension axis has the size 2, not 3"),
        (lambda run: run.assign_coords(node_count=("cable", [500, 3])), "node_count does not fit its nodes"),
        (lambda run: run.assign_coords(node_count=("cable", [np.nan, 3.0])), "node_count does not fit its nodes"),
        (lambda run: run.assign(tension_effective=run.tension_effective.astype(str)), "holds no numbers over time"),
        (lambda run: run.assign_coords(time=run.time * np.nan), "no samples over time that grows"),
    ],
)
def test_a_result_that_was_tampered_with(loaded, change, words, tmp_path):
    with pytest.raises(ResultError, match=words) as error:
        open_result(_changed(loaded, change, tmp_path / "changed.nc"))
    assert "is not a result of Fairlead" in sentence(error)


def test_attributes_of_any_kind_are_read_as_texts(loaded, tmp_path):
    path = tmp_path / "changed.nc"
    _changed(loaded, lambda run: run.assign_attrs(title=np.arange(3.0), status=7, settings=np.arange(5.0)), path)
    assert open_result(path).attrs["status"] == "7"


def test_a_file_that_declares_more_than_it_can_hold_costs_no_memory(tmp_path):
    """224 GiB in 2 kB: chunks that were never written take no place."""
    with h5py.File(tmp_path / "huge.nc", "w") as file:
        file.create_dataset("position", shape=(30_064, 1_000_000), chunks=(1, 1000), dtype="f8")
    for read in (open_result, read_restart):
        with pytest.raises(ResultError, match=r"declares 241 GB of numbers in a file of .* which cannot be") as error:
            read(tmp_path / "huge.nc")
        sentence(error)


def test_a_pipe_is_no_result_and_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.nc")
    with pytest.raises(ResultError, match="is a pipe or a device"):
        open_result(tmp_path / "pipe.nc")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A result as small as can be, while its run lasts and after it, and what is in it."""
    shape = ObservationShape(("line",), (3,), ("A",), ((0.0, 1.0, 2.0),))
    folder = tmp_path_factory.mktemp("small")
    recorder = Recorder(folder / "run.nc", shape, {"title": "small", "formulation": "bars"})
    for k in range(4):
        recorder.append(float(k), np.arange(shape.size) + 0.1 * k)
        recorder.flush(Restart(float(k), k, np.linspace(0.0, 1.0, 7) + k, "layout", "input"))
    running = {path.name: path.read_bytes() for path in folder.iterdir()}
    recorder.close(restart=Restart(3.0, 3, np.linspace(0.0, 1.0, 7) + 3, "layout", "input"))
    return running, {"run.nc": (folder / "run.nc").read_bytes()}


@pytest.mark.parametrize(("ended", "flips"), [(False, 5), (True, 8), *slowly((False, 40), (True, 40))])
def test_a_flipped_bit_is_refused_or_harmless(small, tmp_path, ended, flips):
    """Over the whole of a file and of its journal, at places chosen by a seed: never another number, name or state."""
    files = small[ended]
    folder = tmp_path / "there"
    folder.mkdir()

    def put(name: str = "", content: bytes = b"") -> None:
        for each, whole_content in files.items():
            (folder / each).write_bytes(content if each == name else whole_content)

    put()
    known, state = open_result(folder / "run.nc"), read_restart(folder / "run.nc")
    places = np.random.default_rng(5)
    refused = 0
    for name, content in files.items():
        for bit in places.integers(0, 8 * len(content), flips):
            flipped = bytearray(content)
            flipped[bit // 8] ^= 1 << (bit % 8)
            put(name, bytes(flipped))
            try:
                found, restart = open_result(folder / "run.nc"), read_restart(folder / "run.nc")
            except ResultError:
                refused += 1
                continue
            shorter = known.isel(time=slice(0, found.sizes["time"]))
            assert found.drop_attrs().identical(shorter.drop_attrs()), (name, bit)
            assert found.sizes["time"] >= restart.samples >= state.samples - 1, "at most the latest state is lost"
            assert found.attrs["title"] == "small"
            assert np.array_equal(restart.y, np.linspace(0.0, 1.0, 7) + restart.time)
    assert refused > 0, "some do hit what is used; most of so small a file is room left empty"


def test_it_is_read_as_any_reader_of_netcdf_reads_it(whole):
    with xr.open_dataset(whole, engine="h5netcdf") as lazy:
        plain = lazy.load()
    known = open_result(whole)
    xr.testing.assert_identical(known, plain)
    assert list(known.data_vars) == list(plain.data_vars)
    for name, variable in known.variables.items():
        for how in ("dtype", "chunksizes", "zlib", "fletcher32", "shuffle"):  # it is written again in the same way
            assert variable.encoding.get(how) == plain[name].encoding.get(how), (name, how)


def test_of_a_large_result_a_part_is_read_when_it_is_asked_for(whole, monkeypatch):
    known = open_result(whole)
    monkeypatch.setattr("fairlead.results.stored.IN_MEMORY", 0)
    found = open_result(whole)
    gc.collect()  # nothing but the Dataset holds the file
    assert not found["position"].variable._in_memory
    part = {"cable": 1, "node": [0, 2, 3], "axis": slice(0, 2)}
    xr.testing.assert_identical(found["position"].isel(part), known["position"].isel(part))
    xr.testing.assert_identical(found.load(), known)


def test_reading_changes_nothing(whole):
    before = (whole.read_bytes(), whole.stat().st_mtime_ns)
    open_result(whole)
    read_restart(whole)
    assert (whole.read_bytes(), whole.stat().st_mtime_ns) == before
