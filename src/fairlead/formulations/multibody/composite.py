"""The joint-space inertia H and bias C: the composite-rigid-body algorithm (Guillaume et al., Eqs. 3–6, corrected).

    m_j^c = m_j + Σ_children X_kᵀ m_k^c X_k,        β_j^c = β_j + Σ_children X_kᵀ (m_k^c γ_k + β_k^c),
    H_jk = S_jᵀ (kX_j)ᵀ m_k^c S_k for k in the subtree of j, else 0,
    C_j = S_jᵀ (m_j^c a_j° + β_j^c),  a_j° = X a_p° + γ_j along the ancestors of j,
    H q̈ = τ − C.

The print has m_j^c instead of m_k^c in H and no subtree test, and sums γ over all bodies up to j instead of over its
ancestors. A cable element is one joint of three axes (Eqs. 8–10), whose rows come out of the shift that carries a force
up to its near end: S_jᵀ(f, n) = (y₀·n′, x₁·n′, t·f) with n′ = n + ℓ t × f.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, cross, dot, scale, subtract, symvec, transposed_matvec

from .articulated import carry_on
from .joints import direction_of, kind_of, speeds_of
from .schema import CABLE
from .spatial import add_bias, add_inertia, applied


@kernel
def put_pair(H, size, i, k, value):
    """Write an entry of a symmetric matrix, and its mirror."""
    H[i * size + k] = value
    H[k * size + i] = value


@kernel
def fill_column(column, row, f, m, sys, H):
    """Entries of one column of H for body `row` and all above it.

    f, m: force m^c S of the column and its torque about the origin of body `row`, handed up arm by arm.
    """
    size = sys.speeds
    while row >= 0:
        body = sys.body[row]
        r = sys.bases + row
        for k in range(speeds_of(kind_of(body, sys))):
            axis = sys.axis[6 * r + k]
            put_pair(H, size, body.speed + k, column, dot(axis.linear, f) + dot(axis.angular, m))
        m = add(m, cross(sys.record[r].arm, f))
        row = body.parent - sys.bases


@kernel
def put_row(H, size, i, column, a, b, c):
    """Write three entries of a row of a symmetric matrix, and their mirrors."""
    put_pair(H, size, i, column, a)
    put_pair(H, size, i, column + 1, b)
    put_pair(H, size, i, column + 2, c)


@kernel
def fill_three(column, row, f0, m0, f1, m1, f2, m2, sys, H):
    """The same for the three columns of a cable element at once."""
    size = sys.speeds
    while row >= 0:
        body = sys.body[row]
        r = sys.bases + row
        kind, at, arm = kind_of(body, sys), body.speed, sys.record[r].arm
        if kind == CABLE:
            t = direction_of(sys.record[r])
            span = scale(sys.coordinate[body.coordinate + 2].value, t)
            n0, n1, n2 = add(m0, cross(span, f0)), add(m1, cross(span, f1)), add(m2, cross(span, f2))
            s = sys.axis[6 * r].angular
            put_row(H, size, at, column, dot(s, n0), dot(s, n1), dot(s, n2))
            s = sys.axis[6 * r + 1].angular
            put_row(H, size, at + 1, column, dot(s, n0), dot(s, n1), dot(s, n2))
            put_row(H, size, at + 2, column, dot(t, f0), dot(t, f1), dot(t, f2))
            arm = subtract(arm, span)  # what is left of the arm: where the cable is joined to a body
            m0, m1, m2 = n0, n1, n2
        else:
            for k in range(speeds_of(kind)):
                s, w = sys.axis[6 * r + k].linear, sys.axis[6 * r + k].angular
                put_row(
                    H, size, at + k, column, dot(s, f0) + dot(w, m0), dot(s, f1) + dot(w, m1), dot(s, f2) + dot(w, m2)
                )
        if body.kind != CABLE or is_first(body, sys):
            m0, m1, m2 = add(m0, cross(arm, f0)), add(m1, cross(arm, f1)), add(m2, cross(arm, f2))
        row = body.parent - sys.bases


@kernel
def is_first(body, sys):
    """Whether an element is the first of its cable, the only one that may be joined beside its parent's origin."""
    return body.cable < 0 or body.element == sys.cable[body.cable].element


@kernel
def composite(sys, H, C):
    """H (size², row by row) and C (size) of the tree whose bodies are placed and loaded; joint torques are not in C.

    Axes of nodes on a drum get a unit diagonal and no bias.
    """
    size = sys.speeds
    for i in range(size * size):
        H[i] = 0.0
    for j in range(sys.bodies):
        record, up = sys.record[sys.bases + j], sys.record[sys.body[j].parent]
        record.acceleration, record.alpha = carry_on(record, up)
    for back in range(sys.bodies):
        j = sys.bodies - 1 - back
        body = sys.body[j]
        r = sys.bases + j
        record, up = sys.record[r], sys.record[body.parent]
        A, B, D = record.A, record.B, record.D
        beta_f, beta_m = record.bias, record.bias_turn
        f, m = applied(A, B, D, record.acceleration, record.alpha)
        f, m = add(f, beta_f), add(m, beta_m)
        kind = kind_of(body, sys)
        n = speeds_of(kind)
        at = body.speed
        stop = sys.body[j + 1].speed if back > 0 else size
        for k in range(at + n, stop):
            H[k * size + k] = 1.0
            C[k] = 0.0
        for k in range(n):
            s, w = sys.axis[6 * r + k].linear, sys.axis[6 * r + k].angular
            C[at + k] = dot(s, f) + dot(w, m)
            if kind != CABLE:
                force, torque = applied(A, B, D, s, w)
                fill_column(at + k, j, force, torque, sys, H)
        if kind == CABLE:
            one, two, t = sys.axis[6 * r], sys.axis[6 * r + 1], direction_of(record)
            f0, m0 = applied(A, B, D, one.linear, one.angular)
            f1, m1 = applied(A, B, D, two.linear, two.angular)
            fill_three(at, j, f0, m0, f1, m1, symvec(A, t), transposed_matvec(B, t), sys, H)
        more_f, more_m = applied(A, B, D, record.drift, record.drift_turn)
        add_inertia(up, A, B, D, record.arm)
        add_bias(up, add(beta_f, more_f), add(beta_m, more_m), record.arm)
