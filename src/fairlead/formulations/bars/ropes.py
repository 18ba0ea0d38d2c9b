"""Joints that are ropes: half an element of rope on either side, or on one, beside half an element of something else.

A joint of rope is the spring of `rigging.ropes`, λ = κ(C − o n) + v Ċ, with o = ε₀ L and n along its gap C: what the
rope is stretched by without a pull is no gap. What is beside it, if anything, is in series with it. Systems with ropes
are run by `run_rigged`.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import entry, inlined, kernel
from fairlead.algebra.small import add_scaled, dot, scale
from fairlead.rigging.ropes import (
    come_to_rest, creep_on, loaded_energy, off_piece, rest_strain, slope_now, take_up,
)  # fmt: skip

from .coefficients import felt_masses, late_row, rule_row
from .schema import system
from .topology import is_attached

ROUNDS = 50
"""Of Newton's method from a gap to its tension."""
PIECES = 20
"""Passes that may lead a rope to another piece of its curve."""


@inlined
def is_rope(j, sys):
    """Whether joint j is one of rope."""
    return sys.ropes > 0 and sys.joint[j].rope >= 0.0


@kernel
def rope_of(j, sys):
    """The rope of joint j."""
    return sys.rope[int(sys.joint[j].rope)]


# --- in motion -------------------------------------------------------------------------------------------------------
@kernel
def put_row(c, j, sys):
    """G, D, K of the position rows of a joint of rope of cable c, as it is held in this step."""
    joint, held, row = sys.joint[j], sys.held[j], sys.row[j].gdk
    stiff = held.stiffness / joint.rope_length
    share = 1.0 / (1.0 + stiff * joint.beside)
    bar, first, count = j - c, sys.cable[c].first, sys.cable[c].count
    mass = felt_masses(bar - 1 if bar > first else -1, bar if bar < first + count else -1, sys)[0]
    g, d, k = rule_row(share * stiff, joint.damping[0] + share * held.damper / joint.rope_length, mass, sys)
    sys.row[j].gdk = (g, d, k, row[3], row[4], row[5], row[6], row[7], row[8])


@kernel
def take_up_ropes(sys):
    """What every joint of rope is in the step to come."""
    if sys.ropes == 0:
        return
    for c in range(sys.cables):
        first, count = sys.cable[c].first + c, sys.cable[c].count
        for i in range(count + 1):
            j = first + i
            if not is_rope(j, sys) or (i == 0 and not is_attached(2 * c, sys)):
                continue
            if i == count and not is_attached(2 * c + 1, sys):
                continue
            force = sys.multipliers[j].force
            take_up(rope_of(j, sys), math.sqrt(dot(force, force)), sys.scheme.step, sys.creep[j], sys.held[j], sys)
            put_row(c, j, sys)


@inlined
def unslipped(j, gap, axis, sys):
    """The gap of joint j that pulls: without what its rope is stretched by without a pull. Of a gap narrower than that
    what is along the line; all of it where the joint is no rope."""
    if not is_rope(j, sys):
        return gap
    held, size = sys.held[j], math.sqrt(dot(gap, gap))
    slip, along = held.offset * sys.joint[j].rope_length, dot(gap, axis)
    wide = along > 0.0 and size > slip
    held.gap = size if wide else along
    return scale(1.0 - slip / size, gap) if wide else scale(along - slip, axis)


@kernel
def change_pieces(k, sys):
    """Take ropes that pass k has led to another piece of their curve by that; how many there were."""
    found = 0.0
    if sys.ropes == 0 or k >= PIECES:
        return found
    for c in range(sys.cables):
        first, count = sys.cable[c].first + c, sys.cable[c].count
        for j in range(first, first + count + 1):
            if is_rope(j, sys) and sys.row[j].gdk[2] > 0.0:
                force, held = sys.joint_load[j].force, sys.held[j]
                strain = held.offset + math.sqrt(dot(force, force)) / held.stiffness
                if off_piece(rope_of(j, sys), strain, held, sys):
                    put_row(c, j, sys)
                    found += 1.0
    return found


@kernel
def let_creep(j, tension, sys):
    """The memory of joint j, if it is of rope, after a step under a tension; what is lost is booked."""
    if not is_rope(j, sys):
        return
    joint, held, row, h = sys.joint[j], sys.held[j], sys.row[j].gdk, sys.scheme.step
    if not row[2] > 0.0:
        return
    late = sys.scheme.half == 0.0
    d = row[1]
    if sys.loosens == 1 and sys.scheme.half > 0.0 and sys.loose[j].caught > 0.5:
        late, d = True, late_row(row[2], row[1], sys)[1]
    rate = 0.0
    if late:
        rate = (tension - row[2] * (held.gap - held.offset * joint.rope_length)) / d  # T = K (C − o) + D Ċ
    elif tension != 0.0:
        force = sys.joint_load[j].force
        mean = add_scaled(sys.rate[j].position, sys.scheme.half, sys.parting[j].position)
        rate = dot(mean, force) / math.sqrt(dot(force, force))
    share = 1.0 / (1.0 + held.stiffness * joint.beside / joint.rope_length)
    lost = creep_on(rope_of(j, sys), tension, share * rate / joint.rope_length, h, sys.creep[j], held, sys)
    sys.ledger.damping -= joint.rope_length * lost


@kernel
def rope_joint_energy(j, force, sys):
    """Elastic energy of a joint of rope under a force [J], and whether it is one."""
    if not is_rope(j, sys):
        return 0.0, False
    joint, tension = sys.joint[j], math.sqrt(dot(force, force))
    energy = joint.rope_length * loaded_energy(rope_of(j, sys), tension, sys.creep[j], sys)
    return energy + 0.5 * joint.beside * tension * tension, True


# --- at rest ---------------------------------------------------------------------------------------------------------
@kernel
def rest_gap(j, tension, sys):
    """Gap [m] of a joint of rope at rest under a tension, and its stiffness dT/dC [N/m]."""
    joint = sys.joint[j]
    strain, give = rest_strain(rope_of(j, sys), tension, sys.creep[j].most, sys)
    return joint.rope_length * strain + joint.beside * tension, 1.0 / (joint.rope_length * give + joint.beside)


@kernel
def quick_stiffness(j, tension, sys):
    """dT/dC [N/m] of a joint of rope at rest under a tension, of a load that comes too quickly for it to creep."""
    joint, rope = sys.joint[j], rope_of(j, sys)
    slope = slope_now(rope, rest_strain(rope, tension, sys.creep[j].most, sys)[0], sys.creep[j], sys)
    return 1.0 / (joint.rope_length / slope + joint.beside)


@kernel
def rest_pull(j, gap, guess, sys):
    """Tension [N] of a joint of rope at rest whose gap is so wide."""
    tension = max(guess, 1.0)
    for _ in range(ROUNDS):
        found, stiff = rest_gap(j, tension, sys)
        change = stiff * (gap - found)
        tension = max(0.0, tension + change)
        if abs(change) <= 1.0e-12 * tension:
            break
    return tension


@entry
def rest_memory(tension, y, ints, reals, work):
    """Give joints of rope the memory of having been under these tensions for long, in place."""
    sys = system(ints, reals, y, work)
    for j in range(sys.joints):
        if sys.joint[j].rope >= 0.0:
            come_to_rest(rope_of(j, sys), tension[j], sys.creep[j], sys)
