"""A cable eliminated in one pass: forces → joint → eliminate bar i → what is left goes into bar i+1.

What lies behind a joint is seen by the next bar as an *effective joint* to ground: an impedance E (position and
rotation rows) and a bias β′. Each bar is taken about the point where the joint ahead holds it, and its turns are
eliminated first (`elimination`), so that with the stiffness g of the joint ahead and the mobility N of that point

    E = g·1 − g²N,      β′ = β − g·x₀ .

N, V, C⁻¹, f̂ and α₀ (up to 27 numbers) are kept for the way back. `whole` is None where all cables are pinned: then the
rotation rows, and the bars' turns about their own axes, are not even compiled. The page `docs/theory/bars_sweep`
explains the sweep.
"""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.eights import one_of
from fairlead.algebra.lanes import all_lanes, any_lane, common, where
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import arrived, expected, taken
from fairlead.algebra.small import (
    add, add_scaled, cross, dot, matvec, outer_scaled, scale, subtract, symadd, symvec, transposed_matvec,
)  # fmt: skip
from fairlead.sea.water import BED_PRESENT

from .assembly import equation_at, kept_ready, make_ready
from .element import axis_of, axis_rate, centripetal, contact_weight, is_touching
from .elimination import (
    accelerations, dots, eliminate_pinned, eliminate_rotary, free_accelerations, gain_second, hand_over,
    hand_over_turns, isotropic, keep_pinned, kept_spin, keep_rotary, lever_torque, levered,
)  # fmt: skip
from .ends import hub_lever, joined_end
from .fetching import fetch_bar, fetch_gains, fetch_pressed, fetch_pull
from .joint import bias_of, rotation_bias, turn_of_first, turn_of_second, turned_before
from .loosening import (
    across_both, caught_form, end_slide, first_turned_over, held_across, held_along, held_at, held_gain, held_on_bar,
    is_caught, is_held_caught, is_held_loose, judge, keep_side, normal_part, only_pulls, reconsider, was_lately_loose,
    was_loose,
)  # fmt: skip
from .multipliers import keep_multiplier, keep_rates
from .ropes import unslipped
from .slider import ROWS, growth_of, slider_rows
from .topology import is_clamped

ZERO3 = (0.0, 0.0, 0.0)
ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
ZERO9 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
UNTURNED = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@inlined
def ask_ahead(after_next, next, joint, sys):
    """Ask for what the way forward reads of the bars and the joint it comes to."""
    fetch_bar(after_next, sys)
    fetch_pull(joint, sys)
    fetch_gains(joint, sys)
    fetch_pressed(next, sys)
    expected(sys.bar_felt.linear, next, 6)
    expected(sys.joint_felt.parting, joint, 4)


@inlined
def seen_behind(bar, joint, sys):
    """What the way back reads of a bar and a joint."""
    return (
        taken(sys.factor[bar]), taken(sys.bar_state[bar]), taken(sys.multipliers[joint]), taken(sys.bias[joint]),
        taken(sys.row[joint]), taken(sys.loose[joint]), taken(sys.bar[bar]), only_pulls(joint, sys),
        taken(sys.joint_felt[joint]),
    )  # fmt: skip


@inlined
def expect_behind(bar, joint, sys):
    """The same of those it comes to after the next."""
    expected(sys.factor.mobility, bar, 17)
    expected(sys.bar_state.turn, bar, 4)
    expected(sys.multipliers.force, joint, 3)
    expected(sys.bias.position, joint, 3)
    expected(sys.bias.known, joint, 3)
    expected(sys.row.gdk, joint, 3)
    expected(sys.loose.loose, joint, 8)
    expected(sys.joint_felt.tension, joint, 1)


