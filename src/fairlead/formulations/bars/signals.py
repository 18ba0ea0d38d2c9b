"""What changes with time by itself: commands of controlled points, load factors."""

from __future__ import annotations

from fairlead.algebra.compiled import entry, kernel
from fairlead.rigging.commands import command_of
from fairlead.rigging.point_loads import about_centre, load_now

from .schema import system


@kernel
def load_on_hub(t, i, u, R, sys):
    """Force (global) and torque (body) of load i on its hub turned by R: live inputs where they are numbers."""
    force, torque = load_now(t, sys.load[i], sys.push[i], u, sys.sample.start, sys.reals)
    return force, about_centre(force, torque, sys.push[i].offset, R)


@entry
def signals_at(t, u, y, ints, reals, work, commands, forces):
    """All commands (controlled, 3), and forces and torques of all loads (loads, 6; global) at time t, for Python."""
    sys = system(ints, reals, y, work)
    for k in range(sys.controlled):
        commands[k, 0], commands[k, 1], commands[k, 2] = command_of(t, k, u, sys)
    for i in range(sys.loads):
        force, torque = load_now(t, sys.load[i], sys.push[i], u, sys.sample.start, sys.reals)
        for k in range(3):
            forces[i, k], forces[i, 3 + k] = force[k], torque[k]
