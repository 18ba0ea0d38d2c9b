"""One bar: its inertia, the loads on it and its contact with the seabed.

Local z runs along the bar. Unknowns are the *global* linear and the *body* angular acceleration, so a load at
offset o along the axis enters through U(o) = o·[−R₂, R₁, 0], the columns of R being R₁, R₂, t. `bar` is the row
of its constants.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.lanes import all_lanes, any_lane, common, like, pick, placed, where
from fairlead.algebra.packs import lane_count, lane_of
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, add_scaled, dot, matvec, positive, scale, subtract, symvec, transposed_matvec
from fairlead.loads.body import body_loads
from fairlead.loads.buoyancy import bar_height, submergence
from fairlead.loads.drag import NONE, secants
from fairlead.loads.seabed_contact import push_of_bed, remembered
from fairlead.sea.along import water_along
from fairlead.sea.water import CURRENT_COUNT, GRAVITY, STIRRED, SURVEY_COLUMNS, bed_at, current, water_at

from .coefficients import drag_share
from .elimination import across_and_along

GAUSS = 0.5 / math.sqrt(3.0)
"""Gauss points lie at ±GAUSS·L from the middle."""
ZERO4 = (0.0, 0.0, 0.0, 0.0)
STILL = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
LEFT = 0.25
"""In place of 1 where an end presses on the bed: it pressed in the step before, and does no more."""


@kernel
def offset_torque(o, R, f):
    """U(o)ᵀ f: body torque of a global force f at offset o."""
    return (-o * (R[1] * f[0] + R[4] * f[1] + R[7] * f[2]), o * (R[0] * f[0] + R[3] * f[1] + R[6] * f[2]), 0.0)


@kernel
def axis_of(R):
    """Direction of the bar, start to end."""
    return (R[2], R[5], R[8])


@kernel
def axis_rate(R, w):
    """R(w × e_z): how fast the direction of the bar turns."""
    return (w[1] * R[0] - w[0] * R[1], w[1] * R[3] - w[0] * R[4], w[1] * R[6] - w[0] * R[7])


@kernel
def point_velocity(o, R, v, w):
    """Global velocity of the point at offset o: v + R(w × o e_z)."""
    x = o * w[1]
    y = -o * w[0]
    return (v[0] + x * R[0] + y * R[1], v[1] + x * R[3] + y * R[4], v[2] + x * R[6] + y * R[7])


@kernel
def centripetal(o, R, w):
    """R(w × (w × o e_z)): the part of that point's acceleration that is there without accelerations."""
    x = o * w[0] * w[2]
    y = o * w[1] * w[2]
    z = -o * (w[0] * w[0] + w[1] * w[1])
    return matvec(R, (x, y, z))


@kernel
def attached_loads(t, i, p, R, v, w, felt, h, sys):
    """Inertia, coupling and moment of inertia that the attachments (lumps) of bar i add, their force, torque and power.

    An attachment is a point mass on the axis. Motions and `felt` as in `bar_loads`.
    """
    added, coupling, jx, power = 0.0, 0.0, 0.0, 0.0
    force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    bar = sys.bar[i]
    first = int(bar.lump_first)
    for k in range(first, first + int(bar.lump_count)):
        lump = sys.lump[k]
        o = lump.offset
        inertia, drag, f, lump_power = body_loads(
            t, add_scaled(p, o, axis_of(R)), point_velocity(o, R, v, w), lump.mass,
            lump.added, lump.buoyancy, lump.drag, lump.height, sys.reals,
        )  # fmt: skip
        f = add_scaled(f, -inertia, centripetal(o, R, w))
        share = h
        if sys.scheme.half > 0.0:
            share = drag_share(drag, inertia, sys)
            f = add_scaled(f, sys.scheme.half * drag, point_velocity(o, R, felt[0], felt[1]))
        power += lump_power
        force = add(force, f)
        torque = add(torque, offset_torque(o, R, f))
        inertia += share * drag
        added += inertia
        coupling += inertia * o
        jx += inertia * o * o
    return added, coupling, jx, force, torque, power


