"""One joint between two bodies 1 and 2: three position rows and, where there is stiffness, three rotation rows.

Position rows: C = p₂ − p₁ (global). Rotation rows: C = 2u in the frame of body 1, (s, u) = q₁⁻¹∘q₂ with s ≥ 0.
Without torsional stiffness what is measured is the swing alone, q₁⁻¹∘q₂ = swing∘twist: then C = 2u of the swing, and
neither C nor its rate knows how the bodies spin about their own axes.
The multiplier λ = G·C̈ + D·Ċ + K·C is the force (moment) on body 1 towards body 2. Its part without the unknown
accelerations is the bias β.

In the second-order step C is that of the middle of the step and Ċ that of its beginning: what a body turns in between
is taken off the rate J u of the middle, ½h J̇u.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.lanes import common, where
from fairlead.algebra.quaternion import relative
from fairlead.algebra.small import ZERO3, add_scaled, cross, dot


@inlined
def bias_of(row, gap, rate, known):
    """β of the position rows from C, Ċ and the known part of C̈, each end's acceleration without unknowns."""
    g, d, k = row[0], row[1], row[2]
    return (
        g * known[0] + d * rate[0] + k * gap[0],
        g * known[1] + d * rate[1] + k * gap[1],
        g * known[2] + d * rate[2] + k * gap[2],
    )


@inlined
def turned_before(j, row, sys):
    """What the rotation rows of joint j, with the gains `row`, remember of C̈ in the step before, in their bias."""
    if sys.turning == 0:
        return ZERO3
    past, memory = sys.turn_felt[j].parting, sys.scheme.joint_memory
    return (memory * row[5] * past[0], memory * row[5] * past[1], memory * row[8] * past[2])


@inlined
def is_untwisted(row):
    """Whether a joint has no torsion row."""
    return common(row[6]) == 0.0 and common(row[7]) == 0.0 and common(row[8]) == 0.0


@inlined
def rotation_bias(row, q1, w1, turning1, q2, w2, turning2, h, half):
    """Relative quaternion (s, u), β, Ċ and the known part of C̈ of the rotation rows (bending x, y; torsion z).

    Ċ = s(w₂−w₁) + u×(w₂+w₁); J̇ part: ṡ(w₂−w₁) + ½Ċ×(w₂+w₁), ṡ = −½u·(w₂−w₁). `turning` is the angular acceleration
    of a body whose motion is known; it enters as w does in Ċ. `half` is how long the bodies have drifted [s]. Beside
    the quaternion stand cosine and sine of the twist that was taken off, two zeros where torsion counts.
    """
    r = relative(q1, q2)
    if is_untwisted(row):
        return swing_bias(row, r, w1, turning1, w2, turning2, h, half)
    s = r[0]
    u = (r[1], r[2], r[3])
    difference = (w2[0] - w1[0], w2[1] - w1[1], w2[2] - w1[2])
    total = (w2[0] + w1[0], w2[1] + w1[1], w2[2] + w1[2])
    c = cross(u, total)
    rate = (s * difference[0] + c[0], s * difference[1] + c[1], s * difference[2] + c[2])
    sdot = -0.5 * dot(u, difference)
    c = cross(rate, total)
    given = cross(u, (turning2[0] + turning1[0], turning2[1] + turning1[1], turning2[2] + turning1[2]))
    own = (sdot * difference[0] + 0.5 * c[0], sdot * difference[1] + 0.5 * c[1], sdot * difference[2] + 0.5 * c[2])
    known = (
        own[0] + s * (turning2[0] - turning1[0]) + given[0], own[1] + s * (turning2[1] - turning1[1]) + given[1],
        own[2] + s * (turning2[2] - turning1[2]) + given[2],
    )  # fmt: skip
    rate = add_scaled(rate, -half, own)
    gb, db, kb, gt, dt, kt = row[3], row[4], row[5], row[6], row[7], row[8]
    bias = (
        gb * known[0] + db * rate[0] + kb * 2.0 * u[0],
        gb * known[1] + db * rate[1] + kb * 2.0 * u[1],
        gt * known[2] + dt * rate[2] + kt * 2.0 * u[2],
    )
    return (s, r[1], r[2], r[3], 0.0, 0.0), bias, rate, known


