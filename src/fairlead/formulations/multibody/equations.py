"""The system as an ODE, with plain springs and dampers, for integrators that act on its right-hand side."""

from __future__ import annotations

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.small import dot
from fairlead.rigging.axial import axial_release

from .articulated import OK, reaction
from .commands import command_rate, hold_moment, move_bases, rest_bases
from .coordinates import coordinate_rates, unit_again
from .extremes import note_extremes
from .forces import damper_power, line_damping, solve
from .joints import at_drum, length_rate_of, place_all
from .lines import line_energies, push_all
from .schema import ROD, system
from .standing import book_standing
from .upkeep import keep_up
from .winch import rate_at


@kernel
def book_powers(t, sys):
    """Add what moving bases and the drums give to the power of the drives, after a solution.

    A base gives −(reaction · velocity). Line that enters or leaves takes its kinetic and potential energy along, and
    changes the elastic energy of the first element by −T(1 + ε/2) a metre.
    """
    for b in range(sys.bases):
        base = sys.record[b]
        force, torque = reaction(base)
        given = dot(force, base.velocity) + dot(torque, base.spin)
        sys.power.drives -= given
    for j in range(sys.bodies):
        body = sys.body[j]
        rate = length_rate_of(body, sys)
        if rate != 0.0:
            e = body.element
            length, span = sys.line[e].length, sys.coordinate[body.coordinate + 2].value
            kinetic, gravity, _ = line_energies(t, j, sys)
            elastic = axial_release(sys.law, span / length, sys.element[e].stiffness)
            if span < length and sys.slack != ROD:
                elastic = 0.0
            sys.power.drives += rate * ((kinetic + gravity) / length - elastic)


@entry
def rhs(t, y, u, ints, reals, work, dy):
    """dy/dt with plain springs and dampers. Returns a status."""
    sys, rate = system(ints, reals, y, work), system(ints, reals, dy, work)
    for k in range(y.shape[0]):
        dy[k] = 0.0
    hold_moment(t, u, sys)
    for c in range(sys.cables):
        sys.payout[c].rate = rate_at(t, c, 0.0, u, sys)
        rate.line[at_drum(c, sys)].length = sys.payout[c].rate
    status = solve(t, sys, dy, rate.speed.start)
    if status != OK:
        sys.fault.time = t
        return status
    coordinate_rates(sys, rate)
    for k in range(sys.controlled):
        rate.controls[k].position, rate.controls[k].velocity = sys.controls[k].velocity, command_rate(t, k, u, sys)
    damped = push_all(sys)
    note_extremes(t, sys)  # only those of a step's beginning stay: later stages are made on a copy
    damped += book_standing(sys)
    book_powers(t, sys)
    rate.ledger.drag, rate.ledger.friction, rate.ledger.drives = sys.power.drag, sys.power.friction, sys.power.drives
    rate.ledger.damping = damped + damper_power(sys) + line_damping(sys)
    return OK


@entry
def settle(t, y, u, h, ints, reals, work):
    """After an accepted step: unit quaternions, the drums' events, frames laid anew, contacts, the range of all."""
    sys = system(ints, reals, y, work)
    unit_again(sys)
    rest_bases(sys)
    move_bases(t, u, sys)
    place_all(sys)
    for c in range(sys.cables):
        sys.paid[c].rate = sys.payout[c].rate
    return keep_up(t, sys)