@inlined
def feels_waves(z, sys):
    """Whether a bar whose middle is at the height z feels waves: above the depth to which cables do."""
    return z >= -sys.settings.wave_reach


@inlined
def bar_loads(t, alone, i, p, R, v, w, felt, h, sys):
    """Inertia and loads of bar i; `alone` is None where eight are taken side by side: none carries attachments then.

    felt  its linear and angular acceleration in the step before, by which the second-order step predicts the motion in
          the middle of the step. Drag is then −c(u + s a), c taken at that motion, u at the start of the step, s as
          `drag_share` has it.

    Returns
    -------
    across, along : effective mass normal to and along the axis [kg], with added mass and, times s, the drag secant
    coupling      : κ of the linear–angular block κ·[−R₂, R₁, 0] [kg m]
    jx, jz        : effective moments of inertia about the transverse axes and the axis [kg m²]
    force, torque : global [N], body [N m]
    power         : of the water on the bar [W]: drag, and what the turn of unequal added masses takes or gives

    Added mass acts on the true acceleration (Morison form). The gyroscopic torque −w × (J w) turns (w_x, w_y) about
    the axis; over a step it is taken as that turn (Cayley form), not as its tangent, which would gain energy with
    every step of a bar spinning about its axis. Weight acts at the middle, buoyancy where its potential wants it: at
    −(L/2)(1−σ)·t_z L/H, H = √((t_z L)² + d²), nearly the middle of the submerged part. Drag is taken at two Gauss
    points, and so is what the acceleration a of the water under waves carries along: σ(ρV + A) a. Out of the reach of
    waves the water is the current alone, below a surface at rest. The turn of a bar
    with unequal added masses changes the water's kinetic energy by −(A_n − A_t) v_z (v_x w_y − v_y w_x) a second beyond
    the work of its forces, wetting more of it (σ̇) by ½σ̇·vᵀAv, and a surface that rises above it (η̇) the potential of
    its buoyancy B by σB η̇.
    """
    sea, bar = sys.reals, sys.bar[i]
    length, half, w_start = bar.length, sys.scheme.half, w
    v, w = add_scaled(v, half, felt[0]), add_scaled(w, half, felt[1])
    highest = 0.5 * (abs(R[8]) * length + bar.diameter)  # H/2 is never more than that
    waves, level, rise = common(sea[STIRRED]) > 0.0, 0.0, 0.0
    water = STILL, STILL
    if waves:
        (level, rise, slope_x, slope_y), first, second = water_along(
            t, p, scale(GAUSS * length, axis_of(R)), highest, feels_waves(p[2], sys), sea
        )  # fmt: skip
        rise += v[0] * slope_x + v[1] * slope_y
        water = first, second
    sigma, height = 1.0, 1.0
    if any_lane(p[2] - level > -highest):
        height = bar_height(R[8] * length, bar.diameter)
        sigma = submergence(p[2] - level, height)
    added_n, added_t = sigma * bar.added_normal, sigma * bar.added_axial
    across, along = bar.mass + added_n, bar.mass + added_t
    jx, jz = bar.inertia + sigma * bar.inertia_added, bar.spin_inertia
    coupling = 0.0
    tx, ty = 0.0, 0.0
    if any_lane(w_start[2] != 0.0):
        gyro = (jx - jz) * w_start[2]
        turn = 0.5 * h * gyro
        gyro *= jx / (jx * jx + turn * turn)
        tx, ty = gyro * (jx * w_start[1] - turn * w_start[0]), -gyro * (jx * w_start[0] + turn * w_start[1])
    lift = sigma * bar.buoyancy
    v_local = transposed_matvec(R, v)
    power = lift * rise - (added_n - added_t) * v_local[2] * (v_local[0] * w[1] - v_local[1] * w[0])
    crossing = (sigma > 0.0) & (sigma < 1.0)
    if any_lane(crossing):
        o = where(crossing, -0.5 * length * (1.0 - sigma) * R[8] * length / height, 0.0)
        tx -= o * R[7] * lift
        ty += o * R[6] * lift
        wetting = (0.5 - sigma) * R[8] * length * length * (w[1] * R[6] - w[0] * R[7]) / height - v[2] + rise
        wetting /= height
        moved = bar.added_normal * (v_local[0] * v_local[0] + v_local[1] * v_local[1])
        moved += bar.added_axial * v_local[2] * v_local[2]
        moved += bar.inertia_added * (w[0] * w[0] + w[1] * w[1])
        power += where(crossing, 0.5 * wetting * moved, 0.0)
    force = (0.0, 0.0, lift - bar.weight)
    law = common(bar.drag_law)
    if any_lane(sigma > 0.0) and (law != NONE or waves):
        o = GAUSS * length
        drag_n, drag_t, reynolds = sigma * bar.drag_normal, sigma * bar.drag_axial, bar.reynolds
        displaced = sigma * bar.buoyancy / sea[GRAVITY] if waves else 0.0
        carried_n, carried_t = 0.5 * (displaced + added_n), 0.5 * (displaced + added_t)
        fx, fy, fz = 0.0, 0.0, 0.0
        total_n, total_t, uneven_n = 0.0, 0.0, 0.0
        for k in range(2):
            o = -o
            vx, vy, vz = v_local[0] + o * w[1], v_local[1] - o * w[0], v_local[2]
            ux, uy, uz = vx, vy, vz
            gx, gy, gz = 0.0, 0.0, 0.0
            if waves:
                flow, push = water[0] if k == 0 else water[1]
                flow, push = transposed_matvec(R, flow), transposed_matvec(R, push)
                ux, uy, uz = vx - flow[0], vy - flow[1], vz - flow[2]
                gx, gy, gz = carried_n * push[0], carried_n * push[1], carried_t * push[2]
            elif common(sea[CURRENT_COUNT]) > 0.0:
                flow = transposed_matvec(R, current(p[2] + o * R[8], sea))
                ux, uy, uz = vx - flow[0], vy - flow[1], vz - flow[2]
            cn, ct = secants(law, drag_n, drag_t, reynolds, ux * ux + uy * uy, uz)
            gx -= cn * ux
            gy -= cn * uy
            gz -= ct * uz
            fx += gx
            fy += gy
            fz += gz
            tx -= o * gy
            ty += o * gx
            power += gx * vx + gy * vy + gz * vz
            total_n += cn
            total_t += ct
            uneven_n += o * cn
        share_n = share_t = h
        if half > 0.0:
            slowed_n, slowed_t = across + h * total_n, along + h * total_t
            both = h / (slowed_n * slowed_t)  # `drag_share` of either, with one division
            part_n, part_t = both * slowed_t * total_n, both * slowed_n * total_t
            share_n, share_t = h * (0.5 + 1.5 * part_n * part_n), h * (0.5 + 1.5 * part_t * part_t)
            gained, turning = transposed_matvec(R, felt[0]), felt[1]
            tilted = o * o * total_n
            fx += half * (total_n * gained[0] + uneven_n * turning[1])
            fy += half * (total_n * gained[1] - uneven_n * turning[0])
            fz += half * total_t * gained[2]
            tx += half * (tilted * turning[0] - uneven_n * gained[1])
            ty += half * (tilted * turning[1] + uneven_n * gained[0])
        across += share_n * total_n
        along += share_t * total_t
        coupling = share_n * uneven_n
        jx += share_n * o * o * total_n
        force = (
            R[0] * fx + R[1] * fy + R[2] * fz, R[3] * fx + R[4] * fy + R[5] * fz,
            force[2] + R[6] * fx + R[7] * fy + R[8] * fz,
        )  # fmt: skip
    torque = (tx, ty, 0.0)
    if alone is not None and common(bar.lump_count) > 0.0:
        zero, zero3 = like(across, 0.0), (like(across, 0.0), like(across, 0.0), like(across, 0.0))
        found = zero, zero, zero, zero3, zero3, zero
        for k in range(lane_count(sys)):
            found = placed(found, k, attached_loads(
                t, i, pick(p, k), pick(R, k), pick(v, k), pick(w, k), pick(felt, k), h, lane_of(sys, k)
            ))  # fmt: skip
        lump, lump_coupling, lump_jx, lump_force, lump_torque, lump_power = found
        across, along, coupling, jx = across + lump, along + lump, coupling + lump_coupling, jx + lump_jx
        force, torque, power = add(force, lump_force), add(torque, lump_torque), power + lump_power
    return across, along, coupling, jx, jz, force, torque, power


