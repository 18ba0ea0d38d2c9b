"""The bars as ordinary differential equations ẏ = f(t, y), for Runge–Kutta methods.

Under the `rule` tuning the joints are plain springs and dampers here (the rule itself belongs to the semi-implicit
step); under the paper's tunings they follow the paper's law (Eq. 6–8), which is an ODE as it stands.
"""

from __future__ import annotations

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, add_scaled, dot
from fairlead.loads.end_motion import STEP_NUMBERS
from fairlead.loads.rigid_body import BODY_MASS
from fairlead.sea.water import BED_PRESENT

from .arrays import (
    CABLE_COUNT, CABLE_FIRST, FAULT, I_LOADS, JOINT_COLUMNS, LEDGER_COUNT, LENGTH, LOAD_INTS, N_BARS, N_CABLES,
    N_CONTROLLED, N_HUBS, N_LOADS, RULE, R_JOINTS, TUNING, WORK_DRIVES, W_ACCELERATION, W_CONTROLS, W_HUB_RHS,
    Y_CONTROLS, Y_LEDGER, bar_at, bar_state_at, cable_at, hub_at, hub_of_end, hub_state_at, is_attached, joint_of_end,
    quaternion_of, vector_of,
)  # fmt: skip
from .coefficients import PLAIN
from .element import axis_of, point_velocity
from .extremes import note_extremes
from .frames import drive_points
from .hubs import solve
from .signals import load_on_hub
from .step import (
    HUB_RANGE, OK, RANGE, SPEED_LIMIT, SPIN_LIMIT, book_contact, book_multipliers, prepare, release_ends, remember,
)  # fmt: skip
from .sweep import ZERO3


@kernel
def is_algebraic(h, ints, reals):
    """A hub without mass, held by plain springs: its place follows from force balance, not from a state."""
    return ints[TUNING] == RULE and reals[hub_at(ints, h) + BODY_MASS] == 0.0


@kernel
def balance_hubs(t, u, ints, reals, y):
    """Put massless hubs where the springs of their ball joints balance: x = (Σ k p + F)/Σ k, v = Σ k v/Σ k."""
    for h in range(ints[N_HUBS]):
        if not is_algebraic(h, ints, reals):
            continue
        total = 0.0
        place, velocity = ZERO3, ZERO3
        for end in range(2 * ints[N_CABLES]):
            if hub_of_end(ints, end) != h or not is_attached(y, ints, end):
                continue
            at_end = end % 2 == 1
            j = joint_of_end(ints, end)
            bar = j - end // 2 - (1 if at_end else 0)  # joint j of cable c lies between bars j − c − 1 and j − c
            body = bar_state_at(ints, bar)
            R = rotation(quaternion_of(y, body))
            o = 0.5 * reals[bar_at(ints, bar) + LENGTH] * (1.0 if at_end else -1.0)
            k = reals[ints[R_JOINTS] + JOINT_COLUMNS * j]
            place = add_scaled(place, k, add_scaled(vector_of(y, body), o, axis_of(R)))
            swing = point_velocity(o, R, vector_of(y, body + 7), vector_of(y, body + 10))
            velocity = add_scaled(velocity, k, swing)
            total += k
        for i in range(ints[N_LOADS]):
            load = ints[I_LOADS] + LOAD_INTS * i
            if ints[load] == h:
                force, _ = load_on_hub(t, i, u, rotation(quaternion_of(y, hub_state_at(ints, h))), ints, reals)
                place = add(place, force)
        if total > 0.0:
            body = hub_state_at(ints, h)
            for k in range(3):
                y[body + k] = place[k] / total
                y[body + 7 + k] = velocity[k] / total


