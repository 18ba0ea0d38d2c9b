"""What a bar and the joint ahead of it bring into the sweep, before anything is known of the bars behind.

All of it is taken about the far point (`elimination`). For it no bar needs more of another one than its place and
motion: so a core makes it ready for eight bars at a time, side by side (`fairlead.algebra.eights`), and the
elimination, in which every bar waits for the one behind it, is left with little else to do. Members of a pack, and
those of a GPU, which are many side by side already, take it bar by bar as they go.
"""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.eights import eight_of, one_of
from fairlead.algebra.lanes import WIDTH, all_lanes, any_lane, common, where
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, add_scaled, dot, outer_scaled, scale, subtract, symadd, transposed_matvec
from fairlead.sea.water import BED_PRESENT

from .element import LEFT, are_alike, axis_of, axis_rate, bar_loads, centripetal, gaps_ahead, press
from .elimination import across_and_along, gain_both, gain_first, gain_second, isotropic, lever_torque
from .ends import joined_end
from .fetching import fetched_bar, fetched_pressed, fetched_pull, gains_at
from .joint import bias_of, rotation_bias, turn_of_first, turn_of_second, turned_before
from .loosening import (
    caught_form, end_slide, far_end, foreseen, held_on_bar, is_caught, judge, keep_side, normal_part, only_pulls,
    string_stiffness, was_lately_loose, was_loose,
)  # fmt: skip
from .multipliers import keep_rates
from .ropes import unslipped
from .schema import AUTO, FILTERED, OFF, UNDAMPED
from .topology import is_attached, is_clamped

ZERO3 = (0.0, 0.0, 0.0)
ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
UNTURNED = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@inlined
def geometric_stiffness(k_geo, jx, caught, sys):
    """Addition to the transverse inertia, rate damping, whether it damps, and memory of the string stiffness of the
    tension.

    undamped: h²k/4 (no numerical damping); damped: h²k and a torque −h k w. `auto` takes the undamped form while
    h < 2/ω with ω² = k/J, the damped one beyond and always when θ < 1, which by itself feeds such motions. The
    second-order step has b₁h²k and the torque −b₀h²k α′ of the step before; a bar that is `caught` has the damped form.
    """
    mode, h = sys.scheme.geometric, sys.scheme.step
    if mode == OFF:
        return 0.0, 0.0, 0.0, 0.0
    stiff = h * h * k_geo
    if mode == FILTERED:
        form = sys.scheme.string_g * k_geo, 0.0, 0.0, sys.scheme.string_memory * k_geo
        return where(caught, (stiff, h * k_geo, where(k_geo > 0.0, 1.0, 0.0), 0.0), form)
    undamped = (mode == UNDAMPED) | ((mode == AUTO) & (stiff < 4.0 * jx) & (sys.scheme.theta == 1.0))
    return where(undamped, (0.25 * stiff, 0.0, 0.0, 0.0), (stiff, h * k_geo, 1.0, 0.0))


@inlined
def seen_at(bar, j, sys):
    """What is read of a bar and of joint j ahead of it: its state, multipliers of the joints behind it and ahead of it
    in the step before, gains of that ahead, and what the bar and the joints have felt in the step before."""
    return (
        fetched_bar(bar, sys), fetched_pull(j - 1, sys), fetched_pull(j, sys), gains_at(j, sys), sys.bar_felt[bar],
        sys.joint_felt[j - 1], sys.joint_felt[j],
    )  # fmt: skip


@inlined
def place_ahead(bar, body, rig, sys):
    """Place, velocity (at the beginning of the step) and known acceleration of the near end of a bar, its turn and its
    spin."""
    half = 0.5 * sys.bar[bar].length
    q, w = body.turn, body.spin
    R = rotation(q)
    axis, tilt = axis_of(R), axis_rate(R, w)
    velocity, known = add_scaled(body.velocity, -half, tilt), centripetal(-half, R, w)
    if rig is not None:
        slide = end_slide(-1.0, sys.bar[bar])
        velocity, known = add_scaled(velocity, slide, axis), add_scaled(known, 2.0 * slide, tilt)
    velocity = add_scaled(velocity, -sys.scheme.half, known)
    return add_scaled(body.position, -half, axis), velocity, known, q, w


