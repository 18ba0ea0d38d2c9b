"""A cable eliminated in one pass: forces → joint → eliminate bar i → Schur complement into bar i+1.

What lies behind a joint is seen by the next bar as an *effective joint* to ground: an impedance E (6×6, position
and rotation rows) and a bias β′. With D the 6×6 matrix of bar i including both its joints, J its end's Jacobian,

    E = G − G (J D⁻¹ Jᵀ) G,      β′ = β − G J D⁻¹ r,

so the whole of a cable to the left of bar i+1 costs one 6×6 inverse. D⁻¹ is never formed: with the blocks
D = [[A, B], [Bᵀ, C]], X = A⁻¹B and S = C − BᵀX, the end's mobility is

    J D⁻¹ Jᵀ = [[A⁻¹ + Y S⁻¹ Yᵀ,  Y S⁻¹ T₁ᵀ], [·,  T₁ S⁻¹ T₁ᵀ]],     Y = U − X,  J = [[1, U], [0, T₁]].

A⁻¹, X, S⁻¹ and r (27 numbers) are kept for the way back. The page `docs/theory/bars` explains the sweep.
"""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import (
    add, add_scaled, cross, dot, matadd, matmul, matsym, matvec, outer_scaled, scale, subtract, symadd, symmat,
    symmetric_inverse, symmetric_product, symsubtract, symvec, transpose, transposed_matvec,
    transposed_symmetric_product,
)  # fmt: skip

from .element import (
    axis_of, axis_rate, bar_loads, bed_contact, centripetal, end_offset_columns, offset_torque, point_velocity,
)  # fmt: skip
from .ends import hub_lever, lever_columns, point_of_end
from .joint import position_bias, rotation_bias, turn_of_first, turn_of_second
from .loosening import (
    across_both, across_rows, acts_at, along_line, end_slide, far_end, held_across, is_loose, judge, normal_part,
    only_pulls, reconsider, set_side, string_stiffness,
)  # fmt: skip
from .schema import AUTO, DAMPED, RULE, UNDAMPED
from .slider import slider_rows
from .topology import is_clamped

ZERO3 = (0.0, 0.0, 0.0)
ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
ZERO9 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
UNTURNED = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@inlined
def geometric_stiffness(k_geo, jx, sys):
    """Addition to the transverse inertia and rate damping that carry the string stiffness of the tension.

    undamped: h²k/4 (no numerical damping); damped: h²k and a torque −h k w. `auto` takes the undamped form while
    h < 2/ω with ω² = k/J, the damped one beyond and always when θ < 1, which by itself feeds such motions.
    """
    mode = sys.scheme.geometric
    h = sys.scheme.step
    stiff = h * h * k_geo
    if mode == AUTO:
        mode = UNDAMPED if stiff < 4.0 * jx and sys.scheme.theta == 1.0 else DAMPED
    if mode == UNDAMPED:
        return 0.25 * stiff, 0.0
    if mode == DAMPED:
        sys.ledger.steps_damped += 1.0
        return stiff, h * k_geo
    return 0.0, 0.0


