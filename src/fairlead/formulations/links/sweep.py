"""Exact elimination of a chain of rigid links in O(n), from its far end to its start and back.

Unknowns are the acceleration a₀ of the chain's start and, for each link, two numbers w: q̈ = E w − |q̇|² q with the two
unit vectors E across the link, so that the links stay rigid without multipliers; a_j = a_{j−1} + l q̈. The equations of
motion are those of a least quadratic form (Gauss). What lies beyond node j is carried as a form in (a_j, w_j),

    ½ aᵀP a + aᵀX w + ½ wᵀW w − p·a − r·w,

P 3×3, X 3×2, W 2×2. To it come link j's own inertia and loads on its two nodes; a_j is replaced; then w_j alone has to
be eliminated, a 2×2 inverse. Everything is positive definite: no pivoting, no drift, no stiff constraint.

A far end tied to a prescribed point feels a force F more. It is kept as an unknown: p and r get parts S F and R F, and
the far end accelerates by a_N = Sᵀa₀ + B F + z.

In a step of size h implicit drag, bending and string stiffness are part of the form (see `step`).
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import (
    ZERO3, ZERO6, add, add_scaled, cross, dot, outer_scaled, scale, subtract, symadd, symmetric_inverse, symsubtract,
    symvec,
)  # fmt: skip
from fairlead.rigging.bed import touch_bed
from fairlead.rigging.point_loads import load_of

from .joint import joint_force
from .hung import find_body, hang_body
from .link import link_loads, lump_loads, torques_on


@kernel
def frame_of(q):
    """Two unit vectors across q (Duff and others, 'Building an orthonormal basis, revisited')."""
    sign = 1.0 if q[2] >= 0.0 else -1.0
    a = -1.0 / (sign + q[2])
    b = q[0] * q[1] * a
    return (1.0 + sign * q[0] * q[0] * a, sign * b, -sign * q[0]), (b, sign + q[1] * q[1] * a, -q[1])


@kernel
def held_at(t, node, sys):
    """Inertia (6) [kg] and force (3) of what sits on a node: the body of a free point, a rigid body, point loads."""
    motion, step, body = sys.motion[node], sys.step, sys.sitting[node].body
    if body <= -2:
        return hang_body(t, -2 - body, node, sys)
    inertia, force = 0.0, ZERO3
    if body >= 0:
        inertia, force, power = lump_loads(
            t, sys.lump[body], motion.position, motion.velocity, motion.middle, motion.bend, step.size, sys.reals
        )
        sys.ledger.drag += step.book * power
    for i in range(sys.loads):
        if sys.load[i].on == node:
            push, _ = load_of(t, i, sys)
            force = add(force, push)
            sys.ledger.drives += step.book * dot(push, motion.middle)
    return (inertia, 0.0, 0.0, inertia, 0.0, inertia), force


@kernel
def touch(i, sys):
    """Contact of node i with the seabed: its part of P and of p."""
    node, kept, motion, h = sys.node[i], sys.touch[i], sys.motion[i], sys.step.size
    return touch_bed(
        motion.position, motion.velocity, node.radius, node.stiffness, node.damping, node.shear, node.fall, True,
        kept, sys.contact[i], h, h, h * h, h, sys,
    )  # fmt: skip


@kernel
def eliminate(t, c, sys, tied, axis, r1, r2, w11, w12, w22, S, R1, R2):
    """Sweep of chain c from its far end to its start.

    Begins with the far clamp's parts r, W; S, R1, R2 belong to the force F at a tied end. Returns P, p at the start
    and, for a tied end, S, B and z.
    """
    first, count = sys.chain[c].first, sys.chain[c].count
    h, book, beta = sys.step.size, sys.step.book, sys.setting.beta
    bed, loaded = sys.sea.bed > 0.0, sys.loads > 0
    P, p = ZERO6, ZERO3
    X1, X2 = ZERO3, ZERO3
    B, z = ZERO6, ZERO3
    S1, S2, S3 = S
    drag_work, damping_work = 0.0, 0.0
    i = count - 1
    q = sys.link_state[first + i].direction
    e1, e2 = frame_of(q)
    while i >= 0:
        j = first + i
        node = j + c
        link, state, kept, motion = sys.link[j], sys.link_state[j], sys.kept[j], sys.motion[node]
        # node below: what the rest of the chain asks of it
        inertia, force = held_at(t, node + 1, sys)
        P = symadd(P, inertia)
        p = add(p, force)
        kept.mass, kept.side_1, kept.side_2, kept.load = P, X1, X2, p
        if tied:
            kept.lever_1, kept.lever_2, kept.lever_3 = S1, S2, S3
        if bed:
            mass, push = touch(node + 1, sys)
            P = symadd(P, mass)
            p = add(p, push)
        # the link itself
        w, wm, length = state.rate, sys.turning[j].turn, link.length
        n00, n01, n11, t00, t01, t11, f0, f1, power = link_loads(
            t, j, motion.position, q, motion.velocity, w, motion.middle, wm, motion.bend, h, sys
        )
        drag_work += power
        g = -length * dot(wm, wm)
        P = symadd(P, outer_scaled(t11 - n11, q))
        P = (P[0] + n11, P[1], P[2], P[3] + n11, P[4], P[5] + n11)
        p = add(p, f1)
        Pq, P1, P2 = symvec(P, q), symvec(P, e1), symvec(P, e2)
        H1 = add(scale(length, add_scaled(P1, n01, e1)), X1)
        H2 = add(scale(length, add_scaled(P2, n01, e2)), X2)
        turning = link.rotary + beta * h * h * max(0.0, sys.pull[j].tension) * length
        m11 = length * (length * dot(e1, P1) + 2.0 * dot(e1, X1)) + w11 + turning
        m12 = length * (length * dot(e1, P2) + dot(e1, X2) + dot(X1, e2)) + w12
        m22 = length * (length * dot(e2, P2) + 2.0 * dot(e2, X2)) + w22 + turning
        left = add_scaled(p, -g, Pq)
        r1 += length * dot(e1, left) - g * dot(X1, q)
        r2 += length * dot(e2, left) - g * dot(X2, q)
        if loaded:
            torque = cross(torques_on(t, j, sys), q)
            r1 += dot(e1, torque)
            r2 += dot(e2, torque)
            sys.ledger.drives += book * dot(torque, wm)
        if tied:
            R1 = (R1[0] + length * dot(e1, S1), R1[1] + length * dot(e1, S2), R1[2] + length * dot(e1, S3))
            R2 = (R2[0] + length * dot(e2, S1), R2[1] + length * dot(e2, S2), R2[2] + length * dot(e2, S3))
            z = (z[0] + g * dot(S1, q), z[1] + g * dot(S2, q), z[2] + g * dot(S3, q))
        # the joint at its upper end
        k, d = link.bending, link.damping
        s, r1p, r2p = 0.0, 0.0, 0.0
        c11, c12, c21, c22 = 0.0, 0.0, 0.0, 0.0
        e1p, e2p, qp = e1, e2, q
        if i > 0:
            qp = sys.link_state[j - 1].direction
            e1p, e2p = frame_of(qp)
        if k > 0.0 or d > 0.0:
            qa, wa, wam = axis, ZERO3, ZERO3
            if i > 0:
                qa, wa, wam = qp, sys.link_state[j - 1].rate, sys.turning[j - 1].turn
            own = link.mass * length * length / 3.0
            elastic, rate, s = joint_force(k, d, beta, h, own, qa, q)
            slip, middle = subtract(w, wa), subtract(wm, wam)
            r1 += elastic * dot(e1, qa) - rate * dot(e1, slip)
            r2 += elastic * dot(e2, qa) - rate * dot(e2, slip)
            m11 += s
            m22 += s
            damping_work -= d * dot(middle, middle)
            if i > 0:
                r1p = elastic * dot(e1p, q) + rate * dot(e1p, slip)
                r2p = elastic * dot(e2p, q) + rate * dot(e2p, slip)
                c11, c12, c21, c22 = -s * dot(e1p, e1), -s * dot(e1p, e2), -s * dot(e2p, e1), -s * dot(e2p, e2)
        # eliminate w of this link
        inverse = 1.0 / (m11 * m22 - m12 * m12)
        d11, d12, d22 = m22 * inverse, -m12 * inverse, m11 * inverse
        Y1 = add_scaled(scale(d11, H1), d12, H2)
        Y2 = add_scaled(scale(d12, H1), d22, H2)
        z11, z12 = c11 * d11 + c12 * d12, c11 * d12 + c12 * d22
        z21, z22 = c21 * d11 + c22 * d12, c21 * d12 + c22 * d22
        kept.frame_1, kept.frame_2, kept.inverse = e1, e2, (d11, d12, d22)
        kept.across_1, kept.across_2 = H1, H2
        kept.coupling, kept.rhs = (c11, c12, c21, c22), (r1, r2)
        if tied:
            kept.pull_1, kept.pull_2 = R1, R2
            T1 = add_scaled(scale(d11, R1), d12, R2)
            T2 = add_scaled(scale(d12, R1), d22, R2)
            z = add_scaled(add_scaled(z, r1, T1), r2, T2)
            B = (
                B[0] + R1[0] * T1[0] + R2[0] * T2[0], B[1] + R1[0] * T1[1] + R2[0] * T2[1],
                B[2] + R1[0] * T1[2] + R2[0] * T2[2], B[3] + R1[1] * T1[1] + R2[1] * T2[1],
                B[4] + R1[1] * T1[2] + R2[1] * T2[2], B[5] + R1[2] * T1[2] + R2[2] * T2[2],
            )  # fmt: skip
            S1 = add_scaled(add_scaled(S1, -R1[0], Y1), -R2[0], Y2)
            S2 = add_scaled(add_scaled(S2, -R1[1], Y1), -R2[1], Y2)
            S3 = add_scaled(add_scaled(S3, -R1[2], Y1), -R2[2], Y2)
            R1, R2 = (
                add_scaled(scale(-z11, R1), -z12, R2),
                add_scaled(scale(-z21, R1), -z22, R2),
            )
        # what is left for the node above
        p = add(f0, left)
        p = add_scaled(p, -g * t01, q)
        p = add_scaled(add_scaled(p, -r1, Y1), -r2, Y2)
        n = n00 + 2.0 * n01
        P = symadd(P, outer_scaled(t00 + 2.0 * t01 - n, q))
        P = (P[0] + n, P[1], P[2], P[3] + n, P[4], P[5] + n)
        P = symsubtract(
            P,
            (
                Y1[0] * H1[0] + Y2[0] * H2[0], Y1[0] * H1[1] + Y2[0] * H2[1], Y1[0] * H1[2] + Y2[0] * H2[2],
                Y1[1] * H1[1] + Y2[1] * H2[1], Y1[1] * H1[2] + Y2[1] * H2[2], Y1[2] * H1[2] + Y2[2] * H2[2],
            ),
        )  # fmt: skip
        X1 = add_scaled(scale(-c11, Y1), -c12, Y2)
        X2 = add_scaled(scale(-c21, Y1), -c22, Y2)
        w11 = s - z11 * c11 - z12 * c12
        w12 = -z11 * c21 - z12 * c22
        w22 = s - z21 * c21 - z22 * c22
        r1, r2 = r1p - z11 * r1 - z12 * r2, r2p - z21 * r1 - z22 * r2
        q, e1, e2 = qp, e1p, e2p
        i -= 1
    sys.ledger.drag += book * drag_work
    sys.ledger.damping += book * damping_work
    return P, p, S1, S2, S3, B, z


@kernel
def substitute(c, a, pull, tied, sys):
    """Sweep back: accelerations of all nodes, E w of all links (`swing`), and the force of all beyond a node on it."""
    first = sys.chain[c].first
    u1, u2 = 0.0, 0.0
    for j in range(first, first + sys.chain[c].count):
        kept, motion = sys.kept[j], sys.motion[j + c + 1]
        coupling = kept.coupling
        r1, r2 = kept.rhs
        r1 -= dot(kept.across_1, a)
        r2 -= dot(kept.across_2, a)
        r1 -= coupling[0] * u1 + coupling[2] * u2
        r2 -= coupling[1] * u1 + coupling[3] * u2
        if tied:
            r1 += dot(kept.pull_1, pull)
            r2 += dot(kept.pull_2, pull)
        d11, d12, d22 = kept.inverse
        u1, u2 = d11 * r1 + d12 * r2, d12 * r1 + d22 * r2
        swing, wm = add_scaled(scale(u1, kept.frame_1), u2, kept.frame_2), sys.turning[j].turn
        sys.turning[j].swing = swing
        a = add_scaled(a, sys.link[j].length, add_scaled(swing, -dot(wm, wm), sys.link_state[j].direction))
        motion.acceleration = a
        force = subtract(kept.load, symvec(kept.mass, a))
        force = add_scaled(add_scaled(force, -u1, kept.side_1), -u2, kept.side_2)
        if tied:
            force = add_scaled(add_scaled(force, pull[0], kept.lever_1), pull[1], kept.lever_2)
            force = add_scaled(force, pull[2], kept.lever_3)
        motion.force = force


@kernel
def far_clamp(c, sys):
    """Parts r and W of the clamp at a chain's far end."""
    end = sys.end[c]
    k, d, axis = end.stop_bending, end.stop_damping, end.stop_axis
    if not (k > 0.0 or d > 0.0):
        return 0.0, 0.0, 0.0
    last = sys.chain[c].first + sys.chain[c].count - 1
    link, q, w, wm = sys.link[last], sys.link_state[last].direction, sys.link_state[last].rate, sys.turning[last].turn
    e1, e2 = frame_of(q)
    inertia = link.mass * link.length**2 / 3.0
    elastic, rate, s = joint_force(k, d, sys.setting.beta, sys.step.size, inertia, axis, q)
    sys.ledger.damping -= sys.step.book * d * dot(wm, wm)
    return elastic * dot(e1, axis) - rate * dot(e1, w), elastic * dot(e2, axis) - rate * dot(e2, w), s


