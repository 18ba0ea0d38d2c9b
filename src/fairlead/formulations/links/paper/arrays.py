"""Where everything stands in the flat arrays of the paper's links (n of them)."""

from __future__ import annotations

import numpy as np

N, DRAG_MODE, LITERAL, N_SEA, N_TABLE, LOAD_ROWS, REVERSED, END_POINT, HEADER = range(9)
MORISON, TORQUE, FORCE = 0, 1, 2

END_WEIGHT, COEFFICIENT, DRAG_LAW, REYNOLDS, END_MASS, BASE, SCALARS = 0, 1, 2, 3, 4, 5, 8
"""Scalars behind the sea; BASE: the first joint (3). Behind them n numbers each of `LISTS`, then the swing matrix, the
load (force 3, torque 3) and its table."""
LENGTHS, WEIGHTS, TURNING, K_E, K_A, C_E, C_A, DRAG_NORMAL, TWIST_STIFFNESS, TWIST_GAIN, MASSES, LISTS = range(12)

WORK_DRAG, WORK_DAMPING, WORK_FRICTION, WORK_DRIVES, LEDGER_COUNT = range(5)


def state_parts(n: int) -> list[tuple[str, int, str, float]]:
    """Parts of the state vector: name, size, unit, error weight."""
    return [
        ("angles", 2 * n, "rad", 1.0),
        ("rates", 2 * n, "rad/s", 1.0),
        ("twist", 2 * n, "mixed", 1.0),
        ("ledger", LEDGER_COUNT, "J", 0.0),
        ("adaptive_step", 1, "s", 0.0),
    ]


def work_size(n: int) -> int:
    """Scratch: fault and step, directions and rates (15n), loads (6n), matrix, right-hand side, twist propagator."""
    return 8 + 15 * n + 6 * n + 4 * n * n * 2 + 6 * n + 2 * n * (2 * n + 1) + 2 * n


def list_at(ints: np.ndarray, which: int, i: int) -> int:
    """Where number i of a list stands in the reals (for Python)."""
    return int(ints[N_SEA] + SCALARS + which * ints[N] + i)
