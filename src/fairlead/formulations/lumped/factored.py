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
    i0, i1 = 1.0 / s[0], s[0] / (s[0] * s[3] - s[1] * s[1])  # neither waits for the other
    a, b = s[1] * i0, s[2] * i0
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
def forward(f, m):
    """L⁻¹ times a matrix (9)."""
    a, b, c = f[0], f[1], f[2]
    x, y, z = m[3] - a * m[0], m[4] - a * m[1], m[5] - a * m[2]
    return (
        m[0], m[1], m[2], x, y, z,
        m[6] - b * m[0] - c * x, m[7] - b * m[1] - c * y, m[8] - b * m[2] - c * z,
    )  # fmt: skip


@inlined
def backward(f, m):
    """D⁻¹ times a matrix of which L⁻¹ times it is given."""
    a, b, c, i0, i1, i2 = f
    x2, y2, z2 = m[6] * i2, m[7] * i2, m[8] * i2
    x1, y1, z1 = m[3] * i1 - c * x2, m[4] * i1 - c * y2, m[5] * i1 - c * z2
    return (
        m[0] * i0 - a * x1 - b * x2, m[1] * i0 - a * y1 - b * y2, m[2] * i0 - a * z1 - b * z2,
        x1, y1, z1, x2, y2, z2,
    )  # fmt: skip


@inlined
def complement(s, f, m):
    """S − AᵀD⁻¹A of a symmetric matrix S (6) and of A, of which L⁻¹A is given: it waits for less than D⁻¹A does."""
    x0, y0, z0 = m[0] * f[3], m[1] * f[3], m[2] * f[3]
    x1, y1, z1 = m[3] * f[4], m[4] * f[4], m[5] * f[4]
    x2, y2, z2 = m[6] * f[5], m[7] * f[5], m[8] * f[5]
    return (
        s[0] - m[0] * x0 - m[3] * x1 - m[6] * x2, s[1] - m[0] * y0 - m[3] * y1 - m[6] * y2,
        s[2] - m[0] * z0 - m[3] * z1 - m[6] * z2, s[3] - m[1] * y0 - m[4] * y1 - m[7] * y2,
        s[4] - m[1] * z0 - m[4] * z1 - m[7] * z2, s[5] - m[2] * z0 - m[5] * z1 - m[8] * z2,
    )  # fmt: skip


@inlined
def solved_matrix(f, m):
    """D⁻¹ times a matrix (9), column by column."""
    one, two, three = solved(f, m[0], m[3], m[6]), solved(f, m[1], m[4], m[7]), solved(f, m[2], m[5], m[8])
    return one[0], two[0], three[0], one[1], two[1], three[1], one[2], two[2], three[2]
