"""From one equilibrium on to the next: points and bodies moved, loads changed, all else as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fairlead.formulations.contract import Compiled, Movable

from .equilibrium import MOST_TURNS, left_over
from .report import Report

if TYPE_CHECKING:
    from fairlead.rigging.compiled_rest import Found

FINER = 4
"""How many times more pieces a way is cut into when it failed."""


def moved(
    compiled: Compiled, still: Movable, witness: Movable, y: np.ndarray, u: np.ndarray
) -> tuple[np.ndarray, Report] | None:
    """The equilibrium under the inputs u, on from the equilibrium `y`, and how it was found.

    still: the system held still, which is brought to u; witness: another one, which evaluates all forces in the state
    found. None where it is more than the compiled code carries, no stable equilibrium was found on the way, or its
    forces do not balance: then `settle` looks for one by all its means.
    """
    still.command(u)
    found: Found | None = still.search(y, 1) or still.search(y, FINER)
    turns = 0
    while found is not None and turns < MOST_TURNS:
        aligned = getattr(still, "aligned", _aligned)(found.y)
        if aligned is None:
            break
        found, turns = still.search(aligned, 1), turns + 1
    if found is None:
        return None
    settled = still.settled(found.y)
    witness.command(u)
    report = Report.of(found, still.place(found.worst)).verified(*left_over(witness, settled))
    if not report.holds:
        return None
    state = compiled.under_way(settled)
    still.keep(state)
    return state, report


def _aligned(y: np.ndarray) -> None:
    """Of a system without floaters: all axes are where they should be."""
