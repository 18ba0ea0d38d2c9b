"""Stiffness of the bars at rest: joints analytically, loads by differences.

A difference quotient of stiff springs would drown the string stiffness; one body's loads depend on that body alone. The
string stiffness comes from the kept joint forces, never from the gaps, so a sideways step δ costs an imbalance λδ²/L
and not EA·δ²/L², and stiff cables are as easy as soft ones. The rows of a chain are the bars allotted to a cable, six
each; its ends are the hubs or prescribed points it is joined to.
"""

from __future__ import annotations

from fairlead.algebra.bordered_band import END, add_block, add_to_border, copy
from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import (
    dot, matadd_scaled, matmul, matscale, matvec, outer, scale, skew, transpose, transposed_matvec,
)  # fmt: skip
from fairlead.rigging.frames import lever_columns
from fairlead.rigging.settling import DIFFERENCE, move_along

from .still import ONE, body_of, holds, law_of, lever_of, loads, moment_of, seen, side_of, turn_of


@kernel
def index_of(c, i, side, m, sys):
    """Where the body at a side of joint i stands among the rows and ends of its chain."""
    cable = sys.cable[c]
    if side == 0 and i == 0:
        return m.chain[c, 1]
    return m.chain[c, 1] + END if side == 1 and i == cable.count else 6 * (cable.first + i - 1 + side) - m.chain[c, 0]


@kernel
def add_pair(case, m, c, joint, a, b, one, two, kept, s, u, sys):
    """Add the stiffness −∂(force, moment)/∂(move, turn) of side a of a joint, `one`, against moves of side b, `two`.

    Of a side: where it stands, whether it is prescribed, its offset and turn in its body, U, and its frame there.
    """
    k = case.joint[joint]
    rows, held, o, R, U_a, F_a = one
    columns, _, _, _, U_b, F_b = two
    row_sign, column_sign = (-1.0 if a == 0 else 1.0), (-1.0 if b == 0 else 1.0)
    along, across = law_of(case, joint, kept, sys)
    axial = row_sign * column_sign * across
    add_block(m, c, rows, columns, axial, ONE)
    add_block(m, c, rows, columns + 3, axial, U_b)
    add_block(m, c, rows + 3, columns, axial, transpose(U_a))
    add_block(m, c, rows + 3, columns + 3, axial, matmul(transpose(U_a), U_b))
    if along != across:
        line = matscale(1.0 / max(dot(kept, kept), 1.0e-300), outer(kept, kept))
        more = row_sign * column_sign * (along - across)
        add_block(m, c, rows, columns, more, line)
        add_block(m, c, rows, columns + 3, more, matmul(line, U_b))
        add_block(m, c, rows + 3, columns, more, matmul(transpose(U_a), line))
        add_block(m, c, rows + 3, columns + 3, more, matmul(transpose(U_a), matmul(line, U_b)))
    if k[1] != 0.0 or k[3] != 0.0:
        # moment on the body of side a: −sign·F·leverᵀ·λ with λ = K·2u and 2δu = Σ sign·lever·Fᵀ·δθ
        moment = moment_of(case, joint, u)
        turn = matscale(column_sign, matmul(lever_of(s, u, b), transpose(F_b)))
        stiff = (
            k[1] * turn[0], k[1] * turn[1], k[1] * turn[2], k[2] * turn[3], k[2] * turn[4], k[2] * turn[5],
            k[3] * turn[6], k[3] * turn[7], k[3] * turn[8],
        )  # fmt: skip
        lever = lever_of(s, u, a)
        change = matmul(transpose(lever), stiff)
        # and the lever itself changes: δs·λ ± δu × λ with δs = −½ u·(δθ₂ − δθ₁)
        change = matadd_scaled(change, 1.0, outer(moment, scale(-0.5 * column_sign, matvec(F_b, u))))
        change = matadd_scaled(change, 0.5 * row_sign, matmul(skew(moment), turn))
        add_block(m, c, rows + 3, columns + 3, row_sign, matmul(F_a, change))
        if a == b and held:  # the moment on a prescribed point turns with the clamp, whose axes it is in
            add_block(m, c, rows + 3, columns + 3, -row_sign, skew(matvec(F_a, transposed_matvec(lever, moment))))
    if a == b:  # a joint force turns about the body it acts on: −S(o)S(f)
        f = scale(-row_sign, transposed_matvec(R, kept))
        add_block(m, c, rows + 3, columns + 3, -1.0, matmul(skew(o), skew(f)))


