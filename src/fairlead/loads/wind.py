"""The wind on a body: F = ½ρ C A |u| u in its own axes, u the velocity of the air against its centre of effort."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import cross, dot, scale, subtract, transposed_matvec
from fairlead.loads.signals import table_value
from fairlead.sea.water import GUST_COUNT, GUST_FIRST, WIND_X, WIND_Y, WIND_Z


@kernel
def wind_at(t, sea):
    """Velocity of the air (3): that of the file, times the factor of the gusts."""
    steady, gusts = (sea[WIND_X], sea[WIND_Y], sea[WIND_Z]), int(sea[GUST_COUNT])
    if gusts == 0:
        return steady
    return scale(table_value(t, sea, int(sea[GUST_FIRST]), gusts, 2, 1), steady)


@kernel
def wind_load(t, area, centre, R, v, w, sea):
    """Force at the centre of effort and its torque about the origin (3 each, body axes), and the secants of the force.

    area   ½ρ C A along each axis of the body [kg/m]; centre: of effort, from the origin, in its axes
    R      how the body is turned; v: velocity of its origin, global; w: its spin, body axes
    """
    u = subtract(transposed_matvec(R, subtract(wind_at(t, sea), v)), cross(w, centre))
    secants = scale(math.sqrt(dot(u, u)), area)
    force = (secants[0] * u[0], secants[1] * u[1], secants[2] * u[2])
    return force, cross(centre, force), secants
