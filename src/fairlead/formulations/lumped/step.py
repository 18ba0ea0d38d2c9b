"""Time: what happens in a step, and many steps in one compiled call."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import turned
from fairlead.algebra.small import add_scaled, dot, scale, subtract
from fairlead.loads.end_motion import STEP_NUMBERS
from fairlead.loads.seabed_contact import remember_push
from fairlead.sea.water import BED_PRESENT, BED_X, BED_Y, BED_Z

from .arrays import (
    ACTIVE, BED_C, BED_KS, BLOCK, CABLE_COUNT, CABLE_FIRST, DAMPING, DAMPING_G, FAULT, FRICTION, GREEN, LENGTH,
    NORMAL_BIAS, NORMAL_FORCE, NORMAL_G, NO_COMPRESSION, N_CABLES, N_CONTROLLED, N_HUBS, N_NODES, PUSHED, RATE,
    RELEASE_TENSION, RELEASE_TIME, SHEAR_G, STIFFNESS, TAUT, TENSION_BIAS, TENSION_G, WEIGHT, WORK_DAMPING, WORK_DRIVES,
    WORK_FRICTION, W_CONTROLS, W_FORCES, Y_ATTACHED, Y_CONTROLS, Y_LEDGER, Y_PULL, Y_SLACK, Y_SNAP, Y_STRAINING,
    Y_TENSION, acceleration_at, cable_at, contact_at, element_at, element_work_at, end_at, hub_of_end, hub_state_at,
    memory_at, node_state_at, point_at, point_of_end, put, vector_of,
)  # fmt: skip
from .ends import ZERO3
from .extremes import note_extremes
from .hubs import SINGULAR, rhs_at
from .points import drive_points, place_points
from .scheme import BOOK_STEP, DRIFT, G_PER_C, STEP, set_scheme
from .slackening import part_speed, solve
from .standing import book_standing, remember_standing

OK, RANGE, HUB_RANGE, STRAIN = 0, 1, 3, 4
STRAIN_LIMIT = 1.0
"""A cable stretched to twice its length is none any more."""
SPEED_LIMIT = 1.0e3
"""m/s: nothing in the sea moves so fast; a state beyond it has left the physical range."""
SPIN_LIMIT = 1.0e5
"""rad/s, likewise."""
SLACK_FRACTION = 0.02
SLACK_FLOOR = 1.0e-3
"""A cable counts as slack when somewhere it is pushed with more than these parts of its largest tension and weight."""

__all__ = ["HUB_RANGE", "OK", "RANGE", "SINGULAR", "SPEED_LIMIT", "STRAIN"]


@kernel
def release_ends(t, ints, reals, y):
    """Let go of ends whose time has come or whose pull was exceeded."""
    for end in range(2 * ints[N_CABLES]):
        record = end_at(ints, end)
        if t >= reals[record + RELEASE_TIME] or y[ints[Y_PULL] + end] > reals[record + RELEASE_TENSION]:
            y[ints[Y_ATTACHED] + end] = 0.0


@kernel
def note_slack(c, t, slack, rise, most, ints, y):
    """Keep since when cable c has been `slack` somewhere, and of its tensions from then on the largest and the largest
    rise within a step, which together tell how well the step follows a snap."""
    since, snap = ints[Y_SLACK] + c, ints[Y_SNAP] + 2 * c
    if y[since] < 0.0 and slack and t > 0.0:
        y[since] = t
    if y[since] >= 0.0:
        y[snap], y[snap + 1] = max(y[snap], rise), max(y[snap + 1], most)


@kernel
def book_tensions(t, ints, reals, y, work):
    """Keep the tensions for the next step, note slack, book the work of damping and of prescribed points.

    λ = bias + G·(t·Δa). The work of damping is taken along the mean rate of the step; an element that does not push
    stores only what pulls, and its damper takes the rest. Returns a status: a tension that would stretch an element to
    twice its length is no physical state.
    """
    status = OK
    h, book = work[STEP], work[BOOK_STEP]
    limit = STRAIN_LIMIT if ints[GREEN] == 0 else 3.0 * STRAIN_LIMIT
    spent, given = 0.0, 0.0
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        first, count = ints[cable + CABLE_FIRST], ints[cable + CABLE_COUNT]
        least, most, weight, rise, loose = math.inf, 0.0, 0.0, 0.0, False
        for e in range(first, first + count):
            kept, element = element_work_at(ints, e), element_at(ints, e)
            apart, rate = part_speed(e, e + c, ints, work), work[kept + RATE]
            tension = work[kept + TENSION_BIAS] + work[kept + TENSION_G] * apart
            damping = work[kept + DAMPING] * rate + work[kept + DAMPING_G] * apart
            if reals[element + PUSHED] == NO_COMPRESSION:
                stored = max(0.0, tension - damping)
                tension *= work[kept + TAUT]
                damping = tension - stored
            work[kept + DAMPING] = damping
            spent += damping * (rate + 0.5 * h * apart)
            if not abs(tension) < limit * reals[element + STIFFNESS]:
                work[FAULT], work[FAULT + 1], work[FAULT + 2] = t, c, e - first
                status = STRAIN
            rise = max(rise, tension - y[ints[Y_TENSION] + e])
            loose = loose or work[kept + TAUT] == 0.0
            y[ints[Y_TENSION] + e] = tension
            y[ints[Y_STRAINING] + e] = (rate + 0.5 * h * apart) / reals[element + LENGTH]
            least, most = min(least, tension), max(most, tension)
            weight += 2.0 * reals[element + WEIGHT]
        note_slack(c, t, loose or least < -SLACK_FRACTION * most - SLACK_FLOOR * weight, rise, most, ints, y)
        for end in range(2 * c, 2 * c + 2):
            force = vector_of(work, ints[W_FORCES] + 3 * end)
            y[ints[Y_PULL] + end] = math.sqrt(dot(force, force))
            if hub_of_end(ints, end) < 0:
                point = point_at(ints, point_of_end(ints, end))
                given -= dot(force, add_scaled(vector_of(work, point + 3), 0.5 * h, vector_of(work, point + 6)))
    y[ints[Y_LEDGER] + WORK_DAMPING] -= book * spent
    y[ints[Y_LEDGER] + WORK_DRIVES] += book * given
    return status


@kernel
def contact_force(i, ints, reals, y, work):
    """Normal force N ≥ 0, friction (3) and bed damping force on node i after the solve, and its mean velocity."""
    kept = contact_at(ints, i)
    if work[kept + ACTIVE] < 0.5:
        return 0.0, ZERO3, 0.0, ZERO3
    n = (reals[BED_X], reals[BED_Y], reals[BED_Z])
    a, velocity = vector_of(work, acceleration_at(ints, i)), vector_of(y, node_state_at(ints, i) + 3)
    across = dot(n, a)
    normal = -(work[kept + NORMAL_G] * across + work[kept + NORMAL_BIAS])
    along = add_scaled(a, -across, n)
    friction = subtract(vector_of(work, kept + FRICTION), scale(work[kept + SHEAR_G], along))
    damping = -work[kept + BED_C] * (dot(n, velocity) + work[G_PER_C] * across)
    return normal, friction, damping, add_scaled(velocity, 0.5 * work[STEP], a)


@kernel
def book_contact(ints, reals, y, work):
    """Work of friction and bed damping in this step; the normal force is kept for the friction of the next."""
    h, ledger = work[BOOK_STEP], ints[Y_LEDGER]
    n = (reals[BED_X], reals[BED_Y], reals[BED_Z])
    for i in range(ints[N_NODES]):
        kept = contact_at(ints, i)
        if work[kept + ACTIVE] > 0.5:
            normal, friction, damping, velocity = contact_force(i, ints, reals, y, work)
            y[ledger + WORK_FRICTION] += h * dot(friction, velocity)
            y[ledger + WORK_DAMPING] += h * damping * dot(n, velocity)
            work[kept + NORMAL_FORCE] = normal
    book_standing(ints, reals, y, work)


@kernel
def remember(ints, reals, y, work):
    """Friction memory after the move."""
    for i in range(ints[N_NODES]):
        kept, memory = contact_at(ints, i), memory_at(ints, i)
        touching = work[kept + ACTIVE] > 0.5
        if touching or y[memory + 3] > 0.0:
            place = vector_of(y, node_state_at(ints, i))
            remember_push(reals, work[kept + BED_KS], place, touching, work[kept + NORMAL_FORCE], y, memory)
    remember_standing(ints, reals, y, work)


@kernel
def drift_hub(k, time, ints, y):
    """Let hub k go on as it moves and turns, for a time."""
    body = hub_state_at(ints, k)
    put(y, body, add_scaled(vector_of(y, body), time, vector_of(y, body + 7)))
    if ints[BLOCK] == 6:
        turn = scale(time, vector_of(y, body + 10))
        q = turned((y[body + 3], y[body + 4], y[body + 5], y[body + 6]), turn[0], turn[1], turn[2])
        y[body + 3], y[body + 4], y[body + 5], y[body + 6] = q


@kernel
def drift(ints, y, work):
    """Let every node and hub go on as it moves, to where the equations of the step are taken."""
    time = work[DRIFT]
    for c in range(ints[N_CABLES]):
        first = ints[cable_at(ints, c) + CABLE_FIRST] + c
        for i in range(first, first + ints[cable_at(ints, c) + CABLE_COUNT] + 1):
            at = node_state_at(ints, i)
            put(y, at, add_scaled(vector_of(y, at), time, vector_of(y, at + 3)))
    for k in range(ints[N_HUBS]):
        drift_hub(k, time, ints, y)


@kernel
def move_mass(y, at, a, h, drift):
    """v₁ = v + h a and the rest of the way, ½h v₁, in place; False when it leaves the physical range."""
    v = add_scaled(vector_of(y, at + 3), h, a)
    put(y, at + 3, v)
    put(y, at, add_scaled(vector_of(y, at), drift, v))
    return dot(v, v) < SPEED_LIMIT * SPEED_LIMIT


@kernel
def move_hub(k, h, drift, ints, y, work):
    """The same for a hub, which may turn; False when it leaves the physical range."""
    body, at = hub_state_at(ints, k), rhs_at(ints, k)
    v = add_scaled(vector_of(y, body + 7), h, vector_of(work, at))
    put(y, body + 7, v)
    spin2 = 0.0
    if ints[BLOCK] == 6:
        w = add_scaled(vector_of(y, body + 10), h, vector_of(work, at + 3))
        put(y, body + 10, w)
        spin2 = dot(w, w)
    drift_hub(k, drift, ints, y)
    return dot(v, v) < SPEED_LIMIT * SPEED_LIMIT and spin2 < SPIN_LIMIT * SPIN_LIMIT


@kernel
def move(t, ints, reals, y, work):
    """Advance every node, hub and controlled point to the end of the step; returns a status.

    Joined ends move as their points.
    """
    h, rest = work[STEP], work[DRIFT]
    for c in range(ints[N_CABLES]):
        first = ints[cable_at(ints, c) + CABLE_FIRST] + c
        for i in range(ints[cable_at(ints, c) + CABLE_COUNT] + 1):
            a = vector_of(work, acceleration_at(ints, first + i))
            if not move_mass(y, node_state_at(ints, first + i), a, h, rest):
                work[FAULT], work[FAULT + 1], work[FAULT + 2] = t + h, c, i
                return RANGE
    for k in range(ints[N_HUBS]):
        if not move_hub(k, h, rest, ints, y, work):
            work[FAULT], work[FAULT + 1] = t + h, k
            return HUB_RANGE
    for k in range(ints[N_CONTROLLED]):
        end, at = ints[W_CONTROLS] + STEP_NUMBERS * k + 9, ints[Y_CONTROLS] + 6 * k
        put(y, at, vector_of(work, end))
        put(y, at + 3, vector_of(work, end + 3))
    return OK


@kernel
def prepare(kind, h, ints, reals, work):
    """The scheme for steps of size h, and all fixed points in their places."""
    set_scheme(kind, h, ints, reals, work)
    place_points(ints, reals, work)


@kernel
def one_step(now, u, ints, reals, y, work):
    """One step from time `now`, in place. Returns a status; the place of a fault is in `work`."""
    bed = reals[BED_PRESENT] > 0.0
    release_ends(now, ints, reals, y)
    drive_points(now, work[DRIFT], 0, u, ints, reals, y, work)
    drift(ints, y, work)
    status = solve(now + work[DRIFT], u, ints, reals, y, work)
    if status == OK:
        status = book_tensions(now, ints, reals, y, work)
    if status == OK:
        note_extremes(now, ints, reals, y, work)
        if bed:
            book_contact(ints, reals, y, work)
        status = move(now, ints, reals, y, work)
        if bed:
            remember(ints, reals, y, work)
    return status