@kernel
def forward(c, t, guess, rig, whole, rows, sys):
    """Eliminate the bars of cable c from its first to its last.

    Leaves the factors of each bar, and the biases and relative turns of each joint, in `work`. Returns the effective
    joint towards the end's hub: E of its position rows, E_pr T₂ and T₂ᵀ E_rr T₂ (9 and 6), β′ and T₂ᵀβ′; it has no
    meaning when the end is a prescribed point, whose acceleration is already in the last bar's equations. `guess`:
    whether joints that only pull are loose by what is known beforehand, or as `loosening` has left them. `rig` is None
    where there are no rings and winches, `whole` where all cables are pinned (see `run`), `rows` where bars are made
    ready one by one (`assembly`).
    """
    cable = sys.cable[c]
    first, count = cable.first, cable.count
    rotary_cable = cable.rotary == 1
    bed = common(sys.reals[BED_PRESENT]) > 0.0

    # the joint at the start: the point is body 1, bar 0 is body 2
    place, velocity, known, q_other, w_other, turning = joined_end(2 * c, sys)
    j = first + c
    row = sys.row[j].gdk
    body = sys.bar_state[first]
    p, q, v, w = body.position, body.turn, body.velocity, body.spin
    R = rotation(q)
    axis, tilt, swing = axis_of(R), axis_rate(R, w), centripetal(1.0, R, w)
    early = add_scaled(tilt, -sys.scheme.half, swing)
    half = 0.5 * sys.bar[first].length
    slides, way, was_slack = only_pulls(j, sys), 1.0, was_loose(c, sys)
    if only_pulls(j + 1, sys):
        way = keep_side(j + 1, True, first_turned_over(c, sys), guess, sys)
    near_side = -way if slides else -1.0
    near = near_side * half
    gap = subtract(add_scaled(p, near, axis), place)
    rate_p = subtract(add_scaled(v, near, early), velocity)
    known_p = subtract(scale(near, swing), known)
    whole_gap, slide = gap, 0.0
    if rig is not None:
        slide = end_slide(near_side, sys.bar[first])
        rate_p, known_p = add_scaled(rate_p, slide, axis), add_scaled(known_p, 2.0 * slide, tilt)
        rate_p = add_scaled(rate_p, -2.0 * sys.scheme.half * slide, tilt)
        gap = unslipped(j, gap, scale(way, axis), sys)
    position, remembered = (row[0], row[1], row[2]), scale(sys.scheme.joint_memory, sys.joint_felt[j].parting)
    if slides and sys.scheme.half > 0.0:
        caught = is_caught(j, was_slack, sys.multipliers[j].force, scale(way, axis), sys)
        position, remembered = caught_form(j, caught, position, remembered, sys)
    pull = bias_of(position, add(gap, remembered), rate_p, known_p)
    behind = isotropic(position[0])
    if slides:
        loose, slack = judge(j, guess, rig, gap, pull, rate_p, known_p, scale(way, axis), sys.multipliers[j].force, sys)
        if any_lane(slack):
            gap = where(loose, whole_gap, gap)
            near, gap, rate_p, known_p = held_on_bar(
                -1.0, loose, near, slide, gap, rate_p, known_p, place, velocity, known, p, v, axis, tilt, early, swing,
                sys,
            )  # fmt: skip
            remembered = where(loose, normal_part(remembered, axis), remembered)
            pull = where(slack, bias_of(position, add(gap, remembered), rate_p, known_p), pull)
            behind = where(loose, held_across(position[0], axis), behind)
        sys.loose[j].offset = near
    sys.bias[j].position, sys.bias[j].known = pull, known_p
    rotary, relative = False, UNTURNED
    beta_r, rate_r, known_r = ZERO3, ZERO3, ZERO3
    mixed_x, mixed_y, mixed_z, turned, moment = ZERO3, ZERO3, ZERO3, ZERO6, ZERO3
    if whole is not None:
        rotary = is_clamped(2 * c, sys)
        if rotary:
            relative, beta_r, rate_r, known_r = rotation_bias(
                row, q_other, w_other, turning, q, w, ZERO3, sys.scheme.step, sys.scheme.half
            )
            beta_r = add(beta_r, turned_before(j, row, sys))
            turned, moment = gain_second(row[3], row[6], relative), transposed_matvec(turn_of_second(relative), beta_r)
        sys.relative[j].turn, sys.bias[j].rotation, sys.bias[j].turning = relative, beta_r, known_r
    keep_rates(j, rig, rate_p, known_p, rate_r, known_r, sys)

    power, steps_damped = 0.0, 0.0
    ridden = sys.riders > 0 and cable.rider_count > 0
    begin, end = 0, 0
    arrived(sys)  # what the cable before has asked for in vain
    fetch_bar(first, sys)
    fetch_pull(first + c, sys)
    ask_ahead(first + min(1, count - 1), first, first + c + 1, sys)
    arrived(sys)
    for i in range(count):
        bar, left = cable.first + i, cable.count - 1 - i  # read anew: a GPU has no registers left to keep them in
        ask_ahead(bar + min(2, left), bar + min(1, left), bar + c + 1 + min(1, left), sys)
        arrived(sys)
        start = i == 0, near, way, slides, was_slack, was_lately_loose(c, sys)
        if rows is None:
            found = equation_at(t, c, i, start, guess, rig, whole, sys)
        else:
            if i >= end:
                begin, end = make_ready(t, c, i, start, guess, rig, whole, rows, sys)
            found = kept_ready(whole, one_of(sys.ready, i - begin))
        one, two, held, force, torque, sizes, (loose, plain, down), weight, push, books, beta = found[:11]
        reach, lever, jx, jz, far, g = sizes
        power += books[0]
        steps_damped += books[1]
        way = 1.0  # the line runs forward along all others

        # with the joint and the seabed behind
        if any_lane(down):
            behind, pull = where(down, (symadd(behind, weight), subtract(pull, push)), (behind, pull))
        b_x, b_y, (c_xx, c_xy, c_yy) = levered(behind, -reach, one, two)
        b_x, b_y = add_scaled(b_x, -lever, two), add_scaled(b_y, lever, one)
        c_xx, c_yy = c_xx + jx, c_yy + jx
        a = symadd(held, behind)
        torque = add(torque, lever_torque(reach, one, two, pull))
        force = subtract(force, pull)
        if bed and not all_lanes(plain):
            a, b_x, b_y, (c_xx, c_xy, c_yy), force, torque = add_contacts(
                bar, not plain, far, one, two, a, b_x, b_y, (c_xx, c_xy, c_yy), force, torque, sys
            )

        # eliminate: its turns, then the far point
        kept = sys.factor[bar]
        if whole is None:
            mobility, v_x, v_y, inverse, force, spin = eliminate_pinned(a, b_x, b_y, (c_xx, c_xy, c_yy), force, torque)
            keep_pinned(kept, ridden, mobility, v_x, v_y, inverse, force, spin)
            x = symvec(mobility, force)
        else:
            into_turns, m_x, m_y, m_z, second, back = found[11:]
            b_z, turns = ZERO3, (c_xx, c_xy, 0.0, c_yy, 0.0, jz)
            if rotary:
                turns = symadd(turns, symadd(turned, mixed_turns(reach, one, two, mixed_x, mixed_y, mixed_z)))
                b_x, b_y, b_z = add(b_x, mixed_x), add(b_y, mixed_y), mixed_z
                torque = subtract(torque, moment)
            if rig is not None:
                for r in range(cable.riders, cable.riders + cable.rider_count):
                    ring = sys.rider[r].slider
                    if ring >= 0 and sys.ring_state[ring].on_bar == bar:
                        slider_rows(ring, i, guess, sys)
                        own = subtract(add(force, pull), beta)
                        swung = dots(mixed_x, mixed_y, mixed_z, cross(one, two)) if rotary else ZERO3
                        keep_shortening(ring, bar, behind, pull, own, swung, reach, one, two, sys)
                        for m in range(ROWS * ring, ROWS * ring + ROWS):
                            held_by = sys.ring_row[m]
                            both, k = add(held_by.near, held_by.far), held_by.g
                            turned_by = lever_torque(reach, one, two, held_by.near)
                            a, turns = symadd(a, outer_scaled(k, both)), symadd(turns, outer_scaled(k, turned_by))
                            b_x = add_scaled(b_x, -k * turned_by[0], both)
                            b_y = add_scaled(b_y, -k * turned_by[1], both)
                            force = add_scaled(force, held_by.bias, both)
                            torque = add_scaled(torque, -held_by.bias, turned_by)
            rotary = is_clamped(2 * c + 1, sys) if left == 0 else rotary_cable
            if rotary:
                turns = symadd(turns, into_turns)
            mobility, v_x, v_y, v_z, inverse, force, spin = eliminate_rotary(a, b_x, b_y, b_z, turns, force, torque)
            keep_rotary(kept, mobility, v_x, v_y, v_z, inverse, force, spin)
            x = symvec(mobility, force)
            mixed_x, mixed_y, mixed_z, turned, moment = ZERO3, ZERO3, ZERO3, ZERO6, ZERO3
            if rotary:
                mixed_x, mixed_y, mixed_z, turned, given = hand_over_turns(
                    g, m_x, m_y, m_z, second, mobility, v_x, v_y, v_z, inverse, spin, x
                )
                moment = subtract(back, given)
                if any_lane(loose):
                    axis = cross(one, two)
                    mixed_x = where(loose, normal_part(mixed_x, axis), mixed_x)
                    mixed_y = where(loose, normal_part(mixed_y, axis), mixed_y)
                    mixed_z = where(loose, normal_part(mixed_z, axis), mixed_z)

        # what the next bar sees behind it
        behind, pull = hand_over(g, mobility), add_scaled(beta, -g, x)
        if any_lane(loose):
            axis = cross(one, two)
            behind, pull = where(loose, (across_both(behind, axis), normal_part(pull, axis)), (behind, pull))
    sys.ledger.drag += sys.scheme.book * power
    sys.ledger.steps += count
    sys.ledger.steps_damped += steps_damped
    mixed = (
        mixed_x[0], mixed_y[0], mixed_z[0], mixed_x[1], mixed_y[1], mixed_z[1], mixed_x[2], mixed_y[2], mixed_z[2],
    )  # fmt: skip
    return behind, mixed, turned, pull, moment