@kernel
def forward(c, t, guess, rig, sys):
    """Eliminate the bars of cable c from its first to its last.

    Leaves the factors of each bar, and the biases and relative turns of each joint, in `work`. Returns the
    effective joint towards the end's hub: E (position, mixed, rotation blocks) and β′ (position, rotation); it has
    no meaning when the end is a prescribed point, whose acceleration is already in the last bar's equations. `guess`:
    whether joints that only pull are loose by what is known beforehand, or as `loosening` has left them. `rig` is None
    where there are no rings and winches (see `run`).
    """
    cable = sys.cable[c]
    first, count = cable.first, cable.count
    rotary_cable = cable.rotary == 1
    riders = cable.riders
    h_drag = sys.scheme.drag

    # the joint at the start: the point is body 1, bar 0 is body 2
    place1, velocity1, known1, q1, w1, turning = point_of_end(2 * c, sys)
    j = first + c
    row = sys.row[j].gdk
    rotary = is_clamped(2 * c, sys)

    body = sys.bar_state[first]
    p, q, v, w = body.position, body.turn, body.velocity, body.spin
    R = rotation(q)
    half = 0.5 * sys.bar[first].length
    way, slides = set_side(c, 0, guess, sys), only_pulls(j, sys)
    end_side = -way if slides else -1.0
    near = end_side * half
    place = add_scaled(p, near, axis_of(R))
    slide = end_slide(end_side, sys.bar[first])
    velocity = add_scaled(point_velocity(near, R, v, w), slide, axis_of(R))
    known = add_scaled(centripetal(near, R, w), 2.0 * slide, axis_rate(R, w))
    beta_p, rate_p, known_p = position_bias(row, place1, velocity1, known1, place, velocity, known)
    beta_r, rate_r, known_r = ZERO3, ZERO3, ZERO3
    relative = UNTURNED
    turn2 = ZERO9
    e_pp = (row[0], 0.0, 0.0, row[0], 0.0, row[0])
    e_pr = ZERO9
    e_rr = ZERO6
    line = scale(way, axis_of(R))
    if slides and judge(j, guess, beta_p, rate_p, known_p, line, sys):
        axis = axis_of(R)
        near += dot(subtract(place1, place), axis)
        place, velocity = add_scaled(p, near, axis), point_velocity(near, R, v, w)
        slide = dot(subtract(velocity1, v), axis)
        known = add_scaled(centripetal(near, R, w), 2.0 * slide, axis_rate(R, w))
        beta_p, rate_p, known_p = position_bias(row, place1, velocity1, known1, place, velocity, known)
        beta_p, rate_p, known_p = normal_part(beta_p, axis), normal_part(rate_p, axis), normal_part(known_p, axis)
        e_pp = held_across(row[0], axis)
    if slides:
        sys.loose[j].offset = near
    if rotary:
        relative, beta_r, rate_r, known_r = rotation_bias(row, q1, w1, turning, q, w, ZERO3, sys.scheme.step)
        turn2 = turn_of_second(relative)
        e_rr = (row[3], 0.0, 0.0, row[3], 0.0, row[6])
    keep_joint(j, beta_p, beta_r, relative, rate_p, rate_r, known_p, known_r, sys)

    power = 0.0
    for i in range(count):
        bar = sys.bar[first + i]
        axis = axis_of(R)
        across, along, coupling, jx, jz, force, torque, drag_power = bar_loads(t, bar, p, R, v, w, h_drag, sys)
        power += drag_power

        if i > 0:
            way = set_side(c, i, guess, sys)
        end_side = far_end(i, way, slides)
        pull_near, pull_far = dot(sys.multipliers[j].force, axis), dot(sys.multipliers[j + 1].force, axis)
        near_side = 1.0 if i == 0 and slides and way < 0.0 else -1.0
        string = string_stiffness(j, half, way, near_side, end_side, pull_near, pull_far, sys)
        stiff, rate = geometric_stiffness(string, jx, sys)
        jx += stiff
        torque = (torque[0] - rate * w[0], torque[1] - rate * w[1], torque[2])

        a = symadd((across, 0.0, 0.0, across, 0.0, across), outer_scaled(along - across, axis))
        b = end_offset_columns(coupling, R)
        s = (jx, 0.0, 0.0, jx, 0.0, jz)

        # seabed at both ends
        for side in range(2):
            o = half if side == 1 else -half
            end = add_scaled(p, o, axis)
            end_velocity = point_velocity(o, R, v, w)
            active, g, bias, shear, friction, n = bed_contact(
                bar, end, end_velocity, sys.contact[2 * (first + i) + side], sys
            )
            kept = sys.touch[2 * (first + i) + side]
            kept.active = 1.0 if active else 0.0
            if active:
                kept.normal_g, kept.normal_bias, kept.shear_g = g, bias, shear
                kept.friction = friction
                known = centripetal(o, R, w)
                push = symadd((shear, 0.0, 0.0, shear, 0.0, shear), outer_scaled(g - shear, n))
                f = subtract(add_scaled(friction, -bias, n), symvec(push, known))
                columns = end_offset_columns(o, R)
                pushed = symmat(push, columns)
                a = symadd(a, push)
                b = matadd(b, pushed)
                s = symadd(s, transposed_symmetric_product(columns, pushed))
                force = add(force, f)
                torque = add(torque, offset_torque(o, R, f))

        # rings on this bar
        if rig is not None:
            for r in range(riders, riders + cable.rider_count):
                ring = sys.rider[r].slider
                if ring >= 0 and sys.ring_state[ring].on_bar == first + i:
                    offset, g, g_along, bias = slider_rows(ring, i, half, p, R, v, w, sys)
                    held = symadd((g, 0.0, 0.0, g, 0.0, g), outer_scaled(g_along - g, axis))
                    columns = lever_columns(offset, R)
                    block = symmat(held, columns)
                    a = symadd(a, held)
                    b = matadd(b, block)
                    s = symadd(s, transposed_symmetric_product(columns, block))
                    force = add(force, matvec(R, bias))
                    torque = add(torque, cross(offset, bias))

        # the joint behind: an effective joint to ground at offset −half, or where it is loose
        columns = end_offset_columns(near, R)
        a = symadd(a, e_pp)
        block = symmat(e_pp, columns)
        s = symadd(s, transposed_symmetric_product(columns, block))
        force = subtract(force, beta_p)
        torque = subtract(torque, offset_torque(near, R, beta_p))
        if rotary:
            mixed = matmul(e_pr, turn2)
            block = matadd(block, mixed)
            cross_term = matmul(transpose(columns), mixed)
            s = symadd(s, symmetric_sum(cross_term))
            s = symadd(s, transposed_symmetric_product(turn2, symmat(e_rr, turn2)))
            torque = subtract(torque, transposed_matvec(turn2, beta_r))
        b = matadd(b, block)

        # the joint ahead: bar i is body 1
        j += 1
        far = end_side * half
        end = add_scaled(p, far, axis)
        slide = end_slide(end_side, bar)
        end_velocity = add_scaled(point_velocity(far, R, v, w), slide, axis)
        end_known = add_scaled(centripetal(far, R, w), 2.0 * slide, axis_rate(R, w))
        turning = ZERO3
        q_here, v_here, w_here, R_here = q, v, w, R
        row = sys.row[j].gdk
        if i + 1 < count:
            rotary = rotary_cable
            body = sys.bar_state[first + i + 1]
            p, q, v, w = body.position, body.turn, body.velocity, body.spin
            R = rotation(q)
            half = 0.5 * sys.bar[first + i + 1].length
            near = -half
            place = add_scaled(p, -half, axis_of(R))
            slide = end_slide(-1.0, sys.bar[first + i + 1])
            velocity = add_scaled(point_velocity(-half, R, v, w), slide, axis_of(R))
            known = add_scaled(centripetal(-half, R, w), 2.0 * slide, axis_rate(R, w))
        else:
            rotary = is_clamped(2 * c + 1, sys)
            place, velocity, known, q, w, turning = point_of_end(2 * c + 1, sys)
        g = row[0]
        beta_p, rate_p, known_p = position_bias(row, end, end_velocity, end_known, place, velocity, known)
        beta_r, rate_r, known_r = ZERO3, ZERO3, ZERO3
        relative = UNTURNED
        a = (a[0] + g, a[1], a[2], a[3] + g, a[4], a[5] + g)
        line = scale(way, axis)
        loose = only_pulls(j, sys) and judge(j, guess, beta_p, rate_p, known_p, line, sys)
        if loose:
            beyond = dot(subtract(place, end), axis)
            far += beyond
            end, end_velocity = add_scaled(end, beyond, axis), point_velocity(far, R_here, v_here, w_here)
            slide = dot(subtract(velocity, v_here), axis)
            end_known = add_scaled(centripetal(far, R_here, w_here), 2.0 * slide, axis_rate(R_here, w_here))
            beta_p, rate_p, known_p = position_bias(row, end, end_velocity, end_known, place, velocity, known)
            beta_p, rate_p, known_p = normal_part(beta_p, axis), normal_part(rate_p, axis), normal_part(known_p, axis)
            a = symadd(a, outer_scaled(-g, axis))
        if only_pulls(j, sys):
            sys.loose[j].offset = far
        columns = end_offset_columns(far, R_here)
        b = add_scaled_matrix(b, g, columns)
        swing = g * far * far
        s = (s[0] + swing, s[1], s[2], s[3] + swing, s[4], s[5])
        force = add(force, beta_p)
        torque = add(torque, offset_torque(far, R_here, beta_p))
        turn1 = ZERO9
        if rotary:
            relative, beta_r, rate_r, known_r = rotation_bias(
                row, q_here, w_here, ZERO3, q, w, turning, sys.scheme.step
            )
            turn1 = turn_of_first(relative)
            turn2 = turn_of_second(relative)
            weighted = rows_scaled(row[3], row[6], turn1)
            s = symadd(s, transposed_symmetric_product(turn1, weighted))
            torque = add(torque, transposed_matvec(turn1, beta_r))
        keep_joint(j, beta_p, beta_r, relative, rate_p, rate_r, known_p, known_r, sys)

        # eliminate
        a_inverse = symmetric_inverse(a)
        x = symmat(a_inverse, b)
        s_inverse = symmetric_inverse(symsubtract(s, transposed_symmetric_product(b, x)))
        angular = symvec(s_inverse, subtract(torque, transposed_matvec(x, force)))
        linear = subtract(symvec(a_inverse, force), matvec(x, angular))
        keep_factors(first + i, a_inverse, x, s_inverse, force, torque, sys)

        lever = subtract_matrix(columns, x)
        ys = matsym(lever, s_inverse)
        mobility = symadd(a_inverse, symmetric_product(ys, lever))
        e_pp = (
            g - g * g * mobility[0], -g * g * mobility[1], -g * g * mobility[2],
            g - g * g * mobility[3], -g * g * mobility[4], g - g * g * mobility[5],
        )  # fmt: skip
        beta_p = add_scaled(beta_p, -g, add(linear, matvec(columns, angular)))
        if loose:
            e_pp, beta_p = across_both(e_pp, axis), normal_part(beta_p, axis)
        if rotary:
            gb, gt = row[3], row[6]
            e_pr = columns_scaled(-g * gb, -g * gt, matmul(ys, transpose(turn1)))
            if loose:
                e_pr = across_rows(e_pr, axis)
            turned = matsym(turn1, s_inverse)
            m = symmetric_product(turned, turn1)
            e_rr = (
                gb - gb * gb * m[0], -gb * gb * m[1], -gb * gt * m[2],
                gb - gb * gb * m[3], -gb * gt * m[4], gt - gt * gt * m[5],
            )  # fmt: skip
            spin = matvec(turn1, angular)
            beta_r = (beta_r[0] - gb * spin[0], beta_r[1] - gb * spin[1], beta_r[2] - gt * spin[2])
    sys.ledger.drag += sys.scheme.book * power
    sys.ledger.steps += count
    return e_pp, e_pr, e_rr, beta_p, beta_r


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
    return int(sys.ring_state[ring].on_bar) - first if ring >= 0 else 0


