"""Snapshots of one cable in a run, its ends' motion taken out.

Ends are prescribed, so a motion of fixed shapes cannot follow them. What is left of the places when the ends' motion in
proportion along the cable is taken away vanishes at both ends (Escalante et al., Eq. 7, for both ends and all
directions): x̂(s, t) = x(s, t) − (1 − s/L) x(0, t) − (s/L) x(L, t).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .errors import ReductionError

if TYPE_CHECKING:
    import xarray as xr

Floats = NDArray[np.float64]
FEWEST = 3
"""Snapshots without which there is no motion to speak of."""


@dataclass(frozen=True)
class Snapshots:
    """One cable over time.

    time    (sample,) s
    along   (node,) places along the unstretched cable, from 0 to 1
    length  of the unstretched cable, m
    ends    (sample, 2, 3) m: where its ends were
    own     (sample, node, 3) m: places less the ends' motion in proportion along the cable; zero at both ends
    """

    time: Floats
    along: Floats
    length: float
    ends: Floats
    own: Floats

    @property
    def mean(self) -> Floats:
        """Mean over time of `own`, (node, 3) m."""
        return np.asarray(self.own.mean(axis=0))

    @property
    def matrix(self) -> Floats:
        """Inner nodes less their mean, one column a snapshot: (3·(node − 2), sample) m."""
        moved = (self.own - self.mean)[:, 1:-1]
        return np.asarray(moved.reshape(len(self.time), -1).T)


def lifting(along: Floats, ends: Floats) -> Floats:
    """The ends' motion in proportion along the cable, (sample, node, 3), of ends (sample, 2, 3)."""
    share = along[:, None]
    return np.asarray((1.0 - share) * ends[:, :1] + share * ends[:, 1:])


def snapshots(result: xr.Dataset, cable: str | None = None) -> Snapshots:
    """Snapshots of a cable (of the only one when none is named) from the result of a run."""
    names = [str(name) for name in result["cable"].values] if "cable" in result else []
    if cable is None and len(names) != 1:
        raise ReductionError(
            f"the run has {len(names)} cables; name one of them: {', '.join(names) or 'there is none'}"
        )
    if cable is not None and cable not in names:
        raise ReductionError(f"the run has no cable '{cable}'; there are: {', '.join(names)}")
    own = result.sel(cable=cable or names[0])
    nodes = int(own["node_count"])
    if nodes < 3:
        raise ReductionError(f"cable '{cable or names[0]}' has no node between its ends; nothing of it can be reduced")
    places = np.asarray(own["position"].values[:, :nodes], dtype=np.float64)
    if len(places) < FEWEST:
        raise ReductionError(
            f"the run holds {len(places)} samples, fewer than {FEWEST}; write more of them: output_every"
        )
    if not np.isfinite(places).all():
        sample = int(np.argwhere(~np.isfinite(places))[0, 0])
        time = float(result["time"].values[sample])
        raise ReductionError(f"a place at t = {time:g} s is no finite number; take the run only up to there")
    arc = np.asarray(own["arc_length"].values[:nodes], dtype=np.float64)
    along = arc / arc[-1]
    ends = places[:, [0, -1]]
    times = np.asarray(result["time"].values, dtype=np.float64)
    return Snapshots(times, along, float(arc[-1]), ends, places - lifting(along, ends))
