"""Where everything stands in the flat arrays of the links.

`ints` begins with a header of counts and offsets, `reals` with the sea. A *chain* is a row of links, one cable or
several joined in series at free points; it starts at a prescribed point where it has one. Links are counted through all
chains, nodes likewise: chain c has one node more than links, so its node i is node `first + c + i`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fairlead.algebra.compiled import kernel
from fairlead.loads.hung_body import HUNG_COLUMNS, HUNG_KEPT
from fairlead.loads.end_motion import STEP_NUMBERS

# --- header of `ints` ---------------------------------------------------------------------------------------------
(
    N_LINKS, N_CHAINS, N_CABLES, N_POINTS, N_CONTROLLED, N_LOADS, N_LUMPS, N_NAMED, N_HUNG, N_TWIST, N_BLOCKS, N_SEA,
    N_TABLE, N_CONTACTS, N_PROPAGATOR, REPORTS_ANGLES,
    I_CHAINS, I_CABLES, I_CONTROLS, I_LOADS, I_NAMED, I_BLOCKS,
    R_SETTINGS, R_LINKS, R_NODES, R_CHAINS, R_POINTS, R_CONTROLS, R_LOADS, R_LUMPS, R_HUNG, R_TWIST, R_MODES, R_TABLE,
    Y_LINKS, Y_STARTS, Y_CONTROLS, Y_HUNG, Y_TWIST, Y_TENSION, Y_CONTACT, Y_LEDGER, Y_ADAPTIVE,
    W_POINTS, W_PLACE, W_VELOCITY, W_MIDDLE, W_BEND, W_ACCELERATION, W_TURN, W_SWING, W_KEPT, W_FORCE, W_CONTACT,
    W_HUNG, W_PROPAGATOR, W_TWIST, W_END, HEADER,
) = range(59)  # fmt: skip

# --- one chain in `ints` ------------------------------------------------------------------------------------------
CHAIN_FIRST, CHAIN_COUNT, CHAIN_START, CHAIN_STOP, CHAIN_TWIST, CHAIN_INTS = range(6)
"""CHAIN_START and CHAIN_STOP: prescribed point at either end, −1 where it is free. CHAIN_TWIST: 1 when it twists."""

# --- one chain in `reals` -----------------------------------------------------------------------------------------
START_AXIS, STOP_AXIS = 0, 3
STOP_BENDING, STOP_DAMPING, SPRING, SPRING_TIME, CHAIN_REALS = range(6, 11)
"""Rest directions of clamps; the clamp at the far end; the spring [N/m] that ties the far end to its point."""

# --- one cable in `ints` ------------------------------------------------------------------------------------------
CABLE_CHAIN, CABLE_FIRST, CABLE_COUNT, CABLE_REVERSED, CABLE_INTS = range(5)
"""CABLE_FIRST: its first link in the chain's order."""

# --- one link in `reals` ------------------------------------------------------------------------------------------
(
    LENGTH, DIAMETER, MASS, ADDED_NORMAL, ADDED_AXIAL, WEIGHT, BUOYANCY, DRAG_LAW, DRAG_NORMAL, DRAG_AXIAL, REYNOLDS,
    LUMP_FIRST, LUMP_COUNT, BENDING, DAMPING, ROTARY, STRETCH, LINK_COLUMNS,
) = range(18)  # fmt: skip
"""BENDING and DAMPING: stiffness [N m] and damping [N m s] of the joint at the link's upper end. ROTARY: inertia of a
body clamped to the link [kg m²]. STRETCH: EA/l [N/m], which statics and modes use."""

