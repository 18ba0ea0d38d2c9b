"""The flat arrays of a compiled tether system.

Kernels get `ints`, `reals` (the compiled system), `y` (the state) and `work` (scratch); everything in them is a record
at an offset. The sea stands first in `reals`. A cable of n links has n + 1 nodes; its first and last are the points it
ends in, so that cables that meet in a free point share a node there.
"""

from __future__ import annotations

import numpy as np

from fairlead.algebra.compiled import kernel
from fairlead.loads.end_motion import STEP_NUMBERS
from fairlead.loads.hung_body import HUNG_COLUMNS, HUNG_KEPT

# --- header of `ints`: counts, settings, then where each table begins -----------------------------------------------
(
    N_CABLES, N_NODES, N_LINKS, N_POINTS, N_CONTROLLED, N_LOADS, N_BODIES, N_WINCHES, N_HUNG, N_SEA, N_TABLE, ERROR,
    RATE, AIM, LINKS, SIGN, I_CABLES, I_POINTS, I_CONTROLS, I_LOADS, I_WINCHES, I_END,
    R_NODES, R_LINKS, R_JOINTS, R_CONTROLS, R_LOADS, R_BODIES, R_WINCHES, R_HUNG, R_TABLE, R_END,
    Y_NODES, Y_POINTS, Y_HUNG, Y_LINKS, Y_CONTACT, Y_SCALE, Y_GROWTH, Y_LEDGER, Y_STARTED, Y_END,
    W_TENSION, W_BENDING, W_MOMENT, W_CONTACT, W_ENDS, W_POINTS, W_HUNG, W_END,
) = range(50)  # fmt: skip
HEADER = 50

STRAIN, TO_DISTANCE = 0, 1
"""Error of a link: (d − l)/l, or the paper's (d − l)/d."""
EXACT, DIFFERENCE = 0, 1
"""Its rate: from the velocities, or the paper's difference of two steps."""
ELASTIC, LENGTH_ITSELF = 0, 1
"""What the integral aims at: the stretch F/EA of the cable, or the paper's l whatever the tension."""
TWO_WAY, TENSION_ONLY = 0, 1
FORMULA, TEXT = 0, 1
"""Direction u of a link force: by the paper's formula, which pulls, or by its text, which pushes."""

FAULT, STEP, STEP_DRAG, CARRIED = 0, 3, 4, 5
"""First in `work`: time, cable, node of the latest fault; the step; the step over which drag is implicit; how much of a
step's change of velocity its own move takes (h, or 0 for explicit Euler)."""
SCRATCH_HEAD = 6

# --- what a cable is (int columns) ----------------------------------------------------------------------------------
CABLE_NODE, CABLE_LINK, CABLE_COUNT, CABLE_START, CABLE_END, CABLE_BENDS = range(6)
CABLE_COLUMNS = 6

# --- winches: ints (cable, table start, rows), reals (length at the start, least, greatest) -------------------------
WINCH_INTS, WINCH_REALS = 3, 3

# --- what a node is (real columns): its tributary half links --------------------------------------------------------
(
    MASS, ADDED_NORMAL, ADDED_AXIAL, WEIGHT, LIFT, DRAG_LAW, DRAG_NORMAL, DRAG_AXIAL, REYNOLDS, SHARE, DIAMETER, RADIUS,
    BED_STIFFNESS, BED_DAMPING, BED_SHEAR, BODY_FIRST, BODY_COUNT,
) = range(17)  # fmt: skip
NODE_COLUMNS = 17
NODE_DRAG = 3.0
"""Drag law of the paper, −f‖v‖v on the node, beside those of `fairlead.loads.drag`."""

# --- what a link is (real columns) ----------------------------------------------------------------------------------
LENGTH, PROPORTIONAL, DERIVATIVE, INTEGRAL, STIFFNESS = range(5)
LINK_COLUMNS = 5

# --- what an inner node holds against bending (real columns): EI/l and its damping time -----------------------------
JOINT_STIFFNESS, JOINT_TIME = 0, 1
JOINT_COLUMNS = 2

