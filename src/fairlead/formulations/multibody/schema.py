"""The tables of a compiled tree of bodies: what stands in `ints`, `reals`, `y` and `work`, by name.

The tree's bodies are numbered so that every parent comes before its children. What a body may hang from besides another
body is a *base*: the world, or a point or body with a prescribed motion. Bases and bodies share one kind of record:
bases first, then bodies. All in it is in global axes about the body's origin, linear before angular.
"""

from __future__ import annotations

from fairlead.algebra.records import INTS, REALS, WORK, Schema, Table, Y
from fairlead.loads.landing import BED_KEPT
from fairlead.loads.tables import COMMAND, CONTACT, FEET_MEMORY, MOTION, RIGID_BODY
from fairlead.payout.tables import CONTROLLER, CONTROLLER_STATE
from fairlead.rigging.bed import TOUCH
from fairlead.rigging.point_loads import LIVE, LOAD, PUSH
from fairlead.rigging.winches import LIMITS, WINCH
from fairlead.sea.tables import SEA

CLIP, PAPER, ROD = 0, 1, 2
"""What a `slack` element does: nothing; keep its damping as printed, so that it may push; carry compression."""
FIXED, REVOLUTE, PRISMATIC, SPHERICAL, FREE, TRANSLATION, CABLE = range(7)
"""Kinds of joints."""
COORDINATES = (0, 1, 1, 4, 7, 3, 3)
SPEEDS = (0, 1, 1, 3, 6, 3, 3)
"""How many each kind has."""

SCHEMA = Schema(
    "multibody",
    """bodies bases records coordinates speeds cables elements controlled moved_bases loads solids standing winches
    places points sea_rows samples""",
    "slack law",
    # --- the tree ----------------------------------------------------------------------------------------------------
    # record of its parent; kind of its joint, its first coordinate and speed; of a cable's node the element above it
    # and its cable, else −1
    Table("body", INTS, "parent kind coordinate speed element cable", per="bodies"),
    # first body, elements, first element, and whether it is kept against the file's direction
    Table("cable", INTS, "body count element reversed", per="cables"),
    Table("control", INTS, MOTION, per="controlled"),
    Table("moved", INTS, "base position angles", per="moved_bases"),  # the commands of both, or −1
    Table("load", INTS, f"record {LOAD}", per="loads"),
    Table("solid", INTS, "record turns", per="solids"),  # what the water sees
    Table("winch", INTS, WINCH, per="winches"),
    Table("seen", INTS, "record", per="places"),  # points and bodies of the file
    # --- properties --------------------------------------------------------------------------------------------------
    *SEA,
    Table("settings", REALS, "theta rebase_at light"),  # light: 1 where nodes carry much more than they weigh
    # frame and place of the joint in the parent's frame, its axis; dry mass, centre and moments of inertia of the body
    Table("joint", REALS, """frame:9 place:3 axis:3 spring damper rest low high stop stop_damper mass centre:3
        inertia:6""", per="bodies"),
    Table("base", REALS, "rotation:9 position:3", per="bases"),
    # per metre of unstretched line where that makes sense; parts of its mass at the nearer node and at the other
    Table("element", REALS, """stiffness damping_time mass added_normal added_axial weight buoyancy diameter drag_law
        drag_normal drag_axial reynolds share_near share_far radius bed_stiffness bed_damping bed_shear""",
        per="elements"),
    Table("command", REALS, COMMAND, per="controlled"),
    Table("push", REALS, PUSH, per="loads"),
    Table("hull", REALS, f"{RIGID_BODY} place:3", per="solids"),  # place of its centre of mass in its record's frame
    Table("limits", REALS, LIMITS, per="winches"),
    Table("controller", REALS, CONTROLLER, per="winches"),
    Table("origin", REALS, "offset:3", per="places"),
    Table("sample", REALS, "number", per="samples"),  # rows of all motions, factors and rates
    # --- state -------------------------------------------------------------------------------------------------------
    Table("coordinate", Y, "value", per="coordinates", unit="rad, m, 1", weight=1.0),
    Table("speed", Y, "value", per="speeds", unit="rad/s, m/s", weight=1.0),
    Table("controls", Y, "position:3 velocity:3", per="controlled", unit="m, m/s, rad, rad/s", weight=1.0),
    Table("line", Y, "length", per="elements", unit="m", weight=1.0),  # unstretched; nothing on the drum
    Table("frame", Y, "turn:4", per="elements"),  # from which an element counts its turns, in its parent's axes
    Table("paid", Y, "count rate", per="cables", unit="1, m/s"),  # elements off the drum
    Table("snap", Y, "slack_since rise most", per="cables", unit="s, N"),  # since < 0: never slack; see `note_snaps`
    Table("latest", Y, "tension", per="elements", unit="N"),  # of the step before
    Table("drum", Y, f"{CONTROLLER_STATE} latest", per="winches", unit="m/s, N, 1"),
    Table("contact", Y, CONTACT, per="bodies", unit="m, N"),
    Table("landing", Y, FEET_MEMORY, per="standing", unit="m, N, s, m/s"),
    Table("ledger", Y, "drag damping friction drives rebased element_steps element_steps_damped", unit="J, 1"),
    Table("adaptive_step", Y, "size", unit="s"),
    # --- kept within a step ------------------------------------------------------------------------------------------
    Table("fault", WORK, "time place slot"),  # of the latest fault; the place is a body or a cable
    # step h; half of it, over which drag is implicit; θh, over which springs are; 1 when the accelerations of a first
    # solution of the same step are there; 1 when slack elements stay slack. All steps are zero for ODE integrators
    Table("scheme", WORK, "step half theta_step predicted loosen"),
    Table("power", WORK, "drag friction drives"),  # of the latest solution
    # drift γ; inertia A, B, D and bias β, own and then composite or articulated
    Table("record", WORK, """rotation:9 position:3 velocity:3 spin:3 arm:3 drift:3 drift_turn:3 A:6 B:9 D:6 bias:3
        bias_turn:3 acceleration:3 alpha:3""", per="records"),
    Table("axis", WORK, "linear:3 angular:3", per="records", each=6),  # S
    Table("gain", WORK, "linear:3 angular:3", per="records", each=6),  # of the elimination; see `articulated`
    Table("pivot", WORK, "number", per="records", each=36),
    Table("drive", WORK, "number", per="records", each=6),
    Table("old", WORK, "rotation:9 position:3 velocity:3 spin:3", per="bodies"),  # before coordinates are rebuilt
    Table("effort", WORK, "torque stiff", per="speeds"),  # τ of the joints and what their springs add, G
    Table("start_coordinate", WORK, "value", per="coordinates"),  # of the step
    Table("start_speed", WORK, "value", per="speeds"),
    Table("change", WORK, "value", per="speeds"),  # accelerations found
    # thought taut: 1; what its string stiffness adds: g·α + c·ω, a couple
    Table("pull", WORK, "tension taut string_g string_c", per="elements"),
    Table("touch", WORK, f"{TOUCH} push:3 press", per="bodies"),  # press: the push along the bed's normal
    Table("live", WORK, LIVE, per="loads"),
    Table("payout", WORK, "rate", per="cables"),
    Table("end", WORK, "near:3 far:3", per="cables"),  # forces on what is at its ends
    Table("foot", WORK, f"kept:{BED_KEPT}", per="standing"),
    # the water at an element: velocity and acceleration at its two nodes, elevation of the surface above its middle
    Table("flow", WORK, "near:3 near_push:3 far:3 far_push:3 surface", per="elements"),
)  # fmt: skip
system = SCHEMA.view
