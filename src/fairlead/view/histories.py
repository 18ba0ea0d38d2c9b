"""The cables of a result without their padding, and the choice of instants to show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairlead.results.peaks import Along, tension_in_steps

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class CableHistory:
    """One cable through a run: ``position`` (time, node, 3) m, ``tension`` (time, node) N at the samples.

    arc_length  unstretched distance of each node from ``origin``, "its start", or "its drum" when most line is out,
                (node,), m
    low, high   least and largest tension of all steps since the sample before, (time, node), N
    """

    name: str
    arc_length: NDArray[np.float64]
    origin: str
    position: NDArray[np.float64]
    tension: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    def end_tension(self, end: int, values: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Tension at the first (0) or last (1) node that is in the water rather than on a winch, (time,), N.

        values  ``low`` or ``high`` for these; the samples when left out
        """
        active = np.isfinite(self.tension)
        node = active.argmax(axis=1) if end == 0 else self.tension.shape[1] - 1 - active[:, ::-1].argmax(axis=1)
        return np.asarray((self.tension if values is None else values)[np.arange(len(node)), node])


def cable_histories(dataset: xr.Dataset) -> list[CableHistory]:
    """All cables of a result, each with its own number of nodes; what is not a finite number is NaN.

    The last sample of a run that went wrong may hold infinities, which no axis can show.
    """
    if "node_count" not in dataset:
        return []
    counts = dataset["node_count"].values

    def finite(name: str, i: int) -> NDArray[np.float64]:
        values = dataset[name].values[:, i, : counts[i]]
        return np.where(np.isfinite(values), values, np.nan)

    histories = []
    for i, name in enumerate(dataset["cable"].values):
        along = Along.of(dataset, i)
        places, tension = finite("position", i), finite("tension_effective", i)
        low, high = tension_in_steps(dataset, i)
        histories.append(CableHistory(str(name), along.widest, along.origin, places, tension, low, high))
    return histories


def snapshot_samples(dataset: xr.Dataset, instants: Sequence[float] | None = None, count: int = 6) -> NDArray[np.intp]:
    """Samples nearest to the wanted ``instants`` (s), or ``count`` evenly spread ones from first to last."""
    times = dataset["time"].values
    wanted = np.linspace(times[0], times[-1], count) if instants is None else np.asarray(instants, dtype=float)
    return np.unique([int(np.abs(times - t).argmin()) for t in wanted])


def instant_labels(times: NDArray[np.float64]) -> list[str]:
    """Short texts for instants, in s."""
    return [f"{t:.4g} s" for t in times]
