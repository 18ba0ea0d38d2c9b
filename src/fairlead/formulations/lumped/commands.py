"""Commands and load factors of one moment, for a system in which time is to stand still."""

from __future__ import annotations

from fairlead.algebra.compiled import entry
from fairlead.rigging.stillness import put_signals

from .schema import system
from .winch import unfold


@entry
def signals_at(t, u, y, ints, reals, work, commands, loads):
    """All commands (controlled, 3) and the forces and torques of all loads (loads, 6) at time t."""
    put_signals(t, u, system(ints, reals, y, work), commands, loads)


@entry
def unfolded(y, ints, reals, work):
    """Bring the arrays in accord with the lengths of the state `y`."""
    unfold(system(ints, reals, y, work))
