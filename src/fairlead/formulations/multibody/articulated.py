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

from .joints import kind_of, speeds_of
from .spatial import add_bias, add_inertia, applied

OK, SINGULAR = 0, 1


@kernel
def eliminate(r, up, n, at, sys):
    """Take the n axes of record r out of its inertia and bias and hand the rest to its parent; False when singular.

    `at` is the first of its speeds. Keeps W = L⁻¹ Uᵀ as gain, L of K = L Lᵀ as pivot and z = L⁻¹ (τ − Sᵀ β) as drive.
    """
    record = sys.record[r]
    A, B, D = record.A, record.B, record.D
    f, m = record.bias, record.bias_turn
    for k in range(n):
        s, w = sys.axis[6 * r + k].linear, sys.axis[6 * r + k].angular
        row = 36 * r + 6 * k
        u, x = applied(A, B, D, s, w)
        drive = sys.effort[at + k].torque - dot(s, f) - dot(w, m)
        for i in range(k):
            other = sys.axis[6 * r + i]
            sys.pivot[row + i].number = dot(other.linear, u) + dot(other.angular, x)
        pivot = dot(s, u) + dot(w, x) + sys.effort[at + k].stiff
        whole = pivot
        for i in range(k):
            c = sys.pivot[row + i].number
            for l in range(i):
                c -= sys.pivot[row + l].number * sys.pivot[36 * r + 6 * i + l].number
            c /= sys.pivot[36 * r + 7 * i].number
            sys.pivot[row + i].number = c
            pivot -= c * c
            gain = sys.gain[6 * r + i]
            u, x = add_scaled(u, -c, gain.linear), add_scaled(x, -c, gain.angular)
            drive -= c * sys.drive[6 * r + i].number
        if not pivot > 1e-14 * whole:
            return False
        root = math.sqrt(pivot)
        sys.pivot[row + k].number = root
        gain = sys.gain[6 * r + k]
        gain.linear, gain.angular = scale(1.0 / root, u), scale(1.0 / root, x)
        sys.drive[6 * r + k].number = drive / root
    a = (A[0], A[1], A[2], A[3], A[4], A[5])
    b, d = B, D
    for k in range(n):
        u, x = sys.gain[6 * r + k].linear, sys.gain[6 * r + k].angular
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
        drive = sys.drive[6 * r + k].number
        f, m = add_scaled(f, drive, u), add_scaled(m, drive, x)
    more_f, more_m = applied(a, b, d, record.drift, record.drift_turn)
    add_inertia(up, a, b, d, record.arm)
    add_bias(up, add(f, more_f), add(m, more_m), record.arm)
    return True


@kernel
def carry_on(record, up):
    """X a_p + γ: how a body would accelerate with its parent alone."""
    linear = add(add(up.acceleration, cross(up.alpha, record.arm)), record.drift)
    return linear, add(up.alpha, record.drift_turn)


@kernel
def substitute(r, up, n, speeds, rates, sys):
    """Accelerations of the n axes of record r into `rates` from `speeds` on, and of the body itself."""
    record = sys.record[r]
    a, alpha = carry_on(record, up)
    for k in range(n):
        gain = sys.gain[6 * r + k]
        rates[speeds + k] = sys.drive[6 * r + k].number - dot(gain.linear, a) - dot(gain.angular, alpha)
    for back in range(n):
        k = n - 1 - back
        value = rates[speeds + k]
        for i in range(k + 1, n):
            value -= sys.pivot[36 * r + 6 * i + k].number * rates[speeds + i]
        rates[speeds + k] = value / sys.pivot[36 * r + 7 * k].number
    for k in range(n):
        axis = sys.axis[6 * r + k]
        a = add_scaled(a, rates[speeds + k], axis.linear)
        alpha = add_scaled(alpha, rates[speeds + k], axis.angular)
    record.acceleration, record.alpha = a, alpha


@kernel
def articulated(sys, rates, first):
    """Joint accelerations into `rates` from `first` on; inertias, biases, torques and G are in `work`.

    Returns a status; the body at fault is kept. The bias and inertia that arrive at a base are left in its record: the
    tree pushes it with −(β + I a).
    """
    for back in range(sys.bodies):
        j = sys.bodies - 1 - back
        body = sys.body[j]
        if not eliminate(sys.bases + j, sys.record[body.parent], speeds_of(kind_of(body, sys)), body.speed, sys):
            sys.fault.place = j
            return SINGULAR
    for j in range(sys.bodies):
        body = sys.body[j]
        n, at = speeds_of(kind_of(body, sys)), first + body.speed
        substitute(sys.bases + j, sys.record[body.parent], n, at, rates, sys)
        for k in range(n, speeds_of(body.kind)):
            rates[at + k] = 0.0
    return OK


@kernel
def reaction(record):
    """Force and torque about its origin with which the tree acts on a base or body, after `articulated`."""
    f, m = applied(record.A, record.B, record.D, record.acceleration, record.alpha)
    return scale(-1.0, add(f, record.bias)), subtract(scale(-1.0, m), record.bias_turn)
