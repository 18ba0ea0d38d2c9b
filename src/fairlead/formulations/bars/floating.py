"""Floaters by coefficients among the hubs, of systems that `run_rigged` runs."""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel
from fairlead.rigging.cummins import book_floaters, load_floaters, prepare_floaters, remember_floaters, take_rates

from .coefficients import EXPLICIT_EULER
from .hub_system import press


@inlined
def is_afloat(h, sys):
    """Whether hub h is a floater by coefficients."""
    return sys.floaters > 0 and sys.afloat[h].floater >= 0


@kernel
def forces_ahead(sys):
    """How far into a step the forces on floaters are taken, (1 − θ)h: a step that moves them by h(v + θh a) then
    neither takes nor gives energy."""
    scheme = sys.scheme
    if scheme.kind == EXPLICIT_EULER:
        return scheme.step
    return (1.0 - scheme.theta) * scheme.step


@kernel
def prepare_floating(sys):
    """What floaters remember of the water, for steps of the scheme."""
    if sys.floaters > 0:
        prepare_floaters(sys.scheme.step, forces_ahead(sys), sys)


@kernel
def float_hubs(t, sys):
    """Add the floaters by coefficients."""
    if sys.floaters > 0:
        ahead = forces_ahead(sys)
        load_floaters(t + ahead, ahead, sys.hub_state, sys.matrix.start, sys)
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
def remember_floating(sys):
    """What floaters remember of the water after a step, before they move."""
    if sys.floaters > 0:
        remember_floaters(sys.scheme.step, forces_ahead(sys), sys.hub_state, sys)
