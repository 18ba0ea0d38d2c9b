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

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import (
    add, add_scaled, cross, dot, matadd, matmul, matsym, matvec, outer_scaled, scale, subtract, symadd,
    symmat, symmetric_inverse, symmetric_product, symsubtract, symvec, transpose, transposed_matvec,
    transposed_symmetric_product,
)  # fmt: skip

from .arrays import (
    ACTIVE, AUTO, BAR_STEPS, BAR_STEPS_DAMPED, CABLE_COUNT, CABLE_FIRST, CABLE_RIDERS, CABLE_RIDER_COUNT, CABLE_ROTARY,
    C_AXIAL, DAMPED, END_HUB, FACTOR_COLUMNS, FRICTION, JOINT_COLUMNS, LENGTH, NORMAL_BIAS, NORMAL_G, RIDER_CARRIED,
    RIDER_HUB, RIDER_SLIDER, RULE, R_JOINTS, SHEAR_G, START_HUB, TUNING, UNDAMPED, WORK_DAMPING, WORK_DRAG,
    W_ACCELERATION, W_BIAS, W_CARRIED, W_DAMPING, W_FACTORS, W_HUB_RHS, W_JOINTS, W_MULTIPLIERS, W_RATE, W_RELATIVE,
    Y_LEDGER, Y_MULTIPLIERS, bar_at, bar_state_at, cable_at, end_at, is_clamped, kept_contact_at, memory_at,
    quaternion_of, rider_at, vector_of,
)  # fmt: skip
from .coefficients import BOOK_STEP, SCHEME_GEOMETRIC, SCHEME_THETA, STEP, STEP_DRAG
from .element import (
    axis_of,
    axis_rate,
    bar_loads,
    bed_contact,
    centripetal,
    end_offset_columns,
    offset_torque,
    point_velocity,
)
from .ends import frame_of, hub_lever, lever_columns, point_of_end
from .joint import position_bias, rotation_bias, turn_of_first, turn_of_second
from .loosening import (
    OFFSET, across_both, across_rows, acts_at, along_line, end_slide, far_end, held_across, is_loose, judge, loose_at,
    normal_part, only_pulls, reconsider, set_side, string_stiffness,
)  # fmt: skip
from .slider import ON_BAR, slider_rows, slider_state

ZERO3 = (0.0, 0.0, 0.0)
ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
ZERO9 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
UNTURNED = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def geometric_stiffness(k_geo, jx, ints, y, work):
    """Addition to the transverse inertia and rate damping that carry the string stiffness of the tension.

    undamped: h²k/4 (no numerical damping); damped: h²k and a torque −h k w. `auto` takes the undamped form while
    h < 2/ω with ω² = k/J, the damped one beyond and always when θ < 1, which by itself feeds such motions.
    """
    mode = work[SCHEME_GEOMETRIC]
    h = work[STEP]
    stiff = h * h * k_geo
    if mode == AUTO:
        mode = UNDAMPED if stiff < 4.0 * jx and work[SCHEME_THETA] == 1.0 else DAMPED
    if mode == UNDAMPED:
        return 0.25 * stiff, 0.0
    if mode == DAMPED:
        y[ints[Y_LEDGER] + BAR_STEPS_DAMPED] += 1.0
        return stiff, h * k_geo
    return 0.0, 0.0


@kernel
def joint_row(j, ints, work):
    """G, D, K of a joint as nine numbers."""
    r = ints[W_JOINTS] + 9 * j
    return (
        work[r], work[r + 1], work[r + 2], work[r + 3], work[r + 4], work[r + 5], work[r + 6], work[r + 7],
        work[r + 8],
    )  # fmt: skip


