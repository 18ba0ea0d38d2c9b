"""A node's matrix D = L diag(d) Lᵀ, and what is solved with it.

Along a stiff element D is larger than across it by (hc/l)², c being the speed of waves along the line: 10⁶ and more
with a long step. Its inverse would then be exact to 10⁻¹⁶ of its largest number only, and what the elimination goes on
with, AᵀD⁻¹A, which nearly cancels the next node's matrix, by 10⁻⁴ of what is left: tensions would be noise, by which
nothing could tell a slack element from a taut one. Solving by substitution is exact to 10⁻¹⁶ of D itself.
"""

from __future__ import annotations

from fairlead.algebra.compiled import inlined


@inlined
def factored(s):
    """L₁₀, L₂₀, L₂₁ and 1/d₀, 1/d₁, 1/d₂ of a symmetric matrix (6)."""
    i0 = 1.0 / s[0]
    a, b = s[1] * i0, s[2] * i0
    i1 = 1.0 / (s[3] - a * s[1])
    left = s[4] - b * s[1]
    c = left * i1
    return a, b, c, i0, i1, 1.0 / (s[5] - b * s[2] - c * left)


@inlined
def solved(f, x, y, z):
    """D⁻¹ times a vector (x, y, z)."""
    y -= f[0] * x
    z = (z - f[1] * x - f[2] * y) * f[5]
    y = y * f[4] - f[2] * z
    return x * f[3] - f[0] * y - f[1] * z, y, z


@inlined
def solved_matrix(f, m):
    """D⁻¹ times a matrix (9), column by column."""
    one, two, three = solved(f, m[0], m[3], m[6]), solved(f, m[1], m[4], m[7]), solved(f, m[2], m[5], m[8])
    return one[0], two[0], three[0], one[1], two[1], three[1], one[2], two[2], three[2]