@kernel
def backward(c, loosen, sys):
    """Accelerations of the bars of cable c and the multipliers of its joints, from its last bar to its first.

    Returns how many joints that only pull have to go slack or to come taut; those that would come taut are left alone
    when only to `loosen`.
    """
    cable = sys.cable[c]
    first, count = cable.first, cable.count
    rotary_cable = cable.rotary == 1
    riders = cable.riders
    linear, angular = ZERO3, ZERO3  # of the body ahead; a prescribed point's acceleration is already in the bias
    if cable.end_hub >= 0:
        end_hub = sys.hub_rhs[cable.end_hub]
        spin_ahead = end_hub.angular
        linear = add(end_hub.linear, matvec(hub_lever(2 * c + 1, sys), spin_ahead))
        frame = rotation(sys.end[2 * c + 1].frame)
        angular = transposed_matvec(frame, spin_ahead)
    rotary = is_clamped(2 * c + 1, sys)
    ahead = linear
    changes = 0
    for back in range(count):
        i = count - 1 - back
        j = first + c + i + 1
        row = sys.row[j].gdk
        if i + 1 < count:
            rotary = rotary_cable
        R = rotation(sys.bar_state[first + i].turn)
        half = 0.5 * sys.bar[first + i].length
        g = row[0]
        kept = sys.factor[first + i]
        far, axis, drawn = acts_at(j, half, sys), axis_of(R), ahead
        loose = is_loose(j, sys)
        if loose:
            drawn = normal_part(ahead, axis)
        force = add_scaled(kept.force, g, drawn)
        torque = add_scaled(kept.torque, g, offset_torque(far, R, drawn))
        spin_ahead = ZERO3
        turn1 = ZERO9
        if rotary:
            relative = sys.relative[j].turn
            turn1 = turn_of_first(relative)
            spin_ahead = matvec(turn_of_second(relative), angular)
            moment = (row[3] * spin_ahead[0], row[3] * spin_ahead[1], row[6] * spin_ahead[2])
            torque = add(torque, transposed_matvec(turn1, moment))
        for r in range(riders, riders + cable.rider_count):
            if i >= boarding(r, first, sys):
                block, hub = 36 * (sys.rider[r].carried + i), sys.hub_rhs[sys.rider[r].hub]
                for m in range(6):
                    share = hub.linear[m] if m < 3 else hub.angular[m - 3]
                    along, about = carried_column(block + m, sys)
                    force, torque = add_scaled(force, share, along), add_scaled(torque, share, about)
        linear, angular = apply_factors(kept, force, torque)
        drawn = subtract(ahead, add(linear, matvec(end_offset_columns(far, R), angular)))
        turning = subtract(spin_ahead, matvec(turn1, angular))
        keep_multiplier(j, row, normal_part(drawn, axis) if loose else drawn, turning, sys)
        if only_pulls(j, sys):
            damping = sys.joint[j].damping[0]
            line = along_line(j, axis, sys)
            changes += reconsider(j, first + i, g, dot(drawn, line), damping, line, loosen, sys)
        out = sys.acceleration[first + i]
        out.linear = linear
        out.angular = angular
        near = acts_at(j - 1, -half, sys) if i == 0 else -half
        ahead = add(linear, matvec(end_offset_columns(near, R), angular))
    j = first + c
    row = sys.row[j].gdk
    behind, spin_behind, spin = ZERO3, ZERO3, ZERO3
    rotary = is_clamped(2 * c, sys)
    relative = sys.relative[j].turn
    if cable.start_hub >= 0:
        start_hub = sys.hub_rhs[cable.start_hub]
        behind = add(start_hub.linear, matvec(hub_lever(2 * c, sys), start_hub.angular))
        if rotary:
            frame = rotation(sys.end[2 * c].frame)
            hub_spin = transposed_matvec(frame, start_hub.angular)
            spin_behind = matvec(turn_of_first(relative), hub_spin)
    if rotary:
        spin = matvec(turn_of_second(relative), angular)
    drawn, axis = subtract(ahead, behind), axis_of(rotation(sys.bar_state[first].turn))
    moved = normal_part(drawn, axis) if is_loose(j, sys) else drawn
    keep_multiplier(j, row, moved, subtract(spin, spin_behind), sys)
    if only_pulls(j, sys):
        damping = sys.joint[j].damping[0]
        line = along_line(j, axis, sys)
        changes += reconsider(j, first, row[0], dot(drawn, line), damping, line, loosen, sys)
    return changes


