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
    add, add_scaled, cross, dot, outer_scaled, scale, subtract, symadd, symmetric_inverse, symsubtract, symvec,
)  # fmt: skip
from fairlead.loads.seabed_contact import bed_push
from fairlead.sea.water import BED_PRESENT, BED_X, BED_Y, BED_Z

from .arrays import (
    BENDING, BETA, BOOK, CHAIN_COUNT, CHAIN_FIRST, CHAIN_START, CHAIN_STOP, CONTACT_ACTIVE, CONTACT_BIAS,
    CONTACT_COLUMNS, CONTACT_FRICTION, CONTACT_GAIN, CONTACT_SHEAR, DAMPING, I_LOADS, KEPT_ACROSS, KEPT_COLUMNS,
    KEPT_COUPLING, KEPT_FRAME, KEPT_INVERSE, KEPT_LEVER, KEPT_LOAD, KEPT_MASS, KEPT_PULL, KEPT_RHS, KEPT_SIDE,
    LENGTH, LOAD_INTS, LOAD_NODE, LUMP_COLUMNS, MASS, N_LOADS,
    NODE_BODY, NODE_DAMPING, NODE_FALL, NODE_RADIUS, NODE_REALS, NODE_SHEAR, NODE_STIFFNESS, R_LUMPS,
    R_NODES, R_SETTINGS, ROTARY, SPRING, SPRING_TIME, START_AXIS, STEP, STOP_AXIS, STOP_BENDING,
    STOP_DAMPING, W_ACCELERATION, W_BEND, W_CONTACT, W_FORCE, W_KEPT, W_MIDDLE, W_PLACE, W_SWING, W_TURN,
    W_VELOCITY, WORK_DAMPING, WORK_DRAG, WORK_DRIVES, Y_CONTACT, Y_LEDGER, Y_LINKS, Y_TENSION, chain_at,
    chain_reals, link_at, point_at, put, vector_of,
)  # fmt: skip
from .joint import joint_force
from .hung import find_body, hang_body
from .link import link_loads, lump_loads
from .point_loads import load_force, torques_on

ZERO3 = (0.0, 0.0, 0.0)
ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def frame_of(q):
    """Two unit vectors across q (Duff and others, 'Building an orthonormal basis, revisited')."""
    sign = 1.0 if q[2] >= 0.0 else -1.0
    a = -1.0 / (sign + q[2])
    b = q[0] * q[1] * a
    return (1.0 + sign * q[0] * q[0] * a, sign * b, -sign * q[0]), (b, sign + q[1] * q[1] * a, -q[1])


@kernel
def held_at(t, node, ints, reals, y, work):
    """Inertia (6) [kg] and force (3) of what sits on a node: the body of a free point, a rigid body, point loads."""
    middle = vector_of(work, ints[W_MIDDLE] + 3 * node)
    body = int(reals[ints[R_NODES] + NODE_REALS * node + NODE_BODY])
    if body <= -2:
        return hang_body(t, -2 - body, node, ints, reals, y, work)
    inertia, force = 0.0, ZERO3
    if body >= 0:
        inertia, force, power = lump_loads(
            t, ints[R_LUMPS] + LUMP_COLUMNS * body, reals, vector_of(work, ints[W_PLACE] + 3 * node),
            vector_of(work, ints[W_VELOCITY] + 3 * node), middle, vector_of(work, ints[W_BEND] + 3 * node), work[STEP],
        )  # fmt: skip
        y[ints[Y_LEDGER] + WORK_DRAG] += work[BOOK] * power
    for i in range(ints[N_LOADS]):
        if ints[ints[I_LOADS] + LOAD_INTS * i + LOAD_NODE] == node:
            push, _ = load_force(t, i, ints, reals)
            force = add(force, push)
            y[ints[Y_LEDGER] + WORK_DRIVES] += work[BOOK] * dot(push, middle)
    return (inertia, 0.0, 0.0, inertia, 0.0, inertia), force


@kernel
def touch(node, ints, reals, y, work):
    """Contact of a node with the seabed: its part of P and of p."""
    kept, at, h = ints[W_CONTACT] + CONTACT_COLUMNS * node, ints[R_NODES] + NODE_REALS * node, work[STEP]
    k, c = reals[at + NODE_STIFFNESS], reals[at + NODE_DAMPING]
    active, gain, bias, shear, friction = bed_push(
        reals, reals[at + NODE_RADIUS], k, c, reals[at + NODE_SHEAR], reals[at + NODE_FALL],
        vector_of(work, ints[W_PLACE] + 3 * node), vector_of(work, ints[W_VELOCITY] + 3 * node), y,
        ints[Y_CONTACT] + 4 * node, h, h, h * h, h,
    )  # fmt: skip
    work[kept + CONTACT_ACTIVE] = 1.0 if active else 0.0
    work[kept + CONTACT_GAIN] = gain
    work[kept + CONTACT_BIAS] = bias
    work[kept + CONTACT_SHEAR] = shear
    put(work, kept + CONTACT_FRICTION, friction)
    if not active:
        return ZERO6, ZERO3
    n = (reals[BED_X], reals[BED_Y], reals[BED_Z])
    mass = outer_scaled(gain - shear, n)
    mass = (mass[0] + shear, mass[1], mass[2], mass[3] + shear, mass[4], mass[5] + shear)
    return mass, add_scaled(friction, -bias, n)


