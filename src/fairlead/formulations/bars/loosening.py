"""Joints that only pull: which of them are taut is decided together with the accelerations of the step.

A joint pulls along the bar it belongs to (that behind it; the first bar for the joint at the start) with
T = max(0, t·λ), λ being that of its position rows. Where it would push, it is loose: the end of the bar ahead slides
freely along the axis of that bar, like a ring on a rod. The row along the axis is left out, and the other two act
where that end is, at the offset o from the middle of the bar and at most at its end. So a loose joint pushes nobody,
makes no torque of its own, and gives no energy. Bars then overlap as a slack line lies in bights.

What is limited is the distance between the two nodes of an element: the line is taut when it is L, whichever way the
element then points. A ring that slides past the other node has *turned the element over*: it runs against the axis of
its bar from there on, and is caught a length L beyond that node, by a joint that pulls along −t. Nothing happens in
passing, since both ends are slack there. The first bar, on which both its nodes slide, is caught by its other ends.

A blow brings a tension of which the previous step knew nothing, and with it a string stiffness that turns the bars into
line. Taken as that step left it, it would throw a line of little mass about; so a joint that pulls more than `TAUTER`
times as hard as it did has the step solved again with the string stiffness of what it pulls. What it pulls while others
are wrongly guessed taut or slack is no tension of the line, and is forgotten.

The decision is made as in `lumped.slackening`, in passes: solve with those thought taut, see which of them are wrong,
because they push, and which of the others, because they would pull, and solve again until none is. What acts across a
bar is the same in either case, and a joint that is caught within the step acts where it was slack; so under the rule
with θ = 1 this is the backward Euler step of springs that only pull, whose energy is convex: it has one solution, and
no step is too large for it.

To change all that are wrong is Newton's method on that energy, which mostly ends after one or two passes. It may go
round in circles, though, where a change of one joint makes another one wrong and that the first again: lines that come
taut along many elements in one step do. So when some passes have brought no fewer wrong ones than the best before, only
the first of them is changed, which never comes back to what it has tried, until there are fewer again (block pivoting
with Murty's least-index rule for the linear complementarity problem). String stiffness stays as it is meanwhile.

The second-order step takes joints near the middle of the step, which would throw back what comes taut. Joints of a
cable of which one was loose in the step before, and those that pull more than `BLOW` times as hard as they did, are
*caught*: for this step their position rows are those of the backward Euler step, and leave no memory. That is known
before a pass decides what is loose, so that the pulls of a pass still solve a complementarity problem. (With the joints
that were loose alone 20 of 30 lines jerked at random left the physical range in steps of 0.05 s.) The string stiffness
of a caught bar has the damped form, and so has that of all bars of a cable in which a joint was loose in one of the
last ten steps: what whips between slack and taut would gain energy (a free loop turning at 6 rad/s 6 % in steps of
0.01 s; so it gains 0.4 %).
"""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.lanes import any_lane, common, where
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add_scaled, dot, outer_scaled, positive, scale, subtract, symadd, symvec

from .coefficients import late_row
from .element import axis_of
from .ends import point_of_end
from .multipliers import damped_ahead, is_damped
from .schema import FILTERED, OFF
from .topology import is_attached

PASSES = 300
"""The most there are: to end after finitely many is a matter of exact numbers."""
PATIENCE, MANY = 4.0, 1e9
"""Passes that may bring no fewer wrong joints before these are changed one at a time; more than there ever are."""
TAUTER, STRING = 2.0, 1e-6
"""How many times as hard as known a joint pulls whose string stiffness follows; what that counts among wrong joints."""
FIRMER, BLOW = 1.1, 2.0
"""The first of these in the second-order step, which is stable while the string stiffness is that of 0.89 of the
tension; how many times as hard as before a joint pulls that is caught."""
FORGOTTEN = 0.1
"""By how much a step without a loose joint lowers what is kept of one, which begins at 1."""
ACROSS = 0.1
"""Part of a multiplier along the line below which it is taken for that of a loose joint in the step before."""


@inlined
def next_pass(wrong, fewest, patience):
    """After a pass has found so many `wrong`: the fewest so far, how many more passes may bring no fewer, and whether
    the next one changes a `single` joint."""
    patience = where(wrong < fewest, PATIENCE, patience - 1.0)
    return min(fewest, wrong), patience, patience <= 0.0


@inlined
def only_pulls(j, sys):
    """Whether joint j is one that does not push."""
    return sys.loosens != 0 and common(sys.joint[j].one_way) > 0.0


@inlined
def is_loose(j, sys):
    """Whether joint j is loose in this pass."""
    return is_held_loose(only_pulls(j, sys), sys.loose[j])