@inlined
def own_equation(t, bar, j, seen, ahead, turning, start, joined, rotary, guess, alone, rig, whole, sys):
    """Equation of a bar and of joint j ahead of it, about the far point.

    seen            what is read of them, as `seen_at` has it
    ahead, turning  what is ahead: place, velocity, known acceleration, turn, spin; and the turn's known acceleration
    start           whether the bar is the cable's first; where the joint behind holds it, which way the line runs along
                    it and whether both of its ends slide on it; whether a joint of the cable was loose in the step
                    before, and in one of the last
    joined          whether what is ahead is joined to it
    rotary          whether joint j has rotation rows
    alone           None where eight are taken side by side (see `can_be_together`)

    Returns
    -------
    one, two       its axes r₁ and r₂
    held           A without the joint behind: its masses, the joint ahead and the seabed under its far end
    force, torque  f and τ, likewise
    reach, lever   from the near point to the far one; what B has of P without the joint behind
    jx, jz         C without joints, about the far point
    far, g, loose  where the joint ahead acts, the gain of its position rows, and whether it is loose
    plain          whether the seabed acts where the joints do; else it is left out here
    down           whether the near end may touch, and then
    weight, push   what the seabed adds to the joint behind
    power, damped  of drag; whether string stiffness damps
    beta           bias of the joint ahead
    first          G₁₁ (6) of the rotation rows ahead
    m_x, m_y, m_z  columns of G₁₂
    second, back   G₂₂ (6) and T₂ᵀβ
    """
    at_start, near_start, way, both, was_slack, lately_slack = start
    row = sys.bar[bar]
    body, pull_behind, pull_ahead, gains, felt, felt_behind, felt_ahead = seen
    p, q, v, w = body.position, body.turn, body.velocity, body.spin
    R, half = rotation(q), 0.5 * row.length
    axis, tilt, swing = axis_of(R), axis_rate(R, w), centripetal(1.0, R, w)
    early = add_scaled(tilt, -sys.scheme.half, swing)
    place, velocity, known, q_next, w_next = ahead
    near = -half
    if at_start:
        near = near_start
    across, along, coupling, jx, jz, force, torque, power = bar_loads(
        t, alone, bar, p, R, v, w, (felt.linear, felt.angular), sys.scheme.drag, sys
    )  # fmt: skip

    # the joint ahead: this bar is body 1
    gdk = gains.gdk
    position, remembered = (gdk[0], gdk[1], gdk[2]), scale(sys.scheme.joint_memory, felt_ahead.parting)
    pulls, loose, caught, far_side = only_pulls(j, sys), False, False, 1.0
    if pulls:
        if not at_start:
            over = (dot(subtract(place, p), axis) < -half) & joined
            way = keep_side(j, False, over, guess, sys)
        far_side = far_end(at_start, way, both)
        if sys.scheme.half > 0.0:
            caught = is_caught(j, was_slack, pull_ahead.force, scale(way, axis), sys)
            position, remembered = caught_form(j, caught, position, remembered, sys)
            caught = caught | lately_slack
    far = far_side * half
    gap = subtract(place, add_scaled(p, far, axis))
    rate_p = subtract(velocity, add_scaled(v, far, early))
    known_p = subtract(known, scale(far, swing))
    whole_gap, slide = gap, 0.0
    if rig is not None:
        slide = end_slide(far_side, row)
        rate_p, known_p = add_scaled(rate_p, -slide, axis), add_scaled(known_p, -2.0 * slide, tilt)
        rate_p = add_scaled(rate_p, 2.0 * sys.scheme.half * slide, tilt)
        if alone is not None:
            gap = unslipped(j, gap, scale(way, axis), sys)
    beta = bias_of(position, add(gap, remembered), rate_p, known_p)
    if pulls:
        loose, slack = judge(j, guess, rig, gap, beta, rate_p, known_p, scale(way, axis), pull_ahead.force, sys)
        if any_lane(slack):
            gap = where(loose, whole_gap, gap)
            far, gap, rate_p, known_p = held_on_bar(
                1.0, loose, far, slide, gap, rate_p, known_p, place, velocity, known, p, v, axis, tilt, early, swing,
                sys,
            )  # fmt: skip
            remembered = where(loose, normal_part(remembered, axis), remembered)
            beta = where(slack, bias_of(position, add(gap, remembered), rate_p, known_p), beta)
        sys.loose[j].offset = far
    g = position[0]
    sys.bias[j].position, sys.bias[j].known = beta, known_p

    # string stiffness of the previous step's tension
    pull_near, pull_far = dot(pull_behind.force, axis), dot(pull_ahead.force, axis)
    if sys.scheme.half > 0.0:
        if only_pulls(j - 1, sys):
            caught = caught | is_caught(j - 1, was_slack, pull_behind.force, scale(way, axis), sys)
        pull_near, pull_far = foreseen(pull_near, felt_behind.tension), foreseen(pull_far, felt_ahead.tension)
    near_side = where(way < 0.0, 1.0 if at_start and both else -1.0, -1.0)
    string = string_stiffness(j - 1, half, way, near_side, far_side, pull_near, pull_far, guess, sys)
    stiff, rate, damped, memory = geometric_stiffness(string, jx, caught, sys)
    jx += stiff
    past = felt.angular
    torque = (torque[0] - rate * w[0] - memory * past[0], torque[1] - rate * w[1] - memory * past[1], 0.0)

    # seabed at both ends: where they are held, unless a joint is loose
    held = across_and_along(across, along, axis)
    one, two = (R[0], R[3], R[6]), (R[1], R[4], R[7])
    reach, lever = far - near, coupling - far * across
    jx += far * (far * across - 2.0 * coupling)
    torque = add(torque, lever_torque(-far, one, two, force))
    plain, down, weight, push = (near == -half) & (far == half), False, ZERO6, ZERO3
    if common(sys.reals[BED_PRESENT]) > 0.0:
        touch_near, touch_far = sys.touch[2 * bar], sys.touch[2 * bar + 1]
        memory_near, memory_far = sys.contact[2 * bar], sys.contact[2 * bar + 1]
        near_gap, far_gap = gaps_ahead(row, half, p, v, axis, tilt, sys)
        pressed_near, pressed_far = fetched_pressed(bar, sys)
        left_near, left_far = where(pressed_near != 0.0, LEFT, 0.0), where(pressed_far != 0.0, LEFT, 0.0)
        touch_near.active, touch_far.active = left_near, left_far
        down = (near_gap < 0.0) | (pressed_near > 0.0)
        if any_lane(down):
            weight, push = press(row, down, left_near, -half, p, v, axis, tilt, swing, memory_near, touch_near, sys)
            down = down & plain
        touches = (far_gap < 0.0) | (pressed_far > 0.0)
        if any_lane(touches):
            more, pressed = press(row, touches, left_far, half, p, v, axis, tilt, swing, memory_far, touch_far, sys)
            held, force = where(plain, (symadd(held, more), add(force, pressed)), (held, force))
    held, force = symadd(held, isotropic(g)), add(force, beta)
    if any_lane(loose):
        held = symadd(held, outer_scaled(where(loose, -g, 0.0), axis))

    # its rotation rows
    first, m_x, m_y, m_z, second, back = ZERO6, ZERO3, ZERO3, ZERO3, ZERO6, ZERO3
    rate_r, known_r = ZERO3, ZERO3
    if whole is not None:
        relative, beta_r = UNTURNED, ZERO3
        if rotary:
            relative, beta_r, rate_r, known_r = rotation_bias(
                gdk, q, w, ZERO3, q_next, w_next, turning, sys.scheme.step, sys.scheme.half
            )
            beta_r = add(beta_r, turned_before(j, gdk, sys))
            first, second = gain_first(gdk[3], gdk[6], relative), gain_second(gdk[3], gdk[6], relative)
            m_x, m_y, m_z = gain_both(gdk[3], gdk[6], relative)
            torque = add(torque, transposed_matvec(turn_of_first(relative), beta_r))
            back = transposed_matvec(turn_of_second(relative), beta_r)
        sys.relative[j].turn, sys.bias[j].rotation, sys.bias[j].turning = relative, beta_r, known_r
    keep_rates(j, rig, rate_p, known_p, rate_r, known_r, sys)
    return (
        one, two, held, force, torque, (reach, lever, jx, jz, far, g), (loose, plain, down), weight, push,
        (power, damped), beta, first, m_x, m_y, m_z, second, back,
    )  # fmt: skip


