"""Named dimensions in an HDF5 file, as NetCDF-4 keeps them: each is a scale, which its variables are attached to.

The scale is the variable of the same name; where there is none, it is an empty array whose `NAME` says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

NO_VARIABLE = "This is a netCDF dimension but not a netCDF variable"


class Dimensioned:
    """A group of a file that is being written. `close` makes its dimensions, once all variables are there."""

    def __init__(self, group: Any, numbers: Iterator[int]):
        """numbers: of the dimensions, each once in a file whatever its group."""
        self._group, self._numbers = group, numbers
        self._dims: dict[str, tuple[str, ...]] = {}
        self._sizes: dict[str, int] = {}
        self._stored: dict[str, Any] = {}

    def create(self, name: str, dims: tuple[str, ...], shape: tuple[int, ...], dtype: Any, **storage: Any) -> Any:
        """A variable, not yet written; a dimension has the same size wherever it is."""
        self._dims[name] = dims
        self._sizes.update(zip(dims, shape, strict=True))
        self._stored[name] = self._group.create_dataset(name, shape, dtype=dtype, track_order=True, **storage)
        return self._stored[name]

    def close(self) -> None:
        """Attach every variable to the scales of its dimensions."""
        from h5py import h5ds

        scales = {dim: self._scale(dim, size) for dim, size in self._sizes.items()}
        for scale in scales.values():
            scale.attrs["_Netcdf4Dimid"] = np.int32(next(self._numbers))
        for name, dims in self._dims.items():
            for axis, dim in enumerate(dims):
                if dim != name:
                    h5ds.attach_scale(self._stored[name].id, scales[dim].id, axis)

    def _scale(self, dim: str, size: int) -> Any:
        if self._dims.get(dim) == (dim,):
            scale, name = self._stored[dim], dim
        else:
            scale = self._group.create_dataset(dim, (size,), dtype=">f4", track_order=True)
            name = f"{NO_VARIABLE}.{size:10}"
        scale.make_scale(name)
        return scale


def put_attributes(item: Any, attrs: Mapping[str, Any]) -> None:
    """Texts as they are; a number as an array of one, as NetCDF has them."""
    for name, value in attrs.items():
        item.attrs[name] = value if isinstance(value, str) else np.atleast_1d(value)