@kernel
def body_rate(y, body, work, acceleration, dy):
    """d/dt of one body: ṗ = v, q̇ = ½ q∘(0, w), v̇, ẇ."""
    q0, q1, q2, q3 = quaternion_of(y, body)
    w = vector_of(y, body + 10)
    for k in range(3):
        dy[body + k] = y[body + 7 + k]
        dy[body + 7 + k] = work[acceleration + k]
        dy[body + 10 + k] = work[acceleration + 3 + k]
    dy[body + 3] = 0.5 * (-q1 * w[0] - q2 * w[1] - q3 * w[2])
    dy[body + 4] = 0.5 * (q0 * w[0] + q2 * w[2] - q3 * w[1])
    dy[body + 5] = 0.5 * (q0 * w[1] + q3 * w[0] - q1 * w[2])
    dy[body + 6] = 0.5 * (q0 * w[2] + q1 * w[1] - q2 * w[0])


@entry
def rhs(t, y, u, ints, reals, work, dy):
    """dy ← f(t, y); the works of the ledger are integrated along. Returns a status."""
    prepare(PLAIN, 0.0, None, ints, reals, y, work)
    dy[:] = 0.0
    drive_points(t, 0, u, ints, reals, y, work)
    balance_hubs(t, u, ints, reals, y)
    ledger = ints[Y_LEDGER]
    for k in range(LEDGER_COUNT):
        dy[ledger + k] = -y[ledger + k]
    status = solve(t, u, None, ints, reals, y, work)
    if status != OK:
        return status
    status = book_multipliers(t, ints, reals, y, work)
    if status != OK:
        return status
    note_extremes(t, ints, reals, y, work)  # only those of a step's beginning stay: later stages are made on a copy
    if reals[BED_PRESENT] > 0.0:
        book_contact(ints, reals, y, work)
    for k in range(LEDGER_COUNT):
        power = y[ledger + k] + dy[ledger + k]
        y[ledger + k] -= power
        dy[ledger + k] = power if k <= WORK_DRIVES else 0.0
    for i in range(ints[N_BARS]):
        body_rate(y, bar_state_at(ints, i), work, ints[W_ACCELERATION] + 6 * i, dy)
    for h in range(ints[N_HUBS]):
        if not is_algebraic(h, ints, reals):
            body_rate(y, hub_state_at(ints, h), work, ints[W_HUB_RHS] + 6 * h, dy)
    for k in range(ints[N_CONTROLLED]):
        for i in range(6):
            dy[ints[Y_CONTROLS] + 6 * k + i] = work[ints[W_CONTROLS] + STEP_NUMBERS * k + 3 + i]
    return OK


@kernel
def normalise(y, body):
    """Bring a body's quaternion back to unit length; False when the body has left the physical range."""
    n = 0.0
    for k in range(3, 7):
        n += y[body + k] * y[body + k]
    n = n**-0.5
    for k in range(3, 7):
        y[body + k] *= n
    v, w = vector_of(y, body + 7), vector_of(y, body + 10)
    return dot(v, v) < SPEED_LIMIT * SPEED_LIMIT and dot(w, w) < SPIN_LIMIT * SPIN_LIMIT


@entry
def settle(t, y, u, h, ints, reals, work):
    """After an accepted step that ends at t: unit quaternions, releases, friction memory, range. Returns a status."""
    for c in range(ints[N_CABLES]):
        first = ints[cable_at(ints, c) + CABLE_FIRST]
        for i in range(ints[cable_at(ints, c) + CABLE_COUNT]):
            if not normalise(y, bar_state_at(ints, first + i)):
                work[FAULT], work[FAULT + 1], work[FAULT + 2] = t, c, i
                return RANGE
    for k in range(ints[N_HUBS]):
        if not normalise(y, hub_state_at(ints, k)):
            work[FAULT], work[FAULT + 1] = t, k
            return HUB_RANGE
    release_ends(t, ints, reals, y, work)
    balance_hubs(t, u, ints, reals, y)
    if reals[BED_PRESENT] > 0.0:  # the contact of the last stage, carried to the step's end
        remember(ints, reals, y, work)
    return OK
