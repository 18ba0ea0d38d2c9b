"""Where everything lies in the flat arrays of a spline system.

ints    header | cables | held (control of each node: −1 free, −2 fixed) | controls | points | loads
reals   sea | cables | elements | nodes | points | controls | loads | table | bands of mass and its inverse
y       position | velocity | acceleration | tension | torque | reaction (forces on the end nodes) | controls |
        | contact | power | ledger
work    per node and per element: see `set_offsets`
"""

from __future__ import annotations

import numpy as np

from fairlead.algebra.compiled import kernel
from fairlead.loads.end_motion import CONTROL_INTS, CONTROL_REALS
from fairlead.loads.slender import SLENDER_REALS

HEADER = 50
(
    N_CABLES, N_NODES, N_ELEMENTS, N_POINTS, N_CONTROLLED, WATER, DAMPED, BED, LUMPED,
    I_CABLES, I_HELD, I_CONTROLS, I_POINTS,
    R_CABLES, R_ELEMENTS, R_NODES, R_POINTS, R_CONTROLS, R_TABLE, R_BANDS,
    Y_POSITION, Y_VELOCITY, Y_ACCELERATION, Y_TENSION, Y_TORQUE, Y_REACTION, Y_CONTROLS, Y_CONTACT, Y_POWER, Y_LEDGER,
    W_CURVATURE, W_RATE, W_PULL, W_FORCE, W_LOAD, W_TWIST_NODE, W_TWIST_ELEMENT, W_SLOPE, W_SOLVE, W_BAND, W_PUSH,
    W_END, N_TABLE, N_LOADS, I_LOADS, R_LOADS,
) = range(46)  # fmt: skip

CABLE_INTS = 10
(
    FIRST, COUNT, CLAMP_START, CLAMP_END, TWISTED, FOLLOWER, TWIST_KIND, TWIST_TABLE, TWIST_ROWS, TWIST_INPUT,
) = range(CABLE_INTS)  # fmt: skip
"""First node and number of elements; clamped ends; whether the ends hold the twist, and how; motion of the twist, as in
`loads.end_twist`."""

CABLE_BANDS = 4
"""Behind them in `ints`: half widths of the mass and inverse-mass bands, and where each begins after R_BANDS."""

CABLE_REALS = 20
TANGENT_START, TANGENT_END, AXIS, COMPLIANCE, TORSION_TIME, TWIST_ANGLE = 0, 3, 6, 9, 10, 11
"""Clamp directions (3, 3), reference direction of the twist (3), Σ h/GJ, damping time, and the motion of the twist."""

ELEMENT_COLUMNS = 6
LENGTH, EA, EI, TIME_AXIAL, TIME_BENDING, MASS = range(ELEMENT_COLUMNS)
"""Unstretched length, stiffnesses, damping times, mass per length."""

NODE_REALS = 15 + SLENDER_REALS
(
    PIVOT, COUPLING, WEIGHT, SHARE, RADIUS, BED_STIFFNESS, BED_DAMPING, BED_SHEAR, POINT_MASS, POINT_LIFT, POINT_HEIGHT,
    POINT_DRAG, POINT_ADDED, PULL_START, PULL_END, SLENDER,
) = range(16)  # fmt: skip
"""Factors of the curvature matrix; weight and length of the node's share of cable; the bed; the body of a free point;
how the accelerations of held ends act on the node through the mass matrix; the water on its share: `loads.slender`."""

POINT_INTS = 2
"""The node a free point is (−1: prescribed), the control that moves it (−1: none)."""
LOAD_INTS = 3
"""Node, first number of the table of factors, rows (0: always 1)."""

WORK_DRAG, WORK_DAMPING, WORK_FRICTION, WORK_DRIVES = range(4)
LEDGER_COUNT = 4
FAULT = 0
FAULTS = 4


