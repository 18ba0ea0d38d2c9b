"""What changes with time by itself: commands of controlled points, load factors."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add, cross, scale, transposed_matvec
from fairlead.loads.end_motion import goal_at
from fairlead.loads.signals import load_factor

from .schema import system


@kernel
def load_on_hub(t, i, u, R, sys):
    """Force (global) and torque (body) of load i on its hub turned by R: live inputs where they are numbers."""
    push, live = sys.push[i], sys.load[i].input
    f = load_factor(t, sys.load[i], sys.sample.start, sys.reals)
    force, torque = scale(f, push.force), scale(f, push.torque)
    if live >= 0:
        if not math.isnan(u[live] + u[live + 1] + u[live + 2]):
            force = (u[live], u[live + 1], u[live + 2])
        if not math.isnan(u[live + 3] + u[live + 4] + u[live + 5]):
            torque = (u[live + 3], u[live + 4], u[live + 5])
    return force, add(transposed_matvec(R, torque), cross(push.lever, transposed_matvec(R, force)))


@kernel
def command(t, k, u, sys):
    """Command of control k: the live input where it is a number, else the file's motion."""
    control, base = sys.control[k], row_start(sys.command[k], sys.reals)
    return goal_at(
        t, k, u, control.kind, sys.sample.start + control.first, control.rows, base, sys.reals
    )  # fmt: skip


@entry
def signals_at(t, u, ints, reals, y, work, commands, forces):
    """All commands (controls, 3), and the forces and torques of all loads (loads, 6; global) at time t, for Python."""
    sys = system(ints, reals, y, work)
    for k in range(sys.controlled):
        commands[k, 0], commands[k, 1], commands[k, 2] = command(t, k, u, sys)
    still = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    for i in range(sys.loads):
        force, torque = load_on_hub(t, i, u, still, sys)
        arm = cross(sys.push[i].lever, force)
        for k in range(3):
            forces[i, k] = force[k]
            forces[i, 3 + k] = torque[k] - arm[k]
