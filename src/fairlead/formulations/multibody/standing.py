"""Points and bodies of the tree that stand on the seabed, by `loads.landing`."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, add_scaled, cross, matvec, subtract
from fairlead.loads.landing import BED_KEPT, BED_MEMORY, bed_reaction, press_foot, put_landing, remember_feet
from fairlead.loads.rigid_body import BODY_FEET

from .arrays import (
    ACCELERATION, HALF, I_NAMED, I_WATER, N_NAMED, N_STANDING, POSITION, POWER_FRICTION, PREDICTED, ROTATION, R_WATER,
    SPIN, STEP, VELOCITY, WATER_CENTRE, WATER_INTS, WATER_REALS, W_STANDING, Y_STANDING, matrix_of, record_at,
    vector_of,
)  # fmt: skip
from .bodies import add_mass_at
from .lines import predicted_change


@kernel
def placed(i, ints, reals, work):
    """Record, constants, rotation, centre of mass from the tree's origin of it (global) and spin of water item i."""
    record, row = record_at(ints, ints[ints[I_WATER] + WATER_INTS * i]), ints[R_WATER] + WATER_REALS * i
    R = matrix_of(work, record + ROTATION)
    return record, row, R, matvec(R, vector_of(reals, row + WATER_CENTRE)), vector_of(work, record + SPIN)


@kernel
def stand_all(t, ints, reals, y, work):
    """Add the feet that press on the seabed to their bodies; velocities are those of the step's start."""
    h = work[STEP]
    for i in range(ints[N_STANDING]):
        record, row, R, c, w = placed(i, ints, reals, work)
        place = add(vector_of(work, record + POSITION), c)
        velocity = add(vector_of(work, record + VELOCITY), cross(w, c))
        velocity, spin = subtract(velocity, predicted_change(record, c, work)), w
        if work[PREDICTED] > 0.0:
            spin = add_scaled(w, -work[HALF], vector_of(work, record + ACCELERATION + 3))
        for k in range(int(reals[row + BODY_FEET])):
            active, lever, matrix, force = press_foot(
                t, k, place, R, velocity, spin, reals, row, y, ints[Y_STANDING] + BED_MEMORY * i, h, h, h * h, 0.5 * h,
                work, ints[W_STANDING] + BED_KEPT * i,
            )  # fmt: skip
            if active:
                add_mass_at(work, record, matrix, force, w, add(c, lever))


@kernel
def reaction_on(i, ints, reals, work):
    """Normal force of the bed on water item i, powers of friction and damping, elastic energy (see `bed_reaction`)."""
    record, row, _, c, w = placed(i, ints, reals, work)
    turning = vector_of(work, record + ACCELERATION + 3)
    a = add(vector_of(work, record + ACCELERATION), add(cross(turning, c), cross(w, cross(w, c))))
    velocity = add(vector_of(work, record + VELOCITY), cross(w, c))
    return bed_reaction(velocity, w, a, turning, 0.0, work[STEP], reals, row, work, ints[W_STANDING] + BED_KEPT * i)


@kernel
def book_standing(ints, reals, work):
    """Book the power of friction under all bodies after a solution; returns that of the bed's damping [W]."""
    damped = 0.0
    for i in range(ints[N_STANDING]):
        _, rubbing, damping, _ = reaction_on(i, ints, reals, work)
        work[POWER_FRICTION] += rubbing
        damped += damping
    return damped


@kernel
def keep_standing(ints, reals, y, work):
    """Friction memory and landings of all bodies, after the move; they must be in place."""
    for i in range(ints[N_STANDING]):
        record, row, R, c, _ = placed(i, ints, reals, work)
        remember_feet(
            add(vector_of(work, record + POSITION), c), R, reals, row, y, ints[Y_STANDING] + BED_MEMORY * i, work,
            ints[W_STANDING] + BED_KEPT * i,
        )  # fmt: skip


@kernel
def put_standing(at, elastic, ints, reals, y, work, out):
    """Write what is reported of landings from `at` on; add the energy in the bed to the column `elastic`."""
    for k in range(ints[N_NAMED]):
        for i in range(ints[N_STANDING]):
            mine = ints[ints[I_WATER] + WATER_INTS * i] == ints[ints[I_NAMED] + k]
            if mine and reals[ints[R_WATER] + WATER_REALS * i + BODY_FEET] > 0.0:
                normal, _, _, stored = reaction_on(i, ints, reals, work)
                out[elastic] += stored
                put_landing(normal, y, ints[Y_STANDING] + BED_MEMORY * i, out, at)
                at += 3
