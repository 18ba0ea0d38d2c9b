"""Time: the classic Runge–Kutta rule on the index-1 equations, with the links put right after every step."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import ZERO3, add, add_scaled, dot, scale, subtract
from fairlead.loads.signals import is_filtered
from fairlead.rigging.commands import file_motion, follow, off_file

from .extremes import note_extremes
from .links import accelerations, fill, hold, link_state, solve_cable
from .schema import FREE

OK, RANGE, SINGULAR, APART = 0, 1, 2, 3
SPEED_LIMIT = 1.0e3
MOST_PROJECTIONS = 20
TRUE = 1e-13
"""Error of a link's length, as a part of it, that is put right no further."""


@kernel
def by_file(t, k, u, sys):
    """Position, velocity and acceleration of controlled point k by the file; zero where it passes the filter."""
    if is_filtered(k, sys.control[k].kind, u):
        return ZERO3, ZERO3, ZERO3
    return file_motion(t, sys.control[k], sys.command[k], sys.sample.start, sys.reals)


@kernel
def plan_ends(t, h, u, sys):
    """Motion of the controlled points beside that of the file over the step, into `beside`.

    It is nothing where they follow the file.
    """
    samples, reals = sys.sample.start, sys.reals
    for k in range(sys.controlled):
        control, command, state, beside = sys.control[k], sys.command[k], sys.controls[k], sys.beside[k]
        x1, v1, _ = by_file(t + h, k, u, sys)
        beside.x0, beside.v0 = state.position, state.velocity
        if not is_filtered(k, control.kind, u):
            beside.x0, beside.v0, _, _, _ = off_file(t, control, command, state, samples, reals)
        follow(t, h, k, u, control, command, state, samples, reals)
        beside.x1, beside.v1 = subtract(state.position, x1), subtract(state.velocity, v1)


@kernel
def place_ends(t, s, h, u, sys):
    """Controlled points at the part s of the step from t: position, velocity, acceleration.

    As the file has them; what they move beside it is on the cubic through the ends of the step.
    """
    for k in range(sys.controlled):
        state, beside = sys.controls[k], sys.beside[k]
        x, v, acceleration = by_file(t + s * h, k, u, sys)
        x0, v0, x1, v1 = beside.x0, scale(h, beside.v0), beside.x1, scale(h, beside.v1)
        a = add(add(scale(2.0, subtract(x0, x1)), v0), v1)
        b = subtract(subtract(scale(3.0, subtract(x1, x0)), scale(2.0, v0)), v1)
        state.position = add_scaled(add(x, x0), s, add_scaled(v0, s, add_scaled(b, s, a)))
        state.velocity = add(v, over(h, add_scaled(v0, s, add_scaled(scale(2.0, b), 3.0 * s, a))))
        state.acceleration = add(acceleration, over(h * h, add_scaled(scale(2.0, b), 6.0 * s, a)))
    for i in range(sys.nodes):
        control = sys.held[i].control
        if control >= 0:
            sys.position[i].xyz, sys.velocity[i].xyz = sys.controls[control].position, sys.controls[control].velocity


@kernel
def over(c, a):
    """a/c."""
    return (a[0] / c, a[1] / c, a[2] / c)


@kernel
def solve_links(t, c, sys):
    """Solve M δ + Gᵀμ = 0, G δ = what stands in `found` for each link of cable c; False when it cannot be solved."""
    last = sys.found[sys.cable[c].first + sys.cable[c].count]
    last.a, last.multiplier = ZERO3, 0.0
    fill(t, c, sys)
    hold(c, sys)
    return solve_cable(c, sys)


@kernel
def lengthen(t, c, sys):
    """Put the links of cable c back to their lengths, moving masses as little as possible: M δ + Gᵀμ = 0, G δ = −φ.

    Newton's method; False when it does not succeed, as when the ends are further apart than the links reach.
    """
    first, count = sys.cable[c].first, sys.cable[c].count
    for _ in range(MOST_PROJECTIONS):
        worst = 0.0
        for i in range(first, first + count):
            length = sys.link[i - c].length
            way = subtract(sys.position[i + 1].xyz, sys.position[i].xyz)
            error = 0.5 * (dot(way, way) - length * length)
            worst = max(worst, abs(error) / (length * length))
            sys.found[i].a, sys.found[i].multiplier = ZERO3, -error
        if not worst > TRUE:
            return worst <= TRUE
        if not worst < 1.0 or not solve_links(t, c, sys):
            return False
        for i in range(first, first + count + 1):
            sys.position[i].xyz = add(sys.position[i].xyz, sys.found[i].a)
    return False


