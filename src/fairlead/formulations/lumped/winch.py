"""Winches: cables whose unstretched length changes while they move.

`drum`: the element at the drum, always the first of its cable, grows or shrinks; elements are created and absorbed
there by the rules of `fairlead.payout`. `rescale`: all elements of the cable change their length together.

An element whose unstretched length changes by L̇ stretches by ε̇ = (l̇ − L̇ l/L)/L. Line comes in at the speed of the
line that is there, so that no force comes with it; the energy it brings, at places and speeds as they are, is booked as
work of the drives. Elements are allotted for the greatest length. `CABLE_FIRST`, `CABLE_COUNT` and those constants of
elements that depend on length are *live*: they follow from the state and are unfolded anew at the start of every call.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add_scaled, dot, scale, subtract
from fairlead.loads.signals import table_value
from fairlead.payout.control import CONTROL_KIND, NO_CONTROL, controlled_rate
from fairlead.payout.rules import MERGE, SPLIT, event, limited_rate, split_speed, split_tensions

from .arrays import (
    ACTIVE, ADDED_AXIAL, ADDED_NORMAL, BED_DAMPING, BED_SHEAR, BED_STIFFNESS, BUOYANCY, CABLE_ALLOTTED_COUNT,
    CABLE_ALLOTTED_FIRST, CABLE_COUNT, CABLE_FIRST, DRAG_AXIAL, DRAG_NORMAL, ELEMENT_COLUMNS, GREEN, GROWTH, I_WINCHES,
    LENGTH, MASS, NODE, N_CONTROLLED, N_WINCHES, R_PRISTINE, R_TABLE, R_WINCHES, STIFFNESS, WEIGHT, WINCH_INTS,
    WINCH_REALS, WINCH_STATE, WORK_DRIVES, Y_LEDGER, Y_STRAINING, Y_TENSION, Y_WINCHES, acceleration_at, cable_at,
    contact_at, element_at, memory_at, node_state_at, put, vector_of,
)  # fmt: skip
from .energies import still_energies
from .scheme import STEP

WINCH_CABLE, RESCALING, RATE_TABLE, RATE_ROWS = range(4)
"""Of a winch in `ints`: its cable; 1 when it rescales; its table of rates (no rows: a constant rate)."""
SHORTEST, LONGEST, SPLIT_AT, MERGE_AT, MERGE_AFTER_SPLIT, RATE_CONSTANT, CONTROLLER = range(7)
"""In `reals`; the last is where the record of its controller begins."""
PAID_OUT, FIRST_LENGTH, COUNT, LATEST, DEBT, TURNING = range(6)
"""In `y`: unstretched length out [m]; that of the element at the drum [m], or of all as a part of the nominal one when
rescaling; elements; latest event; length owed [m]; rate [m/s], and what its controller reads."""
PER_LENGTH = (
    LENGTH, MASS, ADDED_NORMAL, ADDED_AXIAL, WEIGHT, BUOYANCY, DRAG_NORMAL, DRAG_AXIAL, BED_STIFFNESS, BED_DAMPING,
    BED_SHEAR,
)  # fmt: skip
"""Constants of an element that grow with its length."""


@kernel
def winch_at(ints, k):
    """Where winch k's record begins in `ints`."""
    return ints[I_WINCHES] + WINCH_INTS * k


@kernel
def winch_state(ints, k):
    """Where winch k's state begins in `y`."""
    return ints[Y_WINCHES] + WINCH_STATE * k


@kernel
def nominal_length(ints, reals, e):
    """Unstretched length of element e as compiled [m]."""
    return reals[ints[R_PRISTINE] + ELEMENT_COLUMNS * e + LENGTH]


@kernel
def resize(e, length, growth, ints, reals):
    """Give an element another unstretched length and its rate: its constants from those of its nominal length."""
    source, live = ints[R_PRISTINE] + ELEMENT_COLUMNS * e, element_at(ints, e)
    f = length / reals[source + LENGTH]
    for column in PER_LENGTH:
        reals[live + column] = f * reals[source + column]
    reals[live + GROWTH] = growth


