"""One joint between two bodies 1 and 2: three position rows and, where there is stiffness, three rotation rows.

Position rows: C = p₂ − p₁ (global). Rotation rows: C = 2u in the frame of body 1, (s, u) = q₁⁻¹∘q₂ with s ≥ 0.
The multiplier λ = G·C̈ + D·Ċ + K·C is the force (moment) on body 1 towards body 2. Its part without the unknown
accelerations is the bias β.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import relative
from fairlead.algebra.small import cross, dot, subtract


@kernel
def position_bias(row, place1, velocity1, known1, place2, velocity2, known2):
    """β, Ċ and the known part of C̈ of the position rows; `known` is each end's acceleration without unknowns."""
    rate = subtract(velocity2, velocity1)
    known = subtract(known2, known1)
    gap = subtract(place2, place1)
    g, d, k = row[0], row[1], row[2]
    bias = (
        g * known[0] + d * rate[0] + k * gap[0],
        g * known[1] + d * rate[1] + k * gap[1],
        g * known[2] + d * rate[2] + k * gap[2],
    )
    return bias, rate, known


@kernel
def rotation_bias(row, q1, w1, turning1, q2, w2, turning2):
    """Relative quaternion (s, u), β, Ċ and the known part of C̈ of the rotation rows (bending x, y; torsion z).

    Ċ = s(w₂−w₁) + u×(w₂+w₁); J̇ part: ṡ(w₂−w₁) + ½Ċ×(w₂+w₁), ṡ = −½u·(w₂−w₁). `turning` is the angular acceleration
    of a body whose motion is known; it enters as w does in Ċ.
    """
    r = relative(q1, q2)
    s = r[0]
    u = (r[1], r[2], r[3])
    difference = (w2[0] - w1[0], w2[1] - w1[1], w2[2] - w1[2])
    total = (w2[0] + w1[0], w2[1] + w1[1], w2[2] + w1[2])
    c = cross(u, total)
    rate = (s * difference[0] + c[0], s * difference[1] + c[1], s * difference[2] + c[2])
    sdot = -0.5 * dot(u, difference)
    c = cross(rate, total)
    given = cross(u, (turning2[0] + turning1[0], turning2[1] + turning1[1], turning2[2] + turning1[2]))
    known = (
        sdot * difference[0] + 0.5 * c[0] + s * (turning2[0] - turning1[0]) + given[0],
        sdot * difference[1] + 0.5 * c[1] + s * (turning2[1] - turning1[1]) + given[1],
        sdot * difference[2] + 0.5 * c[2] + s * (turning2[2] - turning1[2]) + given[2],
    )
    gb, db, kb, gt, dt, kt = row[3], row[4], row[5], row[6], row[7], row[8]
    bias = (
        gb * known[0] + db * rate[0] + kb * 2.0 * u[0],
        gb * known[1] + db * rate[1] + kb * 2.0 * u[1],
        gt * known[2] + dt * rate[2] + kt * 2.0 * u[2],
    )
    return r, bias, rate, known


@kernel
def turn_of_first(r):
    """s·1 − S(u): −∂Ċ/∂w₁, nine numbers."""
    s, x, y, z = r
    return (s, z, -y, -z, s, x, y, -x, s)


@kernel
def turn_of_second(r):
    """s·1 + S(u): ∂Ċ/∂w₂, nine numbers."""
    s, x, y, z = r
    return (s, -z, y, z, s, -x, -y, x, s)