@inlined
def is_held_loose(pulls, held):
    """The same of a joint by whether it only `pulls`, and what is `held` of it in `sys.loose`."""
    return pulls and held.loose > 0.5


@kernel
def first_turned_over(c, sys):
    """Whether the first element (sweep order) of cable c runs against the axis of its bar: its nodes have passed each
    other, of which one slides on it, or both.

    An element of which one end is let go hangs by whichever end of its bar is nearer to the node that is left.
    """
    cable = sys.cable[c]
    first, count = cable.first, cable.count
    body = sys.bar_state[first]
    middle, axis = body.position, axis_of(rotation(body.turn))
    near = -0.5 * sys.bar[first].length
    if count > 1:
        ahead = sys.bar_state[first + 1]
        half = 0.5 * sys.bar[first + 1].length
        place = add_scaled(ahead.position, -half, axis_of(rotation(ahead.turn)))
    else:
        place, _, _, _, _, _ = point_of_end(2 * c + 1, sys)
    far = dot(subtract(place, middle), axis)
    if count == 1 and not is_attached(2 * c + 1, sys):
        far = 0.0
    if only_pulls(first + c, sys):
        near = 0.0
        if is_attached(2 * c, sys):
            place, _, _, _, _, _ = point_of_end(2 * c, sys)
            near = dot(subtract(place, middle), axis)
    return far < near


@inlined
def keep_side(j, both, over, guess, sys):
    """Keep which way the element behind joint j runs along its bar, 1 or −1 where it is turned `over`, and return it.

    both   for the joint at its start, too
    guess  whether this is the first pass of a step, in which no tension is known but that of the previous step
    """
    side = where(over, -1.0, 1.0)
    for joint in range(j - 1 if both else j, j + 1):
        sys.loose[joint].side = side
        if guess:
            sys.loose[joint].string = 0.0
    return side


@inlined
def held_on_bar(
    sign, loose, end, end_rate, gap, rate, rest, place, velocity, known, p, v, axis, tilt, early, swing, sys
):  # fmt: skip
    """Where on its bar a joint acts, and C, Ċ and the known part of C̈ there: across the bar where the end that slides
    on it is, at most at the bar's `end`; along it as at that end, and not at all where the joint is `loose`.

    gap, rate, rest         C, Ċ and the known part of C̈ at the bar's end, which a winch drives along it at `end_rate`
    place, velocity, known  of the end that slides on it
    p, v, axis, tilt, swing of the bar: its middle, direction, the rate of that, and what turns it without accelerations
    early                   that rate at the beginning of the step (see `joint`)
    sign                    1 where the bar is the first body of the joint, −1 where it is the second

    How fast the place slides is its mean over the step, in which it may come to the bar's end or leave it.
    """
    h = sys.scheme.step
    gap_along, rate_along, rest_along = dot(gap, axis), dot(rate, axis), dot(rest, axis)
    offset, slide = dot(subtract(place, p), axis), dot(subtract(velocity, v), axis)
    side = where(end < 0.0, -1.0, 1.0)
    left, then = positive(side * (end - offset)), positive(side * (end - offset + h * (end_rate - slide)))
    at, slide = end - side * left, end_rate + side * (left - then) / max(h, 1e-300)
    gap = scale(sign, subtract(place, p))
    end_velocity = add_scaled(add_scaled(v, at, early), -2.0 * sys.scheme.half * slide, tilt)
    rate = scale(sign, subtract(velocity, end_velocity))
    rest = scale(sign, subtract(known, add_scaled(scale(at, swing), 2.0 * slide, tilt)))
    return (
        at, across(gap, axis, where(loose, 0.0, gap_along)), across(rate, axis, where(loose, 0.0, rate_along)),
        across(rest, axis, where(loose, 0.0, rest_along)),
    )  # fmt: skip


@inlined
def far_end(first, side, both):
    """Where the far end of an element is caught, in half lengths of its bar from the middle.

    both  of the `first`: whether the start, too, slides on it
    """
    return where(side > 0.0, 1.0, -1.0 if first and both else -3.0)


@kernel
def end_slide(end, bar):
    """Speed at which a winch drives a place of a bar, `end` half lengths from its middle, along it [m/s]."""
    return 0.5 * ((1.0 + end) * bar.slide_end + (1.0 - end) * bar.slide_start)


@inlined
def acts_at(j, end, sys):
    """Where on its bar joint j acts: as kept where it only pulls, else at `end`."""
    return held_at(only_pulls(j, sys), end, sys.loose[j])