@kernel
def unfold(ints, reals, y, work):
    """Bring what is live in `ints` and `reals` in accord with the state."""
    for k in range(ints[N_WINCHES]):
        unfold_winch(k, ints, reals, y, work)


@kernel
def unfold_winch(k, ints, reals, y, work):
    """The same for one winch."""
    state, c = winch_state(ints, k), ints[winch_at(ints, k) + WINCH_CABLE]
    cable = cable_at(ints, c)
    base, most, count = ints[cable + CABLE_ALLOTTED_FIRST], ints[cable + CABLE_ALLOTTED_COUNT], int(y[state + COUNT])
    ints[cable + CABLE_COUNT], ints[cable + CABLE_FIRST] = count, base + most - count
    for e in range(base + most - count, base + most):
        resize(e, nominal_length(ints, reals, e), 0.0, ints, reals)
    for i in range(base, base + most - count):  # nothing on the drum touches the bed
        work[contact_at(ints, i + c) + ACTIVE] = 0.0
    follow_winch(k, ints, reals, y)


@kernel
def follow_winch(k, ints, reals, y):
    """Give the elements that change with winch k their length and its rate."""
    state, cable = winch_state(ints, k), cable_at(ints, ints[winch_at(ints, k) + WINCH_CABLE])
    first = ints[cable + CABLE_FIRST]
    if ints[winch_at(ints, k) + RESCALING] == 1:
        for e in range(first, first + ints[cable + CABLE_COUNT]):
            length = y[state + FIRST_LENGTH] * nominal_length(ints, reals, e)
            resize(e, length, y[state + TURNING] * length / y[state + PAID_OUT], ints, reals)
    else:
        resize(first, y[state + FIRST_LENGTH], growth_at_drum(k, ints, reals, y), ints, reals)


@kernel
def growth_at_drum(k, ints, reals, y):
    """Rate at which the element at the drum grows: that of the drum, and what is owed, paid back with the line."""
    state, cable = winch_state(ints, k), cable_at(ints, ints[winch_at(ints, k) + WINCH_CABLE])
    rate = y[state + TURNING]
    return rate + y[state + DEBT] * abs(rate) / nominal_length(ints, reals, ints[cable + CABLE_ALLOTTED_FIRST])


@kernel
def set_rates(t, u, ints, reals, y, work):
    """Rate of every winch for the step from t: the live input where it is a number, else the file's schedule; a
    controller adds to it."""
    h = work[STEP]
    for k in range(ints[N_WINCHES]):
        record, at, state = winch_at(ints, k), ints[R_WINCHES] + WINCH_REALS * k, winch_state(ints, k)
        rate = u[3 * ints[N_CONTROLLED] + k]
        if math.isnan(rate):
            rate = reals[at + RATE_CONSTANT]
            if ints[record + RATE_ROWS] > 0:
                table = ints[R_TABLE] + ints[record + RATE_TABLE]
                rate = table_value(t + 0.5 * h, reals, table, ints[record + RATE_ROWS], 2, 1)
        if reals[at + CONTROLLER + CONTROL_KIND] != NO_CONTROL:
            rate = steer(k, rate, h, ints, reals, y)
        y[state + TURNING] = limited_rate(rate, y[state + PAID_OUT], reals[at + SHORTEST], reals[at + LONGEST], h)
        follow_winch(k, ints, reals, y)


@kernel
def steer(k, scheduled, h, ints, reals, y):
    """Rate of winch k with a controller over the coming step h.

    At the drum the tension is that of the element and the weight of its nearer half.
    """
    c = ints[winch_at(ints, k) + WINCH_CABLE]
    e = ints[cable_at(ints, c) + CABLE_FIRST]
    drum, element = node_state_at(ints, e + c), element_at(ints, e)
    velocity = vector_of(y, drum + 3)
    d = subtract(vector_of(y, drum + NODE), vector_of(y, drum))
    axis = scale(1.0 / math.sqrt(dot(d, d)), d)
    net = reals[element + WEIGHT] - (reals[element + BUOYANCY] if y[drum + 2] < 0.0 else 0.0)
    tension = y[ints[Y_TENSION] + e] - net * axis[2]
    return controlled_rate(
        scheduled, max(0.0, tension), dot(axis, subtract(vector_of(y, drum + NODE + 3), velocity)),
        reals[element + STIFFNESS] / reals[element + LENGTH], velocity, axis, h, reals,
        ints[R_WINCHES] + WINCH_REALS * k + CONTROLLER, y, winch_state(ints, k) + TURNING,
    )  # fmt: skip