# --- a body at a point or on a node (real columns) ------------------------------------------------------------------
BODY_MASS, BODY_ADDED, BODY_LIFT, BODY_DRAG, BODY_HEIGHT = range(5)
BODY_COLUMNS = 5

# --- points: ints (kind, body or control); controls and loads as in a file ------------------------------------------
FREE, FIXED, CONTROLLED, HUNG = 0, 1, 2, 3
"""HUNG: where a rigid body hangs in its cable; behind the points of the file, one a body."""
POINT_COLUMNS = 2
CONTROL_INTS, CONTROL_REALS = 3, 4
"""Motion kind, table start, rows; position (3), cut-off."""
LOAD_INTS, LOAD_REALS = 4, 9
"""Point, table start, rows, place of its inputs (−1: none); force (3), torque (3), offset on its body (3)."""
HUNG_STATE = 13
"""A body that hangs: centre of mass (3), quaternion (4), velocity (3), spin in its own axes (3)."""

# --- ledger in y: energy given to the cables by each force since the start ------------------------------------------
(
    WORK_PROPORTIONAL, WORK_INTEGRAL, WORK_DERIVATIVE, WORK_WEIGHT, WORK_DRAG, WORK_BENDING, WORK_BED, WORK_FRICTION,
    WORK_DRIVES,
) = range(9)  # fmt: skip
LEDGER_COUNT = 9
"""`WORK_BENDING` and `WORK_BED` are the works of their damping; what they store is found from the shape."""

# --- what a sweep leaves of a cable end in `work` -------------------------------------------------------------------
END_FORCE, END_MATRIX, END_PULL, END_PARTS, END_WATER, END_SECANT, END_WEIGHT, END_POWER = 0, 3, 9, 12, 15, 18, 24, 25
END_COLUMNS = 26
"""Force (3), after the step the force of the cable on its point; effective mass (6); direction of its link out of the
node (3); P, I, D parts (3); drag (3) and its secant times the step (6); weight less buoyancy; power of the water beside
the drag."""

# --- what is kept of a point in `work` ------------------------------------------------------------------------------
POINT_ACCELERATION, POINT_FORCE, POINT_MATRIX, POINT_PLAN = 0, 3, 6, 12
POINT_KEPT = POINT_PLAN + STEP_NUMBERS

# --- contact of a node: its memory in `y`, and in `work` what the latest step found ---------------------------------
CONTACT_MEMORY = 4
"""Anchor of friction (3) and normal force."""
ACTIVE, NORMAL_MASS, NORMAL_BIAS, SHEAR_MASS, FRICTION, CONTACT_FORCE = 0, 1, 2, 3, 4, 7
CONTACT_KEPT = 10


@kernel
def cable_at(ints, c):
    """Where cable c's record begins in `ints`."""
    return ints[I_CABLES] + c * CABLE_COLUMNS


@kernel
def node_at(ints, i):
    """Where node i's constants begin in `reals`."""
    return ints[R_NODES] + i * NODE_COLUMNS


@kernel
def link_at(ints, i):
    """Where link i's constants begin in `reals`."""
    return ints[R_LINKS] + i * LINK_COLUMNS


@kernel
def point_state_at(ints, p):
    """Where point p's position and velocity begin in `y`."""
    return ints[Y_POINTS] + 6 * p


@kernel
def state_at(ints, cable, j):
    """Where position and velocity of node j of a cable begin in `y`; `cable` is where the cable's record begins."""
    if j == 0:
        return point_state_at(ints, ints[cable + CABLE_START])
    if j == ints[cable + CABLE_COUNT]:
        return point_state_at(ints, ints[cable + CABLE_END])
    return ints[Y_NODES] + 6 * (ints[cable + CABLE_NODE] + j)


@kernel
def contact_at(ints, i):
    """Where the contact memory of node i begins in `y`."""
    return ints[Y_CONTACT] + i * CONTACT_MEMORY


@kernel
def kept_contact_at(ints, i):
    """Where what was kept of node i's contact begins in `work`."""
    return ints[W_CONTACT] + i * CONTACT_KEPT


