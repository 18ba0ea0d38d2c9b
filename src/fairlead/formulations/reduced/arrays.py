"""Where everything lies in the flat arrays of a reduced cable.

State z = (q, ends, 1): K coordinates, the places of both ends (6), one for the mean; m = K + 7 numbers.

ints    header | controls | points
reals   sea | scalars | tension forms (p, m, m), by q alone (p, K, K) | shifts (p) | bending (m, m) | mass (m, m)
        | weight (m) | twist points | wet points | nodes (place and curvature, 6 × m each) | elements | points
        | controls | sines | table
y       coordinate | rate | acceleration (q) | ends | end rate | reaction (6, of the supports on the cable)
        | torque | tension (of the modes, mean over the last step) | controls | ledger
work    see `set_offsets`
"""

from __future__ import annotations

import numpy as np

from fairlead.algebra.compiled import kernel
from fairlead.loads.end_motion import CONTROL_INTS, CONTROL_REALS, SINE_REALS

HEADER = 72
(
    MODES, TENSIONS, N_NODES, N_POINTS, N_CONTROLLED, N_TABLE, N_SINES, WATER, TWISTED, N_TWIST, N_WET,
    TWIST_KIND, TWIST_TABLE, TWIST_ROWS, TWIST_INPUT, HELD_START, HELD_END,
    I_CONTROLS, I_POINTS,
    R_SCALARS, R_FORMS, R_SHIFTS, R_BENDING, R_MASS, R_WEIGHT, R_TWIST, R_WET, R_NODES, R_ELEMENTS, R_POINTS,
    R_CONTROLS, R_SINES, R_TABLE,
    Y_COORDINATE, Y_RATE, Y_ACCELERATION, Y_ENDS, Y_END_RATE, Y_REACTION, Y_TORQUE, Y_CONTROLS, Y_LEDGER,
    W_OLD, W_NEW, W_MEAN, W_SPEED, W_OLD_RATE, W_INERTIA, W_FORCE, W_RHS, W_MATRIX, W_CONSTANT,
    W_GRADIENT, W_STRAIN, W_REST, W_REST_STRAIN, W_NEW_GRADIENT, W_TWIST, W_BASE, W_OLD_GRADIENT, W_END,
    R_SQUARES, Y_TENSION, W_FRAMES,
) = range(64)  # fmt: skip

SCALARS = 16
(
    COMPLIANCE, TIME_TORSION, TIME_AXIAL, TIME_BENDING, TWIST_ANGLE, TWIST_AMPLITUDE, TWIST_OMEGA, TWIST_PHASE,
    TWIST_RAMP, AXIS, TWIST_START,
) = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12  # fmt: skip
"""Σ h/GJ, damping times, the motion of the twist, and the direction it is counted against (3)."""

WET_REALS = 9
LENGTH, BUOYANCY, DIAMETER, DRAG_LAW, DRAG_NORMAL, DRAG_AXIAL, REYNOLDS, ADDED_NORMAL, ADDED_AXIAL = range(WET_REALS)
"""Of a wet point: its length of cable and what acts on that; its places (3 × m) and slopes (3 × m) follow."""

ELEMENT_REALS = 2
ELEMENT_LENGTH, ELEMENT_EI = range(ELEMENT_REALS)
"""Of an element; p shares of the tension modes in its tension follow."""

POINT_INTS = 2
"""The end a point is (−1: none), the control that moves it (−1: none)."""
WORK_DRAG, WORK_DAMPING, WORK_FRICTION, WORK_DRIVES = range(4)
LEDGER_COUNT = 4
FAULTS = 4
FIXED = -2


def state_parts(ints: np.ndarray) -> list[tuple[str, int, str, float]]:
    """Names, sizes, units and error weights of the state, in order."""
    modes = int(ints[MODES])
    return [
        ("coordinate", modes, "m", 1.0),
        ("rate", modes, "m/s", 1.0),
        ("acceleration", modes, "m/s^2", 0.0),
        ("ends", 6, "m", 1.0),
        ("end_rate", 6, "m/s", 1.0),
        ("reaction", 6, "N", 0.0),
        ("torque", 1, "N m", 0.0),
        ("tension", int(ints[TENSIONS]), "J^0.5", 0.0),
        ("controls", 6 * int(ints[N_CONTROLLED]), "m, m/s", 1.0),
        ("ledger", LEDGER_COUNT, "J", 0.0),
    ]


