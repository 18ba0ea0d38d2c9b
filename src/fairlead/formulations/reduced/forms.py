"""Tension of reduced cables: s_a = (zᵀA_a z − c_a)/2 with its gradient A_a z, and small dense systems."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel

from .runs import clear, gain, gain_columns, product


@kernel
def factor(n, at, work):
    """A ← its factors LU, n × n from `at` in work: no pivoting (they are nearly positive). False when singular."""
    for k in range(n):
        row = at + k * n
        pivot = work[row + k]
        if not abs(pivot) > 0.0:
            return False
        inverse = 1.0 / pivot
        for i in range(k + 1, n):
            below = at + i * n
            f = work[below + k] * inverse
            work[below + k] = f
            gain(work, below + k + 1, -f, work, row + k + 1, n - k - 1)
    return True


@kernel
def substitute(n, at, b, work):
    """b ← A⁻¹b from `b` in work, with the factors of A at `at`."""
    for i in range(1, n):
        work[b + i] -= product(work, at + i * n, work, b, i)
    for i in range(n - 1, -1, -1):
        row = at + i * n
        work[b + i] = (work[b + i] - product(work, row + i + 1, work, b + i + 1, n - i - 1)) / work[row + i]


@kernel
def gradients(z, to, strains, sys):
    """A_a z of all tension modes (p × m) into work from `to`, s_a (p) from `strains`."""
    m, p, work = sys.state, sys.tensions, sys.work
    clear(work, to, p * m)
    gain_columns(work, to, work, z, m, sys.reals, sys.form.start, p * m)
    for a in range(p):
        work[strains + a] = 0.5 * (product(work, to + a * m, work, z, m) - sys.shift[a].value)
