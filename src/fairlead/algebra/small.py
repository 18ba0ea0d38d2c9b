"""Three-vectors and 3×3 matrices as tuples of scalars.

Tuples stay in registers when a kernel inlines these functions, which is what makes a bar chain fast.

- vector: `(x, y, z)`
- general matrix: nine numbers, row by row
- symmetric matrix: `(xx, xy, xz, yy, yz, zz)`
"""

from __future__ import annotations

import math

from .compiled import kernel
from .lanes import where

ZERO3 = (0.0, 0.0, 0.0)
ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
ZERO9 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
"""Nothing: a vector, a symmetric and a general matrix."""


@kernel
def positive(x):
    """x where it is positive, else 0; NaN stays NaN."""
    return where(x < 0.0, 0.0, x)


@kernel
def vector_of(array, at):
    """Three numbers of an array."""
    return (array[at], array[at + 1], array[at + 2])


@kernel
def put(array, at, vector):
    """Write a vector into an array."""
    array[at], array[at + 1], array[at + 2] = vector


@kernel
def add(a, b):
    """Sum of two vectors."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@kernel
def subtract(a, b):
    """a − b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@kernel
def scale(c, a):
    """c·a."""
    return (c * a[0], c * a[1], c * a[2])


@kernel
def add_scaled(a, c, b):
    """a + c·b."""
    return (a[0] + c * b[0], a[1] + c * b[1], a[2] + c * b[2])


@kernel
def dot(a, b):
    """a·b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def unit(a):
    """a/|a|."""
    return scale(1.0 / math.sqrt(dot(a, a)), a)


@kernel
def cross(a, b):
    """a × b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@kernel
def matvec(m, a):
    """M a."""
    return (
        m[0] * a[0] + m[1] * a[1] + m[2] * a[2],
        m[3] * a[0] + m[4] * a[1] + m[5] * a[2],
        m[6] * a[0] + m[7] * a[1] + m[8] * a[2],
    )


@kernel
def transposed_matvec(m, a):
    """Mᵀ a."""
    return (
        m[0] * a[0] + m[3] * a[1] + m[6] * a[2],
        m[1] * a[0] + m[4] * a[1] + m[7] * a[2],
        m[2] * a[0] + m[5] * a[1] + m[8] * a[2],
    )


@kernel
def matmul(a, b):
    """A B."""
    return (
        a[0] * b[0] + a[1] * b[3] + a[2] * b[6],
        a[0] * b[1] + a[1] * b[4] + a[2] * b[7],
        a[0] * b[2] + a[1] * b[5] + a[2] * b[8],
        a[3] * b[0] + a[4] * b[3] + a[5] * b[6],
        a[3] * b[1] + a[4] * b[4] + a[5] * b[7],
        a[3] * b[2] + a[4] * b[5] + a[5] * b[8],
        a[6] * b[0] + a[7] * b[3] + a[8] * b[6],
        a[6] * b[1] + a[7] * b[4] + a[8] * b[7],
        a[6] * b[2] + a[7] * b[5] + a[8] * b[8],
    )


@kernel
def transpose(m):
    """Mᵀ."""
    return (m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8])


@kernel
def matadd(a, b):
    """A + B, general or symmetric alike in length nine."""
    return (
        a[0] + b[0], a[1] + b[1], a[2] + b[2],
        a[3] + b[3], a[4] + b[4], a[5] + b[5],
        a[6] + b[6], a[7] + b[7], a[8] + b[8],
    )  # fmt: skip


@kernel
def symvec(s, a):
    """S a for symmetric S."""
    return (
        s[0] * a[0] + s[1] * a[1] + s[2] * a[2],
        s[1] * a[0] + s[3] * a[1] + s[4] * a[2],
        s[2] * a[0] + s[4] * a[1] + s[5] * a[2],
    )


@kernel
def symmat(s, b):
    """S B for symmetric S and general B."""
    return (
        s[0] * b[0] + s[1] * b[3] + s[2] * b[6],
        s[0] * b[1] + s[1] * b[4] + s[2] * b[7],
        s[0] * b[2] + s[1] * b[5] + s[2] * b[8],
        s[1] * b[0] + s[3] * b[3] + s[4] * b[6],
        s[1] * b[1] + s[3] * b[4] + s[4] * b[7],
        s[1] * b[2] + s[3] * b[5] + s[4] * b[8],
        s[2] * b[0] + s[4] * b[3] + s[5] * b[6],
        s[2] * b[1] + s[4] * b[4] + s[5] * b[7],
        s[2] * b[2] + s[4] * b[5] + s[5] * b[8],
    )