@kernel
def symmetric_sum(m):
    """M + Mᵀ as a symmetric matrix."""
    return (2.0 * m[0], m[1] + m[3], m[2] + m[6], 2.0 * m[4], m[5] + m[7], 2.0 * m[8])


@kernel
def add_scaled_matrix(a, c, b):
    """A + c·B."""
    return (
        a[0] + c * b[0], a[1] + c * b[1], a[2] + c * b[2],
        a[3] + c * b[3], a[4] + c * b[4], a[5] + c * b[5],
        a[6] + c * b[6], a[7] + c * b[7], a[8] + c * b[8],
    )  # fmt: skip


@kernel
def subtract_matrix(a, b):
    """A − B."""
    return add_scaled_matrix(a, -1.0, b)


@kernel
def rows_scaled(bend, twist, m):
    """diag(bend, bend, twist)·M."""
    return (
        bend * m[0], bend * m[1], bend * m[2], bend * m[3], bend * m[4], bend * m[5],
        twist * m[6], twist * m[7], twist * m[8],
    )  # fmt: skip


@kernel
def columns_scaled(bend, twist, m):
    """M·diag(bend, bend, twist)."""
    return (
        bend * m[0], bend * m[1], twist * m[2], bend * m[3], bend * m[4], twist * m[5],
        bend * m[6], bend * m[7], twist * m[8],
    )  # fmt: skip


