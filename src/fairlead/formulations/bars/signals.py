"""What changes with time by itself: commands of controlled points, load factors."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import entry, kernel

from .arrays import (
    CONTROL_INTS, CONTROL_REALS, I_CONTROLS, I_LOADS, LOAD_INTS, MOTION_HARMONIC, MOTION_TABLE, N_CONTROLLED, N_LOADS,
    R_CONTROLS, R_TABLE,
)  # fmt: skip


@kernel
def table_value(t, reals, start, rows, columns, column):
    """Linear interpolation in a table of `rows` rows (t, value, …) kept from `start` on; held beyond its ends."""
    last = start + (rows - 1) * columns
    if t <= reals[start]:
        return reals[start + column]
    if t >= reals[last]:
        return reals[last + column]
    i = start
    while t > reals[i + columns]:
        i += columns
    f = (t - reals[i]) / (reals[i + columns] - reals[i])
    return reals[i + column] + f * (reals[i + columns + column] - reals[i + column])


@kernel
def load_factor(t, load, ints, reals):
    """Factor of the point load whose record begins at `load` (1 when it has no table)."""
    if ints[load + 2] == 0:
        return 1.0
    return table_value(t, reals, ints[R_TABLE] + ints[load + 1], ints[load + 2], 2, 1)


@kernel
def command(t, k, u, ints, reals):
    """Commanded position of controlled point k: the live input where it is a number, else the file's motion."""
    if not (math.isnan(u[3 * k]) or math.isnan(u[3 * k + 1]) or math.isnan(u[3 * k + 2])):
        return (u[3 * k], u[3 * k + 1], u[3 * k + 2])
    kind = ints[I_CONTROLS] + CONTROL_INTS * k
    at = ints[R_CONTROLS] + CONTROL_REALS * k
    x, y, z = reals[at], reals[at + 1], reals[at + 2]
    if ints[kind + 1] == MOTION_TABLE:
        start, rows = ints[R_TABLE] + ints[kind + 2], ints[kind + 3]
        x += table_value(t, reals, start, rows, 4, 1)
        y += table_value(t, reals, start, rows, 4, 2)
        z += table_value(t, reals, start, rows, 4, 3)
    elif ints[kind + 1] == MOTION_HARMONIC:
        f = math.sin(reals[at + 7] * t + reals[at + 8])
        if t < reals[at + 9]:
            s = t / reals[at + 9]
            f *= s * s * (3.0 - 2.0 * s)
        x += f * reals[at + 4]
        y += f * reals[at + 5]
        z += f * reals[at + 6]
    return (x, y, z)


@entry
def signals_at(t, u, ints, reals, commands, factors):
    """All commands (controlled, 3) and load factors (loads,) at time t, for Python."""
    for k in range(ints[N_CONTROLLED]):
        commands[k, 0], commands[k, 1], commands[k, 2] = command(t, k, u, ints, reals)
    for i in range(ints[N_LOADS]):
        factors[i] = load_factor(t, ints[I_LOADS] + LOAD_INTS * i, ints, reals)
