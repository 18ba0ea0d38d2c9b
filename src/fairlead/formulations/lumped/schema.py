"""The tables of a compiled system of point masses: what stands in `ints`, `reals`, `y` and `work`, by name.

A cable of n elements has n + 1 nodes. An end node that is joined to a point follows it; when it is released it becomes
a mass of its own. Cables are stored in *sweep order*: from the drum where there is one, else from a prescribed point
where there is one, so that only cables between two free points couple them. Node i of cable c has the number of element
i plus c; cable c has the ends 2c (its start) and 2c + 1. Free points and free bodies are the hubs.
"""

from __future__ import annotations

from fairlead.algebra.records import INTS, REALS, WORK, Schema, Table, Tables, Y
from fairlead.loads.landing import BED_KEPT
from fairlead.loads.tables import COMMAND, CONTACT, FEET_MEMORY, MOTION, PLAN, RIGID_BODY
from fairlead.payout.tables import CONTROLLER, CONTROLLER_STATE
from fairlead.rigging.bed import TOUCH
from fairlead.rigging.floater_tables import FLOATER_COUNTS, FLOATER_TABLES
from fairlead.rigging.joints import JOINT_COUNTS, JOINT_TABLES
from fairlead.rigging.point_loads import LIVE, LOAD, PUSH
from fairlead.rigging.rods import ROD_COUNTS, ROD_TABLES
from fairlead.rigging.ropes import ROPE_TABLES
from fairlead.rigging.winches import DRUM, LIMITS, WINCH
from fairlead.sea.tables import SEA

OFF, UNDAMPED, DAMPED, AUTO, FILTERED = 0, 1, 2, 3, 4
"""Forms of the string stiffness, `geometric`; the last is that of the second-order step."""
CARRIED, NO_COMPRESSION, DAMPING_ONLY = 0, 1, 2
"""What an element may do when it is pushed together: `pushed`."""

_ELEMENT = """length stiffness damping_time bending bending_time mass added_normal added_axial weight buoyancy diameter
    drag_law drag_normal drag_axial reynolds radius bed_stiffness bed_damping bed_shear lump_first lump_count growth
    pushed rope"""

