"""The masses as ordinary differential equations ẏ = f(t, y), for Runge–Kutta methods: plain springs and dampers."""

from __future__ import annotations

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.quaternion import unit_turn
from fairlead.algebra.small import dot
from fairlead.rigging.cummins import floater_rates
from fairlead.rigging.observation import works_of
from fairlead.rigging.powers import take_powers, turning_rate

from .extremes import note_extremes
from .hubs import book_floating
from .points import drive_points
from .schema import system
from .scheme import PLAIN
from .slackening import solve
from .step import HUB_RANGE, OK, RANGE, SPEED_LIMIT, book_contact, book_tensions, fail, prepare, release_ends, remember


@kernel
def hub_rate(h, sys, rate):
    """d/dt of one hub: ṗ = v, q̇ = ½ q∘(0, w), v̇, ẇ."""
    hub, balance, to = sys.hub_state[h], sys.balance[h], rate.hub_state[h]
    to.position, to.velocity = hub.velocity, balance.acceleration
    if sys.hub_size == 6:
        to.turn, to.spin = turning_rate(hub.turn, hub.spin), balance.spin_rate


@entry
def rhs(t, y, u, ints, reals, work, dy):
    """dy ← f(t, y); the works of the ledger are integrated along. Returns a status."""
    sys, rate = system(ints, reals, y, work), system(ints, reals, dy, work)
    prepare(PLAIN, 0.0, sys)
    for k in range(dy.shape[0]):
        dy[k] = 0.0
    drive_points(t, 0.0, 0, u, sys)
    ledger = sys.ledger
    before, steps, damped = works_of(ledger), ledger.element_steps, ledger.element_steps_damped
    status = solve(t, u, OK, sys)
    if status != OK:
        return status
    status = book_tensions(t, OK, sys)
    if status != OK:
        return status
    note_extremes(t, sys)  # only those of a step's beginning stay: later stages are made on a copy
    if sys.sea.bed > 0.0:
        book_contact(sys)
    book_floating(1.0, rate, sys)
    take_powers(before, ledger, rate.ledger)
    rate.ledger.element_steps = ledger.element_steps - steps
    rate.ledger.element_steps_damped = ledger.element_steps_damped - damped
    ledger.element_steps, ledger.element_steps_damped = steps, damped
    for i in range(sys.nodes):
        rate.node[i].position, rate.node[i].velocity = sys.node[i].velocity, sys.row[i].acceleration
    for h in range(sys.hubs):
        hub_rate(h, sys, rate)
    if sys.floaters > 0:
        floater_rates(sys.hub_state, sys, rate)
    for k in range(sys.controlled):
        rate.controls[k].position, rate.controls[k].velocity = sys.controls[k].velocity, sys.plan[k].acceleration
    return OK


@kernel
def in_range(v):
    """Whether a velocity can be."""
    return dot(v, v) < SPEED_LIMIT * SPEED_LIMIT


@entry
def settle(t, y, u, h, ints, reals, work):
    """After an accepted step that ends at t: unit quaternions, releases, friction memory, range. Returns a status."""
    sys = system(ints, reals, y, work)
    for c in range(sys.cables):
        first = sys.cable[c].first + c
        for i in range(sys.cable[c].count + 1):
            if not in_range(sys.node[first + i].velocity):
                return fail(True, True, RANGE, OK, t, c, i, sys)
    for k in range(sys.hubs):
        sys.hub_state[k].turn = unit_turn(sys.hub_state[k].turn)
        if not in_range(sys.hub_state[k].velocity):
            return fail(True, True, HUB_RANGE, OK, t, k, 0, sys)
    release_ends(t, sys)
    if sys.sea.bed > 0.0:  # the contact of the last stage, carried to the step's end
        remember(sys)
    return OK
