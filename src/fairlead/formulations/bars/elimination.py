"""One bar eliminated about the point where the joint ahead holds it, its turns first.

With R = [r₁, r₂, t] the axes of a bar, P = [−r₂, r₁, 0] and o an offset along it from its middle, the acceleration of
the point at o is a + o·Pα + known. The unknowns here are α and x = a + o_f·Pα, that of the *far point* at the offset
o_f of the joint ahead (half the length, unless that joint is loose). A weight W at the offset o then enters as

    A += W,    B += (o − o_f) W P,    C += (o − o_f)² PᵀW P :

what acts at the far point has no lever. Turns are eliminated first, then the far point:

    V = C⁻¹Bᵀ,   N = (A − VᵀBᵀ)⁻¹,   f̂ = f − Vᵀτ,   α₀ = C⁻¹τ,   x₀ = N f̂ .

N is the mobility of the far point. B and V are handled by their columns b_x, b_y, b_z and v_x, v_y, v_z, one for each
axis of the bar. A cable without rotation rows is *pinned*: nothing turns its bars about their axes, b_z = 0, C is 2×2.
The page `docs/theory/bars_sweep` derives it.
"""

from __future__ import annotations

from fairlead.algebra.compiled import inlined
from fairlead.algebra.small import (
    add, add_scaled, dot, outer_scaled, scale, subtract, symadd, symmetric_inverse, symsubtract, symvec,
)  # fmt: skip

from .joint import is_swing


@inlined
def isotropic(g):
    """g·1 as a symmetric matrix."""
    return (g, 0.0, 0.0, g, 0.0, g)


@inlined
def across_and_along(across, along, axis):
    """across·(1 − ttᵀ) + along·ttᵀ as a symmetric matrix."""
    return symadd(isotropic(across), outer_scaled(along - across, axis))


@inlined
def columns_product(a, b, c, m):
    """a m_x + b m_y + c m_z: a matrix of three columns times a vector."""
    return (
        a[0] * m[0] + b[0] * m[1] + c[0] * m[2], a[1] * m[0] + b[1] * m[1] + c[1] * m[2],
        a[2] * m[0] + b[2] * m[1] + c[2] * m[2],
    )  # fmt: skip


@inlined
def dots(a, b, c, x):
    """(a·x, b·x, c·x): the transpose of that matrix times a vector."""
    return (dot(a, x), dot(b, x), dot(c, x))


@inlined
def levered(weight, lever, one, two):
    """b_x, b_y and C (xx, xy, yy) of a weight at a lever from the far point; `one`, `two` are the bar's axes r₁, r₂."""
    held_one, held_two = symvec(weight, one), symvec(weight, two)
    squared = lever * lever
    return (
        scale(-lever, held_two), scale(lever, held_one),
        (squared * dot(two, held_two), -squared * dot(one, held_two), squared * dot(one, held_one)),
    )  # fmt: skip


@inlined
def lever_torque(lever, one, two, force):
    """lever·Pᵀf: body torque about the far point of a global force at a lever from it."""
    return (-lever * dot(two, force), lever * dot(one, force), 0.0)


@inlined
def less_products(a, v, b):
    """A − v bᵀ, symmetric where the sum over all such products is (upper triangle)."""
    return (
        a[0] - v[0] * b[0], a[1] - v[0] * b[1], a[2] - v[0] * b[2], a[3] - v[1] * b[1], a[4] - v[1] * b[2],
        a[5] - v[2] * b[2],
    )  # fmt: skip


@inlined
def eliminate_pinned(a, b_x, b_y, c, force, torque):
    """N, v_x, v_y, C⁻¹ (xx, xy, yy), f̂ and α₀ of a bar that turns about its two transverse axes alone."""
    c_xx, c_xy, c_yy = c
    inverse = 1.0 / (c_xx * c_yy - c_xy * c_xy)
    i_xx, i_xy, i_yy = c_yy * inverse, -c_xy * inverse, c_xx * inverse
    v_x, v_y = add_scaled(scale(i_xx, b_x), i_xy, b_y), add_scaled(scale(i_xy, b_x), i_yy, b_y)
    mobility = symmetric_inverse(less_products(less_products(a, v_x, b_x), v_y, b_y))
    force = add_scaled(add_scaled(force, -torque[0], v_x), -torque[1], v_y)
    spin = (i_xx * torque[0] + i_xy * torque[1], i_xy * torque[0] + i_yy * torque[1], 0.0)
    return mobility, v_x, v_y, (i_xx, i_xy, i_yy), force, spin


