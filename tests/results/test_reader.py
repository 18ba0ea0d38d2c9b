"""Files that are no result get one clear sentence, whatever is wrong with them."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairlead.results import Recorder, Restart, ResultError, open_result, read_restart

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


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0.0, 0.999))
def test_a_file_cut_short_anywhere(tmp_path, whole, share):
    content = whole.read_bytes()
    path = tmp_path / "short.nc"
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(ResultError) as error:
        open_result(path)
    sentence(error)


def test_reading_changes_nothing(whole):
    before = (whole.read_bytes(), whole.stat().st_mtime_ns)
    open_result(whole)
    read_restart(whole)
    assert (whole.read_bytes(), whole.stat().st_mtime_ns) == before