@kernel
def unspun(x, y, spin, h):
    """Rate of a vector across the axis that is constant in axes spinning at `spin`: Cayley's over a step h."""
    half = 0.5 * h * spin
    rate = spin / (1.0 + half * half)
    return -rate * (y + half * x), rate * (x - half * y)


@kernel
def swing_bias(row, r, w1, turning1, w2, turning2, h, half):
    """The same of the swing alone: (s, x, y, z) = (ρ, a, b, 0)∘(s/ρ, 0, 0, z/ρ), ρ = √(s² + z²), C = 2(a, b, 0).

    With w₂′ the angular velocity of body 2 turned into its axes without the twist ψ, and in axes that do not spin,
    Ċ = ρ(w₂′ − w₁) across the axis; J̇ part: ρ̇(w₂′ − w₁) + ρ(w₂z e_z×w₂′ − w₁z e_z×w₁), ρ̇ = −½u·(w₂′ − w₁).
    The last, the turn of what spins along, is taken over a step as that turn (Cayley form), as the gyroscopic torque of
    a bar is. C·Ċ is that of the whole turn, so moments follow from the energy ½k|C|² = k(1 − cos φ) of the angle φ of
    the axes.
    """
    rho = math.sqrt(r[0] * r[0] + r[3] * r[3])
    folded = rho < 1e-9  # folded back: every plane is that of the bend, and the moment is nothing
    size = where(folded, 1.0, rho)
    c, d = r[0] / size, r[3] / size
    a, b = r[1] * c - r[2] * d, r[1] * d + r[2] * c
    cosine, sine = c * c - d * d, 2.0 * c * d
    x2, y2 = cosine * w2[0] - sine * w2[1], sine * w2[0] + cosine * w2[1]
    x, y = x2 - w1[0], y2 - w1[1]
    slower = -0.5 * (a * x + b * y)
    turned = cosine * turning2[0] - sine * turning2[1], sine * turning2[0] + cosine * turning2[1]
    spun1, spun2 = unspun(w1[0], w1[1], w1[2], h), unspun(x2, y2, w2[2], h)
    own = (slower * x + rho * (spun2[0] - spun1[0]), slower * y + rho * (spun2[1] - spun1[1]), 0.0)
    known = (own[0] + rho * (turned[0] - turning1[0]), own[1] + rho * (turned[1] - turning1[1]), 0.0)
    rate = (rho * x - half * own[0], rho * y - half * own[1], 0.0)
    bias = (
        row[3] * known[0] + row[4] * rate[0] + row[5] * 2.0 * a,
        row[3] * known[1] + row[4] * rate[1] + row[5] * 2.0 * b,
        0.0,
    )
    none = (rho, 1.0, 0.0, 0.0, 1.0, 0.0), ZERO3, ZERO3, ZERO3
    return where(folded, none, ((rho, a, b, 0.0, cosine, sine), bias, rate, known))


@inlined
def is_swing(relative):
    """Whether rotation rows measure the swing alone."""
    return common(relative[4]) != 0.0 or common(relative[5]) != 0.0


@kernel
def turn_of_first(r):
    """s·1 − S(u): −∂Ċ/∂w₁, nine numbers; of the swing alone ρ across the axis."""
    s, x, y, z, _, _ = r
    if is_swing(r):
        return (s, 0.0, 0.0, 0.0, s, 0.0, 0.0, 0.0, 0.0)
    return (s, z, -y, -z, s, x, y, -x, s)


@kernel
def turn_of_second(r):
    """s·1 + S(u): ∂Ċ/∂w₂, nine numbers; of the swing alone ρ across the axis, with the twist."""
    s, x, y, z, cosine, sine = r
    if is_swing(r):
        return (s * cosine, -s * sine, 0.0, s * sine, s * cosine, 0.0, 0.0, 0.0, 0.0)
    return (s, -z, y, z, s, -x, -y, x, s)
