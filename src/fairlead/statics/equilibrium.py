"""Static equilibrium of a compiled system, whatever its formulation, by a ladder of methods.

1. The first shape: each cable a catenary under its weight. Often close, and exact for a single hanging cable.
2. Newton's method from there: a few iterations for almost anything that hangs, floats, trails or rests. In compiled
   code where the formulation has it, which takes milliseconds; else, and where that fails, by `ladder`.
3. Dynamic relaxation, then Newton's method again, with longer and longer relaxation.

The seabed is smooth in all of this: friction holds whatever shape it is given, so a run starts unstrained by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from fairlead.formulations.contract import Compiled, Linearised, movable
from fairlead.rigging.first_velocity import steady_tow
from fairlead.sea.water import CURRENT_COUNT, CURRENT_FIRST

from .report import Report


def settle(
    compiled: Compiled, y: np.ndarray, u: np.ndarray | None = None, t: float = 0.0, quick: bool = False
) -> tuple[np.ndarray, Report]:
    """The equilibrium near state `y`, and how it was found. `y` is left as it is.

    u: inputs as `Compiled.advance` takes them, by default what the file says; t: the moment [s] whose points and loads
    count; quick: give up after a few seconds' work. The state that comes back starts a run without a jump. Raises
    `StaticsError` when nothing holds.

    Where all that is prescribed moves with one velocity, the equilibrium is that of a steady tow, found in a frame that
    moves with it. The state that comes back moves as everything does at the start.
    """
    with towed(compiled, t):
        settled, report = _at_rest(compiled.linearised(t, u), y, quick)
    return (compiled.under_way(settled) if t == 0.0 else settled), report


def _at_rest(system: Linearised, y: np.ndarray, quick: bool) -> tuple[np.ndarray, Report]:
    """The equilibrium of a system and of what follows it: hulls that float to rest move their cables' ends."""
    y = system.placed(y)
    report = Report("first shape", 0, 0, 0.0, 1.0, "nothing that may move", True)
    while system.size:
        y, report = _searched(system, y) or _climbed(system, y, quick)
        ahead = getattr(system, "following", _no_more)(y)
        if ahead is None:
            break
        system, y = ahead
    settled = system.settled(y)
    return settled, replace(report, notes=(*report.notes, *getattr(system, "notes", _no_notes)(settled)))


def _searched(system: Linearised, y: np.ndarray) -> tuple[np.ndarray, Report] | None:
    """The stable equilibrium that compiled code finds near y; None where it finds none."""
    still = movable(system)
    found = None if still is None else still.search(y)
    return None if found is None else (found.y, Report.of(found, system.place(found.worst)))


def _climbed(system: Linearised, y: np.ndarray, quick: bool) -> tuple[np.ndarray, Report]:
    """The same by all means there are."""
    from .ladder import QUICK, Ladder  # with scipy, which a plain run does without

    return Ladder(system, y, QUICK if quick else None).climb()


@contextmanager
def towed(compiled: Compiled, t: float = 0.0) -> Iterator[None]:
    """Let the water of a system in steady tow flow as it is seen from the tow, for a while."""
    tow = steady_tow(compiled.system) if t == 0.0 else None
    if tow is None:
        yield
        return
    sea = compiled.reals
    rows = sea[CURRENT_FIRST : CURRENT_FIRST + 4 * int(sea[CURRENT_COUNT])].reshape(-1, 4)[:, 1:]
    kept = rows.copy()
    rows -= tow
    try:
        yield
    finally:
        rows[:] = kept


def _no_more(y: np.ndarray) -> None:
    """What follows for a system that is at rest at once: nothing."""


def _no_notes(y: np.ndarray) -> tuple[str, ...]:
    return ()
