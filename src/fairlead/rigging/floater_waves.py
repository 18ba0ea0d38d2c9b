"""Forces of the sea on floaters by coefficients: first order, and the slow drift of second order.

The crests of wave i reach a floater with e^{-iθ}, θ = k·x − ωt + phase (`sea.waves`), x its slow place or its rest:

    F = r Re Σ a X e^{-iθ},   F_drift = r² (mean + Σ_q λ_q |Σ u_q e^{-iθ}|²)

A quadratic transfer function a_i a_j T_ij is Hermitian and is taken by its largest eigenvalues λ and their vectors u;
Newman's approximation is that of rank two, λ = ±1. Both are sums over the waves, not over pairs of them.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.lanes import alike, common, lanes, step_of_lanes, total_of
from fairlead.algebra.trigonometry import sines_cosines
from fairlead.sea.waves import growth, phases


@kernel
def wave_place(k, hub, sys):
    """Where floater k meets the crests."""
    hull = sys.hull[k]
    if common(hull.phase_follows) == 0.0:
        return hull.rest[0], hull.rest[1]
    if math.isinf(common(hull.rate)):
        return hub.position[0], hub.position[1]
    return hull.rest[0] + sys.slow[k].place[0], hull.rest[1] + sys.slow[k].place[1]


@kernel
def excite(t, x, y, k, table, weight, sys):
    """Add `weight` times the first-order force of one of the tables of floater k."""
    count, first, reals = int(sys.sea.waves), int(sys.sea.wave_first), sys.reals
    start = sys.excitation.start + sys.floater[k].excitation + 12 * sys.wave_columns * table
    f0, f1, f2, f3, f4, f5 = alike(0.0), alike(0.0), alike(0.0), alike(0.0), alike(0.0), alike(0.0)
    n = sys.wave_columns
    for at in range(0, count, step_of_lanes(reals)):
        s, c = sines_cosines(phases(t, x, y, first + at, count, reals))
        i = start + at
        f0 += lanes(reals, i) * c + lanes(reals, i + n) * s
        f1 += lanes(reals, i + 2 * n) * c + lanes(reals, i + 3 * n) * s
        f2 += lanes(reals, i + 4 * n) * c + lanes(reals, i + 5 * n) * s
        f3 += lanes(reals, i + 6 * n) * c + lanes(reals, i + 7 * n) * s
        f4 += lanes(reals, i + 8 * n) * c + lanes(reals, i + 9 * n) * s
        f5 += lanes(reals, i + 10 * n) * c + lanes(reals, i + 11 * n) * s
    row, f = sys.freedom, 6 * k
    row[f].excitation += weight * total_of(f0, reals)
    row[f + 1].excitation += weight * total_of(f1, reals)
    row[f + 2].excitation += weight * total_of(f2, reals)
    row[f + 3].excitation += weight * total_of(f3, reals)
    row[f + 4].excitation += weight * total_of(f4, reals)
    row[f + 5].excitation += weight * total_of(f5, reals)


@kernel
def sum_drift(t, x, y, first_drift, last_drift, sys):
    """Σ u e^{-iθ} of the drift terms from `first_drift` up to `last_drift`."""
    count, first, reals, n = int(sys.sea.waves), int(sys.sea.wave_first), sys.reals, sys.wave_columns
    for q in range(first_drift, last_drift):
        sys.drift_sum[q].re = sys.drift_sum[q].im = 0.0
    for at in range(0, count, step_of_lanes(reals)):
        s, c = sines_cosines(phases(t, x, y, first + at, count, reals))
        for q in range(first_drift, last_drift):
            i = sys.drift_column.start + 2 * n * q + at
            re, im = lanes(reals, i), lanes(reals, i + n)
            sys.drift_sum[q].re += total_of(re * c + im * s, reals)
            sys.drift_sum[q].im += total_of(im * c - re * s, reals)


@kernel
def raise_waves(t, hubs, sys):
    """First-order and drift forces on all floaters at t, of headings at rest and in the axes of rest; of eight members
    of a pack together. `turn_waves` does the rest."""
    share, row = growth(t, sys.sea.wave_ramp)[0], sys.freedom
    for i in range(sys.freedoms):
        row[i].excitation = row[i].drift = 0.0
    if sys.sea.waves == 0.0:
        return
    for k in range(sys.floaters):
        of, f, mean = sys.floater[k], 6 * k, sys.hull[k].drift_mean
        x, y = wave_place(k, hubs[of.hub], sys)
        if of.headings == 1:
            excite(t, x, y, k, 0, share, sys)
        for i in range(6):
            row[f + i].drift = share * share * mean[i]
        if of.drift_last > of.drift_first:
            sum_drift(t, x, y, of.drift_first, of.drift_last, sys)
        for q in range(of.drift_first, of.drift_last):
            z = sys.drift_sum[q]
            row[sys.drift_of[q].freedom].drift += share * share * sys.drift[q].weight * (z.re * z.re + z.im * z.im)


@kernel
def turn_waves(t, k, hub, sys):
    """What waves do to floater k whose axes have turned: the force of its heading now, the drift in these axes."""
    hull, now, row, f, tables = sys.hull[k], sys.hull_now[k], sys.freedom, 6 * k, sys.floater[k].headings
    if hull.turns == 0.0 or sys.sea.waves == 0.0:
        return
    psi = math.atan2(now.sine, now.cosine) - hull.heading
    c, s = math.cos(psi), math.sin(psi)
    if tables > 1:
        share, _ = growth(t, sys.sea.wave_ramp)
        x, y = wave_place(k, hub, sys)
        place = min(max(math.atan2(s, c) / hull.heading_step + 0.5 * (tables - 1), 0.0), tables - 1.0)
        table = min(int(place), tables - 2)
        excite(t, x, y, k, table, share * (table + 1.0 - place), sys)
        excite(t, x, y, k, table + 1, share * (place - table), sys)
    for i in range(f, f + 6, 3):
        one, two = row[i].drift, row[i + 1].drift
        row[i].drift, row[i + 1].drift = c * one + s * two, c * two - s * one
