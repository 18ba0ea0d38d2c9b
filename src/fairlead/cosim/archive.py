"""Unpacking an FMU, whoever sent it: nothing is written outside its folder, and no more than a bound."""

from __future__ import annotations

import shutil
import stat
import zipfile
from pathlib import Path, PurePosixPath

from .errors import CosimError

MOST_BYTES = 2**30
"""Of all files of an FMU, unpacked."""
MOST_FILES = 10_000
CURE = "have it made again, or ask who made it"


def unpack(path: Path, folder: Path) -> None:
    """Unpack the FMU at `path` into an empty folder. Raises `CosimError` before anything is written."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            _require_bounded(entries)
            for entry in entries:
                _require_inside(entry)
            for entry in entries:
                target = folder.joinpath(*PurePosixPath(entry.filename).parts)
                if entry.is_dir():
                    target.mkdir(parents=True, exist_ok=True)
                    continue
                target.parent.mkdir(parents=True, exist_ok=True)
                # no entry gives more than the size it says
                with archive.open(entry) as packed, target.open("wb") as file:
                    shutil.copyfileobj(packed, file)
    except CosimError:
        raise
    except Exception as error:  # a damaged or encrypted file may fail in any way the libraries below know
        raise CosimError(f"it cannot be unpacked: {error}; {CURE}") from None


def _require_bounded(entries: list[zipfile.ZipInfo]) -> None:
    size = sum(entry.file_size for entry in entries)
    if len(entries) > MOST_FILES:
        raise CosimError(f"it holds {len(entries)} files, more than {MOST_FILES}; {CURE}")
    if size > MOST_BYTES:
        raise CosimError(f"it would unpack to {size / 2**20:.0f} MiB, more than {MOST_BYTES / 2**20:.0f}; {CURE}")


def _require_inside(entry: zipfile.ZipInfo) -> None:
    """FMI wants relative paths with forward slashes; anything else may lead out of the folder."""
    name = entry.filename
    path = PurePosixPath(name)
    wrong = path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name or not path.parts
    if wrong or stat.S_ISLNK(entry.external_attr >> 16):
        raise CosimError(f"it holds a file with the illegal path '{name[:80]}' (nothing was unpacked); {CURE}")
