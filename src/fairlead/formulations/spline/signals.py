"""What changes with time by itself: commands of controlled points and the twist given to ends."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.loads.end_motion import commanded
from fairlead.loads.end_twist import turned_angle

from .arrays import I_CONTROLS, R_CONTROLS, R_TABLE, TWIST_ANGLE, TWIST_KIND, TWISTED, cable_at, cable_reals


@kernel
def command(t, k, u, ints, reals):
    """Commanded position of controlled point k."""
    return commanded(t, k, u, ints[I_CONTROLS], ints[R_CONTROLS], ints[R_TABLE], ints, reals)


@kernel
def twist(t, c, u, ints, reals):
    """Angle by which the end of cable c is turned against its start [rad]: the live input, else the file's motion."""
    cable = cable_at(ints, c)
    if ints[cable + TWISTED] == 0:
        return 0.0
    return turned_angle(t, u, cable + TWIST_KIND, cable_reals(ints, c) + TWIST_ANGLE, ints[R_TABLE], ints, reals)
