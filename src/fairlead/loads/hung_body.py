"""A rigid body that hangs in one cable: a vehicle on its tether, a payload on its wire.

The cable ends at the offset o from the body's centre of mass. In the axes of the body, with the acceleration b of that
place, the angular acceleration α and S = [o]×, the centre accelerates by b + S α − k, k = w × (w × o), and

    m (b + S α − k) = f + F,      J α = τ + o × F

with the force F of the cable on the body, the other forces f and torques τ, and the masses m along its axes (added mass
differs between them). F is the cable's business: what it needs of the body is how F depends on b,

    F = P b − p,   P = m − m S W⁻¹ Sᵀ m,   p = g − m S W⁻¹ r,   W = J + Sᵀ m S,   g = f + m k,   r = τ + Sᵀ g,

a mass matrix and a force at its end; afterwards α = W⁻¹ (r − Sᵀ m b). All of it is exact and W is positive definite.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import (
    add,
    cross,
    dot,
    matvec,
    scale,
    subtract,
    symmetric_inverse,
    symvec,
    transposed_matvec,
)
from fairlead.loads.rigid_body import BODY_COLUMNS, rigid_body_loads

HUNG_OFFSET = BODY_COLUMNS
HUNG_COLUMNS = BODY_COLUMNS + 3
"""The record: that of a body (see `rigid_body`), then the offset of its cable (3)."""
KEPT_MASS, KEPT_INVERSE, KEPT_TURN, HUNG_KEPT = 0, 3, 9, 12
"""What is kept in scratch memory until the end's acceleration is known: m (3), W⁻¹ (6), r (3)."""


@kernel
def offset_of(reals, body):
    """Where the cable ends, in the axes of the body."""
    at = body + HUNG_OFFSET
    return (reals[at], reals[at + 1], reals[at + 2])


@kernel
def rotated(R, s):
    """R s Rᵀ of a symmetric matrix."""
    x, y, z = (R[0], R[1], R[2]), (R[3], R[4], R[5]), (R[6], R[7], R[8])
    sx, sy, sz = symvec(s, x), symvec(s, y), symvec(s, z)
    return (dot(x, sx), dot(x, sy), dot(x, sz), dot(y, sy), dot(y, sz), dot(z, sz))


@kernel
def hang(t, centre, R, velocity, w, force, torque, h, before, spin_before, reals, body, work, kept):
    """Mass matrix P (6) and force p (3) at the cable's end, both global, and the power of the water [W].

    centre, velocity   of the centre of mass, global; R: how the body is turned; w: its spin, body axes
    force, torque      of thrusters and other loads about the centre of mass: global [N], body axes [N m]
    h                  step over which drag is implicit [s]
    before, spin_before   accelerations (body axes) that `velocity` and `w` hold already, over h; zero at the beginning
    """
    mass, drag, inertia, damping, own, turn, power = rigid_body_loads(t, centre, R, velocity, w, reals, body)
    o = offset_of(reals, body)
    m = (mass[0] + h * drag[0], mass[1] + h * drag[1], mass[2] + h * drag[2])
    k = cross(w, cross(w, o))
    g = add(transposed_matvec(R, add(own, force)), (m[0] * k[0], m[1] * k[1], m[2] * k[2]))
    g = add(g, (h * drag[0] * before[0], h * drag[1] * before[1], h * drag[2] * before[2]))
    held = (h * damping[0] * spin_before[0], h * damping[1] * spin_before[1], h * damping[2] * spin_before[2])
    r = add(add(add(turn, torque), held), cross(g, o))
    inverse = symmetric_inverse((
        inertia[0] + h * damping[0] + m[1] * o[2] * o[2] + m[2] * o[1] * o[1], -m[2] * o[0] * o[1], -m[1] * o[0] * o[2],
        inertia[1] + h * damping[1] + m[0] * o[2] * o[2] + m[2] * o[0] * o[0], -m[0] * o[1] * o[2],
        inertia[2] + h * damping[2] + m[0] * o[1] * o[1] + m[1] * o[0] * o[0],
    ))  # fmt: skip
    # rows of m S
    a0, a1, a2 = scale(m[0], (0.0, -o[2], o[1])), scale(m[1], (o[2], 0.0, -o[0])), scale(m[2], (-o[1], o[0], 0.0))
    i0, i1, i2 = symvec(inverse, a0), symvec(inverse, a1), symvec(inverse, a2)
    P = (m[0] - dot(a0, i0), -dot(a0, i1), -dot(a0, i2), m[1] - dot(a1, i1), -dot(a1, i2), m[2] - dot(a2, i2))
    p = subtract(g, (dot(i0, r), dot(i1, r), dot(i2, r)))
    for i in range(3):
        work[kept + KEPT_MASS + i] = m[i]
        work[kept + KEPT_TURN + i] = r[i]
    for i in range(6):
        work[kept + KEPT_INVERSE + i] = inverse[i]
    return rotated(R, P), matvec(R, p), power


@kernel
def hung_accelerations(a, R, w, reals, body, work, kept):
    """Acceleration of the centre of mass (global) and of the spin (body axes), from that of the cable's end."""
    o, b = offset_of(reals, body), transposed_matvec(R, a)
    m, r = kept + KEPT_MASS, kept + KEPT_TURN
    pulled = cross((work[m] * b[0], work[m + 1] * b[1], work[m + 2] * b[2]), o)
    i = kept + KEPT_INVERSE
    inverse = (work[i], work[i + 1], work[i + 2], work[i + 3], work[i + 4], work[i + 5])
    spin = symvec(inverse, subtract((work[r], work[r + 1], work[r + 2]), pulled))
    return matvec(R, subtract(add(b, cross(o, spin)), cross(w, cross(w, o)))), spin


@kernel
def hung_place(centre, R, velocity, w, reals, body):
    """Place and velocity of the cable's end, global."""
    o = offset_of(reals, body)
    return add(centre, matvec(R, o)), add(velocity, matvec(R, cross(w, o)))
