"""The curvatures of a cable from the positions of its nodes, and forces on curvatures back onto the nodes.

C² continuity makes A C = D r + b with a constant symmetric tridiagonal A (Escalante et al. after Eq. 15; here for
elements of any length): h₁C₋/6 + (h₁ + h₂)C/3 + h₂C₊/6 = d₂ − d₁, d the slopes of the elements beside the node. A
pinned end has C = 0; at a clamp 2hC₀/6 + hC₁/6 = d − t₀. The factors of A = LDLᵀ are kept with the nodes.

`x`, `out`, `values` are tables of vectors, one a node, such as `sys.position`.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import ZERO3, add_scaled, scale, subtract


@kernel
def slope(x, i, h):
    """d = (r₁ − r₀)/h of the element whose first node is i."""
    return scale(1.0 / h, subtract(x[i + 1].xyz, x[i].xyz))


@kernel
def substitute(cable, values, sys):
    """A⁻¹ in place on the vectors of a cable."""
    first, last = cable.first, cable.first + cable.count
    for i in range(first + 1, last + 1):
        values[i].xyz = add_scaled(values[i].xyz, -sys.node[i - 1].coupling, values[i - 1].xyz)
    values[last].xyz = scale(sys.node[last].pivot, values[last].xyz)
    for i in range(last - 1, first - 1, -1):
        node = sys.node[i]
        values[i].xyz = add_scaled(scale(node.pivot, values[i].xyz), -node.coupling, values[i + 1].xyz)


@kernel
def curvatures(c, x, still, sys, out):
    """C of cable c with nodes at x into `out`; `still`: clamp directions count as zero.

    With `still` and velocities for x it gives the rates of the curvatures.
    """
    cable, clamp = sys.cable[c], sys.clamp[c]
    first, last = cable.first, cable.first + cable.count
    before = ZERO3
    for i in range(first, last):
        d = slope(x, i, sys.element[i - c].length)
        out[i].xyz = subtract(d, before)
        before = d
    share = 0.0 if still else -1.0
    out[first].xyz = add_scaled(out[first].xyz, share, clamp.start) if cable.clamp_start == 1 else ZERO3
    out[last].xyz = add_scaled(scale(-1.0, before), -share, clamp.end) if cable.clamp_end == 1 else ZERO3
    substitute(cable, out, sys)