@kernel
def matsym(a, s):
    """A S for symmetric S."""
    return (
        a[0] * s[0] + a[1] * s[1] + a[2] * s[2],
        a[0] * s[1] + a[1] * s[3] + a[2] * s[4],
        a[0] * s[2] + a[1] * s[4] + a[2] * s[5],
        a[3] * s[0] + a[4] * s[1] + a[5] * s[2],
        a[3] * s[1] + a[4] * s[3] + a[5] * s[4],
        a[3] * s[2] + a[4] * s[4] + a[5] * s[5],
        a[6] * s[0] + a[7] * s[1] + a[8] * s[2],
        a[6] * s[1] + a[7] * s[3] + a[8] * s[4],
        a[6] * s[2] + a[7] * s[4] + a[8] * s[5],
    )


@kernel
def symmetric_product(a, b):
    """A Bᵀ where the product is known to be symmetric (upper triangle only)."""
    return (
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
        a[0] * b[3] + a[1] * b[4] + a[2] * b[5],
        a[0] * b[6] + a[1] * b[7] + a[2] * b[8],
        a[3] * b[3] + a[4] * b[4] + a[5] * b[5],
        a[3] * b[6] + a[4] * b[7] + a[5] * b[8],
        a[6] * b[6] + a[7] * b[7] + a[8] * b[8],
    )


@kernel
def transposed_symmetric_product(a, b):
    """Aᵀ B where the product is known to be symmetric (upper triangle only)."""
    return (
        a[0] * b[0] + a[3] * b[3] + a[6] * b[6],
        a[0] * b[1] + a[3] * b[4] + a[6] * b[7],
        a[0] * b[2] + a[3] * b[5] + a[6] * b[8],
        a[1] * b[1] + a[4] * b[4] + a[7] * b[7],
        a[1] * b[2] + a[4] * b[5] + a[7] * b[8],
        a[2] * b[2] + a[5] * b[5] + a[8] * b[8],
    )


@kernel
def symadd(a, b):
    """Sum of two symmetric matrices."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5])


@kernel
def symsubtract(a, b):
    """Difference of two symmetric matrices."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5])


@kernel
def symmetric_inverse(s):
    """S⁻¹ by the adjugate: one division."""
    c00 = s[3] * s[5] - s[4] * s[4]
    c01 = s[2] * s[4] - s[1] * s[5]
    c02 = s[1] * s[4] - s[2] * s[3]
    d = 1.0 / (s[0] * c00 + s[1] * c01 + s[2] * c02)
    return (
        c00 * d,
        c01 * d,
        c02 * d,
        (s[0] * s[5] - s[2] * s[2]) * d,
        (s[1] * s[2] - s[0] * s[4]) * d,
        (s[0] * s[3] - s[1] * s[1]) * d,
    )


@kernel
def outer_scaled(c, n):
    """c n nᵀ as a symmetric matrix."""
    x = c * n[0]
    y = c * n[1]
    return (x * n[0], x * n[1], x * n[2], y * n[1], y * n[2], c * n[2] * n[2])


@kernel
def outer(a, b):
    """a bᵀ."""
    return (
        a[0] * b[0], a[0] * b[1], a[0] * b[2], a[1] * b[0], a[1] * b[1], a[1] * b[2], a[2] * b[0], a[2] * b[1],
        a[2] * b[2],
    )  # fmt: skip


@kernel
def skew(a):
    """S(a) with S(a)·b = a × b."""
    return (0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0)


@kernel
def matscale(c, a):
    """c·A."""
    return (c * a[0], c * a[1], c * a[2], c * a[3], c * a[4], c * a[5], c * a[6], c * a[7], c * a[8])


@kernel
def matadd_scaled(a, c, b):
    """A + c·B."""
    return (
        a[0] + c * b[0], a[1] + c * b[1], a[2] + c * b[2], a[3] + c * b[3], a[4] + c * b[4], a[5] + c * b[5],
        a[6] + c * b[6], a[7] + c * b[7], a[8] + c * b[8],
    )  # fmt: skip
