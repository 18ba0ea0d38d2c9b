"""Static equilibrium of a compiled system, whatever its formulation, by a ladder of methods.

1. The first shape: each cable a catenary under its weight. Often close, and exact for a single hanging cable.
2. Newton's method from there: a few iterations for almost anything that hangs, floats, trails or rests. In compiled
   code where the formulation has it, which takes milliseconds; else, and where that fails, by `ladder`.
3. Dynamic relaxation, then Newton's method again, with longer and longer relaxation.

The seabed is smooth in all of this: friction holds whatever shape it is given, so a run starts unstrained by it. In a
steady tow it slides by, and friction is that of steady sliding (`rigging.sliding`).

Whatever method found it, an equilibrium is verified before it is reported: all forces on every node and body are
evaluated again, by a freshly linearised system, in the state that a run would start from. Where they do not balance,
the search goes on from there; after `ATTEMPTS` it fails with an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from fairlead.formulations.contract import Compiled, Linearised, movable
from fairlead.rigging.first_velocity import steady_tow
from fairlead.sea.water import CURRENT_COUNT, CURRENT_FIRST

from .report import Report, StaticsError, unbalanced

MOST_TURNS = 100
"""Searches in which the axes of floaters follow the headings found, until both agree."""
SLIDING = ("bars", "lumped")
"""Formulations whose statics carries steady sliding friction."""
ROUNDING = 1e-11
"""m: how far rounding may leave an element from its length."""
ATTEMPTS = 3
"""Searches, each on from the state before, until one is verified."""


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
        for _ in range(ATTEMPTS):
            settled, report = _at_rest(compiled.linearised(t, u), y, quick)
            report = _verified(compiled, t, u, settled, report)
            if report.holds:
                break
            y = settled
        else:
            raise StaticsError(unbalanced(t, report))
        report = replace(report, notes=(*report.notes, *_left_out(compiled)))
    return (compiled.under_way(settled) if t == 0.0 else settled), report


def _at_rest(system: Linearised, y: np.ndarray, quick: bool) -> tuple[np.ndarray, Report]:
    """The equilibrium of a system and of what follows it: hulls that float to rest move their cables' ends."""
    y = getattr(system, "drawn", _as_it_is)(system.placed(y))
    report = Report("first shape", 0, 0, 0.0, 1.0, "nothing that may move", True)
    turns = 0
    while system.size:
        y, found = _searched(system, y) or _climbed(system, y, quick)
        report = found.after(report)
        ahead, aligned = getattr(system, "following", _no_more)(y), getattr(system, "aligned", _no_more)(y)
        if ahead is not None:
            system, y = ahead
        elif aligned is not None and turns < MOST_TURNS:
            y, turns = aligned, turns + 1
        else:
            break
    settled = system.settled(y)
    notes = (*report.notes, *getattr(system, "notes", _no_notes)(settled))
    left = getattr(system, "left_over", None)
    if left is None:
        return settled, replace(report, notes=notes)
    residual, weight, worst = left(settled)
    return settled, replace(report, notes=notes, residual=residual, weight=weight, worst=worst)


def _left_out(compiled: Compiled) -> tuple[str, ...]:
    """What a user should know of a tow over a rough seabed in a formulation that does not carry it."""
    bed = compiled.system.environment.seabed
    if compiled.tow is None or bed is None or bed.friction <= 0.0 or compiled.formulation in SLIDING:
        return ()
    return (
        f"statics of the formulation '{compiled.formulation}' leaves out the friction of what slides over the seabed "
        f"in a tow; for steady sliding friction set simulation.formulation to one of {', '.join(SLIDING)}",
    )


def _verified(compiled: Compiled, t: float, u: np.ndarray | None, settled: np.ndarray, report: Report) -> Report:
    """The report with the forces left over in the state that a run starts from, evaluated by a fresh system.

    Of hulls on cables they were evaluated in their last place.
    """
    if compiled.system.hydro is not None:
        return report
    system = compiled.linearised(t, u)
    if not system.size:
        return report
    report = report.verified(*left_over(system, settled))
    if not report.holds and np.isfinite(report.residual):
        stiffest = float(np.abs(system.tangent(settled).diagonal() / system.levers**2).max())
        report = replace(report, rounding=ROUNDING * stiffest)
    return report


def left_over(system: Linearised, y: np.ndarray) -> tuple[float, str]:
    """The largest force left over in a state, torques as forces on their levers [N], and where it is."""
    forces = np.abs(system.residual(y) / system.levers)
    worst = int(forces.argmax())
    return float(forces[worst]), system.place(worst)


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
    """Let the water of a system in steady tow flow as it is seen from the tow, for a while, and the seabed slide by."""
    tow = steady_tow(compiled.system) if t == 0.0 else None
    if tow is None:
        yield
        return
    sea = compiled.reals
    rows = sea[CURRENT_FIRST : CURRENT_FIRST + 4 * int(sea[CURRENT_COUNT])].reshape(-1, 4)[:, 1:]
    kept = rows.copy()
    rows -= tow
    compiled.tow = tow
    try:
        yield
    finally:
        rows[:] = kept
        compiled.tow = None


def _no_more(y: np.ndarray) -> None:
    """What follows for a system that is at rest at once: nothing."""


def _as_it_is(y: np.ndarray) -> np.ndarray:
    """The first shape of most searches."""
    return y


def _no_notes(y: np.ndarray) -> tuple[str, ...]:
    return ()