@kernel
def eliminate(t, c, ints, reals, y, work, tied, axis, r1, r2, w11, w12, w22, S, R1, R2):
    """Sweep of chain c from its far end to its start.

    Begins with the far clamp's parts r, W; S, R1, R2 belong to the force F at a tied end. Returns P, p at the start
    and, for a tied end, S, B and z.
    """
    chain = chain_at(ints, c)
    first, count = ints[chain + CHAIN_FIRST], ints[chain + CHAIN_COUNT]
    h, book = work[STEP], work[BOOK]
    bed = reals[BED_PRESENT] > 0.0
    loaded = ints[N_LOADS] > 0
    beta = reals[ints[R_SETTINGS] + BETA]
    P, p = ZERO6, ZERO3
    X1, X2 = ZERO3, ZERO3
    B, z = ZERO6, ZERO3
    S1, S2, S3 = S
    drag_work, damping_work = 0.0, 0.0
    i = count - 1
    q = vector_of(y, ints[Y_LINKS] + 6 * (first + i))
    e1, e2 = frame_of(q)
    while i >= 0:
        j = first + i
        node = j + c
        link, state, kept = link_at(ints, j), ints[Y_LINKS] + 6 * j, ints[W_KEPT] + KEPT_COLUMNS * j
        # node below: what the rest of the chain asks of it
        inertia, force = held_at(t, node + 1, ints, reals, y, work)
        P = symadd(P, inertia)
        p = add(p, force)
        for k in range(6):
            work[kept + KEPT_MASS + k] = P[k]
        put(work, kept + KEPT_SIDE, X1)
        put(work, kept + KEPT_SIDE + 3, X2)
        put(work, kept + KEPT_LOAD, p)
        if tied:
            put(work, kept + KEPT_LEVER, S1)
            put(work, kept + KEPT_LEVER + 3, S2)
            put(work, kept + KEPT_LEVER + 6, S3)
        if bed:
            mass, push = touch(node + 1, ints, reals, y, work)
            P = symadd(P, mass)
            p = add(p, push)
        # the link itself
        w = vector_of(y, state + 3)
        wm = vector_of(work, ints[W_TURN] + 3 * j)
        n00, n01, n11, t00, t01, t11, f0, f1, power = link_loads(
            t, ints, reals, link, vector_of(work, ints[W_PLACE] + 3 * node), q,
            vector_of(work, ints[W_VELOCITY] + 3 * node), w, vector_of(work, ints[W_MIDDLE] + 3 * node), wm,
            vector_of(work, ints[W_BEND] + 3 * node), h,
        )  # fmt: skip
        drag_work += power
        length = reals[link + LENGTH]
        g = -length * dot(wm, wm)
        P = symadd(P, outer_scaled(t11 - n11, q))
        P = (P[0] + n11, P[1], P[2], P[3] + n11, P[4], P[5] + n11)
        p = add(p, f1)
        Pq, P1, P2 = symvec(P, q), symvec(P, e1), symvec(P, e2)
        H1 = add(scale(length, add_scaled(P1, n01, e1)), X1)
        H2 = add(scale(length, add_scaled(P2, n01, e2)), X2)
        turning = reals[link + ROTARY] + beta * h * h * max(0.0, y[ints[Y_TENSION] + j]) * length
        m11 = length * (length * dot(e1, P1) + 2.0 * dot(e1, X1)) + w11 + turning
        m12 = length * (length * dot(e1, P2) + dot(e1, X2) + dot(X1, e2)) + w12
        m22 = length * (length * dot(e2, P2) + 2.0 * dot(e2, X2)) + w22 + turning
        left = add_scaled(p, -g, Pq)
        r1 += length * dot(e1, left) - g * dot(X1, q)
        r2 += length * dot(e2, left) - g * dot(X2, q)
        if loaded:
            torque = cross(torques_on(t, j, ints, reals), q)
            r1 += dot(e1, torque)
            r2 += dot(e2, torque)
            y[ints[Y_LEDGER] + WORK_DRIVES] += book * dot(torque, wm)
        if tied:
            R1 = (R1[0] + length * dot(e1, S1), R1[1] + length * dot(e1, S2), R1[2] + length * dot(e1, S3))
            R2 = (R2[0] + length * dot(e2, S1), R2[1] + length * dot(e2, S2), R2[2] + length * dot(e2, S3))
            z = (z[0] + g * dot(S1, q), z[1] + g * dot(S2, q), z[2] + g * dot(S3, q))
        # the joint at its upper end
        k, d = reals[link + BENDING], reals[link + DAMPING]
        s, r1p, r2p = 0.0, 0.0, 0.0
        c11, c12, c21, c22 = 0.0, 0.0, 0.0, 0.0
        e1p, e2p, qp = e1, e2, q
        if i > 0:
            qp = vector_of(y, state - 6)
            e1p, e2p = frame_of(qp)
        if k > 0.0 or d > 0.0:
            qa, wa, wam = axis, ZERO3, ZERO3
            if i > 0:
                qa, wa, wam = qp, vector_of(y, state - 3), vector_of(work, ints[W_TURN] + 3 * j - 3)
            inertia = reals[link + MASS] * length * length / 3.0
            elastic, rate, s = joint_force(k, d, beta, h, inertia, qa, q, wa, w)
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
        put(work, kept + KEPT_FRAME, e1)
        put(work, kept + KEPT_FRAME + 3, e2)
        work[kept + KEPT_INVERSE], work[kept + KEPT_INVERSE + 1], work[kept + KEPT_INVERSE + 2] = d11, d12, d22
        put(work, kept + KEPT_ACROSS, H1)
        put(work, kept + KEPT_ACROSS + 3, H2)
        work[kept + KEPT_COUPLING], work[kept + KEPT_COUPLING + 1] = c11, c12
        work[kept + KEPT_COUPLING + 2], work[kept + KEPT_COUPLING + 3] = c21, c22
        work[kept + KEPT_RHS], work[kept + KEPT_RHS + 1] = r1, r2
        if tied:
            put(work, kept + KEPT_PULL, R1)
            put(work, kept + KEPT_PULL + 3, R2)
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
    y[ints[Y_LEDGER] + WORK_DRAG] += book * drag_work
    y[ints[Y_LEDGER] + WORK_DAMPING] += book * damping_work
    return P, p, S1, S2, S3, B, z