@kernel
def forward(c, t, guess, rig, ints, reals, y, work):
    """Eliminate the bars of cable c from its first to its last.

    Leaves the factors of each bar, and the biases and relative turns of each joint, in `work`. Returns the
    effective joint towards the end's hub: E (position, mixed, rotation blocks) and β′ (position, rotation); it has
    no meaning when the end is a prescribed point, whose acceleration is already in the last bar's equations. `guess`:
    whether joints that only pull are loose by what is known beforehand, or as `loosening` has left them. `rig` is None
    where there are no rings and winches (see `run`).
    """
    cable = cable_at(ints, c)
    first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
    rotary_cable = ints[cable + CABLE_ROTARY] == 1
    riders = ints[cable + CABLE_RIDERS]
    h_drag = work[STEP_DRAG]

    # the joint at the start: the point is body 1, bar 0 is body 2
    place1, velocity1, known1, q1, w1, turning = point_of_end(2 * c, ints, reals, y, work)
    j = first + c
    row = joint_row(j, ints, work)
    rotary = is_clamped(y, ints, 2 * c)

    body = bar_state_at(ints, first)
    p, q, v, w = vector_of(y, body), quaternion_of(y, body), vector_of(y, body + 7), vector_of(y, body + 10)
    R = rotation(q)
    half = 0.5 * reals[bar_at(ints, first) + LENGTH]
    way, slides = set_side(c, 0, guess, ints, reals, y, work), only_pulls(j, ints, reals)
    end_side = -way if slides else -1.0
    near = end_side * half
    place = add_scaled(p, near, axis_of(R))
    slide = end_slide(end_side, reals, bar_at(ints, first))
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
    if slides and judge(j, guess, beta_p, rate_p, known_p, line, ints, work):
        axis = axis_of(R)
        near += dot(subtract(place1, place), axis)
        place, velocity = add_scaled(p, near, axis), point_velocity(near, R, v, w)
        slide = dot(subtract(velocity1, v), axis)
        known = add_scaled(centripetal(near, R, w), 2.0 * slide, axis_rate(R, w))
        beta_p, rate_p, known_p = position_bias(row, place1, velocity1, known1, place, velocity, known)
        beta_p, rate_p, known_p = normal_part(beta_p, axis), normal_part(rate_p, axis), normal_part(known_p, axis)
        e_pp = held_across(row[0], axis)
    if slides:
        work[loose_at(ints, j) + OFFSET] = near
    if rotary:
        relative, beta_r, rate_r, known_r = rotation_bias(row, q1, w1, turning, q, w, ZERO3, work[STEP])
        turn2 = turn_of_second(relative)
        e_rr = (row[3], 0.0, 0.0, row[3], 0.0, row[6])
    keep_joint(j, beta_p, beta_r, relative, rate_p, rate_r, known_p, known_r, ints, work)

    power = 0.0
    for i in range(count):
        bar = bar_at(ints, first + i)
        axis = axis_of(R)
        across, along, coupling, jx, jz, force, torque, drag_power = bar_loads(t, ints, reals, bar, p, R, v, w, h_drag)
        power += drag_power

        if i > 0:
            way = set_side(c, i, guess, ints, reals, y, work)
        end_side = far_end(i, way, slides)
        lagged = ints[Y_MULTIPLIERS] + 3 * j
        pull_near, pull_far = dot(vector_of(y, lagged), axis), dot(vector_of(y, lagged + 3), axis)
        near_side = 1.0 if i == 0 and slides and way < 0.0 else -1.0
        string = string_stiffness(j, half, way, near_side, end_side, pull_near, pull_far, ints, reals, work)
        stiff, rate = geometric_stiffness(string, jx, ints, y, work)
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
                reals, bar, end, end_velocity, y, memory_at(ints, first + i, side), work
            )
            kept = kept_contact_at(ints, first + i, side)
            work[kept + ACTIVE] = 1.0 if active else 0.0
            if active:
                work[kept + NORMAL_G], work[kept + NORMAL_BIAS], work[kept + SHEAR_G] = g, bias, shear
                work[kept + FRICTION], work[kept + FRICTION + 1], work[kept + FRICTION + 2] = friction
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
            for r in range(riders, riders + ints[cable + CABLE_RIDER_COUNT]):
                ring = ints[rider_at(ints, r) + RIDER_SLIDER]
                if ring >= 0 and y[slider_state(ints, ring) + ON_BAR] == first + i:
                    offset, g, g_along, bias = slider_rows(ring, i, half, p, R, v, w, ints, reals, y, work)
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
        slide = end_slide(end_side, reals, bar)
        end_velocity = add_scaled(point_velocity(far, R, v, w), slide, axis)
        end_known = add_scaled(centripetal(far, R, w), 2.0 * slide, axis_rate(R, w))
        turning = ZERO3
        q_here, v_here, w_here, R_here = q, v, w, R
        row = joint_row(j, ints, work)
        if i + 1 < count:
            rotary = rotary_cable
            body = bar_state_at(ints, first + i + 1)
            p, q, v, w = vector_of(y, body), quaternion_of(y, body), vector_of(y, body + 7), vector_of(y, body + 10)
            R = rotation(q)
            half = 0.5 * reals[bar_at(ints, first + i + 1) + LENGTH]
            near = -half
            place = add_scaled(p, -half, axis_of(R))
            slide = end_slide(-1.0, reals, bar_at(ints, first + i + 1))
            velocity = add_scaled(point_velocity(-half, R, v, w), slide, axis_of(R))
            known = add_scaled(centripetal(-half, R, w), 2.0 * slide, axis_rate(R, w))
        else:
            rotary = is_clamped(y, ints, 2 * c + 1)
            place, velocity, known, q, w, turning = point_of_end(2 * c + 1, ints, reals, y, work)
        g = row[0]
        beta_p, rate_p, known_p = position_bias(row, end, end_velocity, end_known, place, velocity, known)
        beta_r, rate_r, known_r = ZERO3, ZERO3, ZERO3
        relative = UNTURNED
        a = (a[0] + g, a[1], a[2], a[3] + g, a[4], a[5] + g)
        line = scale(way, axis)
        loose = only_pulls(j, ints, reals) and judge(j, guess, beta_p, rate_p, known_p, line, ints, work)
        if loose:
            beyond = dot(subtract(place, end), axis)
            far += beyond
            end, end_velocity = add_scaled(end, beyond, axis), point_velocity(far, R_here, v_here, w_here)
            slide = dot(subtract(velocity, v_here), axis)
            end_known = add_scaled(centripetal(far, R_here, w_here), 2.0 * slide, axis_rate(R_here, w_here))
            beta_p, rate_p, known_p = position_bias(row, end, end_velocity, end_known, place, velocity, known)
            beta_p, rate_p, known_p = normal_part(beta_p, axis), normal_part(rate_p, axis), normal_part(known_p, axis)
            a = symadd(a, outer_scaled(-g, axis))
        if only_pulls(j, ints, reals):
            work[loose_at(ints, j) + OFFSET] = far
        columns = end_offset_columns(far, R_here)
        b = add_scaled_matrix(b, g, columns)
        swing = g * far * far
        s = (s[0] + swing, s[1], s[2], s[3] + swing, s[4], s[5])
        force = add(force, beta_p)
        torque = add(torque, offset_torque(far, R_here, beta_p))
        turn1 = ZERO9
        if rotary:
            relative, beta_r, rate_r, known_r = rotation_bias(row, q_here, w_here, ZERO3, q, w, turning, work[STEP])
            turn1 = turn_of_first(relative)
            turn2 = turn_of_second(relative)
            weighted = rows_scaled(row[3], row[6], turn1)
            s = symadd(s, transposed_symmetric_product(turn1, weighted))
            torque = add(torque, transposed_matvec(turn1, beta_r))
        keep_joint(j, beta_p, beta_r, relative, rate_p, rate_r, known_p, known_r, ints, work)

        # eliminate
        a_inverse = symmetric_inverse(a)
        x = symmat(a_inverse, b)
        s_inverse = symmetric_inverse(symsubtract(s, transposed_symmetric_product(b, x)))
        angular = symvec(s_inverse, subtract(torque, transposed_matvec(x, force)))
        linear = subtract(symvec(a_inverse, force), matvec(x, angular))
        keep_factors(first + i, a_inverse, x, s_inverse, force, torque, ints, work)

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
    y[ints[Y_LEDGER] + WORK_DRAG] += work[BOOK_STEP] * power
    y[ints[Y_LEDGER] + BAR_STEPS] += count
    return e_pp, e_pr, e_rr, beta_p, beta_r