@kernel
def keep_shortening(ring, bar, behind, pull, own, mixed, reach, one, two, sys):
    """Keep what the acceleration c̈ of the length of a bar that a ring bends has to do with that bar, whose near end
    then has the acceleration −c̈t beside that of the far end, and its middle half of that.

    behind, pull, mixed  of the joint behind: E, β′ and (E_pr T₂)ᵀt
    own                  loads on the bar
    """
    axis, kept, mass = cross(one, two), sys.ring_rows[ring], sys.bar[bar].mass
    held = symvec(behind, axis)
    kept.own, kept.rhs = dot(axis, held) + 0.25 * mass, dot(axis, pull) - 0.5 * dot(axis, own)
    kept.force = add_scaled(held, 0.5 * mass, axis)
    kept.torque = add(lever_torque(-reach, one, two, held), mixed)


@kernel
def add_contacts(bar, elsewhere, far, one, two, a, b_x, b_y, c, force, torque, sys):
    """Add the seabed under the ends of a bar where it is held `elsewhere`, each at its own lever from the far point."""
    if not any_lane(elsewhere & is_touching(bar, sys)):
        return a, b_x, b_y, c, force, torque
    body, half = sys.bar_state[bar], 0.5 * sys.bar[bar].length
    swing = centripetal(1.0, rotation(body.turn), body.spin)
    for side in range(2):
        kept = sys.touch[2 * bar + side]
        acts = elsewhere & (kept.active > 0.5)
        if any_lane(acts):
            o = half if side == 1 else -half
            weight, push = where(acts, contact_weight(kept, o, swing), (ZERO6, ZERO3))
            more_x, more_y, more = levered(weight, o - far, one, two)
            a, b_x, b_y = symadd(a, weight), add(b_x, more_x), add(b_y, more_y)
            c = add(c, more)
            force, torque = add(force, push), add(torque, lever_torque(o - far, one, two, push))
    return a, b_x, b_y, c, force, torque


