"""Spatial inertia in global axes: a symmetric 6×6 matrix [[A, B], [Bᵀ, D]], linear before angular.

It maps the acceleration (a of the body's origin, α) to the force f = A a + B α and the torque about that origin
n = Bᵀ a + D α. Accelerations are the classical ones (second derivatives of positions), not Featherstone's spatial ones:
in global axes a point mass then has no velocity term at all, and a transform between two origins is a shift by the arm
between them. γ and β must be of the same kind: mixing the two leaves errors of the order ω v.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, cross, matadd, matvec, symadd, symvec, transposed_matvec


@kernel
def applied(A, B, D, a, alpha):
    """Force and torque for an acceleration."""
    return add(symvec(A, a), matvec(B, alpha)), add(transposed_matvec(B, a), symvec(D, alpha))


@kernel
def crossed_rows(m, r):
    """M S(r) for a general matrix M: each row m becomes r-crossed, (m S(r)) = −(r × m)ᵀ … m × r."""
    return (
        m[1] * r[2] - m[2] * r[1], m[2] * r[0] - m[0] * r[2], m[0] * r[1] - m[1] * r[0],
        m[4] * r[2] - m[5] * r[1], m[5] * r[0] - m[3] * r[2], m[3] * r[1] - m[4] * r[0],
        m[7] * r[2] - m[8] * r[1], m[8] * r[0] - m[6] * r[2], m[6] * r[1] - m[7] * r[0],
    )  # fmt: skip


@kernel
def add_inertia(record, A, B, D, r):
    """Add an inertia whose origin is r away from the record's: A, B − A S(r), D + S(r)(B − A S(r)) − Bᵀ S(r)."""
    full = (A[0], A[1], A[2], A[1], A[3], A[4], A[2], A[4], A[5])
    shift = crossed_rows(full, r)
    b = (
        B[0] - shift[0], B[1] - shift[1], B[2] - shift[2], B[3] - shift[3], B[4] - shift[4], B[5] - shift[5],
        B[6] - shift[6], B[7] - shift[7], B[8] - shift[8],
    )  # fmt: skip
    # columns of S(r) b are r × (column); rows of Bᵀ S(r) are (column of B) × r
    x = cross(r, (b[0], b[3], b[6]))
    y = cross(r, (b[1], b[4], b[7]))
    z = cross(r, (b[2], b[5], b[8]))
    u = cross((B[0], B[3], B[6]), r)
    v = cross((B[1], B[4], B[7]), r)
    w = cross((B[2], B[5], B[8]), r)
    d = (
        D[0] + x[0] - u[0], D[1] + y[0] - u[1], D[2] + z[0] - u[2], D[3] + y[1] - v[1], D[4] + z[1] - v[2],
        D[5] + z[2] - w[2],
    )  # fmt: skip
    record.A, record.B, record.D = symadd(record.A, A), matadd(record.B, b), symadd(record.D, d)


@kernel
def add_bias(record, f, n, r):
    """Add a force f and a torque n at an origin r away from the record's to its bias."""
    m = add(n, cross(r, f))
    record.bias, record.bias_turn = add(record.bias, f), add(record.bias_turn, m)
