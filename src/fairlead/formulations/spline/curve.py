"""The curvatures of a cable from the positions of its nodes, and forces on curvatures back onto the nodes.

C² continuity makes A C = D r + b with a constant symmetric tridiagonal A (Escalante et al. after Eq. 15; here for
elements of any length): h₁C₋/6 + (h₁ + h₂)C/3 + h₂C₊/6 = d₂ − d₁, d the slopes of the elements beside the node. A
pinned end has C = 0; at a clamp 2hC₀/6 + hC₁/6 = d − t₀. The factors of A = LDLᵀ are kept with the nodes.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add_scaled, scale

from .arrays import (
    CLAMP_END, CLAMP_START, COUNT, COUPLING, FIRST, LENGTH, NODE_REALS, PIVOT, R_NODES, TANGENT_END, TANGENT_START,
    cable_at, cable_reals, element_at, put, vector_of,
)  # fmt: skip


@kernel
def slope(x, at, h):
    """d = (r₁ − r₀)/h of the element whose first node lies at `at`."""
    f = 1.0 / h
    return (f * (x[at + 3] - x[at]), f * (x[at + 4] - x[at + 1]), f * (x[at + 5] - x[at + 2]))


@kernel
def substitute(c, values, at, ints, reals):
    """A⁻¹ in place on the vectors (3 a node) of cable c from `at` on."""
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    node = ints[R_NODES] + NODE_REALS * first
    for i in range(1, count + 1):
        f = reals[node + COUPLING]
        k = at + 3 * i
        values[k] -= f * values[k - 3]
        values[k + 1] -= f * values[k - 2]
        values[k + 2] -= f * values[k - 1]
        node += NODE_REALS
    for i in range(count, -1, -1):
        f, g = reals[node + PIVOT], reals[node + COUPLING]
        k = at + 3 * i
        if i == count:
            values[k], values[k + 1], values[k + 2] = f * values[k], f * values[k + 1], f * values[k + 2]
        else:
            values[k] = f * values[k] - g * values[k + 3]
            values[k + 1] = f * values[k + 1] - g * values[k + 4]
            values[k + 2] = f * values[k + 2] - g * values[k + 5]
        node -= NODE_REALS


@kernel
def curvatures(c, x, at, still, ints, reals, out, to):
    """C of cable c whose nodes begin at `at` in x, into `out` from `to` on; `still`: clamp directions count as zero.

    With `still` and velocities for x it gives the rates of the curvatures.
    """
    cable, fixed = cable_at(ints, c), cable_reals(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    before = (0.0, 0.0, 0.0)
    for i in range(count):
        d = slope(x, at + 3 * i, reals[element_at(ints, first - c + i) + LENGTH])
        put(out, to + 3 * i, (d[0] - before[0], d[1] - before[1], d[2] - before[2]))
        before = d
    share = 0.0 if still else -1.0
    end = to + 3 * count
    if ints[cable + CLAMP_START] == 1:
        put(out, to, add_scaled(vector_of(out, to), share, vector_of(reals, fixed + TANGENT_START)))
    else:
        put(out, to, (0.0, 0.0, 0.0))
    if ints[cable + CLAMP_END] == 1:
        put(out, end, add_scaled(scale(-1.0, before), -share, vector_of(reals, fixed + TANGENT_END)))
    else:
        put(out, end, (0.0, 0.0, 0.0))
    substitute(c, out, to, ints, reals)