@inlined
def keep_factors(bar, a_inverse, x, s_inverse, force, torque, sys):
    """Store what the way back needs of a bar."""
    kept = sys.factor[bar]
    kept.mobility, kept.coupling, kept.schur = a_inverse, x, s_inverse
    kept.force, kept.torque = force, torque


@inlined
def apply_factors(kept, force, torque):
    """D⁻¹ (force, torque) of an eliminated bar with the factors `kept`."""
    angular = symvec(kept.schur, subtract(torque, transposed_matvec(kept.coupling, force)))
    return subtract(symvec(kept.mobility, force), matvec(kept.coupling, angular)), angular


@inlined
def keep_joint(j, beta_p, beta_r, relative, rate_p, rate_r, known_p, known_r, sys):
    """Store what the way back needs of a joint: β, relative turn, Ċ and, for the time being, the known part of C̈."""
    sys.bias[j].position, sys.bias[j].rotation = beta_p, beta_r
    sys.rate[j].position, sys.rate[j].rotation = rate_p, rate_r
    sys.damper[j].position, sys.damper[j].rotation = known_p, known_r
    sys.relative[j].turn = relative


@kernel
def damped_row(g, c, unknown, bias, rate, known, ahead, h):
    """λ of one row, its damping force, and the power that is lost in it."""
    acceleration = unknown + known
    force = c * (rate + ahead * acceleration)
    return g * unknown + bias, force, force * (rate + 0.5 * h * acceleration)