@kernel
def boarding(r, first, ints, y):
    """Element (sweep order) from which on rider r is carried: where its ring is; a hub at the cable's start: 0."""
    ring = ints[rider_at(ints, r) + RIDER_SLIDER]
    return int(y[slider_state(ints, ring) + ON_BAR]) - first if ring >= 0 else 0


@kernel
def backward(c, loosen, ints, reals, y, work):
    """Accelerations of the bars of cable c and the multipliers of its joints, from its last bar to its first.

    Returns how many joints that only pull have to go slack or to come taut; those that would come taut are left alone
    when only to `loosen`.
    """
    cable = cable_at(ints, c)
    first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
    rotary_cable = ints[cable + CABLE_ROTARY] == 1
    riders = ints[cable + CABLE_RIDERS]
    start_hub = ints[W_HUB_RHS] + 6 * ints[cable + START_HUB]
    end_hub = ints[W_HUB_RHS] + 6 * ints[cable + END_HUB]
    linear, angular = ZERO3, ZERO3  # of the body ahead; a prescribed point's acceleration is already in the bias
    if ints[cable + END_HUB] >= 0:
        spin_ahead = vector_of(work, end_hub + 3)
        linear = add(vector_of(work, end_hub), matvec(hub_lever(2 * c + 1, ints, reals, y), spin_ahead))
        frame = rotation(frame_of(reals, end_at(ints, 2 * c + 1)))
        angular = transposed_matvec(frame, spin_ahead)
    rotary = is_clamped(y, ints, 2 * c + 1)
    ahead = linear
    changes = 0
    for back in range(count):
        i = count - 1 - back
        j = first + c + i + 1
        row = joint_row(j, ints, work)
        if i + 1 < count:
            rotary = rotary_cable
        R = rotation(quaternion_of(y, bar_state_at(ints, first + i)))
        half = 0.5 * reals[bar_at(ints, first + i) + LENGTH]
        g = row[0]
        kept = ints[W_FACTORS] + FACTOR_COLUMNS * (first + i)
        far, axis, drawn = acts_at(j, half, ints, reals, work), axis_of(R), ahead
        loose = is_loose(j, ints, reals, work)
        if loose:
            drawn = normal_part(ahead, axis)
        force = add_scaled(vector_of(work, kept + 21), g, drawn)
        torque = add_scaled(vector_of(work, kept + 24), g, offset_torque(far, R, drawn))
        spin_ahead = ZERO3
        turn1 = ZERO9
        if rotary:
            relative = relative_of(j, ints, work)
            turn1 = turn_of_first(relative)
            spin_ahead = matvec(turn_of_second(relative), angular)
            moment = (row[3] * spin_ahead[0], row[3] * spin_ahead[1], row[6] * spin_ahead[2])
            torque = add(torque, transposed_matvec(turn1, moment))
        for r in range(riders, riders + ints[cable + CABLE_RIDER_COUNT]):
            if i >= boarding(r, first, ints, y):
                block = ints[W_CARRIED] + 36 * (ints[rider_at(ints, r) + RIDER_CARRIED] + i)
                hub = ints[W_HUB_RHS] + 6 * ints[rider_at(ints, r) + RIDER_HUB]
                for m in range(6):
                    share = work[hub + m]
                    force = (
                        force[0] + work[block + m] * share, force[1] + work[block + 6 + m] * share,
                        force[2] + work[block + 12 + m] * share,
                    )  # fmt: skip
                    torque = (
                        torque[0] + work[block + 18 + m] * share, torque[1] + work[block + 24 + m] * share,
                        torque[2] + work[block + 30 + m] * share,
                    )  # fmt: skip
        linear, angular = apply_factors(work, kept, force, torque)
        drawn = subtract(ahead, add(linear, matvec(end_offset_columns(far, R), angular)))
        turning = subtract(spin_ahead, matvec(turn1, angular))
        keep_multiplier(j, row, normal_part(drawn, axis) if loose else drawn, turning, ints, reals, y, work)
        if only_pulls(j, ints, reals):
            damping = reals[ints[R_JOINTS] + JOINT_COLUMNS * j + C_AXIAL]
            line = along_line(j, axis, ints, reals, work)
            changes += reconsider(j, first + i, g, dot(drawn, line), damping, line, loosen, ints, reals, y, work)
        out = ints[W_ACCELERATION] + 6 * (first + i)
        work[out], work[out + 1], work[out + 2] = linear
        work[out + 3], work[out + 4], work[out + 5] = angular
        near = acts_at(j - 1, -half, ints, reals, work) if i == 0 else -half
        ahead = add(linear, matvec(end_offset_columns(near, R), angular))
    j = first + c
    row = joint_row(j, ints, work)
    behind, spin_behind, spin = ZERO3, ZERO3, ZERO3
    rotary = is_clamped(y, ints, 2 * c)
    relative = relative_of(j, ints, work)
    if ints[cable + START_HUB] >= 0:
        behind = vector_of(work, start_hub + 3)
        behind = add(vector_of(work, start_hub), matvec(hub_lever(2 * c, ints, reals, y), behind))
        if rotary:
            frame = rotation(frame_of(reals, end_at(ints, 2 * c)))
            hub_spin = transposed_matvec(frame, vector_of(work, start_hub + 3))
            spin_behind = matvec(turn_of_first(relative), hub_spin)
    if rotary:
        spin = matvec(turn_of_second(relative), angular)
    drawn, axis = subtract(ahead, behind), axis_of(rotation(quaternion_of(y, bar_state_at(ints, first))))
    moved = normal_part(drawn, axis) if is_loose(j, ints, reals, work) else drawn
    keep_multiplier(j, row, moved, subtract(spin, spin_behind), ints, reals, y, work)
    if only_pulls(j, ints, reals):
        damping = reals[ints[R_JOINTS] + JOINT_COLUMNS * j + C_AXIAL]
        line = along_line(j, axis, ints, reals, work)
        changes += reconsider(j, first, row[0], dot(drawn, line), damping, line, loosen, ints, reals, y, work)
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


