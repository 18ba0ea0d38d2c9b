"""What changes with time by itself: commands of controlled points, the twist given to ends, factors of loads."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.records import row_start
from fairlead.loads.end_motion import commanded
from fairlead.loads.end_twist import turned_angle


@kernel
def command(t, k, u, sys):
    """Commanded position of controlled point k."""
    return commanded(t, k, u, sys.control.start, sys.command.start, sys.sample.start, sys.ints, sys.reals)


@kernel
def twist(t, c, u, sys):
    """Angle by which the end of cable c is turned against its start [rad]: the live input, else the file's motion."""
    if sys.cable[c].twisted == 0:
        return 0.0
    record, numbers = row_start(sys.turn[c], sys.ints), row_start(sys.turning[c], sys.reals)
    return turned_angle(t, u, record, numbers, sys.sample.start, sys.ints, sys.reals)
