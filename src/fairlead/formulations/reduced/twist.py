"""Torque of a reduced cable: the twist of its reference frame at Gauss points along the whole of it."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.frame_twist import binormal, twist_density, twist_gradient
from fairlead.loads.end_twist import turned_angle

from .runs import clear, gain_columns, product
from .schema import FRAME
from .schema import TWIST_POINTS as P


@kernel
def columns(k, sys):
    """Where the frames of twist k for each of z begin."""
    return sys.frame_column.start + FRAME * sys.state * k


@kernel
def frame_of(z, k, sys):
    """The old frame of twist k at z in work, and that it has not moved."""
    work, old = sys.work, sys.old_frame.start + FRAME * k
    clear(work, old, FRAME)
    clear(work, sys.moved_frame.start + FRAME * k, FRAME)
    gain_columns(work, old, work, z, sys.state, sys.reals, columns(k, sys), FRAME)


@kernel
def between(share, g, old, moved):
    """Numbers g of x, y and z `share` of the way from the old frame to the new."""
    return (
        old[g].value + share * moved[g].value,
        old[g + P].value + share * moved[g + P].value,
        old[g + 2 * P].value + share * moved[g + 2 * P].value,
    )


@kernel
def point(k, share, g, sys):
    """r′ and r″ at point g of twist k, `share` of the way from the old frame to the new."""
    at = FRAME * k + g
    a = between(share, at, sys.old_frame, sys.moved_frame)
    return a, between(share, at + 3 * P, sys.old_frame, sys.moved_frame)


@kernel
def twist_of(k, share, sys):
    """Φ of twist k `share` of the way from its old frame to the new, and the least |a|² − a_p²."""
    p = sys.torsion[k].axis
    for g in range(P):
        a, b = point(k, share, g, sys)
        f, clear_of = twist_density(a, b, p)
        sys.density[P * k + g].value = f
        sys.clearance[P * k + g].value = clear_of
    nearest = 1.0
    for g in range(P):
        nearest = min(nearest, sys.clearance[P * k + g].value)
    return product(sys.reals, sys.point_weight.start + P * k, sys.work, sys.density.start + P * k, P), nearest


@kernel
def by_frame(k, share, sys):
    """The twist's gradient by the frame `share` of the way; with a follower torque that of Eq. 13, which no potential
    has."""
    p, to = sys.torsion[k].axis, sys.by_frame
    follows = sys.turn[k].follower == 1
    for g in range(P):
        a, b = point(k, share, g, sys)
        w, at = sys.point_weight[P * k + g].value, FRAME * k + g
        by_a, by_b = twist_gradient(a, b, p)
        if follows:
            by_a, by_b = binormal(a, b), (0.0, 0.0, 0.0)
        for i in range(3):
            to[at + i * P].value = w * by_a[i]
            to[at + (3 + i) * P].value = w * by_b[i]


@kernel
def by_state(k, first, count, sys):
    """The twist's gradient by `count` numbers of z from `first`, corrected along the step, into `by_state`."""
    start, by_frames = columns(k, sys), sys.by_frame.start + FRAME * k
    for j in range(first, first + count):
        own = product(sys.reals, start + j * FRAME, sys.work, by_frames, FRAME)
        sys.by_state[sys.state * k + j].value = own + sys.twist[k].correction * sys.move[j].value


@kernel
def move_frame(k, change, count, sys):
    """The frame moves with the change of the first `count` numbers of z in work."""
    to = sys.moved_frame.start + FRAME * k
    gain_columns(sys.work, to, sys.work, change, count, sys.reals, columns(k, sys), FRAME)


@kernel
def begin_twist(t, h, k, u, sys):
    """The start of a step of twist k, whose old frame is that of the old state: angles given, own twist, first move."""
    twist = sys.twist[k]
    twist.old_angle, twist.new_angle = turned_angle(t, k, u, sys), turned_angle(t + h, k, u, sys)
    clear(sys.work, sys.moved_frame.start + FRAME * k, FRAME)
    twist.before, _ = twist_of(k, 0.0, sys)
    move_frame(k, sys.move.start, sys.state - 1, sys)


@kernel
def twist_step(h, k, sys):
    """Torque over the step, and its gradient by the coordinates into `by_state`. Returns how clear the frame is.

    The gradient of the mean frame is corrected along the step so that it gives the change of the twist (Gonzalez).
    """
    work, twist, torsion = sys.work, sys.twist[k], sys.torsion[k]
    after, nearest = twist_of(k, 1.0, sys)
    before = twist.before
    by_frame(k, 0.5, sys)
    twist.correction = 0.0
    if sys.turn[k].follower == 0:
        length = product(work, sys.move.start, work, sys.move.start, sys.state - 1)
        if length > 1e-24:
            at = FRAME * k
            grown = product(work, sys.by_frame.start + at, work, sys.moved_frame.start + at, FRAME)
            twist.correction = (after - before - grown) / length
    by_state(k, 0, sys.modes, sys)
    swift = (after - before + twist.new_angle - twist.old_angle) / h
    turn = 0.5 * (before + after + twist.old_angle + twist.new_angle) + torsion.time * swift
    twist.torque, twist.swift = turn / torsion.compliance, swift
    return nearest


@kernel
def still_torque(t, k, u, sys):
    """Torque of twist k of the state in `new` [N m], and how clear its frame is; its old frame is that of the state."""
    frame_of(sys.new.start, k, sys)
    total, nearest = twist_of(k, 0.0, sys)
    return (total + turned_angle(t, k, u, sys)) / sys.torsion[k].compliance, nearest
