"""The paper's equations of motion (Eq. 20), stepped so that they survive elevation zero.

There the mass matrix A is singular in the azimuth. With springs K and dampers C of the azimuth taken implicitly,

    (A + h C + h² K + h D) v₁ = A v₀ + h (Q − f − K θ₀),   θ₁ = θ₀ + h v₁,

these hold the matrix regular (D: secants of the drag torque), for any step and without an artificial inertia.
"""

from __future__ import annotations

import math

from fairlead.algebra.cholesky import solve_positive
from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.small import ZERO3, add, add_scaled, cross, dot, scale, subtract
from fairlead.formulations.links.twist import twist_energies, twist_of, twist_on
from fairlead.loads.drag import normal_secant
from fairlead.loads.extremes import begin_extremes, bend_between, first_extreme, report_extremes
from fairlead.loads.signals import table_value
from fairlead.rigging.extremes import note_ends, note_line, note_points
from fairlead.rigging.observation import put_ends, put_node, put_points, put_totals, put_two, works_of
from fairlead.sea.water import fluid

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
def look(t, h, sys):
    """(v₁ − v₀)/h of a step of size h, left in `rhs`; h = 0 gives θ̈ itself.

    Returns whether it could be solved for, and the powers of drag torques and dampers.
    """
    lay_out(sys)
    forces(t, sys)
    assemble(t, sys)
    drag_power, damping_power = springs(h, sys)
    return solve(sys), drag_power, damping_power


@entry
def accelerate(t, h, y, ints, reals, work):
    """The same as a function of its own. Returns a status."""
    solved, _, _ = look(t, h, system(ints, reals, y, work))
    return OK if solved else SINGULAR


@kernel
def balance_nodes(t, sys):
    """Places and velocities of all nodes, and the force of all beyond each on it, after a solution."""
    n = sys.links
    place, speed, push, turning = sys.end.base, ZERO3, ZERO3, 0.0
    for j in range(n):
        node, laid, length = sys.node[j], sys.laid[j], sys.link[j].length
        node.position, node.velocity = place, speed
        turning += sys.rhs[n + j].value
        swing = add_scaled(add_scaled(laid.bias, sys.rhs[j].value, laid.by_elevation), turning, laid.by_azimuth)
        node.force = add_scaled(sys.load[j].whole, -sys.link[j].mass, add_scaled(push, 0.5 * length, swing))
        place, speed = add_scaled(place, length, laid.direction), add_scaled(speed, length, laid.rate)
        push = add_scaled(push, length, swing)
    last = sys.node[n]
    last.position, last.velocity = place, speed
    last.force = add_scaled(end_push(load_factor(t, sys), sys), -sys.end.mass, push)
    for j in range(n - 1, -1, -1):
        sys.node[j].force = add(sys.node[j].force, sys.node[j + 1].force)


@kernel
def axis_at(i, sys):
    """Mean direction of the links that meet at node i."""
    axis = add(sys.laid[max(0, i - 1)].direction, sys.laid[min(sys.links - 1, i)].direction)
    return scale(1.0 / max(math.sqrt(dot(axis, axis)), 1e-12), axis)


@kernel
def seen(c, i, sys):
    """Tension, square of the curvature and place at node i, counted from the base; the curvature at an end is none."""
    node, bend = sys.node[i], 0.0
    if 0 < i < sys.links:
        length = 0.5 * (sys.link[i - 1].length + sys.link[i].length)
        bend = bend_between(sys.laid[i - 1].direction, sys.laid[i].direction, length)
    return dot(node.force, axis_at(i, sys)), bend, node.position


@kernel
def point_state(k, sys):
    """Place and velocity of point k: the end, or the base."""
    node = sys.node[sys.links if k == sys.cable.end_point else 0]
    return node.position, node.velocity


@kernel
def note_extremes(t, sys):
    """Fold the step from t, solved but not yet made, into the extremes."""
    n, reverse = sys.links, sys.cable.reversed == 1
    note_line(t, 0, first_extreme(sys.ints, sys.y), n, 0, reverse, seen, sys)
    note_ends(t, 0, sys.node[0].force, sys.node[n].force, reverse, sys)
    note_points(t, sys.points, point_state, sys)


