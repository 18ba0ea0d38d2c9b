"""Extremes of FMUs of ours between two samples: each step shows those of its own, a sample those since the last one."""

from __future__ import annotations

import numpy as np

from .record import Channel
from .slave import Reader, Slave

FOLDS: dict[str, np.ufunc] = {
    "tension_max": np.fmax,
    "tension_effective_max": np.fmax,
    "tension_effective_min": np.fmin,
    "curvature_max": np.fmax,
}
"""How an output of that name at the end of two steps becomes that of both."""


class Peaks:
    """What is folded: the columns of a row, in the order of the channels of each FMU, that hold extremes."""

    def __init__(self, channels: list[Channel], slaves: dict[str, Slave]):
        self._readers: list[tuple[Reader, list[tuple[slice, np.ufunc]]]] = []
        first = 0
        for name, slave in slaves.items():
            ports, places = [], []
            for channel in (c for c in channels if c.fmu == name):
                count = len(channel.port.numbers)
                fold = FOLDS.get(channel.name.rpartition(".")[2].partition("[")[0])
                if fold is not None:
                    ports.append(channel.port)
                    places.append((slice(first, first + count), fold))
                first += count
            if ports:
                self._readers.append((Reader(slave, ports), places))
        self._kept: dict[int, np.ndarray] = {}

    def look(self) -> None:
        """Take in what the step that was just made shows."""
        for reader, places in self._readers:
            values, at = reader.read(), 0
            for place, fold in places:
                seen = values[at : at + place.stop - place.start]
                at += len(seen)
                before = self._kept.get(place.start)
                self._kept[place.start] = seen.copy() if before is None else fold(before, seen)

    def into(self, row: np.ndarray) -> np.ndarray:
        """A sample with the extremes since the last one, which are then forgotten."""
        for first, values in self._kept.items():
            row[first : first + len(values)] = values
        self._kept.clear()
        return row
