"""The flat arrays of a compiled bar system, and named views of them.

Kernels get four arrays only: `ints`, `reals` (the compiled system), `y` (the state) and `work` (scratch). The
functions `model_of`, `state_of` and `scratch_of` give them names again, inside compiled code and outside alike.

Cables are stored in *sweep order*: the first end is a prescribed point wherever the cable has one, so that only
cables between two hubs couple their hubs. A cable stored against its file's direction carries `CABLE_REVERSED`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairlead.algebra.compiled import kernel

# --- header of `ints` -------------------------------------------------------------------------------------------
(
    N_BARS, N_CABLES, N_HUBS, N_POINTS, N_CONTROLLED, N_LOADS, N_SLOTS, N_ENTRIES, N_UPDATES, N_SEA, N_TABLE, N_CARRIED,
    TUNING, GEOMETRIC, N_NAMED,
) = range(15)  # fmt: skip
HEADER = 16

# --- what a cable is (int columns) --------------------------------------------------------------------------------
(
    CABLE_FIRST, CABLE_COUNT, START_HUB, START_POINT, START_CLAMP, END_HUB, END_POINT, END_CLAMP, CABLE_REVERSED,
    CABLE_ROTARY, CABLE_CARRIED, CABLE_SLOT,
) = range(12)  # fmt: skip
CABLE_COLUMNS = 12

# --- what a bar is (real columns) ----------------------------------------------------------------------------------
(
    LENGTH, DIAMETER, MASS, ADDED_NORMAL, ADDED_AXIAL, INERTIA, INERTIA_ADDED, SPIN_INERTIA, WEIGHT, BUOYANCY,
    DRAG_LAW, DRAG_NORMAL, DRAG_AXIAL, REYNOLDS, RADIUS, BED_STIFFNESS, BED_DAMPING, BED_SHEAR,
    LUMP_MASS, LUMP_OFFSET, LUMP_INERTIA, LUMP_BUOYANCY, LUMP_DRAG, LUMP_ADDED, LUMP_HEIGHT,
) = range(25)  # fmt: skip
BAR_COLUMNS = 25

# --- what a joint is (real columns): stiffness and damping, axial, bending, torsion -------------------------------
JOINT_COLUMNS = 6

# --- what a cable end is (real columns): clamp frame (4), release time, release tension ---------------------------
RELEASE_TIME, RELEASE_TENSION = 4, 5
END_COLUMNS = 6

# --- what a hub (free point) is (real columns) ----------------------------------------------------------------------
HUB_MASS, HUB_ADDED, HUB_INERTIA, HUB_WEIGHT, HUB_BUOYANCY, HUB_DRAG, HUB_HEIGHT = range(7)
HUB_COLUMNS = 7

# --- controlled points: ints (point, motion kind, table start, table rows), reals (base 3, cut-off, harmonic 6) ---
MOTION_NONE, MOTION_TABLE, MOTION_HARMONIC = 0, 1, 2
CONTROL_INTS, CONTROL_REALS = 4, 10

# --- loads: ints (hub, table start, table rows), reals (force 3, torque 3) -----------------------------------------
LOAD_INTS, LOAD_REALS = 3, 6

# --- settings in reals ----------------------------------------------------------------------------------------------
ALPHA, EPSILON, THETA = range(3)
SETTING_COUNT = 4

RULE, COMMON_BETA, LITERAL = 0, 1, 2
OFF, UNDAMPED, DAMPED, AUTO = 0, 1, 2, 3

# --- ledger in y ------------------------------------------------------------------------------------------------------
WORK_DRAG, WORK_DAMPING, WORK_FRICTION, WORK_DRIVES, BAR_STEPS, BAR_STEPS_DAMPED = range(6)
LEDGER_COUNT = 6

FACTOR_COLUMNS = 27
"""Kept for each bar by the forward sweep: A⁻¹ (6), X = A⁻¹B (9), S⁻¹ (6), right-hand side (6)."""


class Model(NamedTuple):
    """Views of `ints` and `reals`."""

    ints: np.ndarray
    cables: np.ndarray
    controls_int: np.ndarray
    loads_int: np.ndarray
    order: np.ndarray
    column_start: np.ndarray
    column_rows: np.ndarray
    column_slots: np.ndarray
    updates: np.ndarray
    update_start: np.ndarray
    named: np.ndarray
    settings: np.ndarray
    sea: np.ndarray
    bars: np.ndarray
    joints: np.ndarray
    ends: np.ndarray
    hubs: np.ndarray
    points: np.ndarray
    controls: np.ndarray
    loads: np.ndarray
    table: np.ndarray


class State(NamedTuple):
    """Views of `y`."""

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
    ledger: np.ndarray
    """Cumulative works and counters."""


class Scratch(NamedTuple):
    """Views of `work`."""

    fault: np.ndarray
    """(4,): time, cable, element, value of the latest fault."""
    scheme: np.ndarray
    """(9,): see `coefficients.set_scheme`."""
    joints: np.ndarray
    """(joints, 9): G, D, K of the axial, bending and torsion rows."""
    factors: np.ndarray
    bias: np.ndarray
    """(joints, 6): β of each joint, position rows then rotation rows."""
    relative: np.ndarray
    """(joints, 4): relative quaternion of each rotation joint."""
    acceleration: np.ndarray
    """(n, 6): global linear, body angular."""
    multipliers: np.ndarray
    """(joints, 6): full multipliers, position rows then rotation rows."""
    points: np.ndarray
    """(points, 9): position, velocity, acceleration of the prescribed points."""
    hub_blocks: np.ndarray
    hub_rhs: np.ndarray
    """(hubs, 6): right-hand side, then acceleration."""
    carried: np.ndarray
    """(bars of hub-to-hub cables, 6, 6): coupling of each bar to its cable's first hub."""
    contact: np.ndarray
    """(n, 2, 7): of the latest solve at each bar end: active, G and bias of the normal row, G of the shear rows,
    friction force (3)."""


