"""Torque of a reduced cable: the twist of its reference frame at Gauss points along the whole of it."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.frame_twist import binormal, twist_density, twist_gradient
from fairlead.loads.end_twist import turned_angle

from .arrays import (
    AXIS, BEFORE, BY_FRAME, COLUMNS, COMPLIANCE, CORRECTION, FOLLOWER, FRAME, I_TWISTS, MODES, MOVED_FRAME, NEW_ANGLE,
    OLD_ANGLE, OLD_FRAME, R_TABLE, R_TWISTS, STATE, SWIFT, TIME, TORQUE, TWIST_POINTS, TWIST_RECORD, TWIST_WORK, VALUES,
    W_FRAMES, W_MOVE, W_NEW, W_TURN, WEIGHTS, clear, gain_columns, product, vector_of,
)  # fmt: skip

P = TWIST_POINTS


@kernel
def twist_reals(k, ints):
    """Where the numbers of twist k begin."""
    return ints[R_TWISTS] + (COLUMNS + FRAME * ints[STATE]) * k


@kernel
def turned(t, k, u, ints, reals):
    """Angle by which the end of a cable is turned [rad]: twist k."""
    record = ints[I_TWISTS] + TWIST_RECORD * k
    return turned_angle(t, u, record, twist_reals(k, ints), ints[R_TABLE], ints, reals)


@kernel
def frame_of(z, k, ints, reals, work):
    """The old frame of twist k at z in work, and that it has not moved."""
    at = ints[W_FRAMES] + TWIST_WORK * k
    clear(work, at + OLD_FRAME, 2 * FRAME)
    gain_columns(work, at + OLD_FRAME, work, z, ints[STATE], reals, twist_reals(k, ints) + COLUMNS, FRAME)


@kernel
def point(at, share, g, work):
    """r′ and r″ at point g, `share` of the way from the old frame to the new."""
    o, m = at + OLD_FRAME + g, at + MOVED_FRAME + g
    a = (work[o] + share * work[m], work[o + P] + share * work[m + P], work[o + 2 * P] + share * work[m + 2 * P])
    o, m = o + 3 * P, m + 3 * P
    return a, (work[o] + share * work[m], work[o + P] + share * work[m + P], work[o + 2 * P] + share * work[m + 2 * P])


@kernel
def twist_of(k, share, ints, reals, work):
    """Φ of twist k `share` of the way from its old frame to the new, and the least |a|² − a_p²."""
    at, fixed = ints[W_FRAMES] + TWIST_WORK * k, twist_reals(k, ints)
    p = vector_of(reals, fixed + AXIS)
    for g in range(P):
        a, b = point(at, share, g, work)
        f, clear_of = twist_density(a, b, p)
        work[at + VALUES + g] = f
        work[at + VALUES + P + g] = clear_of
    nearest = 1.0
    for g in range(P):
        nearest = min(nearest, work[at + VALUES + P + g])
    return product(reals, fixed + WEIGHTS, work, at + VALUES, P), nearest


@kernel
def by_frame(k, share, ints, reals, work):
    """The twist's gradient by the frame `share` of the way; with a follower torque that of Eq. 13, which no potential
    has."""
    at, fixed = ints[W_FRAMES] + TWIST_WORK * k, twist_reals(k, ints)
    p, to = vector_of(reals, fixed + AXIS), at + BY_FRAME
    follows = ints[ints[I_TWISTS] + TWIST_RECORD * k + FOLLOWER] == 1
    for g in range(P):
        a, b = point(at, share, g, work)
        w = reals[fixed + WEIGHTS + g]
        by_a, by_b = twist_gradient(a, b, p)
        if follows:
            by_a, by_b = binormal(a, b), (0.0, 0.0, 0.0)
        work[to + g], work[to + P + g], work[to + 2 * P + g] = w * by_a[0], w * by_a[1], w * by_a[2]
        work[to + 3 * P + g], work[to + 4 * P + g], work[to + 5 * P + g] = w * by_b[0], w * by_b[1], w * by_b[2]


@kernel
def by_state(k, first, count, ints, reals, work):
    """The twist's gradient by `count` numbers of z from `first`, corrected along the step, into W_TURN."""
    at, columns = ints[W_FRAMES] + TWIST_WORK * k, twist_reals(k, ints) + COLUMNS
    to = ints[W_TURN] + ints[STATE] * k
    for j in range(first, first + count):
        own = product(reals, columns + j * FRAME, work, at + BY_FRAME, FRAME)
        work[to + j] = own + work[at + CORRECTION] * work[ints[W_MOVE] + j]


@kernel
def begin_twist(t, h, k, u, ints, reals, work):
    """The start of a step of twist k, whose old frame is that of the old state: angles given, own twist, first move."""
    at = ints[W_FRAMES] + TWIST_WORK * k
    work[at + OLD_ANGLE], work[at + NEW_ANGLE] = turned(t, k, u, ints, reals), turned(t + h, k, u, ints, reals)
    clear(work, at + MOVED_FRAME, FRAME)
    work[at + BEFORE], _ = twist_of(k, 0.0, ints, reals, work)
    columns = twist_reals(k, ints) + COLUMNS
    gain_columns(work, at + MOVED_FRAME, work, ints[W_MOVE], ints[STATE] - 1, reals, columns, FRAME)


@kernel
def move_frame(k, change, ints, reals, work):
    """The frame moves with the change of the coordinates in work."""
    columns = twist_reals(k, ints) + COLUMNS
    to = ints[W_FRAMES] + TWIST_WORK * k + MOVED_FRAME
    gain_columns(work, to, work, change, ints[MODES], reals, columns, FRAME)


@kernel
def twist_step(h, k, ints, reals, work):
    """Torque over the step, and its gradient by the coordinates into W_TURN. Returns how clear the frame is.

    The gradient of the mean frame is corrected along the step so that it gives the change of the twist (Gonzalez).
    """
    at, fixed, m = ints[W_FRAMES] + TWIST_WORK * k, twist_reals(k, ints), ints[STATE]
    after, nearest = twist_of(k, 1.0, ints, reals, work)
    before = work[at + BEFORE]
    by_frame(k, 0.5, ints, reals, work)
    work[at + CORRECTION] = 0.0
    if ints[ints[I_TWISTS] + TWIST_RECORD * k + FOLLOWER] == 0:
        length = product(work, ints[W_MOVE], work, ints[W_MOVE], m - 1)
        if length > 1e-24:
            grown = product(work, at + BY_FRAME, work, at + MOVED_FRAME, FRAME)
            work[at + CORRECTION] = (after - before - grown) / length
    by_state(k, 0, ints[MODES], ints, reals, work)
    swift = (after - before + work[at + NEW_ANGLE] - work[at + OLD_ANGLE]) / h
    turn = 0.5 * (before + after + work[at + OLD_ANGLE] + work[at + NEW_ANGLE]) + reals[fixed + TIME] * swift
    work[at + TORQUE], work[at + SWIFT] = turn / reals[fixed + COMPLIANCE], swift
    return nearest


@kernel
def still_torque(t, k, u, ints, reals, work):
    """Torque of twist k of the state in W_NEW [N m], and how clear its frame is; its old frame is that of the state."""
    frame_of(ints[W_NEW], k, ints, reals, work)
    total, nearest = twist_of(k, 0.0, ints, reals, work)
    return (total + turned(t, k, u, ints, reals)) / reals[twist_reals(k, ints) + COMPLIANCE], nearest