@kernel
def drag_as_applied(t, i, a, turning, sys):
    """What the power of the drag on bar i over a solved step has beyond that of its beginning, which is booked [W].

    The secant c that the step takes pushes with −c(u + s a) along v + ½h a, at both Gauss points. Where a blow changes
    the velocity within a step, −c u·v of the velocity it was predicted for tells little of that. The surface is taken
    at rest, as it is for what lies on a bed; what is fastened on the bar is left out.
    """
    sea, bar, body, felt = sys.reals, sys.bar[i], sys.bar_state[i], sys.bar_felt[i]
    half, mass = sys.scheme.half, 0.5 * bar.mass
    law, h, power = common(bar.drag_law), sys.scheme.drag, 0.0 * bar.mass
    if law == NONE:
        return power
    p, R, w = body.position, rotation(body.turn), body.spin
    sigma = submergence(p[2], bar_height(R[8] * bar.length, bar.diameter))
    v, a = transposed_matvec(R, body.velocity), transposed_matvec(R, a)
    past, past_turn = transposed_matvec(R, felt.linear), felt.angular
    mass_n, mass_t = mass + 0.5 * sigma * bar.added_normal, mass + 0.5 * sigma * bar.added_axial
    o = GAUSS * bar.length
    for _ in range(2):
        o = -o
        flow, _ = water_at(t, p[0] + o * R[2], p[1] + o * R[5], p[2] + o * R[8], 0.0, feels_waves(p[2], sys), sea)
        own = (v[0] + o * w[1], v[1] - o * w[0], v[2])
        gained = (a[0] + o * turning[1], a[1] - o * turning[0], a[2])
        told = (half * (past[0] + o * past_turn[1]), half * (past[1] - o * past_turn[0]), half * past[2])
        u = subtract(own, transposed_matvec(R, flow))
        then = add(u, told)
        across2 = then[0] * then[0] + then[1] * then[1]
        cn, ct = secants(law, sigma * bar.drag_normal, sigma * bar.drag_axial, bar.reynolds, across2, then[2])
        share_n = share_t = h
        if half > 0.0:
            share_n, share_t = drag_share(cn, mass_n, sys), drag_share(ct, mass_t, sys)
        mean, booked = add_scaled(own, 0.5 * h, gained), add(own, told)
        for k in range(3):
            c, share = (ct, share_t) if k == 2 else (cn, share_n)
            power -= c * ((u[k] + share * gained[k]) * mean[k] - then[k] * booked[k])
    return power


