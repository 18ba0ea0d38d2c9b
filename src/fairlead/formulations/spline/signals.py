"""What changes with time by itself: commands of controlled points and the twist given to ends."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.loads.end_motion import commanded
from fairlead.loads.signals import MOTION_TABLE, table_value

from .arrays import (
    I_CONTROLS, R_CONTROLS, R_SINES, R_TABLE, TWIST_AMPLITUDE, TWIST_ANGLE, TWIST_INPUT, TWIST_KIND, TWIST_OMEGA,
    TWIST_PHASE, TWIST_RAMP, TWIST_ROWS, TWIST_TABLE, TWISTED, cable_at, cable_reals,
)  # fmt: skip


@kernel
def command(t, k, u, ints, reals):
    """Commanded position of controlled point k."""
    return commanded(t, k, u, ints[I_CONTROLS], ints[R_CONTROLS], ints[R_SINES], ints[R_TABLE], ints, reals)


@kernel
def twist(t, c, u, ints, reals):
    """Angle by which the end of cable c is turned against its start [rad]: the live input, else the file's motion."""
    cable, at = cable_at(ints, c), cable_reals(ints, c)
    if ints[cable + TWISTED] == 0:
        return 0.0
    live = u[ints[cable + TWIST_INPUT]]
    if not math.isnan(live):
        return live
    if ints[cable + TWIST_KIND] == MOTION_TABLE:
        return table_value(t, reals, ints[R_TABLE] + ints[cable + TWIST_TABLE], ints[cable + TWIST_ROWS], 2, 1)
    f = math.sin(reals[at + TWIST_OMEGA] * t + reals[at + TWIST_PHASE])
    if t < reals[at + TWIST_RAMP]:
        s = t / reals[at + TWIST_RAMP]
        f *= s * s * (3.0 - 2.0 * s)
    return reals[at + TWIST_ANGLE] + reals[at + TWIST_AMPLITUDE] * f
