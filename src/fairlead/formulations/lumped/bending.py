"""Bending: a spring at each inner node and each clamp that resists the turn from one element to the next.

At a node its energy is ½k|g|² with g = t₂ − t₁ and k = 1/(L₁/2EI₁ + L₂/2EI₂): for small angles ½EI κ² of the length
that belongs to the node, for any angle k(1 − cos φ). At a clamp g = t − t_clamp and k = 2EI/L. The step's matrix gains
G·JᵀJ with J = ∂g/∂x, whose blocks are Q₁, −(Q₁ + Q₂), Q₂ with Q = (1 − ttᵀ)/l; it stays positive for every shape.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, add_scaled, dot, matmul, scale, subtract, symvec

from .arrays import (
    BENDING, BENDING_TIME, CABLE_COUNT, CABLE_FIRST, END_CLAMP, LENGTH, NODE_A, NODE_C, NODE_D, NODE_R, NODE_WORK, SPAN,
    START_CLAMP, WORK_DAMPING, Y_LEDGER, add_to, cable_at, element_at, element_work_at, end_at, is_attached,
    node_state_at, node_work_at, point_of_end, put_matrix, vector_of,
)  # fmt: skip
from .points import clamp_direction
from .scheme import BENDING_D, BENDING_G, BOOK_STEP, G_PER_C


@kernel
def bending_moduli(k, time, work):
    """Stiffness k [N m] of a node's turn and its damping as what goes into the matrix and into the rate's force."""
    c = time * k
    return work[G_PER_C] * c + work[BENDING_G] * k, c + work[BENDING_D] * k, c


@kernel
def turning_rate(axis, span):
    """Q = (1 − ttᵀ)/l of an element: how fast its direction turns with the difference of its nodes' velocities."""
    return (
        (1.0 - axis[0] * axis[0]) / span, -axis[0] * axis[1] / span, -axis[0] * axis[2] / span,
        (1.0 - axis[1] * axis[1]) / span, -axis[1] * axis[2] / span, (1.0 - axis[2] * axis[2]) / span,
    )  # fmt: skip


@kernel
def general(s):
    """A symmetric matrix as nine numbers."""
    return (s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5])


@kernel
def add_symmetric(array, at, g, m):
    """Add g·M, known to be symmetric, to a matrix kept as six numbers."""
    array[at] += g * m[0]
    array[at + 1] += g * m[1]
    array[at + 2] += g * m[2]
    array[at + 3] += g * m[4]
    array[at + 4] += g * m[5]
    array[at + 5] += g * m[8]


@kernel
def add_matrix(array, at, g, m):
    """Add g·M to a matrix kept as nine numbers."""
    for k in range(9):
        array[at + k] += g * m[k]


@kernel
def bend_at_clamp(end, e, ints, reals, y, work):
    """Add the clamp of a cable end on its element e; returns what its damping takes a second [W]."""
    element, kept = element_at(ints, e), element_work_at(ints, e)
    k = 2.0 * reals[element + BENDING] / reals[element + LENGTH]
    if k == 0.0:
        return 0.0
    g, rate, loss = bending_moduli(k, reals[element + BENDING_TIME], work)
    axis = vector_of(work, kept)
    q = turning_rate(axis, work[kept + SPAN])
    node = e + end // 2
    state, row = node_state_at(ints, node), node_work_at(ints, node)
    turning = symvec(q, subtract(vector_of(y, state + 9), vector_of(y, state + 3)))
    direction = clamp_direction(point_of_end(ints, end), end_at(ints, end), ints, reals, work)
    moment = add_scaled(scale(k, subtract(axis, direction)), rate, turning)
    force = symvec(q, moment)
    add_to(work, row + NODE_R, force)
    add_to(work, row + NODE_WORK + NODE_R, scale(-1.0, force))
    q = general(q)
    q = matmul(q, q)
    add_symmetric(work, row + NODE_D, g, q)
    add_symmetric(work, row + NODE_WORK + NODE_D, g, q)
    add_matrix(work, row + NODE_A, -g, q)
    return loss * dot(turning, turning)


@kernel
def bend(c, ints, reals, y, work):
    """Add the bending of cable c to its rows, once its elements' directions are known."""
    cable = cable_at(ints, c)
    first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
    spent = 0.0
    for i in range(count + 1):
        row = node_work_at(ints, first + c + i)
        put_matrix(work, row + NODE_C, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
        if i == 0 or i == count:
            end = 2 * c + (1 if i == count else 0)
            clamp = ints[cable + (END_CLAMP if i == count else START_CLAMP)]
            if clamp == 1 and is_attached(y, ints, end):
                spent += bend_at_clamp(end, first + (count - 1 if i == count else 0), ints, reals, y, work)
            continue
        e = first + i - 1
        one, two = element_at(ints, e), element_at(ints, e + 1)
        k1, k2 = reals[one + BENDING], reals[two + BENDING]
        if k1 == 0.0 or k2 == 0.0:
            continue
        k = 2.0 / (reals[one + LENGTH] / k1 + reals[two + LENGTH] / k2)
        g, rate, loss = bending_moduli(k, 0.5 * (reals[one + BENDING_TIME] + reals[two + BENDING_TIME]), work)
        kept1, kept2 = element_work_at(ints, e), element_work_at(ints, e + 1)
        t1, t2 = vector_of(work, kept1), vector_of(work, kept2)
        q1, q2 = turning_rate(t1, work[kept1 + SPAN]), turning_rate(t2, work[kept2 + SPAN])
        at = node_state_at(ints, first + c + i)
        v0, v1, v2 = vector_of(y, at - 3), vector_of(y, at + 3), vector_of(y, at + 9)
        turning = subtract(symvec(q2, subtract(v2, v1)), symvec(q1, subtract(v1, v0)))
        moment = add_scaled(scale(k, subtract(t2, t1)), rate, turning)
        spent += loss * dot(turning, turning)
        before, after = symvec(q1, moment), symvec(q2, moment)
        add_to(work, row - NODE_WORK + NODE_R, scale(-1.0, before))
        add_to(work, row + NODE_R, add(before, after))
        add_to(work, row + NODE_WORK + NODE_R, scale(-1.0, after))
        q1, q2 = general(q1), general(q2)
        q11, q12, q22 = matmul(q1, q1), matmul(q1, q2), matmul(q2, q2)
        add_symmetric(work, row - NODE_WORK + NODE_D, g, q11)
        add_symmetric(work, row + NODE_WORK + NODE_D, g, q22)
        add_symmetric(work, row + NODE_D, g, q11)
        add_symmetric(work, row + NODE_D, g, q22)
        for m in range(3):  # q12 + q12ᵀ, upper triangle
            for n in range(m, 3):
                work[row + NODE_D + (n if m == 0 else m + n + 1)] += g * (q12[3 * m + n] + q12[3 * n + m])
        add_matrix(work, row - NODE_WORK + NODE_A, -g, q11)
        add_matrix(work, row - NODE_WORK + NODE_A, -g, q12)
        add_matrix(work, row + NODE_A, -g, q22)
        add_matrix(work, row + NODE_A, -g, q12)
        add_matrix(work, row - NODE_WORK + NODE_C, g, q12)
    y[ints[Y_LEDGER] + WORK_DAMPING] -= work[BOOK_STEP] * spent