# --- one node in `reals` ------------------------------------------------------------------------------------------
NODE_RADIUS, NODE_STIFFNESS, NODE_DAMPING, NODE_SHEAR, NODE_FALL, NODE_BODY, NODE_REALS = range(7)
"""Its contact with the seabed, and the acceleration [m/s²] with which it would fall in free water.
NODE_BODY: the lump that is the body of a free point there, −1 without one, −2 − b where the rigid body b hangs."""
CONTACT_ACTIVE, CONTACT_GAIN, CONTACT_BIAS, CONTACT_SHEAR, CONTACT_FRICTION, CONTACT_COLUMNS = 0, 1, 2, 3, 4, 7
"""The contact of a node in this step, kept in `work`."""

# --- one lump (point mass on a link) in `reals` -------------------------------------------------------------------
LUMP_SHARE, LUMP_MASS, LUMP_ADDED, LUMP_BUOYANCY, LUMP_DRAG, LUMP_HEIGHT, LUMP_COLUMNS = range(7)
"""LUMP_SHARE: place along the link, 0 at its upper end, 1 at its lower end."""

# --- loads, commands ----------------------------------------------------------------------------------------------
LOAD_NODE, LOAD_LINK, LOAD_TABLE, LOAD_ROWS, LOAD_LIVE, LOAD_INTS = range(6)
"""LOAD_NODE: −2 − b for one on the rigid body b. LOAD_LINK: the link its torque turns, −1 when the point turns by
itself. LOAD_LIVE: place of its inputs, −1 without."""
LOAD_OFFSET, LOAD_GIVEN, LOAD_REALS = 6, 9, 15
"""Force and torque of the file (6), where on its body (3), force and torque that are set live (6, NaN where not)."""
HUNG_STATE, HUNG_FOUND, HUNG_SCRATCH = 7, HUNG_KEPT, HUNG_KEPT + 6
"""A rigid body that hangs in the end of a chain: quaternion (4) and spin in its own axes (3); its place is the chain's.
In `work`, behind what `hung_body` keeps: the accelerations of its centre of mass and spin found last, in its axes."""
CONTROL_INTS, CONTROL_REALS = 4, 4
"""A controlled point: (point, kind of motion, table, rows) and (position 3, cut-off, sine 6)."""

# --- settings -----------------------------------------------------------------------------------------------------
BETA, SETTING_COUNT = 0, 1

# --- twist --------------------------------------------------------------------------------------------------------
BLOCK_FIRST, BLOCK_SIZE, BLOCK_DATA, BLOCK_INTS = range(4)
"""A block of the twist's propagator: first state, number of states, where its matrix begins (size rows of size + 1:
the matrix and, last, the answer to a unit torque at the end)."""

# --- ledger -------------------------------------------------------------------------------------------------------
WORK_DRAG, WORK_DAMPING, WORK_FRICTION, WORK_DRIVES, LEDGER_COUNT = range(5)

# --- scratch ------------------------------------------------------------------------------------------------------
FAULT, STEP, BOOK, LATER, KEPT_COLUMNS = 0, 3, 4, 5, 51
"""`work` begins with the place of a fault (time, chain, link), the step, what a power is multiplied by, and how much
later than the state the middle velocities are."""
SCRATCH = 8
KEPT_FRAME, KEPT_INVERSE, KEPT_ACROSS, KEPT_COUPLING, KEPT_RHS = 0, 6, 9, 15, 19
KEPT_PULL, KEPT_MASS, KEPT_SIDE, KEPT_LOAD, KEPT_LEVER = 21, 27, 33, 39, 42
"""What the sweep keeps of a link: E, (2×2)⁻¹, H, coupling to the link above, r, R; of the node below: P, X, p, S."""


def state_parts(ints: np.ndarray) -> list[tuple[str, int, str, float]]:
    """Parts of the state vector: name, size, unit, error weight."""
    return [
        ("links", 6 * int(ints[N_LINKS]), "1, 1/s", 1.0),
        ("starts", 6 * int(ints[N_CHAINS]), "m, m/s", 1.0),
        ("controls", 6 * int(ints[N_CONTROLLED]), "m, m/s", 1.0),
        ("bodies", HUNG_STATE * int(ints[N_HUNG]), "1, rad/s", 1.0),
        ("twist", int(ints[N_TWIST]), "mixed", 1e-3),
        ("tension", int(ints[N_LINKS]), "N", 0.0),
        ("contact", 4 * int(ints[N_CONTACTS]), "m, N", 0.0),
        ("ledger", LEDGER_COUNT, "J", 0.0),
        ("adaptive_step", 1, "s", 0.0),
    ]


