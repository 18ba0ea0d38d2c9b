"""The paper's equations of motion (Eq. 20), stepped so that they survive elevation zero.

There the mass matrix A is singular in the azimuth. With springs K and dampers C of the azimuth taken implicitly,

    (A + h C + h² K + h D) v₁ = A v₀ + h (Q − f − K θ₀),   θ₁ = θ₀ + h v₁,

these hold the matrix regular (D: secants of the drag torque), for any step and without an artificial inertia.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.small import add_scaled, cross, dot
from fairlead.loads.drag import normal_secant
from fairlead.loads.extremes import (
    NOTHING, bed_distance, bend_between, first_extreme, note_cable, note_end, note_node, note_point, report_extremes,
    time_since,
)  # fmt: skip
from fairlead.loads.signals import table_value
from fairlead.results.extremes import POINTS_FROM_END
from fairlead.sea.water import fluid

from .arrays import (
    BASE, C_E, COEFFICIENT, DRAG_LAW, DRAG_MODE, DRAG_NORMAL, END_MASS, END_POINT, END_WEIGHT, K_E, LENGTHS, LISTS,
    LITERAL, LOAD_ROWS, MASSES, MORISON, N, N_SEA, REVERSED, REYNOLDS, SCALARS,
    TORQUE, TURNING, TWIST_GAIN, TWIST_STIFFNESS, WEIGHTS, WORK_DAMPING,
    WORK_DRAG, WORK_DRIVES,
)  # fmt: skip

OK, RANGE, SINGULAR = 0, 1, 2
FASTEST = 1.0e5
"""rad/s: beyond it a state has left the physical range."""
HEAD, DIRECTIONS = 8, 15
"""`work` begins with the fault's time and link; then q, ∂q/∂e, ∂q/∂ψ, q̇ and b of each link."""


@kernel
def vector(values, at):
    """Three numbers as a vector."""
    return (values[at], values[at + 1], values[at + 2])


@kernel
def put(values, at, v):
    """Write a vector."""
    values[at] = v[0]
    values[at + 1] = v[1]
    values[at + 2] = v[2]


@kernel
def lay_out(ints, y, work):
    """q, p = ∂q/∂e, d = ∂q/∂ψ, q̇ and biases b of all links; z points up, unlike the paper's."""
    n = ints[N]
    psi, dpsi = 0.0, 0.0
    for j in range(n):
        e, de = y[j], y[2 * n + j]
        psi += y[n + j]
        dpsi += y[3 * n + j]
        s, c, sp, cp = math.sin(e), math.cos(e), math.sin(psi), math.cos(psi)
        at = HEAD + DIRECTIONS * j
        q, p, d = (s * sp, s * cp, -c), (c * sp, c * cp, s), (s * cp, -s * sp, 0.0)
        put(work, at, q)
        put(work, at + 3, p)
        put(work, at + 6, d)
        put(work, at + 9, (p[0] * de + d[0] * dpsi, p[1] * de + d[1] * dpsi, p[2] * de))
        m = 2.0 * c * de * dpsi
        f = -de * de - dpsi * dpsi
        put(work, at + 12, (m * cp + f * q[0], -m * sp + f * q[1], -de * de * q[2]))


@kernel
def load_factor(t, ints, reals, at):
    """Factor of the load at the end."""
    if ints[LOAD_ROWS] == 0:
        return 1.0
    return table_value(t, reals, at + 6, ints[LOAD_ROWS], 2, 1)


@kernel
def forces(t, ints, reals, y, work):
    """Weight and force of the water on each link, whole and at half its lever (6 numbers a link behind the directions).

    As published, the water acts at the middle of a link. G_i = l_i (F_i/2 + Σ_{k>i} F_k + F_c) follows in `assemble` by
    virtual work: only link i turns with its own angles, those below move with its end. (The print's vector product of
    force and position is no generalised torque.)
    """
    n, sea = ints[N], ints[N_SEA]
    lists = sea + SCALARS
    out = HEAD + DIRECTIONS * n
    mode = ints[DRAG_MODE]
    place, speed = vector(reals, sea + BASE), (0.0, 0.0, 0.0)
    for j in range(n):
        at, to = HEAD + DIRECTIONS * j, out + 6 * j
        q, turn, length = vector(work, at), vector(work, at + 9), reals[lists + LENGTHS * n + j]
        whole = (0.0, 0.0, -reals[lists + WEIGHTS * n + j])
        lever = (0.0, 0.0, 0.5 * whole[2])
        if mode != TORQUE:
            x, v = add_scaled(place, 0.5 * length, q), add_scaled(speed, 0.5 * length, turn)
            flow, _, _, _ = fluid(t, x[0], x[1], x[2], reals)
            u = (v[0] - flow[0], v[1] - flow[1], v[2] - flow[2])
            if mode == MORISON:
                u = add_scaled(u, -dot(u, q), q)
                size = math.sqrt(dot(u, u))
                c = normal_secant(
                    reals[sea + DRAG_LAW], reals[lists + DRAG_NORMAL * n + j], size, reals[sea + REYNOLDS]
                )
            else:
                c = reals[sea + COEFFICIENT] * math.sqrt(dot(u, u))
            whole = add_scaled(whole, -c, u)
            lever = add_scaled(lever, -0.5 * c, u)
        put(work, to, whole)
        put(work, to + 3, lever)
        place = add_scaled(place, length, q)
        speed = add_scaled(speed, length, turn)


