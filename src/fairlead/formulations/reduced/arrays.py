"""Where everything lies in the flat arrays of reduced cables.

State z = (q, ends, 1): K coordinates, the places of all held ends (3 each), one for the mean; m = K + 3·held + 1.
Coordinates are those of the modes of vibration that the shapes have under the first tensions, so that mass and
stiffness are diagonal among them.

ints    header | cables | held ends | controls | points | twists | loads
reals   sea | forms (m × p·m: by columns, one row of m a tension mode) | squares (m × p·K: their rows of q alone)
        | shifts (p) | first pulls (p) | damping of the tensions (p, p) | stiffness with the first pulls (m, m)
        | bending (m, m) | its damping (m, m) | mass (m, m) | weight (m) | twists | wet points | bodies | loads
        | nodes (place and curvature, 6 × m each) | elements | points | controls | table
y       coordinate | rate | acceleration | the one before | ends | end rate | reaction (of the supports on the cables)
        | torque | tension (of the modes, mean over the last step) | controls | ledger
work    see `set_offsets`
"""

from __future__ import annotations

import numpy as np

from fairlead.algebra.compiled import kernel, summing
from fairlead.loads.end_motion import CONTROL_INTS, CONTROL_REALS
from fairlead.loads.end_twist import TWIST_INTS
from fairlead.loads.end_twist import TWIST_REALS as MOTION_REALS
from fairlead.loads.slender import SLENDER_REALS

HEADER = 84
(
    MODES, TENSIONS, STATE, N_HELD, N_CABLES, N_NODES, N_POINTS, N_CONTROLLED, N_TABLE, WATER, DAMPED, N_TWISTS, N_WET,
    N_BODIES, N_LOADS,
    I_CABLES, I_HELD, I_CONTROLS, I_POINTS, I_TWISTS, I_LOADS,
    R_FORMS, R_SQUARES, R_SHIFTS, R_PULLS, R_EASE, R_STIFF, R_BENDING, R_DAMPING, R_MASS, R_WEIGHT, R_TWISTS, R_WET,
    R_BODIES, R_LOADS, R_NODES, R_ELEMENTS, R_POINTS, R_CONTROLS, R_TABLE,
    Y_COORDINATE, Y_RATE, Y_ACCELERATION, Y_BEFORE, Y_ENDS, Y_END_RATE, Y_REACTION, Y_TORQUE, Y_TENSION, Y_CONTROLS,
    Y_LEDGER,
    W_OLD, W_NEW, W_MEAN, W_SPEED, W_OLD_RATE, W_INERTIA, W_MOVE, W_FORCE, W_TURN, W_RHS, W_CONSTANT, W_BASE,
    W_INVERSE, W_MATRIX, W_OLD_GRADIENT, W_GRADIENT, W_OLD_ROWS, W_ROWS, W_MEAN_ROWS, W_SOFT, W_STRAIN, W_OLD_STRAIN,
    W_PULL, W_CHANGE, W_SCHUR, W_LAW, W_EASE, W_FRAMES, W_WET, W_END,
) = range(81)  # fmt: skip

CABLE_INTS = 5
FIRST, COUNT, START, FINISH, TWIST = range(CABLE_INTS)
"""First node, number of elements, which held end its start and its end are and which twist it has (−1: none)."""

TWIST_POINTS = 16
"""Gauss points of the twist along a cable: a constant, so that loops over them are vectorised."""
FRAME = 6 * TWIST_POINTS
"""Numbers of all tangents and curvatures: x of r′ at all points, y, z, then those of r″."""
FOLLOWER = TWIST_INTS
TWIST_RECORD = TWIST_INTS + 1
AXIS, COMPLIANCE, TIME = MOTION_REALS, MOTION_REALS + 3, MOTION_REALS + 4
WEIGHTS = MOTION_REALS + 5
COLUMNS = WEIGHTS + TWIST_POINTS
"""Of a twist: its motion, the direction it is counted against, Σ h/GJ, its damping time, weights of the points, then
FRAME numbers for each of z."""

BEFORE, TORQUE, SWIFT, OLD_ANGLE, NEW_ANGLE, CORRECTION = range(6)
OLD_FRAME, MOVED_FRAME, BY_FRAME, VALUES = 6, 6 + FRAME, 6 + 2 * FRAME, 6 + 3 * FRAME
TWIST_WORK = VALUES + 2 * TWIST_POINTS
"""Of a twist in work: own twist of the curve before a step, torque and rate of twisting over it, the angles given, the
correction along the step; the frame before, how it moved, the twist's gradient by it; twist and clearance
of each point."""