@inlined
def held_at(pulls, end, held):
    """The same by whether it only `pulls`, and what is `held` of it in `sys.loose`."""
    return held.offset if pulls else end


@inlined
def along_line(j, axis, sys):
    """Direction of the line in the bar of joint j, from its `axis`."""
    return held_along(only_pulls(j, sys), axis, sys.loose[j])


@inlined
def held_along(pulls, axis, held):
    """The same by whether it only `pulls`, and what is `held` of it in `sys.loose`."""
    return scale(held.side, axis) if pulls else axis


@kernel
def line_side(c, i, sys):
    """Which way element i (sweep order) of cable c runs along its bar: 1 or −1."""
    j = sys.cable[c].first + c + i + 1
    return sys.loose[j].side if only_pulls(j, sys) else 1.0


@kernel
def span_on_bar(c, i, sys):
    """Offsets on its bar at which element i of cable c begins and ends, and which way it runs."""
    first = sys.cable[c].first
    half = 0.5 * sys.bar[first + i].length
    near = acts_at(first + c, -half, sys) if i == 0 else -half
    return near, acts_at(first + c + i + 1, half, sys), line_side(c, i, sys)


@inlined
def was_loose(c, sys):
    """Whether a joint of cable c was loose in the step before."""
    return sys.snap[c].loose > 1.0 - 0.5 * FORGOTTEN


@inlined
def was_lately_loose(c, sys):
    """Whether it was so in one of the last ten steps."""
    return sys.snap[c].loose > 0.5 * FORGOTTEN


@inlined
def is_caught(j, was_slack, before, axis, sys):
    """Whether joint j that only pulls, whose multiplier was `before`, is caught in a second-order step; `was_slack`
    says whether a joint of its cable was loose. The line runs along `axis`."""
    return was_slack | (not pulled(before, axis)) | (sys.loose[j].string > BLOW * dot(before, axis))


@inlined
def caught_form(j, caught, row, remembered, sys):
    """Gains of the position rows of joint j and what they remember of C̈, by whether it is `caught`, which is kept."""
    sys.loose[j].caught = where(caught, 1.0, 0.0)
    if not any_lane(caught):
        return row, remembered
    return where(caught, (late_row(row[2], row[1], sys), (0.0, 0.0, 0.0)), (row, remembered))


@inlined
def held_gain(pulls, held, row, sys):
    """G of the position rows of a joint with the gains `row`, by whether it only `pulls`, and what is `held` of it in
    `sys.loose`."""
    if not pulls or sys.scheme.half == 0.0:
        return row[0]
    return where(held.caught > 0.5, late_row(row[2], row[1], sys)[0], row[0])


@inlined
def position_gain(j, sys):
    """The same of joint j."""
    return held_gain(only_pulls(j, sys), sys.loose[j], sys.row[j].gdk, sys)


@inlined
def is_held_caught(pulls, held):
    """Whether a joint is caught, by whether it only `pulls`, and what is `held` of it in `sys.loose`."""
    return pulls and held.caught > 0.5


@inlined
def foreseen(pull, earlier):
    """Tension to expect of a joint that pulled so much in the step before, and had the tension `earlier` in the one
    before that (0: unknown): on as it rose, by at most half. A pull against the axis keeps its sign."""
    size = abs(pull)
    more = where(earlier > 0.0, min(positive(size - earlier), 0.5 * size), 0.0)
    return where(pull < 0.0, pull - more, pull + more)


@inlined
def string_stiffness(j, half, way, near, far, pull_near, pull_far, guess, sys):
    """Stiffness against turning of a bar [N m] whose joints j and j + 1, behind and ahead, pulled along its axis.
    In the first pass, which makes a `guess`, none has found another tension.

    near, far  where they hold it, in half lengths from its middle; of an element turned over both count with their sign
    """
    over = way < 0.0
    if sys.scheme.geometric == FILTERED:
        one = two = 0.0
        if not guess:
            one = sys.loose[j].string if only_pulls(j, sys) else 0.0
            two = sys.loose[j + 1].string if only_pulls(j + 1, sys) else 0.0
        known = max(positive(pull_near), one) + max(positive(pull_far), two)
        if any_lane(over):
            known = where(over, max(positive(far * pull_far - near * pull_near), one + two), known)
        return half * known
    known = positive(pull_near) + positive(pull_far)
    if any_lane(over):
        known = where(over, positive(far * pull_far - near * pull_near), known)
    found = 0.0
    if not guess:
        for joint in range(j, j + 2):
            if only_pulls(joint, sys):
                found += sys.loose[joint].string
    return half * max(known, found)


@kernel
def is_folded(j, sys):
    """Whether the bar of joint j does not end where the line does: the joint is loose, or the element turned over."""
    return is_held_folded(only_pulls(j, sys), sys.loose[j])


