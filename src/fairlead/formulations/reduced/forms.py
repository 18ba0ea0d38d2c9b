"""Tension of a reduced cable: s_a = (zᵀA_a z − c_a)/2, its gradient A_a z, and the dense solve of a step."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel

from .arrays import MODES, R_FORMS, R_SHIFTS, TENSIONS, W_REST, W_REST_STRAIN, gain, product


@kernel
def dense_solve(n, matrix, b, work):
    """b ← A⁻¹b, A n × n from `matrix` in work, b from `b`: elimination with partial pivoting. False when singular."""
    for k in range(n):
        pivot, most = k, abs(work[matrix + k * n + k])
        for i in range(k + 1, n):
            size = abs(work[matrix + i * n + k])
            if size > most:
                pivot, most = i, size
        if not most > 0.0:
            return False
        row = matrix + k * n
        if pivot != k:
            for j in range(k, n):
                other = matrix + pivot * n + j
                work[row + j], work[other] = work[other], work[row + j]
            work[b + k], work[b + pivot] = work[b + pivot], work[b + k]
        inverse = 1.0 / work[row + k]
        for i in range(k + 1, n):
            at = matrix + i * n
            f = -work[at + k] * inverse
            if f != 0.0:
                gain(work, at + k + 1, f, work, row + k + 1, n - k - 1)
                work[b + i] += f * work[b + k]
    for k in range(n - 1, -1, -1):
        row = matrix + k * n
        work[b + k] -= product(work, row + k + 1, work, b + k + 1, n - k - 1)
        work[b + k] /= work[row + k]
    return True


@kernel
def gradients(z, to, strains, ints, reals, work):
    """A_a z of all tension modes (p × m) into work from `to`, s_a (p) from `strains`."""
    m = ints[MODES] + 7
    for a in range(ints[TENSIONS]):
        form, at = ints[R_FORMS] + a * m * m, to + a * m
        for i in range(m):
            work[at + i] = 0.0
        for j in range(m):  # by columns, which are rows since the form is symmetric
            gain(work, at, work[z + j], reals, form + j * m, m)
        work[strains + a] = 0.5 * (product(work, at, work, z, m) - reals[ints[R_SHIFTS] + a])


@kernel
def rest_parts(z, ints, reals, work):
    """A_a z of ends and mean alone (p × m) and what they do to the strains (p): both stay during a step."""
    k = ints[MODES]
    m = k + 7
    for a in range(ints[TENSIONS]):
        form, at = ints[R_FORMS] + a * m * m, ints[W_REST] + a * m
        for i in range(m):
            work[at + i] = 0.0
        for j in range(k, m):
            gain(work, at, work[z + j], reals, form + j * m, m)
        total = product(work, at + k, work, z + k, 7) - reals[ints[R_SHIFTS] + a]
        work[ints[W_REST_STRAIN] + a] = 0.5 * total
