"""Floaters by coefficients among the hubs, of systems that `run_rigged` runs, or eight at a time `run_pack_afloat`.

The waves on them and the memory of their water are computed for the members of a pack together; in all else those
members take turns that are well.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.lanes import pick
from fairlead.algebra.packs import lane_count, lane_of
from fairlead.rigging.cummins import (
    book_floaters, follow_slowly, give_floaters, prepare_floaters, press_floaters, radiate, remember_water, take_rates,
)  # fmt: skip
from fairlead.rigging.floater_waves import raise_waves

from .coefficients import EXPLICIT_EULER
from .hub_system import press


@kernel
def forces_ahead(sys):
    """How far into a step the forces on floaters are taken, (1 − θ)h: a step that moves them by h(v + θh a) then
    neither takes nor gives energy. The second-order step takes them in its middle."""
    scheme = sys.scheme
    if scheme.half > 0.0:
        return scheme.half
    if scheme.kind == EXPLICIT_EULER:
        return scheme.step
    return (1.0 - scheme.theta) * scheme.step


@kernel
def time_to_go(sys):
    """Time from where the hubs are, and from that of the solve, to where forces on floaters are taken: none where they
    have drifted there."""
    return 0.0 if sys.scheme.half > 0.0 else forces_ahead(sys)


@kernel
def prepare_floating(sys):
    """What floaters remember of the water, for steps of the scheme."""
    if sys.floaters > 0:
        for k in range(lane_count(sys)):
            prepare_floaters(sys.scheme.step, forces_ahead(sys), lane_of(sys, k))


@kernel
def press_afloat(t, status, sys):
    """Forces on the freedoms of floaters that are well (0), in a step that is solved at t."""
    if sys.floaters > 0:
        ahead = time_to_go(sys)
        raise_waves(t + ahead, sys.hub_state, sys)
        for k in range(lane_count(sys)):
            if pick(status, k) == 0:
                one = lane_of(sys, k)
                press_floaters(t + ahead, ahead, one.hub_state, one)
        radiate(sys)


@kernel
def float_hubs(sys):
    """Add the floaters by coefficients, with the forces of `press_afloat`."""
    if sys.floaters > 0:
        give_floaters(time_to_go(sys), sys.hub_state, sys.matrix.start, sys)
        for k in range(sys.floaters):
            press(sys.floater[k].hub, 1.0, sys.hull_now[k].force, sys.hull_now[k].torque, sys)


@kernel
def book_floating(book, sys):
    """Work on floaters in a step that is solved; `book` makes a power a work."""
    if sys.floaters > 0:
        for k in range(sys.floaters):
            motion, now = sys.hub_rhs[sys.floater[k].hub], sys.hull_now[k]
            now.acceleration, now.spin_rate = motion.linear, motion.angular
        take_rates(sys)
        book_floaters(book, sys, sys)


@kernel
def keep_floating(status, sys):
    """Works and memories of floaters that are well (0) after a step that is solved, before they move."""
    if sys.floaters > 0:
        h, ahead = sys.scheme.step, forces_ahead(sys)
        for k in range(lane_count(sys)):
            if pick(status, k) == 0:
                one = lane_of(sys, k)
                book_floating(sys.scheme.book, one)
                follow_slowly(h, ahead, one.hub_state, one)
        remember_water(h, ahead, sys)
