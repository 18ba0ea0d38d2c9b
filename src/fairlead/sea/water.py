"""The sea as one compiled function: `fluid(t, x, y, z, sea)`.

`sea` is one flat float64 array (see `pack`), so that every load sees the water through the same call, whatever
is in it.
"""

from __future__ import annotations

import numpy as np

from fairlead.algebra.compiled import kernel
from fairlead.model import Environment

DENSITY, GRAVITY, VISCOSITY, BED_PRESENT, BED_X, BED_Y, BED_Z, BED_DEPTH, BED_FRICTION, CURRENT_COUNT = range(10)
CURRENT_FIRST = 10


def pack(environment: Environment) -> np.ndarray:
    """Flat array of the sea: density, gravity, viscosity, seabed plane, friction, then (z, vx, vy, vz) of the current.

    The seabed plane is n·x = −BED_DEPTH with the unit upward normal n.
    """
    bed = environment.seabed
    normal = np.array([0.0, 0.0, 1.0])
    depth = np.inf
    if bed is not None:
        normal = np.array([-bed.slope[0], -bed.slope[1], 1.0])
        depth = float(bed.depth / np.linalg.norm(normal))
        normal /= np.linalg.norm(normal)
    table = environment.current_table
    head = [
        environment.water_density, environment.gravity, environment.viscosity,
        float(bed is not None), *normal, depth, bed.friction if bed is not None else 0.0, float(len(table)),
    ]  # fmt: skip
    rows = [number for z, velocity in table for number in (z, *velocity)]
    return np.array(head + rows)


@kernel
def current(z, sea):
    """Velocity of the current at height z: linear between the given heights, constant beyond them."""
    count = int(sea[CURRENT_COUNT])
    if count == 0:
        return (0.0, 0.0, 0.0)
    i = CURRENT_FIRST
    last = CURRENT_FIRST + 4 * (count - 1)
    if z <= sea[i]:
        return (sea[i + 1], sea[i + 2], sea[i + 3])
    if z >= sea[last]:
        return (sea[last + 1], sea[last + 2], sea[last + 3])
    while z > sea[i + 4]:
        i += 4
    f = (z - sea[i]) / (sea[i + 4] - sea[i])
    return (
        sea[i + 1] + f * (sea[i + 5] - sea[i + 1]),
        sea[i + 2] + f * (sea[i + 6] - sea[i + 2]),
        sea[i + 3] + f * (sea[i + 7] - sea[i + 3]),
    )


@kernel
def elevation(t, x, y, sea):
    """Height of the water surface above its mean level [m]."""
    return 0.0


@kernel
def fluid(t, x, y, z, sea):
    """Water at a place: velocity (3), acceleration (3), surface elevation [m], density [kg/m³]."""
    return current(z, sea), (0.0, 0.0, 0.0), elevation(t, x, y, sea), sea[DENSITY]


@kernel
def bed_gap(p, radius, sea):
    """Clearance of a point's lower side above the seabed plane, along its normal [m]."""
    return sea[BED_X] * p[0] + sea[BED_Y] * p[1] + sea[BED_Z] * p[2] + sea[BED_DEPTH] - radius
