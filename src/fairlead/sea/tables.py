"""The sea as tables of a formulation: they stand first in `reals`, which is then the `sea` of `fairlead.sea.water`."""

from __future__ import annotations

from fairlead.algebra.records import REALS, SHARED, Table

SEA = (
    Table(
        "sea", REALS, "density gravity viscosity bed bed_normal:3 bed_height bed_slope:2 bed_friction currents "
        "wave_first waves wave_ramp wave_depth wave_stretching wind:3 gust_first gusts", owner=SHARED,
    ),
    Table("sea_row", REALS, "number", per="sea_rows", owner=SHARED),
)  # fmt: skip
"""What `water.pack` gives: its head, and the rows of current and waves behind it (`sea_rows` numbers)."""
SEA_HEAD = SEA[0].width