def set_offsets(header: np.ndarray) -> None:
    """Fill the offsets from the counts."""
    h = header
    links, chains, points = int(h[N_LINKS]), int(h[N_CHAINS]), int(h[N_POINTS])
    nodes = links + chains

    def lay(start: int, parts: list[tuple[int, int]]) -> int:
        for place, size in parts:
            h[place] = start
            start += size
        return start

    lay(HEADER, [
        (I_CHAINS, CHAIN_INTS * chains), (I_CABLES, CABLE_INTS * int(h[N_CABLES])),
        (I_CONTROLS, CONTROL_INTS * int(h[N_CONTROLLED])), (I_LOADS, LOAD_INTS * int(h[N_LOADS])),
        (I_NAMED, int(h[N_NAMED])), (I_BLOCKS, BLOCK_INTS * int(h[N_BLOCKS])),
    ])  # fmt: skip
    modes = int(h[N_TWIST]) // 2
    lay(int(h[N_SEA]), [
        (R_SETTINGS, SETTING_COUNT), (R_LINKS, LINK_COLUMNS * links), (R_NODES, NODE_REALS * nodes),
        (R_CHAINS, CHAIN_REALS * chains),
        (R_POINTS, 3 * points), (R_CONTROLS, CONTROL_REALS * int(h[N_CONTROLLED])),
        (R_LOADS, LOAD_REALS * int(h[N_LOADS])), (R_LUMPS, LUMP_COLUMNS * int(h[N_LUMPS])),
        (R_HUNG, HUNG_COLUMNS * int(h[N_HUNG])),
        (R_TWIST, 3 * modes + modes * modes), (R_MODES, 2 * links * modes), (R_TABLE, int(h[N_TABLE])),
    ])  # fmt: skip
    start = 0
    sizes = [size for _, size, _, _ in state_parts(h)]
    for place, size in zip(
        (Y_LINKS, Y_STARTS, Y_CONTROLS, Y_HUNG, Y_TWIST, Y_TENSION, Y_CONTACT, Y_LEDGER, Y_ADAPTIVE), sizes, strict=True
    ):
        h[place] = start
        start += size
    h[W_END] = lay(SCRATCH, [
        (W_POINTS, STEP_NUMBERS * points), (W_PLACE, 3 * nodes), (W_VELOCITY, 3 * nodes), (W_MIDDLE, 3 * nodes),
        (W_BEND, 3 * nodes),
        (W_ACCELERATION, 3 * nodes), (W_TURN, 3 * links), (W_SWING, 3 * links),
        (W_KEPT, KEPT_COLUMNS * links), (W_FORCE, 3 * nodes), (W_CONTACT, CONTACT_COLUMNS * nodes),
        (W_HUNG, HUNG_SCRATCH * int(h[N_HUNG])),
        (W_PROPAGATOR, int(h[N_PROPAGATOR])), (W_TWIST, int(h[N_TWIST]) + links),
    ])  # fmt: skip


@kernel
def link_at(ints, i):
    """Where the constants of link i begin in `reals`."""
    return ints[R_LINKS] + LINK_COLUMNS * i


@kernel
def chain_at(ints, c):
    """Where the record of chain c begins in `ints`."""
    return ints[I_CHAINS] + CHAIN_INTS * c


@kernel
def chain_reals(ints, c):
    """Where the constants of chain c begin in `reals`."""
    return ints[R_CHAINS] + CHAIN_REALS * c


@kernel
def hung_at(ints, b):
    """Where the state of hanging body b begins in `y`."""
    return ints[Y_HUNG] + HUNG_STATE * b