@kernel
def assemble(t, h, ints, reals, y, work):
    """The matrix and right-hand side of a step, (2n)² and 2n numbers; the mass matrix alone behind them."""
    n, sea = ints[N], ints[N_SEA]
    lists = sea + SCALARS
    size = 2 * n
    loads = HEAD + DIRECTIONS * n
    matrix = loads + 6 * n
    rhs = matrix + size * size
    swing = lists + LISTS * n
    load = swing + n * n
    factor = load_factor(t, ints, reals, load)
    beyond = (factor * reals[load], factor * reals[load + 1], factor * reals[load + 2] - reals[sea + END_WEIGHT])
    torque = (factor * reals[load + 3], factor * reals[load + 4], factor * reals[load + 5])
    i = n - 1
    while i >= 0:
        at = HEAD + DIRECTIONS * i
        p, d, length = vector(work, at + 3), vector(work, at + 6), reals[lists + LENGTHS * n + i]
        total = add_scaled(vector(work, loads + 6 * i + 3), 1.0, beyond)
        beyond = add_scaled(beyond, 1.0, vector(work, loads + 6 * i))
        total = (length * total[0], length * total[1], length * total[2])
        if i == n - 1:
            total = add_scaled(total, 1.0, cross(torque, vector(work, at)))
        for j in range(n):
            total = add_scaled(total, -reals[swing + n * i + j], vector(work, HEAD + DIRECTIONS * j + 12))
        work[rhs + i] = dot(p, total)
        work[rhs + n + i] = dot(d, total)
        for j in range(n):
            m, other = reals[swing + n * i + j], HEAD + DIRECTIONS * j
            pj, dj = vector(work, other + 3), vector(work, other + 6)
            work[matrix + size * i + j] = m * dot(p, pj)
            work[matrix + size * i + n + j] = m * dot(p, dj)
            work[matrix + size * (n + i) + n + j] = m * dot(d, dj)
        i -= 1
    # from absolute to relative azimuths: sums over all links at or below
    for i in range(n - 2, -1, -1):
        work[rhs + n + i] += work[rhs + n + i + 1]
    for i in range(n):
        for j in range(n - 2, -1, -1):
            work[matrix + size * i + n + j] += work[matrix + size * i + n + j + 1]
            work[matrix + size * (n + i) + n + j] += work[matrix + size * (n + i) + n + j + 1]
    for i in range(n - 2, -1, -1):
        for j in range(n):
            work[matrix + size * (n + i) + n + j] += work[matrix + size * (n + i + 1) + n + j]
    for i in range(n):
        for j in range(n):
            work[matrix + size * (n + j) + i] = work[matrix + size * i + n + j]
            if ints[LITERAL] == 1:
                for k in range(max(i, j), n):
                    work[matrix + size * i + j] += reals[lists + TURNING * n + k]


