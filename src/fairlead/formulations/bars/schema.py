"""All tables of a bar system, in the order in which they lie in memory.

Cables are stored in *sweep order*: the first end is a prescribed point wherever the cable has one, so that only cables
between two hubs couple their hubs. A cable stored against its file's direction is `reversed`. Joints are counted
through all cables: joint first + c + i of cable c lies before its bar i.
"""

from __future__ import annotations

from fairlead.algebra.records import INTS, REALS, SHARED, WORK, Schema, Table, Tables, Y
from fairlead.loads.landing import BED_KEPT
from fairlead.loads.tables import COMMAND, CONTACT, FEET_MEMORY, MOTION, PLAN, RIGID_BODY
from fairlead.payout.tables import CONTROLLER, CONTROLLER_STATE
from fairlead.rigging.floater_tables import FLOATER_COUNTS, FLOATER_TABLES
from fairlead.rigging.point_loads import LOAD, PUSH
from fairlead.rigging.ropes import ROPE_TABLES
from fairlead.rigging.winches import DRUM, LIMITS, WINCH
from fairlead.sea.tables import SEA

RULE, COMMON_BETA, LITERAL = 0, 1, 2
"""Tunings."""
OFF, UNDAMPED, DAMPED, AUTO, FILTERED = 0, 1, 2, 3, 4
"""Forms of the geometric stiffness; the last is that of the second-order step."""

BAR = (
    "length diameter mass added_normal added_axial inertia inertia_added spin_inertia weight buoyancy drag_law "
    "drag_normal drag_axial reynolds radius bed_stiffness bed_damping bed_shear lump_first lump_count slide_start "
    "slide_end whole"
)
"""Constants of a bar. Its ends slide past the line at the speeds `slide_start` and `slide_end` where a winch or a ring
works. `whole` is its unstretched length; `length` is the distance of its ends, less where a ring bends it."""
BODY = "position:3 turn:4 velocity:3 spin:3"
"""State of a bar or hub: place of its middle, quaternion, velocity (global), angular velocity (body axes)."""
BODY_UNIT = "m, 1, m/s, rad/s"
ACCELERATION = "linear:3 angular:3"
ROWS = "position:3 rotation:3"
"""Numbers of the three position and three rotation rows of a joint."""

