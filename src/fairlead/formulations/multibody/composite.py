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

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, cross, dot, scale, subtract, symvec, transposed_matvec

from .arrays import (
    ACCELERATION, ARM, AT_Q, AT_V, AXES, BIAS, BODY_CABLE, CABLE, CABLE_ELEMENT, DRIFT, ELEMENT, KIND, N_BASES,
    N_BODIES, N_V, PARENT, W_STIFF, W_TORQUE, Y_V, body_at, cable_at, put, record_at, vector_of,
)  # fmt: skip
from .articulated import OK, SINGULAR, carry_on
from .joints import kind_of, speeds_of
from .spatial import add_bias, add_inertia, applied, inertia_of


@kernel
def put_pair(H, size, i, k, value):
    """Write an entry of a symmetric matrix, and its mirror."""
    H[i * size + k] = value
    H[k * size + i] = value


@kernel
def fill_column(column, row, f, m, ints, y, work, H):
    """Entries of one column of H for body `row` and all above it.

    f, m: force m^c S of the column and its torque about the origin of body `row`, handed up arm by arm.
    """
    size = ints[N_V]
    while row >= 0:
        body = body_at(ints, row)
        record = record_at(ints, ints[N_BASES] + row)
        at = ints[body + AT_V] - ints[Y_V]
        for k in range(speeds_of(kind_of(ints, y, body))):
            axis = record + AXES + 6 * k
            put_pair(H, size, at + k, column, dot(vector_of(work, axis), f) + dot(vector_of(work, axis + 3), m))
        m = add(m, cross(vector_of(work, record + ARM), f))
        row = ints[body + PARENT] - ints[N_BASES]


@kernel
def put_row(H, size, i, column, a, b, c):
    """Write three entries of a row of a symmetric matrix, and their mirrors."""
    put_pair(H, size, i, column, a)
    put_pair(H, size, i, column + 1, b)
    put_pair(H, size, i, column + 2, c)


@kernel
def fill_three(column, row, f0, m0, f1, m1, f2, m2, ints, y, work, H):
    """The same for the three columns of a cable element at once."""
    size = ints[N_V]
    while row >= 0:
        body = body_at(ints, row)
        kind = kind_of(ints, y, body)
        record = record_at(ints, ints[N_BASES] + row)
        at = ints[body + AT_V] - ints[Y_V]
        axes = record + AXES
        arm = vector_of(work, record + ARM)
        if kind == CABLE:
            t = vector_of(work, axes + 12)
            span = scale(y[ints[body + AT_Q] + 2], t)
            n0, n1, n2 = add(m0, cross(span, f0)), add(m1, cross(span, f1)), add(m2, cross(span, f2))
            s = vector_of(work, axes + 3)
            put_row(H, size, at, column, dot(s, n0), dot(s, n1), dot(s, n2))
            s = vector_of(work, axes + 9)
            put_row(H, size, at + 1, column, dot(s, n0), dot(s, n1), dot(s, n2))
            put_row(H, size, at + 2, column, dot(t, f0), dot(t, f1), dot(t, f2))
            arm = subtract(arm, span)  # what is left of the arm: where the cable is joined to a body
            m0, m1, m2 = n0, n1, n2
        else:
            for k in range(speeds_of(kind)):
                s, w = vector_of(work, axes + 6 * k), vector_of(work, axes + 6 * k + 3)
                put_row(
                    H, size, at + k, column, dot(s, f0) + dot(w, m0), dot(s, f1) + dot(w, m1), dot(s, f2) + dot(w, m2)
                )
        if ints[body + KIND] != CABLE or is_first(ints, body):
            m0, m1, m2 = add(m0, cross(arm, f0)), add(m1, cross(arm, f1)), add(m2, cross(arm, f2))
        row = ints[body + PARENT] - ints[N_BASES]


@kernel
def is_first(ints, body):
    """Whether an element is the first of its cable, the only one that may be joined beside its parent's origin."""
    c = ints[body + BODY_CABLE]
    return c < 0 or ints[body + ELEMENT] == ints[cable_at(ints, c) + CABLE_ELEMENT]


