"""The paper's equations of motion (Eq. 20), stepped so that they survive elevation zero.

There the mass matrix A is singular in the azimuth. With springs K and dampers C of the azimuth taken implicitly,

    (A + h C + h² K + h D) v₁ = A v₀ + h (Q − f − K θ₀),   θ₁ = θ₀ + h v₁,

these hold the matrix regular (D: secants of the drag torque), for any step and without an artificial inertia.
"""

from __future__ import annotations

import math

from fairlead.algebra.cholesky import solve_positive
from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.small import add_scaled, cross, dot, scale, subtract
from fairlead.loads.drag import normal_secant
from fairlead.loads.extremes import (
    NOTHING, bend_between, first_extreme, note_cable, note_end, note_node, note_point, report_extremes,
    time_since,
)  # fmt: skip
from fairlead.loads.signals import table_value
from fairlead.sea.water import bed_clearance, fluid

from .schema import MORISON, SCHEMA, TORQUE

system = SCHEMA.view
OK, RANGE, SINGULAR = 0, 1, 2
FASTEST = 1.0e5
"""rad/s: beyond it a state has left the physical range."""


@kernel
def lay_out(sys):
    """q, p = ∂q/∂e, d = ∂q/∂ψ, q̇ and biases b of all links; z points up, unlike the paper's."""
    n = sys.links
    psi, dpsi = 0.0, 0.0
    for j in range(n):
        e, de, laid = sys.angle[j].value, sys.rate[j].value, sys.laid[j]
        psi += sys.angle[n + j].value
        dpsi += sys.rate[n + j].value
        s, c, sp, cp = math.sin(e), math.cos(e), math.sin(psi), math.cos(psi)
        q, p, d = (s * sp, s * cp, -c), (c * sp, c * cp, s), (s * cp, -s * sp, 0.0)
        laid.direction, laid.by_elevation, laid.by_azimuth = q, p, d
        laid.rate = (p[0] * de + d[0] * dpsi, p[1] * de + d[1] * dpsi, p[2] * de)
        m = 2.0 * c * de * dpsi
        f = -de * de - dpsi * dpsi
        laid.bias = (m * cp + f * q[0], -m * sp + f * q[1], -de * de * q[2])


@kernel
def load_factor(t, sys):
    """Factor of the load at the end."""
    if sys.cable.load_rows == 0:
        return 1.0
    return table_value(t, sys.reals, sys.sample.start, sys.cable.load_rows, 2, 1)


@kernel
def forces(t, sys):
    """Weight and force of the water on each link, whole and at half its lever.

    As published, the water acts at the middle of a link. G_i = l_i (F_i/2 + Σ_{k>i} F_k + F_c) follows in `assemble` by
    virtual work: only link i turns with its own angles, those below move with its end. (The print's vector product of
    force and position is no generalised torque.)
    """
    mode, water = sys.drag, sys.water
    place, speed = sys.end.base, (0.0, 0.0, 0.0)
    for j in range(sys.links):
        link, laid, load = sys.link[j], sys.laid[j], sys.load[j]
        q, turn, length = laid.direction, laid.rate, link.length
        whole = (0.0, 0.0, -link.weight)
        lever = (0.0, 0.0, 0.5 * whole[2])
        if mode != TORQUE:
            x, v = add_scaled(place, 0.5 * length, q), add_scaled(speed, 0.5 * length, turn)
            flow, _, _, _ = fluid(t, x[0], x[1], x[2], sys.reals)
            u = subtract(v, flow)
            if mode == MORISON:
                u = add_scaled(u, -dot(u, q), q)
                c = normal_secant(water.law, link.drag_normal, math.sqrt(dot(u, u)), water.reynolds)
            else:
                c = water.coefficient * math.sqrt(dot(u, u))
            whole = add_scaled(whole, -c, u)
            lever = add_scaled(lever, -0.5 * c, u)
        load.whole, load.lever = whole, lever
        place = add_scaled(place, length, q)
        speed = add_scaled(speed, length, turn)


@kernel
def end_push(factor, sys):
    """Force at the end: of the load there, and its weight."""
    force = scale(factor, sys.end.force)
    return (force[0], force[1], force[2] - sys.end.weight)


