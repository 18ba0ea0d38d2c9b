"""Opening a result file, with one clear sentence when that cannot be done."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .errors import ResultError
from .netcdf import RESTART_GROUP
from .restart import Restart

if TYPE_CHECKING:
    import xarray as xr

HDF5_SIGNATURE = b"\x89HDF\r\n\x1a\n"
CLASSIC_SIGNATURE = b"CDF"
REQUIRED_DIMS = {"position": ("time", "cable", "node", "axis"), "tension_effective": ("time", "cable", "node")}


def open_result(path: str | Path) -> xr.Dataset:
    """The Dataset in a result file, read into memory; the file is closed again and never changed.

    Raises :class:`ResultError` for a file that is missing, empty, cut short, or no result of Fairlead.
    """
    path = Path(path)
    _require_netcdf(path)
    import xarray as xr

    try:
        with xr.open_dataset(path, engine="h5netcdf") as lazy:
            dataset = lazy.load()
    except (ImportError, MemoryError):
        raise
    except Exception as error:  # a damaged file may fail in any way the libraries below know
        raise _damaged(path) from error
    without_cables = "cable" not in dataset.dims and "tension_max" in dataset and "point_position" in dataset
    for name, dims in () if without_cables else REQUIRED_DIMS.items():
        if name not in dataset or dataset[name].dims != dims:
            raise _foreign(path, f"it has no {name}({', '.join(dims)})")
    return dataset


def read_restart(path: str | Path) -> Restart:
    """The state to resume from that the run left in its result file."""
    path = Path(path)
    _require_netcdf(path)
    import h5netcdf

    try:
        with h5netcdf.File(path, "r") as file:
            if RESTART_GROUP not in file.groups:
                found = None
            else:
                group = file.groups[RESTART_GROUP]
                attrs = dict(group.attrs)
                found = Restart(
                    time=float(attrs["time"]),
                    steps=int(attrs["steps"]),
                    y=np.array(group.variables["y"][...], dtype=np.float64),
                    layout=str(attrs["layout"]),
                    input_hash=str(attrs["input_hash"]),
                    samples=int(attrs["samples"]),
                )
    except (ImportError, MemoryError):
        raise
    except Exception as error:  # as above
        raise _damaged(path) from error
    if found is None:
        raise ResultError(f"{path}: holds no state to resume from; start the run again from its input file")
    return found


def _require_netcdf(path: Path) -> None:
    try:
        if path.is_dir():
            raise ResultError(f"{path}: is a folder, not a result file; name the .nc file in it")
        with open(path, "rb") as file:
            start = file.read(len(HDF5_SIGNATURE))
    except FileNotFoundError as error:
        raise ResultError(f'{path}: there is no such file; check the name, or make it with "fairlead run"') from error
    except OSError as error:
        raise ResultError(f"{path}: cannot be read ({error.strerror or error}); check its permissions") from error
    if not start:
        raise ResultError(f"{path}: the file is empty; run its input file again")
    if start.startswith(CLASSIC_SIGNATURE):
        raise _foreign(path, "it is in the classic NetCDF format")
    if start != HDF5_SIGNATURE:
        if HDF5_SIGNATURE.startswith(start):
            raise _damaged(path)
        raise ResultError(f'{path}: is not a NetCDF file; name a result that "fairlead run" wrote')


def _damaged(path: Path) -> ResultError:
    return ResultError(
        f"{path}: the file is damaged or was cut short ({path.stat().st_size} bytes); "
        "copy it again from where it came from, or run its input file again"
    )


def _foreign(path: Path, why: str) -> ResultError:
    return ResultError(f'{path}: is not a result of Fairlead ({why}); name a file that "fairlead run" wrote')
