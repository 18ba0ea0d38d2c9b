"""Bending: a spring at each inner node and each clamp that resists the turn from one element to the next.

At a node its energy is ½k|g|² with g = t₂ − t₁ and k = 1/(L₁/2EI₁ + L₂/2EI₂): for small angles ½EI κ² of the length
that belongs to the node, for any angle k(1 − cos φ). At a clamp g = t − t_clamp and k = 2EI/L. The step's matrix gains
G·JᵀJ with J = ∂g/∂x, whose blocks are Q₁, −(Q₁ + Q₂), Q₂ with Q = (1 − ttᵀ)/l; it stays positive for every shape.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.lanes import common
from fairlead.algebra.small import add, add_scaled, dot, matadd_scaled, matmul, scale, subtract, symvec

from .ends import is_attached
from .points import clamp_direction
from .scheme import drag_share


@kernel
def bending_stiffness(c, i, sys):
    """k [N m] of the turn at node i of cable c; 0 where nothing resists it."""
    first, count = sys.cable[c].first, sys.cable[c].count
    if i == 0 or i == count:
        end = 2 * c + (1 if i == count else 0)
        if sys.joint[end].clamp == 0 or not is_attached(end, sys):
            return 0.0
        element = sys.element[first + (count - 1 if i == count else 0)]
        return 2.0 * element.bending / element.length
    one, two = sys.element[first + i - 1], sys.element[first + i]
    if one.bending == 0.0 or two.bending == 0.0:
        return 0.0
    return 2.0 / (one.length / one.bending + two.length / two.bending)


@kernel
def bending_moduli(k, time, mass, length, scheme):
    """Stiffness k [N m] of a node's turn and its damping as what goes into the matrix and into the rate's force.

    The damper acts on the node's mass across elements of this length with the sum of squares 6/l² of J.
    """
    c = time * k
    share = drag_share(6.0 * c / (length * length), mass, scheme)
    return share * c + scheme.bending_g * k, c + scheme.bending_d * k, c


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
def add_symmetric(s, g, m):
    """S + g·M of a symmetric matrix S and a general M that is known to be symmetric."""
    return (
        s[0] + g * m[0], s[1] + g * m[1], s[2] + g * m[2], s[3] + g * m[4], s[4] + g * m[5], s[5] + g * m[8],
    )  # fmt: skip


@kernel
def add_both(s, g, m):
    """S + g(M + Mᵀ) of a symmetric matrix S."""
    return (
        s[0] + g * (m[0] + m[0]), s[1] + g * (m[1] + m[3]), s[2] + g * (m[2] + m[6]), s[3] + g * (m[4] + m[4]),
        s[4] + g * (m[5] + m[7]), s[5] + g * (m[8] + m[8]),
    )  # fmt: skip


@kernel
def bend_at_clamp(end, e, sys):
    """Add the clamp of a cable end on its element e; returns what its damping takes a second [W]."""
    element, chord = sys.element[e], sys.chord[e]
    k = 2.0 * element.bending / element.length
    if common(k) == 0.0:
        return 0.0
    g, rate, loss = bending_moduli(k, element.bending_time, element.mass, element.length, sys.scheme)
    axis = chord.direction
    q = turning_rate(axis, chord.span)
    node = e + end // 2
    turning = symvec(q, subtract(sys.node[node + 1].velocity, sys.node[node].velocity))
    moment = add_scaled(scale(k, subtract(axis, clamp_direction(end, sys))), rate, turning)
    moment = add_scaled(moment, sys.scheme.bending_memory * k, symvec(q, sys.spring[e].sway))
    force = symvec(q, moment)
    one, two = sys.row[node], sys.row[node + 1]
    one.r, two.r = add(one.r, force), add(two.r, scale(-1.0, force))
    q = general(q)
    q = matmul(q, q)
    one.D, two.D = add_symmetric(one.D, g, q), add_symmetric(two.D, g, q)
    one.A = matadd_scaled(one.A, -g, q)
    return loss * dot(turning, turning)


@kernel
def bend(c, sys):
    """Add the bending of cable c to its rows, once its elements' directions are known."""
    cable = sys.cable[c]
    first, count = cable.first, cable.count
    spent = 0.0
    for i in range(count + 1):
        node = first + c + i
        sys.row[node].C = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        if i == 0 or i == count:
            end = 2 * c + (1 if i == count else 0)
            if sys.joint[end].clamp == 1 and is_attached(end, sys):
                spent += bend_at_clamp(end, first + (count - 1 if i == count else 0), sys)
            continue
        e = first + i - 1
        one, two = sys.element[e], sys.element[e + 1]
        k1, k2 = one.bending, two.bending
        if common(k1) == 0.0 or common(k2) == 0.0:
            continue
        k = 2.0 / (one.length / k1 + two.length / k2)
        mass, length = one.mass + two.mass, 0.5 * (one.length + two.length)
        g, rate, loss = bending_moduli(k, 0.5 * (one.bending_time + two.bending_time), mass, length, sys.scheme)
        t1, t2 = sys.chord[e].direction, sys.chord[e + 1].direction
        q1, q2 = turning_rate(t1, sys.chord[e].span), turning_rate(t2, sys.chord[e + 1].span)
        v0, v1, v2 = sys.node[node - 1].velocity, sys.node[node].velocity, sys.node[node + 1].velocity
        turning = subtract(symvec(q2, subtract(v2, v1)), symvec(q1, subtract(v1, v0)))
        moment = add_scaled(scale(k, subtract(t2, t1)), rate, turning)
        was = subtract(symvec(q2, sys.spring[e + 1].sway), symvec(q1, sys.spring[e].sway))
        moment = add_scaled(moment, sys.scheme.bending_memory * k, was)
        spent += loss * dot(turning, turning)
        before, after = symvec(q1, moment), symvec(q2, moment)
        behind, here, ahead = sys.row[node - 1], sys.row[node], sys.row[node + 1]
        behind.r = add(behind.r, scale(-1.0, before))
        here.r = add(here.r, add(before, after))
        ahead.r = add(ahead.r, scale(-1.0, after))
        q1, q2 = general(q1), general(q2)
        q11, q12, q22 = matmul(q1, q1), matmul(q1, q2), matmul(q2, q2)
        behind.D, ahead.D = add_symmetric(behind.D, g, q11), add_symmetric(ahead.D, g, q22)
        here.D = add_both(add_symmetric(add_symmetric(here.D, g, q11), g, q22), g, q12)
        behind.A = matadd_scaled(matadd_scaled(behind.A, -g, q11), -g, q12)
        here.A = matadd_scaled(matadd_scaled(here.A, -g, q22), -g, q12)
        behind.C = matadd_scaled(behind.C, g, q12)
    sys.ledger.damping -= sys.scheme.book * spent
