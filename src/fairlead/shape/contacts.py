"""A cable with floats along it on the seabed: which of its nodes touch, found node by node.

Between two touching nodes the cable is a free span; all spans share one horizontal force H. Nodes that dip below the
bed are added, nodes that the bed would have to pull down are released, until neither is left.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairlead.shape.bracket import positive_root, root
from fairlead.shape.chain import Chain, Hang, in_plane, pointing
from fairlead.shape.plane import Plane
from fairlead.shape.rest import resting

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Span:
    """Elements first ... last - 1, which gain `rise` [m] of height above the bed between two touching nodes or ends."""

    first: int
    last: int
    rise: float

    def vertical_forces(self, chain: Chain, slope: float, horizontal: float) -> Floats:
        """v of its elements [N] under the pull H: the one constant that makes the span rise as it must."""
        own = slice(self.first, self.last)
        lengths, loads, give = chain.lengths[own], chain.loads[own], chain.compliance[own]

        def too_high(constant: float) -> float:
            v = constant + loads
            size = np.hypot(horizontal, v)
            return float((lengths * (1.0 + give * size)) @ ((v - slope * horizontal) / size)) - self.rise

        middle = slope * horizontal - float(lengths @ loads / lengths.sum())
        width = horizontal + float(np.ptp(loads))
        low = high = middle
        for _ in range(60):
            low, high = low - width, high + width
            if too_high(low) < 0.0 < too_high(high):
                break
            width *= 2.0
        return root(too_high, low, high) + loads


def settle(chain: Chain, bed: Plane, touching: set[int], rounds: int = 60) -> Hang | None:
    """The cable at rest, starting from the nodes `touching`; None where the search does not end, or ends without pull.

    Weights may have any sign. The bed carries weight but neither brakes nor pushes along the cable.
    """
    n = len(chain.lengths)
    weight = float(np.abs(chain.weights).sum() + np.abs(chain.node_weights).sum())
    for _ in range(rounds):
        bounds = [0, *sorted(touching), n]
        above = [float(bed.height(chain.start)), *(0.0 for _ in touching), float(bed.height(chain.end))]
        spans = [Span(bounds[k], bounds[k + 1], above[k + 1] - above[k]) for k in range(len(bounds) - 1)]
        found = _pull(chain, spans, bed.slope_along(chain.outward), weight)
        if found is None:
            return None
        horizontal, v = found
        directions, strain = (
            in_plane(pointing(horizontal, v), chain.outward),
            chain.compliance * np.hypot(horizontal, v),
        )
        shape = resting(chain, directions, v, horizontal, strain, not any(bed.slope))
        heights = bed.height(shape.nodes)
        heights[[0, n]] = 0.0
        dipping = {s.first + int(np.argmin(heights[s.first : s.last + 1])) for s in spans}
        dipping = {node for node in dipping if heights[node] < -1e-9}
        if dipping:
            touching = touching | dipping
            continue
        lift = np.diff(chain.loads) - np.diff(v)
        pulled = min(touching, key=lambda node: float(lift[node - 1]), default=None)
        if pulled is None or lift[pulled - 1] >= -1e-9 * weight:
            return shape
        touching = touching - {pulled}
    return None


def _pull(chain: Chain, spans: list[Span], slope: float, weight: float) -> tuple[float, Floats] | None:
    """H [N] and the vertical forces v (n,) [N] with which the spans together reach from start to end."""
    across = chain.end - chain.start
    reach = float(np.hypot(across[0], across[1]))

    def forces(horizontal: float) -> Floats:
        return np.concatenate([s.vertical_forces(chain, slope, horizontal) for s in spans])

    def too_far(horizontal: float) -> float:
        v = forces(horizontal)
        lengths = chain.lengths * (1.0 + chain.compliance * np.hypot(horizontal, v))
        return float(lengths @ pointing(horizontal, v)[:, 0]) - reach

    horizontal = positive_root(too_far, 0.1 * weight)
    return None if horizontal is None else (horizontal, forces(horizontal))