@inlined
def equation_at(t, c, i, start, guess, rig, whole, sys):
    """`own_equation` of bar i of cable c."""
    cable = sys.cable[c]
    bar, last = cable.first + i, i + 1 == cable.count
    turning, joined, rotary = ZERO3, True, cable.rotary == 1
    seen, next = seen_at(bar, bar + c + 1, sys), fetched_bar(bar if last else bar + 1, sys)
    if not last:
        place, velocity, known, q, w = place_ahead(bar + 1, next, rig, sys)
    else:
        place, velocity, known, q, w, turning = joined_end(2 * c + 1, sys)
        joined, rotary = is_attached(2 * c + 1, sys), is_clamped(2 * c + 1, sys)
    ahead = place, velocity, known, q, w
    return own_equation(t, bar, bar + c + 1, seen, ahead, turning, start, joined, rotary, guess, True, rig, whole, sys)


@inlined
def keep_ready(found, whole, ready):
    """Put an equation where the elimination reads it."""
    ready.one, ready.two, ready.held, ready.force, ready.torque = found[:5]
    ready.reach, ready.lever, ready.jx, ready.jz, ready.far, ready.g = found[5]
    loose, plain, down = found[6]
    ready.loose, ready.plain, ready.down = where(loose, 1.0, 0.0), where(plain, 1.0, 0.0), where(down, 1.0, 0.0)
    if any_lane(down):
        ready.weight, ready.push = found[7:9]
    ready.power, ready.damped = found[9]
    ready.beta = found[10]
    if whole is not None:
        ready.first, ready.m_x, ready.m_y, ready.m_z, ready.second, ready.back = found[11:]


