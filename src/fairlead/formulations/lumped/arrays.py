"""The flat arrays of a compiled system of point masses, and named views of them.

Kernels get four arrays only: `ints`, `reals` (the compiled system), `y` (the state) and `work` (scratch). Everything
in them is a record at an offset: `reals[element_at(ints, e) + LENGTH]`. `model_of` and `state_of` give Python named
views of the same memory.

A cable of n elements has n + 1 nodes. An end node that is joined to a point follows it; when it is released it becomes
a mass of its own. Cables are stored in *sweep order*: from the drum where there is one, else from a prescribed point
where there is one, so that only cables between two free points couple them. A cable stored against its file's
direction carries `CABLE_REVERSED`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairlead.loads.end_motion import STEP_NUMBERS
from fairlead.algebra.compiled import kernel
from fairlead.loads.landing import BED_KEPT, BED_MEMORY
from fairlead.loads.rigid_body import BODY_COLUMNS
from fairlead.payout.control import CONTROLLER_REALS

# --- header of `ints`: counts, settings, then where each table begins in `ints`, `reals`, `y` and `work` ------------
(
    N_NODES, N_ELEMENTS, N_CABLES, N_HUBS, N_POINTS, N_CONTROLLED, N_LOADS, N_SLOTS, N_ENTRIES, N_UPDATES, N_SEA,
    N_TABLE, N_NAMED, N_BODIES, N_LUMPS, N_FRAMES, N_HYBRIDS, N_WINCHES, N_STANDING,
    BLOCK, GREEN, SLACKENS, GEOMETRIC,
    I_CABLES, I_CONTROLS, I_LOADS, I_ORDER, I_COLUMN_START, I_COLUMN_ROWS, I_COLUMN_SLOTS, I_UPDATES, I_UPDATE_START,
    I_NAMED, I_POINTS, I_FRAMES, I_HYBRIDS, I_WINCHES, I_END,
    R_SETTINGS, R_ELEMENTS, R_ENDS, R_HUBS, R_POINTS, R_CONTROLS, R_LOADS, R_LUMPS, R_TABLE, R_HYBRIDS, R_WINCHES,
    R_PRISTINE, R_END,
    Y_NODES, Y_HUBS, Y_CONTROLS, Y_TENSION, Y_STRAINING, Y_ATTACHED, Y_PULL, Y_CONTACT, Y_SLACK, Y_SNAP, Y_WINCHES,
    Y_STANDING, Y_LEDGER, Y_END,
    W_NODES, W_ELEMENTS, W_CONTACT, W_POINTS, W_CONTROLS, W_FRAMES, W_HUB_BLOCKS, W_HUB_RHS, W_FORCES,
    W_STANDING, W_END,
) = range(76)  # fmt: skip
HEADER = 76

SEA = 0
"""The sea stands first in `reals`, so that `reals` itself serves as the sea of `fairlead.sea`."""
FAULT, SCHEME = 0, 3
"""First in `work`: time, cable (or hub), element of the latest fault; then the scheme (see `scheme.set_scheme`)."""
SCHEME_COUNT = 14

# --- what a cable is (int columns); what is said of its ends comes twice, for the start and for the end -----------
(
    CABLE_FIRST, CABLE_COUNT, START_HUB, START_POINT, START_CLAMP, END_HUB, END_POINT, END_CLAMP, CABLE_REVERSED,
    CABLE_BENDS, CABLE_SLOT, CABLE_ALLOTTED_FIRST, CABLE_ALLOTTED_COUNT,
) = range(13)  # fmt: skip
CABLE_COLUMNS = 13
"""`CABLE_FIRST` and `CABLE_COUNT` are those that are paid out; without a winch all that are allotted."""

# --- what an element is (real columns); what is shared between its two nodes stands here as their half --------------
(
    LENGTH, STIFFNESS, DAMPING_TIME, BENDING, BENDING_TIME, MASS, ADDED_NORMAL, ADDED_AXIAL, WEIGHT, BUOYANCY, DIAMETER,
    DRAG_LAW, DRAG_NORMAL, DRAG_AXIAL, REYNOLDS, RADIUS, BED_STIFFNESS, BED_DAMPING, BED_SHEAR, LUMP_FIRST, LUMP_COUNT,
    GROWTH, PUSHED,
) = range(23)  # fmt: skip
ELEMENT_COLUMNS = 23
"""`GROWTH` is the rate of the unstretched length on a winch [m/s], `PUSHED` what the element does when it is pushed
together: one of the three below."""

# --- what an attachment (lump) on an element is (real columns) ------------------------------------------------------
LUMP_SHARE, LUMP_MASS, LUMP_ADDED, LUMP_BUOYANCY, LUMP_DRAG, LUMP_HEIGHT = range(6)
LUMP_COLUMNS = 6

# --- what a cable end is (real columns): clamp direction (3), release time, release tension, offset on its body (3) -
RELEASE_TIME, RELEASE_TENSION, OFFSET = 3, 4, 5
END_COLUMNS = 8

# --- what a hub (free point or free body) is (real columns): as `fairlead.loads.rigid_body` has it ------------------
HUB_COLUMNS = BODY_COLUMNS

# --- controls (commands of controlled and hybrid points, of the places and angles of prescribed bodies): ints
# --- (point or −1, motion kind, table start, table rows), reals (base 3, cut-off) -----------------------
CONTROL_INTS, CONTROL_REALS = 4, 4
# --- loads: ints (hub, table start, table rows, place of its input or −1), reals (force 3, torque 3, offset 3) -------
LOAD_INTS, LOAD_REALS = 4, 9
# --- prescribed points: ints (prescribed body they belong to or −1), reals (position, or offset on that body) -------
# --- prescribed bodies: ints (control of the place, control of the angles) ------------------------------------------
FRAME_INTS = 2
FRAME_KEPT = 10
"""Kept of a prescribed body in `work`: quaternion (4), angular velocity (3), angular acceleration (3), body axes."""
# --- hybrid points: ints (hub, control), reals (stiffness, damping, greatest force, greatest tension) ----------------
HYBRID_INTS, HYBRID_REALS = 2, 4
# --- winches: see `winch` ---------------------------------------------------------------------------------------------
WINCH_INTS, WINCH_REALS, WINCH_STATE = 5, 6 + CONTROLLER_REALS, 7
# --- settings in reals ----------------------------------------------------------------------------------------------
THETA = 0
SETTING_COUNT = 1
OFF, UNDAMPED, DAMPED, AUTO = 0, 1, 2, 3
CARRIED, NO_COMPRESSION, DAMPING_ONLY = 0, 1, 2

# --- ledger in y ----------------------------------------------------------------------------------------------------
WORK_DRAG, WORK_DAMPING, WORK_FRICTION, WORK_DRIVES, ELEMENT_STEPS, ELEMENT_STEPS_DAMPED = range(6)
LEDGER_COUNT = 6

# --- kept of a node in work: D (6), coupling to the next node (9), to the one after (9), to the start's hub (9), ----
# --- right-hand side (3), acceleration (3) --------------------------------------------------------------------------
NODE_D, NODE_A, NODE_C, NODE_N, NODE_R, NODE_ACCELERATION = 0, 6, 15, 24, 33, 36
NODE_WORK = 39
# --- kept of an element in work: direction (3), length, rate of its stretch, G and bias of its tension, its damping and
# --- G of that; of its halves at either node the load along it and the mass along it, and the mass that couples both;
# --- whether its spring acts ----------------------------------------------------------------------------------------
DIRECTION, SPAN, RATE, TENSION_G, TENSION_BIAS, DAMPING, DAMPING_G = 0, 3, 4, 5, 6, 7, 8
LOAD_ALONG, MASS_ALONG, MASS_SHARED, TAUT = 9, 11, 13, 14
ELEMENT_WORK = 15
# --- kept of a node's contact in work -------------------------------------------------------------------------------
ACTIVE, NORMAL_G, NORMAL_BIAS, SHEAR_G, FRICTION, NORMAL_FORCE, BED_K, BED_C, BED_KS = 0, 1, 2, 3, 4, 7, 8, 9, 10
CONTACT_KEPT = 11

NODE, BODY = 6, 13
"""Numbers of a node in `y`: position, velocity; of a hub: position, quaternion, velocity (global), angular velocity
(body). The turn of a point that is no body stays as it is; `BLOCK` is 6 where there are bodies, else 3."""


@kernel
def cable_at(ints, c):
    """Where cable c's record begins in `ints`."""
    return ints[I_CABLES] + c * CABLE_COLUMNS


