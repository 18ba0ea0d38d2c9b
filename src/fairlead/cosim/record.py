"""What a co-simulation leaves behind: an xarray Dataset, as NetCDF or CSV."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fairlead import __version__

from .setup import Setup
from .slave import AXES, Port

if TYPE_CHECKING:
    import xarray as xr


PACKED = 64 * 1024
"""Bytes above which a variable is compressed."""


@dataclass(frozen=True)
class Channel:
    """One recorded output: of which FMU, under which name, and what it is there."""

    fmu: str
    name: str
    port: Port


class Record:
    """Rows of numbers, one a sample."""

    def __init__(self, setup: Setup, channels: list[Channel]):
        self._setup, self._channels = setup, channels
        self._times: list[float] = []
        self._rows: list[np.ndarray] = []

    def add(self, t: float, row: np.ndarray) -> None:
        """One sample: the numbers of all channels, one after the other."""
        self._times.append(t)
        self._rows.append(row)

    def dataset(self, status: str) -> xr.Dataset:
        """All samples, a variable a channel."""
        import xarray as xr

        table = np.array(self._rows).reshape(len(self._rows), -1)
        variables, first = {}, 0
        for c in self._channels:
            count = len(c.port.numbers)
            shape = c.port.shape if np.prod(c.port.shape, dtype=int) == count else (count,)
            values = table[:, first : first + count].reshape(-1, *shape)
            dims = tuple("axis" if n == 3 and k == len(shape) - 1 else f"{c.name}_{k}" for k, n in enumerate(shape))
            variables[c.name] = (("time", *dims), values, {"units": c.port.unit or "1"})
            first += count
        result = xr.Dataset(
            variables,
            coords={"time": ("time", np.array(self._times), {"units": "s", "long_name": "simulated time"})},
            attrs={
                "title": self._setup.title, "source": f"fairlead {__version__} cosim", "status": status,
                "date_created": datetime.now(UTC).isoformat(timespec="seconds"), "step": self._setup.step,
                "fmus": ", ".join(f"{name}: {member.file}" for name, member in self._setup.fmus.items()),
            },
        )  # fmt: skip
        return result.assign_coords(axis=list(AXES)) if "axis" in result.dims else result


def save(result: xr.Dataset, path: Path) -> None:
    """To NetCDF, or to CSV when the name ends in .csv: a column a number, its unit in the heading."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix.lower() != ".csv":
        packed = {
            str(name): {"zlib": True, "complevel": 1} for name, v in result.data_vars.items() if v.nbytes > PACKED
        }
        result.to_netcdf(path, engine="h5netcdf", encoding=packed)
        return
    heads, columns = ["time [s]"], [result.time.to_numpy()[:, None]]
    for name, values in result.data_vars.items():
        table = values.to_numpy().reshape(len(result.time), -1)
        shape = values.shape[1:]
        for index in np.ndindex(*shape):
            places = [
                f".{AXES[k]}" if dim == "axis" else f"[{k}]" for k, dim in zip(index, values.dims[1:], strict=True)
            ]
            heads.append(f"{name}{''.join(places)} [{values.attrs['units']}]")
        columns.append(table)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(heads)
        writer.writerows(np.hstack(columns).tolist())
