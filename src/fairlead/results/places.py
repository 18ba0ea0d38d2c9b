"""Files that appear whole or not at all, in folders where others may write too.

A new file is made under a name nobody can guess, never through a link, and has the permissions of the file whose place
it takes. It is written, forced to the disk and only then renamed over its target; so at every moment the target is the
previous file or the new one, never something between. A file still being written is locked by its process: what a
killed one leaves is known by its lock being free, and is cleared by the next run.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import ResultError

if TYPE_CHECKING:
    from typing_extensions import Buffer

try:
    import fcntl
except ImportError:  # a system without POSIX locks: what a killed run leaves half done stays
    fcntl = None  # type: ignore[assignment]

PARTIAL = "partial"
_SECRET = 8  # bytes
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_NEW |= getattr(os, "O_BINARY", 0)


def new_beside(path: Path, suffix: str, hidden: bool = False) -> tuple[Path, int]:
    """A new, locked file named after `path` in the same folder, and its descriptor; permissions are those of `path`."""
    name = f"{'.' if hidden else ''}{path.name}.{secrets.token_hex(_SECRET)}.{suffix}"
    found = path.with_name(name)
    descriptor = os.open(found, _NEW, 0o666)
    try:
        is_free(descriptor, keep=True)
        before = path.lstat()
        if stat.S_ISREG(before.st_mode):
            os.fchmod(descriptor, stat.S_IMODE(before.st_mode) & 0o777)
    except (OSError, AttributeError):  # nothing there yet, or a file system without permissions
        pass
    return found, descriptor


def is_free(descriptor: int, keep: bool = False) -> bool:
    """Whether no process holds the lock of a file; with `keep` this one holds it from now on."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_EX if keep else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except OSError:
        return False
    if not keep:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
    return True


