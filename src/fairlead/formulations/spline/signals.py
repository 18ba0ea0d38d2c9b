"""What changes with time by itself: commands of controlled points, the twist given to ends, loads."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.records import row_start
from fairlead.loads.end_twist import turned_angle
from fairlead.rigging.point_loads import load_of


@kernel
def force_of(t, k, sys):
    """Force of load k (3)."""
    force, _ = load_of(t, k, sys)
    return force


@kernel
def twist(t, c, u, sys):
    """Angle by which the end of cable c is turned against its start [rad]: the live input, else the file's motion."""
    if sys.cable[c].twisted == 0:
        return 0.0
    record, numbers = row_start(sys.turn[c], sys.ints), row_start(sys.turning[c], sys.reals)
    return turned_angle(t, u, record, numbers, sys.sample.start, sys.ints, sys.reals)