WET_REALS = SLENDER_REALS + 1
LENGTH = SLENDER_REALS
"""Of a wet point: what the water does to its length of cable; its places (3 × m) and slopes (3 × m) follow."""
BODY_REALS = 4
BODY_LIFT, BODY_DRAG, BODY_ADDED, BODY_HEIGHT = range(BODY_REALS)
"""Of the body of a free point; its places (3 × m) follow."""
LOAD_INTS = 2
"""First number of the table of factors, rows (0: always 1); in reals the force (3), then the places (3 × m)."""
ELEMENT_REALS = 3
ELEMENT_LENGTH, ELEMENT_EI, ELEMENT_EA = range(ELEMENT_REALS)
"""Of an element; p shares of the tension modes in its tension follow."""
POINT_INTS = 3
"""The held end a point is (−1: none), the control that moves it (−1: none), the node it is (−1: none)."""
WET_STATE = 2
"""In work: kinetic energy of the added mass and potential of buoyancy at the start of a step."""
WORK_DRAG, WORK_DAMPING, WORK_FRICTION, WORK_DRIVES = range(4)
LEDGER_COUNT = 4
FAULTS = 4
FIXED = -2


def state_parts(ints: np.ndarray) -> list[tuple[str, int, str, float]]:
    """Names, sizes, units and error weights of the state, in order."""
    modes, ends = int(ints[MODES]), 3 * int(ints[N_HELD])
    return [
        ("coordinate", modes, "m", 1.0),
        ("rate", modes, "m/s", 1.0),
        ("acceleration", modes, "m/s^2", 0.0),
        ("acceleration_before", modes, "m/s^2", 0.0),
        ("ends", ends, "m", 1.0),
        ("end_rate", ends, "m/s", 1.0),
        ("reaction", ends, "N", 0.0),
        ("torque", int(ints[N_TWISTS]), "N m", 0.0),
        ("tension", int(ints[TENSIONS]), "J^0.5", 0.0),
        ("controls", 6 * int(ints[N_CONTROLLED]), "m, m/s", 1.0),
        ("ledger", LEDGER_COUNT, "J", 0.0),
    ]


def set_offsets(ints: np.ndarray, sea: int) -> None:
    """Fill in where each part begins."""
    k, p, nodes = int(ints[MODES]), int(ints[TENSIONS]), int(ints[N_NODES])
    m, controlled, twists = k + 3 * int(ints[N_HELD]) + 1, int(ints[N_CONTROLLED]), int(ints[N_TWISTS])
    elements = nodes - int(ints[N_CABLES])
    ints[STATE] = m

    def lay(start: int, *parts: tuple[int, int]) -> None:
        for name, size in parts:
            ints[name] = start
            start += size

    lay(
        HEADER, (I_CABLES, CABLE_INTS * int(ints[N_CABLES])), (I_HELD, int(ints[N_HELD])),
        (I_CONTROLS, CONTROL_INTS * controlled), (I_POINTS, POINT_INTS * int(ints[N_POINTS])),
        (I_TWISTS, TWIST_RECORD * twists), (I_LOADS, LOAD_INTS * int(ints[N_LOADS])),
    )  # fmt: skip
    lay(
        sea, (R_FORMS, m * p * m), (R_SQUARES, m * p * k), (R_SHIFTS, p), (R_PULLS, p), (R_EASE, p * p),
        (R_STIFF, m * m), (R_BENDING, m * m), (R_DAMPING, m * m), (R_MASS, m * m), (R_WEIGHT, m),
        (R_TWISTS, (COLUMNS + FRAME * m) * twists), (R_WET, (WET_REALS + 6 * m) * int(ints[N_WET])),
        (R_BODIES, (BODY_REALS + 3 * m) * int(ints[N_BODIES])), (R_LOADS, (3 + 3 * m) * int(ints[N_LOADS])),
        (R_NODES, 6 * m * nodes), (R_ELEMENTS, (ELEMENT_REALS + p) * elements), (R_POINTS, 3 * int(ints[N_POINTS])),
        (R_CONTROLS, CONTROL_REALS * controlled), (R_TABLE, int(ints[N_TABLE])),
    )  # fmt: skip
    names = (
        Y_COORDINATE, Y_RATE, Y_ACCELERATION, Y_BEFORE, Y_ENDS, Y_END_RATE, Y_REACTION, Y_TORQUE, Y_TENSION,
        Y_CONTROLS, Y_LEDGER,
    )  # fmt: skip
    lay(0, *zip(names, [size for _, size, _, _ in state_parts(ints)], strict=True))
    lay(
        FAULTS, (W_OLD, m), (W_NEW, m), (W_MEAN, m), (W_SPEED, m), (W_OLD_RATE, m), (W_INERTIA, m), (W_MOVE, m),
        (W_FORCE, m), (W_TURN, m * twists), (W_RHS, k), (W_CONSTANT, k), (W_BASE, k), (W_INVERSE, k), (W_MATRIX, k * k),
        (W_OLD_GRADIENT, p * m), (W_GRADIENT, p * m), (W_OLD_ROWS, p * k), (W_ROWS, p * k), (W_MEAN_ROWS, p * k),
        (W_SOFT, p * k), (W_STRAIN, p), (W_OLD_STRAIN, p), (W_PULL, p), (W_CHANGE, p), (W_SCHUR, p * p), (W_LAW, p * p),
        (W_EASE, p * p), (W_FRAMES, TWIST_WORK * twists), (W_WET, WET_STATE),
        (W_END, 0),
    )  # fmt: skip


