"""Own inertia and bias of the bodies, before the tree is swept."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import cross, matsym, matvec, scale, subtract, symmetric_product, symvec

from .arrays import (
    ARTICULATED, BIAS, CENTRE, INERTIA, MASS, N_BASES, N_BODIES, ROTATION, SPIN, ZERO3, constants_at, matrix_of,
    record_at, symmetric_of, vector_of,
)  # fmt: skip
from .spatial import add_bias, add_inertia

ZERO9 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def clear(ints, work):
    """Empty inertia and bias of all bases and bodies."""
    for r in range(ints[N_BASES] + ints[N_BODIES]):
        at = record_at(ints, r)
        for k in range(ARTICULATED, BIAS + 6):
            work[at + k] = 0.0


@kernel
def turned_symmetric(R, s):
    """R S Rᵀ of a symmetric matrix."""
    return symmetric_product(matsym(R, s), R)


@kernel
def add_mass_at(work, record, A, force, w, c):
    """Add a mass A (symmetric, kg) under a force, c away from a body's origin.

    It accelerates by a + α × c + w × (w × c) and has no moment of inertia of its own.
    """
    if c[0] == 0.0 and c[1] == 0.0 and c[2] == 0.0:
        at = record + ARTICULATED
        for k in range(6):
            work[at + k] += A[k]
        for k in range(3):
            work[record + BIAS + k] -= force[k]
        return
    add_inertia(work, record, A, ZERO9, ZERO6, c)
    add_bias(work, record, subtract(symvec(A, cross(w, cross(w, c))), force), ZERO3, c)


@kernel
def add_dry(j, ints, reals, work):
    """Add body j's own dry mass: m at its centre c, moments of inertia J about it.

    β = (m ω × (ω × c), ω × J ω) about the centre; weight comes with the loads. A point mass has no J.
    """
    const = constants_at(ints, j)
    mass = reals[const + MASS]
    if mass == 0.0:
        return
    record = record_at(ints, ints[N_BASES] + j)
    R, w = matrix_of(work, record + ROTATION), vector_of(work, record + SPIN)
    c = matvec(R, vector_of(reals, const + CENTRE))
    if reals[const + INERTIA] + reals[const + INERTIA + 3] + reals[const + INERTIA + 5] == 0.0:
        add_mass_at(work, record, (mass, 0.0, 0.0, mass, 0.0, mass), ZERO3, w, c)
        return
    J = turned_symmetric(R, symmetric_of(reals, const + INERTIA))
    add_inertia(work, record, (mass, 0.0, 0.0, mass, 0.0, mass), ZERO9, J, c)
    add_bias(work, record, scale(mass, cross(w, cross(w, c))), cross(w, symvec(J, w)), c)


@kernel
def push_at(work, record, force, torque, c):
    """A force c away from a body's origin, and a torque."""
    add_bias(work, record, scale(-1.0, force), scale(-1.0, torque), c)