@kernel
def add_joint(case, m, c, i, sys):
    """Add the stiffness of joint i of cable c."""
    joint = sys.cable[c].first + c + i
    _, o1, R1, q1, F1 = side_of(c, i, 0, sys)
    _, o2, R2, q2, F2 = side_of(c, i, 1, sys)
    s, u = turn_of(q1, q2)
    kept = sys.multipliers[joint].force
    one = (index_of(c, i, 0, m, sys), body_of(c, i, 0, sys) < 0, o1, R1, lever_columns(R1, o1), F1)
    two = (index_of(c, i, 1, m, sys), body_of(c, i, 1, sys) < 0, o2, R2, lever_columns(R2, o2), F2)
    add_pair(case, m, c, joint, 0, 0, one, one, kept, s, u, sys)
    add_pair(case, m, c, joint, 0, 1, one, two, kept, s, u, sys)
    add_pair(case, m, c, joint, 1, 0, two, one, kept, s, u, sys)
    add_pair(case, m, c, joint, 1, 1, two, two, kept, s, u, sys)


@kernel
def change_loads(case, y, which, d, probe):
    """Twice `DIFFERENCE` times −∂loads/∂x of all bodies, into `change`, where every one is moved or turned along its
    degree of freedom d, or hub `which` alone."""
    for side in range(2):
        copy(y, case.probe)
        by = DIFFERENCE if side == 0 else -DIFFERENCE
        for i in range(probe.bars if which < 0 else 0):
            move_along(probe.bar_state[i], d, by)
        for h in range(probe.hubs):
            if which < 0 or h == which:
                move_along(probe.hub_state[h], d, by)
        loads(case, case.probe)
        for body in range(case.out.shape[0]):
            for k in range(6):
                case.change[body, k] = case.out[body, k] - (case.change[body, k] if side == 1 else 0.0)


@kernel
def tangent(case, y, m):
    """Stiffness −∂forces/∂x with the string stiffness of the kept joint forces: see `damped_newton`."""
    sys = seen(case, y)
    for c in range(sys.cables):
        for i in range(sys.cable[c].count + 1):
            if holds(c, i, sys):
                add_joint(case, m, c, i, sys)
    set_reach(case, y, m)
    probe = seen(case, case.probe)
    rows, w = m.band.shape[0], m.band.shape[1] // 2
    for row in range(rows):
        m.band[row, w] += case.spare[row // 6]
    apart = sys.ptos > 0  # then hubs feel each other
    for turn in range(6 * sys.hubs + 6 if apart else 6):
        d, which = turn % 6, turn // 6 - 1
        change_loads(case, y, which, d, probe)
        for body in range(case.out.shape[0]):
            for k in range(6):
                value = case.change[body, k] / (2.0 * DIFFERENCE)
                if 6 * body < rows:
                    if which < 0:
                        m.band[6 * body + k, d - k + w] += value
                elif (which >= 0) == apart:
                    column = 6 * (which if apart else body) - (0 if apart else rows) + d
                    add_to_border(m, 6 * body - rows + k, column, value)


@kernel
def set_reach(case, y, m):
    """Ends of cables move with hubs and prescribed points: see `rest_kernels`."""
    for c in range(m.chain.shape[0]):
        for p in range(2 * END):
            for q in range(END):
                m.reach[c, p, q] = 1.0 if p % END == q else 0.0
