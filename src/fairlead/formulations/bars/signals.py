"""What changes with time by itself: commands of controlled points, load factors."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.small import add, cross, transposed_matvec
from fairlead.loads.end_motion import goal_at
from fairlead.loads.signals import table_value

from .arrays import (
    CONTROL_INTS, CONTROL_REALS, I_CONTROLS, I_LOADS, LOAD_INTS, LOAD_REALS, N_CONTROLLED, N_LOADS, R_CONTROLS,
    R_LOADS, R_TABLE,
)  # fmt: skip


@kernel
def load_factor(t, load, ints, reals):
    """Factor of the point load whose record begins at `load` (1 when it has no table)."""
    if ints[load + 2] == 0:
        return 1.0
    return table_value(t, reals, ints[R_TABLE] + ints[load + 1], ints[load + 2], 2, 1)


@kernel
def load_on_hub(t, i, u, R, ints, reals):
    """Force (global) and torque (body) of load i on its hub turned by R: live inputs where they are numbers."""
    load, at = ints[I_LOADS] + LOAD_INTS * i, ints[R_LOADS] + LOAD_REALS * i
    f = load_factor(t, load, ints, reals)
    force = (f * reals[at], f * reals[at + 1], f * reals[at + 2])
    torque = (f * reals[at + 3], f * reals[at + 4], f * reals[at + 5])
    live = ints[load + 3]
    if live >= 0:
        if not math.isnan(u[live] + u[live + 1] + u[live + 2]):
            force = (u[live], u[live + 1], u[live + 2])
        if not math.isnan(u[live + 3] + u[live + 4] + u[live + 5]):
            torque = (u[live + 3], u[live + 4], u[live + 5])
    lever = (reals[at + 6], reals[at + 7], reals[at + 8])
    return force, add(transposed_matvec(R, torque), cross(lever, transposed_matvec(R, force)))


@kernel
def command(t, k, u, ints, reals):
    """Command of control k: the live input where it is a number, else the file's motion."""
    control, base = ints[I_CONTROLS] + CONTROL_INTS * k, ints[R_CONTROLS] + CONTROL_REALS * k
    return goal_at(
        t, k, u, ints[control + 1], ints[R_TABLE] + ints[control + 2], ints[control + 3], base, reals
    )  # fmt: skip


@entry
def signals_at(t, u, ints, reals, commands, forces):
    """All commands (controls, 3), and the forces and torques of all loads (loads, 6; global) at time t, for Python."""
    for k in range(ints[N_CONTROLLED]):
        commands[k, 0], commands[k, 1], commands[k, 2] = command(t, k, u, ints, reals)
    still = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    for i in range(ints[N_LOADS]):
        force, torque = load_on_hub(t, i, u, still, ints, reals)
        lever = ints[R_LOADS] + LOAD_REALS * i + 6
        arm = cross((reals[lever], reals[lever + 1], reals[lever + 2]), force)
        for k in range(3):
            forces[i, k] = force[k]
            forces[i, 3 + k] = torque[k] - arm[k]
