"""Joints that only pull: which of them are taut is decided together with the accelerations of the step.

A joint pulls along the bar it belongs to (that behind it; the first bar for the joint at the start) with
T = max(0, t·λ), λ being that of its position rows. Where it would push, it is loose: the end of the bar ahead slides
freely along the axis of that bar, like a ring on a rod. The row along the axis is left out, and the other two act
where that end is, at the offset o from the middle of the bar and not at its end. So a loose joint pushes nobody, makes
no torque of its own, and gives no energy. Bars then overlap as a slack line lies in bights.

The decision is made as in `lumped.slackening`: solve with those thought taut, see which of them push and which of the
others would pull, and solve again until none does. Under the rule with θ = 1 that is the backward Euler step of a
spring that only pulls, whose energy is convex: no step is too large for it.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add_scaled, dot, outer_scaled, symadd, symvec

from .arrays import (
    JOINT_COLUMNS, LOOSE_KEPT, ONE_WAY, R_JOINTS, WORK_DAMPING, W_DAMPING, W_LOOSE, Y_LEDGER,
)  # fmt: skip
from .coefficients import BOOK_STEP, SCHEME_THETA, STEP

BOTH_WAYS, PASSES = 20, 40
"""Passes in which joints may come taut again, and the most passes there are; after the first of them only what pushes
is let go, which ends for certain."""
LOOSE, OFFSET, PULL, STRETCHING, KNOWN = range(5)
"""Kept of a joint that only pulls: whether it is loose, where on its bar it then acts; along the bar the bias of its
multiplier if it were taut, the rate of its gap and the known part of that rate's change."""


@kernel
def loose_at(ints, j):
    """Where what is kept of joint j begins in `work`."""
    return ints[W_LOOSE] + LOOSE_KEPT * j


@kernel
def only_pulls(j, ints, reals):
    """Whether joint j is one that does not push."""
    return reals[ints[R_JOINTS] + JOINT_COLUMNS * j + ONE_WAY] > 0.0


@kernel
def is_loose(j, ints, reals, work):
    """Whether joint j is loose in this pass."""
    return only_pulls(j, ints, reals) and work[loose_at(ints, j) + LOOSE] > 0.5


@kernel
def judge(j, guess, bias, rate, known, axis, ints, work):
    """Keep what joint j would do along `axis` if it were taut; whether it is loose, by its bias when to `guess`."""
    kept = loose_at(ints, j)
    work[kept + PULL] = dot(bias, axis)
    work[kept + STRETCHING], work[kept + KNOWN] = dot(rate, axis), dot(known, axis)
    if guess:
        work[kept + LOOSE] = 0.0 if work[kept + PULL] > 0.0 else 1.0
    return work[kept + LOOSE] > 0.5


@kernel
def normal_part(v, axis):
    """The part of a vector normal to an axis."""
    return add_scaled(v, -dot(v, axis), axis)


@kernel
def across_rows(m, axis):
    """P·M, P = 1 − ttᵀ, of a matrix of nine numbers."""
    x, y, z = axis
    a = x * m[0] + y * m[3] + z * m[6]
    b = x * m[1] + y * m[4] + z * m[7]
    c = x * m[2] + y * m[5] + z * m[8]
    return (
        m[0] - x * a, m[1] - x * b, m[2] - x * c, m[3] - y * a, m[4] - y * b, m[5] - y * c, m[6] - z * a,
        m[7] - z * b, m[8] - z * c,
    )  # fmt: skip


@kernel
def across_both(m, axis):
    """P·M·P of a symmetric matrix of six numbers."""
    n = symvec(m, axis)
    f = add_scaled(n, -0.5 * dot(n, axis), axis)  # P·M·P = M − f tᵀ − t fᵀ
    x, y, z = axis
    return (
        m[0] - 2.0 * f[0] * x, m[1] - f[0] * y - f[1] * x, m[2] - f[0] * z - f[2] * x, m[3] - 2.0 * f[1] * y,
        m[4] - f[1] * z - f[2] * y, m[5] - 2.0 * f[2] * z,
    )  # fmt: skip


@kernel
def held_across(g, axis):
    """g·P as a symmetric matrix."""
    return symadd((g, 0.0, 0.0, g, 0.0, g), outer_scaled(-g, axis))


@kernel
def reconsider(j, g, apart, damping, axis, loosen, ints, y, work):
    """After a pass, whether joint j has to change from taut to loose or back, which it then does (1, else 0).

    apart    acceleration along `axis` at which the ends of the joint part, of what the pass has found
    damping  its coefficient along the bar [N s/m], taken at the end of the step
    loosen   leave alone what would come taut

    What the joint stores along the bar is never a push: the rest of its multiplier is the damper's, whose work beyond
    what `keep_multiplier` has booked is booked here.
    """
    kept, spent = loose_at(ints, j), ints[W_DAMPING] + 6 * j
    loose = work[kept + LOOSE] > 0.5
    pull = work[kept + PULL] + g * apart
    rate, change = work[kept + STRETCHING], apart + work[kept + KNOWN]
    elastic = pull - damping * (rate + work[SCHEME_THETA] * work[STEP] * change)
    booked = 0.0 if loose else pull - elastic
    true = (0.0 if loose else pull) - max(0.0, elastic)
    for k in range(3):
        work[spent + k] += (true - booked) * axis[k]
    y[ints[Y_LEDGER] + WORK_DAMPING] -= work[BOOK_STEP] * (true - booked) * (rate + 0.5 * work[STEP] * change)
    if loose and pull > 0.0 and not loosen:
        work[kept + LOOSE] = 0.0
        return 1
    if not loose and pull < 0.0:
        work[kept + LOOSE] = 1.0
        return 1
    return 0
