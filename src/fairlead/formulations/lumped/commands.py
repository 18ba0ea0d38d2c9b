"""Commands and load factors of one moment, for a system in which time is to stand still."""

from __future__ import annotations

import numpy as np

from fairlead.algebra.compiled import entry
from fairlead.algebra.records import Tables
from fairlead.rigging.stillness import put_signals, stand_still

from .schema import system
from .winch import unfold


@entry
def signals_at(t, u, ints, reals, y, work, commands, loads):
    """All commands (controls, 3) and the forces and torques of all loads (loads, 6) at time t."""
    sys = system(ints, reals, y, work)
    put_signals(t, u, sys.controls, sys.command, sys.goal, sys.wrench, sys.sample.start, sys, commands, loads)


@entry
def unfolded(y, ints, reals, work):
    """Bring the arrays in accord with the lengths of the state `y`."""
    unfold(system(ints, reals, y, work))


def signals(t: float, u: np.ndarray, tables: Tables) -> tuple[np.ndarray, np.ndarray]:
    """Commands (controls, 3) and loads (loads, 6) at time t."""
    commands, loads = np.zeros((tables.controls, 3)), np.zeros((tables.loads, 6))
    signals_at(t, u, tables.ints, tables.reals, tables.y, tables.work, commands, loads)
    return commands, loads


def keep_signals(tables: Tables, commands: np.ndarray, loads: np.ndarray) -> None:
    """Let commands and loads be these for ever."""
    stand_still(tables.command, tables.goal, tables.load, tables.wrench, commands, loads)


def hold_still(t: float, u: np.ndarray, tables: Tables) -> np.ndarray:
    """Commands (controls, 3) at time t; in `tables` motions stop there and loads keep that size."""
    commands, loads = signals(t, u, tables)
    keep_signals(tables, commands, loads)
    return commands