@kernel
def hung_record_at(ints, b):
    """Where the constants of hanging body b begin in `reals`."""
    return ints[R_HUNG] + HUNG_COLUMNS * b


@kernel
def hung_work_at(ints, b):
    """Where what is kept of hanging body b begins in `work`."""
    return ints[W_HUNG] + HUNG_SCRATCH * b


@kernel
def point_at(ints, k):
    """Where position, velocity and acceleration of prescribed point k stand in `work`."""
    return ints[W_POINTS] + STEP_NUMBERS * k


@kernel
def vector_of(values, at):
    """Three numbers as a vector."""
    return (values[at], values[at + 1], values[at + 2])


@kernel
def put(values, at, vector):
    """Write a vector."""
    values[at] = vector[0]
    values[at + 1] = vector[1]
    values[at + 2] = vector[2]


class View:
    """Named views of a state vector and of the constants, for Python."""

    def __init__(self, ints: np.ndarray) -> None:
        self.ints = ints

    def links(self, y: np.ndarray) -> Any:
        """Directions and their rates, (links, 2, 3)."""
        n = int(self.ints[N_LINKS])
        return y[self.ints[Y_LINKS] : self.ints[Y_LINKS] + 6 * n].reshape(n, 2, 3)

    def starts(self, y: np.ndarray) -> Any:
        """Place and velocity of each chain's first node, (chains, 2, 3)."""
        n = int(self.ints[N_CHAINS])
        return y[self.ints[Y_STARTS] : self.ints[Y_STARTS] + 6 * n].reshape(n, 2, 3)

    def controls(self, y: np.ndarray) -> Any:
        """Place and velocity of each controlled point, (controlled, 2, 3)."""
        n = int(self.ints[N_CONTROLLED])
        return y[self.ints[Y_CONTROLS] : self.ints[Y_CONTROLS] + 6 * n].reshape(n, 2, 3)

    def tension(self, y: np.ndarray) -> Any:
        """Kept tension of each link, (links,) [N]."""
        return y[self.ints[Y_TENSION] : self.ints[Y_TENSION] + self.ints[N_LINKS]]

    def twist(self, y: np.ndarray) -> Any:
        """Modal twist, (twist,)."""
        return y[self.ints[Y_TWIST] : self.ints[Y_TWIST] + self.ints[N_TWIST]]

    def ledger(self, y: np.ndarray) -> Any:
        """Works since the start, (4,) [J]."""
        return y[self.ints[Y_LEDGER] : self.ints[Y_LEDGER] + LEDGER_COUNT]

    def link_rows(self, reals: np.ndarray) -> Any:
        """Constants of the links, (links, LINK_COLUMNS)."""
        n = int(self.ints[N_LINKS])
        return reals[self.ints[R_LINKS] : self.ints[R_LINKS] + LINK_COLUMNS * n].reshape(n, LINK_COLUMNS)

    def chain_rows(self, reals: np.ndarray) -> Any:
        """Constants of the chains, (chains, CHAIN_REALS)."""
        n = int(self.ints[N_CHAINS])
        return reals[self.ints[R_CHAINS] : self.ints[R_CHAINS] + CHAIN_REALS * n].reshape(n, CHAIN_REALS)

    def lump_rows(self, reals: np.ndarray) -> Any:
        """Constants of the lumps, (lumps, LUMP_COLUMNS)."""
        n = int(self.ints[N_LUMPS])
        return reals[self.ints[R_LUMPS] : self.ints[R_LUMPS] + LUMP_COLUMNS * n].reshape(n, LUMP_COLUMNS)

    @property
    def chains(self) -> Any:
        """Records of the chains, (chains, CHAIN_INTS)."""
        n = int(self.ints[N_CHAINS])
        return self.ints[self.ints[I_CHAINS] : self.ints[I_CHAINS] + CHAIN_INTS * n].reshape(n, CHAIN_INTS)