@kernel
def springs(h, ints, reals, y, work):
    """Right-hand side r − Kθ − Cv and the matrix A + hC + h²K + hD; returns the powers of drag torques and dampers."""
    n, sea = ints[N], ints[N_SEA]
    lists = sea + SCALARS
    size = 2 * n
    matrix = HEAD + DIRECTIONS * n + 6 * n
    rhs = matrix + size * size
    drag_power, damping_power = 0.0, 0.0
    literal = ints[LITERAL] == 1
    for block in range(2):
        for i in range(n):
            a = block * n + i
            k, c = reals[lists + (K_E + block) * n + i], reals[lists + (C_E + block) * n + i]
            b = a - 1 if i > 0 else -1  # the coordinate above
            spring = y[a] - (y[b] if b >= 0 else 0.0)
            if block == 1 and not literal:
                spring, b = y[a], -1
            work[rhs + a] -= k * (spring + h * (y[size + a] - (y[size + b] if b >= 0 else 0.0)))
            work[matrix + size * a + a] += h * h * k
            if b >= 0:
                work[rhs + b] += k * (spring + h * (y[size + a] - y[size + b]))
                work[matrix + size * b + b] += h * h * k
                work[matrix + size * a + b] -= h * h * k
                work[matrix + size * b + a] -= h * h * k
            if literal or block == 1:
                b = -1
            rate = y[size + a] - (y[size + b] if b >= 0 else 0.0)
            damping_power -= c * rate * rate
            work[rhs + a] -= c * rate
            work[matrix + size * a + a] += h * c
            if b >= 0:
                work[rhs + b] += c * rate
                work[matrix + size * b + b] += h * c
                work[matrix + size * a + b] -= h * c
                work[matrix + size * b + a] -= h * c
            if ints[DRAG_MODE] == TORQUE:
                v = y[size + a]
                c = reals[sea + COEFFICIENT] * abs(v)
                drag_power -= c * v * v
                work[rhs + a] -= c * v
                work[matrix + size * a + a] += h * c
    return drag_power, damping_power


@kernel
def solve(size, matrix, rhs, work):
    """Cholesky in place; the solution replaces the right-hand side. False when the matrix is not positive definite."""
    for j in range(size):
        d = work[matrix + size * j + j]
        for k in range(j):
            d -= work[matrix + size * j + k] ** 2
        if not d > 0.0:
            return False
        d = math.sqrt(d)
        work[matrix + size * j + j] = d
        for i in range(j + 1, size):
            s = work[matrix + size * i + j]
            for k in range(j):
                s -= work[matrix + size * i + k] * work[matrix + size * j + k]
            work[matrix + size * i + j] = s / d
    for i in range(size):
        s = work[rhs + i]
        for k in range(i):
            s -= work[matrix + size * i + k] * work[rhs + k]
        work[rhs + i] = s / work[matrix + size * i + i]
    for i in range(size - 1, -1, -1):
        s = work[rhs + i]
        for k in range(i + 1, size):
            s -= work[matrix + size * k + i] * work[rhs + k]
        work[rhs + i] = s / work[matrix + size * i + i]
    return True


@kernel
def twist_energy(ints, reals, y):
    """Energy of the twist [J] and the twist that a torque at the end works on [rad]."""
    n = ints[N]
    lists = ints[N_SEA] + SCALARS
    energy, end = 0.0, 0.0
    for m in range(n):
        z, dz = y[4 * n + 2 * m], y[4 * n + 2 * m + 1]
        energy += 0.5 * (dz * dz + reals[lists + TWIST_STIFFNESS * n + m] * z * z)
        end += reals[lists + TWIST_GAIN * n + m] * z
    return energy, end


@entry
def accelerate(t, h, y, ints, reals, work):
    """(v₁ − v₀)/h of a step of size h, left behind the matrix in `work`; h = 0 gives θ̈ itself. Returns a status."""
    lay_out(ints, y, work)
    forces(t, ints, reals, y, work)
    assemble(t, h, ints, reals, y, work)
    springs(h, ints, reals, y, work)
    size = 2 * ints[N]
    matrix = HEAD + DIRECTIONS * ints[N] + 6 * ints[N]
    return OK if solve(size, matrix, matrix + size * size, work) else SINGULAR


