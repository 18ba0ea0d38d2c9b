"""Forces and torques on points and bodies: those of the file, and those that are set live."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, scale
from fairlead.loads.signals import table_value

from .arrays import (
    I_LOADS, LOAD_GIVEN, LOAD_INTS, LOAD_LINK, LOAD_LIVE, LOAD_REALS, LOAD_ROWS, LOAD_TABLE, N_LOADS, R_LOADS, R_TABLE,
    vector_of,
)  # fmt: skip

ZERO3 = (0.0, 0.0, 0.0)


@kernel
def take_loads(u, ints, reals):
    """Live inputs of the loads into their records, NaN where there are none: so at the beginning of every call."""
    for i in range(ints[N_LOADS]):
        live, at = ints[ints[I_LOADS] + LOAD_INTS * i + LOAD_LIVE], ints[R_LOADS] + LOAD_REALS * i + LOAD_GIVEN
        for k in range(6):
            reals[at + k] = u[live + k] if live >= 0 else math.nan


@kernel
def load_factor(t, load, ints, reals):
    """Factor of the point load whose record begins at `load` (1 when it has no table)."""
    if ints[load + LOAD_ROWS] == 0:
        return 1.0
    return table_value(t, reals, ints[R_TABLE] + ints[load + LOAD_TABLE], ints[load + LOAD_ROWS], 2, 1)


@kernel
def load_force(t, i, ints, reals):
    """Force and torque of point load i at time t: live inputs where they are numbers, else the file's."""
    f, at = load_factor(t, ints[I_LOADS] + LOAD_INTS * i, ints, reals), ints[R_LOADS] + LOAD_REALS * i
    force, torque = scale(f, vector_of(reals, at)), scale(f, vector_of(reals, at + 3))
    pushed, turned = vector_of(reals, at + LOAD_GIVEN), vector_of(reals, at + LOAD_GIVEN + 3)
    if not math.isnan(pushed[0] + pushed[1] + pushed[2]):
        force = pushed
    if not math.isnan(turned[0] + turned[1] + turned[2]):
        torque = turned
    return force, torque


@kernel
def torques_on(t, link, ints, reals):
    """Torque of all point loads that turn a link."""
    total = ZERO3
    for i in range(ints[N_LOADS]):
        if ints[ints[I_LOADS] + LOAD_INTS * i + LOAD_LINK] == link:
            _, torque = load_force(t, i, ints, reals)
            total = add(total, torque)
    return total