@kernel
def damped_rows(g, c, unknown, bias, rate, known, ahead, h, power):
    """The same of three rows with g and c (3 each); the power is taken off `power`."""
    x, fx, px = damped_row(g[0], c[0], unknown[0], bias[0], rate[0], known[0], ahead, h)
    y, fy, py = damped_row(g[1], c[1], unknown[1], bias[1], rate[1], known[1], ahead, h)
    z, fz, pz = damped_row(g[2], c[2], unknown[2], bias[2], rate[2], known[2], ahead, h)
    return (x, y, z), (fx, fy, fz), power - px - py - pz


@inlined
def keep_multiplier(j, row, linear, angular, sys):
    """λ = G·(J a) + β of a joint, its damping force, and the work that force does in the step.

    The damping force is c·Ċ at the end of the step under the rule, which takes it implicitly, and D·Ċ at its
    beginning under the paper's tunings; its work is taken along the mean rate of the step. A joint that was let go has
    no row any more, and no damper.
    """
    bias, rate, damper, load, c = sys.bias[j], sys.rate[j], sys.damper[j], sys.joint_load[j], sys.joint[j].damping
    rule = sys.tuning == RULE
    h = sys.scheme.step
    ahead = sys.scheme.theta * h if rule else 0.0
    axial = c[0] if rule and row[1] != 0.0 else row[1]
    bend = c[1] if rule and row[4] != 0.0 else row[4]
    twist = c[2] if rule and row[7] != 0.0 else row[7]
    load.force, damper.position, power = damped_rows(
        (row[0], row[0], row[0]), (axial, axial, axial), linear, bias.position, rate.position, damper.position, ahead,
        h, 0.0,
    )  # fmt: skip
    load.moment, damper.rotation, power = damped_rows(
        (row[3], row[3], row[6]), (bend, bend, twist), angular, bias.rotation, rate.rotation, damper.rotation, ahead,
        h, power,
    )  # fmt: skip
    sys.ledger.damping += sys.scheme.book * power
