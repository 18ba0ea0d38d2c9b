"""Where everything lies in the flat arrays of a system of chains.

ints    header | cables | held (control of each node: −1 free, −2 fixed) | controls | points | loads
reals   sea | links | nodes (bodies of free points) | points | controls | loads | table
y       position | velocity | tension | controls (position, velocity, acceleration) | ledger
work    fault | matrix | right-hand side | three copies of the state | rates
"""

from __future__ import annotations

import numpy as np

from fairlead.algebra.compiled import kernel
from fairlead.loads.end_motion import CONTROL_INTS, CONTROL_REALS
from fairlead.loads.slender import SLENDER_REALS

HEADER = 40
(
    N_CABLES, N_NODES, N_LINKS, N_POINTS, N_CONTROLLED, N_LOADS, N_TABLE, WATER,
    I_CABLES, I_HELD, I_CONTROLS, I_POINTS, I_LOADS,
    R_LINKS, R_NODES, R_POINTS, R_CONTROLS, R_LOADS, R_TABLE,
    Y_POSITION, Y_VELOCITY, Y_TENSION, Y_CONTROLS, Y_LEDGER,
    W_MATRIX, W_RHS, W_START, W_SUM, W_ENDS, W_FORCE, W_END,
) = range(31)  # fmt: skip

CABLE_INTS = 2
FIRST, COUNT = range(CABLE_INTS)

LINK_REALS = 3 + SLENDER_REALS
LENGTH, MASS, WEIGHT, SLENDER = range(4)
"""Length, mass and weight of the link; the water on half of it: `loads.slender`."""

NODE_REALS = 5
POINT_MASS, POINT_ADDED, POINT_LIFT, POINT_HEIGHT, POINT_DRAG = range(NODE_REALS)
POINT_INTS, LOAD_INTS = 2, 3

WORK_DRAG, WORK_DAMPING, WORK_FRICTION, WORK_DRIVES = range(4)
LEDGER_COUNT = 4
FAULT, FAULTS = 0, 4
HALF = 6
"""Diagonals beside the main one: three accelerations and a multiplier a node, coupled to the next node."""
BAND_WIDTH = 3 * HALF + 1


def state_parts(ints: np.ndarray) -> list[tuple[str, int, str, float]]:
    """Names, sizes, units and error weights of the state, in order."""
    nodes = int(ints[N_NODES])
    return [
        ("position", 3 * nodes, "m", 1.0),
        ("velocity", 3 * nodes, "m/s", 1.0),
        ("tension", int(ints[N_LINKS]), "N", 0.0),
        ("controls", 9 * int(ints[N_CONTROLLED]), "m, m/s, m/s^2", 1.0),
        ("ledger", LEDGER_COUNT, "J", 0.0),
    ]


def set_offsets(ints: np.ndarray, sea: int) -> None:
    """Fill in where each part begins."""
    cables, nodes, links = int(ints[N_CABLES]), int(ints[N_NODES]), int(ints[N_LINKS])
    points, controlled, loads = int(ints[N_POINTS]), int(ints[N_CONTROLLED]), int(ints[N_LOADS])

    def lay(start: int, *parts: tuple[int, int]) -> None:
        for name, size in parts:
            ints[name] = start
            start += size

    lay(
        HEADER, (I_CABLES, CABLE_INTS * cables), (I_HELD, nodes), (I_CONTROLS, CONTROL_INTS * controlled),
        (I_POINTS, POINT_INTS * points), (I_LOADS, LOAD_INTS * loads),
    )  # fmt: skip
    lay(
        sea, (R_LINKS, LINK_REALS * links), (R_NODES, NODE_REALS * nodes), (R_POINTS, 3 * points),
        (R_CONTROLS, CONTROL_REALS * controlled), (R_LOADS, 3 * loads),
        (R_TABLE, int(ints[N_TABLE])),
    )  # fmt: skip
    sizes = [size for _, size, _, _ in state_parts(ints)]
    lay(0, *zip((Y_POSITION, Y_VELOCITY, Y_TENSION, Y_CONTROLS, Y_LEDGER), sizes, strict=True))
    lay(
        FAULTS, (W_MATRIX, 4 * nodes * BAND_WIDTH), (W_RHS, 4 * nodes), (W_START, 6 * nodes),
        (W_SUM, 6 * nodes + 4 + 3 * controlled), (W_ENDS, 12 * controlled), (W_FORCE, 3 * nodes), (W_END, 0),
    )  # fmt: skip


@kernel
def cable_at(ints, c):
    """Where the integers of cable c begin."""
    return ints[I_CABLES] + CABLE_INTS * c


@kernel
def link_at(ints, e):
    """Where the constants of link e, counted through all cables, begin."""
    return ints[R_LINKS] + LINK_REALS * e


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
