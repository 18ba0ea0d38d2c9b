"""The links as ordinary differential equations ẏ = f(t, y), for Runge–Kutta methods."""

from __future__ import annotations

from fairlead.algebra.compiled import entry
from fairlead.algebra.quaternion import unit_turn
from fairlead.algebra.small import add_scaled, dot, scale
from fairlead.rigging.point_loads import take_loads
from fairlead.rigging.observation import works_of
from fairlead.rigging.powers import take_powers, turning_rate

from .extremes import note_extremes
from .schema import SCHEMA
from .step import OK, RANGE, SPEED_LIMIT, book_contact, drive_points, fault, lay_out, place_points, solve
from .twist import twist_rates

system = SCHEMA.view


@entry
def rhs(t, y, u, ints, reals, work, dy):
    """dy ← f(t, y), springs and dampers plain; the works of the ledger are integrated along. Returns a status."""
    sys, rates = system(ints, reals, y, work), system(ints, reals, dy, work)
    sys.step.size, sys.step.book = 0.0, 1.0
    for k in range(y.shape[0]):
        dy[k] = 0.0
    ledger, powers = sys.ledger, rates.ledger
    before = works_of(ledger)
    take_loads(u, sys)
    place_points(sys)
    drive_points(t, 0.0, 0, u, sys)
    lay_out(0.0, sys)
    status = solve(t, sys)
    if status != OK:
        return status
    note_extremes(t, sys)  # only those of a step's beginning stay: later stages are made on a copy
    damped, driven = twist_rates(t, sys, rates)
    take_powers(before, ledger, powers)
    powers.damping += damped
    powers.drives += driven
    for j in range(sys.links):
        link = sys.link_state[j]
        w = link.rate
        rates.link_state[j].direction = w
        rates.link_state[j].rate = add_scaled(sys.turning[j].swing, -dot(w, w), link.direction)
    for b in range(sys.hung_bodies):
        rates.body_state[b].turn = turning_rate(sys.body_state[b].turn, sys.body_state[b].spin)
        rates.body_state[b].spin = sys.found[b].spin
    for c in range(sys.chains):
        if sys.chain[c].start < 0:
            rates.start_state[c].position = sys.start_state[c].velocity
            rates.start_state[c].velocity = sys.motion[sys.chain[c].first + c].acceleration
    for k in range(sys.controlled):
        plan = sys.plan[sys.control[k].point]
        rates.control_state[k].position, rates.control_state[k].velocity = plan.velocity, plan.acceleration
    return OK


@entry
def settle(t, y, u, h, ints, reals, work):
    """After an accepted step that ends at t: unit vectors and rates across them, friction memory. Returns a status."""
    sys = system(ints, reals, y, work)
    for j in range(sys.links):
        link = sys.link_state[j]
        q = scale(dot(link.direction, link.direction) ** -0.5, link.direction)
        link.rate = add_scaled(link.rate, -dot(q, link.rate), q)
        link.direction = q
    for b in range(sys.hung_bodies):
        sys.body_state[b].turn = unit_turn(sys.body_state[b].turn)
    for c in range(sys.chains):
        speed = sys.motion[sys.chain[c].first + c + 1].middle
        if not dot(speed, speed) < SPEED_LIMIT * SPEED_LIMIT:
            fault(t, c, 0, sys)
            return RANGE
    if sys.sea.bed > 0.0:  # the contact of the last stage, carried to the step's end
        sys.step.book = 0.0
        book_contact(sys)
    return OK