@kernel
def element_at(ints, e):
    """Where element e's constants begin in `reals`."""
    return ints[R_ELEMENTS] + e * ELEMENT_COLUMNS


@kernel
def lump_at(ints, i):
    """Where attachment i's constants begin in `reals`."""
    return ints[R_LUMPS] + i * LUMP_COLUMNS


@kernel
def end_at(ints, end):
    """Where the record of a cable end begins in `reals`; cable c has the ends 2c (its start) and 2c + 1."""
    return ints[R_ENDS] + end * END_COLUMNS


@kernel
def hub_of_end(ints, end):
    """Hub of a cable end, −1 when it is a prescribed point."""
    return ints[cable_at(ints, end // 2) + START_HUB + 3 * (end % 2)]


@kernel
def point_of_end(ints, end):
    """Prescribed point of a cable end, −1 when it is a hub."""
    return ints[cable_at(ints, end // 2) + START_POINT + 3 * (end % 2)]


@kernel
def node_of_end(ints, end):
    """Node of a cable end, counted through all cables. Node i of cable c has the number of element i plus c."""
    cable = cable_at(ints, end // 2)
    return ints[cable + CABLE_FIRST] + end // 2 + (end % 2) * ints[cable + CABLE_COUNT]


@kernel
def hub_at(ints, h):
    """Where hub h's constants begin in `reals`."""
    return ints[R_HUBS] + h * HUB_COLUMNS


@kernel
def node_state_at(ints, i):
    """Where node i's state begins in `y`."""
    return ints[Y_NODES] + NODE * i


@kernel
def hub_state_at(ints, h):
    """Where hub h's state begins in `y`."""
    return ints[Y_HUBS] + BODY * h


@kernel
def memory_at(ints, i):
    """Where the friction memory of node i begins in `y`: anchor (3), normal force."""
    return ints[Y_CONTACT] + 4 * i


@kernel
def node_work_at(ints, i):
    """Where what is kept of node i begins in `work`."""
    return ints[W_NODES] + NODE_WORK * i


@kernel
def acceleration_at(ints, i):
    """Where the acceleration of node i stands in `work`."""
    return node_work_at(ints, i) + NODE_ACCELERATION


@kernel
def element_work_at(ints, e):
    """Where what is kept of element e begins in `work`."""
    return ints[W_ELEMENTS] + ELEMENT_WORK * e


@kernel
def contact_at(ints, i):
    """Where what is kept of node i's contact begins in `work`."""
    return ints[W_CONTACT] + CONTACT_KEPT * i


@kernel
def point_at(ints, k):
    """Where the kinematics of prescribed point k begin in `work`: position, velocity, acceleration."""
    return ints[W_POINTS] + 9 * k


@kernel
def is_attached(y, ints, end):
    """Whether a cable end is still joined to its point."""
    return y[ints[Y_ATTACHED] + end] > 0.5


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
def symmetric_of(array, at):
    """A symmetric matrix kept as six numbers."""
    return (array[at], array[at + 1], array[at + 2], array[at + 3], array[at + 4], array[at + 5])


@kernel
def put_symmetric(array, at, s):
    """Keep a symmetric matrix."""
    array[at], array[at + 1], array[at + 2], array[at + 3], array[at + 4], array[at + 5] = s


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


def set_offsets(header: np.ndarray) -> None:
    """Fill in where each table begins, from the counts."""
    n = {name: int(header[index]) for name, index in globals().items() if name.startswith("N_")}
    tables = (
        (I_CABLES, HEADER, (
            n["N_CABLES"] * CABLE_COLUMNS, n["N_CONTROLLED"] * CONTROL_INTS, n["N_LOADS"] * LOAD_INTS, n["N_HUBS"],
            n["N_HUBS"] + 1, n["N_ENTRIES"], n["N_ENTRIES"], 3 * n["N_UPDATES"], n["N_HUBS"] + 1, n["N_NAMED"],
            n["N_POINTS"], n["N_FRAMES"] * FRAME_INTS, n["N_HYBRIDS"] * HYBRID_INTS, n["N_WINCHES"] * WINCH_INTS,
        )),
        (R_SETTINGS, n["N_SEA"], (
            SETTING_COUNT, n["N_ELEMENTS"] * ELEMENT_COLUMNS, n["N_CABLES"] * 2 * END_COLUMNS,
            n["N_HUBS"] * HUB_COLUMNS, n["N_POINTS"] * 3, n["N_CONTROLLED"] * CONTROL_REALS,
            n["N_LOADS"] * LOAD_REALS, n["N_LUMPS"] * LUMP_COLUMNS, n["N_TABLE"],
            n["N_HYBRIDS"] * HYBRID_REALS, n["N_WINCHES"] * WINCH_REALS,
            n["N_ELEMENTS"] * ELEMENT_COLUMNS if n["N_WINCHES"] else 0,
        )),
        (Y_NODES, 0, tuple(size for _, size, _, _ in state_parts(header))[:-1]),
        (W_NODES, SCHEME + SCHEME_COUNT, (
            n["N_NODES"] * NODE_WORK, n["N_ELEMENTS"] * ELEMENT_WORK, n["N_NODES"] * CONTACT_KEPT, n["N_POINTS"] * 9,
            n["N_CONTROLLED"] * STEP_NUMBERS, n["N_FRAMES"] * FRAME_KEPT,
            n["N_SLOTS"] * int(header[BLOCK]) ** 2, n["N_HUBS"] * int(header[BLOCK]), n["N_CABLES"] * 6,
            n["N_STANDING"] * BED_KEPT,
        )),
    )  # fmt: skip
    for first, start, sizes in tables:
        header[first : first + len(sizes) + 1] = start + np.concatenate(([0], np.cumsum(sizes)))


def state_parts(ints: np.ndarray) -> tuple[tuple[str, int, str, float], ...]:
    """Layout parts of `y`: name, size, unit, error weight."""
    nodes, elements, cables, hubs, controlled, winches = (
        int(ints[k]) for k in (N_NODES, N_ELEMENTS, N_CABLES, N_HUBS, N_CONTROLLED, N_WINCHES)
    )
    return (
        ("nodes", nodes * NODE, "m, m/s", 1.0),
        ("hubs", hubs * BODY, "m, 1, m/s, rad/s", 1.0),
        ("controls", controlled * NODE, "m, m/s", 1.0),
        ("tension", elements, "N", 0.0),
        ("straining", elements, "1/s", 0.0),
        ("attached", cables * 2, "1", 0.0),
        ("pull", cables * 2, "N", 0.0),
        ("contact", nodes * 4, "m, N", 0.0),
        ("slack_since", cables, "s", 0.0),
        ("snap", cables * 2, "N", 0.0),
        ("winches", winches * WINCH_STATE, "m, 1, m/s, N", 0.0),
        ("standing", int(ints[N_STANDING]) * BED_MEMORY, "m, N, s, m/s", 0.0),
        ("ledger", LEDGER_COUNT, "J, 1", 0.0),
        ("adaptive_step", 1, "s", 0.0),
    )


class Model(NamedTuple):
    """Views of the compiled system, for Python."""

    ints: np.ndarray
    sea: np.ndarray
    settings: np.ndarray
    cables: np.ndarray
    controls_int: np.ndarray
    loads_int: np.ndarray
    elements: np.ndarray
    ends: np.ndarray
    hubs: np.ndarray
    points: np.ndarray
    controls: np.ndarray
    loads: np.ndarray
    lumps: np.ndarray
    owners: np.ndarray
    frames: np.ndarray
    winches: np.ndarray


class State(NamedTuple):
    """Views of `y`, for Python."""

    nodes: np.ndarray
    """(nodes, 6): position and velocity; all nodes of all cables, the ends with them."""
    hubs: np.ndarray
    """(hubs, 13): position, quaternion, velocity (global), angular velocity (body)."""
    controls: np.ndarray
    """(controlled, 6): filtered position and velocity."""
    tension: np.ndarray
    """(elements,): tension of the latest step."""
    straining: np.ndarray
    """(elements,): mean rate of the strain in the latest step."""
    attached: np.ndarray
    """(cables, 2): 1 while an end is joined to its point."""
    pull: np.ndarray
    """(cables, 2): force with which each end pulled at its point in the latest step."""
    contact: np.ndarray
    """(nodes, 4): friction anchor (3) and normal force of the latest step."""
    slack_since: np.ndarray
    """(cables,): time at which a cable first lost its tension somewhere after having had it; negative before."""
    snap: np.ndarray
    """(cables, 2): of the tensions since then the largest rise within a step, and the largest."""
    winches: np.ndarray
    """(winches, 7): see `winch`."""
    standing: np.ndarray
    """(hubs, 18) where there is a seabed: see `loads.landing`."""
    ledger: np.ndarray
    """Cumulative works and counters."""


def model_of(ints: np.ndarray, reals: np.ndarray) -> Model:
    """Names for the compiled arrays."""

    def part(array: np.ndarray, first: int, *shape: int) -> np.ndarray:
        return array[ints[first] : ints[first + 1]].reshape(-1, *shape)

    return Model(
        ints, reals[: ints[N_SEA]], part(reals, R_SETTINGS), part(ints, I_CABLES, CABLE_COLUMNS),
        part(ints, I_CONTROLS, CONTROL_INTS), part(ints, I_LOADS, LOAD_INTS), part(reals, R_ELEMENTS, ELEMENT_COLUMNS),
        part(reals, R_ENDS, 2, END_COLUMNS), part(reals, R_HUBS, HUB_COLUMNS), part(reals, R_POINTS, 3),
        part(reals, R_CONTROLS, CONTROL_REALS), part(reals, R_LOADS, LOAD_REALS), part(reals, R_LUMPS, LUMP_COLUMNS),
        part(ints, I_POINTS), part(ints, I_FRAMES, FRAME_INTS), part(ints, I_WINCHES, WINCH_INTS),
    )  # fmt: skip


def state_of(ints: np.ndarray, y: np.ndarray) -> State:
    """Names for the state vector."""

    def part(first: int, *shape: int) -> np.ndarray:
        return y[ints[first] : ints[first + 1]].reshape(-1, *shape)

    return State(
        part(Y_NODES, NODE), part(Y_HUBS, BODY), part(Y_CONTROLS, NODE), part(Y_TENSION), part(Y_STRAINING),
        part(Y_ATTACHED, 2), part(Y_PULL, 2), part(Y_CONTACT, 4), part(Y_SLACK), part(Y_SNAP, 2),
        part(Y_WINCHES, WINCH_STATE), part(Y_STANDING, BED_MEMORY), part(Y_LEDGER),
    )  # fmt: skip
