"""Damaged files never reach HDF5: checksums for files of our own, a trial reading for any other."""

from __future__ import annotations

import random

import h5py
import numpy as np
import pytest
import xarray as xr

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.reduced.model_file import ReducedModel, open_model
from fairlead.results import ResultError, trial
from fairlead.results.hdf5 import opened, read_dataset, write_dataset
from fairlead.results.integrity import BLOCK, Checked, DamagedContent
from fairlead.study.dataset import read as read_study

SECTOR = 512
NUMBERS = {
    "along": np.linspace(0.0, 1.0, 3), "mean": np.zeros((3, 3)), "modes": np.ones((3, 3, 2)),
    "tensions": np.ones((2, 1)), "singular_values": np.ones(2), "tension_values": np.ones(1),
}  # fmt: skip


@pytest.fixture
def model(tmp_path):
    made = ReducedModel(cables=("line",), source="lumped", element="straight", identity={}, **NUMBERS)
    return made.save(tmp_path / "line.rom.nc")


@pytest.fixture
def large(tmp_path):
    """A file of more than one block."""
    path = tmp_path / "large.nc"
    values = np.random.default_rng(1).normal(size=(50, 1000))
    write_dataset(xr.Dataset({"a": (("t", "x"), values), "b": ("t", np.arange(50.0))}), path)
    assert path.stat().st_size > 3 * BLOCK
    return path


def without_checksums(path):
    """As a version wrote it that knew none: HDF5's own end of the file is its end."""
    with h5py.File(path, "r+") as file:
        file.attrs["touched"] = 1
        del file.attrs["touched"]
    assert not Checked(path.open("rb").fileno()).has_checksums
    return path


FILLS = {"ones": lambda n: b"\xff" * n, "zeros": bytes, "noise": random.Random(1).randbytes}


@pytest.mark.parametrize("fill", FILLS)
def test_a_damaged_sector_anywhere_is_an_error_and_no_endless_loop(model, fill):
    whole = model.read_bytes()
    damaged = 0
    for start in range(0, len(whole) - SECTOR, SECTOR):
        content = whole[:start] + FILLS[fill](SECTOR) + whole[start + SECTOR :]
        if content == whole:
            continue
        model.write_bytes(content)
        with pytest.raises(UnsupportedSystem, match="damaged"):
            open_model(model)
        damaged += 1
    assert damaged > 25


def test_only_blocks_that_are_read_are_compared(large):
    """So a long record is not read twice; and no damaged block is ever handed out."""
    with opened(large) as file:
        place = file["a"].id.get_offset() or file["a"].id.get_chunk_info(0).byte_offset
    content = bytearray(large.read_bytes())
    content[place + 2 * BLOCK] ^= 1
    large.write_bytes(bytes(content))
    with opened(large) as file:
        assert np.array_equal(file["b"][...], np.arange(50.0))
        with pytest.raises(OSError, match=r"."):
            file["a"][...]
    with pytest.raises(OSError, match=r"."):
        read_dataset(large)


def test_damaged_checksums(large):
    content = bytearray(large.read_bytes())
    content[-200] ^= 1  # among the hashes
    large.write_bytes(bytes(content))
    with pytest.raises(DamagedContent, match="checksums"), opened(large):
        pass
    large.write_bytes(bytes(content[:1000] + content[2000:]))
    with pytest.raises(DamagedContent, match="size"), opened(large):
        pass


def test_other_programs_read_the_file(large):
    with h5py.File(large, "r") as file:
        assert file["a"].shape == (50, 1000)
    with xr.open_dataset(large, engine="h5netcdf") as found:
        assert found["a"].shape == (50, 1000)


def test_a_file_without_checksums_opens(model):
    assert open_model(without_checksums(model)).cables == ("line",)


def test_a_study_result_that_is_damaged(large):
    with pytest.raises(ResultError, match="is no result of a study"):
        read_study(large)
    large.write_bytes(large.read_bytes()[:5000])
    with pytest.raises(ResultError, match="damaged"):
        read_study(large)


def test_a_file_that_hdf5_never_ends_reading_is_refused(model, monkeypatch):
    """Sector 2 of a file without checksums, zeroed: HDF5 loops for ever."""
    monkeypatch.setattr(trial, "SECONDS", 1.0)
    without_checksums(model)
    content = bytearray(model.read_bytes())
    content[SECTOR : 2 * SECTOR] = bytes(SECTOR)
    model.write_bytes(bytes(content))
    with pytest.raises(UnsupportedSystem, match="damaged") as caught:
        open_model(model)
    assert isinstance(caught.value.__cause__.__cause__, trial.EndlessReading)


def test_a_trial_is_made_once_for_a_file(model, monkeypatch):
    started = []
    run = trial.subprocess.run
    monkeypatch.setattr(trial.subprocess, "run", lambda *a, **k: started.append(a) or run(*a, **k))
    open_model(without_checksums(model))
    open_model(model)
    assert len(started) == 1