SCHEMA = Schema(
    "lumped",
    f"""nodes elements nominals cables hubs standing_hubs points frames controlled hybrids loads winches lumps named
    bodies sea_rows samples slots hubs_and_one entries updates matrix_numbers unknowns ropes corners creeping wakes
    givens {FLOATER_COUNTS}
    {JOINT_COUNTS} {ROD_COUNTS}""",
    "hub_size law slackens geometric",  # unknowns of a hub: 6 where there are free bodies, else 3
    # --- what is joined to what --------------------------------------------------------------------------------------
    # `first` and `count` are the elements paid out; `reversed` is a cable stored against the direction of its file
    Table("cable", INTS, "first count allotted_first allotted_count reversed bends slot", per="cables"),
    Table("joint", INTS, "hub point clamp", per="cables", each=2),  # hub or prescribed point of an end, the other −1
    Table("owner", INTS, "frame", per="points"),  # prescribed body that carries a point, or −1
    Table("frame", INTS, "position rotation", per="frames"),  # controls of a prescribed body
    Table("control", INTS, f"point {MOTION}", per="controlled"),  # the point it moves, else −1
    Table("hybrid", INTS, "hub control", per="hybrids"),
    Table("load", INTS, f"hub {LOAD}", per="loads"),
    Table("winch", INTS, f"{WINCH} rescales", per="winches"),
    Table("name", INTS, "which", per="named"),  # all points and bodies of the file: prescribed k, or hub −1 − k
    Table("order", INTS, "hub", per="hubs"),  # these six: how `block_cholesky` solves for the hubs
    Table("column_start", INTS, "entry", per="hubs_and_one"),
    Table("column_row", INTS, "hub", per="entries"),
    Table("column_slot", INTS, "slot", per="entries"),
    Table("update", INTS, "left right target", per="updates"),
    Table("update_start", INTS, "update", per="hubs_and_one"),
    # --- properties --------------------------------------------------------------------------------------------------
    *SEA,
    Table("settings", REALS, "theta second_order wave_reach given_since"),
    *ROPE_TABLES,  # an element that is a rope has its number
    Table("element", REALS, _ELEMENT, per="elements"),  # what its two nodes share stands as their half
    Table("nominal", REALS, _ELEMENT, per="nominals"),  # the same before any winch turns
    Table("wake", REALS, "lift diameter centre width", per="wakes"),  # of each element, where any sheds vortices
    # the water's motion at each node as given from outside at `given_since`, where it is
    Table("given", REALS, "velocity:3 acceleration:3", per="givens"),
    Table("end", REALS, "direction:3 release_time release_tension offset:3", per="cables", each=2),
    Table("lump", REALS, "share mass added buoyancy drag height", per="lumps"),
    Table("hub", REALS, RIGID_BODY, per="hubs"),
    Table("point", REALS, "position:3", per="points"),  # or offset on the body that carries it
    Table("command", REALS, COMMAND, per="controlled"),
    Table("drive", REALS, "stiffness damping force_max tension_max", per="hybrids"),
    Table("push", REALS, PUSH, per="loads"),
    Table("limits", REALS, LIMITS, per="winches"),
    Table("controller", REALS, CONTROLLER, per="winches"),
    Table("sample", REALS, "number", per="samples"),  # rows of all motions, factors and rates
    # --- state -------------------------------------------------------------------------------------------------------
    Table("node", Y, "position:3 velocity:3", per="nodes", unit="m, m/s", weight=1.0),
    Table("hub_state", Y, "position:3 turn:4 velocity:3 spin:3", per="hubs", unit="m, 1, m/s, rad/s", weight=1.0),
    Table("controls", Y, "position:3 velocity:3", per="controlled", unit="m, m/s", weight=1.0),
    # of the latest step: tension, rate of strain, tension passed on to either node, relative acceleration of the nodes
    # across the element; tension of the step before it
    Table("spring", Y, "tension straining passed:2 sway:3 earlier", per="elements", unit="N, 1/s, N, m/s2, N"),
    # of the latest step, and whether there was one
    Table("previous", Y, "acceleration:3", per="nodes", unit="m/s2"),
    Table("hub_previous", Y, "acceleration:3 spin_rate:3", per="hubs", unit="m/s2, rad/s2"),
    Table("history", Y, "steps", unit="1"),
    # vortices behind each element: phase, its velocity in the step before, mean squares of ẏ and ÿ across the flow
    Table("shed", Y, "phase velocity:3 since across2 turning2", per="wakes", unit="rad, m/s, s, m2/s2, m2/s4"),
    Table("hold", Y, "attached pull force:3", per="cables", each=2, unit="1, N, N"),
    Table("grip", Y, CONTACT, per="nodes", unit="m, N"),  # normal force HELD: by an anchor
    # since < 0: never slack; loose: steps for which it still counts as loose, see `scheme`; see `note_slack`
    Table("slack", Y, "since rise most loose", per="cables", unit="s, N, N, 1"),
    Table("drum", Y, DRUM, per="winches", unit="m, 1, m"),
    Table("turning", Y, CONTROLLER_STATE, per="winches", unit="m/s, N or m/s"),
    Table("standing", Y, FEET_MEMORY, per="standing_hubs", unit="m, N, s, m/s"),
    Table("ledger", Y, "drag damping friction drives element_steps element_steps_damped", unit="J, 1"),
    Table("adaptive_step", Y, "size", unit="s"),
    # --- kept within a step ------------------------------------------------------------------------------------------
    Table("fault", WORK, "time place node"),  # of the latest fault; the place is a cable or a hub
    Table("scheme", WORK, """spring_g spring_ahead spring_bow filter string_g string_memory bending_g bending_d
        bending_memory damper_g damper_memory g_per_c g_per_k d_per_k step theta drag_theta foresight drift geometric
        book loose"""),
    Table("row", WORK, "D:6 A:9 C:9 N:9 r:3 acceleration:3", per="nodes"),  # see `assembly` and `sweep`
    Table("chord", WORK, """direction:3 span rate tension_g tension_bias damping damping_g load_along:2
        mass_along:2 mass_shared slow_across:3 slow_along:3 drag_first:3 drag_last:3 taut string apart pull
        all_round:3 beyond:3 push_first:3 push_last:3""",
        per="elements"),  # `taut` to `pull`: see `slackening`. The last four are for the rows: a matrix all round and
    # what it is beyond that along the element, at the first node, at the last and between them; forces on both
    Table("sampled", WORK, "tension", per="nodes"),  # of a sample: tensions of the step that ends with it
    Table("facing", WORK, "direction:3", per="elements"),  # of a sample: where elements point as its step begins
    Table("shedding", WORK, "rate across turning", per="wakes"),
    Table("contact", WORK, f"{TOUCH} normal_force gap k ks", per="nodes"),
    Table("point_now", WORK, "position:3 velocity:3 acceleration:3", per="points"),
    Table("plan", WORK, PLAN, per="controlled"),
    Table("live", WORK, f"{LIVE} acting:3 turning:3", per="loads"),  # what acts in this step, torques in body axes
    Table("frame_now", WORK, "turn:4 spin:3 spin_rate:3", per="frames"),
    Table("balance", WORK, "force:3 torque:3 acceleration:3 spin_rate:3", per="hubs"),
    Table("matrix", WORK, "number", per="matrix_numbers"),  # hub_size × hub_size numbers a slot
    Table("unknown", WORK, "number", per="unknowns"),  # hub_size numbers a hub
    Table("end_force", WORK, "force:3", per="cables", each=2),  # of each cable end on its point
    Table("feet", WORK, f"kept:{BED_KEPT}", per="standing_hubs"),
    *FLOATER_TABLES,
    *JOINT_TABLES,
    *ROD_TABLES,
)  # fmt: skip
system = SCHEMA.view
_PLAIN = {"winches": 0, "ropes": 0, "wakes": 0, "floaters": 0, "bonds": 0, "rods": 0}
plain_system = SCHEMA.knowing(**_PLAIN)
"""The view of a system without winches, ropes, vortices, floaters, joints and rods, as most are."""
quick_system = SCHEMA.knowing(True, **_PLAIN)
"""The same with elements taken eight at a time."""
plain_pack = SCHEMA.pack_knowing(**_PLAIN)
"""The view of eight such systems side by side."""


def is_plain(tables: Tables) -> bool:
    """Whether kernels may see a system as `plain_system`."""
    return all(getattr(tables, name) == value for name, value in _PLAIN.items())


HUB_PLAN = SCHEMA.offset["order"]
"""Where the head of `ints` says where the plan of `block_cholesky` begins."""
