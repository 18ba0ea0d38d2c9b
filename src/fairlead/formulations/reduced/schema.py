"""All tables of reduced cables, in the order in which they lie in memory.

State z = (q, ends, 1): K coordinates, the places of all held ends (3 each), one for the mean; m = K + 3·held + 1 is the
count `state`. Coordinates are those of the modes of vibration that the shapes have under the first tensions, so that
mass and stiffness are diagonal among them. Matrices lie row by row.
"""

from __future__ import annotations

import math

from fairlead.algebra.records import INTS, REALS, WORK, Schema, Table, Y
from fairlead.loads.tables import COMMAND, MOTION, SLENDER, TWIST
from fairlead.rigging.point_loads import LIVE, LOAD, PUSH
from fairlead.sea.tables import SEA

TWIST_POINTS = 16
"""Gauss points of the twist along a cable: a constant, so that loops over them are vectorised."""
FRAME = 6 * TWIST_POINTS
"""Numbers of all tangents and curvatures: x of r′ at all points, y, z, then those of r″."""
FIXED = -2
"""Control of an end that stands still."""


PRODUCTS = {
    "forms": ("state", "tensions", "state"),
    "squares": ("state", "tensions", "modes"),
    "tension_pairs": ("tensions", "tensions"),
    "state_pairs": ("state", "state"),
    "mode_pairs": ("modes", "modes"),
    "gradients": ("tensions", "state"),
    "gradient_rows": ("tensions", "modes"),
    "twist_states": ("twists", "state"),
    "wet_states": ("wets", "state"),
    "body_states": ("bodies", "state"),
    "load_states": ("loads", "state"),
    "node_states": ("nodes", "state"),
    "shares": ("elements", "tensions"),
}
"""Sizes of matrices and of rows of matrices, as products of counts."""


def with_products(counts: dict[str, int]) -> dict[str, int]:
    """All counts of the schema from those that are not products."""
    return counts | {name: math.prod(counts[factor] for factor in factors) for name, factors in PRODUCTS.items()}


def runs(names: str, place: str, per: str, each: int = 1, unit: str = "1", weight: float = 0.0) -> list[Table]:
    """Runs of numbers, one table each."""
    return [Table(name, place, "value", per=per, each=each, unit=unit, weight=weight) for name in names.split()]


SCHEMA = Schema(
    "reduced",
    f"modes tensions state held cables nodes elements points controlled twists wets bodies loads samples sea_rows "
    f"{' '.join(PRODUCTS)}",
    "water damped",  # 1 where it is so
    # first node, number of elements, which held end its start and its end are and which twist it has, else −1
    Table("cable", INTS, "first count start finish twist", per="cables"),
    Table("end", INTS, "control", per="held"),
    Table("control", INTS, MOTION, per="controlled"),
    Table("point", INTS, "held control node", per="points"),  # held end, control and node it is, else −1
    Table("turn", INTS, f"{MOTION} input follower", per="twists"),
    Table("load", INTS, LOAD, per="loads"),
    *SEA,
    *runs("form", REALS, "forms"),  # by columns, one row of m a tension mode
    *runs("square", REALS, "squares"),  # their rows of q alone
    *runs("shift", REALS, "tensions"),
    *runs("first_pull", REALS, "tensions"),
    *runs("tension_damping", REALS, "tension_pairs"),
    *runs("stiffness", REALS, "state_pairs"),  # with the first pulls
    *runs("bending", REALS, "state_pairs"),
    *runs("damping", REALS, "state_pairs"),
    *runs("mass", REALS, "state_pairs"),
    *runs("weight", REALS, "state"),
    Table("turning", REALS, TWIST, per="twists"),
    Table("torsion", REALS, "axis:3 compliance time", per="twists"),  # its reference, Σ h/GJ, its damping time
    *runs("point_weight", REALS, "twists", TWIST_POINTS),
    *runs("frame_column", REALS, "twist_states", FRAME),
    Table("wet", REALS, f"{SLENDER} length", per="wets"),  # what the water does to the length of cable of a wet point
    *runs("wet_row", REALS, "wet_states", 6),  # its places and slopes
    Table("body", REALS, "mass added buoyancy drag height", per="bodies"),  # of a free point; its mass is in `mass`
    *runs("body_row", REALS, "body_states", 3),
    Table("push", REALS, PUSH, per="loads"),
    *runs("push_row", REALS, "load_states", 3),
    *runs("node_row", REALS, "node_states", 6),  # places and curvatures
    Table("element", REALS, "length ei ea", per="elements"),
    *runs("share", REALS, "shares"),  # of the tension modes in its tension
    Table("place", REALS, "position:3", per="points"),
    Table("command", REALS, COMMAND, per="controlled"),
    *runs("sample", REALS, "samples"),  # rows of all motions and factors
    *runs("coordinate", Y, "modes", unit="m", weight=1.0),
    *runs("rate", Y, "modes", unit="m/s", weight=1.0),
    *runs("acceleration", Y, "modes", unit="m/s^2"),
    *runs("acceleration_before", Y, "modes", unit="m/s^2"),
    Table("ends", Y, "xyz:3", per="held", unit="m", weight=1.0),
    Table("end_rate", Y, "xyz:3", per="held", unit="m/s", weight=1.0),
    Table("reaction", Y, "xyz:3", per="held", unit="N"),  # of the supports on the cables
    *runs("torque", Y, "twists", unit="N m"),
    *runs("tension", Y, "tensions", unit="J^0.5"),  # of the modes, mean over the last step
    Table("controls", Y, "position:3 velocity:3", per="controlled", unit="m, m/s", weight=1.0),
    Table("ledger", Y, "drag damping friction drives", unit="J"),
    Table("fault", WORK, "time"),
    Table("live", WORK, LIVE, per="loads"),
    *runs("old new mean speed old_rate inertia move force", WORK, "state"),
    *runs("by_state", WORK, "twist_states"),  # gradients of the twists
    *runs("rhs constant base inverse", WORK, "modes"),
    *runs("matrix", WORK, "mode_pairs"),
    *runs("old_gradient gradient", WORK, "gradients"),
    *runs("old_rows rows mean_rows soft", WORK, "gradient_rows"),
    *runs("strain old_strain pull change", WORK, "tensions"),
    *runs("schur law ease", WORK, "tension_pairs"),
    # own twist of the curve before a step, torque and rate of twisting over it, the angles given, the correction along
    # the step; the torque of a state that is looked at
    Table("twist", WORK, "before torque swift old_angle new_angle correction shown", per="twists"),
    *runs("old_frame moved_frame by_frame", WORK, "twists", FRAME),
    *runs("density clearance", WORK, "twists", TWIST_POINTS),
    Table("wet_energy", WORK, "moving lifted"),  # of added mass and buoyancy at the start of a step
)
system = SCHEMA.view
