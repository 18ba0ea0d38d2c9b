"""Rows that a sweep along a cable asks for before it comes to them, and reads when it does: on a GPU they come while
the bar before is computed (`algebra.records.fetch`); a core reads them where they are.
"""

from __future__ import annotations

from fairlead.algebra.compiled import inlined
from fairlead.algebra.records import fetch, fetched


@inlined
def fetch_bar(bar, sys):
    """Ask for the state of a bar: beside it, those of the bar that is computed and of the one ahead of it are kept."""
    fetch(sys.bar_state.position, bar, 13, 3)


@inlined
def fetched_bar(bar, sys):
    """State of a bar that was asked for."""
    return fetched(sys.bar_state.position, bar, 13, 3)


@inlined
def fetch_pull(j, sys):
    """Ask for the multiplier of joint j in the step before."""
    fetch(sys.multipliers.force, j, 3, 3)


@inlined
def fetched_pull(j, sys):
    """That of a joint that was asked for."""
    return fetched(sys.multipliers.force, j, 3, 3)


@inlined
def fetch_pressed(bar, sys):
    """Ask for the forces with which the ends of a bar pressed on the bed in the step before."""
    fetch(sys.contact.normal_force, 2 * bar, 1, 4)
    fetch(sys.contact.normal_force, 2 * bar + 1, 1, 4)


@inlined
def fetched_pressed(bar, sys):
    """Those of a bar that was asked for."""
    near, far = fetched(sys.contact.normal_force, 2 * bar, 1, 4), fetched(sys.contact.normal_force, 2 * bar + 1, 1, 4)
    return near.normal_force, far.normal_force


@inlined
def fetch_gains(j, sys):
    """Ask for the gains of the position rows of joint j."""
    fetch(sys.row.gdk, j, 3, 2)


@inlined
def gains_at(j, sys):
    """Gains of joint j; a GPU has asked for those of its position rows alone, and reads no others."""
    return fetched(sys.row.gdk, j, 3, 2)