@kernel
def substitute(c, a, pull, tied, ints, reals, y, work):
    """Sweep back: accelerations of all nodes, E w of all links (W_SWING), and the force of all beyond a node on it."""
    chain = chain_at(ints, c)
    first, count = ints[chain + CHAIN_FIRST], ints[chain + CHAIN_COUNT]
    u1, u2 = 0.0, 0.0
    for i in range(count):
        j = first + i
        node = j + c
        kept = ints[W_KEPT] + KEPT_COLUMNS * j
        r1, r2 = work[kept + KEPT_RHS], work[kept + KEPT_RHS + 1]
        r1 -= dot(vector_of(work, kept + KEPT_ACROSS), a)
        r2 -= dot(vector_of(work, kept + KEPT_ACROSS + 3), a)
        r1 -= work[kept + KEPT_COUPLING] * u1 + work[kept + KEPT_COUPLING + 2] * u2
        r2 -= work[kept + KEPT_COUPLING + 1] * u1 + work[kept + KEPT_COUPLING + 3] * u2
        if tied:
            r1 += dot(vector_of(work, kept + KEPT_PULL), pull)
            r2 += dot(vector_of(work, kept + KEPT_PULL + 3), pull)
        d11, d12, d22 = vector_of(work, kept + KEPT_INVERSE)
        u1, u2 = d11 * r1 + d12 * r2, d12 * r1 + d22 * r2
        swing = add_scaled(scale(u1, vector_of(work, kept + KEPT_FRAME)), u2, vector_of(work, kept + KEPT_FRAME + 3))
        put(work, ints[W_SWING] + 3 * j, swing)
        wm = vector_of(work, ints[W_TURN] + 3 * j)
        length = reals[link_at(ints, j) + LENGTH]
        a = add_scaled(a, length, add_scaled(swing, -dot(wm, wm), vector_of(y, ints[Y_LINKS] + 6 * j)))
        put(work, ints[W_ACCELERATION] + 3 * (node + 1), a)
        force = subtract(vector_of(work, kept + KEPT_LOAD), symvec(mass_of(work, kept + KEPT_MASS), a))
        force = add_scaled(force, -u1, vector_of(work, kept + KEPT_SIDE))
        force = add_scaled(force, -u2, vector_of(work, kept + KEPT_SIDE + 3))
        if tied:
            for k in range(3):
                force = add_scaled(force, pull[k], vector_of(work, kept + KEPT_LEVER + 3 * k))
        put(work, ints[W_FORCE] + 3 * (node + 1), force)