@inlined
def mixed_turns(reach, one, two, mixed_x, mixed_y, mixed_z):
    """What E_pr T₂ adds to C at the lever −reach: −reach (PᵀM + MᵀP), P = [−r₂, r₁, 0]; six numbers."""
    x = (reach * dot(two, mixed_x), reach * dot(two, mixed_y), reach * dot(two, mixed_z))
    y = (-reach * dot(one, mixed_x), -reach * dot(one, mixed_y), -reach * dot(one, mixed_z))
    return (2.0 * x[0], x[1] + y[0], x[2], 2.0 * y[1], y[2], 0.0)


@kernel
def carried_column(at, sys):
    """Force and torque of a column of N that begins at number `at` of what is carried."""
    n = sys.carry
    return (
        (n[at].value, n[at + 6].value, n[at + 12].value), (n[at + 18].value, n[at + 24].value, n[at + 30].value),
    )  # fmt: skip


@kernel
def boarding(r, first, sys):
    """Element (sweep order) from which on rider r is carried: where its ring is; a hub at the cable's start: 0."""
    ring = sys.rider[r].slider
    return int(common(sys.ring_state[ring].on_bar)) - first if ring >= 0 else 0


@kernel
def carried_load(cable, i, force, torque, sys):
    """Force and torque about the far point on bar i of a cable, with what the accelerations of its riders add."""
    for r in range(cable.riders, cable.riders + cable.rider_count):
        if i >= boarding(r, cable.first, sys):
            block, hub = 36 * (sys.rider[r].carried + i), sys.hub_rhs[sys.rider[r].hub]
            for m in range(6):
                share = hub.linear[m] if m < 3 else hub.angular[m - 3]
                along, about = carried_column(block + m, sys)
                force, torque = add_scaled(force, share, along), add_scaled(torque, share, about)
    return force, torque