@kernel
def kept_point_at(ints, p):
    """Where what was kept of point p begins in `work`."""
    return ints[W_POINTS] + p * POINT_KEPT


@kernel
def hung_at(ints, b):
    """Where the state of hanging body b begins in `y`."""
    return ints[Y_HUNG] + b * HUNG_STATE


@kernel
def hung_record_at(ints, b):
    """Where the constants of hanging body b begin in `reals`."""
    return ints[R_HUNG] + b * HUNG_COLUMNS


@kernel
def kept_hung_at(ints, b):
    """Where what was kept of hanging body b begins in `work`."""
    return ints[W_HUNG] + b * HUNG_KEPT


@kernel
def end_at(ints, c, side):
    """Where what a sweep leaves of a cable end begins in `work`."""
    return ints[W_ENDS] + (2 * c + side) * END_COLUMNS


@kernel
def vector_of(array, at):
    """Three numbers of an array."""
    return (array[at], array[at + 1], array[at + 2])


@kernel
def put(array, at, vector):
    """Write a vector into an array."""
    array[at], array[at + 1], array[at + 2] = vector


@kernel
def matrix_of(array, at):
    """A symmetric matrix kept in an array."""
    return (array[at], array[at + 1], array[at + 2], array[at + 3], array[at + 4], array[at + 5])


def state_parts(ints: np.ndarray) -> tuple[tuple[str, int, str, float], ...]:
    """Layout parts of `y`: name, size, unit, error weight.

    The first and last node of each cable have room among the nodes that is not used: they are points.
    """
    nodes, links, points = (int(ints[k]) for k in (N_NODES, N_LINKS, N_POINTS))
    return (
        ("nodes", 6 * nodes, "m, m/s", 1.0),
        ("points", 6 * points, "m, m/s", 1.0),
        ("bodies", HUNG_STATE * int(ints[N_HUNG]), "m, 1, m/s, rad/s", 1.0),
        ("links", 2 * links, "s, 1", 0.0),
        ("contact", CONTACT_MEMORY * nodes, "m, N", 0.0),
        ("length_factor", int(ints[N_CABLES]), "1", 0.0),
        ("length_rate", int(ints[N_CABLES]), "1/s", 0.0),
        ("ledger", LEDGER_COUNT, "J", 0.0),
        ("started", 1, "1", 0.0),
    )


def set_offsets(header: np.ndarray) -> None:
    """Fill in where each table begins, from the counts."""
    n = {name: int(header[index]) for name, index in globals().items() if name.startswith("N_")}
    tables = (
        (I_CABLES, HEADER, (
            n["N_CABLES"] * CABLE_COLUMNS, n["N_POINTS"] * POINT_COLUMNS, n["N_CONTROLLED"] * CONTROL_INTS,
            n["N_LOADS"] * LOAD_INTS, n["N_WINCHES"] * WINCH_INTS,
        )),
        (R_NODES, n["N_SEA"], (
            n["N_NODES"] * NODE_COLUMNS, n["N_LINKS"] * LINK_COLUMNS, n["N_NODES"] * JOINT_COLUMNS,
            n["N_CONTROLLED"] * CONTROL_REALS, n["N_LOADS"] * LOAD_REALS, n["N_BODIES"] * BODY_COLUMNS,
            n["N_WINCHES"] * WINCH_REALS, n["N_HUNG"] * HUNG_COLUMNS, n["N_TABLE"],
        )),
        (Y_NODES, 0, tuple(size for _, size, _, _ in state_parts(header))),
        (W_TENSION, SCRATCH_HEAD, (
            n["N_LINKS"], 3 * n["N_NODES"], n["N_NODES"], CONTACT_KEPT * n["N_NODES"], 2 * n["N_CABLES"] * END_COLUMNS,
            POINT_KEPT * n["N_POINTS"], HUNG_KEPT * n["N_HUNG"],
        )),
    )  # fmt: skip
    for first, start, sizes in tables:
        header[first : first + len(sizes) + 1] = start + np.concatenate(([0], np.cumsum(sizes)))