@kernel
def keep_factors(bar, a_inverse, x, s_inverse, force, torque, ints, work):
    """Store what the way back needs of a bar."""
    kept = ints[W_FACTORS] + FACTOR_COLUMNS * bar
    for k in range(6):
        work[kept + k] = a_inverse[k]
        work[kept + 15 + k] = s_inverse[k]
    for k in range(9):
        work[kept + 6 + k] = x[k]
    for k in range(3):
        work[kept + 21 + k] = force[k]
        work[kept + 24 + k] = torque[k]


@kernel
def apply_factors(work, kept, force, torque):
    """D⁻¹ (force, torque) of an eliminated bar whose factors begin at `kept`."""
    a_inverse = (work[kept], work[kept + 1], work[kept + 2], work[kept + 3], work[kept + 4], work[kept + 5])
    x = (
        work[kept + 6], work[kept + 7], work[kept + 8], work[kept + 9], work[kept + 10], work[kept + 11],
        work[kept + 12], work[kept + 13], work[kept + 14],
    )  # fmt: skip
    s_inverse = (
        work[kept + 15], work[kept + 16], work[kept + 17], work[kept + 18], work[kept + 19], work[kept + 20],
    )  # fmt: skip
    angular = symvec(s_inverse, subtract(torque, transposed_matvec(x, force)))
    return subtract(symvec(a_inverse, force), matvec(x, angular)), angular