@inlined
def eliminate_rotary(a, b_x, b_y, b_z, c, force, torque):
    """N, v_x, v_y, v_z, C⁻¹ (6), f̂ and α₀ of a bar that turns about all three."""
    i = symmetric_inverse(c)
    v_x = columns_product(b_x, b_y, b_z, (i[0], i[1], i[2]))
    v_y = columns_product(b_x, b_y, b_z, (i[1], i[3], i[4]))
    v_z = columns_product(b_x, b_y, b_z, (i[2], i[4], i[5]))
    mobility = symmetric_inverse(less_products(less_products(less_products(a, v_x, b_x), v_y, b_y), v_z, b_z))
    return mobility, v_x, v_y, v_z, i, subtract(force, columns_product(v_x, v_y, v_z, torque)), symvec(i, torque)


@inlined
def keep_pinned(kept, ridden, mobility, v_x, v_y, inverse, force, spin):
    """Store what the way back needs of a pinned bar, and riders where it is `ridden`."""
    kept.mobility, kept.v_x, kept.v_y = mobility, v_x, v_y
    kept.force, kept.spin = force, (spin[0], spin[1])
    if ridden:
        kept.transverse = inverse


@inlined
def keep_rotary(kept, mobility, v_x, v_y, v_z, inverse, force, spin):
    """The same of a bar that turns about its axis, too."""
    keep_pinned(kept, True, mobility, v_x, v_y, (inverse[0], inverse[1], inverse[3]), force, spin)
    kept.v_z, kept.axial, kept.twist = v_z, (inverse[2], inverse[4], inverse[5]), spin[2]


@inlined
def kept_spin(whole, kept):
    """α₀ of an eliminated bar."""
    return (kept.spin[0], kept.spin[1], 0.0 if whole is None else kept.twist)


@inlined
def free_accelerations(kept, force):
    """`accelerations` of a pinned bar on which no torque acts beside its own."""
    x, spin = symvec(kept.mobility, force), kept.spin
    return x, (spin[0] - dot(kept.v_x, x), spin[1] - dot(kept.v_y, x), 0.0)


@inlined
def accelerations(whole, kept, force, torque, spin):
    """x = N (f − Vᵀτ) and α = `spin` + C⁻¹τ − V x of an eliminated bar, torques taken about its far point.

    Its own loads are in f̂ and α₀: with these for `force` (plus what else acts) and `spin` it is all of its motion,
    without them what the given force and torque alone make of it. `whole` is None where cables are pinned.
    """
    i_xx, i_xy, i_yy = kept.transverse
    if whole is None:
        x = symvec(kept.mobility, add_scaled(add_scaled(force, -torque[0], kept.v_x), -torque[1], kept.v_y))
        turn_x = spin[0] + i_xx * torque[0] + i_xy * torque[1] - dot(kept.v_x, x)
        turn_y = spin[1] + i_xy * torque[0] + i_yy * torque[1] - dot(kept.v_y, x)
        return x, (turn_x, turn_y, 0.0)
    i_xz, i_yz, i_zz = kept.axial
    x = symvec(kept.mobility, subtract(force, columns_product(kept.v_x, kept.v_y, kept.v_z, torque)))
    turns = add(spin, symvec((i_xx, i_xy, i_xz, i_yy, i_yz, i_zz), torque))
    return x, subtract(turns, dots(kept.v_x, kept.v_y, kept.v_z, x))


@inlined
def hand_over(g, mobility):
    """E = g·1 − g²N: what the joint ahead, of stiffness g, passes on of an eliminated bar."""
    gg = -g * g
    return (
        g + gg * mobility[0], gg * mobility[1], gg * mobility[2], g + gg * mobility[3], gg * mobility[4],
        g + gg * mobility[5],
    )  # fmt: skip


# Rotation rows: gains in the axes of the two bars they join.
# G = diag(g_b, g_b, g_t), T₁ = s − S(u), T₂ = s + S(u) with the relative quaternion (s, u) of unit length; of the swing
# alone T₁ = s across the axis and T₂ = T₁ turned by the twist, whose cosine and sine stand behind the quaternion


