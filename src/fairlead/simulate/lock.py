"""One run at a time writes a result file."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from types import TracebackType

from fairlead.results import ResultError

try:
    import fcntl
except ImportError:  # a system without POSIX locks: runs are not kept apart
    fcntl = None  # type: ignore[assignment]

_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


class ResultLock:
    """Holds a result file's name while a run writes there.

    The lock is the operating system's, on a hidden file beside the result, so that a killed run leaves none behind. Its
    name must be known to every run and so to others: it is never opened through a link, and written to only where it is
    a plain file of this user's under no other name. Where a file system knows no locks, nothing is held.
    """

    def __init__(self, result: Path | None):
        self._path = None if result is None else result.parent / f".{result.name}.lock"
        self._result = result
        self._descriptor: int | None = None

    def __enter__(self) -> ResultLock:
        while self._path is not None and fcntl is not None:
            descriptor = self._opened(self._path)
            if descriptor is None:
                return self  # whether the folder can be written is found out, and told, when the run begins
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ResultError(self._taken(descriptor)) from None
            except OSError:
                os.close(descriptor)
                return self
            if self._is_still_there(descriptor):
                if _is_own(descriptor):
                    with contextlib.suppress(OSError):  # the number is a courtesy
                        os.ftruncate(descriptor, 0)
                        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
                self._descriptor = descriptor
                return self
            os.close(descriptor)  # its owner removed it between our opening and locking it
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        trace: TracebackType | None = None,
    ) -> None:
        if self._descriptor is not None and self._path is not None:
            with contextlib.suppress(OSError):
                self._path.unlink()
            os.close(self._descriptor)
            self._descriptor = None

    def _opened(self, path: Path) -> int | None:
        """The lock file, made where there is none; None where the folder takes no files."""
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _FLAGS, 0o600)
        except PermissionError:  # another user's
            try:
                descriptor = os.open(path, os.O_RDONLY | _FLAGS)
            except OSError:
                return None
        except OSError:
            if path.is_symlink():
                raise self._no_lock("a link") from None
            return None
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise self._no_lock("no plain file") from None
        return descriptor

    def _no_lock(self, what: str) -> ResultError:
        return ResultError(
            f"{self._result}: beside it lies {self._path}, which is {what} where the lock of the result should be; "
            "find out who put it there and remove it, or choose another folder with -o"
        )

    def _taken(self, descriptor: int) -> str:
        try:
            owner = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip()
        finally:
            os.close(descriptor)
        who = f"another run (process {owner})" if owner.isdecimal() else "another run"
        return f"{self._result}: {who} is writing this result now; wait for it to end, or choose another file with -o"

    def _is_still_there(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), os.lstat(self._path))  # type: ignore[arg-type]
        except OSError:
            return False


def _is_own(descriptor: int) -> bool:
    """Whether nobody else's file can be meant: it is this user's, and has no other name."""
    found = os.fstat(descriptor)
    return found.st_uid == os.geteuid() and found.st_nlink == 1