@kernel
def keep_joint(j, beta_p, beta_r, relative, rate_p, rate_r, known_p, known_r, ints, work):
    """Store what the way back needs of a joint: β, relative turn, Ċ and, for the time being, the known part of C̈."""
    bias, rate, known = ints[W_BIAS] + 6 * j, ints[W_RATE] + 6 * j, ints[W_DAMPING] + 6 * j
    turn = ints[W_RELATIVE] + 6 * j
    for k in range(3):
        work[bias + k] = beta_p[k]
        work[bias + 3 + k] = beta_r[k]
        work[rate + k] = rate_p[k]
        work[rate + 3 + k] = rate_r[k]
        work[known + k] = known_p[k]
        work[known + 3 + k] = known_r[k]
    for k in range(6):
        work[turn + k] = relative[k]


@kernel
def relative_of(j, ints, work):
    """Kept relative quaternion of joint j, and the twist taken off it."""
    r = ints[W_RELATIVE] + 6 * j
    return (work[r], work[r + 1], work[r + 2], work[r + 3], work[r + 4], work[r + 5])


@kernel
def keep_multiplier(j, row, linear, angular, ints, reals, y, work):
    """λ = G·(J a) + β of a joint, its damping force, and the work that force does in the step.

    The damping force is c·Ċ at the end of the step under the rule, which takes it implicitly, and D·Ċ at its
    beginning under the paper's tunings; its work is taken along the mean rate of the step. A joint that was let go has
    no row any more, and no damper.
    """
    bias, out = ints[W_BIAS] + 6 * j, ints[W_MULTIPLIERS] + 6 * j
    rates, damping = ints[W_RATE] + 6 * j, ints[W_DAMPING] + 6 * j
    joint = ints[R_JOINTS] + JOINT_COLUMNS * j
    rule = ints[TUNING] == RULE
    h = work[STEP]
    ahead = work[SCHEME_THETA] * h if rule else 0.0
    power = 0.0
    for k in range(6):
        kind = 0 if k < 3 else (1 if k < 5 else 2)
        unknown = linear[k] if k < 3 else angular[k - 3]
        work[out + k] = row[3 * kind] * unknown + work[bias + k]
        c = reals[joint + 2 * kind + 1] if rule and row[3 * kind + 1] != 0.0 else row[3 * kind + 1]
        acceleration = unknown + work[damping + k]
        rate = work[rates + k]
        force = c * (rate + ahead * acceleration)
        work[damping + k] = force
        power -= force * (rate + 0.5 * h * acceleration)
    y[ints[Y_LEDGER] + WORK_DAMPING] += work[BOOK_STEP] * power
