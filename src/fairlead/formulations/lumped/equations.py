"""The masses as ordinary differential equations ẏ = f(t, y), for Runge–Kutta methods: plain springs and dampers."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.small import dot
from fairlead.loads.end_motion import STEP_NUMBERS
from fairlead.sea.water import BED_PRESENT

from .arrays import (
    BLOCK, CABLE_COUNT, CABLE_FIRST, FAULT, LEDGER_COUNT, N_CABLES, N_CONTROLLED, N_HUBS, N_NODES, W_CONTROLS,
    Y_CONTROLS, Y_LEDGER, acceleration_at, cable_at, hub_state_at, node_state_at, put, vector_of,
)  # fmt: skip
from .extremes import note_extremes
from .hubs import rhs_at
from .points import drive_points
from .scheme import PLAIN
from .slackening import solve
from .step import HUB_RANGE, OK, RANGE, SPEED_LIMIT, book_contact, book_tensions, prepare, release_ends, remember


@kernel
def put_rate(y, at, a, dy):
    """d/dt of one mass: ẋ = v, v̇ = a."""
    put(dy, at, vector_of(y, at + 3))
    put(dy, at + 3, a)


@kernel
def hub_rate(h, ints, y, work, dy):
    """d/dt of one hub: ṗ = v, q̇ = ½ q∘(0, w), v̇, ẇ."""
    body, at = hub_state_at(ints, h), rhs_at(ints, h)
    put(dy, body, vector_of(y, body + 7))
    put(dy, body + 7, vector_of(work, at))
    if ints[BLOCK] == 6:
        w = vector_of(y, body + 10)
        q0, q1, q2, q3 = y[body + 3], y[body + 4], y[body + 5], y[body + 6]
        dy[body + 3] = 0.5 * (-q1 * w[0] - q2 * w[1] - q3 * w[2])
        dy[body + 4] = 0.5 * (q0 * w[0] + q2 * w[2] - q3 * w[1])
        dy[body + 5] = 0.5 * (q0 * w[1] + q3 * w[0] - q1 * w[2])
        dy[body + 6] = 0.5 * (q0 * w[2] + q1 * w[1] - q2 * w[0])
        put(dy, body + 10, vector_of(work, at + 3))


@entry
def rhs(t, y, u, ints, reals, work, dy):
    """dy ← f(t, y); the works of the ledger are integrated along. Returns a status."""
    prepare(PLAIN, 0.0, ints, reals, work)
    for k in range(dy.shape[0]):
        dy[k] = 0.0
    drive_points(t, 0.0, 0, u, ints, reals, y, work)
    ledger = ints[Y_LEDGER]
    for k in range(LEDGER_COUNT):
        dy[ledger + k] = -y[ledger + k]
    status = solve(t, u, ints, reals, y, work)
    if status != OK:
        return status
    status = book_tensions(t, ints, reals, y, work)
    if status != OK:
        return status
    note_extremes(t, ints, reals, y, work)  # only those of a step's beginning stay: later stages are made on a copy
    if reals[BED_PRESENT] > 0.0:
        book_contact(ints, reals, y, work)
    for k in range(LEDGER_COUNT):  # what was booked is the power; the ledger itself stays as it was
        booked = y[ledger + k]
        y[ledger + k] = -dy[ledger + k]
        dy[ledger + k] += booked
    for i in range(ints[N_NODES]):
        put_rate(y, node_state_at(ints, i), vector_of(work, acceleration_at(ints, i)), dy)
    for h in range(ints[N_HUBS]):
        hub_rate(h, ints, y, work, dy)
    for k in range(ints[N_CONTROLLED]):
        put_rate(y, ints[Y_CONTROLS] + 6 * k, vector_of(work, ints[W_CONTROLS] + STEP_NUMBERS * k + 6), dy)
    return OK


@kernel
def in_range(y, at):
    """Whether the velocity three numbers behind `at` can be."""
    v = vector_of(y, at + 3)
    return dot(v, v) < SPEED_LIMIT * SPEED_LIMIT


@entry
def settle(t, y, u, h, ints, reals, work):
    """After an accepted step that ends at t: unit quaternions, releases, friction memory, range. Returns a status."""
    for c in range(ints[N_CABLES]):
        first = ints[cable_at(ints, c) + CABLE_FIRST] + c
        for i in range(ints[cable_at(ints, c) + CABLE_COUNT] + 1):
            if not in_range(y, node_state_at(ints, first + i)):
                work[FAULT], work[FAULT + 1], work[FAULT + 2] = t, c, i
                return RANGE
    for k in range(ints[N_HUBS]):
        body = hub_state_at(ints, k)
        size = 0.0
        for i in range(3, 7):
            size += y[body + i] * y[body + i]
        for i in range(3, 7):
            y[body + i] /= math.sqrt(size)
        if not in_range(y, body + 4):
            work[FAULT], work[FAULT + 1] = t, k
            return HUB_RANGE
    release_ends(t, ints, reals, y)
    if reals[BED_PRESENT] > 0.0:  # the contact of the last stage, carried to the step's end
        remember(ints, reals, y, work)
    return OK
