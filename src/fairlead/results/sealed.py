"""The variables of a file that Fairlead wrote, by h5py alone.

Such a file uses little of NetCDF-4, and to know no more opens it five times as fast: each variable names its dimensions
in `DIMENSION_LIST`, a dimension is a scale of HDF5, and a scale whose `NAME` says so is no variable. Imported only
where a Dataset is made: importing xarray takes longer than reading a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import h5py
import numpy as np
import xarray as xr
from xarray.core.indexing import ExplicitIndexer, IndexingSupport, LazilyIndexedArray, explicit_indexing_adapter

from .scales import NO_VARIABLE

UNREAD = ("CLASS", "REFERENCE_LIST", "_Netcdf4Dimid", "_Netcdf4Coordinates")
OF_THE_FORMAT = ("NAME", "DIMENSION_LIST")


def lazy_dataset(content: h5py.File, items: Mapping[str, Any]) -> xr.Dataset:
    """What the root of an open file holds, its `items`, each variable read when it is asked for."""
    found = {name: (item, _attributes(item)) for name, item in items.items() if hasattr(item, "shape")}
    variables = {
        name: _variable(name, item, attrs, content)
        for name, (item, attrs) in found.items()
        if not bytes(attrs.get("NAME", b"")).startswith(NO_VARIABLE.encode())
    }
    own = {key: value for key, value in content.attrs.items() if key != "_NCProperties"}
    return xr.decode_cf(xr.Dataset(variables, attrs=_plain(own)))


def _attributes(stored: Any) -> dict[str, Any]:
    """Those that are asked for, each read once."""
    attrs = stored.attrs
    return {key: attrs[key] for key in attrs if key not in UNREAD}


class OnDisk(xr.backends.BackendArray):
    """Numbers or texts, of which xarray asks for a part, and which keep their file open."""

    def __init__(self, stored: Any, content: h5py.File):
        self._stored, self._content = stored, content
        self.is_text = h5py.check_string_dtype(stored.dtype) is not None
        self.shape = stored.shape
        self.dtype = np.dtype(object) if self.is_text else stored.dtype

    def __getitem__(self, key: ExplicitIndexer) -> Any:
        return explicit_indexing_adapter(key, self.shape, IndexingSupport.OUTER_1VECTOR, self._part)

    def _part(self, key: Any) -> Any:
        return (self._stored.asstr() if self.is_text else self._stored)[key]


def _variable(name: str, stored: Any, attrs: Mapping[str, Any], content: h5py.File) -> xr.Variable:
    data = OnDisk(stored, content)
    chunks, gzip = stored.chunks, stored.compression == "gzip"
    encoding = {  # for those who write it again
        "dtype": str if data.is_text else stored.dtype, "original_shape": stored.shape,
        "contiguous": chunks is None, "chunksizes": chunks, "fletcher32": stored.fletcher32,
        "shuffle": stored.shuffle, "zlib": gzip, "complevel": stored.compression_opts if gzip else 0,
    }  # fmt: skip
    own = {key: value for key, value in attrs.items() if key not in OF_THE_FORMAT}
    return xr.Variable(_dims(name, stored, attrs), LazilyIndexedArray(data), _plain(own), encoding)


def _dims(name: str, stored: Any, attrs: Mapping[str, Any]) -> tuple[str, ...]:
    if "DIMENSION_LIST" not in attrs:
        return (name,) * len(stored.shape)  # a scale lies along itself
    scales = (h5py.h5r.get_name(found[0], stored.id) for found in attrs["DIMENSION_LIST"])
    return tuple(scale.decode().removeprefix("/") for scale in scales)


def _plain(attrs: dict[str, Any]) -> dict[str, Any]:
    """Attributes as they were given: a number is stored as an array of one."""
    return {key: value[0] if np.shape(value) == (1,) else value for key, value in attrs.items()}