@kernel
def mass_of(work, at):
    """Six numbers of a symmetric matrix."""
    return (work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5])


@kernel
def far_clamp(c, ints, reals, y, work):
    """Parts r and W of the clamp at a chain's far end."""
    chain, constants = chain_at(ints, c), chain_reals(ints, c)
    k, d = reals[constants + STOP_BENDING], reals[constants + STOP_DAMPING]
    if not (k > 0.0 or d > 0.0):
        return 0.0, 0.0, 0.0
    last = ints[chain + CHAIN_FIRST] + ints[chain + CHAIN_COUNT] - 1
    link, state = link_at(ints, last), ints[Y_LINKS] + 6 * last
    q, w, axis = vector_of(y, state), vector_of(y, state + 3), vector_of(reals, constants + STOP_AXIS)
    e1, e2 = frame_of(q)
    inertia = reals[link + MASS] * reals[link + LENGTH] ** 2 / 3.0
    elastic, rate, s = joint_force(k, d, reals[ints[R_SETTINGS] + BETA], work[STEP], inertia, axis, q, ZERO3, w)
    wm = vector_of(work, ints[W_TURN] + 3 * last)
    y[ints[Y_LEDGER] + WORK_DAMPING] -= work[BOOK] * d * dot(wm, wm)
    return elastic * dot(e1, axis) - rate * dot(e1, w), elastic * dot(e2, axis) - rate * dot(e2, w), s


@kernel
def solve_chain(t, c, ints, reals, y, work):
    """Accelerations and forces of one chain in the state laid out in `work`; False when it cannot be solved.

    A tied far end is held by a spring k, the stretch of the whole cable, taken implicitly:
    F = −k(gap + (h + τ)(ġ + h g̈)); the force it needs follows from the far end's compliance B.
    """
    chain, constants, h = chain_at(ints, c), chain_reals(ints, c), work[STEP]
    first, count = ints[chain + CHAIN_FIRST], ints[chain + CHAIN_COUNT]
    tied = ints[chain + CHAIN_STOP] >= 0
    r1, r2, s = far_clamp(c, ints, reals, y, work)
    eye = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    P, p, S1, S2, S3, B, z = eliminate(
        t, c, ints, reals, y, work, tied, vector_of(reals, constants + START_AXIS), r1, r2, s, 0.0, s, eye, ZERO3, ZERO3
    )
    node = first + c
    inertia, force = held_at(t, node, ints, reals, y, work)
    a, pull = ZERO3, ZERO3
    if ints[chain + CHAIN_START] >= 0:
        a = vector_of(work, point_at(ints, ints[chain + CHAIN_START]) + 6)
    else:
        P = symadd(P, inertia)
        p = add(p, force)
        if reals[BED_PRESENT] > 0.0:
            mass, push = touch(node, ints, reals, y, work)
            P = symadd(P, mass)
            p = add(p, push)
        a = symvec(symmetric_inverse(P), p)
    if tied:
        point = point_at(ints, ints[chain + CHAIN_STOP])
        end = node + count
        k, lag = reals[constants + SPRING], h + reals[constants + SPRING_TIME]
        gap = subtract(vector_of(work, ints[W_PLACE] + 3 * end), vector_of(work, point))
        rate = subtract(vector_of(work, ints[W_VELOCITY] + 3 * end), vector_of(work, point + 3))
        free = add((dot(S1, a), dot(S2, a), dot(S3, a)), subtract(z, vector_of(work, point + 6)))
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
        y[ints[Y_LEDGER] + WORK_DRIVES] += work[BOOK] * dot(
            pull, add_scaled(vector_of(work, point + 3), 0.5 * h, vector_of(work, point + 6))
        )
        relative = subtract(vector_of(work, ints[W_MIDDLE] + 3 * end), vector_of(work, point + 3))
        y[ints[Y_LEDGER] + WORK_DAMPING] -= work[BOOK] * k * reals[constants + SPRING_TIME] * dot(relative, relative)
    put(work, ints[W_ACCELERATION] + 3 * node, a)
    force = subtract(p, symvec(P, a))
    put(work, ints[W_FORCE] + 3 * node, force)
    if ints[chain + CHAIN_START] >= 0:
        y[ints[Y_LEDGER] + WORK_DRIVES] -= work[BOOK] * dot(force, vector_of(work, ints[W_MIDDLE] + 3 * node))
    substitute(c, a, pull, tied, ints, reals, y, work)
    body = int(reals[ints[R_NODES] + NODE_REALS * (node + count) + NODE_BODY])
    if body <= -2:
        find_body(-2 - body, node + count, ints, reals, y, work)
    size = dot(a, a)
    return size < math.inf