@kernel
def note_extremes(t, ints, reals, y, work):
    """Fold the step from t, solved but not yet made, into the extremes; node 0 of the paper's count is the base."""
    n, sea = ints[N], ints[N_SEA]
    lists, loads = sea + SCALARS, HEAD + DIRECTIONS * ints[N]
    rhs = loads + 6 * n + 4 * n * n
    load = lists + LISTS * n + n * n
    factor, reverse = load_factor(t, ints, reals, load), ints[REVERSED] == 1
    place, speed, push, turning = vector(reals, sea + BASE), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0
    total = (factor * reals[load], factor * reals[load + 1], factor * reals[load + 2] - reals[sea + END_WEIGHT])
    for j in range(n):  # the force at the base: all that acts, less the inertia of all
        at, length = HEAD + DIRECTIONS * j, reals[lists + LENGTHS * n + j]
        turning += work[rhs + n + j]
        swing = add_scaled(vector(work, at + 12), work[rhs + j], vector(work, at + 3))
        swing = add_scaled(swing, turning, vector(work, at + 6))
        middle = add_scaled(push, 0.5 * length, swing)
        push = add_scaled(push, length, swing)
        total = add_scaled(total, 1.0, vector(work, loads + 6 * j))
        total = add_scaled(total, -reals[lists + MASSES * n + j], middle)
    total = add_scaled(total, -reals[sea + END_MASS], push)
    found, behind, before = NOTHING, vector(work, HEAD), 0.0
    push, turning = (0.0, 0.0, 0.0), 0.0
    first = first_extreme(ints, y)
    note_end(t, 0, 1 if reverse else 0, total, ints, y)
    for j in range(n + 1):
        at = HEAD + DIRECTIONS * min(j, n - 1)
        ahead, length = vector(work, at), reals[lists + LENGTHS * n + min(j, n - 1)]
        axis = add_scaled(ahead, 1.0, behind)
        bend = bend_between(behind, ahead, 0.5 * (before + length)) if 0 < j < n else 0.0
        tension = dot(total, axis) / math.sqrt(dot(axis, axis))
        found = note_node(y, first, n - j if reverse else j, tension, bend, bed_distance(place, reals), found)
        if j < n:
            turning += work[rhs + n + j]
            swing = add_scaled(vector(work, at + 12), work[rhs + j], vector(work, at + 3))
            swing = add_scaled(swing, turning, vector(work, at + 6))
            middle = add_scaled(push, 0.5 * length, swing)
            push = add_scaled(push, length, swing)
            total = add_scaled(total, -1.0, vector(work, loads + 6 * j))
            total = add_scaled(total, reals[lists + MASSES * n + j], middle)
            place, speed = add_scaled(place, length, ahead), add_scaled(speed, length, vector(work, at + 9))
        behind, before = ahead, length
    note_cable(t, 0, found, reals, ints, y)
    note_end(t, 0, 0 if reverse else 1, total, ints, y)
    since = time_since(t, ints, y)
    for k in range(ints[ints.shape[0] - POINTS_FROM_END]):
        end = k == ints[END_POINT]
        where = place if end else vector(reals, sea + BASE)
        note_point(t, since, k, where, speed if end else (0.0, 0.0, 0.0), reals, ints, y)


@entry
def run(t, y, steps, h, ints, reals, work):
    """Steps of size h from t, in place. Returns a status."""
    n, sea = ints[N], ints[N_SEA]
    size = 2 * n
    lists = sea + SCALARS
    matrix = HEAD + DIRECTIONS * n + 6 * n
    rhs = matrix + size * size
    twist = rhs + size
    scratch = twist + size * (size + 1)
    ledger = 3 * size
    load = lists + LISTS * n + n * n
    for step in range(steps):
        now = t + step * h
        lay_out(ints, y, work)
        forces(now, ints, reals, y, work)
        speed, place_work = (0.0, 0.0, 0.0), 0.0
        for j in range(n):  # power of the water: all forces on the links less their weight
            at, to, length = HEAD + DIRECTIONS * j, HEAD + DIRECTIONS * n + 6 * j, reals[lists + LENGTHS * n + j]
            turn = vector(work, at + 9)
            weight = reals[lists + WEIGHTS * n + j]
            place_work += dot(vector(work, to), speed) + length * dot(vector(work, to + 3), turn)
            place_work += weight * (speed[2] + 0.5 * length * turn[2])
            speed = add_scaled(speed, length, turn)
        factor = load_factor(now, ints, reals, load)
        pushed = factor * dot(vector(reals, load), speed)
        assemble(now, h, ints, reals, y, work)
        drag_power, damping_power = springs(h, ints, reals, y, work)
        if not solve(size, matrix, rhs, work):
            work[0], work[1] = now, 0
            return SINGULAR
        note_extremes(now, ints, reals, y, work)
        for k in range(size):
            y[size + k] += h * work[rhs + k]
            y[k] += h * y[size + k]
            if not abs(y[size + k]) < FASTEST:
                work[0], work[1] = now + h, k % n
                return RANGE
        q = vector(work, HEAD + DIRECTIONS * (n - 1))
        torque = factor * dot(vector(reals, load + 3), q)
        energy, end = twist_energy(ints, reals, y)
        for i in range(size):
            total = work[twist + (size + 1) * i + size] * torque
            for k in range(size):
                total += work[twist + (size + 1) * i + k] * y[2 * size + k]
            work[scratch + i] = total
        for i in range(size):
            y[2 * size + i] = work[scratch + i]
        after, turned = twist_energy(ints, reals, y)
        given = torque * (turned - end)
        y[ledger + WORK_DRAG] += h * (drag_power + place_work)
        y[ledger + WORK_DAMPING] += h * damping_power + after - energy - given
        y[ledger + WORK_DRIVES] += h * pushed + given
    return OK


@entry
def report(ints, y, out):
    """Extremes since the previous sample into the end of an observation row."""
    report_extremes(ints, y, out)
