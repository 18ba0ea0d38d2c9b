"""Joints that only pull: which of them are taut is decided together with the accelerations of the step.

A joint pulls along the bar it belongs to (that behind it; the first bar for the joint at the start) with
T = max(0, t·λ), λ being that of its position rows. Where it would push, it is loose: the end of the bar ahead slides
freely along the axis of that bar, like a ring on a rod. The row along the axis is left out, and the other two act
where that end is, at the offset o from the middle of the bar and not at its end. So a loose joint pushes nobody, makes
no torque of its own, and gives no energy. Bars then overlap as a slack line lies in bights.

What is limited is the distance between the two nodes of an element: the line is taut when it is L, whichever way the
element then points. A ring that slides past the other node has *turned the element over*: it runs against the axis of
its bar from there on, and is caught a length L beyond that node, by a joint that pulls along −t. Nothing happens in
passing, since both ends are slack there. The first bar, on which both its nodes slide, is caught by its other ends.

A blow brings a tension of which the previous step knew nothing, and with it a string stiffness that turns the bars into
line. Taken as that step left it, it would throw a line of little mass about; so a joint that pulls more than `TAUTER`
times as hard as it did has the step solved again with the string stiffness of what it pulls.

The decision is made as in `lumped.slackening`: solve with those thought taut, see which of them push and which of the
others would pull, and solve again until none does. Under the rule with θ = 1 that is the backward Euler step of a
spring that only pulls, whose energy is convex: no step is too large for it.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add_scaled, dot, outer_scaled, positive, scale, subtract, symadd, symvec

from .arrays import (
    CABLE_COUNT, CABLE_FIRST, INERTIA, JOINT_COLUMNS, LENGTH, LOOSE_KEPT, OFF, ONE_WAY, R_JOINTS, SLIDE_END,
    SLIDE_START, WORK_DAMPING, W_DAMPING, W_LOOSE, Y_LEDGER, Y_MULTIPLIERS, bar_at, bar_state_at, cable_at, is_attached,
    quaternion_of, vector_of,
)  # fmt: skip
from .coefficients import BOOK_STEP, SCHEME_GEOMETRIC, SCHEME_THETA, STEP
from .element import axis_of
from .ends import point_of_end

BOTH_WAYS, PASSES = 20, 40
"""Passes in which joints may come taut again, and the most passes there are; after the first of them only what pushes
is let go, which ends for certain."""
TAUTER = 2.0
LOOSE, OFFSET, PULL, STRETCHING, KNOWN, SIDE, STRING = range(7)
"""Kept of a joint that only pulls: whether it is loose, where on its bar it acts; along the line the bias of its
multiplier if it were taut, the rate of its gap and the known part of that rate's change; 1 where the line runs along
the axis of its bar, −1 where the element is turned over; the tension of its string stiffness where a pass has found one
that the previous step did not have."""


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
def turned_over(c, i, ints, reals, y, work):
    """Whether element i (sweep order) of cable c runs against the axis of its bar: its nodes have passed each other.

    An element of which one end is let go hangs by whichever end of its bar is nearer to the node that is left.
    """
    cable = cable_at(ints, c)
    first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
    body = bar_state_at(ints, first + i)
    middle, axis = vector_of(y, body), axis_of(rotation(quaternion_of(y, body)))
    near = -0.5 * reals[bar_at(ints, first + i) + LENGTH]
    if i + 1 < count:
        ahead = bar_state_at(ints, first + i + 1)
        half = 0.5 * reals[bar_at(ints, first + i + 1) + LENGTH]
        place = add_scaled(vector_of(y, ahead), -half, axis_of(rotation(quaternion_of(y, ahead))))
    else:
        place, _, _, _, _, _ = point_of_end(2 * c + 1, ints, reals, y, work)
    far = dot(subtract(place, middle), axis)
    if i + 1 == count and not is_attached(y, ints, 2 * c + 1):
        far = 0.0 if i == 0 else -near
    if i == 0 and only_pulls(first + c, ints, reals):
        near = 0.0
        if is_attached(y, ints, 2 * c):
            place, _, _, _, _, _ = point_of_end(2 * c, ints, reals, y, work)
            near = dot(subtract(place, middle), axis)
    return far < near


@kernel
def set_side(c, i, guess, ints, reals, y, work):
    """Find which way element i of cable c runs along its bar, keep it for its joints and return it: 1 or −1.

    In the first pass of a step, that to `guess` in, no tension is known but that of the previous step.
    """
    j = ints[cable_at(ints, c) + CABLE_FIRST] + c + i + 1
    if not only_pulls(j, ints, reals):
        return 1.0
    side = -1.0 if turned_over(c, i, ints, reals, y, work) else 1.0
    for joint in range(j - 1 if i == 0 else j, j + 1):
        work[loose_at(ints, joint) + SIDE] = side
        if guess:
            work[loose_at(ints, joint) + STRING] = 0.0
    return side


@kernel
def far_end(i, side, both):
    """Where the far end of element i is caught, in half lengths of its bar from the middle.

    both  of the first: whether the start, too, slides on it
    """
    if side > 0.0:
        return 1.0
    return -1.0 if i == 0 and both else -3.0


@kernel
def end_slide(end, reals, bar):
    """Speed at which a winch drives a place of a bar, `end` half lengths from its middle, along it [m/s]."""
    return 0.5 * ((1.0 + end) * reals[bar + SLIDE_END] + (1.0 - end) * reals[bar + SLIDE_START])


@kernel
def acts_at(j, end, ints, reals, work):
    """Where on its bar joint j acts: as kept where it only pulls, else at `end`."""
    return work[loose_at(ints, j) + OFFSET] if only_pulls(j, ints, reals) else end


@kernel
def along_line(j, axis, ints, reals, work):
    """Direction of the line in the bar of joint j, from its `axis`."""
    return scale(work[loose_at(ints, j) + SIDE], axis) if only_pulls(j, ints, reals) else axis


@kernel
def line_side(c, i, ints, reals, work):
    """Which way element i (sweep order) of cable c runs along its bar: 1 or −1."""
    j = ints[cable_at(ints, c) + CABLE_FIRST] + c + i + 1
    return work[loose_at(ints, j) + SIDE] if only_pulls(j, ints, reals) else 1.0


@kernel
def span_on_bar(c, i, ints, reals, work):
    """Offsets on its bar at which element i of cable c begins and ends, and which way it runs."""
    first = ints[cable_at(ints, c) + CABLE_FIRST]
    half = 0.5 * reals[bar_at(ints, first + i) + LENGTH]
    near = acts_at(first + c, -half, ints, reals, work) if i == 0 else -half
    return near, acts_at(first + c + i + 1, half, ints, reals, work), line_side(c, i, ints, reals, work)


@kernel
def string_stiffness(j, half, way, near, far, pull_near, pull_far, ints, reals, work):
    """Stiffness against turning of a bar [N m] whose joints j and j + 1, behind and ahead, pulled along its axis.

    near, far  where they hold it, in half lengths from its middle; of an element turned over both count with their sign
    """
    if way < 0.0:
        known = positive(far * pull_far - near * pull_near)
    else:
        known = positive(pull_near) + positive(pull_far)
    found = 0.0
    for joint in range(j, j + 2):
        if only_pulls(joint, ints, reals):
            found += work[loose_at(ints, joint) + STRING]
    return half * max(known, found)


@kernel
def is_folded(j, ints, reals, work):
    """Whether the bar of joint j does not end where the line does: the joint is loose, or the element turned over."""
    if not only_pulls(j, ints, reals):
        return False
    return work[loose_at(ints, j) + LOOSE] > 0.5 or work[loose_at(ints, j) + SIDE] < 0.0


@kernel
def judge(j, guess, bias, rate, known, axis, ints, work):
    """Keep what joint j would do along the line's `axis` if taut; whether it is loose, by its bias when to `guess`."""
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
def reconsider(j, host, g, apart, damping, axis, loosen, ints, reals, y, work):
    """After a pass, whether joint j of bar `host` has to change from taut to loose or back, which it then does (1, else
    0), or pulls so much harder than it did that its string stiffness has to follow.

    apart    acceleration along the line's `axis` at which the ends of the joint part, of what the pass has found
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
    if loose or loosen or work[SCHEME_GEOMETRIC] == OFF:
        return 0
    known = max(work[kept + STRING], dot(vector_of(y, ints[Y_MULTIPLIERS] + 3 * j), axis))
    bar = bar_at(ints, host)
    if pull > TAUTER * known and work[STEP] * work[STEP] * pull * reals[bar + LENGTH] > 4.0 * reals[bar + INERTIA]:
        work[kept + STRING] = pull
        return 1
    return 0