@inlined
def are_alike(bar, rows, sys):
    """Whether eight bars from `bar` on can be taken side by side: their drag is of one law, none carries attachments,
    and the bed is a plane."""
    bars, sea = rows.bar[bar], sys.reals
    alike = (bars.drag_law == common(bars.drag_law)) & (bars.lump_count == 0.0)
    return sea[SURVEY_COLUMNS] == 0.0 and all_lanes(alike)


@inlined
def bed_contact(bar, place, velocity, memory, sys):
    """Contact of one bar end with the seabed.

    Returns
    -------
    active    : whether the normal row acts
    G, bias   : of the normal row λ_n = G·C̈ + bias (λ_n < 0 pushes up along the bed's normal)
    shear     : G of the two tangential rows (0 while slipping)
    friction  : tangential force on the end, before the step's own change [N], global
    normal    : the seabed's normal

    The law is that of `fairlead.loads.seabed_contact`; what pressed on the bed falls as it would in free water. An end
    that an anchor holds at the bed (a remembered force of HELD) is no contact.
    """
    fall = (bar.buoyancy - bar.weight) / (bar.mass + bar.added_normal)
    active, g, bias, shear, friction, normal = push_of_bed(
        sys.reals, bar.radius, bar.bed_stiffness, bar.bed_damping, bar.bed_shear,
        -positive(-fall), place, velocity, memory.anchor, memory.normal_force, sys.scheme.step, sys.scheme.g_per_c,
        sys.scheme.g_per_k, sys.scheme.d_per_k,
    )  # fmt: skip
    return active & (memory.normal_force >= 0.0), g, bias, shear, friction, normal


