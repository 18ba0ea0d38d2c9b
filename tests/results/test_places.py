"""A file on a disk that fills up: HDF5 is given back what it wrote, and the failure is told when asked for."""

import errno
import os

import h5py
import numpy as np
import pytest

from fairlead.results import places


@pytest.fixture
def patient(tmp_path, monkeypatch):
    """A file on a disk that takes the first 1000 bytes and nothing beyond."""
    write_at = places.write_at

    def short_of_room(descriptor, content, offset):
        if offset + len(content) > 1000:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write_at(descriptor, content, offset)

    monkeypatch.setattr(places, "write_at", short_of_room)
    with places.Patient(os.open(tmp_path / "file", os.O_RDWR | os.O_CREAT)) as file:
        yield file


def test_what_the_disk_refused_is_read_back(patient):
    content = np.random.default_rng(1).bytes(4000)
    for start, end in ((0, 900), (900, 2500), (2500, 4000), (700, 1100)):
        patient.seek(start)
        patient.write(content[start:end])
    for start, count in ((0, 4000), (850, 100), (990, 20), (2400, 5000), (5000, 10)):
        patient.seek(start)
        assert patient.read(count) == content[start : start + count]
    with pytest.raises(OSError, match="No space left"):
        patient.require()


def test_a_hole_reads_as_zeros(patient):
    patient.seek(600)
    patient.write(b"after the hole")
    patient.seek(590)
    assert patient.read(24) == bytes(10) + b"after the hole"
    patient.require()


def test_hdf5_finds_its_own_file_whole_on_a_full_disk(patient):
    numbers = np.arange(30000.0)
    with h5py.File(patient, "w") as file:
        for name in ("a", "b", "c"):
            file.create_dataset(name, data=numbers, chunks=(700,), compression="gzip").attrs["of"] = name
        file.flush()
        assert np.array_equal(file["b"][:], numbers)
    with h5py.File(patient, "r") as file:
        assert all(np.array_equal(file[name][:], numbers) and file[name].attrs["of"] == name for name in "abc")