@kernel
def vector_of(array, at):
    """Three numbers as a vector."""
    return (array[at], array[at + 1], array[at + 2])


@kernel
def put(array, at, vector):
    """Write a vector."""
    array[at], array[at + 1], array[at + 2] = vector


@summing
def product(one, at, other, to, size):
    """Σ one·other of `size` numbers each. Unsigned indices need no look at their sign."""
    a, b = np.uint64(at), np.uint64(to)
    total = 0.0
    for j in range(np.uint64(size)):
        total += one[a + j] * other[b + j]
    return total


@kernel
def gain(values, at, c, matrix, row, size):
    """values += c·row, `size` numbers."""
    a, b = np.uint64(at), np.uint64(row)
    for j in range(np.uint64(size)):
        values[a + j] += c * matrix[b + j]


@kernel
def gain_columns(values, at, factors, first, count, columns, start, size):
    """values += Σ_j factors_j · column_j, `count` columns of `size` numbers, four at a time."""
    a, f = np.uint64(at), np.uint64(first)
    n = np.uint64(size)
    c = np.uint64(start)
    fours = count // 4
    for _ in range(fours):
        x, y = factors[f], factors[f + np.uint64(1)]
        z, w = factors[f + np.uint64(2)], factors[f + np.uint64(3)]
        c1, c2, c3 = c + n, c + n + n, c + n + n + n
        for i in range(n):
            values[a + i] += (x * columns[c + i] + y * columns[c1 + i]) + (z * columns[c2 + i] + w * columns[c3 + i])
        f += np.uint64(4)
        c = c3 + n
    for _ in range(count - 4 * fours):
        x = factors[f]
        for i in range(n):
            values[a + i] += x * columns[c + i]
        f += np.uint64(1)
        c += n


@kernel
def clear(values, at, size):
    """values ← 0, `size` numbers."""
    a = np.uint64(at)
    for j in range(np.uint64(size)):
        values[a + j] = 0.0


@kernel
def copy(values, at, source, start, size):
    """values ← source, `size` numbers."""
    a, b = np.uint64(at), np.uint64(start)
    for j in range(np.uint64(size)):
        values[a + j] = source[b + j]


@kernel
def vector_product(matrix, rows, values, at, size):
    """Three rows, one after the other, times `size` numbers: a vector."""
    x = product(matrix, rows, values, at, size)
    y = product(matrix, rows + size, values, at, size)
    return (x, y, product(matrix, rows + 2 * size, values, at, size))


@kernel
def gain_vector(values, at, vector, matrix, rows, size):
    """values += vector · its three rows, one after the other, `size` numbers each."""
    a, b, c, v = np.uint64(rows), np.uint64(rows + size), np.uint64(rows + 2 * size), np.uint64(at)
    for j in range(np.uint64(size)):
        values[v + j] += vector[0] * matrix[a + j] + vector[1] * matrix[b + j] + vector[2] * matrix[c + j]