SCHEMA = Schema(
    "bars",
    "bars joints cables hubs hubs_and_one points controlled loads slots entries updates samples carried named lumps "
    "frames hybrids sliders riders pairs winches pristine standing_hubs bodies sea_rows "
    f"ropes corners creeping abreast turning {FLOATER_COUNTS}",
    "tuning geometric loosens second",
    # `first` and `count` are live where there is a winch: the bars in use among those allotted
    Table("cable", INTS, "first count start_hub start_point start_clamp end_hub end_point end_clamp reversed rotary "
          "riders rider_count allotted_first allotted_count", per="cables"),
    Table("control", INTS, f"point {MOTION}", per="controlled"),  # the point it moves, else −1
    Table("load", INTS, f"hub {LOAD}", per="loads"),
    # the plan of `block_cholesky`, in its order
    Table("order", INTS, "hub", per="hubs"),
    Table("column_start", INTS, "entry", per="hubs_and_one"),
    Table("column_row", INTS, "hub", per="entries"),
    Table("column_slot", INTS, "slot", per="entries"),
    Table("update", INTS, "left right target", per="updates"),
    Table("update_start", INTS, "update", per="hubs_and_one"),
    Table("name", INTS, "which", per="named"),  # points and bodies of the file: prescribed point, or −hub − 1
    # of a prescribed point: the body it belongs to, the control that moves it (or that body); −1 for none
    Table("owner", INTS, "frame control", per="points"),
    Table("frame", INTS, "position rotation", per="frames"),  # controls of a prescribed body
    Table("hybrid", INTS, "hub control", per="hybrids"),
    Table("slider", INTS, "ring host", per="sliders"),  # hub of a ring, the cable it slides on
    # hubs carried through a cable: the ring (or −1), place in `carry`, slot of the block with the cable's end hub,
    # first of its pairs: slots of the blocks with each rider before it
    Table("rider", INTS, "hub slider carried slot pairs", per="riders"),
    Table("pair", INTS, "slot", per="pairs"),
    # 1 when the drum is at the sweep's end; 1 when it rescales; bars allotted; its pristine bars
    Table("winch", INTS, f"{WINCH} at_end rescaling allotted_first allotted_count pristine", per="winches"),

    *SEA,
    Table("settings", REALS, "alpha epsilon theta wave_reach", owner=SHARED),
    Table("bar", REALS, BAR, per="bars"),
    # axial, bending, torsion; 1: only pulls; its rope or −1, how long that is, and 1/k of what is beside it
    Table("joint", REALS, "stiffness:3 damping:3 one_way rope rope_length beside", per="joints"),
    *ROPE_TABLES,
    Table("end", REALS, "frame:4 release_time release_tension lever:3", per="cables", each=2),
    Table("hub", REALS, RIGID_BODY, per="hubs"),
    Table("point", REALS, "position:3", per="points"),  # or the lever in the frame of its body
    Table("command", REALS, COMMAND, per="controlled"),
    Table("push", REALS, PUSH, per="loads"),
    Table("lump", REALS, "offset mass added buoyancy drag height", per="lumps"),  # an attachment on a bar
    Table("sample", REALS, "number", per="samples"),
    Table("drive", REALS, "stiffness damping force_max tension_max", per="hybrids"),
    # stiffness across, of stops and friction's spring; μ; bending stiffness of the host's joints
    Table("ring", REALS, "across grip friction bending", per="sliders"),
    Table("drum", REALS, LIMITS, per="winches"),
    Table("controller", REALS, CONTROLLER, per="winches"),
    Table("pristine_bar", REALS, f"{BAR} half_stiffness:3 half_time:3", per="pristine"),  # at its nominal length

    Table("bar_state", Y, BODY, per="bars", unit=BODY_UNIT, weight=1.0),
    Table("hub_state", Y, BODY, per="hubs", unit=BODY_UNIT, weight=1.0),
    Table("controls", Y, "position:3 velocity:3", per="controlled", unit="m, m/s", weight=1.0),
    Table("multipliers", Y, "force:3", per="joints", unit="N"),  # on the earlier body, global, of the latest step
    # what the second-order step needs of the step before: accelerations of bars and hubs; C̈ of the position rows of a
    # joint and its tension a step earlier; of rotation rows their multiplier and C̈
    Table("bar_felt", Y, ACCELERATION, per="bars", unit="m/s², rad/s²"),
    Table("hub_felt", Y, ACCELERATION, per="hubs", unit="m/s², rad/s²"),
    Table("joint_felt", Y, "parting:3 tension", per="joints", unit="m/s², N"),
    Table("turn_felt", Y, "moment:3 parting:3", per="turning", unit="N m, rad/s²"),
    Table("attached", Y, "joined", per="cables", each=2),  # 1 while an end is joined to its point
    Table("contact", Y, CONTACT, per="bars", each=2, unit="m, N"),
    Table("slack_since", Y, "time", per="cables", unit="s"),  # negative before
    Table("snap", Y, "rise most loose", per="cables", unit="N, N, 1"),  # of the tensions since; 1 while loose
    # bar it is on; slip of friction; force on it; by how much it shortens its bar, and how fast; the bar it was on
    # before, by how much that is still shortened; pull of the line
    Table("ring_state", Y, "on_bar slip press short rate left owed pull", per="sliders",
          unit="1, m, N, m, m/s, 1, m, N"),
    Table("winch_state", Y, DRUM, per="winches", unit="m, m, 1, 1, m"),
    Table("winch_rate", Y, CONTROLLER_STATE, per="winches", unit="m/s, N"),
    Table("standing", Y, FEET_MEMORY, per="standing_hubs", unit="m, N, s, m/s"),
    Table("ledger", Y, "drag damping friction drives steps steps_damped", unit="J, 1"),
    Table("adaptive_step", Y, "size", unit="s"),

    Table("fault", WORK, "time cable element"),  # of the latest fault
    # G = g_per_c·c + g_per_k·k, D = c + d_per_k·k of what is taken a step later; the step over which drag is implicit;
    # what makes a power a work. See `coefficients.set_scheme` for the rest
    Table("scheme", WORK, "g_per_c g_per_k d_per_k drag step theta geometric kind book half travel carried joint_g "
          "joint_memory string_g string_memory fresh", owner=SHARED),
    # joints that the first pass of a step has left wrong, and the books before it
    Table("before", WORK, "wrong drag damping drives steps steps_damped"),
    Table("row", WORK, "gdk:9", per="joints"),  # G, D, K of the axial, bending and torsion rows
    # bars that are ready to be eliminated, eight at a time (`assembly`)
    Table("ready", WORK, "one:3 two:3 held:6 force:3 torque:3 reach lever jx jz far g loose plain down weight:6 push:3 "
          "power damped beta:3 first:6 m_x:3 m_y:3 m_z:3 second:6 back:3", per="abreast"),
    Table("factor", WORK, "mobility:6 v_x:3 v_y:3 force:3 spin:2 v_z:3 transverse:3 axial:3 twist", per="bars"),
    Table("bias", WORK, f"{ROWS} known:3 turning:3", per="joints"),  # β, and the known part of C̈
    Table("relative", WORK, "turn:6", per="joints"),
    Table("acceleration", WORK, ACCELERATION, per="bars"),
    Table("joint_load", WORK, "force:3 moment:3", per="joints"),
    Table("parting", WORK, ROWS, per="joints"),  # C̈ that the next step remembers
    Table("point_now", WORK, "position:3 velocity:3 acceleration:3", per="points"),
    Table("matrix", WORK, "value", per="slots", each=36),
    Table("hub_rhs", WORK, ACCELERATION, per="hubs"),  # right-hand sides, then accelerations
    Table("carry", WORK, "value", per="carried", each=36),
    Table("touch", WORK, "active normal_g normal_bias shear_g friction:3 normal_force normal:3", per="bars", each=2),
    Table("rate", WORK, ROWS, per="joints"),
    Table("damper", WORK, ROWS, per="joints"),  # known part of C̈, then the damping force
    Table("plan", WORK, PLAN, per="controlled"),
    Table("frame_now", WORK, "turn:4 spin:3 spin_rate:3", per="frames"),
    # of a ring: 1 where its bar bends, where its line is taut; where on its element it was; how
    # fast the bar it left grows; of the acceleration of its bar's length: its own coefficient and right-hand side, and
    # what it puts on the bar; d̈₁, d̈₂, and with them d₁, d₂ about which its rows are taken; by how much the line is too
    # long there; pull; how often they were taken anew
    Table("ring_rows", WORK, "bent taut before repaying own rhs force:3 torque:3 gained_one:3 gained_two:3 "
          "then_one:3 then_two:3 excess pull tries", per="sliders"),
    # rows of a ring: λ = g(near·d̈₁ + far·d̈₂) + bias
    Table("ring_row", WORK, "near:3 far:3 g bias", per="sliders", each=10),
    Table("feet", WORK, f"kept:{BED_KEPT}", per="standing_hubs"),
    # of a joint that only pulls: whether it is loose; the tension of its string stiffness where a pass has found one
    # that the previous step did not have; where on its bar it acts; 1 where the line runs along the axis of its bar, −1
    # where the element is turned over; along the line the bias of its multiplier if it were taut and, where its damper
    # works, the rate of its gap and the known part of that rate's change; 1 where it is caught
    Table("loose", WORK, "loose string offset side pull stretching known caught", per="joints"),
    *FLOATER_TABLES,
)  # fmt: skip
system = SCHEMA.view
_PLAIN = {"ropes": 0, "floaters": 0, "ptos": 0, "standing_hubs": 0}
plain_system = SCHEMA.knowing(**_PLAIN)
"""The view of a system without ropes, floaters and bodies with feet, as most are."""


def is_plain(tables: Tables) -> bool:
    """Whether kernels may see a system as `plain_system`."""
    return all(getattr(tables, name) == value for name, value in _PLAIN.items())