@kernel
def model_of(ints, reals):
    """Names for the compiled arrays."""
    nb, nc, nh, npt = ints[N_BARS], ints[N_CABLES], ints[N_HUBS], ints[N_POINTS]
    nctl, nl, ne, nu, nsea, nt = ints[N_CONTROLLED], ints[N_LOADS], ints[N_ENTRIES], ints[N_UPDATES], ints[N_SEA], ints[N_TABLE]
    i = HEADER
    cables = ints[i : i + nc * CABLE_COLUMNS].reshape((nc, CABLE_COLUMNS))
    i += nc * CABLE_COLUMNS
    controls_int = ints[i : i + nctl * CONTROL_INTS].reshape((nctl, CONTROL_INTS))
    i += nctl * CONTROL_INTS
    loads_int = ints[i : i + nl * LOAD_INTS].reshape((nl, LOAD_INTS))
    i += nl * LOAD_INTS
    order = ints[i : i + nh]
    i += nh
    column_start = ints[i : i + nh + 1]
    i += nh + 1
    column_rows = ints[i : i + ne]
    i += ne
    column_slots = ints[i : i + ne]
    i += ne
    updates = ints[i : i + 3 * nu].reshape((nu, 3))
    i += 3 * nu
    update_start = ints[i : i + nh + 1]
    i += nh + 1
    named = ints[i : i + ints[N_NAMED]]
    r = 0
    settings = reals[r : r + SETTING_COUNT]
    r += SETTING_COUNT
    sea = reals[r : r + nsea]
    r += nsea
    bars = reals[r : r + nb * BAR_COLUMNS].reshape((nb, BAR_COLUMNS))
    r += nb * BAR_COLUMNS
    joints = reals[r : r + (nb + nc) * JOINT_COLUMNS].reshape((nb + nc, JOINT_COLUMNS))
    r += (nb + nc) * JOINT_COLUMNS
    ends = reals[r : r + nc * 2 * END_COLUMNS].reshape((nc, 2, END_COLUMNS))
    r += nc * 2 * END_COLUMNS
    hubs = reals[r : r + nh * HUB_COLUMNS].reshape((nh, HUB_COLUMNS))
    r += nh * HUB_COLUMNS
    points = reals[r : r + npt * 3].reshape((npt, 3))
    r += npt * 3
    controls = reals[r : r + nctl * CONTROL_REALS].reshape((nctl, CONTROL_REALS))
    r += nctl * CONTROL_REALS
    loads = reals[r : r + nl * LOAD_REALS].reshape((nl, LOAD_REALS))
    r += nl * LOAD_REALS
    table = reals[r : r + nt]
    return Model(
        ints, cables, controls_int, loads_int, order, column_start, column_rows, column_slots, updates, update_start,
        named, settings, sea, bars, joints, ends, hubs, points, controls, loads, table,
    )  # fmt: skip