@kernel
def assemble(t, sys):
    """The matrix and right-hand side of a step, (2n)² and 2n numbers."""
    n, size = sys.links, 2 * sys.links
    matrix = sys.work[sys.matrix.start : sys.matrix.start + size * size]
    rhs = sys.work[sys.rhs.start : sys.rhs.start + size]
    factor = load_factor(t, sys)
    beyond, torque = end_push(factor, sys), scale(factor, sys.end.torque)
    i = n - 1
    while i >= 0:
        laid = sys.laid[i]
        p, d = laid.by_elevation, laid.by_azimuth
        total = add_scaled(sys.load[i].lever, 1.0, beyond)
        beyond = add_scaled(beyond, 1.0, sys.load[i].whole)
        total = scale(sys.link[i].length, total)
        if i == n - 1:
            total = add_scaled(total, 1.0, cross(torque, laid.direction))
        for j in range(n):
            total = add_scaled(total, -sys.swing[n * i + j].mass, sys.laid[j].bias)
        rhs[i] = dot(p, total)
        rhs[n + i] = dot(d, total)
        for j in range(n):
            m, other = sys.swing[n * i + j].mass, sys.laid[j]
            matrix[size * i + j] = m * dot(p, other.by_elevation)
            matrix[size * i + n + j] = m * dot(p, other.by_azimuth)
            matrix[size * (n + i) + n + j] = m * dot(d, other.by_azimuth)
        i -= 1
    # from absolute to relative azimuths: sums over all links at or below
    for i in range(n - 2, -1, -1):
        rhs[n + i] += rhs[n + i + 1]
    for i in range(n):
        for j in range(n - 2, -1, -1):
            matrix[size * i + n + j] += matrix[size * i + n + j + 1]
            matrix[size * (n + i) + n + j] += matrix[size * (n + i) + n + j + 1]
    for i in range(n - 2, -1, -1):
        for j in range(n):
            matrix[size * (n + i) + n + j] += matrix[size * (n + i + 1) + n + j]
    for i in range(n):
        for j in range(n):
            matrix[size * (n + j) + i] = matrix[size * i + n + j]
            if sys.literal == 1:
                for k in range(max(i, j), n):
                    matrix[size * i + j] += sys.link[k].turning


@kernel
def springs(h, sys):
    """Right-hand side r − Kθ − Cv and the matrix A + hC + h²K + hD; returns the powers of drag torques and dampers."""
    n, size = sys.links, 2 * sys.links
    matrix = sys.work[sys.matrix.start : sys.matrix.start + size * size]
    rhs = sys.work[sys.rhs.start : sys.rhs.start + size]
    angle = sys.y[sys.angle.start : sys.angle.start + size]
    speed = sys.y[sys.rate.start : sys.rate.start + size]
    drag_power, damping_power = 0.0, 0.0
    literal = sys.literal == 1
    for block in range(2):
        for i in range(n):
            a, link = block * n + i, sys.link[i]
            k, c = (link.k_elevation, link.c_elevation) if block == 0 else (link.k_azimuth, link.c_azimuth)
            b = a - 1 if i > 0 else -1  # the coordinate above
            spring = angle[a] - (angle[b] if b >= 0 else 0.0)
            if block == 1 and not literal:
                spring, b = angle[a], -1
            rhs[a] -= k * (spring + h * (speed[a] - (speed[b] if b >= 0 else 0.0)))
            matrix[size * a + a] += h * h * k
            if b >= 0:
                rhs[b] += k * (spring + h * (speed[a] - speed[b]))
                matrix[size * b + b] += h * h * k
                matrix[size * a + b] -= h * h * k
                matrix[size * b + a] -= h * h * k
            if literal or block == 1:
                b = -1
            rate = speed[a] - (speed[b] if b >= 0 else 0.0)
            damping_power -= c * rate * rate
            rhs[a] -= c * rate
            matrix[size * a + a] += h * c
            if b >= 0:
                rhs[b] += c * rate
                matrix[size * b + b] += h * c
                matrix[size * a + b] -= h * c
                matrix[size * b + a] -= h * c
            if sys.drag == TORQUE:
                v = speed[a]
                c = sys.water.coefficient * abs(v)
                drag_power -= c * v * v
                rhs[a] -= c * v
                matrix[size * a + a] += h * c
    return drag_power, damping_power


@kernel
def solve(sys):
    """Cholesky in place; the solution replaces the right-hand side. False when the matrix is not positive definite."""
    size = 2 * sys.links
    matrix = sys.work[sys.matrix.start : sys.matrix.start + size * size]
    rhs = sys.work[sys.rhs.start : sys.rhs.start + size]
    return solve_positive(matrix, rhs, 0, size, 0.0)


@kernel
def twist_energy(sys):
    """Energy of the twist [J] and the twist that a torque at the end works on [rad]."""
    energy, end = 0.0, 0.0
    for m in range(sys.links):
        z, dz = sys.twist[m].amplitude, sys.twist[m].rate
        energy += 0.5 * (dz * dz + sys.mode[m].stiffness * z * z)
        end += sys.mode[m].gain * z
    return energy, end


@entry
def accelerate(t, h, y, ints, reals, work):
    """(v₁ − v₀)/h of a step of size h, left in `rhs`; h = 0 gives θ̈ itself. Returns a status."""
    sys = system(ints, reals, y, work)
    lay_out(sys)
    forces(t, sys)
    assemble(t, sys)
    springs(h, sys)
    return OK if solve(sys) else SINGULAR


@kernel
def swing_of(j, turning, sys):
    """q̈ of link j; `turning`: the acceleration of its azimuth, that of all links above it added up."""
    laid = sys.laid[j]
    swing = add_scaled(laid.bias, sys.rhs[j].value, laid.by_elevation)
    return add_scaled(swing, turning, laid.by_azimuth)


