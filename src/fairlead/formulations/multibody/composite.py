"""The joint-space inertia H and bias C: the composite-rigid-body algorithm (Guillaume et al., Eqs. 3–6, corrected).

    m_j^c = m_j + Σ_children X_kᵀ m_k^c X_k,        β_j^c = β_j + Σ_children X_kᵀ (m_k^c γ_k + β_k^c),
    H_jk = S_jᵀ (kX_j)ᵀ m_k^c S_k for k in the subtree of j, else 0,
    C_j = S_jᵀ (m_j^c a_j° + β_j^c),  a_j° = X a_p° + γ_j along the ancestors of j,
    H q̈ = τ − C.

The print has m_j^c instead of m_k^c in H and no subtree test, and sums γ over all bodies up to j instead of over its
ancestors. A cable element is one joint of three axes (Eqs. 8–10).
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, cross, dot

from .articulated import carry_on
from .joints import kind_of, speeds_of
from .spatial import add_bias, add_inertia, applied


@kernel
def fill_column(column, row, f, m, sys, H):
    """Entries of one column of H, and their mirrors, for body `row` and all above it.

    f, m: force m^c S of the column and its torque about the origin of body `row`, handed up arm by arm.
    """
    size = sys.speeds
    while row >= 0:
        body = sys.body[row]
        r = sys.bases + row
        for k in range(speeds_of(kind_of(body, sys))):
            axis, at = sys.axis[6 * r + k], body.speed + k
            H[at * size + column] = H[column * size + at] = dot(axis.linear, f) + dot(axis.angular, m)
        m = add(m, cross(sys.record[r].arm, f))
        row = body.parent - sys.bases


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
        n, at = speeds_of(kind_of(body, sys)), body.speed
        stop = sys.body[j + 1].speed if back > 0 else size
        for k in range(at + n, stop):
            H[k * size + k] = 1.0
            C[k] = 0.0
        for k in range(n):
            s, w = sys.axis[6 * r + k].linear, sys.axis[6 * r + k].angular
            C[at + k] = dot(s, f) + dot(w, m)
            force, torque = applied(A, B, D, s, w)
            fill_column(at + k, j, force, torque, sys, H)
        more_f, more_m = applied(A, B, D, record.drift, record.drift_turn)
        add_inertia(up, A, B, D, record.arm)
        add_bias(up, add(beta_f, more_f), add(beta_m, more_m), record.arm)
