"""Bending stiffness, which the paper leaves open: a spring between neighbouring links."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, dot, scale, subtract

from .arrays import (
    CABLE_COUNT, CABLE_LINK, CABLE_NODE, JOINT_COLUMNS, JOINT_STIFFNESS, JOINT_TIME, LENGTH, R_JOINTS, W_BENDING,
    W_MOMENT, Y_SCALE, cable_at, link_at, put, state_at, vector_of,
)  # fmt: skip


@kernel
def turn_at(c, j, offset, ints, reals, y):
    """Difference of the two link vectors over their lengths at inner node j, (x₊ − x)/l₊ − (x − x₋)/l₋.

    `offset` 0: of the positions, the angle between the links; 3: of the velocities, its rate.
    """
    cable = cable_at(ints, c)
    s = y[ints[Y_SCALE] + c]
    before = vector_of(y, state_at(ints, cable, j - 1) + offset)
    here = vector_of(y, state_at(ints, cable, j) + offset)
    after = vector_of(y, state_at(ints, cable, j + 1) + offset)
    link = ints[cable + CABLE_LINK] + j
    back = 1.0 / (s * reals[link_at(ints, link - 1) + LENGTH])
    ahead = 1.0 / (s * reals[link_at(ints, link) + LENGTH])
    return subtract(scale(ahead, subtract(after, here)), scale(back, subtract(here, before))), back, ahead


@kernel
def bend(c, ints, reals, y, work):
    """Bending forces on all nodes of cable c, kept in `work`; returns the power of their damping [W].

    U = ½ (EI/l) |s|², s the difference of the two links' vectors over their lengths at an inner node: the second
    difference of the positions. With damping time τ, the moment is (EI/l)(s + τ ṡ).
    """
    cable = cable_at(ints, c)
    first, count = ints[cable + CABLE_NODE], ints[cable + CABLE_COUNT]
    for j in range(count + 1):
        put(work, ints[W_BENDING] + 3 * (first + j), (0.0, 0.0, 0.0))
        work[ints[W_MOMENT] + first + j] = 0.0
    power = 0.0
    for j in range(1, count):
        joint = ints[R_JOINTS] + JOINT_COLUMNS * (first + j)
        stiffness = reals[joint + JOINT_STIFFNESS] / y[ints[Y_SCALE] + c]
        if stiffness == 0.0:
            continue
        turn, back, ahead = turn_at(c, j, 0, ints, reals, y)
        rate, _, _ = turn_at(c, j, 3, ints, reals, y)
        damping = stiffness * reals[joint + JOINT_TIME]
        moment = add(scale(stiffness, turn), scale(damping, rate))
        power -= damping * dot(rate, rate)
        work[ints[W_MOMENT] + first + j] = math.sqrt(dot(moment, moment))
        at = ints[W_BENDING] + 3 * (first + j)
        for k in range(3):
            work[at - 3 + k] -= back * moment[k]
            work[at + k] += (back + ahead) * moment[k]
            work[at + 3 + k] -= ahead * moment[k]
    return power


@kernel
def bending_energy(c, j, ints, reals, y):
    """½ (EI/l) |s|² of inner node j of cable c [J]."""
    first = ints[cable_at(ints, c) + CABLE_NODE]
    turn, _, _ = turn_at(c, j, 0, ints, reals, y)
    stiffness = reals[ints[R_JOINTS] + JOINT_COLUMNS * (first + j) + JOINT_STIFFNESS] / y[ints[Y_SCALE] + c]
    return 0.5 * stiffness * dot(turn, turn)
