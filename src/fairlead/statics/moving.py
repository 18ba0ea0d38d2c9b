"""From one equilibrium on to the next: points and bodies moved, loads changed, all else as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fairlead.formulations.contract import Compiled, Movable

from .report import Report

if TYPE_CHECKING:
    from fairlead.rigging.compiled_rest import Found

FINER = 4
"""How many times more pieces a way is cut into when it failed."""


def moved(compiled: Compiled, still: Movable, y: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, Report] | None:
    """The equilibrium under the inputs u, on from the equilibrium `y`, and how it was found.

    still: the system held still, which is brought to u. None where it is more than the compiled code carries, or no
    stable equilibrium was found on the way: then `settle` looks for one by all its means.
    """
    still.command(u)
    found: Found | None = still.search(y, 1) or still.search(y, FINER)
    if found is None:
        return None
    settled = still.settled(found.y)
    state = compiled.under_way(settled)
    still.keep(state)
    return state, Report.of(found, still.place(found.worst))
