"""A moment in which time stands still: commands and loads as they are then, for statics and modes."""

from __future__ import annotations

import numpy as np

from fairlead.algebra.compiled import kernel
from fairlead.algebra.records import Rows
from fairlead.loads.signals import MOTION_NONE

from .commands import command_at
from .point_loads import load_at, take_loads


@kernel
def put_signals(t, u, count, control, command, push, samples, sys, goals, wrenches):
    """All commands (count, 3) and the forces and torques of all loads (loads, 6; global) at time t.

    `control`, `command` and `push` are the tables of a system with their fields.
    """
    for k in range(count):
        goals[k, 0], goals[k, 1], goals[k, 2] = command_at(t, k, u, control[k], command[k], samples, sys.reals)
    take_loads(u, sys)
    for i in range(sys.loads):
        force, torque = load_at(t, sys.load[i], push[i], sys.live[i], samples, sys.reals)
        for k in range(3):
            wrenches[i, k], wrenches[i, 3 + k] = force[k], torque[k]


def stand_still(control: Rows, command: Rows, load: Rows, push: Rows, goals: np.ndarray, wrenches: np.ndarray) -> None:
    """Let motions stop where the commands are, and loads keep their size; nothing is an input any more."""
    control.kind, command.position = MOTION_NONE, goals
    push.force, push.torque = wrenches[:, :3], wrenches[:, 3:]
    load.rows, load.input, load.turn = 0, -1, -1
