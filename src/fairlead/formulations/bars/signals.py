"""What changes with time by itself: commands of controlled points, load factors."""

from __future__ import annotations

from fairlead.algebra.compiled import entry, kernel
from fairlead.rigging.commands import command_at
from fairlead.rigging.point_loads import about_centre, load_now

from .schema import system


@kernel
def load_on_hub(t, i, u, R, sys):
    """Force (global) and torque (body) of load i on its hub turned by R: live inputs where they are numbers."""
    force, torque = load_now(t, sys.load[i], sys.push[i], u, sys.sample.start, sys.reals)
    return force, about_centre(force, torque, sys.push[i].offset, R)


@kernel
def command(t, k, u, sys):
    """Command of control k: the live input where it is a number, else the file's motion."""
    return command_at(t, k, u, sys.control[k], sys.command[k], sys.sample.start, sys.reals)


@entry
def signals_at(t, u, ints, reals, y, work, commands, forces):
    """All commands (controls, 3), and the forces and torques of all loads (loads, 6; global) at time t, for Python."""
    sys = system(ints, reals, y, work)
    for k in range(sys.controlled):
        commands[k, 0], commands[k, 1], commands[k, 2] = command(t, k, u, sys)
    for i in range(sys.loads):
        force, torque = load_now(t, sys.load[i], sys.push[i], u, sys.sample.start, sys.reals)
        for k in range(3):
            forces[i, k], forces[i, 3 + k] = force[k], torque[k]
