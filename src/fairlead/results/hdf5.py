"""Opening HDF5 files of any origin without trusting them: one place for results, reduced models and coefficients."""

from __future__ import annotations

import contextlib
import errno
import math
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .integrity import Checked, append_checksums
from .places import Patient, replace_file, size_text
from .trial import require_harmless

if TYPE_CHECKING:
    import xarray as xr

SIGNATURE = b"\x89HDF\r\n\x1a\n"
MOST_COMPRESSION = 1100  # deflate makes nothing smaller than by 1032
ALWAYS_FINE = 1 << 20  # bytes that a file of any size may declare


class NotReadable(OSError):
    """A file that cannot be opened: the message says why and what to do, without the name of the file."""


class ImpossibleSize(ValueError):
    """A file declares more numbers than it can hold."""


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Any]:
    """An h5py.File that is safe to read: its checksums are compared, or another process has read it before."""
    with checked(path) as file, h5_file(file, path) as content:
        found: list[Any] = []
        content.visititems(lambda _, item: found.append(item) if hasattr(item, "shape") else None)
        require_possible_sizes(found, os.fstat(file.fileno()).st_size)
        yield content


def checked(path: Path) -> Checked:
    """A file open for reading; a pipe or a device, which might never end, is none."""
    descriptor = _descriptor(path)
    try:
        return Checked(descriptor)
    except BaseException:
        os.close(descriptor)
        raise


def h5_file(file: Checked, path: Path) -> Any:
    """What h5py makes of it."""
    if not file.has_checksums and _has_signature(file):
        require_harmless(path)
    import h5py

    return h5py.File(file, "r")


def _has_signature(file: Checked) -> bool:
    """Whether HDF5 would go on reading: its signature is at byte 0, 512, 1024, 2048 and so on."""
    place = file.tell()
    size = file.seek(0, os.SEEK_END)
    start, found = 0, False
    while start < size and not found:
        file.seek(start)
        found = file.read(len(SIGNATURE)) == SIGNATURE
        start = max(512, 2 * start)
    file.seek(place)
    return found


def _descriptor(path: Path) -> int:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError as error:
        raise NotReadable(errno.ENOENT, "there is no such file; check the name") from error
    except OSError as error:
        if error.errno == errno.EISDIR or path.is_dir():
            raise NotReadable(errno.EISDIR, "is a folder, not a file; name the file in it") from error
        raise NotReadable(error.errno, f"cannot be read ({error.strerror or error}); check its permissions") from error
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISREG(kind):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(kind):
        raise NotReadable(errno.EISDIR, "is a folder, not a file; name the file in it")
    raise NotReadable(errno.EINVAL, "is a pipe or a device, not a file")


def require_possible_sizes(datasets: Iterable[Any], length: int) -> int:
    """Bytes that datasets declare; `ImpossibleSize` where a file cannot hold as many, before memory is asked for."""
    declared = sum(int(item.dtype.itemsize) * math.prod(int(n) for n in item.shape or ()) for item in datasets)
    if declared > MOST_COMPRESSION * length + ALWAYS_FINE:
        raise ImpossibleSize(
            f"declares {size_text(declared)} of numbers in a file of {size_text(length)}, which cannot be"
        )
    return declared


def read_dataset(path: Path) -> xr.Dataset:
    """A NetCDF-4 file of any origin, whole and in memory; any exception where it is damaged."""
    import h5netcdf
    import xarray as xr

    with opened(path) as content:
        file = h5netcdf.File(content, "r", decode_vlen_strings=True)
        return xr.open_dataset(xr.backends.H5NetCDFStore(file)).load()


def write_dataset(dataset: xr.Dataset, path: Path) -> None:
    """A Dataset as a NetCDF-4 file with checksums, whole or not at all."""
    content = memoryview(dataset.to_netcdf(engine="h5netcdf"))

    def put(file: Patient) -> None:
        file.write(content)
        append_checksums(file)

    replace_file(path, put)
