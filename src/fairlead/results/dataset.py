"""A result as an xarray Dataset, and back again to observation rows.

Dimensions: ``time``, ``cable``, ``node`` (as many as the longest cable has; shorter cables are padded with NaN),
``axis`` (x, y, z), ``end`` (start, end), ``point``. Attributes of the whole Dataset: ``title``, ``formulation``,
``fairlead_version``, ``input_file`` (the text of the input), ``settings`` (JSON of the whole system as it was run, of
which ``environment.seabed`` gives the bed to the summary and the pictures), ``warnings`` (one a line), ``status``
("complete", "running" or "stopped: why").
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairlead.words import NOTE

from .observation import TOTALS, Extra, Field, ObservationShape
from .variables import (
    CABLE_PEAKS,
    END_PEAKS,
    NODE_FIELDS,
    NODE_PEAKS,
    POINT_PEAKS,
    RESERVED,
    global_attributes,
    result_variables,
)

if TYPE_CHECKING:
    import xarray as xr


def variable_of(dataset: xr.Dataset, name: str) -> xr.DataArray | None:
    """A variable of a result by its name; None where there is none.

    `Dataset.get` would take `cable.winch.length` of a cable called 'cable' for something of the coordinate `cable`.
    """
    return dataset[name] if name in dataset.variables else None


def build_dataset(
    shape: ObservationShape,
    times: NDArray[np.float64],
    rows: NDArray[np.float64],
    metadata: Mapping[str, object],
    *,
    energy: bool = True,
) -> xr.Dataset:
    """The Dataset of a run: ``times`` (sample,) in s, ``rows`` (sample, shape.size), ``metadata`` as attributes."""
    import xarray as xr

    variables = result_variables(shape, times, rows, energy=energy)

    def part(coordinate: bool) -> dict[str, tuple[tuple[str, ...], NDArray[Any], dict[str, str]]]:
        chosen = {name: v for name, v in variables.items() if v.coordinate is coordinate}
        return {
            name: (v.dims, v.values.astype(str) if v.values.dtype == object else v.values, v.attrs)
            for name, v in chosen.items()
        }

    return xr.Dataset(part(False), coords=part(True), attrs=global_attributes(metadata))


def shape_of(dataset: xr.Dataset) -> ObservationShape:
    """The shape of the observation rows a Dataset was made from."""
    cables = tuple(str(name) for name in dataset["cable"].values) if "cable" in dataset.coords else ()
    counts = tuple(int(n) for n in dataset["node_count"].values) if cables else ()
    arc = dataset["arc_length"].values if cables else np.empty((0, 0))
    extras = tuple(
        Extra(str(name), str(v.attrs.get("units", "1")), str(v.attrs.get("long_name", "")))
        for name, v in dataset.data_vars.items()
        if v.dims == ("time",) and name not in RESERVED
    )
    fields = tuple(
        Field(
            str(name),
            v.sizes[v.dims[1]],
            str(v.dims[1]),
            str(v.attrs.get("units", "1")),
            str(v.attrs.get("long_name", "")),
        )
        for name, v in dataset.data_vars.items()
        if v.dims[:1] == ("time",) and len(v.dims) == 2 and name not in RESERVED
    )
    return ObservationShape(
        cables=cables,
        nodes_per_cable=counts,
        points=tuple(str(name) for name in dataset["point"].values) if "point" in dataset.coords else (),
        arc_length=tuple(tuple(arc[i, :n]) for i, n in enumerate(counts)),
        extras=extras,
        fields=fields,
    )


def rows_of(dataset: xr.Dataset, shape: ObservationShape | None = None) -> NDArray[np.float64]:
    """The observation rows of a Dataset, (sample, size): the inverse of :func:`build_dataset`, to the last bit.

    What the Dataset leaves out (energies, where a run did not ask for them) is NaN.
    """
    shape = shape or shape_of(dataset)
    rows = np.full((dataset.sizes["time"], shape.size), np.nan)
    for field in NODE_FIELDS if shape.cables else ():
        values = dataset[field.name].values
        values = values if field.width == 3 else values[..., np.newaxis]
        for i, count in enumerate(shape.nodes_per_cable):
            table = shape.node_table(rows, i)
            table[..., field.column : field.column + field.width] = values[:, i, :count]
    if shape.cables:
        rows[:, shape.end_block] = dataset["force_end"].values.reshape(len(rows), -1)
    _put_peaks(dataset, shape, rows)
    if shape.points:
        both = np.concatenate([dataset["point_position"].values, dataset["point_velocity"].values], axis=-1)
        rows[:, shape.point_block] = both.reshape(len(rows), -1)
    for name in (*TOTALS, *(extra.name for extra in shape.extras)):
        if name in dataset:
            rows[:, shape.column(name)] = dataset[name].values
    for extra_field in shape.fields:
        rows[:, shape.field(extra_field.name)] = dataset[extra_field.name].values
    return rows


def _put_peaks(dataset: xr.Dataset, shape: ObservationShape, rows: NDArray[np.float64]) -> None:
    """The extremes since the previous sample into observation rows; they stay NaN where a result has none."""
    for peak in NODE_PEAKS:
        if peak.name in dataset:
            for i, count in enumerate(shape.nodes_per_cable):
                shape.peak_table(rows, i)[..., peak.column] = dataset[peak.name].values[:, i, :count]
    for peaks, table in zip((CABLE_PEAKS, END_PEAKS, POINT_PEAKS), shape.peak_tables(rows), strict=True):
        for peak in peaks:
            if peak.name in dataset:
                table[..., peak.column] = dataset[peak.name].values


def settings_of(dataset: xr.Dataset) -> dict[str, Any]:
    """The ``settings`` attribute as a dictionary; empty when there is none or it is not JSON."""
    try:
        settings = json.loads(dataset.attrs.get("settings") or "{}")
    except (ValueError, RecursionError):
        return {}
    return settings if isinstance(settings, dict) else {}


def warnings_of(dataset: xr.Dataset) -> tuple[str, ...]:
    """The warnings a result carries, one text each; notes that came with them are no warnings."""
    return tuple(line for line in remarks_of(dataset) if not line.startswith(NOTE))


def remarks_of(dataset: xr.Dataset) -> tuple[str, ...]:
    """The warnings and the notes a result carries, one text each."""
    return tuple(line for line in str(dataset.attrs.get("warnings", "")).split("\n") if line)
