"""Commands and load factors of one moment, for a system in which time is to stand still."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fairlead.algebra.compiled import entry
from fairlead.loads.signals import MOTION_NONE

from .arrays import N_CONTROLLED, N_LOADS, Model
from .hubs import load_at
from .points import command
from .winch import unfold

if TYPE_CHECKING:
    from .compiled_lumped import CompiledLumped


@entry
def signals_at(t, u, ints, reals, commands, loads):
    """All commands (controls, 3) and the forces and torques of all loads (loads, 6) at time t."""
    for k in range(ints[N_CONTROLLED]):
        commands[k, 0], commands[k, 1], commands[k, 2] = command(t, k, u, ints, reals)
    for i in range(ints[N_LOADS]):
        force, torque = load_at(t, i, u, ints, reals)
        for k in range(3):
            loads[i, k], loads[i, 3 + k] = force[k], torque[k]


@entry
def unfolded(y, ints, reals, work):
    """Bring the arrays in accord with the lengths of the state `y`."""
    unfold(ints, reals, y, work)


def commands_at(compiled: CompiledLumped, t: float, u: np.ndarray, model: Model) -> np.ndarray:
    """Commands (controls, 3) at time t; in `model` motions stop there and loads keep that size."""
    commands, loads = np.zeros((len(model.controls), 3)), np.zeros((len(model.loads), 6))
    signals_at(t, u, compiled.ints, compiled.reals, commands, loads)
    model.controls_int[:, 1] = MOTION_NONE
    model.controls[:, :3] = commands
    model.loads[:, :6] = loads
    model.loads_int[:, 2] = 0
    return commands
