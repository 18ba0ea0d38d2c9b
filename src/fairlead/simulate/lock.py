"""One run at a time writes a result file."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from types import TracebackType
from typing import IO

from fairlead.results import ResultError

try:
    import fcntl
except ImportError:  # a system without POSIX locks: runs are not kept apart
    fcntl = None  # type: ignore[assignment]


class ResultLock:
    """Holds a result file's name while a run writes there.

    The lock is the operating system's, on a hidden file beside the result, so that a killed run leaves none behind.
    Where a file system knows no locks, nothing is held.
    """

    def __init__(self, result: Path | None):
        self._path = None if result is None else result.parent / f".{result.name}.lock"
        self._result = result
        self._file: IO[str] | None = None

    def __enter__(self) -> ResultLock:
        while self._path is not None and fcntl is not None:
            try:
                file = open(self._path, "a+")
            except OSError:
                return self  # whether the folder can be written is found out, and told, when the run begins
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ResultError(self._taken(file)) from None
            except OSError:
                file.close()
                return self
            if self._is_still_there(file):
                file.truncate(0)
                file.write(str(os.getpid()))
                file.flush()
                self._file = file
                return self
            file.close()  # its owner removed it between our opening and locking it
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        trace: TracebackType | None = None,
    ) -> None:
        if self._file is not None and self._path is not None:
            with contextlib.suppress(OSError):
                self._path.unlink()
            self._file.close()
            self._file = None

    def _taken(self, file: IO[str]) -> str:
        with file:
            file.seek(0)
            owner = file.read(20).strip()
        who = f"another run (process {owner})" if owner.isdecimal() else "another run"
        return f"{self._result}: {who} is writing this result now; wait for it to end, or choose another file with -o"

    def _is_still_there(self, file: IO[str]) -> bool:
        try:
            return os.path.samestat(os.fstat(file.fileno()), os.stat(self._path))  # type: ignore[arg-type]
        except OSError:
            return False
