"""Accelerations in O(n): the articulated-body algorithm (Featherstone), for joints of any number of axes.

From the tips inward each body leaves to its parent the inertia and bias it has when its own joint is free,

    U = I S,  K = Sᵀ U + G,  I ← I − U K⁻¹ Uᵀ,  β ← β + I γ + U K⁻¹ (τ − Sᵀ β),

and outward q̈ = K⁻¹ (τ − Sᵀ β − Uᵀ (X a_p + γ)). G is what springs and dampers of the joint add when they are taken
implicitly over a step: h c + h² k, on the joint's own axes only, which keeps the algorithm linear in n.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, add_scaled, cross, dot, scale, subtract

from .arrays import (
    ACCELERATION, ARM, AT_V, AXES, BIAS, DRIFT, DRIVE, GAIN, KIND, N_BASES, N_BODIES, PARENT, PIVOT, W_STIFF,
    W_TORQUE, Y_V, body_at, put, record_at, vector_of,
)  # fmt: skip
from .joints import kind_of, speeds_of
from .spatial import add_bias, add_inertia, applied, inertia_of

OK, SINGULAR = 0, 1


@kernel
def eliminate(record, up, n, torque, stiff, work):
    """Take the n axes of a body out of its inertia and bias and hand the rest to its parent; False when singular.

    Keeps W = L⁻¹ Uᵀ in GAIN, L of K = L Lᵀ in PIVOT and z = L⁻¹ (τ − Sᵀ β) in DRIVE.
    """
    A, B, D = inertia_of(work, record)
    f, m = vector_of(work, record + BIAS), vector_of(work, record + BIAS + 3)
    linear, angular = vector_of(work, record + DRIFT), vector_of(work, record + DRIFT + 3)
    for k in range(n):
        axis = record + AXES + 6 * k
        s, w = vector_of(work, axis), vector_of(work, axis + 3)
        u, x = applied(A, B, D, s, w)
        drive = work[torque + k] - dot(s, f) - dot(w, m)
        for i in range(k):
            other = record + AXES + 6 * i
            work[record + PIVOT + 6 * k + i] = dot(vector_of(work, other), u) + dot(vector_of(work, other + 3), x)
        pivot = dot(s, u) + dot(w, x) + work[stiff + k]
        whole = pivot
        for i in range(k):
            c = work[record + PIVOT + 6 * k + i]
            for l in range(i):
                c -= work[record + PIVOT + 6 * k + l] * work[record + PIVOT + 6 * i + l]
            c /= work[record + PIVOT + 6 * i + i]
            work[record + PIVOT + 6 * k + i] = c
            pivot -= c * c
            gain = record + GAIN + 6 * i
            u = add_scaled(u, -c, vector_of(work, gain))
            x = add_scaled(x, -c, vector_of(work, gain + 3))
            drive -= c * work[record + DRIVE + i]
        if not pivot > 1e-14 * whole:
            return False
        root = math.sqrt(pivot)
        work[record + PIVOT + 7 * k] = root
        u, x = scale(1.0 / root, u), scale(1.0 / root, x)
        put(work, record + GAIN + 6 * k, u)
        put(work, record + GAIN + 6 * k + 3, x)
        work[record + DRIVE + k] = drive / root
    a = (A[0], A[1], A[2], A[3], A[4], A[5])
    b, d = B, D
    for k in range(n):
        u, x = vector_of(work, record + GAIN + 6 * k), vector_of(work, record + GAIN + 6 * k + 3)
        a = (
            a[0] - u[0] * u[0], a[1] - u[0] * u[1], a[2] - u[0] * u[2],
            a[3] - u[1] * u[1], a[4] - u[1] * u[2], a[5] - u[2] * u[2],
        )  # fmt: skip
        b = (
            b[0] - u[0] * x[0], b[1] - u[0] * x[1], b[2] - u[0] * x[2],
            b[3] - u[1] * x[0], b[4] - u[1] * x[1], b[5] - u[1] * x[2],
            b[6] - u[2] * x[0], b[7] - u[2] * x[1], b[8] - u[2] * x[2],
        )  # fmt: skip
        d = (
            d[0] - x[0] * x[0], d[1] - x[0] * x[1], d[2] - x[0] * x[2],
            d[3] - x[1] * x[1], d[4] - x[1] * x[2], d[5] - x[2] * x[2],
        )  # fmt: skip
        drive = work[record + DRIVE + k]
        f, m = add_scaled(f, drive, u), add_scaled(m, drive, x)
    more_f, more_m = applied(a, b, d, linear, angular)
    r = vector_of(work, record + ARM)
    add_inertia(work, up, a, b, d, r)
    add_bias(work, up, add(f, more_f), add(m, more_m), r)
    return True


@kernel
def carry_on(record, up, work):
    """X a_p + γ: how a body would accelerate with its parent alone."""
    linear, alpha = vector_of(work, up + ACCELERATION), vector_of(work, up + ACCELERATION + 3)
    linear = add(add(linear, cross(alpha, vector_of(work, record + ARM))), vector_of(work, record + DRIFT))
    return linear, add(alpha, vector_of(work, record + DRIFT + 3))


@kernel
def substitute(record, up, n, speeds, rates, work):
    """Accelerations of a body's n axes into `rates` from `speeds` on, and of the body itself."""
    a, alpha = carry_on(record, up, work)
    for k in range(n):
        gain = record + GAIN + 6 * k
        rates[speeds + k] = (
            work[record + DRIVE + k] - dot(vector_of(work, gain), a) - dot(vector_of(work, gain + 3), alpha)
        )
    for back in range(n):
        k = n - 1 - back
        value = rates[speeds + k]
        for i in range(k + 1, n):
            value -= work[record + PIVOT + 6 * i + k] * rates[speeds + i]
        rates[speeds + k] = value / work[record + PIVOT + 7 * k]
    for k in range(n):
        axis = record + AXES + 6 * k
        a = add_scaled(a, rates[speeds + k], vector_of(work, axis))
        alpha = add_scaled(alpha, rates[speeds + k], vector_of(work, axis + 3))
    put(work, record + ACCELERATION, a)
    put(work, record + ACCELERATION + 3, alpha)


