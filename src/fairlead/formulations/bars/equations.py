"""The bars as ordinary differential equations ẏ = f(t, y), for Runge–Kutta methods.

Under the `rule` tuning the joints are plain springs and dampers here (the rule itself belongs to the semi-implicit
step); under the paper's tunings they follow the paper's law (Eq. 6–8), which is an ODE as it stands.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add_scaled
from fairlead.sea.water import BED_PRESENT

from .arrays import (
    CABLE_COUNT, CABLE_FIRST, END_HUB, HUB_MASS, HUB_WEIGHT, LEDGER_COUNT, LENGTH, N_CONTROLLED, N_HUBS, RULE,
    START_HUB, TUNING, WORK_DRIVES, model_of, scratch_of, state_of,
)  # fmt: skip
from .coefficients import PLAIN
from .element import axis_of, point_velocity
from .hubs import solve
from .signals import load_factor
from .step import (
    HUB_RANGE, OK, RANGE, SPEED_LIMIT, SPIN_LIMIT, book_contact, book_multipliers, drive_points, prepare, release_ends,
    remember,
)  # fmt: skip
from .sweep import quaternion_of, vector_of


@kernel
def is_algebraic(hub, model):
    """A hub without mass, held by plain springs: its place follows from force balance, not from a state."""
    return model.ints[TUNING] == RULE and model.hubs[hub, HUB_MASS] == 0.0


@kernel
def balance_hubs(t, model, state):
    """Put massless hubs where the springs of their ball joints balance: x = (Σ k p + F)/Σ k, v = Σ k v/Σ k."""
    for h in range(model.ints[N_HUBS]):
        if not is_algebraic(h, model):
            continue
        total = 0.0
        place, velocity = (0.0, 0.0, -model.hubs[h, HUB_WEIGHT]), (0.0, 0.0, 0.0)
        for c in range(model.cables.shape[0]):
            first, count = model.cables[c, CABLE_FIRST], model.cables[c, CABLE_COUNT]
            for side in range(2):
                if model.cables[c, END_HUB if side == 1 else START_HUB] != h or state.attached[c, side] < 0.5:
                    continue
                bar = first + count - 1 if side == 1 else first
                body = state.bars[bar]
                R = rotation(quaternion_of(body))
                o = 0.5 * model.bars[bar, LENGTH] * (1.0 if side == 1 else -1.0)
                k = model.joints[first + c + (count if side == 1 else 0), 0]
                place = add_scaled(place, k, add_scaled(vector_of(body, 0), o, axis_of(R)))
                velocity = add_scaled(velocity, k, point_velocity(o, R, vector_of(body, 7), vector_of(body, 10)))
                total += k
        for i in range(model.loads_int.shape[0]):
            if model.loads_int[i, 0] == h:
                place = add_scaled(place, load_factor(t, model.loads_int[i], model.table), vector_of(model.loads[i], 0))
        if total > 0.0:
            for k in range(3):
                state.hubs[h, k] = place[k] / total
                state.hubs[h, 7 + k] = velocity[k] / total


@kernel
def body_rate(body, acceleration, out):
    """d/dt of one body's row: ṗ = v, q̇ = ½ q∘(0, w), v̇, ẇ."""
    s, x, y, z = quaternion_of(body)
    w = vector_of(body, 10)
    for k in range(3):
        out[k] = body[7 + k]
        out[7 + k] = acceleration[k]
        out[10 + k] = acceleration[3 + k]
    out[3] = 0.5 * (-x * w[0] - y * w[1] - z * w[2])
    out[4] = 0.5 * (s * w[0] + y * w[2] - z * w[1])
    out[5] = 0.5 * (s * w[1] + z * w[0] - x * w[2])
    out[6] = 0.5 * (s * w[2] + x * w[1] - y * w[0])


@kernel
def rhs(t, y, u, ints, reals, work, dy):
    """dy ← f(t, y); the works of the ledger are integrated along. Returns a status."""
    model, state, scratch = model_of(ints, reals), state_of(ints, y), scratch_of(ints, work)
    rate = state_of(ints, dy)
    prepare(PLAIN, 0.0, model, scratch)
    dy[:] = 0.0
    drive_points(t, u, model, state, scratch)
    balance_hubs(t, model, state)
    for k in range(LEDGER_COUNT):
        rate.ledger[k] = -state.ledger[k]
    status = solve(t, model, state, scratch)
    if status != OK:
        return status
    book_multipliers(t, model, state, scratch)
    if model.sea[BED_PRESENT] > 0.0:
        book_contact(model, state, scratch)
    for k in range(LEDGER_COUNT):
        power = state.ledger[k] + rate.ledger[k]
        state.ledger[k] -= power
        rate.ledger[k] = power if k <= WORK_DRIVES else 0.0
    for i in range(state.bars.shape[0]):
        body_rate(state.bars[i], scratch.acceleration[i], rate.bars[i])
    for h in range(model.ints[N_HUBS]):
        if not is_algebraic(h, model):
            body_rate(state.hubs[h], scratch.hub_rhs[h], rate.hubs[h])
    for k in range(model.ints[N_CONTROLLED]):
        place = scratch.points[model.controls_int[k, 0]]
        for i in range(3):
            rate.controls[k, i] = place[3 + i]
            rate.controls[k, 3 + i] = place[6 + i]
    return OK


@kernel
def normalise(body):
    """Bring a body's quaternion back to unit length; False when the row has left the physical range."""
    n = 0.0
    for k in range(3, 7):
        n += body[k] * body[k]
    n = n**-0.5
    for k in range(3, 7):
        body[k] *= n
    v, w = vector_of(body, 7), vector_of(body, 10)
    speed2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
    spin2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
    return speed2 < SPEED_LIMIT * SPEED_LIMIT and spin2 < SPIN_LIMIT * SPIN_LIMIT


@kernel
def settle(t, y, u, h, ints, reals, work):
    """After an accepted step that ends at t: unit quaternions, releases, friction memory, range. Returns a status."""
    model, state, scratch = model_of(ints, reals), state_of(ints, y), scratch_of(ints, work)
    for c in range(model.cables.shape[0]):
        first = model.cables[c, CABLE_FIRST]
        for i in range(model.cables[c, CABLE_COUNT]):
            if not normalise(state.bars[first + i]):
                scratch.fault[0], scratch.fault[1], scratch.fault[2] = t, c, i
                return RANGE
    for k in range(model.ints[N_HUBS]):
        if not normalise(state.hubs[k]):
            scratch.fault[0], scratch.fault[1] = t, k
            return HUB_RANGE
    release_ends(t, model, state)
    balance_hubs(t, model, state)
    if model.sea[BED_PRESENT] > 0.0:  # the contact of the last stage, carried to the step's end
        remember(model, state, scratch)
    return OK