def set_offsets(ints: np.ndarray, sea: int) -> None:
    """Fill in where each part begins."""
    k, p, nodes = int(ints[MODES]), int(ints[TENSIONS]), int(ints[N_NODES])
    m, controlled = k + 7, int(ints[N_CONTROLLED])

    def lay(start: int, *parts: tuple[int, int]) -> None:
        for name, size in parts:
            ints[name] = start
            start += size

    lay(HEADER, (I_CONTROLS, CONTROL_INTS * controlled), (I_POINTS, POINT_INTS * int(ints[N_POINTS])))
    lay(
        sea, (R_SCALARS, SCALARS), (R_FORMS, p * m * m), (R_SQUARES, p * k * k), (R_SHIFTS, p), (R_BENDING, m * m),
        (R_MASS, m * m), (R_WEIGHT, m), (R_TWIST, (1 + 6 * m) * int(ints[N_TWIST])),
        (R_WET, (WET_REALS + 6 * m) * int(ints[N_WET])),
        (R_NODES, 6 * m * nodes), (R_ELEMENTS, (ELEMENT_REALS + p) * (nodes - 1)), (R_POINTS, 3 * int(ints[N_POINTS])),
        (R_CONTROLS, CONTROL_REALS * controlled), (R_SINES, SINE_REALS * int(ints[N_SINES])),
        (R_TABLE, int(ints[N_TABLE])),
    )  # fmt: skip
    names = (
        Y_COORDINATE, Y_RATE, Y_ACCELERATION, Y_ENDS, Y_END_RATE, Y_REACTION, Y_TORQUE, Y_TENSION, Y_CONTROLS,
        Y_LEDGER,
    )  # fmt: skip
    lay(0, *zip(names, [size for _, size, _, _ in state_parts(ints)], strict=True))
    lay(
        FAULTS, (W_OLD, m), (W_NEW, m), (W_MEAN, m), (W_SPEED, m), (W_OLD_RATE, m), (W_INERTIA, m), (W_FORCE, m),
        (W_RHS, k), (W_MATRIX, k * k), (W_BASE, k * k), (W_CONSTANT, k), (W_GRADIENT, p * m),
        (W_OLD_GRADIENT, p * m), (W_STRAIN, 2 * p), (W_REST, p * m), (W_REST_STRAIN, p), (W_NEW_GRADIENT, k),
        (W_TWIST, m), (W_FRAMES, 18 * int(ints[N_TWIST])), (W_END, 0),
    )  # fmt: skip


@kernel
def vector_of(array, at):
    """Three numbers as a vector."""
    return (array[at], array[at + 1], array[at + 2])


@kernel
def put(array, at, vector):
    """Write a vector."""
    array[at], array[at + 1], array[at + 2] = vector


@kernel
def product(matrix, row, values, at, size):
    """Row of a matrix in `matrix` times `size` numbers of `values`. Unsigned indices need no look at their sign."""
    a, b = np.uint64(row), np.uint64(at)
    total, other = 0.0, 0.0  # two sums, since one would wait for itself
    for _ in range(np.uint64(size // 2)):
        total += matrix[a] * values[b]
        other += matrix[a + np.uint64(1)] * values[b + np.uint64(1)]
        a += np.uint64(2)
        b += np.uint64(2)
    if size % 2 == 1:
        total += matrix[a] * values[b]
    return total + other


@kernel
def gain(values, at, c, matrix, row, size):
    """values += c·row, `size` numbers."""
    a, b = np.uint64(at), np.uint64(row)
    for j in range(np.uint64(size)):
        values[a + j] += c * matrix[b + j]


@kernel
def vector_product(matrix, rows, values, at, size):
    """Three rows, one after the other, times `size` numbers: a vector."""
    a, b, c, v = np.uint64(rows), np.uint64(rows + size), np.uint64(rows + 2 * size), np.uint64(at)
    x, y, z = 0.0, 0.0, 0.0
    for j in range(np.uint64(size)):
        value = values[v + j]
        x += matrix[a + j] * value
        y += matrix[b + j] * value
        z += matrix[c + j] * value
    return (x, y, z)


@kernel
def gain_vector(values, at, vector, matrix, rows, size):
    """values += vector · its three rows, one after the other, `size` numbers each."""
    a, b, c, v = np.uint64(rows), np.uint64(rows + size), np.uint64(rows + 2 * size), np.uint64(at)
    for j in range(np.uint64(size)):
        values[v + j] += vector[0] * matrix[a + j] + vector[1] * matrix[b + j] + vector[2] * matrix[c + j]
