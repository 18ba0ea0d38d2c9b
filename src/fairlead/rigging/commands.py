"""What follows a command: a controlled or hybrid point, a prescribed body.

A motion that is known in advance is followed exactly, in place, speed and acceleration. A live input is known only as
it comes; it passes a second-order filter. Where an input hands the point back to the file, the distance to the file's
motion that is left fades as the filter's own: x = x_file + z, z̈ = −ω² z − √2 ω ż. While z = 0 nothing of it is seen.

`control` is a row with `MOTION`, `command` one with `COMMAND`, `state` one with position and velocity; `samples` is
where the numbers of all motions begin in `reals`. Inputs of command k are the numbers 3k to 3k + 2 of `u`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from fairlead.algebra.compiled import kernel
from fairlead.algebra.records import fields_of
from fairlead.algebra.small import add, add_scaled, put, subtract
from fairlead.loads.commands import Command, point_command
from fairlead.loads.signals import ends_at, filter_acceleration, is_filtered, is_live, motion_at, off_motion
from fairlead.loads.tables import MOTION
from fairlead.model import System
from fairlead.shape.layout import Geometry

from .rows import Collected, Row


def controlled_points(system: System) -> dict[str, Command]:
    """Commands of the controlled points, by the names of these."""
    found = {}
    for name, point in system.points.items():
        if point.kind == "controlled":
            found[name] = point_command(f"{name}.position", point)
    return found


def motion_row(command: Command, samples: list[float]) -> Row:
    """Row of `MOTION`; the numbers of the motion are added to `samples`."""
    return dict(zip(fields_of(MOTION), command.record(samples), strict=True))


def command_row(command: Command) -> Row:
    """Row of `COMMAND`."""
    return {"position": command.base, "cutoff": command.cutoff}


def first_row(command: Command) -> Row:
    """Position and velocity at t = 0."""
    return dict(zip(("position", "velocity"), command.at_start(), strict=True))


def add_controlled_points(rows: Collected, system: System) -> dict[str, slice]:
    """Rows of `control` and `command` of all controlled points, their motions into `sample`; their inputs."""
    commands = list(controlled_points(system).values())
    rows.control = [motion_row(command, rows.sample) for command in commands]
    rows.command = list(map(command_row, commands))
    return position_inputs([command.input for command in commands])


def add_points(rows: Collected, system: System, geometry: Geometry, nodes: Mapping[str, int]) -> None:
    """Rows of `point` and `place` of all points of the file: its node by `nodes` and what moves it, −1 for none."""
    controlled = list(controlled_points(system))
    for name in system.points:
        control = controlled.index(name) if name in controlled else -1
        rows.point.append({"node": nodes.get(name, -1), "control": control})
        rows.place.append({"position": geometry.points[name]})


def position_inputs(names: list[str]) -> dict[str, slice]:
    """Live inputs of commands, three numbers each, by the names of these."""
    return {name: slice(3 * k, 3 * k + 3) for k, name in enumerate(names)}


@kernel
def file_motion(t, control, command, samples, reals):
    """Position, velocity and acceleration (3 each) that the file gives."""
    x, v, a = motion_at(t, control.kind, samples + control.first, control.rows, reals)
    return add(command.position, x), v, a


@kernel
def command_at(t, k, u, control, command, samples, reals):
    """Where command k is to be: the live input where it is a number, else the file's motion."""
    if is_live(k, u):
        return (u[3 * k], u[3 * k + 1], u[3 * k + 2])
    return file_motion(t, control, command, samples, reals)[0]


@kernel
def filter_accelerations(goal, x, v, cutoff, h):
    """What brings a point to its goal, in each direction; see `filter_acceleration`."""
    return (
        filter_acceleration(goal[0], x[0], v[0], cutoff, h),
        filter_acceleration(goal[1], x[1], v[1], cutoff, h),
        filter_acceleration(goal[2], x[2], v[2], cutoff, h),
    )


@kernel
def off_file(t, control, command, state, samples, reals):
    """By how much place and velocity (3 each) are off the file's at t; also the file's three."""
    x, v, a = file_motion(t, control, command, samples, reals)
    way, first, rows, place, speed = control.kind, samples + control.first, control.rows, state.position, state.velocity
    z0, dz0 = off_motion(t, way, first, rows, 0, place[0], speed[0], x[0], v[0], reals)
    z1, dz1 = off_motion(t, way, first, rows, 1, place[1], speed[1], x[1], v[1], reals)
    z2, dz2 = off_motion(t, way, first, rows, 2, place[2], speed[2], x[2], v[2], reals)
    return (z0, z1, z2), (dz0, dz1, dz2), x, v, a


@kernel
def follow(t, h, k, u, control, command, state, samples, reals):
    """Bring position and velocity of what follows command k from t to t + h."""
    cutoff = command.cutoff
    faded = fading(cutoff, h)
    if is_filtered(k, control.kind, u):
        first = command_at(t, k, u, control, command, samples, reals)
        middle = command_at(t + 0.5 * h, k, u, control, command, samples, reals)
        goal = command_at(t + h, k, u, control, command, samples, reals)
        state.position, state.velocity = filtered_all(
            state.position, state.velocity, first, middle, goal, cutoff, h, faded
        )
        return
    still = (0.0, 0.0, 0.0)
    z, dz, _, _, _ = off_file(t, control, command, state, samples, reals)
    x1, v1, _ = file_motion(t + h, control, command, samples, reals)
    z, dz = filtered_all(z, dz, still, still, still, cutoff, h, faded)
    state.position, state.velocity = add(x1, z), add(v1, dz)


