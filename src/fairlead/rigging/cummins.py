"""Floaters by coefficients: Cummins' equation of six freedoms as a hub of cables has it (docs/theory/cummins.md).

    (M + A∞) V̇ = f₀ − C ξ − B₁V − B₂|V|V − μ + F_waves + F_drift + F_current + F_wind + F_thrust,
    μ = Re Σ f R z,  ż = p z + V     (or the integral over the past, `water_past`)

V = [Hᵀv; HᵀR w] and ξ are velocity and displacement of the reference point, which is the origin of the hub, in the axes
H = R_z(ψ) of the coefficients. Weight and the gyroscopic terms of the rigid body are exact. A step takes forces `ahead`
of its beginning, dampers and memory implicitly, hydrostatics explicitly: none of them loses energy of its own.

`hubs` is the table of a formulation whose rows have position, turn, velocity and spin.
"""

from __future__ import annotations

import math

from fairlead.algebra.angles import angles_of
from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.packs import lane_count, lane_of
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import (
    add,
    cross,
    matmul,
    matvec,
    scale,
    subtract,
    symvec,
    transpose,
    transposed_matvec,
)  # fmt: skip
from fairlead.sea.water import GRAVITY

from .floater_streams import blow, push_thrust, thrust_row
from .floater_waves import raise_waves, turn_waves
from .frames import lever_columns
from .ptos import add_ptos, book_ptos
from .water_past import keep_past, prepare_past, recall


@inlined
def is_afloat(h, sys):
    """Whether hub h is a floater by coefficients."""
    return sys.floaters > 0 and sys.afloat[h].floater >= 0


@kernel
def over_pole(a, b, re, im):
    """(a + ib)/p of a pole p = re + i im."""
    size = 1.0 / (re * re + im * im)
    return size * (a * re + b * im), size * (b * re - a * im)


@kernel
def decay(re, im, h):
    """E = e^{ph}, G = (E − 1)/p = ∫e^{ps}ds and (G − h)/p = ∫(h − s)e^{ps}ds of a pole p, real and imaginary parts."""
    size = math.exp(re * h)
    e_re, e_im = size * math.cos(im * h), size * math.sin(im * h)
    g_re, g_im = over_pole(e_re - 1.0, e_im, re, im)
    r_re, r_im = over_pole(g_re - h, g_im, re, im)
    return e_re, e_im, g_re, g_im, r_re, r_im


@kernel
def prepare_floaters(h, ahead, sys):
    """What the memory of the water and the slow filters take for steps of size h whose forces are those `ahead`."""
    for m in range(sys.memories):
        pole, step = sys.memory[m], sys.memory_step[m]
        step.whole_re, step.whole_im, step.gain_re, step.gain_im, step.rise_re, step.rise_im = decay(
            pole.re, pole.im, h
        )
        step.part_re, step.part_im, step.reach_re, step.reach_im, step.climb_re, step.climb_im = decay(
            pole.re, pole.im, ahead
        )
    for i in range(36 * sys.water_blocks):
        sys.quick[i].number = sys.quick[i].later = 0.0
    for i in range(sys.residues):
        of, residue = sys.residue_of[i], sys.residue[i]
        if of.place >= 0:
            step, quick = sys.memory_step[of.memory], sys.quick[of.place]
            quick.number += residue.re * step.reach_re - residue.im * step.reach_im
            quick.later += residue.re * step.climb_re - residue.im * step.climb_im
    if sys.pasts > 0:
        prepare_past(ahead, sys)
    for k in range(sys.floaters):
        sys.hull_now[k].fade = 1.0 - math.exp(-sys.hull[k].rate * h)


@kernel
def level(c, s, v):
    """R_z(ψ)ᵀ v."""
    return (c * v[0] + s * v[1], c * v[1] - s * v[0], v[2])


@kernel
def levelled(c, s, R):
    """R_z(ψ)ᵀ R."""
    return (
        c * R[0] + s * R[3], c * R[1] + s * R[4], c * R[2] + s * R[5],
        c * R[3] - s * R[0], c * R[4] - s * R[1], c * R[5] - s * R[2], R[6], R[7], R[8],
    )  # fmt: skip