@kernel
def articulated(ints, y, work, rates, first):
    """Joint accelerations into `rates` from `first` on; inertias, biases, torques and G are in `work`.

    Returns a status; the body at fault is left in work[1]. The bias and inertia that arrive at a base are left in its
    record: the tree pushes it with −(β + I a).
    """
    for back in range(ints[N_BODIES]):
        j = ints[N_BODIES] - 1 - back
        body = body_at(ints, j)
        n = speeds_of(kind_of(ints, y, body))
        at = ints[body + AT_V] - ints[Y_V]
        record, up = record_at(ints, ints[N_BASES] + j), record_at(ints, ints[body + PARENT])
        if not eliminate(record, up, n, ints[W_TORQUE] + at, ints[W_STIFF] + at, work):
            work[1] = j
            return SINGULAR
    for j in range(ints[N_BODIES]):
        body = body_at(ints, j)
        kind = kind_of(ints, y, body)
        at = ints[body + AT_V] - ints[Y_V]
        record, up = record_at(ints, ints[N_BASES] + j), record_at(ints, ints[body + PARENT])
        substitute(record, up, speeds_of(kind), first + at, rates, work)
        for k in range(speeds_of(kind), speeds_of(ints[body + KIND])):
            rates[first + at + k] = 0.0
    return OK


@kernel
def reaction(record, work):
    """Force and torque about its origin with which the tree acts on a base or body, after `articulated`."""
    A, B, D = inertia_of(work, record)
    f, m = applied(A, B, D, vector_of(work, record + ACCELERATION), vector_of(work, record + ACCELERATION + 3))
    return (
        scale(-1.0, add(f, vector_of(work, record + BIAS))),
        subtract(scale(-1.0, m), vector_of(work, record + BIAS + 3)),
    )