@kernel
def command_of(t, k, u, sys):
    """Where controlled point k is to be, in a system whose tables are `control`, `command` and `sample`."""
    return command_at(t, k, u, sys.control[k], sys.command[k], sys.sample.start, sys.reals)


@kernel
def put_commands(t, u, sys, out):
    """Where all controlled points are to be, 3 numbers each, into `out`."""
    for k in range(sys.controlled):
        put(out, 3 * k, command_of(t, k, u, sys))


@kernel
def follow_all(t, h, u, sys):
    """Move all controlled points by a step, in a system whose tables are these and `controls`."""
    for k in range(sys.controlled):
        follow(t, h, k, u, sys.control[k], sys.command[k], sys.controls[k], sys.sample.start, sys.reals)


@kernel
def plan_known(t, h, theta, control, command, state, plan, samples, reals):
    """How what follows the file moves in a step h from t, into the row `plan` with the fields of `PLAN`.

    Place, velocity and acceleration for a rule x₁ = x + h v + θh² a, v₁ = v + h a; then place and velocity at the end
    of the step, which are exact. The rule's velocities are not those of the motion but v − (θ − ½)h a, as they are for
    all that moves by it: so x₁ is the motion's own to third order. h = 0: the motion as it is at t.
    """
    z, dz, x0, v0, a0 = off_file(t, control, command, state, samples, reals)
    x1, v1, a1 = x0, v0, a0
    mean = a0
    if h > 0.0:
        x1, v1, a1 = file_motion(t + h, control, command, samples, reals)
        gx, gy, gz = subtract(v1, v0)
        mean = add_scaled((gx / h, gy / h, gz / h), -(theta - 0.5), subtract(a1, a0))
    back = filter_accelerations((0.0, 0.0, 0.0), z, dz, command.cutoff, h)
    plan.position = add(x0, z)
    plan.velocity = add_scaled(add(v0, dz), -((theta - 0.5) * h), a0)
    plan.acceleration = add(mean, back)
    plan.next_position = add_scaled(add(x1, z), h, add_scaled(dz, h, back))
    plan.next_velocity = add_scaled(add(v1, dz), h, back)


@kernel
def plan_seen(t, h, theta, control, command, state, plan, samples, reals):
    """The same of a step that is only looked at, to find the forces at t: on the last row of a table with lines the
    motion goes on along the line that ends there. A run that ends with its table does not see the stop after it."""
    plan_known(t, h, theta, control, command, state, plan, samples, reals)
    if ends_at(t, control.kind, samples + control.first, control.rows, reals):
        z, dz, x, v, _ = off_file(t, control, command, state, samples, reals)
        a = filter_accelerations((0.0, 0.0, 0.0), z, dz, command.cutoff, h)
        plan.acceleration = a
        plan.next_position = add_scaled(add(add_scaled(x, h, v), z), h, add_scaled(dz, h, a))
        plan.next_velocity = add_scaled(add(v, dz), h, a)


@kernel
def fading(cutoff, h):
    """How far a difference has turned and faded after h: e^(−λh) cos λh and e^(−λh) sin λh with λ = ω/√2."""
    angle = cutoff / math.sqrt(2.0) * h
    f = math.exp(-angle)
    return f * math.cos(angle), f * math.sin(angle)


@kernel
def filtered(x, v, first, middle, goal, cutoff, h, faded):
    """Position and velocity after a step h of ẍ = ω²(goal − x) − √2 ω ẋ, the goal given at its start, middle and end.

    The goal is the parabola g through the three. The point follows it as g − √2 g′/ω + g″/ω²; what is left of any other
    difference z obeys the same equation without a goal, with λ = ω/√2 both its decay and its frequency. No cut-off is
    too fast, and a fast one makes the point follow in place and speed. `faded` is what `fading` gives.
    """
    bend = 4.0 * (first - 2.0 * middle + goal) / (h * h)
    rate = (4.0 * middle - 3.0 * first - goal) / h
    lag, lead = math.sqrt(2.0) / cutoff, bend / (cutoff * cutoff)
    decay = cutoff / math.sqrt(2.0)
    z, dz = x - (first - lag * rate + lead), v - (rate - lag * bend)
    c, s = faded
    rate += h * bend
    after = z * c + (dz / decay + z) * s
    speed = dz * c - (2.0 * decay * z + dz) * s
    return goal - lag * rate + lead + after, rate - lag * bend + speed


@kernel
def filtered_all(x, v, first, middle, goal, cutoff, h, faded):
    """The same in all three directions."""
    x0, v0 = filtered(x[0], v[0], first[0], middle[0], goal[0], cutoff, h, faded)
    x1, v1 = filtered(x[1], v[1], first[1], middle[1], goal[1], cutoff, h, faded)
    x2, v2 = filtered(x[2], v[2], first[2], middle[2], goal[2], cutoff, h, faded)
    return (x0, x1, x2), (v0, v1, v2)
