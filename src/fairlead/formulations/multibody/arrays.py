"""The flat arrays of a compiled tree of bodies.

Kernels get four arrays only: `ints`, `reals` (the compiled tree), `y` (the state) and `work` (scratch). Everything in
them is a record at an offset.

The tree's bodies are numbered so that every parent comes before its children. What a body may hang from besides another
body is a *base*: the world, or a point or body with a prescribed motion. Bases and bodies share one kind of record in
`work`: bases first, then bodies; a `record` is a number in that row.
"""

from __future__ import annotations

import numpy as np

from fairlead.algebra.compiled import kernel
from fairlead.loads.landing import BED_KEPT, BED_MEMORY
from fairlead.loads.rigid_body import BODY_COLUMNS
from fairlead.payout.control import CONTROLLER_REALS, CONTROLLER_STATE

# --- header of `ints`: counts, settings, then where each table begins in `ints`, `reals`, `y` and `work` ------------
(
    N_BODIES, N_Q, N_V, N_BASES, N_CABLES, N_ELEMENTS, N_CONTROLS, N_MOVED, N_LOADS, N_WATER, N_WINCHES, N_NAMED, N_SEA,
    N_TABLE, N_POINTS, N_STANDING, SLACK,
    I_BODIES, I_CABLES, I_CONTROLS, I_MOVED, I_LOADS, I_WATER, I_WINCHES, I_NAMED, I_END,
    R_SETTINGS, R_BODIES, R_BASES, R_ELEMENTS, R_CONTROLS, R_LOADS, R_WATER, R_WINCHES, R_NAMED, R_TABLE, R_END,
    Y_Q, Y_V, Y_CONTROLS, Y_LENGTH, Y_FRAMES, Y_ACTIVE, Y_RATE, Y_STEERED, Y_EVENT, Y_CONTACT, Y_SLACK,
    Y_STANDING, Y_LEDGER, Y_END,
    W_RECORDS, W_OLD, W_TORQUE, W_STIFF, W_START, W_TENSION, W_CONTACT, W_RATES, W_STANDING, W_WATER, W_END,
) = range(62)  # fmt: skip
HEADER = 62

FAULT = 0
"""First in `work`: time, cable, element of the latest fault."""
STEP, HALF, THETA_STEP, PREDICTED, POWER_DRAG, POWER_FRICTION, POWER_DRIVES = 3, 4, 5, 6, 7, 8, 9
"""Then the scheme: step h; half of it, over which drag is implicit; θh, over which springs are; 1 when the
accelerations of a first solution of the same step are there; the powers of the latest solution [W]. All steps are zero
for ODE integrators."""
SCRATCH_HEAD = 10

CLIP, PAPER, ROD = 0, 1, 2
"""What a slack element does: nothing; keep its damping as printed, so that it may push; carry compression."""

# --- kinds of joints, with their numbers in y -----------------------------------------------------------------------
FIXED, REVOLUTE, PRISMATIC, SPHERICAL, FREE, TRANSLATION, CABLE = range(7)
COORDINATES = (0, 1, 1, 4, 7, 3, 3)
SPEEDS = (0, 1, 1, 3, 6, 3, 3)

# --- what a body is: ints ------------------------------------------------------------------------------------------
PARENT, KIND, AT_Q, AT_V, ELEMENT, BODY_CABLE = range(6)
BODY_INTS = 6
"""Record of its parent, kind of its joint, where its coordinates and speeds begin in `y`; of a cable's node the element
above it and its cable, else −1."""
# --- reals ---------------------------------------------------------------------------------------------------------
FRAME, PLACE, AXIS, SPRING, DAMPER, REST, LOW, HIGH, STOP, STOP_DAMPER, MASS, CENTRE, INERTIA = (
    0, 9, 12, 15, 16, 17, 18, 19, 20, 21, 22, 23, 26,
)  # fmt: skip
BODY_REALS = 32
"""Rotation and place of the joint in the parent's frame, axis of the joint; spring, damper, rest, limits, stiffness and
damping of the limits; dry mass, centre of mass and moments of inertia about it (xx, xy, xz, yy, yz, zz)."""

# --- what is kept of a base or body in `work` -----------------------------------------------------------------------
ROTATION, POSITION, VELOCITY, SPIN, ARM, DRIFT, AXES, ARTICULATED, BIAS, ACCELERATION, GAIN, PIVOT, DRIVE = (
    0, 9, 12, 15, 18, 21, 27, 63, 84, 90, 96, 132, 168,
)  # fmt: skip
RECORD = 174
"""All in global axes about the body's origin, linear before angular: rotation (9), position, velocity, angular
velocity; arm from the parent's origin; acceleration bias γ (6); axes S (6 each); inertia (6, 9, 6) and bias β (6), own
and then composite or articulated; acceleration (6); elimination."""
OLD = 18
"""Rotation, position, velocity, angular velocity of a body before its coordinates are rebuilt."""

