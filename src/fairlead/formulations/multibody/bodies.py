"""Own inertia and bias of the bodies, before the tree is swept."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import (
    ZERO3, ZERO6, ZERO9, cross, matsym, matvec, scale, subtract, symadd, symmetric_product, symvec,
)  # fmt: skip

from .spatial import add_bias, add_inertia


@kernel
def clear(sys):
    """Empty inertia and bias of all bases and bodies."""
    for r in range(sys.records):
        record = sys.record[r]
        record.A, record.B, record.D, record.bias, record.bias_turn = ZERO6, ZERO9, ZERO6, ZERO3, ZERO3


@kernel
def turned_symmetric(R, s):
    """R S Rᵀ of a symmetric matrix."""
    return symmetric_product(matsym(R, s), R)


@kernel
def add_mass_at(record, A, force, w, c):
    """Add a mass A (symmetric, kg) under a force, c away from a body's origin.

    It accelerates by a + α × c + w × (w × c) and has no moment of inertia of its own.
    """
    if c[0] == 0.0 and c[1] == 0.0 and c[2] == 0.0:
        record.A, record.bias = symadd(record.A, A), subtract(record.bias, force)
        return
    add_inertia(record, A, ZERO9, ZERO6, c)
    add_bias(record, subtract(symvec(A, cross(w, cross(w, c))), force), ZERO3, c)


@kernel
def placed(i, sys):
    """Record, centre of mass from the tree's origin of it (global) and spin of solid i."""
    record = sys.record[sys.solid[i].record]
    return record, matvec(record.rotation, sys.hull[i].place), record.spin


@kernel
def add_dry(j, sys):
    """Add body j's own dry mass: m at its centre c, moments of inertia J about it.

    β = (m ω × (ω × c), ω × J ω) about the centre; weight comes with the loads. A point mass has no J.
    """
    const = sys.joint[j]
    mass = const.mass
    if mass == 0.0:
        return
    record = sys.record[sys.bases + j]
    R, w = record.rotation, record.spin
    c = matvec(R, const.centre)
    if const.inertia[0] + const.inertia[3] + const.inertia[5] == 0.0:
        add_mass_at(record, (mass, 0.0, 0.0, mass, 0.0, mass), ZERO3, w, c)
        return
    J = turned_symmetric(R, const.inertia)
    add_inertia(record, (mass, 0.0, 0.0, mass, 0.0, mass), ZERO9, J, c)
    add_bias(record, scale(mass, cross(w, cross(w, c))), cross(w, symvec(J, w)), c)


@kernel
def push_at(record, force, torque, c):
    """A force c away from a body's origin, and a torque."""
    add_bias(record, scale(-1.0, force), scale(-1.0, torque), c)
