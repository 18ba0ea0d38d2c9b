"""One cable of a system between two known points: the right weight above and below the surface, seabed and surface."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fairlead.shape.catenary import STRAIGHT, hang, stretched
from fairlead.shape.chain import Chain, Hang
from fairlead.shape.plane import Plane
from fairlead.shape.rest import lay, legs_of
from fairlead.shape.weight import CableWeight

Floats = NDArray[np.float64]


def hang_in_sea(start: Floats, end: Floats, cable: CableWeight, seabed: Plane | None) -> Hang:
    """Lay a cable in the sea.

    start, end: (3,) [m]; seabed: the bed itself; the cable's axis rests one contact radius above it. A cable that
    floats and has length to spare comes to lie on the surface.
    """
    if cable.floats and (surfaced := _on_surface(start, end, cable)) is not None:
        return surfaced
    bed = None if seabed is None else seabed.above(cable.contact_radius)
    places = np.concatenate(([0.0], np.cumsum(cable.lengths))) / cable.length
    weights, node_weights = cable.at(start + places[:, None] * (end - start))
    if cable.unstretched and float(np.linalg.norm(end - start)) > (1.0 + STRAIGHT) * cable.length:
        return stretched(start, end, cable.lengths, weights, cable.axial_stiffness)
    for attempt in range(12):
        shape = hang(
            start, end, cable.lengths, weights,
            node_weights=node_weights, axial_stiffness=cable.stiffness_laid, seabed=bed,
        )  # fmt: skip
        found, found_nodes = cable.at(shape.nodes)
        change = max(np.abs(found - weights).max(), np.abs(found_nodes - node_weights).max())
        if change <= 1e-6 * cable.dry.max():
            break
        # a cable that surfaces by its own buoyancy would otherwise jump in and out of the water
        mix = 1.0 if attempt < 2 else 0.5
        weights, node_weights = weights + mix * (found - weights), node_weights + mix * (found_nodes - node_weights)
    return shape


def _on_surface(start: Floats, end: Floats, cable: CableWeight) -> Hang | None:
    """A floating cable with a part on the surface: legs hang to it in air and arch to it under water; None if it does
    not reach the surface that way."""
    surface = Plane(cable.floating_level)
    above = [bool(surface.height(point) > 0.0) for point in (start, end)]
    weights = cable.dry if all(above) else cable.wet
    chain = Chain.between(start, end, cable.lengths, weights, None, cable.stiffness_laid)
    if chain.chord >= chain.length or chain.length < 1e-12:
        return None
    if above[0] == above[1]:
        free = hang(start, end, cable.lengths, weights, axial_stiffness=cable.stiffness_laid)
        heights = surface.height(free.nodes[1:-1]) * (1.0 if above[0] else -1.0)
        if free.state != "hanging" or heights.min(initial=0.0) >= 0.0:
            return None
    first, last = (cable.dry if dry else -cable.wet for dry in above)
    shape = lay(chain, surface, *legs_of(chain, surface, first, last, ground=False))
    return None if shape is None else replace(shape, balanced=False)