@kernel
def composite(ints, y, work, H, C):
    """H (size², row by row) and C (size) of the tree whose bodies are placed and loaded; joint torques are not in C.

    Axes of nodes on a drum get a unit diagonal and no bias.
    """
    size = ints[N_V]
    for i in range(size * size):
        H[i] = 0.0
    for j in range(ints[N_BODIES]):
        record, up = record_at(ints, ints[N_BASES] + j), record_at(ints, ints[body_at(ints, j) + PARENT])
        a, alpha = carry_on(record, up, work)
        put(work, record + ACCELERATION, a)
        put(work, record + ACCELERATION + 3, alpha)
    for back in range(ints[N_BODIES]):
        j = ints[N_BODIES] - 1 - back
        body = body_at(ints, j)
        record, up = record_at(ints, ints[N_BASES] + j), record_at(ints, ints[body + PARENT])
        A, B, D = inertia_of(work, record)
        beta_f, beta_m = vector_of(work, record + BIAS), vector_of(work, record + BIAS + 3)
        f, m = applied(A, B, D, vector_of(work, record + ACCELERATION), vector_of(work, record + ACCELERATION + 3))
        f, m = add(f, beta_f), add(m, beta_m)
        kind = kind_of(ints, y, body)
        n = speeds_of(kind)
        at = ints[body + AT_V] - ints[Y_V]
        stop = ints[body_at(ints, j + 1) + AT_V] - ints[Y_V] if back > 0 else size
        for k in range(at + n, stop):
            H[k * size + k] = 1.0
            C[k] = 0.0
        axes = record + AXES
        for k in range(n):
            s, w = vector_of(work, axes + 6 * k), vector_of(work, axes + 6 * k + 3)
            C[at + k] = dot(s, f) + dot(w, m)
            if kind != CABLE:
                force, torque = applied(A, B, D, s, w)
                fill_column(at + k, j, force, torque, ints, y, work, H)
        if kind == CABLE:
            f0, m0 = applied(A, B, D, vector_of(work, axes), vector_of(work, axes + 3))
            f1, m1 = applied(A, B, D, vector_of(work, axes + 6), vector_of(work, axes + 9))
            t = vector_of(work, axes + 12)
            fill_three(at, j, f0, m0, f1, m1, symvec(A, t), transposed_matvec(B, t), ints, y, work, H)
        r = vector_of(work, record + ARM)
        more_f, more_m = applied(A, B, D, vector_of(work, record + DRIFT), vector_of(work, record + DRIFT + 3))
        add_inertia(work, up, A, B, D, r)
        add_bias(work, up, add(beta_f, more_f), add(beta_m, more_m), r)


@kernel
def solve_dense(ints, work, H, C, rates, first):
    """q̈ of (H + G) q̈ = τ − C by Cholesky, into `rates` from `first` on; H is overwritten. Returns a status."""
    size = ints[N_V]
    for k in range(size):
        H[k * size + k] += work[ints[W_STIFF] + k]
        rates[first + k] = work[ints[W_TORQUE] + k] - C[k]
    for k in range(size):
        pivot = H[k * size + k]
        for i in range(k):
            pivot -= H[k * size + i] * H[k * size + i]
        if not pivot > 1e-14 * H[k * size + k]:
            return SINGULAR
        root = math.sqrt(pivot)
        H[k * size + k] = root
        for row in range(k + 1, size):
            value = H[row * size + k]
            for i in range(k):
                value -= H[row * size + i] * H[k * size + i]
            H[row * size + k] = value / root
    for k in range(size):
        for i in range(k):
            rates[first + k] -= H[k * size + i] * rates[first + i]
        rates[first + k] /= H[k * size + k]
    for back in range(size):
        k = size - 1 - back
        for i in range(k + 1, size):
            rates[first + k] -= H[i * size + k] * rates[first + i]
        rates[first + k] /= H[k * size + k]
    return OK
