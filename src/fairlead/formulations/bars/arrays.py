"""The flat arrays of a compiled bar system, and named views of them.

Kernels get four arrays only: `ints`, `reals` (the compiled system), `y` (the state) and `work` (scratch). Everything
in them is a record at an offset: `reals[bar_at(ints, i) + LENGTH]`. That compiles many times faster than passing
tables, costs nothing at run time and suits an FMU or a GPU as it is. `model_of`, `state_of` and `scratch_of` give
Python named views of the same memory.

Cables are stored in *sweep order*: the first end is a prescribed point wherever the cable has one, so that only
cables between two hubs couple their hubs. A cable stored against its file's direction carries `CABLE_REVERSED`.
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
    N_BARS, N_CABLES, N_HUBS, N_POINTS, N_CONTROLLED, N_LOADS, N_SLOTS, N_ENTRIES, N_UPDATES, N_SEA, N_TABLE, N_CARRIED,
    N_NAMED, N_LUMPS, N_FRAMES, N_HYBRIDS, N_SLIDERS, N_RIDERS, N_PAIRS, N_WINCHES, N_PRISTINE, N_BODIES, N_STANDING,
    TUNING, GEOMETRIC, LOOSENS,
    I_CABLES, I_CONTROLS, I_LOADS, I_ORDER, I_COLUMN_START, I_COLUMN_ROWS, I_COLUMN_SLOTS, I_UPDATES, I_UPDATE_START,
    I_NAMED, I_POINTS, I_FRAMES, I_HYBRIDS, I_SLIDERS, I_RIDERS, I_PAIRS, I_WINCHES, I_END,
    R_SETTINGS, R_BARS, R_JOINTS, R_ENDS, R_HUBS, R_POINTS, R_CONTROLS, R_LOADS, R_LUMPS, R_TABLE, R_HYBRIDS, R_SLIDERS,
    R_WINCHES, R_PRISTINE, R_END,
    Y_BARS, Y_HUBS, Y_CONTROLS, Y_MULTIPLIERS, Y_ATTACHED, Y_CONTACT, Y_SLACK, Y_SNAP, Y_SLIDERS, Y_WINCHES,
    Y_STANDING, Y_LEDGER, Y_END,
    W_JOINTS, W_FACTORS, W_BIAS, W_RELATIVE, W_ACCELERATION, W_MULTIPLIERS, W_POINTS, W_HUB_BLOCKS, W_HUB_RHS,
    W_CARRIED, W_CONTACT, W_RATE, W_DAMPING, W_CONTROLS, W_FRAMES, W_SLIDERS, W_STANDING, W_LOOSE, W_END,
) = range(91)  # fmt: skip
HEADER = 91

SEA = 0
"""The sea stands first in `reals`, so that `reals` itself serves as the sea of `fairlead.sea`."""
FAULT, SCHEME = 0, 4
"""First in `work`: time, cable, element of the latest fault; then the scheme (see `coefficients.set_scheme`)."""
SCHEME_COUNT = 9

# --- what a cable is (int columns); what is said of its ends comes twice, for the start and for the end -----------
(
    CABLE_FIRST, CABLE_COUNT, START_HUB, START_POINT, START_CLAMP, END_HUB, END_POINT, END_CLAMP, CABLE_REVERSED,
    CABLE_ROTARY, CABLE_RIDERS, CABLE_RIDER_COUNT, CABLE_ALLOTTED_FIRST, CABLE_ALLOTTED_COUNT,
) = range(14)  # fmt: skip
CABLE_COLUMNS = 14
"""`CABLE_FIRST` and `CABLE_COUNT` are live where there is a winch: the bars in use among those allotted."""

# --- what a bar is (real columns) ----------------------------------------------------------------------------------
(
    LENGTH, DIAMETER, MASS, ADDED_NORMAL, ADDED_AXIAL, INERTIA, INERTIA_ADDED, SPIN_INERTIA, WEIGHT, BUOYANCY,
    DRAG_LAW, DRAG_NORMAL, DRAG_AXIAL, REYNOLDS, RADIUS, BED_STIFFNESS, BED_DAMPING, BED_SHEAR, LUMP_FIRST, LUMP_COUNT,
    SLIDE_START, SLIDE_END,
) = range(22)  # fmt: skip
BAR_COLUMNS = 22
PRISTINE_COLUMNS = BAR_COLUMNS + 6
"""A bar of a winched cable at its nominal length: its constants, then stiffness and damping time of half of it."""

# --- what an attachment (lump) on a bar is (real columns) ---------------------------------------------------------
LUMP_OFFSET, LUMP_MASS, LUMP_ADDED, LUMP_BUOYANCY, LUMP_DRAG, LUMP_HEIGHT = range(6)
LUMP_COLUMNS = 6

# --- what a joint is (real columns): stiffness and damping, axial, bending, torsion; 1 where it only pulls ---------
K_AXIAL, C_AXIAL, K_BENDING, C_BENDING, K_TORSION, C_TORSION, ONE_WAY = range(7)
JOINT_COLUMNS = 7
LOOSE_KEPT = 7
"""Kept of a joint that only pulls in `work`: see `loosening`."""

# --- what a cable end is (real columns): clamp frame (4), release time and tension, lever in the frame of its body (3)
RELEASE_TIME, RELEASE_TENSION, LEVER = 4, 5, 6
END_COLUMNS = 9

# --- controls (commands: of controlled points, prescribed bodies and their angles, hybrid points): ints
# (point or −1, motion kind, table start, rows), reals (base 3, cut-off, sine 7) --------------------------------------
CONTROL_INTS, CONTROL_REALS = 4, 4

# --- loads: ints (hub, table start, table rows, place of its input or −1), reals (force 3, torque 3, lever 3) --------
LOAD_INTS, LOAD_REALS = 4, 9

# --- prescribed points: ints (prescribed body they belong to or −1), reals (position, or lever in the body's frame) --
# --- prescribed bodies: ints (control of the position, control of the angles) ---------------------------------------
FRAME_INTS = 2
FRAME_KEPT = 10
"""Kept of a prescribed body in `work`: quaternion (4), angular velocity (3), angular acceleration (3), body axes."""

# --- hybrid points: ints (hub, control), reals (stiffness, damping, greatest force, greatest tension) ----------------
HYBRID_INTS, HYBRID_REALS = 2, 4

# --- rings: see `slider`; riders (hubs carried through a cable): ints (hub, slider or −1, place in `W_CARRIED`, slot of
# the block with the cable's end hub, first of its pairs); pairs: slot of the block with each rider before it --------
SLIDER_INTS, SLIDER_REALS, SLIDER_STATE, SLIDER_KEPT = 2, 3, 3, 9
RIDER_HUB, RIDER_SLIDER, RIDER_CARRIED, RIDER_SLOT, RIDER_PAIRS = range(5)
RIDER_INTS = 5

# --- winches: see `winch` --------------------------------------------------------------------------------------------
WINCH_INTS, WINCH_REALS, WINCH_STATE = 8, 6 + CONTROLLER_REALS, 7

# --- settings in reals ----------------------------------------------------------------------------------------------
ALPHA, EPSILON, THETA = range(3)
SETTING_COUNT = 3

RULE, COMMON_BETA, LITERAL = 0, 1, 2
OFF, UNDAMPED, DAMPED, AUTO = 0, 1, 2, 3

# --- ledger in y ------------------------------------------------------------------------------------------------------
WORK_DRAG, WORK_DAMPING, WORK_FRICTION, WORK_DRIVES, BAR_STEPS, BAR_STEPS_DAMPED = range(6)
LEDGER_COUNT = 6

FACTOR_COLUMNS = 27
"""Kept for each bar by the forward sweep: A⁻¹ (6), X = A⁻¹B (9), S⁻¹ (6), right-hand side (6)."""


BODY = 13
"""Numbers of a body in `y`: position of the middle, quaternion, velocity (global), angular velocity (body)."""
ACTIVE, NORMAL_G, NORMAL_BIAS, SHEAR_G, FRICTION, NORMAL_FORCE = 0, 1, 2, 3, 4, 7
CONTACT_KEPT = 8
"""Kept of each bar end in `work`: whether it touches, G and bias of the normal row, G of the shear rows, friction force
(3) before the step's own change, and the normal force after the solve."""


