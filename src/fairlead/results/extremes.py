"""Extremes between two samples: the least and the largest of every step, kept where the steps are taken.

A sample shows one moment; a peak between two samples is seen by none of them. So each formulation folds what a step has
computed anyway into running extremes, which lie at the end of its state vector, and writes them into the observation
row of the next sample, behind all else. They cover the steps since the previous sample. One row holds

1. for each cable, for each node: least and largest effective tension (N), largest curvature (1/m);
2. for each cable: time and node of its least tension, of its largest tension and of its largest curvature, then its
   least clearance above the seabed (m) with time and node;
3. for each cable, for its start and its end: least and largest size of the force on its support (N), time of the
   largest;
4. for each point and body: largest acceleration (m/s²) and its time, least clearance above the seabed (m) and its time.

What no step has seen (line on a drum, a first sample) is NaN. In the state the numbers stand in the same order, with
squares of sizes instead of these, followed by the velocities of the points and the time of the latest step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

# Plain integers, because compiled kernels read them as constants. First the columns of a row.
NODE_TENSION_MIN = 0
NODE_TENSION_MAX = 1
NODE_CURVATURE_MAX = 2
NODE_EXTREMES = 3

CABLE_TENSION_MIN = 0
CABLE_TENSION_MAX = 2
CABLE_CURVATURE_MAX = 4
CABLE_CLEARANCE_MIN = 6
CABLE_EXTREMES = 9

END_FORCE_MIN = 0
END_FORCE_MAX = 1
END_EXTREMES = 3

POINT_ACCELERATION_MAX = 0
POINT_CLEARANCE_MIN = 2
POINT_EXTREMES = 4

# In the state each extreme of a cable is a value, a time and a node.
KEPT_TENSION_MIN = 0
KEPT_TENSION_MAX = 3
KEPT_CURVATURE_MAX = 6
KEPT_CLEARANCE_MIN = 9
CABLE_KEPT = 12

# The counts stand at the end of a formulation's integers, counted from there.
NODES_FROM_END = 5
CABLES_FROM_END = 4
POINTS_FROM_END = 3
TOTALS_FROM_END = 2
SIZE_FROM_END = 1

UNSET = 1.0e100
"""Least of nothing; its negative is the largest of nothing. Finite, since a state must be."""


@dataclass(frozen=True)
class Extremes:
    """Where the extremes stand in a row (`start` on) and in a state (the last `kept` numbers)."""

    start: int
    totals: int
    nodes: int
    cables: int
    points: int

    @property
    def cable_start(self) -> int:
        """First column of the extremes of whole cables."""
        return self.start + NODE_EXTREMES * self.nodes

    @property
    def end_start(self) -> int:
        """First column of the extremes of end forces."""
        return self.cable_start + CABLE_EXTREMES * self.cables

    @property
    def point_start(self) -> int:
        """First column of the extremes of points."""
        return self.end_start + 2 * END_EXTREMES * self.cables

    @property
    def stop(self) -> int:
        """End of the row."""
        return self.point_start + POINT_EXTREMES * self.points

    @property
    def reset_part(self) -> int:
        """How many numbers of the state begin anew after a sample."""
        ends = 2 * END_EXTREMES * self.cables
        return NODE_EXTREMES * self.nodes + CABLE_KEPT * self.cables + ends + POINT_EXTREMES * self.points

    @property
    def kept(self) -> int:
        """How many numbers there are in the state."""
        return self.reset_part + 3 * self.points + 1

    @property
    def counts(self) -> NDArray[np.int64]:
        """What a formulation's integers end with."""
        return np.array([self.nodes, self.cables, self.points, self.totals, self.kept], dtype=np.int64)

    @cached_property
    def fresh(self) -> NDArray[np.float64]:
        """The numbers of a state that no step has been taken from, (kept,)."""
        cable = [UNSET, 0.0, 0.0, -UNSET, 0.0, 0.0, -UNSET, 0.0, 0.0, UNSET, 0.0, 0.0]
        parts: Sequence[list[float]] = (
            [UNSET, -UNSET, -UNSET] * self.nodes,
            cable * self.cables,
            [UNSET, -UNSET, 0.0] * (2 * self.cables),
            [-UNSET, 0.0, UNSET, 0.0] * self.points,
            [0.0] * (3 * self.points),
            [UNSET],
        )
        return np.array([number for part in parts for number in part])
