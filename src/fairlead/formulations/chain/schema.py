"""The tables of a system of chains.

A cable of n links has n + 1 nodes, counted through all cables as its links are: link e of cable c lies behind node
e + c.
"""

from __future__ import annotations

from fairlead.algebra.records import INTS, REALS, WORK, Schema, Table, Y
from fairlead.loads.tables import COMMAND, MOTION, SLENDER
from fairlead.rigging.point_loads import LIVE, LOAD, PUSH
from fairlead.sea.tables import SEA

FREE, FIXED = -1, -2
"""What holds a node, where it is no controlled point."""
HALF = 6
"""Diagonals beside the main one: three accelerations and a multiplier a node, coupled to the next node."""

SCHEMA = Schema(
    "chain",
    "cables nodes links points controlled loads sea_rows samples",
    "water",  # 1 where there is any
    *SEA,
    Table("cable", INTS, "first count", per="cables"),  # its first node, its links
    Table("held", INTS, "control", per="nodes"),  # FREE, FIXED, or a controlled point
    Table("control", INTS, MOTION, per="controlled"),
    Table("point", INTS, "node control", per="points"),  # −1 where it has none
    Table("load", INTS, f"node {LOAD}", per="loads"),
    # constants
    Table("link", REALS, "length mass weight", per="links"),
    Table("half", REALS, SLENDER, per="links"),  # the water on half a link
    Table("body", REALS, "mass added buoyancy height drag", per="nodes"),  # of a free point
    Table("place", REALS, "position:3", per="points"),
    Table("command", REALS, COMMAND, per="controlled"),
    Table("push", REALS, PUSH, per="loads"),
    Table("sample", REALS, "number", per="samples"),  # rows of motions and loads
    # the state
    Table("position", Y, "xyz:3", per="nodes", unit="m", weight=1.0),
    Table("velocity", Y, "xyz:3", per="nodes", unit="m/s", weight=1.0),
    Table("tension", Y, "value", per="links", unit="N"),
    Table("controls", Y, "position:3 velocity:3 acceleration:3", per="controlled", unit="m, m/s, m/s^2", weight=1.0),
    Table("ledger", Y, "drag damping friction drives", unit="J"),
    # scratch
    Table("fault", WORK, "time cable node"),
    Table("matrix", WORK, f"row:{3 * HALF + 1}", per="nodes", each=4),  # see `algebra.banded`
    Table("found", WORK, "a:3 multiplier", per="nodes"),  # the right-hand side, then the solution
    Table("force", WORK, "f:3", per="nodes"),
    Table("live", WORK, LIVE, per="loads"),
    Table("begun", WORK, "x:3 v:3", per="nodes"),  # the state that a step began with
    Table("total", WORK, "v:3 a:3", per="nodes"),  # what its stages add up to
    Table("beside", WORK, "x0:3 v0:3 x1:3 v1:3", per="controlled"),  # motion beside that of the file over a step
)  # fmt: skip
