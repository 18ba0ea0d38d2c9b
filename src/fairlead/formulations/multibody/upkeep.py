"""What is done after every step, whoever made it: drums, frames, contacts, slack, and whether all is still sound."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import dot
from fairlead.loads.seabed_contact import remember_push
from fairlead.sea.water import BED_PRESENT

from .arrays import (
    ACTIVE, AT_Q, BED_SHEAR, CABLE_BODY, CABLE_COUNT, CABLE_ELEMENT, FAULT, N_BASES, N_CABLES, POSITION, REBASED,
    VELOCITY, Y_CONTACT, Y_LEDGER, Y_LENGTH, Y_SLACK, body_at, cable_at, element_at, first_active, record_at,
    vector_of, N_BODIES,
)  # fmt: skip
from .articulated import OK
from .coordinates import rebase
from .lines import contact_at, pushed
from .standing import keep_standing
from .winch import drum_events

RANGE, STRAIN = 2, 3
SPEED_LIMIT = 1.0e3
"""m/s: nothing in the sea moves so fast; a state beyond it has left the physical range."""
STRETCH_LIMIT = 2.0
"""A cable stretched to twice its length is none any more."""
SLACK_STRAIN = 1.0e-3
"""An element counts as slack when it is shorter than its unstretched length by more than this part."""


@kernel
def keep_contacts(ints, reals, y, work):
    """Remember where friction holds the nodes that touched the bed in the latest solution."""
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        for slot in range(first_active(ints, y, c), ints[cable + CABLE_COUNT]):
            j, e = ints[cable + CABLE_BODY] + slot, ints[cable + CABLE_ELEMENT] + slot
            normal, _ = pushed(j, ints, reals, y, work)
            active = work[contact_at(ints, j) + ACTIVE] > 0.0
            ks = y[ints[Y_LENGTH] + e] * reals[element_at(ints, e) + BED_SHEAR]
            place = vector_of(work, record_at(ints, ints[N_BASES] + j) + POSITION)
            remember_push(reals, ks, place, active, normal, y, ints[Y_CONTACT] + 4 * j)


@kernel
def check_cables(t, ints, y, work):
    """Note slack; STRAIN where an element has twice its length or is not a number."""
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        for slot in range(first_active(ints, y, c), ints[cable + CABLE_COUNT]):
            span = y[ints[body_at(ints, ints[cable + CABLE_BODY] + slot) + AT_Q] + 2]
            length = y[ints[Y_LENGTH] + ints[cable + CABLE_ELEMENT] + slot]
            if span < (1.0 - SLACK_STRAIN) * length and y[ints[Y_SLACK] + c] < 0.0:
                y[ints[Y_SLACK] + c] = t
            if not (span < STRETCH_LIMIT * length and span > 0.0):
                work[FAULT], work[FAULT + 1], work[FAULT + 2] = t, c, slot
                return STRAIN
    return OK


@kernel
def keep_up(t, ints, reals, y, work):
    """All of it, at time t; bodies and bases must be in place. Returns a status."""
    if reals[BED_PRESENT] > 0.0:
        keep_contacts(ints, reals, y, work)
        keep_standing(ints, reals, y, work)
    for j in range(ints[N_BODIES]):
        v = vector_of(work, record_at(ints, ints[N_BASES] + j) + VELOCITY)
        if not dot(v, v) < SPEED_LIMIT * SPEED_LIMIT:
            work[FAULT], work[FAULT + 1] = t, j
            return RANGE
    status = check_cables(t, ints, y, work)
    if status != OK:
        return status
    drum_events(t, ints, reals, y, work)
    y[ints[Y_LEDGER] + REBASED] += rebase(ints, reals, y, work)
    return OK