@kernel
def slow_yaw(k, R, sys):
    """By how much the axes of floater k are turned from its heading in the file: as the state has it, to the heading of
    its rest or with its slow yaw; where they follow it and time stands still, as far as itself."""
    hull = sys.hull[k]
    if hull.turns > 0.0 and math.isinf(hull.rate):
        return angles_of(levelled(math.cos(hull.heading), math.sin(hull.heading), R))[2]
    return sys.slow[k].yaw


@kernel
def see_floater(k, hub, to_go, sys):
    """Axes, motion and speed of floater k, the motion `to_go` later."""
    hull, now = sys.hull[k], sys.hull_now[k]
    R = rotation(hub.turn)
    psi = hull.heading + slow_yaw(k, R, sys)
    c, s = math.cos(psi), math.sin(psi)
    G = levelled(c, s, R)
    now.cosine, now.sine, now.turn = c, s, G
    moved, turned = level(c, s, subtract(hub.position, hull.rest)), angles_of(G)
    v, w = level(c, s, hub.velocity), matvec(G, hub.spin)
    for i in range(3):
        one, two = sys.freedom[6 * k + i], sys.freedom[6 * k + 3 + i]
        one.speed, two.speed = v[i], w[i]
        one.motion, two.motion = moved[i] + to_go * v[i], turned[i] + to_go * w[i]


@kernel
def see_floaters(hubs, to_go, sys):
    """The same for all of them."""
    for k in range(sys.floaters):
        see_floater(k, hubs[sys.floater[k].hub], to_go, sys)


@kernel
def from_rest(k, i, sys):
    """Motion i of floater k in the axes of the file."""
    hull, now, at = sys.hull[k], sys.hull_now[k], 6 * k + i
    if i == 2:
        return sys.freedom[at].motion
    psi = math.atan2(now.sine, now.cosine) - hull.heading
    c, s = math.cos(psi), math.sin(psi)
    if i == 5:
        return sys.freedom[at].motion + math.atan2(s, c)
    if i == 0 or i == 3:
        return c * sys.freedom[at].motion - s * sys.freedom[at + 1].motion
    return s * sys.freedom[at - 1].motion + c * sys.freedom[at].motion


@kernel
def hold(k, sys):
    """Force of a mooring that is given as a matrix, in the axes of the file, onto those of the coefficients."""
    hull, now, first = sys.hull[k], sys.hull_now[k], 6 * k
    for i in range(6):
        force = sys.preload[first + i].number
        for j in range(6):
            force -= sys.holding[36 * k + 6 * i + j].number * from_rest(k, j, sys)
        sys.freedom[first + i].mooring = force
    psi = math.atan2(now.sine, now.cosine) - hull.heading
    c, s = math.cos(psi), math.sin(psi)
    for i in range(0, 6, 3):
        one, two = sys.freedom[first + i], sys.freedom[first + i + 1]
        one.mooring, two.mooring = c * one.mooring + s * two.mooring, c * two.mooring - s * one.mooring


@kernel
def damper(k, i, j, sys):
    """How the damping force on freedom i of floater k grows with the speed of freedom j (its symmetric part)."""
    linear = sys.damping_linear
    b = 0.5 * (linear[36 * k + 6 * i + j].number + linear[36 * k + 6 * j + i].number)
    if i == j:
        b += 2.0 * sys.damping_quadratic[6 * k + i].number * abs(sys.freedom[6 * k + i].speed)
    return b


@kernel
def press_hull(k, sys):
    """Hydrostatics, damping and what holds it: forces on the freedoms, and the matrix of floater k itself."""
    first, block, half = 6 * k, 36 * k, 0.5 * sys.scheme.step
    for i in range(6):
        row = sys.freedom[first + i]
        restored = sys.constant[first + i].number
        damped = -sys.damping_quadratic[first + i].number * abs(row.speed) * row.speed
        for j in range(6):
            other = sys.freedom[first + j]
            restored -= sys.restoring[block + 6 * i + j].number * other.motion
            damped -= sys.damping_linear[block + 6 * i + j].number * other.speed
            sys.water_matrix[block + 6 * i + j].number = half * damper(k, i, j, sys)
        row.hydrostatic, row.viscous = restored, damped
        row.radiation = row.current = row.wind = row.thrust = 0.0
    hold(k, sys)