# --- what a cable is: ints (first body, elements, first element, whether it is kept against the file's direction) ---
CABLE_BODY, CABLE_COUNT, CABLE_ELEMENT, CABLE_REVERSED = range(4)
CABLE_INTS = 4
# --- what an element is: reals, per metre of unstretched line where that makes sense --------------------------------
(
    STIFFNESS, DAMPING_TIME, LINE_MASS, ADDED_NORMAL, ADDED_AXIAL, WEIGHT, BUOYANCY, DIAMETER, DRAG_LAW, DRAG_NORMAL,
    DRAG_AXIAL, REYNOLDS, SHARE_NEAR, SHARE_FAR, RADIUS, BED_STIFFNESS, BED_DAMPING, BED_SHEAR,
) = range(18)  # fmt: skip
ELEMENT_REALS = 18
"""`SHARE_NEAR` and `SHARE_FAR`: parts of its mass at the node nearer to the base and at the other one."""

# --- controls (filtered numbers): ints (motion kind, first of its rows, rows, axis), reals (value, cut-off) ----------
CONTROL_INTS, CONTROL_REALS = 4, 2
# --- moved bases: ints (base, first of the three controls of the position, of the angles or −1) ---------------------
MOVED_INTS = 3
# --- loads: ints (record, table start, rows), reals (force 3, torque 3, offset 3) -----------------------------------
LOAD_INTS, LOAD_REALS = 3, 9
# --- what the water sees: ints (record, whether it turns), reals as `loads.rigid_body` has them, then its centre (3)
WATER_INTS, WATER_CENTRE, WATER_REALS = 2, BODY_COLUMNS, BODY_COLUMNS + 3
# --- winches: ints (cable, table start, rows), reals (nominal, least, greatest, split, merge, merge after reversal),
#     then its controller as `payout.control` has it
WINCH_INTS, WINCH_REALS = 3, 6 + CONTROLLER_REALS
# --- named points and bodies of an observation: ints (record), reals (offset 3) -------------------------------------
NAMED_REALS = 3

# --- contact of a cable's node: its memory in `y` is anchor (3) and normal force; of the latest step in `work` ------
ACTIVE, NORMAL_G, NORMAL_BIAS, SHEAR_G, FRICTION, PUSH = 0, 1, 2, 3, 4, 7
CONTACT_KEPT = 10

# --- the water at an element, kept in `work` for all solutions of a step: velocity and acceleration at its near and at
#     its far node, elevation of the surface above its middle ----------------------------------------------------------
NEAR_FLOW, FAR_FLOW, SURFACE = 0, 6, 12
WATER_KEPT = 13

# --- settings in reals ----------------------------------------------------------------------------------------------
THETA, REBASE_AT = 0, 1
SETTING_COUNT = 2

# --- ledger in y ----------------------------------------------------------------------------------------------------
WORK_DRAG, WORK_DAMPING, WORK_FRICTION, WORK_DRIVES, REBASED = range(5)
LEDGER_COUNT = 5

ZERO3 = (0.0, 0.0, 0.0)


@kernel
def body_at(ints, j):
    """Where body j's record begins in `ints`."""
    return ints[I_BODIES] + BODY_INTS * j


@kernel
def constants_at(ints, j):
    """Where body j's constants begin in `reals`."""
    return ints[R_BODIES] + BODY_REALS * j


@kernel
def record_at(ints, r):
    """Where what is kept of record r (a base or a body) begins in `work`."""
    return ints[W_RECORDS] + RECORD * r


@kernel
def cable_at(ints, c):
    """Where cable c's record begins in `ints`."""
    return ints[I_CABLES] + CABLE_INTS * c


@kernel
def element_at(ints, e):
    """Where element e's constants begin in `reals`."""
    return ints[R_ELEMENTS] + ELEMENT_REALS * e


@kernel
def first_active(ints, y, c):
    """Number within its cable of the first element that is off the drum; those before it are still on it."""
    return ints[cable_at(ints, c) + CABLE_COUNT] - int(y[ints[Y_ACTIVE] + c])


@kernel
def is_active(ints, y, body):
    """Whether a body moves by its joint: nodes on the drum do not. `body` is where its record begins."""
    c = ints[body + BODY_CABLE]
    return c < 0 or ints[body + ELEMENT] >= ints[cable_at(ints, c) + CABLE_ELEMENT] + first_active(ints, y, c)


@kernel
def water_at(ints, e):
    """Where what is kept of the water at element e begins in `work`."""
    return ints[W_WATER] + WATER_KEPT * e


@kernel
def vector_of(array, at):
    """Three consecutive numbers."""
    return (array[at], array[at + 1], array[at + 2])


