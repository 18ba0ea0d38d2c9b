"""A rigid body that hangs in the far end of a chain: its place is the chain's, its turn its own (see `hung_body`)."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation, turned
from fairlead.algebra.small import add, add_scaled, cross, dot, matvec, subtract, transposed_matvec
from fairlead.loads.hung_body import hang, hung_accelerations, offset_of

from .arrays import (
    BOOK, HUNG_FOUND, I_LOADS, I_NAMED, LATER, LOAD_INTS, LOAD_NODE, LOAD_OFFSET, LOAD_REALS, N_HUNG, N_LOADS,
    NODE_BODY, NODE_REALS, R_LOADS, R_NODES, STEP, W_ACCELERATION, W_MIDDLE, W_PLACE, W_VELOCITY, WORK_DRAG,
    WORK_DRIVES, Y_LEDGER, hung_at, hung_record_at, hung_work_at, point_at, put, vector_of,
)  # fmt: skip
from .point_loads import ZERO3, load_force


@kernel
def turn_of(b, ints, y):
    """Rotation matrix of hanging body b."""
    at = hung_at(ints, b)
    return rotation((y[at], y[at + 1], y[at + 2], y[at + 3]))


@kernel
def centre_of(b, place, velocity, R, w, ints, reals):
    """Place and velocity of the centre of mass of body b, whose cable ends at `place` and goes with `velocity`."""
    o = offset_of(reals, hung_record_at(ints, b))
    return subtract(place, matvec(R, o)), subtract(velocity, matvec(R, cross(w, o)))


@kernel
def named_state(k, ints, reals, y, work):
    """Place and velocity of the k-th of all points and bodies, of these that of the centre of mass."""
    which = ints[ints[I_NAMED] + k]
    if which >= 0:
        return vector_of(work, point_at(ints, which)), vector_of(work, point_at(ints, which) + 3)
    node = -which - 1
    place, velocity = vector_of(work, ints[W_PLACE] + 3 * node), vector_of(work, ints[W_VELOCITY] + 3 * node)
    body = int(reals[ints[R_NODES] + NODE_REALS * node + NODE_BODY])
    if body > -2:
        return place, velocity
    w = vector_of(y, hung_at(ints, -2 - body) + 4)
    return centre_of(-2 - body, place, velocity, turn_of(-2 - body, ints, y), w, ints, reals)


@kernel
def thrust(t, b, R, ints, reals):
    """Force (global) and torque about the centre of mass (body axes) of all loads on body b."""
    force, torque = ZERO3, ZERO3
    for i in range(ints[N_LOADS]):
        if ints[ints[I_LOADS] + LOAD_INTS * i + LOAD_NODE] == -2 - b:
            push, twist = load_force(t, i, ints, reals)
            o = vector_of(reals, ints[R_LOADS] + LOAD_REALS * i + LOAD_OFFSET)
            force = add(force, push)
            torque = add(torque, add(transposed_matvec(R, twist), cross(o, transposed_matvec(R, push))))
    return force, torque


@kernel
def hang_body(t, b, node, ints, reals, y, work):
    """Inertia (6) and force (3) of body b on the node it hangs from.

    Loads are those of the middle velocities. Drag is implicit: over the whole step where these are still those of its
    beginning, over half of it where they hold the accelerations found before.
    """
    R, kept, ledger, later = turn_of(b, ints, y), hung_work_at(ints, b), ints[Y_LEDGER], work[LATER]
    w, h, before, spin_before = vector_of(y, hung_at(ints, b) + 4), work[STEP], ZERO3, ZERO3
    if later > 0.0:
        before, spin_before = vector_of(work, kept + HUNG_FOUND), vector_of(work, kept + HUNG_FOUND + 3)
        w, h = add_scaled(w, later, spin_before), later
    centre, velocity = centre_of(
        b, vector_of(work, ints[W_PLACE] + 3 * node), vector_of(work, ints[W_MIDDLE] + 3 * node), R, w, ints, reals
    )
    force, torque = thrust(t, b, R, ints, reals)
    matrix, pull, power = hang(
        t, centre, R, velocity, w, force, torque, h, before, spin_before, reals, hung_record_at(ints, b), work, kept
    )
    y[ledger + WORK_DRAG] += work[BOOK] * power
    y[ledger + WORK_DRIVES] += work[BOOK] * (dot(force, velocity) + dot(torque, w))
    return matrix, pull


@kernel
def find_body(b, node, ints, reals, y, work):
    """Keep the accelerations of body b, from that of the node it hangs from."""
    R, kept = turn_of(b, ints, y), hung_work_at(ints, b)
    w = vector_of(y, hung_at(ints, b) + 4)
    if work[LATER] > 0.0:
        w = add_scaled(w, work[LATER], vector_of(work, kept + HUNG_FOUND + 3))
    a, spin = hung_accelerations(
        vector_of(work, ints[W_ACCELERATION] + 3 * node), R, w, reals, hung_record_at(ints, b), work, kept
    )
    put(work, kept + HUNG_FOUND, transposed_matvec(R, a))
    put(work, kept + HUNG_FOUND + 3, spin)


@kernel
def drift_bodies(h, ints, y):
    """Every hanging body turns with its spin for a time h."""
    for b in range(ints[N_HUNG]):
        at = hung_at(ints, b)
        q = (y[at], y[at + 1], y[at + 2], y[at + 3])
        y[at], y[at + 1], y[at + 2], y[at + 3] = turned(q, h * y[at + 4], h * y[at + 5], h * y[at + 6])


@kernel
def kick_bodies(h, ints, y, work):
    """Spins of the hanging bodies after the step."""
    for b in range(ints[N_HUNG]):
        at = hung_at(ints, b) + 4
        spin = vector_of(work, hung_work_at(ints, b) + HUNG_FOUND + 3)
        put(y, at, add_scaled(vector_of(y, at), h, spin))