def state_parts(ints: np.ndarray) -> tuple[tuple[str, int, str, float], ...]:
    """Layout parts of `y` in the order `state_of` reads them: name, size, unit, error weight."""
    nb, nc, nh, nctl = (int(ints[k]) for k in (N_BARS, N_CABLES, N_HUBS, N_CONTROLLED))
    return (
        ("bars", nb * 13, "m, 1, m/s, rad/s", 1.0),
        ("hubs", nh * 13, "m, 1, m/s, rad/s", 1.0),
        ("controls", nctl * 6, "m, m/s", 1.0),
        ("multipliers", (nb + nc) * 3, "N", 0.0),
        ("attached", nc * 2, "1", 0.0),
        ("contact", nb * 8, "m, N", 0.0),
        ("slack_since", nc, "s", 0.0),
        ("ledger", LEDGER_COUNT, "J, 1", 0.0),
        ("adaptive_step", 1, "s", 0.0),
    )


@kernel
def state_of(ints, y):
    """Names for the state vector."""
    nb, nc, nh, nctl = ints[N_BARS], ints[N_CABLES], ints[N_HUBS], ints[N_CONTROLLED]
    i = 0
    bars = y[i : i + nb * 13].reshape((nb, 13))
    i += nb * 13
    hubs = y[i : i + nh * 13].reshape((nh, 13))
    i += nh * 13
    controls = y[i : i + nctl * 6].reshape((nctl, 6))
    i += nctl * 6
    multipliers = y[i : i + (nb + nc) * 3].reshape((nb + nc, 3))
    i += (nb + nc) * 3
    attached = y[i : i + nc * 2].reshape((nc, 2))
    i += nc * 2
    contact = y[i : i + nb * 8].reshape((nb, 2, 4))
    i += nb * 8
    slack_since = y[i : i + nc]
    i += nc
    ledger = y[i : i + LEDGER_COUNT]
    return State(bars, hubs, controls, multipliers, attached, contact, slack_since, ledger)


def scratch_size(ints: np.ndarray) -> int:
    """Length of `work`."""
    nb, nc, nh, npt, ns, ncar = (int(ints[k]) for k in (N_BARS, N_CABLES, N_HUBS, N_POINTS, N_SLOTS, N_CARRIED))
    nj = nb + nc
    return 13 + nj * 25 + nb * (FACTOR_COLUMNS + 20) + npt * 9 + ns * 36 + nh * 6 + ncar * 36


@kernel
def scratch_of(ints, work):
    """Names for the scratch memory."""
    nb, nc, nh, npt, ns, ncar = ints[N_BARS], ints[N_CABLES], ints[N_HUBS], ints[N_POINTS], ints[N_SLOTS], ints[N_CARRIED]
    nj = nb + nc
    fault = work[0:4]
    scheme = work[4:13]
    i = 13
    joints = work[i : i + nj * 9].reshape((nj, 9))
    i += nj * 9
    factors = work[i : i + nb * FACTOR_COLUMNS].reshape((nb, FACTOR_COLUMNS))
    i += nb * FACTOR_COLUMNS
    bias = work[i : i + nj * 6].reshape((nj, 6))
    i += nj * 6
    relative = work[i : i + nj * 4].reshape((nj, 4))
    i += nj * 4
    acceleration = work[i : i + nb * 6].reshape((nb, 6))
    i += nb * 6
    multipliers = work[i : i + nj * 6].reshape((nj, 6))
    i += nj * 6
    points = work[i : i + npt * 9].reshape((npt, 9))
    i += npt * 9
    hub_blocks = work[i : i + ns * 36].reshape((ns, 6, 6))
    i += ns * 36
    hub_rhs = work[i : i + nh * 6].reshape((nh, 6))
    i += nh * 6
    carried = work[i : i + ncar * 36].reshape((ncar, 6, 6))
    i += ncar * 36
    contact = work[i : i + nb * 14].reshape((nb, 2, 7))
    return Scratch(
        fault, scheme, joints, factors, bias, relative, acceleration, multipliers, points, hub_blocks, hub_rhs, carried,
        contact,
    )  # fmt: skip
