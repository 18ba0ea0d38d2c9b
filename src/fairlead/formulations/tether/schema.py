"""The tables of a compiled tether system.

A cable of n links has n + 1 nodes; its first and last are the points it ends in, so that cables that meet in a free
point share a node there. Their room among the nodes' states is not used.
"""

from __future__ import annotations

from fairlead.algebra.records import INTS, REALS, WORK, Schema, Table, Y
from fairlead.loads.tables import COMMAND, CONTACT, HUNG_BODY, HUNG_KEPT, MOTION, PLAN
from fairlead.rigging.bed import TOUCH
from fairlead.rigging.point_loads import LIVE, LOAD, PUSH
from fairlead.rigging.winches import WINCH
from fairlead.sea.tables import SEA

STRAIN, TO_DISTANCE = 0, 1
"""`error` of a link: (d − l)/l, or the paper's (d − l)/d."""
EXACT, DIFFERENCE = 0, 1
"""`rate` of it: from the velocities, or the paper's difference of two steps."""
ELASTIC, LENGTH_ITSELF = 0, 1
"""`aim` of the integral: the stretch F/EA of the cable, or the paper's l whatever the tension."""
TWO_WAY, TENSION_ONLY = 0, 1
"""`sides` of a link: it pulls and pushes, or pulls only."""
FORMULA, TEXT = 0, 1
"""`direction` u of a link force: by the paper's formula, which pulls, or by its text, which pushes."""
FREE, FIXED, CONTROLLED, HUNG = 0, 1, 2, 3
"""`kind` of a point. HUNG: where a rigid body hangs in its cable; behind the points of the file, one a body."""
NODE_DRAG = 3.0
"""Drag law of the paper, −f‖v‖v on the node, beside those of `fairlead.loads.drag`."""

SCHEMA = Schema(
    "tether",
    "cables nodes links points controlled loads winches bodies hung_bodies sea_rows samples",
    "error rate aim sides direction",
    *SEA,
    Table("cable", INTS, "node link count start end bends", per="cables"),
    Table("point", INTS, "kind which", per="points"),  # which body, control or hanging body
    Table("control", INTS, MOTION, per="controlled"),
    Table("load", INTS, f"on {LOAD}", per="loads"),
    Table("winch", INTS, WINCH, per="winches"),
    Table("carried", INTS, "first count", per="nodes"),  # attachments, among the bodies
    # constants: of a node what its two half links give it
    Table(
        "node", REALS, "mass added_normal added_axial weight buoyancy drag_law drag_normal drag_axial reynolds share "
        "diameter radius bed_stiffness bed_damping bed_shear", per="nodes",
    ),
    Table("link", REALS, "length proportional derivative integral stiffness", per="links"),
    Table("joint", REALS, "stiffness time", per="nodes"),  # against bending: EI/l and its damping time
    Table("command", REALS, COMMAND, per="controlled"),
    Table("push", REALS, PUSH, per="loads"),
    Table("body", REALS, "mass added buoyancy drag height", per="bodies"),
    Table("drum", REALS, "length least greatest", per="winches"),  # length at the start, and its limits
    Table("hung", REALS, HUNG_BODY, per="hung_bodies"),
    Table("sample", REALS, "number", per="samples"),  # rows of motions, loads and winches
    # the state
    Table("node_state", Y, "position:3 velocity:3", per="nodes", unit="m, m/s", weight=1.0),
    Table("point_state", Y, "position:3 velocity:3", per="points", unit="m, m/s", weight=1.0),
    Table(
        "body_state", Y, "position:3 turn:4 velocity:3 spin:3", per="hung_bodies", unit="m, 1, m/s, rad/s", weight=1.0
    ),
    Table("link_state", Y, "integral error", per="links", unit="s, 1"),
    Table("contact", Y, CONTACT, per="nodes", unit="m, N"),
    Table("paid", Y, "factor rate", per="cables", unit="1, 1/s"),  # length beside that at the start, and its growth
    # of the links of a cable: the largest tension, and the largest that their softness lends; see `note_softness`
    Table("softness", Y, "most lent", per="cables", unit="N"),
    # works given to the cables since the start; bending and bed: of their damping, the rest is found from the shape
    Table("ledger", Y, "proportional integral derivative weight drag bending bed friction drives", unit="J"),
    Table("run", Y, "started"),
    Table("fault", WORK, "time cable node"),  # of the latest fault; the node, or the link that begins there
    # scratch; drag: the step over which drag is implicit; carried: how much of a step's change of velocity its own
    # move takes (the step, or 0 for explicit Euler)
    Table("step", WORK, "size drag carried"),
    Table("pull", WORK, "tension", per="links"),
    Table("bend", WORK, "force:3 moment", per="nodes"),
    Table("touch", WORK, f"{TOUCH} matrix:6 force:3 push:3", per="nodes"),  # of the solve; push: what came out of it
    # of a cable end: force, after the step that of the cable on its point; effective mass; direction of its link out of
    # the node; P, I, D parts; drag and its secant times the step; weight less buoyancy; power of the water beside drag
    Table("end", WORK, "force:3 matrix:6 pull:3 parts:3 water:3 secant:6 weight power", per="cables", each=2),
    Table("moved", WORK, "acceleration:3 force:3 matrix:6", per="points"),
    Table("live", WORK, LIVE, per="loads"),
    Table("plan", WORK, PLAN, per="points"),
    Table("hung_kept", WORK, HUNG_KEPT, per="hung_bodies"),
)  # fmt: skip
