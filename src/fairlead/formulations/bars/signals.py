"""What changes with time by itself: commands of controlled points, load factors."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel

from .arrays import MOTION_HARMONIC, MOTION_TABLE


@kernel
def table_value(t, table, start, rows, columns, column):
    """Linear interpolation in a table of `rows` rows (t, value, …) kept from `start` on; held beyond its ends."""
    last = start + (rows - 1) * columns
    if t <= table[start]:
        return table[start + column]
    if t >= table[last]:
        return table[last + column]
    i = start
    while t > table[i + columns]:
        i += columns
    f = (t - table[i]) / (table[i + columns] - table[i])
    return table[i + column] + f * (table[i + columns + column] - table[i + column])


@kernel
def load_factor(t, load, table):
    """Factor of a point load at time t (1 when it has no table)."""
    if load[2] == 0:
        return 1.0
    return table_value(t, table, load[1], load[2], 2, 1)


@kernel
def command(t, control_int, control, table, live_x, live_y, live_z):
    """Commanded position: the live input where it is a number, else the file's position plus its motion."""
    if not (math.isnan(live_x) or math.isnan(live_y) or math.isnan(live_z)):
        return (live_x, live_y, live_z)
    x, y, z = control[0], control[1], control[2]
    if control_int[1] == MOTION_TABLE:
        start, rows = control_int[2], control_int[3]
        x += table_value(t, table, start, rows, 4, 1)
        y += table_value(t, table, start, rows, 4, 2)
        z += table_value(t, table, start, rows, 4, 3)
    elif control_int[1] == MOTION_HARMONIC:
        f = math.sin(control[7] * t + control[8])
        if t < control[9]:
            s = t / control[9]
            f *= s * s * (3.0 - 2.0 * s)
        x += f * control[4]
        y += f * control[5]
        z += f * control[6]
    return (x, y, z)
