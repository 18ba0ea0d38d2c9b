"""A result as tables: a row a sample, a column a number, named as the inputs and outputs of a simulation are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from fairlead.results.peaks import Along

from .choice import Choice

if TYPE_CHECKING:
    import xarray as xr

USUAL = ("tension_effective", "force_end", "point_position")
"""What a table shows unless variables are chosen. Of tension only the ends are: all nodes are there on request."""
LINE_OUT = "winch.length"
"""What a table also shows of a cable on a winch."""
ANGLES = ("roll", "pitch", "yaw")
"""What it also shows of a body, in degrees."""
OWNERS = ("cable", "point")
"""Dimensions whose labels stand before the name of a variable, each with a sheet of its own or together."""
WHOLE = "run"


@dataclass(frozen=True)
class Table:
    """name   of the cable it is about, `points`, or `run` for what belongs to the whole system
    columns   names with units, `line.force_end.x [N]`; the first is `time [s]`
    values    (row, column)
    """

    name: str
    columns: tuple[str, ...]
    values: np.ndarray


def tables(dataset: xr.Dataset, choice: Choice) -> list[Table]:
    """A table for each cable, one for all points and one for the whole system, as far as the choice fills them."""
    part = choice.of(dataset)
    only_ends = choice.variables is None
    columns: dict[str, list[tuple[str, np.ndarray]]] = {}
    for name in choice.names(part, USUAL):
        for sheet, title, values in _columns(part, name, only_ends):
            columns.setdefault(sheet, []).append((f"{title} [{part[name].attrs.get('units', '1')}]", values))
    if only_ends:
        for sheet, title, values in _own_numbers(part):
            columns.setdefault(sheet, []).append((title, values))
    times = part["time"].values
    return [
        Table(sheet, ("time [s]", *(title for title, _ in found)), np.column_stack([times, *(v for _, v in found)]))
        for sheet, found in columns.items()
    ]


def joined(found: list[Table]) -> Table:
    """Several tables of the same samples as one."""
    columns = ("time [s]", *(title for table in found for title in table.columns[1:]))
    values = np.column_stack([found[0].values[:, :1], *(table.values[:, 1:] for table in found)])
    return Table(WHOLE, columns, values)


def _own_numbers(dataset: xr.Dataset) -> Iterator[tuple[str, str, np.ndarray]]:
    """Line out of every winch, and the angles of every body in degrees: sheet, title and values."""
    for cable in map(str, dataset["cable"].values if "cable" in dataset.coords else ()):
        name = f"{cable}.{LINE_OUT}"
        if name in dataset.variables:
            yield cable, f"{name} [m]", np.asarray(dataset[name].values)
    for point in map(str, dataset["point"].values if "point" in dataset.coords else ()):
        for angle in ANGLES:
            name = f"{point}.{angle}"
            if name in dataset.variables:
                yield "points", f"{name} [deg]", np.degrees(dataset[name].values)


def _columns(dataset: xr.Dataset, name: str, only_ends: bool) -> Iterator[tuple[str, str, np.ndarray]]:
    """Each series of a variable: the sheet it belongs to, its title and its values (time,)."""
    variable = dataset[name]
    if "time" not in variable.dims:
        return
    variable = variable.transpose("time", ...)
    dims = [str(dim) for dim in variable.dims[1:]]
    along = [Along.of(dataset, i) for i in range(variable.sizes["cable"])] if "node" in dims else []
    for index in product(*(range(variable.sizes[dim]) for dim in dims)):
        at = dict(zip(dims, index, strict=True))
        if "node" in at:
            count = int(dataset["node_count"].values[at["cable"]])
            if at["node"] >= count or (only_ends and at["node"] not in (0, count - 1)):
                continue
        owner = next((str(dataset[dim].values[at[dim]]) for dim in OWNERS if dim in at), "")
        sheet = owner if "cable" in at else "points" if "point" in at else WHOLE
        values = np.moveaxis(variable.values, 0, -1)[index]
        if only_ends and "node" in at and (ends := _drum(along[at["cable"]], values, at["node"])):
            yield sheet, f"{owner}.{name}@drum", _at_drum(variable.values[:, at["cable"]], ends)
            continue
        yield sheet, _title(dataset, name, at, owner, along), values


def _drum(along: Along, values: np.ndarray, node: int) -> str:
    """Which end of a cable is a drum, where the node of these values is that end: "start", "end" or none."""
    if node == 0:
        return "start" if along.out is not None else ""
    return "end" if along.out is None and np.isnan(values).any() else ""


def _at_drum(values: np.ndarray, end: str) -> np.ndarray:
    """A quantity (time, node) at the node that is next to a drum and off it, (time,)."""
    values = values if end == "start" else values[:, ::-1]
    out = np.isfinite(values)
    return np.where(out.any(axis=1), values[np.arange(len(values)), out.argmax(axis=1)], np.nan)


def _title(dataset: xr.Dataset, name: str, at: dict[str, int], owner: str, along: list[Along]) -> str:
    """`line.tension_effective@385 m`, `line.force_end.x`, `B.position.z`, `energy_kinetic`."""
    if "end" in at and name == "force_end":
        name = f"force_{dataset['end'].values[at['end']]}"
    quantity = name.removeprefix("point_") if owner else name
    title = f"{owner}.{quantity}" if owner else quantity
    if "node" in at:
        title += f"@{_place(along[at['cable']], at['node'])}"
    for dim, number in at.items():
        if dim not in ("node", "end", *OWNERS):
            title += f".{dataset[dim].values[number] if dim in dataset.coords else number}"
    return title


def _place(along: Along, node: int) -> str:
    """Where a node is along its cable; line on a drum from where it leaves the drum, when most of it was out."""
    place = float(along.widest[node])
    if along.out is None:
        return f"{place:.6g} m"
    return f"{place:.6g} m from its drum" if place > 0.0 else f"node {node} on its drum"