@kernel
def solve_chain(t, c, sys):
    """Accelerations and forces of one chain in the state laid out; False when it cannot be solved.

    A tied far end is held by a spring k, the stretch of the whole cable, taken implicitly:
    F = −k(gap + (h + τ)(ġ + h g̈)); the force it needs follows from the far end's compliance B.
    """
    chain, end, h, book = sys.chain[c], sys.end[c], sys.step.size, sys.step.book
    tied = chain.stop >= 0
    r1, r2, s = far_clamp(c, sys)
    eye = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    P, p, S1, S2, S3, B, z = eliminate(t, c, sys, tied, end.start_axis, r1, r2, s, 0.0, s, eye, ZERO3, ZERO3)
    first, last = chain.first + c, chain.first + c + chain.count
    inertia, force = held_at(t, first, sys)
    a, pull = ZERO3, ZERO3
    if chain.start >= 0:
        a = sys.plan[chain.start].acceleration
    else:
        P = symadd(P, inertia)
        p = add(p, force)
        if sys.sea.bed > 0.0:
            mass, push = touch(first, sys)
            P = symadd(P, mass)
            p = add(p, push)
        a = symvec(symmetric_inverse(P), p)
    if tied:
        plan, motion = sys.plan[chain.stop], sys.motion[last]
        k, lag = end.spring, h + end.spring_time
        gap, rate = subtract(motion.position, plan.position), subtract(motion.velocity, plan.velocity)
        free = add((dot(S1, a), dot(S2, a), dot(S3, a)), subtract(z, plan.acceleration))
        want = scale(-1.0, add_scaled(add_scaled(gap, lag, rate), lag * h, free))
        f = lag * h
        give = 1.0 / k
        pull = symvec(
            symmetric_inverse((f * B[0] + give, f * B[1], f * B[2], f * B[3] + give, f * B[4], f * B[5] + give)), want
        )
        p = (
            p[0] + S1[0] * pull[0] + S2[0] * pull[1] + S3[0] * pull[2],
            p[1] + S1[1] * pull[0] + S2[1] * pull[1] + S3[1] * pull[2],
            p[2] + S1[2] * pull[0] + S2[2] * pull[1] + S3[2] * pull[2],
        )
        sys.ledger.drives += book * dot(pull, add_scaled(plan.velocity, 0.5 * h, plan.acceleration))
        relative = subtract(motion.middle, plan.velocity)
        sys.ledger.damping -= book * k * end.spring_time * dot(relative, relative)
    start = sys.motion[first]
    start.acceleration = a
    start.force = subtract(p, symvec(P, a))
    if chain.start >= 0:
        sys.ledger.drives -= book * dot(start.force, start.middle)
    substitute(c, a, pull, tied, sys)
    body = sys.sitting[last].body
    if body <= -2:
        find_body(-2 - body, last, sys)
    size = dot(a, a)
    return size < math.inf
