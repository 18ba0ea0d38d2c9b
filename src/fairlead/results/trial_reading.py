"""The program of a trial reading (:mod:`.trial`). It imports nothing of Fairlead, so that it starts at once."""

from __future__ import annotations

import contextlib
import math
import os
import sys
from typing import Any

AT_A_TIME = 8 << 20  # bytes
MOST_COMPRESSION, ALWAYS_FINE = 1100, 1 << 20  # as in :mod:`.hdf5`


def main(library: str, path: str, seconds: str, *places: str) -> None:
    """Read all there is, past any error; the process is ended from outside when it takes too long."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # where there are no such limits, the clock decides
        import resource

        limit = int(float(seconds)) + 1
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    sys.path[:] = places
    if library == "meshio":
        import meshio

        meshio.read(path)
        return
    import h5py

    with h5py.File(path, "r") as file:
        _read_attributes(file)
        for item in file.values():
            _try(_read, item)
        file.visititems(lambda _, item: _try(_read, item))


def _read(item: Any) -> None:
    _read_attributes(item)
    if not hasattr(item, "shape"):
        return
    _ = (item.chunks, item.compression, item.fletcher32, item.shuffle, item.fillvalue, item.maxshape, item.dims)
    size = item.dtype.itemsize * math.prod(map(int, item.shape or ()))
    if not item.shape:
        item[()]
        return
    row = max(1, size // max(item.shape[0], 1))
    if size > MOST_COMPRESSION * os.path.getsize(item.file.filename) + ALWAYS_FINE:
        return  # the reader refuses it before it asks for memory
    step = max(1, AT_A_TIME // row)
    for start in range(0, item.shape[0], step):
        item[start : start + step]


def _read_attributes(item: Any) -> None:
    for name in list(item.attrs):
        _try(_follow, item, name)


def _follow(item: Any, name: str) -> None:
    import h5py
    import numpy as np

    value = item.attrs[name]
    for part in np.ravel(np.asarray(value, dtype=object)):
        for reference in np.ravel(np.asarray(part, dtype=object)):
            if isinstance(reference, h5py.Reference):
                h5py.h5r.get_name(reference, item.id)


def _try(act: Any, *arguments: Any) -> None:
    with contextlib.suppress(Exception):  # what cannot be read ends in an error of the reader, too
        act(*arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])
