"""A trial reading of a foreign file by a library that may never end: in a process of its own, with a time limit.

The HDF5 library may loop for ever in a damaged file, or crash. A file of another program, or of a version of Fairlead
that wrote no checksums (:mod:`.integrity`), is therefore read once by another process. Only when that process has come
to an end is the file read here.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SECONDS = 5.0  # of processor time; a small file takes a tenth of one
BYTES_PER_SECOND = 1e7  # a healthy file is read ten times as fast
WAITING = 6.0  # times as long by the clock, on a machine that has other things to do
_HARMLESS: set[tuple[int, int, int, int]] = set()
"""Files that passed: device, inode, size, time of change."""


class EndlessReading(OSError):
    """Reading the file does not end, or ends the process that reads it."""


def require_harmless(path: Path, library: str = "h5py") -> None:
    """Raise `EndlessReading` for a file that a library cannot cope with; other errors are left to the reader."""
    found = os.stat(path)
    key = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
    if key in _HARMLESS or not _can_start():
        return
    seconds = SECONDS + found.st_size / BYTES_PER_SECOND
    script = str(Path(__file__).with_name("trial_reading.py"))
    command = [sys.executable, script, library, os.fspath(path.absolute()), str(seconds), *filter(None, sys.path)]
    quiet = subprocess.DEVNULL
    try:
        done = subprocess.run(command, stdin=quiet, stdout=quiet, stderr=quiet, timeout=WAITING * seconds, check=False)
    except subprocess.TimeoutExpired:
        raise EndlessReading(f"reading it did not end within {WAITING * seconds:.0f} s") from None
    except OSError:  # no process can be started here
        return
    if done.returncode < 0:
        raise EndlessReading(f"reading it did not end within {seconds:.0f} s, or crashed")
    _HARMLESS.add(key)


def _can_start() -> bool:
    """Whether this is a Python that can be started again, not a program with Python inside."""
    return "python" in Path(sys.executable or "").name.lower()
