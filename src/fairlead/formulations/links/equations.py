"""The links as ordinary differential equations ẏ = f(t, y), for Runge–Kutta methods."""

from __future__ import annotations

from fairlead.algebra.compiled import entry
from fairlead.algebra.quaternion import product
from fairlead.algebra.small import add_scaled, dot, scale
from fairlead.sea.water import BED_PRESENT

from .arrays import (
    BOOK, CHAIN_FIRST, CHAIN_START, CONTROL_INTS, FAULT, HUNG_FOUND, I_CONTROLS, LEDGER_COUNT, N_CHAINS, N_CONTROLLED,
    N_HUNG, N_LINKS, STEP, W_ACCELERATION, W_MIDDLE, W_SWING, WORK_DAMPING, WORK_DRIVES, Y_CONTROLS, Y_LEDGER,
    Y_LINKS, Y_STARTS, chain_at, hung_at, hung_work_at, point_at, put, vector_of,
)  # fmt: skip
from .extremes import note_extremes
from .point_loads import take_loads
from .step import OK, RANGE, SPEED_LIMIT, book_contact, drive_points, lay_out, place_points, solve

from .twist import twist_rates


@entry
def rhs(t, y, u, ints, reals, work, dy):
    """dy ← f(t, y), springs and dampers plain; the works of the ledger are integrated along. Returns a status."""
    work[STEP] = 0.0
    work[BOOK] = 1.0
    for k in range(y.shape[0]):
        dy[k] = 0.0
    ledger = ints[Y_LEDGER]
    for k in range(LEDGER_COUNT):
        dy[ledger + k] = -y[ledger + k]
    take_loads(u, ints, reals)
    place_points(ints, reals, work)
    drive_points(t, 0.0, 0, u, ints, reals, y, work)
    lay_out(0.0, ints, reals, y, work)
    status = solve(t, ints, reals, y, work)
    if status != OK:
        return status
    note_extremes(t, ints, reals, y, work)  # only those of a step's beginning stay: later stages are made on a copy
    damped, driven = twist_rates(t, ints, reals, y, dy)
    for k in range(LEDGER_COUNT):
        power = y[ledger + k] + dy[ledger + k]
        y[ledger + k] -= power
        dy[ledger + k] = power
    dy[ledger + WORK_DAMPING] += damped
    dy[ledger + WORK_DRIVES] += driven
    for j in range(ints[N_LINKS]):
        state = ints[Y_LINKS] + 6 * j
        q, w = vector_of(y, state), vector_of(y, state + 3)
        put(dy, state, w)
        put(dy, state + 3, add_scaled(vector_of(work, ints[W_SWING] + 3 * j), -dot(w, w), q))
    for b in range(ints[N_HUNG]):
        at = hung_at(ints, b)
        w = (0.0, 0.5 * y[at + 4], 0.5 * y[at + 5], 0.5 * y[at + 6])
        dy[at], dy[at + 1], dy[at + 2], dy[at + 3] = product((y[at], y[at + 1], y[at + 2], y[at + 3]), w)
        put(dy, at + 4, vector_of(work, hung_work_at(ints, b) + HUNG_FOUND + 3))
    for c in range(ints[N_CHAINS]):
        at, chain = ints[Y_STARTS] + 6 * c, chain_at(ints, c)
        if ints[chain + CHAIN_START] < 0:
            put(dy, at, vector_of(y, at + 3))
            put(dy, at + 3, vector_of(work, ints[W_ACCELERATION] + 3 * (ints[chain + CHAIN_FIRST] + c)))
    for k in range(ints[N_CONTROLLED]):
        point = point_at(ints, ints[ints[I_CONTROLS] + CONTROL_INTS * k])
        put(dy, ints[Y_CONTROLS] + 6 * k, vector_of(work, point + 3))
        put(dy, ints[Y_CONTROLS] + 6 * k + 3, vector_of(work, point + 6))
    return OK


@entry
def settle(t, y, u, h, ints, reals, work):
    """After an accepted step that ends at t: unit vectors and rates across them, friction memory. Returns a status."""
    for j in range(ints[N_LINKS]):
        state = ints[Y_LINKS] + 6 * j
        q, w = vector_of(y, state), vector_of(y, state + 3)
        q = scale(dot(q, q) ** -0.5, q)
        w = add_scaled(w, -dot(q, w), q)
        put(y, state, q)
        put(y, state + 3, w)
    for b in range(ints[N_HUNG]):
        at = hung_at(ints, b)
        size = (y[at] ** 2 + y[at + 1] ** 2 + y[at + 2] ** 2 + y[at + 3] ** 2) ** -0.5
        for k in range(4):
            y[at + k] *= size
    for c in range(ints[N_CHAINS]):
        first = ints[chain_at(ints, c) + CHAIN_FIRST]
        speed = vector_of(work, ints[W_MIDDLE] + 3 * (first + c + 1))
        if not dot(speed, speed) < SPEED_LIMIT * SPEED_LIMIT:
            work[FAULT], work[FAULT + 1], work[FAULT + 2] = t, c, 0
            return RANGE
    if reals[BED_PRESENT] > 0.0:  # the contact of the last stage, carried to the step's end
        work[BOOK] = 0.0
        book_contact(ints, reals, y, work)
    return OK
