"""Points and bodies of the tree that stand on the seabed, by `loads.landing`."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add, cross
from fairlead.loads.landing import bed_reaction, press_foot, remember_feet
from fairlead.rigging.standing import feet_powers

from .bodies import add_mass_at, placed
from .lines import at_start, start_spin


@kernel
def kept_of(i, sys):
    """Where the constants of solid i begin in `reals`, its memory in `y` and what is kept of its feet in `work`."""
    landing, foot = row_start(sys.landing[i], sys.y), row_start(sys.foot[i], sys.work)
    return row_start(sys.hull[i], sys.reals), landing, foot


@kernel
def stand_all(t, sys):
    """Add the feet that press on the seabed to their bodies; velocities are those of the step's start."""
    h = sys.scheme.step
    for i in range(sys.standing):
        record, c, w = placed(i, sys)
        hull, landing, foot = kept_of(i, sys)
        r = sys.solid[i].record
        place, velocity = at_start(r, sys.hull[i].place, sys)
        spin = start_spin(r, sys)
        for k in range(int(sys.hull[i].feet)):
            active, lever, matrix, force = press_foot(
                t, k, place, record.rotation, velocity, spin, sys.reals, hull, sys.y, landing, h, h, h * h, 0.5 * h,
                sys.work, foot,
            )  # fmt: skip
            if active:
                add_mass_at(record, matrix, force, w, add(c, lever))


@kernel
def reaction_on(i, sys):
    """Normal force of the bed on solid i, powers of friction and damping, elastic energy (see `bed_reaction`)."""
    record, c, w = placed(i, sys)
    hull, _, foot = kept_of(i, sys)
    turning = record.alpha
    a = add(record.acceleration, add(cross(turning, c), cross(w, cross(w, c))))
    velocity = add(record.velocity, cross(w, c))
    return bed_reaction(velocity, w, a, turning, 0.0, sys.scheme.step, sys.reals, hull, sys.work, foot)


@kernel
def book_standing(sys):
    """Book the power of friction under all bodies after a solution; returns that of the bed's damping [W]."""
    rubbing, damped = feet_powers(sys.standing, reaction_on, sys)
    sys.power.friction += rubbing
    return damped


@kernel
def keep_standing(sys):
    """Friction memory and landings of all bodies, after the move; they must be in place."""
    for i in range(sys.standing):
        record, c, _ = placed(i, sys)
        hull, landing, foot = kept_of(i, sys)
        remember_feet(add(record.position, c), record.rotation, sys.reals, hull, sys.y, landing, sys.work, foot)


@kernel
def stander(k, sys):
    """The solid with feet to stand on that the k-th point or body of the file is, else −1."""
    for i in range(sys.standing):
        if sys.solid[i].record == sys.seen[k].record and sys.hull[i].feet > 0.0:
            return i
    return -1