@kernel
def put(array, at, vector):
    """Write three consecutive numbers."""
    array[at], array[at + 1], array[at + 2] = vector


@kernel
def add_to(array, at, vector):
    """Add to three consecutive numbers."""
    array[at] += vector[0]
    array[at + 1] += vector[1]
    array[at + 2] += vector[2]


@kernel
def matrix_of(array, at):
    """A general matrix kept as nine numbers."""
    return (
        array[at], array[at + 1], array[at + 2], array[at + 3], array[at + 4], array[at + 5], array[at + 6],
        array[at + 7], array[at + 8],
    )  # fmt: skip


@kernel
def put_matrix(array, at, m):
    """Keep a general matrix."""
    (
        array[at], array[at + 1], array[at + 2], array[at + 3], array[at + 4], array[at + 5], array[at + 6],
        array[at + 7], array[at + 8],
    ) = m  # fmt: skip


@kernel
def symmetric_of(array, at):
    """A symmetric matrix kept as six numbers."""
    return (array[at], array[at + 1], array[at + 2], array[at + 3], array[at + 4], array[at + 5])


@kernel
def add_symmetric(array, at, s):
    """Add to a symmetric matrix kept as six numbers."""
    for k in range(6):
        array[at + k] += s[k]


@kernel
def quaternion_of(y, at):
    """Four consecutive numbers."""
    return (y[at], y[at + 1], y[at + 2], y[at + 3])


def set_offsets(header: np.ndarray) -> None:
    """Fill in where each table begins, from the counts."""
    n = {name: int(header[index]) for name, index in globals().items() if name.startswith("N_")}
    records = n["N_BASES"] + n["N_BODIES"]
    tables = (
        (I_BODIES, HEADER, (
            n["N_BODIES"] * BODY_INTS, n["N_CABLES"] * CABLE_INTS, n["N_CONTROLS"] * CONTROL_INTS,
            n["N_MOVED"] * MOVED_INTS, n["N_LOADS"] * LOAD_INTS, n["N_WATER"] * WATER_INTS,
            n["N_WINCHES"] * WINCH_INTS, n["N_NAMED"],
        )),
        (R_SETTINGS, n["N_SEA"], (
            SETTING_COUNT, n["N_BODIES"] * BODY_REALS, n["N_BASES"] * 12, n["N_ELEMENTS"] * ELEMENT_REALS,
            n["N_CONTROLS"] * CONTROL_REALS, n["N_LOADS"] * LOAD_REALS, n["N_WATER"] * WATER_REALS,
            n["N_WINCHES"] * WINCH_REALS, n["N_NAMED"] * NAMED_REALS, n["N_TABLE"],
        )),
        (Y_Q, 0, tuple(size for _, size, _, _ in state_parts(header))[:-1]),
        (W_RECORDS, SCRATCH_HEAD, (
            records * RECORD, n["N_BODIES"] * OLD, n["N_V"], n["N_V"], n["N_Q"] + 2 * n["N_V"],
            n["N_ELEMENTS"], CONTACT_KEPT * n["N_BODIES"], n["N_CABLES"], BED_KEPT * n["N_STANDING"],
            WATER_KEPT * n["N_ELEMENTS"],
        )),
    )  # fmt: skip
    for first, start, sizes in tables:
        header[first : first + len(sizes) + 1] = start + np.concatenate(([0], np.cumsum(sizes)))


def state_parts(ints: np.ndarray) -> tuple[tuple[str, int, str, float], ...]:
    """Layout parts of `y`: name, size, unit, error weight."""
    n = {name: int(ints[index]) for name, index in globals().items() if name.startswith("N_")}
    return (
        ("coordinates", n["N_Q"], "rad, m, 1", 1.0),
        ("speeds", n["N_V"], "rad/s, m/s", 1.0),
        ("controls", 2 * n["N_CONTROLS"], "m, m/s, rad, rad/s", 1.0),
        ("length", n["N_ELEMENTS"], "m", 1.0),
        ("frames", 4 * n["N_ELEMENTS"], "1", 0.0),
        ("active", n["N_CABLES"], "1", 0.0),
        ("payout_rate", n["N_CABLES"], "m/s", 0.0),
        ("steered", CONTROLLER_STATE * n["N_WINCHES"], "m/s, N", 0.0),
        ("latest_event", n["N_WINCHES"], "1", 0.0),
        ("contact", 4 * n["N_BODIES"], "m, N", 0.0),
        ("slack_since", n["N_CABLES"], "s", 0.0),
        ("standing", BED_MEMORY * n["N_STANDING"], "m, N, s, m/s", 0.0),
        ("ledger", LEDGER_COUNT, "J, 1", 0.0),
        ("adaptive_step", 1, "s", 0.0),
    )