@contextlib.contextmanager
def alone_in(folder: Path) -> Iterator[bool]:
    """Whether nobody else is in a folder by this; until the end nobody else comes in. True where there are no locks."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:  # a system that opens no folders
        yield True
        return
    try:
        alone = True
        with contextlib.suppress(OSError):  # a file system without locks
            if fcntl is not None:
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    alone = False
        yield alone
    finally:
        os.close(descriptor)


def followed(path: Path) -> Path:
    """Where a link of one's own leads, so that it stays a link; any other path as it is.

    A link of somebody else, or to a device, is not followed: it is replaced.
    """
    try:
        if not path.is_symlink() or path.lstat().st_uid != os.geteuid():
            return path
        target = Path(os.path.realpath(path))
        return path if target.exists() and not target.is_file() else target
    except (OSError, AttributeError):  # a system without owners
        return path


def replace_file(path: Path, write: Callable[[Patient], None]) -> None:
    """Put what `write` writes at `path` in one indivisible act; on failure the file that was there stays as it was."""
    path = followed(path)
    try:
        partial, descriptor = new_beside(path, PARTIAL, hidden=True)
    except OSError as error:
        raise write_error(path, error) from error
    try:
        with Patient(descriptor) as file:
            write(file)
            file.require()
            os.fsync(descriptor)
            os.replace(partial, path)
    except OSError as error:
        raise write_error(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
    sync_folder(path)


class Patient(io.RawIOBase):
    """A file that takes all that is written to it and tells of the first failure only when asked.

    HDF5 does not stand an error while it writes or closes a file: it then keeps the file open for good. Nor does it
    stand reading anything but what it wrote: what the disk did not take is kept until then.
    """

    def __init__(self, descriptor: int):
        super().__init__()
        self._descriptor = descriptor
        self._place = self._size = 0
        self._error: OSError | None = None
        self._refused: list[tuple[int, bytes]] = []  # place, content

    def require(self) -> None:
        """Raise the first error there was."""
        if self._error is not None:
            raise self._error

    def write(self, content: Buffer) -> int:
        view = memoryview(content).cast("B")
        if self._error is None:
            try:
                write_at(self._descriptor, view, self._place)
            except OSError as error:
                self._error = error
        if self._error is not None:
            self._refused.append((self._place, bytes(view)))
        self._place += len(view)
        self._size = max(self._size, self._place)
        return len(view)

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer).cast("B")[: max(self._size - self._place, 0)]
        found = os.pread(self._descriptor, len(view), self._place)
        view[: len(found)] = found
        view[len(found) :] = bytes(len(view) - len(found))
        for place, content in self._refused:
            first, last = max(place, self._place), min(place + len(content), self._place + len(view))
            if first < last:
                view[first - self._place : last - self._place] = content[first - place : last - place]
        self._place += len(view)
        return len(view)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._place = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: self._size}[whence]
        return self._place

    def tell(self) -> int:
        return self._place

    def readable(self) -> bool:
        return True

    writable = seekable = readable

    def truncate(self, size: int | None = None) -> int:
        size = self._place if size is None else size
        if self._error is None:
            try:
                os.ftruncate(self._descriptor, size)
            except OSError as error:
                self._error = error
        self._size = size
        return size

    def close(self) -> None:
        if not self.closed:
            os.close(self._descriptor)
        super().close()


def write_at(descriptor: int, content: memoryview | bytes, offset: int) -> None:
    """Write all of it at a place in a file."""
    view = memoryview(content).cast("B")
    while len(view):
        written = os.pwrite(descriptor, view, offset)
        view, offset = view[written:], offset + written


def sync_folder(path: Path) -> None:
    """Have the name itself on the disk, too; not every file system lets a folder be synced."""
    with contextlib.suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def abandoned(path: Path, suffix: str, hidden: bool = False) -> Iterator[Path]:
    """Files of :func:`new_beside` whose process no longer lives."""
    start, end = f"{'.' if hidden else ''}{path.name}.", f".{suffix}"
    for entry in path.parent.iterdir():
        middle = entry.name[len(start) : -len(end)]
        if not (entry.name.startswith(start) and entry.name.endswith(end) and len(middle) == 2 * _SECRET):
            continue
        with contextlib.suppress(OSError):
            descriptor = os.open(entry, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
            try:
                if is_free(descriptor):
                    yield entry
            finally:
                os.close(descriptor)


def remove_abandoned(path: Path, suffix: str, hidden: bool = False) -> None:
    """Clear what killed runs left."""
    with contextlib.suppress(OSError):
        for entry in abandoned(path, suffix, hidden):
            with contextlib.suppress(OSError):
                entry.unlink()


def require_writable(path: Path, expected_bytes: int = 0) -> None:
    """Find out before a run starts whether its result can be written; also clear what a killed run left half done."""
    import shutil  # here, because it loads every compression library

    if path.is_dir():
        raise ResultError(f"{path}: is a folder; name a file in it, for example {path / 'run.nc'}")
    if not path.parent.is_dir():
        raise ResultError(f"{path}: there is no folder {path.parent}; create it or choose another with -o")
    if is_something_else(path):
        raise ResultError(f"{path}: there is a file of this name that is no result; name another with -o, or remove it")
    remove_abandoned(path, PARTIAL, hidden=True)
    try:
        partial, descriptor = new_beside(path, PARTIAL, hidden=True)
        os.close(descriptor)
        partial.unlink()
        free = shutil.disk_usage(path.parent).free
    except OSError as error:
        raise write_error(path, error) from error
    if expected_bytes > free:
        raise ResultError(
            f"{path}: the result may need {size_text(expected_bytes)} and the disk has {size_text(free)} free; free "
            "some space, choose another folder with -o, or record less (a larger simulation.output_every, fewer "
            "outputs.cables)"
        )


def is_something_else(path: Path) -> bool:
    """Whether a file is there that no run has written: a result may be replaced, somebody's notes may not.

    A link of somebody else is replaced whatever it leads to, which stays.
    """
    path = followed(path)
    if path.is_symlink() or not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            first = file.read(4)
    except OSError:
        return False  # what is wrong with it is told by who writes
    return first not in (b"", b"\x89HDF", b"CDF\x01", b"CDF\x02", b"CDF\x05")


def write_error(path: Path, error: OSError) -> ResultError:
    """What a failed write means, and what to do."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        cure = "free some space or choose another folder with -o; what was there before is unharmed"
    elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        cure = f"get write permission for {path.parent} or choose another folder with -o"
    else:
        cure = "choose another folder with -o"
    return ResultError(f"{path}: cannot write the result ({error.strerror or error}); {cure}")


def size_text(count: float) -> str:
    """A number of bytes, for people."""
    for factor, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= factor:
            return f"{count / factor:.3g} {unit}"
    return f"{count:.0f} bytes"