@kernel
def radiate(sys):
    """μ of all floaters where the step takes it, and what of it goes with the acceleration."""
    for m in range(sys.memories):
        z, step = sys.radiation[m], sys.memory_step[m]
        step.now_re = step.part_re * z.re - step.part_im * z.im
        step.now_im = step.part_re * z.im + step.part_im * z.re
    for i in range(sys.residues):
        of, residue = sys.residue_of[i], sys.residue[i]
        step = sys.memory_step[of.memory]
        sys.freedom[of.freedom].radiation -= residue.re * step.now_re - residue.im * step.now_im
    if sys.pasts > 0:
        for k in range(lane_count(sys)):
            recall(lane_of(sys, k))
    for b in range(sys.water_blocks):
        of = sys.water_block[b]
        for i in range(6):
            for j in range(6):
                at = 36 * b + 6 * i + j
                quick = sys.quick[at].number
                inertia = sys.added[at].number + sys.quick[at].later
                if b < sys.floaters:
                    inertia += sys.water_matrix[at].number
                sys.water_matrix[at].number = inertia
                one, two = sys.freedom[6 * of.row + i], sys.freedom[6 * of.column + j]
                one.radiation -= quick * two.speed
                if b >= sys.floaters:
                    two.radiation -= quick * one.speed


@kernel
def corner(at, sys):
    """Three by three of the numbers of a block, from `at` on."""
    m = sys.water_matrix
    return (
        m[at].number, m[at + 1].number, m[at + 2].number, m[at + 6].number, m[at + 7].number, m[at + 8].number,
        m[at + 12].number, m[at + 13].number, m[at + 14].number,
    )  # fmt: skip


@kernel
def add_corner(at, i, j, block, turned, lower, work):
    """Add three by three numbers to a block of a hub system that begins at `at` in `work`, from row i and column j on.

    turned: into the block's transpose; lower: only at or below the diagonal
    """
    for p in range(3):
        for q in range(3):
            row, column = i + p, j + q
            if turned:
                row, column = column, row
            if not lower or column <= row:
                work[at + 6 * row + column] += block[3 * p + q]


@kernel
def axes_of(k, sys):
    """H of floater k."""
    c, s = sys.hull_now[k].cosine, sys.hull_now[k].sine
    return (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)


@kernel
def give_block(b, matrix, sys):
    """Add block b to the hub system, whose blocks begin at `matrix` in `work`: Tᵀ M T with V̇ = T (v̇, ẇ)."""
    of, at = sys.water_block[b], 36 * b
    place, turned, lower = matrix + 36 * of.slot, of.turned == 1, of.row == of.column
    left, right = axes_of(of.row, sys), transpose(axes_of(of.column, sys))
    back, G = transpose(sys.hull_now[of.row].turn), sys.hull_now[of.column].turn
    add_corner(place, 0, 0, matmul(matmul(left, corner(at, sys)), right), turned, lower, sys.work)
    add_corner(place, 0, 3, matmul(matmul(left, corner(at + 3, sys)), G), turned, lower, sys.work)
    add_corner(place, 3, 0, matmul(matmul(back, corner(at + 18, sys)), right), turned, lower, sys.work)
    add_corner(place, 3, 3, matmul(matmul(back, corner(at + 21, sys)), G), turned, lower, sys.work)