@kernel
def line_energy(t, c, ints, reals, y):
    """Energy of the masses of a cable as it stands [J]."""
    first, count = ints[cable_at(ints, c) + CABLE_FIRST], ints[cable_at(ints, c) + CABLE_COUNT]
    total = 0.0
    for e in range(first, first + count):
        one = node_state_at(ints, e + c)
        d = subtract(vector_of(y, one + NODE), vector_of(y, one))
        axis = scale(1.0 / math.sqrt(dot(d, d)), d)
        kinetic, gravity = still_energies(t, element_at(ints, e), one, axis, ints, reals, y)
        total += kinetic + gravity
    return total


@kernel
def paid_power(c, ints, reals, y):
    """Power that the line a winch adds brings into the springs: ∂U/∂L = ½T²/EA − T(1 + T/EA), T of the step [W]."""
    first, count = ints[cable_at(ints, c) + CABLE_FIRST], ints[cable_at(ints, c) + CABLE_COUNT]
    power = 0.0
    for e in range(first, first + count):
        element, tension = element_at(ints, e), y[ints[Y_TENSION] + e]
        power -= reals[element + GROWTH] * tension * (1.0 + 0.5 * tension / reals[element + STIFFNESS])
    return power


@kernel
def turn_winches(t, ints, reals, y, work):
    """After the move: lengths as the winches left them, elements created and absorbed, the energy line brought in."""
    h = work[STEP]
    for k in range(ints[N_WINCHES]):
        record, at, state = winch_at(ints, k), ints[R_WINCHES] + WINCH_REALS * k, winch_state(ints, k)
        rate, c = y[state + TURNING], ints[record + WINCH_CABLE]
        if rate == 0.0:
            continue
        cable = cable_at(ints, c)
        before = line_energy(t, c, ints, reals, y) - h * paid_power(c, ints, reals, y)
        if ints[record + RESCALING] == 1:
            y[state + FIRST_LENGTH] *= 1.0 + h * rate / y[state + PAID_OUT]
            y[state + PAID_OUT] += h * rate
            follow_winch(k, ints, reals, y)
        else:
            growth = growth_at_drum(k, ints, reals, y)
            y[state + PAID_OUT] += h * rate
            y[state + FIRST_LENGTH] += h * growth
            y[state + DEBT] -= h * (growth - rate)
            follow_winch(k, ints, reals, y)
            nominal = nominal_length(ints, reals, ints[cable + CABLE_ALLOTTED_FIRST])
            what = event(
                y[state + FIRST_LENGTH], nominal, rate, y[state + LATEST], reals[at + SPLIT_AT], reals[at + MERGE_AT],
                reals[at + MERGE_AFTER_SPLIT],
            )  # fmt: skip
            if what == SPLIT and ints[cable + CABLE_COUNT] < ints[cable + CABLE_ALLOTTED_COUNT]:
                split_element(k, c, nominal, growth, ints, reals, y, work)
            elif what == MERGE and ints[cable + CABLE_COUNT] > 1:
                merge_elements(k, c, ints, reals, y, work)
        y[ints[Y_LEDGER] + WORK_DRIVES] += line_energy(t, c, ints, reals, y) - before


