"""What a simulation shows of itself: one flat row of numbers, and names for its parts."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from fairlead.model.problems import suggestion
from fairlead.results import NODE_COLUMNS, TOTALS, ObservationShape
from fairlead.results.extremes import NODE_EXTREMES
from fairlead.results.variables import NODE_FIELDS, NODE_PEAKS

Channels = dict[str, tuple[int, int, int, int, int]]
"""Name of each output -> (start, stop) in the row, columns of its table (0: none), first column and width in it."""


class Outputs:
    """One observation of a simulation; taking it costs microseconds.

    `row` is the whole observation (see `fairlead.results.observation`), `time` its simulated time in s. Parts are read
    by name, as views of the row:

    - `out["left.position"]` (node, 3) m, likewise `velocity`, `tension_effective` (node,), `shear`, `bending_moment`,
      `torsion`, `contact_force` of a cable;
    - `out["left.force_start"]`, `out["left.force_end"]` (3,) N: force of the cable on its support;
    - `out["B.position"]`, `out["B.velocity"]` (3,) of a point;
    - `out["platform.force_excitation"]` (6,) N and N m: forces on a floater by their origin;
    - `out["tension_max"]`, `out["energy_kinetic"]`, ... numbers, also as attributes: `out.tension_max`.
    """

    __slots__ = ("_channels", "row", "time")

    def __init__(self, time: float, row: np.ndarray, shape: ObservationShape, names: Channels | None = None):
        self.time = time
        self.row = row
        self._channels = channels(shape) if names is None else names

    def __getitem__(self, name: str) -> np.ndarray | float:
        try:
            start, stop, columns, column, width = self._channels[name]
        except KeyError:
            raise KeyError(f"there is no output '{name}'; {suggestion(name, self.names)}") from None
        if stop == start + 1:
            return float(self.row[start])
        part = self.row[start:stop]
        if columns:
            table = part.reshape(-1, columns)
            return table[:, column] if width == 1 else table[:, column : column + width]
        return part

    def __getattr__(self, name: str) -> float:
        if not name.startswith("_") and name in self._channels:
            return float(self.row[self._channels[name][0]])
        raise AttributeError(f"no total named '{name}'; cables and points are read as out['name.quantity']")

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.row, dtype=dtype, copy=copy)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that can be read."""
        return tuple(self._channels)

    def __repr__(self) -> str:
        return f"<Outputs at t = {self.time:.6g} s, largest tension {self.tension_max:.6g} N, {len(self.row)} numbers>"


@lru_cache(maxsize=16)
def channels(shape: ObservationShape) -> Channels:
    """Every output of a system."""
    found: Channels = {}
    for name in shape.points:
        place = shape.point(name).start
        found[f"{name}.position"] = (place, place + 3, 0, 0, 0)
        found[f"{name}.velocity"] = (place + 3, place + 6, 0, 0, 0)
    for name in shape.cables:
        nodes, ends = shape.cable_nodes(name), shape.cable_ends(name)
        for field in NODE_FIELDS:
            found[f"{name}.{field.name}"] = (nodes.start, nodes.stop, NODE_COLUMNS, field.column, field.width)
        peaks = shape.cable_extremes(name)
        for peak in NODE_PEAKS:
            found[f"{name}.{peak.name}"] = (peaks.start, peaks.stop, NODE_EXTREMES, peak.column, 1)
        found[f"{name}.force_start"] = (ends.start, ends.start + 3, 0, 0, 0)
        found[f"{name}.force_end"] = (ends.start + 3, ends.stop, 0, 0, 0)
    for name in (*TOTALS, *(extra.name for extra in shape.extras)):
        found[name] = (shape.column(name), shape.column(name) + 1, 0, 0, 0)
    for own in shape.fields:
        place = shape.field(own.name)
        found[own.name] = (place.start, place.stop, 0, 0, 0)
    return found