@inlined
def is_held_folded(pulls, held):
    """The same by whether it only `pulls`, and what is `held` of it in `sys.loose`."""
    if not pulls:
        return False
    return (held.loose > 0.5) | (held.side < 0.0)


@inlined
def pulled(force, axis):
    """Whether a joint whose multiplier was `force` pulled along the line: that of a loose one lies across its bar, but
    for what the bar has turned since."""
    along = dot(force, axis)
    return (along > 0.0) & (along * along > ACROSS * ACROSS * dot(force, force))


@inlined
def judge(j, guess, rig, gap, bias, rate, known, axis, before, sys):
    """Keep what joint j would do along the line's `axis` if taut; whether it is loose, and whether it is that or its
    ends overlap or will within the step. When to `guess`, it is taut where it pulled in the step before, or its bias
    pulls: mostly nothing changes from step to step."""
    kept, stretching, pull = sys.loose[j], dot(rate, axis), dot(bias, axis)
    kept.pull = pull
    if is_damped(j, rig, sys):
        kept.stretching, kept.known = stretching, dot(known, axis)
    loose = kept.loose > 0.5
    if guess:
        loose = not (pulled(before, axis) | (pull > 0.0))
        kept.loose = where(loose, 1.0, 0.0)
    return loose, loose | (dot(gap, axis) + min(0.0, sys.scheme.step * stretching) < 0.0)


@inlined
def normal_part(v, axis):
    """The part of a vector normal to an axis."""
    return add_scaled(v, -dot(v, axis), axis)


@inlined
def across(v, axis, along):
    """The same with another part along it."""
    return add_scaled(v, along - dot(v, axis), axis)


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
def forget_strings(wrong, sys):
    """Tensions of a first pass in which joints were `wrong` say nothing of the string stiffness."""
    for c in range(sys.cables):
        first = sys.cable[c].first + c
        for j in range(first, first + sys.cable[c].count + 1):
            sys.loose[j].string = where(wrong > 0.5, 0.0, sys.loose[j].string)


@kernel
def book_push(j, loose, pull, apart, ahead, axis, sys):
    """What joint j stores along the bar is never a push: the rest of its multiplier is the damper's, whose work beyond
    what `keep_multiplier` has booked is booked here. It is taken `ahead` [s] in the step."""
    kept, spent = sys.loose[j], sys.damper[j]
    rate, change = kept.stretching, apart + kept.known
    elastic = pull - sys.joint[j].damping[0] * (rate + ahead * change)
    more = where(loose, -max(0.0, elastic), min(0.0, elastic))  # of the damper's force, beyond what is booked
    spent.position = add_scaled(spent.position, more, axis)
    sys.ledger.damping -= sys.scheme.book * more * (rate + 0.5 * sys.scheme.step * change)


@inlined
def reconsider(j, host, rig, g, kept, before, earlier, apart, axis, wrong, single, sys):
    """After a pass, whether joint j of bar `host` has to change from taut to loose or back, which it then does, or
    pulls so much harder than it did that its string stiffness has to follow. Returns how many are `wrong` with it.

    kept     what `sys.loose` has of it
    before   its multiplier in the step before
    earlier  its tension in the step before that
    apart    acceleration along the line's `axis` at which the ends of the joint part, of what the pass has found
    single   change the first that is wrong alone
    """
    loose = kept.loose > 0.5
    pull = kept.pull + g * apart
    if is_damped(j, rig, sys):
        row = sys.row[j].gdk
        book_push(j, loose, pull, apart, damped_ahead(kept.caught > 0.5, g, row[1], row[2], sys), axis, sys)
    changes = where(loose, pull > 0.0, pull < 0.0)
    if any_lane(changes):
        sys.loose[j].loose = where(changes & ((not single) | (wrong == 0.0)), 1.0 - kept.loose, kept.loose)
        wrong += where(changes, 1.0, 0.0)
    if sys.scheme.geometric == OFF:
        return wrong
    known, much = max(kept.string, dot(before, axis)), TAUTER
    if sys.scheme.geometric == FILTERED:
        known, much = max(kept.string, foreseen(dot(before, axis), earlier)), FIRMER
    bar = sys.bar[host]
    tauter = (not (loose | changes | single)) & (pull > much * known)
    if any_lane(tauter):
        tauter = tauter & (sys.scheme.step * sys.scheme.step * pull * bar.length > 4.0 * bar.inertia)
        sys.loose[j].string = where(tauter, pull, kept.string)
        wrong += where(tauter, STRING, 0.0)
    return wrong
