"""A study on disk: a folder with one file a batch, each written aside and renamed; nothing else decides what is done.

Every row carries the number of its scenario and a digest of its values, so that a study with more scenarios takes up
those it has in common with the one before. A file that cannot be read counts as missing.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import Any

import numpy as np

from fairlead import __version__
from fairlead.ensembles.engine import Batch
from fairlead.results import ResultError
from fairlead.results.places import Patient, remove_abandoned, replace_file, write_error

from .check import Ready
from .job import COMPLETE, columns

SUFFIX = ".study"
RESULT, REPORT, HISTORIES = "result.nc", "report.html", "histories"
_BATCH = "batch_{:06d}.npz"


def identity(ready: Ready) -> str:
    """Fingerprint of what decides the numbers of a scenario beside its own values."""
    system = ready.system.model_dump(mode="json")
    for name in ("title", "description"):
        system.pop(name)
    kept = [[column.name, column.unit] for column in columns(ready)]
    text = json.dumps([system, ready.file.run.discard, kept], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def digest(values: dict[str, Any]) -> int:
    """Of the values of a scenario, 63 bits."""
    text = json.dumps(values, sort_keys=True, default=str)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) >> 1


@dataclass
class Done:
    """What is there of a study.

    values, status, failed_at  of all scenarios; NaN and "" where there is nothing yet
    notes                      what a user should know
    count, failed              how many there are, and how many of these did not come to their end
    """

    values: np.ndarray
    status: np.ndarray
    failed_at: np.ndarray
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)
    count: int = field(default=0, init=False)
    failed: int = field(default=0, init=False)

    @classmethod
    def nothing(cls, scenarios: int, width: int) -> Done:
        return cls(
            np.full((scenarios, width), np.nan), np.full(scenarios, "", dtype=object), np.full(scenarios, np.nan)
        )

    @property
    def missing(self) -> np.ndarray:
        """Numbers of the scenarios that are still to be run."""
        return np.flatnonzero(self.status == "")

    def take(self, batch: Batch) -> None:
        """A batch more."""
        rows = zip(batch.numbers, batch.values, batch.status, batch.failed_at, strict=True)
        for i, values, status, failed_at in rows:
            self.put(int(i), values, status, float(failed_at))
        self.seconds += batch.seconds

    def put(self, i: int, values: np.ndarray, status: str, failed_at: float) -> None:
        """Scenario i, in place of what was there of it."""
        before = self.status[i]
        self.count += before == ""
        self.failed += (status != COMPLETE) - (before not in ("", COMPLETE))
        self.values[i], self.status[i], self.failed_at[i] = values, intern(status), failed_at


class Store:
    """The folder of a study."""

    def __init__(self, folder: Path, ready: Ready) -> None:
        self.folder, self.ready, self._identity = folder, ready, identity(ready)
        self._next = 1

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob("batch_*.npz")) if self.folder.is_dir() else []

    @property
    def is_begun(self) -> bool:
        return bool(self._files())

    def open(self) -> None:
        """Make the folder; what a killed process left half written is cleared."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise write_error(self.folder, error) from error
        for name in {path.name[1:].partition(".npz")[0] for path in self.folder.glob(".batch_*.npz.*.partial")}:
            remove_abandoned(self.folder / f"{name}.npz", "partial", hidden=True)

    def write(self, batch: Batch) -> None:
        """Keep a batch; `ResultError` where the disk does not take it, and nothing else is harmed."""
        scenarios = self.ready.scenarios
        content = {
            "identity": np.array(self._identity),
            "version": np.array(__version__),
            "numbers": batch.numbers.astype(np.int64),
            "digests": np.array([digest(scenarios.values(int(i))) for i in batch.numbers], dtype=np.int64),
            "values": batch.values,
            "status": np.array(batch.status, dtype=np.str_),
            "failed_at": batch.failed_at,
            "seconds": np.array(batch.seconds),
        }

        def write(file: Patient) -> None:
            np.savez(file, **content)  # type: ignore[arg-type]

        replace_file(self.folder / _BATCH.format(self._next), write)
        self._next += 1

    def read(self) -> Done:
        """All that is there and belongs to the study as it is now; what is written after it takes the next names."""
        scenarios = self.ready.scenarios
        done = Done.nothing(len(scenarios), len(columns(self.ready)))
        others = 0
        files = self._files()
        self._next = 1 + max(map(_number, files), default=0)
        for path in files:
            found = _read(path)
            if found is None:
                done.notes.append(f"{path}: cannot be read; its scenarios are run again")
            elif str(found["identity"]) != self._identity:
                others += 1
            else:
                self._take(done, found)
        if others:
            raise ResultError(
                f"{self.folder}: holds {others} batches of another study (its system, its times or what is kept were "
                "other ones); choose another folder with -o, or remove it"
            )
        return done

    def _take(self, done: Done, found: dict[str, np.ndarray]) -> None:
        scenarios = self.ready.scenarios
        for row, i in enumerate(found["numbers"]):
            if i < len(scenarios) and digest(scenarios.values(int(i))) == found["digests"][row]:
                done.put(int(i), found["values"][row], str(found["status"][row]), float(found["failed_at"][row]))
        done.seconds += float(found["seconds"])
        if str(found["version"]) != __version__:
            note = f"a part was run by fairlead {found['version']}, not {__version__}: the parts may differ"
            if note not in done.notes:
                done.notes.append(note)


def _number(path: Path) -> int:
    digits = path.stem.rpartition("_")[2]
    return int(digits) if digits.isdecimal() else 0


def _read(path: Path) -> dict[str, np.ndarray] | None:
    try:
        with np.load(path, allow_pickle=False) as file:
            found = {name: file[name] for name in file.files}
    except Exception:  # a damaged archive may fail in any way that zipfile, zlib and numpy know
        return None
    wanted = {"identity", "version", "numbers", "digests", "values", "status", "failed_at", "seconds"}
    rows = {len(found[name]) for name in ("numbers", "digests", "values", "status", "failed_at") if name in found}
    return found if wanted <= set(found) and len(rows) == 1 else None