@kernel
def give_body(k, hub, matrix, sys):
    """Add the rigid body: its inertia about the reference point, weight and gyroscopic terms; and the water's forces.

    m(v̇ + R(ẇ × c) + R(w × (w × c))) = F,   c × m Rᵀv̇ + J ẇ + w × J w = T,   J about the reference point
    """
    hull, now, R, w = sys.hull[k], sys.hull_now[k], rotation(hub.turn), hub.spin
    m, c, J, place = hull.mass, hull.centre, hull.inertia, matrix + 36 * sys.water_block[k].slot
    U = lever_columns(R, c)
    for i in range(3):
        sys.work[place + 7 * i] += m
        for j in range(3):
            sys.work[place + 6 * (3 + i) + j] += m * U[3 * j + i]
    add_corner(place, 3, 3, (J[0], J[1], J[2], J[1], J[3], J[4], J[2], J[4], J[5]), False, True, sys.work)
    weight = m * sys.reals[GRAVITY]
    force, torque = water_wrench(k, sys)
    force = subtract(add(force, (0.0, 0.0, -weight)), scale(m, matvec(R, cross(w, cross(w, c)))))
    torque = add(torque, scale(-weight, cross(c, (R[6], R[7], R[8]))))
    now.force, now.torque = force, subtract(torque, cross(w, symvec(J, w)))


@kernel
def water_wrench(k, sys):
    """Sum of the forces on the freedoms of floater k: force (global) and torque (body axes)."""
    now, f = sys.hull_now[k], 6 * k
    for i in range(f, f + 6):
        row = sys.freedom[i]
        row.total = (
            row.hydrostatic + row.radiation + row.excitation + row.drift + row.viscous + row.current + row.wind
            + row.thrust + row.mooring
        )  # fmt: skip
    row = sys.freedom
    force = matvec(axes_of(k, sys), (row[f].total, row[f + 1].total, row[f + 2].total))
    torque = transposed_matvec(now.turn, (row[f + 3].total, row[f + 4].total, row[f + 5].total))
    return force, torque


@kernel
def load_floaters(t, to_go, hubs, matrix, sys):
    """Forces and inertia of all floaters and power take-offs at t, where the step takes them (`prepare_floaters`).

    Blocks are added to the hub system, which begins at `matrix` in `work`; `hull_now` has what acts on each hub.
    to_go  time from where the hubs are to where forces are taken: 0 where they have drifted there
    """
    raise_waves(t, hubs, sys)
    press_floaters(t, to_go, hubs, sys)
    radiate(sys)
    give_floaters(to_go, hubs, matrix, sys)


@kernel
def press_floaters(t, to_go, hubs, sys):
    """All forces on the freedoms but those of the waves, which `raise_waves` has raised, and of radiation."""
    see_floaters(hubs, to_go, sys)
    for k in range(sys.floaters):
        press_hull(k, sys)
        turn_waves(t, k, hubs[sys.floater[k].hub], sys)
        blow(t, k, hubs[sys.floater[k].hub], sys)
        push_thrust(t, k, sys)


@kernel
def give_floaters(to_go, hubs, matrix, sys):
    """Blocks and forces of all floaters and power take-offs, with the forces on their freedoms."""
    for b in range(sys.water_blocks):
        give_block(b, matrix, sys)
    for k in range(sys.floaters):
        give_body(k, hubs[sys.floater[k].hub], matrix, sys)
    add_ptos(to_go, hubs, matrix, sys)


@kernel
def take_rates(sys):
    """V̇ of all floaters, from how their hubs move after the solve."""
    for k in range(sys.floaters):
        now = sys.hull_now[k]
        a, turning = level(now.cosine, now.sine, now.acceleration), matvec(now.turn, now.spin_rate)
        for i in range(3):
            sys.freedom[6 * k + i].rate, sys.freedom[6 * k + 3 + i].rate = a[i], turning[i]


@kernel
def book_floaters(book, works, sys):
    """Work of water, wind and thrust in a step along the velocities in its middle, after the solve (`take_rates`).

    `works` is the system whose `water_work` and `pto_work` it is added to; `book` makes a power a work.
    """
    half = 0.5 * sys.scheme.step
    for b in range(sys.water_blocks):  # what of μ and of dampers went with the acceleration
        of = sys.water_block[b]
        for i in range(6):
            for j in range(6):
                one, two = sys.freedom[6 * of.row + i], sys.freedom[6 * of.column + j]
                later = sys.quick[36 * b + 6 * i + j].later
                one.radiation -= later * two.rate
                if b >= sys.floaters:
                    two.radiation -= later * one.rate
                else:
                    one.viscous -= half * damper(b, i, j, sys) * two.rate
    for k in range(sys.floaters):
        ledger, work = sys.ledger, works.water_work[k]
        waves, drift, radiated, viscous, air, driven = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        along, swing = 0.0, 0.0
        n, m = thrust_row(k, sys)
        for i in range(6):
            row = sys.freedom[6 * k + i]
            speed = row.speed + half * row.rate
            waves += row.excitation * speed
            drift += row.drift * speed
            radiated += row.radiation * speed
            viscous += row.viscous * speed
            air += (row.current + row.wind) * speed
            driven += row.thrust * speed
            along += (n[i] if i < 3 else m[i - 3]) * speed
            swing += (n[i] if i < 3 else m[i - 3]) * row.rate
        driven -= half * sys.hull_now[k].slope * swing * along
        work.waves += book * waves
        work.drift += book * drift
        work.radiation += book * radiated
        work.viscous += book * viscous
        ledger.drag += book * (waves + drift + radiated + viscous + air)
        ledger.drives += book * driven
    book_ptos(book, works, sys)


