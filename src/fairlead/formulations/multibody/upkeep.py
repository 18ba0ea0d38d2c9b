"""What is done after every step, whoever made it: drums, frames, contacts, slack, and whether all is still sound."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import dot
from fairlead.rigging.bed import remember_touch

from .articulated import OK
from .coordinates import rebase
from .joints import first_active, kind_of
from .schema import CABLE
from .standing import keep_standing
from .tension import tension_of
from .winch import drum_events

RANGE, STRAIN = 2, 3
SPEED_LIMIT = 1.0e3
"""m/s: nothing in the sea moves so fast; a state beyond it has left the physical range."""
STRETCH_LIMIT = 2.0
"""A cable stretched to twice its length is none any more."""
SLACK_STRAIN = 1.0e-3
"""An element that carries compression counts as slack when it is shorter than its length by more than this part."""


@kernel
def note_snaps(t, sys):
    """Keep since when each cable has been slack somewhere, and of its tensions from then on the largest and the largest
    rise within a step, which together tell how well the step follows a snap."""
    for c in range(sys.cables):
        cable, snap = sys.cable[c], sys.snap[c]
        loose, most, rise = False, 0.0, 0.0
        for slot in range(first_active(c, sys), cable.count):
            j, e = cable.body + slot, cable.element + slot
            tension, latest = tension_of(j, sys), sys.latest[e]
            span = sys.coordinate[sys.body[j].coordinate + 2].value
            loose = loose or sys.pull[e].taut == 0.0 or span < (1.0 - SLACK_STRAIN) * sys.line[e].length
            most, rise = max(most, tension), max(rise, tension - latest.tension)
            latest.tension = tension
        if loose and t > 0.0 and snap.slack_since < 0.0:
            snap.slack_since = t
        if snap.slack_since >= 0.0:
            snap.most, snap.rise = max(snap.most, most), max(snap.rise, rise)


@kernel
def keep_contacts(sys):
    """Remember where friction holds the nodes that touched the bed in the latest solution."""
    for j in range(sys.bodies):
        body, kept = sys.body[j], sys.touch[j]
        if kind_of(body, sys) == CABLE:
            shear = sys.line[body.element].length * sys.element[body.element].bed_shear
            place = sys.record[sys.bases + j].position
            remember_touch(shear, place, True, kept.active > 0.0, kept.press, sys.contact[j], sys)


@kernel
def check_cables(t, sys):
    """STRAIN where an element has twice its length or is not a number."""
    for c in range(sys.cables):
        cable = sys.cable[c]
        for slot in range(first_active(c, sys), cable.count):
            span = sys.coordinate[sys.body[cable.body + slot].coordinate + 2].value
            length = sys.line[cable.element + slot].length
            if not (span < STRETCH_LIMIT * length and span > 0.0):
                sys.fault.time, sys.fault.place, sys.fault.slot = t, c, slot
                return STRAIN
    return OK


@kernel
def keep_up(t, sys):
    """All of it, at time t; bodies and bases must be in place. Returns a status."""
    if sys.sea.bed > 0.0:
        keep_contacts(sys)
        keep_standing(sys)
    for j in range(sys.bodies):
        v = sys.record[sys.bases + j].velocity
        if not dot(v, v) < SPEED_LIMIT * SPEED_LIMIT:
            sys.fault.time, sys.fault.place = t, j
            return RANGE
    status = check_cables(t, sys)
    if status != OK:
        return status
    drum_events(t, sys)
    sys.ledger.rebased += rebase(sys)
    return OK