@inlined
def gain_first(bend, twist, relative):
    """T₁ᵀ G T₁ = g_b (1 − uuᵀ) + (g_t − g_b) kkᵀ with k = (y, −x, s); six numbers."""
    s, x, y, z, _, _ = relative
    if is_swing(relative):
        return (bend * s * s, 0.0, 0.0, bend * s * s, 0.0, 0.0)
    more = twist - bend
    return (
        bend - bend * x * x + more * y * y, -twist * x * y, more * s * y - bend * x * z,
        bend - bend * y * y + more * x * x, -more * s * x - bend * y * z, bend - bend * z * z + more * s * s,
    )  # fmt: skip


@inlined
def gain_second(bend, twist, relative):
    """T₂ᵀ G T₂: T₁ᵀ G T₁ of the turn the other way round, u → −u in k alone."""
    s, x, y, z, _, _ = relative
    if is_swing(relative):
        return (bend * s * s, 0.0, 0.0, bend * s * s, 0.0, 0.0)
    more = twist - bend
    return (
        bend - bend * x * x + more * y * y, -twist * x * y, -more * s * y - bend * x * z,
        bend - bend * y * y + more * x * x, more * s * x - bend * y * z, bend - bend * z * z + more * s * s,
    )  # fmt: skip


@inlined
def gain_both(bend, twist, relative):
    """T₁ᵀ G T₂ = g_b ((2s² − 1) 1 + 2s S(u) + uuᵀ) + (g_t − g_b) (y, −x, s) (−y, x, s)ᵀ; its three columns."""
    s, x, y, z, cosine, sine = relative
    if is_swing(relative):
        g = bend * s * s
        return (g * cosine, g * sine, 0.0), (-g * sine, g * cosine, 0.0), (0.0, 0.0, 0.0)
    more = twist - bend
    same, turn = bend * (2.0 * s * s - 1.0), 2.0 * bend * s
    xy, xz, yz = twist * x * y, bend * x * z, bend * y * z
    to_x, to_y, to_z = (turn + more * s) * x, (turn + more * s) * y, turn * z
    return (
        (same + bend * x * x - more * y * y, xy + to_z, xz - to_y),
        (xy - to_z, same + bend * y * y - more * x * x, yz + to_x),
        (xz + to_y, yz - to_x, same + bend * z * z + more * s * s),
    )  # fmt: skip


@inlined
def hand_over_turns(g, m_x, m_y, m_z, second, mobility, v_x, v_y, v_z, inverse, spin, x):
    """What rotation rows ahead, with the columns m of G₁₂ = T₁ᵀ G T₂ and with G₂₂, pass on of an eliminated bar, in the
    axes of the next:

    mixed  = E_pr T₂ = g N K, its columns, with K = Vᵀ G₁₂
    turned = T₂ᵀ E_rr T₂ = G₂₂ − G₁₂ᵀ C⁻¹ G₁₂ − Kᵀ N K
    given  = G₁₂ᵀ (α₀ − V x₀), to be taken off T₂ᵀβ
    """
    k_x, k_y = columns_product(v_x, v_y, v_z, m_x), columns_product(v_x, v_y, v_z, m_y)
    k_z = columns_product(v_x, v_y, v_z, m_z)
    n_x, n_y, n_z = symvec(mobility, k_x), symvec(mobility, k_y), symvec(mobility, k_z)
    i_x, i_y, i_z = symvec(inverse, m_x), symvec(inverse, m_y), symvec(inverse, m_z)
    taken = (
        dot(m_x, i_x) + dot(k_x, n_x), dot(m_x, i_y) + dot(k_x, n_y), dot(m_x, i_z) + dot(k_x, n_z),
        dot(m_y, i_y) + dot(k_y, n_y), dot(m_y, i_z) + dot(k_y, n_z), dot(m_z, i_z) + dot(k_z, n_z),
    )  # fmt: skip
    turned = symsubtract(second, taken)
    given = dots(m_x, m_y, m_z, subtract(spin, dots(v_x, v_y, v_z, x)))
    return scale(g, n_x), scale(g, n_y), scale(g, n_z), turned, given
