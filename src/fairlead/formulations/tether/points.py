"""Points: those that are held or driven, and free ones, which the cables that end there move together."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation, turned
from fairlead.algebra.records import row_start
from fairlead.algebra.small import ZERO3, add, add_scaled, dot, subtract, symadd, symmetric_inverse, symvec
from fairlead.loads.buoyancy import submergence
from fairlead.loads.hung_body import hang, hung_accelerations, hung_place
from fairlead.loads.signals import is_filtered
from fairlead.rigging.commands import command_at, filter_accelerations, plan_known
from fairlead.rigging.elements import compact_loads
from fairlead.rigging.point_loads import load_of, take_loads, thrust
from fairlead.sea.water import elevation

from .node import settle_contact
from .schema import CONTROLLED, FIXED, FREE, HUNG


@kernel
def body_water(t, b, x, v, sys):
    """Body b: inertia with added mass [kg], drag secant [N s/m], force of the moving water (3), buoyancy less weight,
    upwards [N], and the power of the water beyond that of its force [W]."""
    body = sys.body[b]
    inertia, c, force, power = compact_loads(t, x, v, body, sys.reals)
    wet = submergence(x[2] - elevation(t, x[0], x[1], sys.reals), body.height)
    up = wet * body.buoyancy - body.mass * sys.sea.gravity
    water = (force[0], force[1], force[2] - up)
    return inertia, c, water, up, power - dot(water, v)


@kernel
def move_body(t, p, b, sys):
    """Move a hanging body by one step with the acceleration of its point, which follows it; book the work of its
    thrusters."""
    step, body, end, record = sys.step, sys.body_state[b], sys.point_state[p], row_start(sys.hung[b], sys.reals)
    h, R, v, w = step.size, rotation(body.turn), body.velocity, body.spin
    a, spin = hung_accelerations(
        sys.moved[p].acceleration, R, w, sys.reals, record, sys.work, row_start(sys.hung_kept[b], sys.work)
    )
    force, torque = thrust(t, p, R, sys)
    sys.ledger.drives += h * (dot(force, add_scaled(v, 0.5 * h, a)) + dot(torque, add_scaled(w, 0.5 * h, spin)))
    turning = add_scaled(w, step.carried, spin)
    body.position = add_scaled(body.position, h, add_scaled(v, step.carried, a))
    body.turn = turned(body.turn, h * turning[0], h * turning[1], h * turning[2])
    body.velocity = add_scaled(v, h, a)
    body.spin = add_scaled(w, h, spin)
    end.position, end.velocity = hung_place(
        body.position, rotation(body.turn), body.velocity, body.spin, sys.reals, record
    )  # fmt: skip


@kernel
def drive(t, p, k, u, sys):
    """Plan the step of controlled point p, the k-th: as the file has it, an input through its filter, implicitly."""
    h, state, plan, control, command = sys.step.size, sys.point_state[p], sys.plan[p], sys.control[k], sys.command[k]
    samples, reals = sys.sample.start, sys.reals
    if is_filtered(k, control.kind, u):
        goal = command_at(t + h, k, u, control, command, samples, reals)
        x, v = state.position, state.velocity
        plan.acceleration = filter_accelerations(goal, x, v, command.cutoff, h)
        plan.next_velocity = add_scaled(v, h, plan.acceleration)
        plan.next_position = add_scaled(x, h, plan.next_velocity)
    else:
        plan_known(t, h, 0.5, control, command, state, plan, samples, reals)
    sys.moved[p].acceleration = plan.acceleration


@kernel
def begin_points(t, u, sys):
    """Accelerations of held and driven points; bodies and loads of the free ones."""
    take_loads(u, sys)
    for p in range(sys.points):
        point, moved = sys.point[p], sys.moved[p]
        moved.acceleration = ZERO3
        if point.kind == CONTROLLED:
            drive(t, p, point.which, u, sys)
        elif point.kind == FREE:
            state = sys.point_state[p]
            inertia, c, drag, up, _ = body_water(t, point.which, state.position, state.velocity, sys)
            m = inertia + sys.step.drag * c
            moved.force = (drag[0], drag[1], drag[2] + up)
            moved.matrix = (m, 0.0, 0.0, m, 0.0, m)
        elif point.kind == HUNG:
            body = sys.body_state[point.which]
            R = rotation(body.turn)
            force, torque = thrust(t, p, R, sys)
            moved.matrix, moved.force, power = hang(
                t, body.position, R, body.velocity, body.spin, force, torque, sys.step.drag, ZERO3, ZERO3, sys.reals,
                row_start(sys.hung[point.which], sys.reals), sys.work,
                row_start(sys.hung_kept[point.which], sys.work),
            )  # fmt: skip
            sys.ledger.drag += sys.step.size * power
    for i in range(sys.loads):
        p = sys.load[i].on
        if sys.point[p].kind == FREE:
            force, _ = load_of(t, i, sys)
            sys.moved[p].force = add(sys.moved[p].force, force)


@kernel
def is_free(p, sys):
    """Whether the forces decide where point p goes."""
    return sys.point[p].kind in (FREE, HUNG)


@kernel
def end_of(c, side, sys):
    """The point and the node at the start (side 0) or the end (1) of cable c."""
    cable = sys.cable[c]
    return cable.start if side == 0 else cable.end, cable.node + side * cable.count


@kernel
def gather(sys):
    """Sum over the cables that end in free points."""
    for c in range(sys.cables):
        for side in range(2):
            p, node = end_of(c, side, sys)
            if not is_free(p, sys):
                continue
            moved, end = sys.moved[p], sys.end[2 * c + side]
            force, matrix = end.force, end.matrix
            if sys.sea.bed > 0.0 and sys.touch[node].active > 0.5:
                force, matrix = add(force, sys.touch[node].force), symadd(matrix, sys.touch[node].matrix)
            moved.force = add(moved.force, force)
            moved.matrix = symadd(matrix, moved.matrix)


@kernel
def solve_points(sys):
    """Accelerations of the free points."""
    for p in range(sys.points):
        if is_free(p, sys):
            moved = sys.moved[p]
            moved.acceleration = symvec(symmetric_inverse(moved.matrix), moved.force)


@kernel
def book_ends(sys):
    """Force of each cable on its points, and the works of its end nodes.

    The force of an end is that of its link and of the half link next to it: weight, drag and inertia.
    """
    h, ledger = sys.step.size, sys.ledger
    for c in range(sys.cables):
        for side in range(2):
            p, node = end_of(c, side, sys)
            end, state, a = sys.end[2 * c + side], sys.point_state[p], sys.moved[p].acceleration
            v = state.velocity
            mean = add_scaled(v, 0.5 * h, a)
            force = subtract(end.force, symvec(end.matrix, a))
            pull = h * dot(end.pull, mean)
            drag = subtract(end.water, symvec(end.secant, a))
            ledger.proportional += pull * end.parts[0]
            ledger.integral += pull * end.parts[1]
            ledger.derivative += pull * end.parts[2]
            ledger.weight += h * end.weight * mean[2]
            ledger.drag += h * (dot(drag, mean) + end.power)
            if not is_free(p, sys):
                ledger.drives -= h * dot(force, mean)
            elif sys.sea.bed > 0.0:
                reached = add_scaled(state.position, h, add_scaled(v, sys.step.carried, a))
                settle_contact(node, sys.paid[c].factor, v, a, reached, sys)
            end.force = force


@kernel
def move_points(t, sys):
    """Book the works of bodies and loads at free points and move all points by one step."""
    step, ledger = sys.step, sys.ledger
    h = step.size
    for i in range(sys.loads):
        p = sys.load[i].on
        if sys.point[p].kind == FREE:
            mean = add_scaled(sys.point_state[p].velocity, 0.5 * h, sys.moved[p].acceleration)
            force, _ = load_of(t, i, sys)
            ledger.drives += h * dot(force, mean)
    for p in range(sys.points):
        point, state = sys.point[p], sys.point_state[p]
        if point.kind == FIXED:
            continue
        if point.kind == CONTROLLED:
            state.position, state.velocity = sys.plan[p].next_position, sys.plan[p].next_velocity
            continue
        if point.kind == HUNG:
            move_body(t, p, point.which, sys)
            continue
        x, v, a = state.position, state.velocity, sys.moved[p].acceleration
        _, c, drag, up, raised = body_water(t, point.which, x, v, sys)
        mean = add_scaled(v, 0.5 * h, a)
        ledger.drag += h * (dot(add_scaled(drag, -step.drag * c, a), mean) + raised)
        ledger.weight += h * up * mean[2]
        state.position = add_scaled(x, h, add_scaled(v, step.carried, a))
        state.velocity = add_scaled(v, h, a)


@kernel
def point_state(p, sys):
    """Place and velocity of point p; of a body that hangs there those of its centre of mass."""
    point = sys.point[p]
    if point.kind == HUNG:
        return sys.body_state[point.which].position, sys.body_state[point.which].velocity
    return sys.point_state[p].position, sys.point_state[p].velocity