def set_offsets(ints: np.ndarray, sea: int, bands: int, unknowns: int) -> None:
    """Fill in where each part begins; `unknowns` is the largest number of nodes of one cable."""
    cables, nodes, elements = int(ints[N_CABLES]), int(ints[N_NODES]), int(ints[N_ELEMENTS])
    points, controlled, loads = int(ints[N_POINTS]), int(ints[N_CONTROLLED]), int(ints[N_LOADS])

    def lay(start: int, *parts: tuple[int, int]) -> int:
        for name, size in parts:
            ints[name] = start
            start += size
        return start

    lay(
        HEADER, (I_CABLES, (CABLE_INTS + CABLE_BANDS) * cables), (I_HELD, nodes),
        (I_CONTROLS, CONTROL_INTS * controlled), (I_POINTS, POINT_INTS * points), (I_LOADS, LOAD_INTS * loads),
    )  # fmt: skip
    lay(
        sea, (R_CABLES, CABLE_REALS * cables), (R_ELEMENTS, ELEMENT_COLUMNS * elements), (R_NODES, NODE_REALS * nodes),
        (R_POINTS, 3 * points), (R_CONTROLS, CONTROL_REALS * controlled),
        (R_LOADS, 3 * loads), (R_TABLE, int(ints[N_TABLE])),
        (R_BANDS, bands),
    )  # fmt: skip
    start = 0
    for name, (_, size, _, _) in zip(_STATE, state_parts(ints), strict=True):
        ints[name] = start
        start += size
    end = lay(
        FAULTS, (W_CURVATURE, 3 * nodes), (W_RATE, 3 * nodes), (W_PULL, 3 * elements), (W_FORCE, 3 * nodes),
        (W_LOAD, 3 * nodes), (W_TWIST_NODE, 3 * nodes), (W_TWIST_ELEMENT, 3 * elements), (W_SLOPE, 3 * nodes),
        (W_SOLVE, 12 * nodes), (W_PUSH, 3 * nodes), (W_BAND, 0),
    )  # fmt: skip
    ints[W_BAND] = end
    ints[W_END] = end + 9 * unknowns * (BAND_WIDTH + 1) + 18 * unknowns + 24


HALF = 17
"""Diagonals beside the main one in the matrix of the implicit step: nine unknowns a node, coupled to the next node."""
BAND_WIDTH = 3 * HALF + 1

_STATE = (
    Y_POSITION, Y_VELOCITY, Y_ACCELERATION, Y_TENSION, Y_TORQUE, Y_REACTION, Y_CONTROLS, Y_CONTACT, Y_POWER, Y_LEDGER,
)  # fmt: skip


def state_parts(ints: np.ndarray) -> list[tuple[str, int, str, float]]:
    """Names, sizes, units and error weights of the state, in order."""
    nodes, cables, elements = int(ints[N_NODES]), int(ints[N_CABLES]), int(ints[N_ELEMENTS])
    return [
        ("position", 3 * nodes, "m", 1.0),
        ("velocity", 3 * nodes, "m/s", 1.0),
        ("acceleration", 3 * nodes, "m/s^2", 0.0),
        ("tension", elements, "N", 0.0),
        ("torque", cables, "N m", 0.0),
        ("reaction", 6 * cables, "N", 0.0),
        ("controls", 6 * int(ints[N_CONTROLLED]), "m, m/s", 1.0),
        ("contact", 4 * nodes * int(ints[BED]), "m, N", 0.0),
        ("power", 3, "W", 0.0),
        ("ledger", LEDGER_COUNT, "J", 0.0),
    ]


@kernel
def cable_at(ints, c):
    """Where the integers of cable c begin."""
    return ints[I_CABLES] + (CABLE_INTS + CABLE_BANDS) * c


@kernel
def cable_reals(ints, c):
    """Where its real numbers begin."""
    return ints[R_CABLES] + CABLE_REALS * c


@kernel
def element_at(ints, e):
    """Where the constants of element e, counted through all cables, begin."""
    return ints[R_ELEMENTS] + ELEMENT_COLUMNS * e


@kernel
def node_at(ints, i):
    """Where the constants of node i, counted through all cables, begin."""
    return ints[R_NODES] + NODE_REALS * i


@kernel
def vector_of(array, at):
    """Three numbers as a vector."""
    return (array[at], array[at + 1], array[at + 2])


@kernel
def put(array, at, vector):
    """Write a vector."""
    array[at], array[at + 1], array[at + 2] = vector


@kernel
def gain(array, at, c, vector):
    """array += c·vector."""
    array[at] += c * vector[0]
    array[at + 1] += c * vector[1]
    array[at + 2] += c * vector[2]
