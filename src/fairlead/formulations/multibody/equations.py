"""The system as an ODE, with plain springs and dampers, for integrators that act on its right-hand side."""

from __future__ import annotations

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.small import dot

from .arrays import (
    AT_Q, CABLE_ELEMENT, ELEMENT, FAULT, HALF, N_BASES, N_BODIES, N_CABLES, N_CONTROLS, POWER_DRAG, POWER_DRIVES,
    POWER_FRICTION, PREDICTED, ROD, SLACK, SPIN, STEP, STIFFNESS, THETA_STEP, VELOCITY, WORK_DAMPING, WORK_DRAG,
    WORK_DRIVES, WORK_FRICTION, W_RATES, Y_CONTROLS, Y_LEDGER, Y_LENGTH, Y_RATE, Y_V, body_at, cable_at, element_at,
    first_active, record_at, vector_of,
)  # fmt: skip
from .articulated import OK, reaction
from .commands import control_rate, move_bases, rest_bases
from .coordinates import coordinate_rates, unit_again
from .extremes import note_extremes
from .forces import damper_power, line_damping, solve
from .joints import place_all
from .lines import line_energies, push_all
from .standing import book_standing
from .upkeep import keep_up
from .winch import length_rate_of, rate_at


@kernel
def book_powers(t, ints, reals, y, work):
    """Add what moving bases and the drums give to the power of the drives, after a solution.

    A base gives −(reaction · velocity). Line that enters or leaves takes its kinetic and potential energy along, and
    changes the elastic energy of the first element by −T(1 + ε/2) a metre.
    """
    for b in range(ints[N_BASES]):
        base = record_at(ints, b)
        force, torque = reaction(base, work)
        given = dot(force, vector_of(work, base + VELOCITY)) + dot(torque, vector_of(work, base + SPIN))
        work[POWER_DRIVES] -= given
    for j in range(ints[N_BODIES]):
        body = body_at(ints, j)
        rate = length_rate_of(body, ints, y, work)
        if rate != 0.0:
            e = ints[body + ELEMENT]
            length, span = y[ints[Y_LENGTH] + e], y[ints[body + AT_Q] + 2]
            kinetic, gravity = line_energies(t, j, ints, reals, y, work)
            strain = span / length - 1.0
            elastic = reals[element_at(ints, e) + STIFFNESS] * strain * (1.0 + 0.5 * strain)
            if strain < 0.0 and ints[SLACK] != ROD:
                elastic = 0.0
            work[POWER_DRIVES] += rate * ((kinetic + gravity) / length - elastic)


@entry
def rhs(t, y, u, ints, reals, work, dy):
    """dy/dt with plain springs and dampers. Returns a status."""
    work[STEP], work[HALF], work[THETA_STEP], work[PREDICTED] = 0.0, 0.0, 0.0, 0.0
    for k in range(y.shape[0]):
        dy[k] = 0.0
    rest_bases(ints, reals, work)
    move_bases(t, u, ints, reals, y, work)
    for c in range(ints[N_CABLES]):
        work[ints[W_RATES] + c] = rate_at(t, c, 0.0, u, ints, reals, y, work)
        first = ints[cable_at(ints, c) + CABLE_ELEMENT] + first_active(ints, y, c)
        dy[ints[Y_LENGTH] + first] = work[ints[W_RATES] + c]
    status = solve(t, ints, reals, y, work, dy, ints[Y_V])
    if status != OK:
        work[FAULT] = t
        return status
    coordinate_rates(ints, y, dy)
    for k in range(ints[N_CONTROLS]):
        at = ints[Y_CONTROLS] + 2 * k
        dy[at] = y[at + 1]
        dy[at + 1] = control_rate(t, k, u, y, ints, reals)
    damped = push_all(ints, reals, y, work)
    note_extremes(t, ints, reals, y, work)  # only those of a step's beginning stay: later stages are made on a copy
    damped += book_standing(ints, reals, work)
    book_powers(t, ints, reals, y, work)
    ledger = ints[Y_LEDGER]
    dy[ledger + WORK_DRAG] = work[POWER_DRAG]
    dy[ledger + WORK_DAMPING] = damped + damper_power(ints, reals, y) + line_damping(ints, reals, y, work)
    dy[ledger + WORK_FRICTION] = work[POWER_FRICTION]
    dy[ledger + WORK_DRIVES] = work[POWER_DRIVES]
    return OK


@entry
def settle(t, y, u, h, ints, reals, work):
    """After an accepted step: unit quaternions, the drums' events, frames laid anew, contacts, the range of all."""
    unit_again(ints, y)
    rest_bases(ints, reals, work)
    move_bases(t, u, ints, reals, y, work)
    place_all(ints, reals, y, work)
    for c in range(ints[N_CABLES]):
        y[ints[Y_RATE] + c] = work[ints[W_RATES] + c]
    return keep_up(t, ints, reals, y, work)