@kernel
def backward(c, wrong, single, rig, whole, sys):
    """Accelerations of the bars of cable c and the multipliers of its joints, from its last bar to its first.

    Returns how many joints that only pull have to go slack or to come taut, with those `wrong` in the cables before;
    they do so as `reconsider` has it.
    """
    cable = sys.cable[c]
    first, count, ridden = cable.first, cable.count, sys.riders > 0 and cable.rider_count > 0
    ahead, angular = ZERO3, ZERO3  # of the body ahead; a prescribed point's acceleration is already in the bias
    if cable.end_hub >= 0:
        end_hub = sys.hub_rhs[cable.end_hub]
        ahead = add(end_hub.linear, matvec(hub_lever(2 * c + 1, sys), end_hub.angular))
        if whole is not None:
            angular = transposed_matvec(rotation(sys.end[2 * c + 1].frame), end_hub.angular)
    axis = ZERO3
    coming = seen_behind(first + count - 1, first + c + count, sys)
    for back in range(count):
        i = count - 1 - back
        j = first + c + i + 1
        kept, body, before, bias, gains, held, bar, pulls, past = coming
        coming = seen_behind(first + max(i - 1, 0), j - 1, sys)
        expect_behind(first + max(i - 2, 0), max(j - 2, first + c), sys)
        row = gains.gdk
        R = rotation(body.turn)
        axis = axis_of(R)
        half = 0.5 * bar.length
        g = held_gain(pulls, held, row, sys)
        far, loose = held_at(pulls, half, held), is_held_loose(pulls, held)
        drawn = ahead
        if any_lane(loose):
            drawn = where(loose, normal_part(ahead, axis), ahead)
        force, torque, spin_ahead = scale(g, drawn), ZERO3, ZERO3
        rotary, turn1 = False, ZERO9
        if whole is not None:
            rotary = cable.rotary == 1 if back > 0 else is_clamped(2 * c + 1, sys)
            if rotary:
                relative = sys.relative[j].turn
                turn1, spin_ahead = turn_of_first(relative), matvec(turn_of_second(relative), angular)
                moment = (row[3] * spin_ahead[0], row[3] * spin_ahead[1], row[6] * spin_ahead[2])
                torque = transposed_matvec(turn1, moment)
        if ridden:
            force, torque = carried_load(cable, i, force, torque, sys)
        if whole is not None or ridden:
            full = sys.factor[first + i]
            x, angular = accelerations(whole, full, add(full.force, force), torque, kept_spin(whole, full))
        else:
            x, angular = free_accelerations(kept, add(kept.force, force))
        parting, turning = subtract(ahead, x), ZERO3
        if rotary:
            turning = subtract(spin_ahead, matvec(turn1, angular))
        moved = parting
        if any_lane(loose):
            moved = where(loose, normal_part(parting, axis), parting)
        keep_multiplier(j, rig, whole, g, row, bias, moved, turning, loose, is_held_caught(pulls, held), sys)
        if pulls:
            line = held_along(pulls, axis, held)
            wrong = reconsider(
                j, first + i, rig, g, held, before.force, past.tension, dot(parting, line), line, wrong, single, sys
            )
        bend = axis_rate(R, angular)
        near = held_at(coming[7], -half, coming[5]) if i == 0 else -half
        out = sys.acceleration[first + i]
        out.linear, out.angular = add_scaled(x, -far, bend), angular
        ahead = add_scaled(x, near - far, bend)
        if rig is not None and ridden:
            grows = growth_of(first + i, cable, sys)
            out.linear, ahead = add_scaled(out.linear, -0.5 * grows, axis), add_scaled(ahead, -grows, axis)
    j = first + c
    _, _, before, bias, gains, held, _, pulls, past = coming
    row = gains.gdk
    g = held_gain(pulls, held, row, sys)
    behind, spin_behind, spin = ZERO3, ZERO3, ZERO3
    rotary = False
    if cable.start_hub >= 0:
        start_hub = sys.hub_rhs[cable.start_hub]
        behind = add(start_hub.linear, matvec(hub_lever(2 * c, sys), start_hub.angular))
    if whole is not None:
        rotary = is_clamped(2 * c, sys)
        if rotary:
            relative = sys.relative[j].turn
            spin = matvec(turn_of_second(relative), angular)
            if cable.start_hub >= 0:
                hub_spin = transposed_matvec(rotation(sys.end[2 * c].frame), sys.hub_rhs[cable.start_hub].angular)
                spin_behind = matvec(turn_of_first(relative), hub_spin)
    parting = subtract(ahead, behind)
    moved, loose = parting, is_held_loose(pulls, held)
    if any_lane(loose):
        moved = where(loose, normal_part(parting, axis), parting)
    turning, caught = subtract(spin, spin_behind), is_held_caught(pulls, held)
    keep_multiplier(j, rig, whole, g, row, bias, moved, turning, loose, caught, sys)
    if pulls:
        line = held_along(pulls, axis, held)
        wrong = reconsider(
            j, first, rig, g, held, before.force, past.tension, dot(parting, line), line, wrong, single, sys
        )
    return wrong
