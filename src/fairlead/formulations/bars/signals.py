"""What changes with time by itself: commands of controlled points, load factors."""

from __future__ import annotations

from fairlead.algebra.compiled import entry, kernel
from fairlead.rigging.point_loads import about_centre, load_now
from fairlead.rigging.stillness import put_signals

from .schema import system


@kernel
def load_on_hub(t, i, u, R, sys):
    """Force (global) and torque (body) of load i on its hub turned by R: live inputs where they are numbers."""
    force, torque = load_now(t, sys.load[i], sys.push[i], u, sys.sample.start, sys.reals)
    return force, about_centre(force, torque, sys.push[i].offset, R)


@entry
def signals_at(t, u, y, ints, reals, work, commands, loads):
    """All commands (controlled, 3), and forces and torques of all loads (loads, 6; global) at time t, for Python."""
    put_signals(t, u, system(ints, reals, y, work), commands, loads)