@kernel
def note_extremes(t, sys):
    """Fold the step from t, solved but not yet made, into the extremes; node 0 of the paper's count is the base."""
    n, ints, y = sys.links, sys.ints, sys.y
    reverse, still = sys.cable.reversed == 1, (0.0, 0.0, 0.0)
    place, speed, push, turning = sys.end.base, still, still, 0.0
    total = end_push(load_factor(t, sys), sys)
    for j in range(n):  # the force at the base: all that acts, less the inertia of all
        length = sys.link[j].length
        turning += sys.rhs[n + j].value
        swing = swing_of(j, turning, sys)
        middle = add_scaled(push, 0.5 * length, swing)
        push = add_scaled(push, length, swing)
        total = add_scaled(total, 1.0, sys.load[j].whole)
        total = add_scaled(total, -sys.link[j].mass, middle)
    total = add_scaled(total, -sys.end.mass, push)
    found, behind, before = NOTHING, sys.laid[0].direction, 0.0
    push, turning = still, 0.0
    first = first_extreme(ints, y)
    note_end(t, 0, 1 if reverse else 0, total, ints, y)
    for j in range(n + 1):
        last = min(j, n - 1)
        ahead, length = sys.laid[last].direction, sys.link[last].length
        axis = add_scaled(ahead, 1.0, behind)
        bend = bend_between(behind, ahead, 0.5 * (before + length)) if 0 < j < n else 0.0
        tension = dot(total, axis) / math.sqrt(dot(axis, axis))
        found = note_node(y, first, n - j if reverse else j, tension, bend, bed_clearance(place, sys.reals), found)
        if j < n:
            turning += sys.rhs[n + j].value
            swing = swing_of(j, turning, sys)
            middle = add_scaled(push, 0.5 * length, swing)
            push = add_scaled(push, length, swing)
            total = add_scaled(total, -1.0, sys.load[j].whole)
            total = add_scaled(total, sys.link[j].mass, middle)
            place, speed = add_scaled(place, length, ahead), add_scaled(speed, length, sys.laid[j].rate)
        behind, before = ahead, length
    note_cable(t, 0, found, ints, y)
    note_end(t, 0, 0 if reverse else 1, total, ints, y)
    since = time_since(t, ints, y)
    for k in range(sys.points):
        end = k == sys.cable.end_point
        note_point(t, since, k, place if end else sys.end.base, speed if end else still, sys.reals, ints, y)


@kernel
def twist_on(torque, sys):
    """The twist after a step under a torque at the end."""
    size = 2 * sys.links
    twist = sys.y[sys.twist.start : sys.twist.start + size]
    for i in range(size):
        row = (size + 1) * i
        total = sys.propagator[row + size].number * torque
        for k in range(size):
            total += sys.propagator[row + k].number * twist[k]
        sys.twist_next[i].number = total
    for i in range(size):
        twist[i] = sys.twist_next[i].number


@entry
def run(t, y, steps, h, u, ints, reals, work, kind, copy, out):
    """Steps of size h from t, in place: what is seen then Python works out. Returns a status."""
    sys = system(ints, reals, y, work)
    n, ledger = sys.links, sys.ledger
    for step in range(steps):
        now = t + step * h
        lay_out(sys)
        forces(now, sys)
        speed, place_work = (0.0, 0.0, 0.0), 0.0
        for j in range(n):  # power of the water: all forces on the links less their weight
            turn, length, load = sys.laid[j].rate, sys.link[j].length, sys.load[j]
            place_work += dot(load.whole, speed) + length * dot(load.lever, turn)
            place_work += sys.link[j].weight * (speed[2] + 0.5 * length * turn[2])
            speed = add_scaled(speed, length, turn)
        factor = load_factor(now, sys)
        pushed = factor * dot(sys.end.force, speed)
        assemble(now, sys)
        drag_power, damping_power = springs(h, sys)
        if not solve(sys):
            sys.fault.time, sys.fault.link = now, 0
            return SINGULAR
        note_extremes(now, sys)
        for k in range(2 * n):
            rate = sys.rate[k]
            rate.value += h * sys.rhs[k].value
            sys.angle[k].value += h * rate.value
            if not abs(rate.value) < FASTEST:
                sys.fault.time, sys.fault.link = now + h, k % n
                return RANGE
        torque = factor * dot(sys.end.torque, sys.laid[n - 1].direction)
        energy, end = twist_energy(sys)
        twist_on(torque, sys)
        after, turned = twist_energy(sys)
        given = torque * (turned - end)
        ledger.drag += h * (drag_power + place_work)
        ledger.damping += h * damping_power + after - energy - given
        ledger.drives += h * pushed + given
    return OK


@entry
def report(ints, y, out):
    """Extremes since the previous sample into the end of an observation row."""
    report_extremes(ints, y, out)