@inlined
def kept_ready(whole, ready):
    """An equation as `own_equation` gives it."""
    loose, plain, down = ready.loose > 0.5, ready.plain > 0.5, ready.down > 0.5
    weight, push = ZERO6, ZERO3
    if down:
        weight, push = ready.weight, ready.push
    first, m_x, m_y, m_z, second, back = ZERO6, ZERO3, ZERO3, ZERO3, ZERO6, ZERO3
    if whole is not None:
        first, second, back = ready.first, ready.second, ready.back
        m_x, m_y, m_z = ready.m_x, ready.m_y, ready.m_z
    return (
        ready.one, ready.two, ready.held, ready.force, ready.torque,
        (ready.reach, ready.lever, ready.jx, ready.jz, ready.far, ready.g), (loose, plain, down), weight, push,
        (ready.power, ready.damped), ready.beta, first, m_x, m_y, m_z, second, back,
    )  # fmt: skip


@inlined
def can_be_together(bar, j, rig, whole, rows, sys):
    """Whether eight bars from `bar` on are alike in what decides the way they are computed: their own, the joints ahead
    of them and the one behind the first."""
    if not are_alike(bar, rows, sys):
        return False
    joints, behind = rows.joint[j], rows.joint[j - 1]
    pulls = common(joints.one_way)
    alike = (joints.one_way == pulls) & (behind.one_way == pulls)
    if rig is not None:
        alike = alike & (joints.rope < 0.0)
    else:
        c = joints.damping
        damped = c[0] + c[1] + c[2] > 0.0
        alike = alike & (all_lanes(damped) | (not damped))
    if whole is not None:
        gains = rows.row[j].gdk
        untwisted = (gains[6] == 0.0) & (gains[7] == 0.0) & (gains[8] == 0.0)
        alike = alike & (all_lanes(untwisted) | (not untwisted))
    return all_lanes(alike)


@kernel
def make_ready(t, c, i, start, guess, rig, whole, rows, sys):
    """Make bar i of cable c ready, with up to seven more; from which one on, and up to where, they are.

    Bars at the ends of a cable are taken alone, and so are all over a surveyed bed.
    """
    cable = sys.cable[c]
    begin = min(i, cable.count - 1 - WIDTH)
    if i > 0 and i + 1 < cable.count and begin > 0:
        bar = cable.first + begin
        if can_be_together(bar, bar + c + 1, rig, whole, rows, sys):
            inner = False, 0.0, 1.0, False, was_loose(c, sys), was_lately_loose(c, sys)
            seen, ahead = seen_at(bar, bar + c + 1, rows), place_ahead(bar + 1, rows.bar_state[bar + 1], rig, rows)
            found = own_equation(
                t, bar, bar + c + 1, seen, ahead, ZERO3, inner, True, cable.rotary == 1, guess, None, rig, whole, rows,
            )  # fmt: skip
            keep_ready(found, whole, eight_of(sys.ready))
            return begin, begin + WIDTH
    keep_ready(equation_at(t, c, i, start, guess, rig, whole, sys), whole, one_of(sys.ready, 0))
    return i, i + 1