@kernel
def cable_at(ints, c):
    """Where cable c's record begins in `ints`."""
    return ints[I_CABLES] + c * CABLE_COLUMNS


@kernel
def bar_at(ints, i):
    """Where bar i's constants begin in `reals`."""
    return ints[R_BARS] + i * BAR_COLUMNS


@kernel
def bar_of_joint(i, count):
    """Bar of a cable that joint i is reckoned to: the one behind it, at the cable's end the last."""
    return i if i < count else count - 1


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
def point_of_end_index(ints, end):
    """Prescribed point of a cable end, −1 when it is a hub."""
    return ints[cable_at(ints, end // 2) + START_POINT + 3 * (end % 2)]


@kernel
def joint_of_end(ints, end):
    """Joint of a cable end."""
    cable = cable_at(ints, end // 2)
    return ints[cable + CABLE_FIRST] + end // 2 + (end % 2) * ints[cable + CABLE_COUNT]


@kernel
def hub_at(ints, h):
    """Where hub h's constants (a rigid body's, see `fairlead.loads.rigid_body`) begin in `reals`."""
    return ints[R_HUBS] + h * BODY_COLUMNS


@kernel
def bar_state_at(ints, i):
    """Where bar i's state begins in `y`."""
    return ints[Y_BARS] + i * BODY


@kernel
def hub_state_at(ints, h):
    """Where hub h's state begins in `y`."""
    return ints[Y_HUBS] + h * BODY


@kernel
def memory_at(ints, i, side):
    """Where the friction memory of a bar end begins in `y`: anchor (3), normal force."""
    return ints[Y_CONTACT] + (2 * i + side) * 4


@kernel
def point_at(ints, k):
    """Where the kinematics of prescribed point k begin in `work`: position, velocity, acceleration."""
    return ints[W_POINTS] + 9 * k


@kernel
def rider_at(ints, r):
    """Where rider r's record begins in `ints`."""
    return ints[I_RIDERS] + RIDER_INTS * r


@kernel
def vector_of(array, at):
    """Three consecutive numbers."""
    return (array[at], array[at + 1], array[at + 2])


@kernel
def quaternion_of(y, body):
    """The quaternion of the body whose state begins at `body`."""
    return (y[body + 3], y[body + 4], y[body + 5], y[body + 6])


@kernel
def kept_contact_at(ints, i, side):
    """Where what was kept of a bar end's contact begins in `work`."""
    return ints[W_CONTACT] + (2 * i + side) * CONTACT_KEPT


@kernel
def is_attached(y, ints, end):
    """Whether a cable end is still joined to its point."""
    return y[ints[Y_ATTACHED] + end] > 0.5


@kernel
def is_clamped(y, ints, end):
    """Whether rotation rows act at a cable end."""
    return ints[cable_at(ints, end // 2) + START_CLAMP + 3 * (end % 2)] == 1 and is_attached(y, ints, end)


def set_offsets(header: np.ndarray) -> None:
    """Fill in where each table begins, from the counts."""
    n = {name: int(header[index]) for name, index in globals().items() if name.startswith("N_")}
    joints = n["N_BARS"] + n["N_CABLES"]
    tables = (
        (I_CABLES, HEADER, (
            n["N_CABLES"] * CABLE_COLUMNS, n["N_CONTROLLED"] * CONTROL_INTS, n["N_LOADS"] * LOAD_INTS, n["N_HUBS"],
            n["N_HUBS"] + 1, n["N_ENTRIES"], n["N_ENTRIES"], 3 * n["N_UPDATES"], n["N_HUBS"] + 1, n["N_NAMED"],
            n["N_POINTS"], n["N_FRAMES"] * FRAME_INTS, n["N_HYBRIDS"] * HYBRID_INTS, n["N_SLIDERS"] * SLIDER_INTS,
            n["N_RIDERS"] * RIDER_INTS, n["N_PAIRS"], n["N_WINCHES"] * WINCH_INTS,
        )),
        (R_SETTINGS, n["N_SEA"], (
            SETTING_COUNT, n["N_BARS"] * BAR_COLUMNS, joints * JOINT_COLUMNS, n["N_CABLES"] * 2 * END_COLUMNS,
            n["N_HUBS"] * BODY_COLUMNS, n["N_POINTS"] * 3, n["N_CONTROLLED"] * CONTROL_REALS,
            n["N_LOADS"] * LOAD_REALS, n["N_LUMPS"] * LUMP_COLUMNS, n["N_TABLE"], n["N_HYBRIDS"] * HYBRID_REALS,
            n["N_SLIDERS"] * SLIDER_REALS, n["N_WINCHES"] * WINCH_REALS, n["N_PRISTINE"] * PRISTINE_COLUMNS,
        )),
        (Y_BARS, 0, tuple(size for _, size, _, _ in state_parts(header))[:-1]),
        (W_JOINTS, SCHEME + SCHEME_COUNT, (
            joints * 9, n["N_BARS"] * FACTOR_COLUMNS, joints * 6, joints * 6, n["N_BARS"] * 6, joints * 6,
            n["N_POINTS"] * 9, n["N_SLOTS"] * 36, n["N_HUBS"] * 6, n["N_CARRIED"] * 36,
            n["N_BARS"] * 2 * CONTACT_KEPT, joints * 6, joints * 6, n["N_CONTROLLED"] * STEP_NUMBERS,
            n["N_FRAMES"] * FRAME_KEPT, n["N_SLIDERS"] * SLIDER_KEPT, n["N_STANDING"] * BED_KEPT,
            joints * LOOSE_KEPT,
        )),
    )  # fmt: skip
    for first, start, sizes in tables:
        header[first : first + len(sizes) + 1] = start + np.concatenate(([0], np.cumsum(sizes)))


def state_parts(ints: np.ndarray) -> tuple[tuple[str, int, str, float], ...]:
    """Layout parts of `y`: name, size, unit, error weight."""
    nb, nc, nh, nctl = (int(ints[k]) for k in (N_BARS, N_CABLES, N_HUBS, N_CONTROLLED))
    return (
        ("bars", nb * BODY, "m, 1, m/s, rad/s", 1.0),
        ("hubs", nh * BODY, "m, 1, m/s, rad/s", 1.0),
        ("controls", nctl * 6, "m, m/s", 1.0),
        ("multipliers", (nb + nc) * 3, "N", 0.0),
        ("attached", nc * 2, "1", 0.0),
        ("contact", nb * 8, "m, N", 0.0),
        ("slack_since", nc, "s", 0.0),
        ("snap", nc * 3, "N, N, 1", 0.0),
        ("sliders", int(ints[N_SLIDERS]) * SLIDER_STATE, "1, m, N", 0.0),
        ("winches", int(ints[N_WINCHES]) * WINCH_STATE, "m, m, 1, 1, m, m/s, N", 0.0),
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
    bars: np.ndarray
    joints: np.ndarray
    ends: np.ndarray
    hubs: np.ndarray
    points: np.ndarray
    controls: np.ndarray
    loads: np.ndarray
    point_bodies: np.ndarray
    """(points,): prescribed body a point belongs to, or −1."""
    frames: np.ndarray
    """(prescribed bodies, 2): controls of position and angles."""
    winches_int: np.ndarray
    winches: np.ndarray


class State(NamedTuple):
    """Views of `y`, for Python."""

    bars: np.ndarray
    """(n, 13): position of the middle, quaternion, velocity (global), angular velocity (body)."""
    hubs: np.ndarray
    """(hubs, 13), as the bars."""
    controls: np.ndarray
    """(controlled, 6): filtered position and velocity."""
    multipliers: np.ndarray
    """(joints, 3): force in each joint on its earlier body, global, of the latest step."""
    attached: np.ndarray
    """(cables, 2): 1 while an end is joined to its point."""
    contact: np.ndarray
    """(n, 2, 4): friction anchor (3) and normal force of the latest step at both ends of each bar."""
    slack_since: np.ndarray
    """(cables,): time at which a cable first lost its tension somewhere after having had it; negative before."""
    snap: np.ndarray
    """(cables, 3): of the tensions since then the largest rise within a step, and the largest; 1 while loose."""
    sliders: np.ndarray
    """(rings, 3): bar, slip, force across."""
    winches: np.ndarray
    """(winches, 7): see `winch`."""
    standing: np.ndarray
    """(hubs, 18) where there is a seabed: see `loads.landing`."""
    ledger: np.ndarray
    """Cumulative works and counters."""


class Scratch(NamedTuple):
    """Views of `work`, for Python."""

    joints: np.ndarray
    """(joints, 9): G, D, K of the axial, bending and torsion rows."""
    acceleration: np.ndarray
    """(n, 6): global linear, body angular."""
    multipliers: np.ndarray
    """(joints, 6): full multipliers, position rows then rotation rows."""
    hub_rhs: np.ndarray
    """(hubs, 6): accelerations after a solve."""


def model_of(ints: np.ndarray, reals: np.ndarray) -> Model:
    """Names for the compiled arrays."""

    def part(array: np.ndarray, first: int, *shape: int) -> np.ndarray:
        return array[ints[first] : ints[first + 1]].reshape(-1, *shape)

    return Model(
        ints, reals[: ints[N_SEA]], part(reals, R_SETTINGS), part(ints, I_CABLES, CABLE_COLUMNS),
        part(ints, I_CONTROLS, CONTROL_INTS), part(ints, I_LOADS, LOAD_INTS), part(reals, R_BARS, BAR_COLUMNS),
        part(reals, R_JOINTS, JOINT_COLUMNS), part(reals, R_ENDS, 2, END_COLUMNS), part(reals, R_HUBS, BODY_COLUMNS),
        part(reals, R_POINTS, 3), part(reals, R_CONTROLS, CONTROL_REALS), part(reals, R_LOADS, LOAD_REALS),
        part(ints, I_POINTS), part(ints, I_FRAMES, FRAME_INTS), part(ints, I_WINCHES, WINCH_INTS),
        part(reals, R_WINCHES, WINCH_REALS),
    )  # fmt: skip


def state_of(ints: np.ndarray, y: np.ndarray) -> State:
    """Names for the state vector."""

    def part(first: int, *shape: int) -> np.ndarray:
        return y[ints[first] : ints[first + 1]].reshape(-1, *shape)

    return State(
        part(Y_BARS, BODY), part(Y_HUBS, BODY), part(Y_CONTROLS, 6), part(Y_MULTIPLIERS, 3), part(Y_ATTACHED, 2),
        part(Y_CONTACT, 2, 4), part(Y_SLACK), part(Y_SNAP, 3), part(Y_SLIDERS, SLIDER_STATE),
        part(Y_WINCHES, WINCH_STATE), part(Y_STANDING, BED_MEMORY), part(Y_LEDGER),
    )  # fmt: skip


def scratch_of(ints: np.ndarray, work: np.ndarray) -> Scratch:
    """Names for what a solve leaves in the scratch memory."""

    def part(first: int, *shape: int) -> np.ndarray:
        return work[ints[first] : ints[first + 1]].reshape(-1, *shape)

    return Scratch(part(W_JOINTS, 9), part(W_ACCELERATION, 6), part(W_MULTIPLIERS, 6), part(W_HUB_RHS, 6))