@kernel
def remember_floaters(h, ahead, hubs, sys):
    """The water's memory and the slow filters at the end of a step, through which velocities change evenly.

    Those it began with are the ones of ½h − `ahead` before it.
    """
    remember_water(h, ahead, sys)
    follow_slowly(h, ahead, hubs, sys)


@kernel
def remember_water(h, ahead, sys):
    """The states of the poles."""
    for m in range(sys.memories):
        z, step, row = sys.radiation[m], sys.memory_step[m], sys.freedom[sys.memory_of[m].freedom]
        re, im, speed = z.re, z.im, row.speed + (0.5 * h - ahead) * row.rate
        z.re = step.whole_re * re - step.whole_im * im + step.gain_re * speed + step.rise_re * row.rate
        z.im = step.whole_re * im + step.whole_im * re + step.gain_im * speed + step.rise_im * row.rate


@kernel
def follow_slowly(h, ahead, hubs, sys):
    """The past, and the slow filters; axes that do not follow the yaw stay as they are."""
    if sys.pasts > 0:
        keep_past(h, ahead, sys)
    for k in range(sys.floaters):
        slow, fade = sys.slow[k], sys.hull_now[k].fade
        x, y, yaw = place_now(k, hubs[sys.floater[k].hub], sys)
        one, two = slow.ahead, slow.place
        one = (one[0] + fade * (x - one[0]), one[1] + fade * (y - one[1]))
        slow.ahead, slow.place = one, (two[0] + fade * (one[0] - two[0]), two[1] + fade * (one[1] - two[1]))
        fade *= sys.hull[k].turns
        slow.ahead_yaw += fade * (yaw - slow.ahead_yaw)
        slow.yaw += fade * (slow.ahead_yaw - slow.yaw)


@kernel
def place_now(k, hub, sys):
    """Where floater k is from rest, along the global axes, and its yaw."""
    hull = sys.hull[k]
    c, s = math.cos(hull.heading), math.sin(hull.heading)
    yaw = angles_of(levelled(c, s, rotation(hub.turn)))[2]
    return hub.position[0] - hull.rest[0], hub.position[1] - hull.rest[1], yaw


@kernel
def floater_rates(hubs, sys, rate):
    """d/dt of the water's memory and of the slow filters, for Runge–Kutta methods."""
    for m in range(sys.memories):
        z, pole = sys.radiation[m], sys.memory[m]
        rate.radiation[m].re = pole.re * z.re - pole.im * z.im + sys.freedom[sys.memory_of[m].freedom].speed
        rate.radiation[m].im = pole.re * z.im + pole.im * z.re
    for k in range(sys.floaters):
        slow, to, fast = sys.slow[k], rate.slow[k], sys.hull[k].rate
        x, y, yaw = place_now(k, hubs[sys.floater[k].hub], sys)
        to.ahead = (fast * (x - slow.ahead[0]), fast * (y - slow.ahead[1]))
        to.place = (fast * (slow.ahead[0] - slow.place[0]), fast * (slow.ahead[1] - slow.place[1]))
        fast *= sys.hull[k].turns
        to.ahead_yaw, to.yaw = fast * (yaw - slow.ahead_yaw), fast * (slow.ahead_yaw - slow.yaw)
