"""Extremes of a result: those of every step where the result has them, with their times and places.

Each sample but the first carries the extremes of the steps since the one before (:mod:`.extremes`). The first sample
stands for itself, and so does the last, since no step begins there. A result cut at its beginning (``--after``) keeps
to the same rule: what came before its first sample does not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .dataset import settings_of, variable_of
from .errors import ResultError
from .required import parted

if TYPE_CHECKING:
    import xarray as xr

Floats = NDArray[np.float64]


def since(dataset: xr.Dataset, after: float | None) -> xr.Dataset:
    """The samples from ``after`` (s) on: what comes before may be how the run began, not what is asked."""
    if after is None:
        return dataset
    part = dataset.isel(time=np.flatnonzero(dataset["time"].values >= after))
    if not part.sizes["time"]:
        last = float(dataset["time"].values[-1])
        raise ResultError(f"the result ends at {last:g} s, and what is asked for begins at {after:g} s; ask for less")
    return part


def check_extremes(dataset: xr.Dataset) -> None:
    """Refuse a result that has an extreme without its time or place."""
    fault = parted(dataset)
    if fault is not None:
        raise ResultError(
            f"this is no result as a run leaves it: {fault}; another program has changed it: take the file as it was "
            "written, or run its input file again"
        )


def in_steps(sampled: Floats, extreme: Floats | None, largest: bool) -> Floats:
    """The extreme of each output interval, (time, ...), from what was sampled and what all steps left behind.

    Where no step has left anything it is the sample itself.
    """
    if extreme is None:
        return sampled
    out = np.where(np.isfinite(extreme), extreme, sampled)
    out[0] = sampled[0]
    out[-1] = (np.fmax if largest else np.fmin)(out[-1], sampled[-1])
    return out


def finite(values: Floats) -> Floats:
    """Numbers, and NaN for what is none: a run that went wrong may end in infinities."""
    return np.where(np.isfinite(values), values, np.nan)


def tension_in_steps(dataset: xr.Dataset, i: int) -> tuple[Floats, Floats]:
    """Least and largest effective tension along cable i in each output interval, both (time, node), N."""
    count = int(dataset["node_count"].values[i])
    sampled = finite(dataset["tension_effective"].values[:, i, :count])

    def steps(name: str) -> Floats | None:
        return dataset[name].values[:, i, :count] if name in dataset else None

    low, high = steps("tension_effective_min"), steps("tension_effective_max")
    return in_steps(sampled, low, False), in_steps(sampled, high, True)


def force_in_steps(dataset: xr.Dataset, i: int, end: int) -> tuple[Floats, Floats, Floats]:
    """Size of the force of cable i on the support of its start (0) or end (1): samples, least, largest, (time,), N."""
    sampled = np.linalg.norm(dataset["force_end"].values[:, i, end], axis=-1)
    low = dataset["force_end_min"].values[:, i, end] if "force_end_min" in dataset else None
    high = dataset["force_end_max"].values[:, i, end] if "force_end_max" in dataset else None
    return sampled, in_steps(sampled, low, False), in_steps(sampled, high, True)


def curvature_in_steps(dataset: xr.Dataset, i: int, sampled: Floats) -> Floats:
    """Largest curvature along cable i in each output interval, (time, node), 1/m; ``sampled``: that of the samples."""
    if "curvature_max" not in dataset:
        return sampled
    return in_steps(sampled, dataset["curvature_max"].values[:, i, : sampled.shape[1]], True)


@dataclass(frozen=True)
class Along:
    """Places along one cable: distances from its start or, of line on a drum there, from where it leaves the drum.

    arc    unstretched distance of each node from the start with all line off the drum, (node,), m
    out    line off the drum at the samples, (time,), m; None where the start is no drum
    times  of the samples, (time,), s
    """

    arc: Floats
    out: Floats | None
    times: Floats

    @classmethod
    def of(cls, dataset: xr.Dataset, i: int) -> Along:
        """Of cable i of a result."""
        name = str(dataset["cable"].values[i])
        arc = dataset["arc_length"].values[i, : int(dataset["node_count"].values[i])]
        cables = settings_of(dataset).get("cables")
        facts = cables.get(name) if isinstance(cables, dict) else None
        winch = facts.get("winch") if isinstance(facts, dict) else None
        length = variable_of(dataset, f"{name}.winch.length")
        at_start = not isinstance(winch, dict) or winch.get("end", "start") == "start"
        out = np.asarray(length.values, dtype=np.float64) if length is not None and at_start else None
        return cls(np.asarray(arc, dtype=np.float64), out, np.asarray(dataset["time"].values, dtype=np.float64))

    @property
    def origin(self) -> str:
        """What distances are counted from, in words."""
        return "its start" if self.out is None else "its drum"

    def at(self, node: int, time: float) -> float:
        """Unstretched distance of a node at a time, m."""
        if self.out is None:
            return float(self.arc[node])
        return float(self._off(float(np.interp(time, self.times, self.out)))[node])

    @property
    def widest(self) -> Floats:
        """Distances of all nodes when most line was out, (node,), m; nodes that never left the drum are at it."""
        return self.arc if self.out is None else self._off(float(np.nanmax(self.out, initial=0.0)))

    def _off(self, out: float) -> Floats:
        return np.asarray(np.maximum(0.0, out - (self.arc[-1] - self.arc)))


def extreme_of(
    values: Floats, along: Along, cable: str, largest: bool, times: Floats | None = None, nodes: Floats | None = None
) -> dict[str, Any] | None:
    """Value, time, cable and place of the extreme of (time, node); None where there is nothing.

    times, nodes  when and where in its output interval the cable's extreme was reached, (time,), as steps tell them
    """
    if np.isnan(values).all():
        return None
    sample, node = np.unravel_index(np.nanargmax(values) if largest else np.nanargmin(values), values.shape)
    time = float(along.times[sample])
    if sample > 0 and times is not None and nodes is not None and nodes[sample] == node:
        time = float(times[sample])
    return {
        "value": float(values[sample, node]),
        "time": time,
        "cable": cable,
        "arc_length": along.at(int(node), time),
        "from": along.origin,
    }


def tension_extreme(dataset: xr.Dataset, i: int, largest: bool) -> dict[str, Any] | None:
    """The least or largest tension in cable i: ``value`` (N), ``time`` (s), ``cable``, ``arc_length`` (m), ``from``."""
    word = "max" if largest else "min"
    known = f"tension_{word}_time" in dataset
    return extreme_of(
        tension_in_steps(dataset, i)[1 if largest else 0],
        Along.of(dataset, i),
        str(dataset["cable"].values[i]),
        largest,
        dataset[f"tension_{word}_time"].values[:, i] if known else None,
        dataset[f"tension_{word}_node"].values[:, i] if known else None,
    )
