"""All tables of a spline system, in the order in which they lie in memory."""

from __future__ import annotations

from fairlead.algebra.records import INTS, REALS, WORK, Schema, Table, Y
from fairlead.loads.tables import COMMAND, CONTACT, MOTION, SLENDER, TWIST
from fairlead.rigging.point_loads import LIVE, LOAD, PUSH
from fairlead.sea.tables import SEA

HALF = 17
"""Diagonals beside the main one in the matrix of the implicit step: nine unknowns a node, coupled to the next node."""
SHAPES = 4
"""Shape functions of an element."""
FREE, FIXED = -1, -2
"""Controls of nodes that nothing holds, and of those that stand still."""

VECTOR = "xyz:3"

SCHEMA = Schema(
    "spline",
    "cables nodes elements points controlled loads contacts longest shapes entries samples sea_rows",
    "water damped bed lumped",  # 1 where it is so
    # first node and number of elements; clamped ends; whether the ends hold the twist, and how; half widths of the mass
    # and inverse-mass bands and where each begins in `band`
    Table("cable", INTS, "first count clamp_start clamp_end twisted follower half band inverse_half inverse_band",
          per="cables"),
    Table("turn", INTS, f"{MOTION} input", per="cables"),  # motion of the twist, as in `loads.end_twist`
    Table("held", INTS, "control", per="nodes"),
    Table("control", INTS, MOTION, per="controlled"),
    Table("point", INTS, "node control", per="points"),  # the node a free point is, the control that moves it, else −1
    Table("load", INTS, f"node {LOAD}", per="loads"),

    *SEA,
    Table("clamp", REALS, "start:3 end:3", per="cables"),  # directions
    Table("torsion", REALS, "axis:3 compliance time", per="cables"),  # reference of the twist, Σ h/GJ, damping time
    Table("turning", REALS, TWIST, per="cables"),
    Table("element", REALS, "length ea ei time_axial time_bending mass", per="elements"),  # mass per length
    # factors of the curvature matrix; weight and length of the node's share of cable; the bed; the body of a free
    # point; how the accelerations of held ends act on the node through the mass matrix
    Table("node", REALS, "pivot coupling weight share radius bed_stiffness bed_damping bed_shear mass buoyancy height "
          "drag added pull_start pull_end", per="nodes"),
    Table("slender", REALS, SLENDER, per="nodes"),  # the water on its share
    Table("place", REALS, "position:3", per="points"),
    Table("command", REALS, COMMAND, per="controlled"),
    Table("push", REALS, PUSH, per="loads"),
    Table("sample", REALS, "number", per="samples"),  # rows of all motions and factors
    Table("band", REALS, "entry", per="entries"),  # mass matrices and their inverses, row by row

    Table("position", Y, VECTOR, per="nodes", unit="m", weight=1.0),
    Table("velocity", Y, VECTOR, per="nodes", unit="m/s", weight=1.0),
    Table("acceleration", Y, VECTOR, per="nodes", unit="m/s^2"),
    Table("tension", Y, "value", per="elements", unit="N"),
    Table("torque", Y, "value", per="cables", unit="N m"),
    Table("reaction", Y, VECTOR, per="cables", each=2, unit="N"),  # forces on the end nodes
    Table("controls", Y, "position:3 velocity:3", per="controlled", unit="m, m/s", weight=1.0),
    Table("contact", Y, CONTACT, per="contacts", unit="m, N"),
    Table("power", Y, "drag damping friction", unit="W"),
    Table("ledger", Y, "drag damping friction drives", unit="J"),

    Table("fault", WORK, "time cable place"),
    Table("live", WORK, LIVE, per="loads"),
    Table("curvature", WORK, VECTOR, per="nodes"),
    Table("rate", WORK, VECTOR, per="nodes"),  # of the curvature
    Table("pull", WORK, VECTOR, per="elements"),  # force through an element
    Table("force", WORK, VECTOR, per="nodes"),
    Table("moment", WORK, VECTOR, per="nodes"),  # gradient of the energy by the curvature
    Table("twist_node", WORK, VECTOR, per="nodes"),  # gradients of the twist by curvatures and by slopes
    Table("twist_element", WORK, VECTOR, per="elements"),
    Table("tangent", WORK, VECTOR, per="nodes"),
    Table("turned", WORK, "energy"),  # that new tangents gave to the potential of buoyancy
    Table("bed_force", WORK, VECTOR, per="nodes"),
    Table("product", WORK, VECTOR, per="nodes"),  # conjugate gradients: M⁻¹ r, r, search direction, its image
    Table("residual", WORK, VECTOR, per="nodes"),
    Table("way", WORK, VECTOR, per="nodes"),
    Table("image", WORK, VECTOR, per="nodes"),
    Table("matrix", WORK, f"row:{3 * HALF + 1}", per="longest", each=9),  # of the implicit step of one cable
    Table("move", WORK, "position:3 curvature:3 multiplier:3", per="longest"),  # its right side, then its solution
    Table("gradient", WORK, "mean:3 last:3", per="shapes"),  # of an element's strain
    Table("old_position", WORK, VECTOR, per="nodes"),
    Table("old_curvature", WORK, VECTOR, per="nodes"),
    Table("multiplier", WORK, VECTOR, per="nodes"),
    Table("mean_position", WORK, VECTOR, per="nodes"),
    Table("mean_curvature", WORK, VECTOR, per="nodes"),
    Table("mean_velocity", WORK, VECTOR, per="nodes"),
)  # fmt: skip
system = SCHEMA.view