@inlined
def gaps_ahead(bar, half, p, v, axis, tilt, sys):
    """Clearance of the near and the far end of a bar above the seabed at the end of the step, if nothing accelerates.

    Only where it is negative, or the end pressed on the bed in the step before, can the end touch.
    """
    h, sea = sys.scheme.step, sys.reals
    if common(sea[SURVEY_COLUMNS]) > 0.0:
        return (
            gap_ahead(bar, add_scaled(p, -half, axis), add_scaled(v, -half, tilt), sys),
            gap_ahead(bar, add_scaled(p, half, axis), add_scaled(v, half, tilt), sys),
        )
    height, n = bed_at(p[0], p[1], sea)
    middle = n[2] * (p[2] - height) - bar.radius + h * dot(n, v)
    slope = half * (dot(n, axis) + h * dot(n, tilt))
    return middle - slope, middle + slope


@kernel
def gap_ahead(bar, place, velocity, sys):
    """Clearance of an end at `place` above the seabed at the end of the step, if nothing accelerates."""
    height, n = bed_at(place[0], place[1], sys.reals)
    return n[2] * (place[2] - height) - bar.radius + sys.scheme.step * dot(n, velocity)


@inlined
def press(bar, near, left, o, p, v, axis, tilt, swing, memory, kept, sys):
    """Weight (6) and force of the seabed on the end of a bar at offset o, none where it does not touch; it is `kept`.

    near               whether the end can touch at all, by `gaps_ahead`
    left               what stands in place of 1 where it does not touch: LEFT or 0
    axis, tilt, swing  direction of the bar, the rate of that, and what turns it without accelerations [1/s²]
    """
    active, g, bias, shear, friction, n = bed_contact(bar, add_scaled(p, o, axis), add_scaled(v, o, tilt), memory, sys)
    active = active & near
    if not any_lane(active):
        return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    kept.active, kept.normal_g, kept.normal_bias, kept.shear_g = where(
        active, (1.0, g, bias, shear), (left, 0.0, 0.0, 0.0)
    )
    kept.friction, kept.normal = where(active, friction, (0.0, 0.0, 0.0)), n
    return contact_weight(kept, o, swing)


@inlined
def contact_weight(kept, o, swing):
    """G_s·1 + (G − G_s)·nnᵀ of a contact at offset o, and its force before accelerations."""
    n = kept.normal
    weight = across_and_along(kept.shear_g, kept.normal_g, n)
    return weight, subtract(add_scaled(kept.friction, -kept.normal_bias, n), symvec(weight, scale(o, swing)))


@inlined
def is_touching(bar, sys):
    """Whether either end of a bar presses on the bed in this step."""
    return either_touches(touches_of(bar, sys))


@inlined
def touches_of(bar, sys):
    """1 for each end of a bar that presses on the bed in this step, LEFT if it did in the step before, else 0."""
    return sys.touch[2 * bar].active, sys.touch[2 * bar + 1].active


@inlined
def either_touches(touches):
    """Whether one of two ends does."""
    return (touches[0] > 0.5) | (touches[1] > 0.5)


@inlined
def remember_contact(bar, place, touched, active, normal_force, memory, sys):
    """Return mapping after a step: keep the anchor within μN/k of the end; forget it at lift-off."""
    touched = touched & (memory.normal_force >= 0.0)
    memory.anchor, memory.normal_force = remembered(
        sys.reals, bar.bed_shear, place, touched, active, normal_force, memory.anchor, memory.normal_force
    )
