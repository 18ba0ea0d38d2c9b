"""Every reader against hundreds of damaged files: each is read, or refused in a sentence that names the file.

`samples.py` has a sound file for each reader, `mutations.py` damages it; the seed is the number of the mutant. No
traceback, no endless loop, and no message of the last resort (`model.damage`), which stands for a case nobody foresaw.
"""

from __future__ import annotations

import shutil
import signal
import warnings
from collections import Counter
from pathlib import Path

import pytest

from fairlead.cli.main import is_users
from fairlead.hydro.mesh_checks import MeshError
from fairlead.model.damage import REPORT

from .samples import Sample, samples

NAMES = (
    *(f"model {name}" for name in ("sinking", "everything", "spread", "line", "catalogue")),
    *(f"MoorDyn {name}" for name in ("spread", "old", "rods", "pins")),
    *("MoorPy", "WAMIT", "drift", "HAMS", "NEMOH", "Capytaine, NetCDF-3", "Capytaine, NetCDF-4", "BEMIO"),
    *("tables", "depths", "result", "reduced model", "study", "batches of a study"),
    *(f"mesh {name}" for name in ("hull.obj", "hull.dat", "text.stl", "hull.stl", "hull.ply", "text.ply")),
)
SECONDS = 60  # after which a reader counts as hanging


@pytest.fixture(scope="module")
def every(tmp_path_factory) -> dict[str, Sample]:
    return samples(tmp_path_factory.mktemp("made"))


@pytest.fixture
def time_limit():
    """Ends a test that Python can end; what hangs in a library ends with the whole run."""

    def ring(*_: object) -> None:
        raise AssertionError(f"reading did not end within {SECONDS} s")

    before = signal.signal(signal.SIGALRM, ring)
    yield lambda: signal.alarm(SECONDS)
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def put(folder: Path, name: str, data: bytes) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def error_of(sample: Sample, folder: Path) -> Exception | None:
    """What reading it ends in."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sample.read(folder)
    except Exception as error:
        return error
    return None


def test_every_sample_has_its_test(every):
    assert set(every) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_damaged_files_are_read_or_refused(every, name, tmp_path, time_limit):
    sample = every[name]
    for file, data in {**sample.beside, **sample.files}.items():
        put(tmp_path, file, data)
    sample.read(tmp_path)  # whole, it is read
    outcomes: Counter[str] = Counter()
    files = list(sample.files)
    for seed in range(sample.count):
        file = files[seed % len(files)]
        put(tmp_path, file, sample.damaged(file, seed))
        time_limit()
        error = error_of(sample, tmp_path)
        outcomes["read" if error is None else "refused"] += 1
        if error is not None and not (is_users(error) or isinstance(error, MeshError)):
            raise AssertionError(f"seed {seed} of {file}: {type(error).__name__}") from error
        assert error is None or str(error).strip(), (seed, file)
        assert REPORT not in str(error), (seed, file, str(error))
        put(tmp_path, file, sample.files[file])
    assert outcomes["refused"] > 0.2 * sample.count, outcomes
    shutil.rmtree(tmp_path)