@kernel
def straighten(t, c, sys):
    """Take out what would stretch the links: M δv + Gᵀμ = 0, G δv = −G v. False when it cannot be solved."""
    first, count = sys.cable[c].first, sys.cable[c].count
    for i in range(first, first + count):
        r0, r1, v0, v1 = link_state(i, sys)
        sys.found[i].a, sys.found[i].multiplier = ZERO3, -dot(subtract(r1, r0), subtract(v1, v0))
    if not solve_links(t, c, sys):
        return False
    for i in range(first, first + count + 1):
        sys.velocity[i].xyz = add(sys.velocity[i].xyz, sys.found[i].a)
    return True


@kernel
def put_right(t, sys):
    """Lengths and their rates of all cables; returns a status."""
    for c in range(sys.cables):
        sys.fault.time, sys.fault.cable = t, c
        if not lengthen(t, c, sys):
            return APART
        if not straighten(t, c, sys):
            return SINGULAR
    return OK


@kernel
def stage(t, weight, h, sys):
    """Accelerations in the present state; `weight` of them and of the velocities goes to `total`. Returns a status."""
    for c in range(sys.cables):
        well, drag, driven = accelerations(t, c, sys)
        if not well:
            sys.fault.time, sys.fault.cable = t, c
            return SINGULAR
        for i in range(sys.cable[c].first, sys.cable[c].first + sys.cable[c].count + 1):
            total = sys.total[i]
            total.v = add_scaled(total.v, weight, sys.velocity[i].xyz)
            total.a = add_scaled(total.a, weight, sys.found[i].a)
        sys.ledger.drag += h * weight * drag
        sys.ledger.drives += h * weight * driven
    return OK


@kernel
def move_free(part, sys):
    """State at `part` seconds from the start of the step with the accelerations found and the present velocities."""
    for i in range(sys.nodes):
        if sys.held[i].control == FREE:
            sys.position[i].xyz = add_scaled(sys.begun[i].x, part, sys.velocity[i].xyz)
            sys.velocity[i].xyz = add_scaled(sys.begun[i].v, part, sys.found[i].a)


@kernel
def step(t, h, u, sys):
    """One step from t, in place. Returns a status."""
    plan_ends(t, h, u, sys)
    for i in range(sys.nodes):
        sys.begun[i].x, sys.begun[i].v = sys.position[i].xyz, sys.velocity[i].xyz
        sys.total[i].v, sys.total[i].a = ZERO3, ZERO3
    for number in range(4):
        s = 0.0 if number == 0 else (1.0 if number == 3 else 0.5)
        place_ends(t, s, h, u, sys)
        status = stage(t + s * h, 1.0 / 6.0 if number == 0 or number == 3 else 1.0 / 3.0, h, sys)
        if status != OK:
            return status
        if number == 0:
            note_extremes(t, sys)
        if number < 3:
            move_free(h if number == 2 else 0.5 * h, sys)
    for c in range(sys.cables):
        first, count = sys.cable[c].first, sys.cable[c].count
        for i in range(first, first + count):
            sys.tension[i - c].value = sys.found[i].multiplier * sys.link[i - c].length
        for i in range(first, first + count + 1):
            if sys.held[i].control == FREE:
                sys.position[i].xyz = add_scaled(sys.begun[i].x, h, sys.total[i].v)
                sys.velocity[i].xyz = add_scaled(sys.begun[i].v, h, sys.total[i].a)
            v = sys.velocity[i].xyz
            if not dot(v, v) < SPEED_LIMIT * SPEED_LIMIT:
                sys.fault.time, sys.fault.cable, sys.fault.node = t + h, c, i - first
                return RANGE
    return put_right(t + h, sys)
