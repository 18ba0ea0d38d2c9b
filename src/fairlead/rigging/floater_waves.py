"""Forces of the sea on floaters by coefficients: first order, and the slow drift of second order.

The crests of wave i reach a floater with e^{-iθ}, θ = k·x − ωt + phase (`sea.waves`), x its slow place or its rest:

    F = r Re Σ a X e^{-iθ},   F_drift = r² (mean + Σ_q λ_q |Σ u_q e^{-iθ}|²)

A quadratic transfer function a_i a_j T_ij is Hermitian and is taken by its largest eigenvalues λ and their vectors u;
Newman's approximation is that of rank two, λ = ±1. Both are sums over the waves, not over pairs of them.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.lanes import WIDTH, alike, lanes, total
from fairlead.algebra.trigonometry import sines_cosines
from fairlead.sea.waves import growth, phases


@kernel
def wave_place(k, hub, sys):
    """Where floater k meets the crests."""
    hull = sys.hull[k]
    if hull.phase_follows == 0.0:
        return hull.rest[0], hull.rest[1]
    if math.isinf(hull.rate):
        return hub.position[0], hub.position[1]
    return hull.rest[0] + sys.slow[k].place[0], hull.rest[1] + sys.slow[k].place[1]


@kernel
def excite(t, x, y, k, table, weight, sys):
    """Add `weight` times the first-order force of one of the tables of floater k."""
    count, first, reals = int(sys.sea.waves), int(sys.sea.wave_first), sys.reals
    start = sys.excitation.start + sys.floater[k].excitation + 12 * sys.wave_columns * table
    f0, f1, f2, f3, f4, f5 = alike(0.0), alike(0.0), alike(0.0), alike(0.0), alike(0.0), alike(0.0)
    n = sys.wave_columns
    for at in range(0, count, WIDTH):
        s, c = sines_cosines(phases(t, x, y, first + at, count, reals))
        i = start + at
        f0 += lanes(reals, i) * c + lanes(reals, i + n) * s
        f1 += lanes(reals, i + 2 * n) * c + lanes(reals, i + 3 * n) * s
        f2 += lanes(reals, i + 4 * n) * c + lanes(reals, i + 5 * n) * s
        f3 += lanes(reals, i + 6 * n) * c + lanes(reals, i + 7 * n) * s
        f4 += lanes(reals, i + 8 * n) * c + lanes(reals, i + 9 * n) * s
        f5 += lanes(reals, i + 10 * n) * c + lanes(reals, i + 11 * n) * s
    row, f = sys.freedom, 6 * k
    row[f].excitation += weight * total(f0)
    row[f + 1].excitation += weight * total(f1)
    row[f + 2].excitation += weight * total(f2)
    row[f + 3].excitation += weight * total(f3)
    row[f + 4].excitation += weight * total(f4)
    row[f + 5].excitation += weight * total(f5)


@kernel
def sum_drift(t, x, y, first_drift, last_drift, sys):
    """Σ u e^{-iθ} of the drift terms from `first_drift` up to `last_drift`."""
    count, first, reals, n = int(sys.sea.waves), int(sys.sea.wave_first), sys.reals, sys.wave_columns
    for q in range(first_drift, last_drift):
        sys.drift_sum[q].re = sys.drift_sum[q].im = 0.0
    for at in range(0, count, WIDTH):
        s, c = sines_cosines(phases(t, x, y, first + at, count, reals))
        for q in range(first_drift, last_drift):
            i = sys.drift_column.start + 2 * n * q + at
            re, im = lanes(reals, i), lanes(reals, i + n)
            sys.drift_sum[q].re += total(re * c + im * s)
            sys.drift_sum[q].im += total(im * c - re * s)


@kernel
def waves_on(t, k, hub, sys):
    """First-order and drift forces on floater k; the latter are those of the headings at rest, in its axes."""
    if sys.sea.waves == 0.0:
        return
    hull, now, row, f = sys.hull[k], sys.hull_now[k], sys.freedom, 6 * k
    share, _ = growth(t, sys.sea.wave_ramp)
    x, y = wave_place(k, hub, sys)
    psi = math.atan2(now.sine, now.cosine) - hull.heading
    psi = math.atan2(math.sin(psi), math.cos(psi))
    tables = sys.floater[k].headings
    if tables == 1:
        excite(t, x, y, k, 0, share, sys)
    elif tables > 1:
        place = min(max(psi / hull.heading_step + 0.5 * (tables - 1), 0.0), tables - 1.0)
        table = min(int(place), tables - 2)
        excite(t, x, y, k, table, share * (table + 1.0 - place), sys)
        excite(t, x, y, k, table + 1, share * (place - table), sys)
    first, last = sys.floater[k].drift_first, sys.floater[k].drift_last
    mean = hull.drift_mean
    for i in range(6):
        row[f + i].drift = share * share * mean[i]
    if last > first:
        sum_drift(t, x, y, first, last, sys)
        for q in range(first, last):
            z = sys.drift_sum[q]
            row[sys.drift_of[q].freedom].drift += share * share * sys.drift[q].weight * (z.re * z.re + z.im * z.im)
    if hull.turns > 0.0:
        c, s = math.cos(psi), math.sin(psi)
        for i in range(f, f + 6, 3):
            one, two = row[i].drift, row[i + 1].drift
            row[i].drift, row[i + 1].drift = c * one + s * two, c * two - s * one