@kernel
def split_element(k, c, nominal, growth, ints, reals, y, work):
    """Split the element at the drum into one at the drum and one of nominal length behind it.

    The new node is where the two tensions T_a, T_b of `split_tensions` put it, so that their stretch together is that
    of the element before; along the cable it moves as the line does, across as the straight line between drum and node.
    """
    state, e = winch_state(ints, k), ints[cable_at(ints, c) + CABLE_FIRST]
    element, drum = element_at(ints, e), node_state_at(ints, e + c)
    length, stiffness = y[state + FIRST_LENGTH], reals[element + STIFFNESS]
    p0, v0 = vector_of(y, drum), vector_of(y, drum + 3)
    p1, v1 = vector_of(y, drum + NODE), vector_of(y, drum + NODE + 3)
    d = subtract(p1, p0)
    span = math.sqrt(dot(d, d))
    axis = scale(1.0 / span, d)
    upper = length - nominal
    tension = y[ints[Y_TENSION] + e]
    down = -axis[2] * (reals[element + WEIGHT] - reals[element + BUOYANCY])
    force = down - reals[element + MASS] * dot(axis, vector_of(work, acceleration_at(ints, e + c + 1)))
    t_a, t_b = split_tensions(tension, force, upper, nominal)
    far = span * nominal / length
    if ints[GREEN] == 0:
        far *= (1.0 + t_b / stiffness) / (1.0 + tension / stiffness)
    stretching = (dot(axis, subtract(v1, v0)) - growth * span / length) / length
    speed = split_speed(dot(axis, v1), stretching, nominal)
    v = add_scaled(scale(far / span, v0), 1.0 - far / span, v1)
    y[state + FIRST_LENGTH], y[state + COUNT], y[state + LATEST] = upper, y[state + COUNT] + 1.0, SPLIT
    put(y, drum, add_scaled(p1, -far, axis))
    put(y, drum + 3, add_scaled(v, speed - dot(axis, v), axis))
    put(y, drum - NODE, p0)
    put(y, drum - NODE + 3, v0)
    y[ints[Y_TENSION] + e - 1], y[ints[Y_TENSION] + e] = t_a, t_b
    y[ints[Y_STRAINING] + e - 1] = y[ints[Y_STRAINING] + e]
    y[memory_at(ints, e + c) + 3] = y[memory_at(ints, e + c - 1) + 3] = 0.0
    unfold_winch(k, ints, reals, y, work)


@kernel
def merge_elements(k, c, ints, reals, y, work):
    """Absorb the element at the drum into the one behind it: half its mass, with its momentum, goes to the next node.

    Where the two were not in line their chord is shorter than both together; the new element is as long as its chord
    under the tension of the two asks, and the rest is owed, to be paid out with the line.
    """
    state, e = winch_state(ints, k), ints[cable_at(ints, c) + CABLE_FIRST]
    drum, gone, kept = node_state_at(ints, e + c), node_state_at(ints, e + c + 1), node_state_at(ints, e + c + 2)
    one, two = element_at(ints, e), element_at(ints, e + 1)
    both = reals[one + LENGTH] + reals[two + LENGTH]
    tension = reals[one + LENGTH] * y[ints[Y_TENSION] + e] + reals[two + LENGTH] * y[ints[Y_TENSION] + e + 1]
    tension /= both
    d = subtract(vector_of(y, kept), vector_of(y, drum))
    length = math.sqrt(dot(d, d)) / (1.0 + tension / reals[two + STIFFNESS])
    part = reals[one + MASS]
    rest = reals[two + MASS]
    if ints[cable_at(ints, c) + CABLE_COUNT] > 2:
        rest += reals[element_at(ints, e + 2) + MASS]
        v = scale(part / (part + rest), vector_of(y, gone + 3))
        put(y, kept + 3, add_scaled(v, rest / (part + rest), vector_of(y, kept + 3)))
    for i in range(NODE):
        y[gone + i] = y[drum + i]
    y[ints[Y_TENSION] + e + 1] = tension
    y[state + FIRST_LENGTH], y[state + COUNT], y[state + LATEST] = length, y[state + COUNT] - 1.0, MERGE
    y[state + DEBT] += both - length
    y[memory_at(ints, e + c + 1) + 3] = 0.0
    unfold_winch(k, ints, reals, y, work)