@kernel
def energies(sys):
    """Kinetic, gravity and elastic energy [J]: those of the Lagrangian, its height counted from the surface."""
    n, literal = sys.links, sys.literal == 1
    kinetic, elastic, _ = twist_energies(sys)
    gravity, turned, e0, a0 = sys.end.weight * sys.node[n].position[2], 0.0, 0.0, 0.0
    for i in range(n):
        link, e, a = sys.link[i], sys.angle[i].value, sys.angle[n + i].value
        turned += sys.rate[i].value
        if literal:
            kinetic += 0.5 * link.turning * turned * turned
        for j in range(n):
            kinetic += 0.5 * sys.swing[n * i + j].mass * dot(sys.laid[i].rate, sys.laid[j].rate)
        gravity += 0.5 * link.weight * (sys.node[i].position[2] + sys.node[i + 1].position[2])
        elastic += 0.5 * link.k_elevation * (e - e0) * (e - e0) + 0.5 * link.k_azimuth * (a - a0) * (a - a0)
        e0, a0 = e, a if literal else 0.0
    return kinetic, gravity, elastic


@kernel
def observe(sys, out):
    """Fill one observation row for the state that is solved for."""
    n, reverse = sys.links, sys.cable.reversed == 1
    at, most = 0, -math.inf
    for k in range(n + 1):
        i = n - k if reverse else k
        node, axis, moment, torsion = sys.node[i], axis_at(i, sys), 0.0, 0.0
        tension = dot(node.force, axis)
        across = add_scaled(node.force, -tension, axis)
        if i < n:
            above = sys.angle[i - 1].value if i > 0 else 0.0
            moment = sys.link[i].k_elevation * abs(sys.angle[i].value - above)
            _, torsion = twist_of(i, sys)
        most, shear = max(most, tension), math.sqrt(dot(across, across))
        at = put_node(out, at, node.position, node.velocity, tension, shear, moment, torsion, ZERO3)
    start, end = sys.node[0].force, scale(-1.0, sys.node[n].force)
    at = put_ends(out, at, end if reverse else start, start if reverse else end)
    at = put_points(out, at, sys.points, point_state, sys)
    kinetic, gravity, elastic = energies(sys)
    at = put_totals(out, at, kinetic, gravity, elastic, works_of(sys.ledger), most)
    for j in range(n):
        at = put_two(out, at, sys.angle[j].value, sys.angle[n + j].value)
        out[at], _ = twist_of(j, sys)
        at += 1


@entry
def run(t, y, steps, h, u, ints, reals, work, kind, copy, out):
    """Steps of size h from t, in place; then, when `out` has room for it, one observation. Returns a status."""
    sys = system(ints, reals, y, work)
    n, ledger = sys.links, sys.ledger
    begin_extremes(steps, out, ints, y)
    for step in range(steps):
        now = t + step * h
        solved, drag_power, damping_power = look(now, h, sys)
        if not solved:
            sys.fault.time, sys.fault.link = now, 0
            return SINGULAR
        balance_nodes(now, sys)
        note_extremes(now, sys)
        place_work = 0.0
        for j in range(n):  # power of the water: all forces on the links less their weight
            speed, turn, length, load = sys.node[j].velocity, sys.laid[j].rate, sys.link[j].length, sys.load[j]
            place_work += dot(load.whole, speed) + length * dot(load.lever, turn)
            place_work += sys.link[j].weight * (speed[2] + 0.5 * length * turn[2])
        factor = load_factor(now, sys)
        for k in range(2 * n):
            rate = sys.rate[k]
            rate.value += h * sys.rhs[k].value
            sys.angle[k].value += h * rate.value
            if not abs(rate.value) < FASTEST:
                sys.fault.time, sys.fault.link = now + h, k % n
                return RANGE
        ledger.drag += h * (drag_power + place_work)
        ledger.damping += h * damping_power
        ledger.drives += h * factor * dot(sys.end.force, sys.node[n].velocity)
        twist_on(factor * dot(sys.end.torque, sys.laid[n - 1].direction), sys)
    if out.shape[0] > 0:
        solved, _, _ = look(t + steps * h, h, sys)
        balance_nodes(t + steps * h, sys)
        observe(sys, out)
        report_extremes(ints, y, out)
        return OK if solved else SINGULAR
    return OK
