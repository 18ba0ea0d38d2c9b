"""The bars as ordinary differential equations ẏ = f(t, y), for Runge–Kutta methods.

Under the `rule` tuning the joints are plain springs and dampers here (the rule itself belongs to the semi-implicit
step); under the paper's tunings they follow the paper's law (Eq. 6–8), which is an ODE as it stands.
"""

from __future__ import annotations

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.quaternion import rotation, unit_turn
from fairlead.algebra.small import add, add_scaled, dot
from fairlead.rigging.observation import works_of
from fairlead.rigging.powers import take_powers, turning_rate
from fairlead.sea.water import BED_PRESENT

from .coefficients import PLAIN
from .element import axis_of, point_velocity
from .extremes import note_extremes
from .frames import drive_points
from .schema import RULE, system
from .signals import load_on_hub
from .solving import solve
from .step import (
    HUB_RANGE, OK, RANGE, SPEED_LIMIT, SPIN_LIMIT, book_contact, book_multipliers, prepare, release_ends, remember,
)  # fmt: skip
from .sweep import ZERO3
from .topology import hub_of_end, is_attached, joint_of_end


@kernel
def is_algebraic(h, sys):
    """A hub without mass, held by plain springs: its place follows from force balance, not from a state."""
    return sys.tuning == RULE and sys.hub[h].mass == 0.0


@kernel
def balance_hubs(t, u, sys):
    """Put massless hubs where the springs of their ball joints balance: x = (Σ k p + F)/Σ k, v = Σ k v/Σ k."""
    for h in range(sys.hubs):
        if not is_algebraic(h, sys):
            continue
        total = 0.0
        place, velocity = ZERO3, ZERO3
        for end in range(2 * sys.cables):
            if hub_of_end(end, sys) != h or not is_attached(end, sys):
                continue
            at_end = end % 2 == 1
            j = joint_of_end(end, sys)
            bar = j - end // 2 - (1 if at_end else 0)  # joint j of cable c lies between bars j − c − 1 and j − c
            body = sys.bar_state[bar]
            R = rotation(body.turn)
            o = 0.5 * sys.bar[bar].length * (1.0 if at_end else -1.0)
            k = sys.joint[j].stiffness[0]
            place = add_scaled(place, k, add_scaled(body.position, o, axis_of(R)))
            swing = point_velocity(o, R, body.velocity, body.spin)
            velocity = add_scaled(velocity, k, swing)
            total += k
        for i in range(sys.loads):
            if sys.load[i].hub == h:
                force, _ = load_on_hub(t, i, u, rotation(sys.hub_state[h].turn), sys)
                place = add(place, force)
        if total > 0.0:
            body = sys.hub_state[h]
            body.position = (place[0] / total, place[1] / total, place[2] / total)
            body.velocity = (velocity[0] / total, velocity[1] / total, velocity[2] / total)


@kernel
def body_rate(body, acceleration, rate):
    """d/dt of one body: ṗ = v, q̇ = ½ q∘(0, w), v̇, ẇ; `rate` is its row in dy."""
    rate.position, rate.velocity, rate.spin = body.velocity, acceleration.linear, acceleration.angular
    rate.turn = turning_rate(body.turn, body.spin)


@entry
def rhs(t, y, u, ints, reals, work, dy):
    """dy ← f(t, y); the works of the ledger are integrated along. Returns a status."""
    sys, rate = system(ints, reals, y, work), system(ints, reals, dy, work)
    prepare(PLAIN, 0.0, None, None, sys)
    dy[:] = 0.0
    drive_points(t, 0, u, sys)
    balance_hubs(t, u, sys)
    ledger = sys.ledger
    before = works_of(ledger)
    steps, damped = ledger.steps, ledger.steps_damped
    status = solve(t, u, OK, None, None, True, sys)
    if status != OK:
        return status
    status = book_multipliers(t, OK, None, sys)
    if status != OK:
        return status
    note_extremes(t, sys)  # only those of a step's beginning stay: later stages are made on a copy
    if reals[BED_PRESENT] > 0.0:
        book_contact(t, None, sys)
    take_powers(before, ledger, rate.ledger)
    ledger.steps, ledger.steps_damped = steps, damped
    for i in range(sys.bars):
        body_rate(sys.bar_state[i], sys.acceleration[i], rate.bar_state[i])
    for h in range(sys.hubs):
        if not is_algebraic(h, sys):
            body_rate(sys.hub_state[h], sys.hub_rhs[h], rate.hub_state[h])
    for k in range(sys.controlled):
        rate.controls[k].position, rate.controls[k].velocity = sys.plan[k].velocity, sys.plan[k].acceleration
    return OK


@kernel
def normalise(body):
    """Bring a body's quaternion back to unit length; False when the body has left the physical range."""
    body.turn = unit_turn(body.turn)
    v, w = body.velocity, body.spin
    return dot(v, v) < SPEED_LIMIT * SPEED_LIMIT and dot(w, w) < SPIN_LIMIT * SPIN_LIMIT


@entry
def settle(t, y, u, h, ints, reals, work):
    """After an accepted step that ends at t: unit quaternions, releases, friction memory, range. Returns a status."""
    sys = system(ints, reals, y, work)
    for c in range(sys.cables):
        first = sys.cable[c].first
        for i in range(sys.cable[c].count):
            if not normalise(sys.bar_state[first + i]):
                sys.fault.time, sys.fault.cable, sys.fault.element = t, c, i
                return RANGE
    for k in range(sys.hubs):
        if not normalise(sys.hub_state[k]):
            sys.fault.time, sys.fault.cable = t, k
            return HUB_RANGE
    release_ends(t, sys)
    balance_hubs(t, u, sys)
    if sys.reals[BED_PRESENT] > 0.0:  # the contact of the last stage, carried to the step's end
        remember(None, sys)
    return OK
