"""A moment in which time stands still: commands and loads as they are then, for statics and modes."""

from __future__ import annotations

import numpy as np

from fairlead.algebra.compiled import kernel
from fairlead.algebra.records import Tables
from fairlead.loads.signals import MOTION_NONE

from .commands import command_of
from .point_loads import load_now


@kernel
def put_signals(t, u, sys, goals, wrenches):
    """All commands (controlled, 3) and the forces and torques of all loads (loads, 6; global) at time t."""
    for k in range(sys.controlled):
        goals[k, 0], goals[k, 1], goals[k, 2] = command_of(t, k, u, sys)
    for i in range(sys.loads):
        force, torque = load_now(t, sys.load[i], sys.push[i], u, sys.sample.start, sys.reals)
        for k in range(3):
            wrenches[i, k], wrenches[i, 3 + k] = force[k], torque[k]


def stand_still(t: Tables, goals: np.ndarray, wrenches: np.ndarray) -> None:
    """Let motions stop where the commands are, and loads keep their size; nothing is an input any more."""
    t.control.kind, t.command.position = MOTION_NONE, goals
    t.push.force, t.push.torque = wrenches[:, :3], wrenches[:, 3:]
    t.load.rows, t.load.input, t.load.turn = 0, -1, -1
