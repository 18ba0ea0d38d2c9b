"""Writing a result file so that no kill, crash or full disk ever leaves a broken one.

The whole file is composed in memory, written beside its target under another name, forced to the disk and only then
renamed over the target. At every moment the target is the previous file or the new one, never something between.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from .errors import ResultError
from .restart import Restart
from .variables import Variable

COMPRESS_ABOVE = 64 * 1024  # bytes; below this a chunked, compressed array costs more than it saves
CHUNK = 1024 * 1024  # bytes
RESTART_GROUP = "restart"


def file_image(
    variables: Mapping[str, Variable], attrs: Mapping[str, str | int | float], restart: Restart | None
) -> memoryview:
    """The bytes of a NetCDF-4 file that holds the variables, the attributes and, if given, the restart state."""
    import h5netcdf
    import h5py

    buffer = io.BytesIO()
    with h5netcdf.File(buffer, "w") as file:
        for name, value in attrs.items():
            file.attrs[name] = value
        for variable in variables.values():
            for dim, size in zip(variable.dims, variable.values.shape, strict=True):
                if dim not in file.dimensions:
                    file.dimensions[dim] = size
        for name, variable in variables.items():
            text = variable.values.dtype == object
            padded = variable.values.dtype.kind == "f" and "node" in variable.dims
            stored = file.create_variable(
                name,
                variable.dims,
                dtype=h5py.string_dtype() if text else variable.values.dtype,
                data=variable.values,
                fillvalue=np.nan if padded else None,
                **_storage(variable),
            )
            for key, text_value in variable.attrs.items():
                stored.attrs[key] = text_value
            if padded and name != "arc_length":
                stored.attrs["coordinates"] = "arc_length node_count"
        if restart is not None:
            _write_restart(file.create_group(RESTART_GROUP), restart)
    return buffer.getbuffer()


def replace_file(path: Path, image: memoryview) -> None:
    """Put the bytes at ``path`` in one indivisible act; on failure the file that was there stays as it was."""
    partial = _partial(path)
    try:
        with open(partial, "wb") as file:
            file.write(image)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except OSError as error:
        raise write_error(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
    # The name itself is on the disk only once the folder is; not every file system lets a folder be synced.
    with contextlib.suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def require_writable(path: Path, expected_bytes: int = 0) -> None:
    """Find out before a run starts whether its result can be written; also clear what a killed run left half done."""
    import shutil  # here, because it loads every compression library

    if path.is_dir():
        raise ResultError(f"{path}: is a folder; name a file in it, for example {path / 'run.nc'}")
    if not path.parent.is_dir():
        raise ResultError(f"{path}: there is no folder {path.parent}; create it or choose another with -o")
    _remove_abandoned(path)
    partial = _partial(path)
    try:
        partial.touch()
        partial.unlink()
        free = shutil.disk_usage(path.parent).free
    except OSError as error:
        raise write_error(path, error) from error
    if expected_bytes > free:
        raise ResultError(
            f"{path}: the result may need {_size(expected_bytes)} and the disk has {_size(free)} free; free some "
            "space, choose another folder with -o, or record less (a larger simulation.output_every, fewer "
            "outputs.cables)"
        )


def write_error(path: Path, error: OSError) -> ResultError:
    """What a failed write means, and what to do."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        cure = "free some space or choose another folder with -o; what was there before is unharmed"
    elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        cure = f"get write permission for {path.parent} or choose another folder with -o"
    else:
        cure = "choose another folder with -o"
    return ResultError(f"{path}: cannot write the result ({error.strerror or error}); {cure}")


def _storage(variable: Variable) -> dict[str, object]:
    values = variable.values
    if values.dtype == object or values.nbytes < COMPRESS_ABOVE or values.ndim == 0:
        return {}
    along = max(1, min(values.shape[0], CHUNK * values.shape[0] // values.nbytes))
    chunks = (along, *values.shape[1:])
    return {"compression": "gzip", "compression_opts": 1, "shuffle": True, "chunks": chunks}


def _write_restart(group: object, restart: Restart) -> None:
    group.dimensions["state"] = len(restart.y)  # type: ignore[attr-defined]
    y = np.ascontiguousarray(restart.y, dtype=np.float64)
    group.create_variable("y", ("state",), dtype=np.float64, data=y)  # type: ignore[attr-defined]
    group.attrs.update(  # type: ignore[attr-defined]
        {
            "time": np.float64(restart.time),
            "steps": np.int64(restart.steps),
            "samples": np.int64(restart.samples),
            "layout": restart.layout,
            "input_hash": restart.input_hash,
        }
    )


def _partial(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.partial")


def _remove_abandoned(path: Path) -> None:
    """Remove unfinished files of processes that no longer live (a kill may leave one behind)."""
    prefix, suffix = f".{path.name}.", ".partial"
    for entry in path.parent.iterdir():
        if not (entry.name.startswith(prefix) and entry.name.endswith(suffix)):
            continue
        owner = entry.name[len(prefix) : -len(suffix)]
        if owner.isdecimal() and not _alive(int(owner)):
            with contextlib.suppress(OSError):
                entry.unlink()


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _size(count: int) -> str:
    for factor, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= factor:
            return f"{count / factor:.3g} {unit}"
    return f"{count} bytes"
