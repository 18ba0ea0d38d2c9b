"""The tables of the links.

A *chain* is a row of links, one cable or several joined in series at free points; it starts at a prescribed point where
it has one. Links are counted through all chains, nodes likewise: chain c has one node more than links, so its node i is
node `first + c + i`.
"""

from __future__ import annotations

from fairlead.algebra.records import INTS, REALS, WORK, Schema, Table, Y
from fairlead.loads.tables import COMMAND, CONTACT, HUNG_BODY, HUNG_KEPT, MOTION, PLAN
from fairlead.rigging.bed import TOUCH
from fairlead.rigging.point_loads import LIVE, LOAD, PUSH
from fairlead.sea.tables import SEA

SCHEMA = Schema(
    "links",
    "links chains nodes cables points controlled loads lumps hung_bodies named modes mode_pairs link_modes "
    "twist_blocks propagators contacts sea_rows samples",
    "reports_angles",
    *SEA,
    # start, stop: prescribed point at either end, −1 where it is free; twists: 1 when it does
    Table("chain", INTS, "first count start stop twists", per="chains"),
    Table("cable", INTS, "chain first count reversed", per="cables"),  # first: link in the chain's order
    Table("control", INTS, f"point {MOTION}", per="controlled"),
    # on: a node, −2 − b for the rigid body b; link: the one its torque turns, −1 when the point turns by itself
    Table("load", INTS, f"on link {LOAD}", per="loads"),
    Table("named_as", INTS, "which", per="named"),  # of all points and bodies: prescribed point, or −1 − node
    Table("carried", INTS, "first count", per="links"),  # lumps on a link
    Table("sitting", INTS, "body", per="nodes"),  # lump of a free point, −1 without, −2 − b where the body b hangs
    Table("twist_block", INTS, "first size data", per="twist_blocks"),  # of the twist's propagator, see `propagator`
    # constants; bending, damping: of the joint at the link's upper end; rotary: of a body clamped to the link; stretch:
    # EA/l, which statics and modes use
    Table("setting", REALS, "beta"),
    Table(
        "link", REALS, "length diameter mass added_normal added_axial weight buoyancy drag_law drag_normal drag_axial "
        "reynolds bending damping rotary stretch", per="links",
    ),
    Table("node", REALS, "radius stiffness damping shear fall", per="nodes"),  # its contact; how it falls in free water
    # rest directions of clamps; the clamp at the far end; the spring [N/m] that ties the far end to its point
    Table("end", REALS, "start_axis:3 stop_axis:3 stop_bending stop_damping spring spring_time", per="chains"),
    Table("fixed", REALS, "position:3", per="points"),
    Table("command", REALS, COMMAND, per="controlled"),
    Table("push", REALS, PUSH, per="loads"),
    Table("lump", REALS, "share mass added buoyancy drag height", per="lumps"),  # share: place along the link
    Table("hung", REALS, HUNG_BODY, per="hung_bodies"),
    Table("mode", REALS, "stiffness gain", per="modes"),
    Table("mode_damping", REALS, "number", per="mode_pairs"),
    Table("shape", REALS, "angle moment", per="link_modes"),  # row by row, a link a row
    Table("sample", REALS, "number", per="samples"),  # rows of motions and loads
    # the state
    Table("link_state", Y, "direction:3 rate:3", per="links", unit="1, 1/s", weight=1.0),
    Table("start_state", Y, "position:3 velocity:3", per="chains", unit="m, m/s", weight=1.0),
    Table("control_state", Y, "position:3 velocity:3", per="controlled", unit="m, m/s", weight=1.0),
    Table("body_state", Y, "turn:4 spin:3", per="hung_bodies", unit="1, rad/s", weight=1.0),  # its place: the chain's
    Table("twist", Y, "amplitude rate", per="modes", unit="mixed", weight=1e-3),
    Table("pull", Y, "tension", per="links", unit="N"),
    Table("contact", Y, CONTACT, per="contacts", unit="m, N"),
    Table("ledger", Y, "drag damping friction drives", unit="J"),
    Table("adaptive_step", Y, "size", unit="s"),
    Table("fault", WORK, "time chain link"),  # of the latest fault
    # scratch; book: what a power is multiplied by; later: how much later than the state the middle velocities are
    Table("step", WORK, "size book later"),
    Table("live", WORK, LIVE, per="loads"),
    Table("plan", WORK, PLAN, per="points"),
    # bend: the centripetal part of the acceleration; force: of all beyond a node on it
    Table("motion", WORK, "position:3 velocity:3 middle:3 bend:3 acceleration:3 force:3", per="nodes"),
    Table("turning", WORK, "turn:3 swing:3", per="links"),  # rate in the middle of the step, E w
    # what the sweep keeps of a link: E, (2×2)⁻¹, H, coupling to the link above, r, R; of the node below: P, X, p, S
    Table(
        "kept", WORK, "frame_1:3 frame_2:3 inverse:3 across_1:3 across_2:3 coupling:4 rhs:2 pull_1:3 pull_2:3 mass:6 "
        "side_1:3 side_2:3 load:3 lever_1:3 lever_2:3 lever_3:3", per="links",
    ),
    Table("touch", WORK, TOUCH, per="nodes"),
    Table("hung_kept", WORK, HUNG_KEPT, per="hung_bodies"),
    Table("found", WORK, "acceleration:3 spin:3", per="hung_bodies"),  # of a body found last, in its axes
    # of each block size rows of size + 1 numbers: its matrix and, last, the answer to a unit torque at the end
    Table("propagator", WORK, "number", per="propagators"),
    Table("twist_next", WORK, "number", per="modes", each=2),
)  # fmt: skip
