"""The sea as tables of a formulation: they stand first in `reals`, which is then the `sea` of `fairlead.sea.water`."""

from __future__ import annotations

from fairlead.algebra.records import REALS, SHARED, Table

SEA = (
    Table(
        "sea", REALS, "density gravity viscosity bed bed_normal:3 bed_height bed_slope:2 bed_friction currents "
        "wave_first waves wave_ramp wave_depth wave_stretching wind:3 gust_first gusts survey_first survey_columns "
        "survey_rows stirred field_first field_times field_columns field_rows field_levels", owner=SHARED,
    ),
    Table("sea_row", REALS, "number", per="sea_rows", owner=SHARED),
)  # fmt: skip
"""What `water.pack` gives: its head, and behind it the rows of current, waves, gusts and what lies on grids (`sea_rows`
numbers)."""
SEA_HEAD = SEA[0].width
