"""The tables of the paper's links, n of them: n + 1 nodes, n² `pairs`, (2n)² `squares`.

Angles and rates stand as the paper's equations have them: the elevations of all links, then their azimuths.
"""

from __future__ import annotations

from fairlead.algebra.records import INTS, REALS, WORK, Schema, Table, Y
from fairlead.sea.tables import SEA

MORISON, TORQUE, FORCE = 0, 1, 2
"""`drag`: of the water by Morison, the published torque, the published force."""

SCHEMA = Schema(
    "links as published",
    "links nodes pairs squares modes link_modes twist_blocks propagators points sea_rows samples",
    "drag literal",
    *SEA,
    Table("cable", INTS, "reversed end_point load_rows"),
    Table("twist_block", INTS, "first size data", per="twist_blocks"),  # as in `links`, like all of the twist
    # coefficient: of the published drag; law, reynolds: of Morison's
    Table("end", REALS, "base:3 weight mass force:3 torque:3"),  # the first joint; what is at the end and acts there
    Table("water", REALS, "coefficient law reynolds"),
    Table(
        "link", REALS, "length weight turning k_elevation k_azimuth c_elevation c_azimuth drag_normal mass", per="links"
    ),
    Table("mode", REALS, "stiffness gain", per="modes"),
    Table("shape", REALS, "angle moment", per="link_modes"),
    Table("swing", REALS, "mass", per="pairs"),  # the swing matrix, row by row
    Table("sample", REALS, "number", per="samples"),  # rows of the load
    # the state
    Table("angle", Y, "value", per="links", each=2, unit="rad", weight=1.0),
    Table("rate", Y, "value", per="links", each=2, unit="rad/s", weight=1.0),
    Table("twist", Y, "amplitude rate", per="modes", unit="mixed", weight=1.0),
    Table("ledger", Y, "drag damping friction drives", unit="J"),
    Table("adaptive_step", Y, "size", unit="s"),
    # scratch; of a link its direction q, ∂q/∂e, ∂q/∂ψ, q̇ and b; weight and water on it, whole and at half its lever
    Table("fault", WORK, "time cable link"),
    Table("laid", WORK, "direction:3 by_elevation:3 by_azimuth:3 rate:3 bias:3", per="links"),
    Table("load", WORK, "whole:3 lever:3", per="links"),
    Table("matrix", WORK, "value", per="squares"),
    Table("rhs", WORK, "value", per="links", each=2),  # after the solve: the accelerations
    Table("node", WORK, "position:3 velocity:3 force:3", per="nodes"),  # force: of all beyond a node on it
    Table("propagator", WORK, "number", per="propagators"),
    Table("twist_next", WORK, "number", per="modes", each=2),
)  # fmt: skip
