"""Tables of floaters by coefficients (`cummins`) and of power take-offs between them, for the schemas of formulations.

A floater is a hub whose origin is the reference point of its coefficients. Its six freedoms are surge, sway, heave,
roll, pitch and yaw in the axes H of the coefficients, which stand as at rest or turn with its slow yaw. Matrices of
6 × 6 numbers stand row by row; `water_block` says of which two floaters: first each of itself, then of pairs of them.
"""

from __future__ import annotations

from fairlead.algebra.records import INTS, REALS, WORK, Table, Y

FLOATER_COUNTS = (
    "floaters freedoms water_blocks memories residues wave_columns excitations drifts drift_numbers streams ptos "
    "pasts lag_rows lag_pairs lag_numbers past_cells past_numbers"
)
FORCES = "hydrostatic radiation excitation drift viscous current wind thrust mooring"
"""Where the forces on a freedom come from."""

FLOATER_TABLES = (
    # tables of its excitation, one for each of the headings it may turn to; rows of its streams and thrust
    Table("floater", INTS, "hub headings excitation current_first current_rows wind_first wind_rows thrust_first "
          "thrust_rows drift_first drift_last", per="floaters"),
    Table("afloat", INTS, "floater", per="hubs"),  # which floater a hub is, or −1
    # the hub system's slot of a block, `turned` where that is of the second row and the first column
    Table("water_block", INTS, "row column slot turned", per="water_blocks"),
    Table("memory_of", INTS, "freedom", per="memories"),
    Table("residue_of", INTS, "freedom memory place", per="residues"),  # place among the blocks' numbers, −1 above them
    Table("lag_of", INTS, "freedom speed place", per="lag_pairs"),  # force on a freedom by the past of another
    Table("drift_of", INTS, "freedom", per="drifts"),
    Table("pto", INTS, "one other slot turned rotary", per="ptos"),  # floaters, −1 for the earth; where they meet

    Table("hull", REALS, "mass centre:3 inertia:6 rest:3 heading rate phase_follows turns heading_step drift_mean:6 "
          "thrust_at:3 thrust_ahead:3 thrust thrust_slope draught wind_area:3 water_area:3", per="floaters"),
    Table("constant", REALS, "number", per="freedoms"),  # buoyancy at rest
    Table("preload", REALS, "number", per="freedoms"),
    Table("restoring", REALS, "number", per="floaters", each=36),
    Table("holding", REALS, "number", per="floaters", each=36),  # stiffness of a mooring that is given as a matrix
    Table("damping_linear", REALS, "number", per="floaters", each=36),
    Table("damping_quadratic", REALS, "number", per="freedoms"),
    Table("added", REALS, "number", per="water_blocks", each=36),  # added mass at infinite frequency
    Table("memory", REALS, "re im", per="memories"),  # poles of the radiation
    Table("residue", REALS, "re im", per="residues"),  # with that of the conjugate pole
    # of a memory by its integral over the past (`water_past`): the first two integrals of K, age by age
    Table("lag", REALS, "rise area", per="lag_numbers"),
    Table("lag_grid", REALS, "spacing longest widest", per="pasts"),
    Table("excitation", REALS, "number", per="excitations"),
    Table("drift", REALS, "weight", per="drifts"),
    Table("drift_column", REALS, "number", per="drift_numbers"),
    Table("stream", REALS, "at x y n", per="streams"),
    Table("pto_law", REALS, "at:3 other_at:3 axis:3 start:4 stiffness damping force low high stop_stiffness "
          "stop_damping", per="ptos"),

    Table("radiation", Y, "re im", per="memories", unit="m or rad", weight=1.0),
    # a ring of velocities at the ends of steps, how long each step was, and where the newest stands
    Table("past", Y, "number", per="past_numbers", unit="m/s or rad/s"),
    Table("past_width", Y, "number", per="past_cells", unit="s"),
    Table("past_ring", Y, "newest count", per="pasts"),
    # two low-pass filters in a row: place and yaw from rest, and what the first has of them
    Table("slow", Y, "place:2 yaw ahead:2 ahead_yaw", per="floaters", unit="m, rad", weight=1.0),
    Table("water_work", Y, "waves drift radiation viscous", per="floaters", unit="J"),
    Table("pto_work", Y, "taken", per="ptos", unit="J"),

    # e^{ph}, (e^{ph} − 1)/p and ((e^{ph} − 1)/p − h)/p of the step, and of the part of it after which forces are taken
    Table("memory_step", WORK, "whole_re whole_im gain_re gain_im rise_re rise_im part_re part_im reach_re reach_im "
          "climb_re climb_im now_re now_im", per="memories"),
    # what the water of this very step does, over the velocity at its beginning and over the acceleration
    Table("quick", WORK, "number later", per="water_blocks", each=36),
    Table("lag_now", WORK, "first seen", per="lag_pairs"),
    Table("past_step", WORK, "ahead", per="pasts"),
    Table("water_matrix", WORK, "number", per="water_blocks", each=36),
    Table("freedom", WORK, f"motion speed rate {FORCES} total", per="freedoms"),
    # frame H of the floater and its turn in it, what it gives to its hub, and how the hub then moves
    Table("hull_now", WORK, "cosine sine turn:9 fade slope force:3 torque:3 acceleration:3 spin_rate:3",
          per="floaters"),
    Table("drift_sum", WORK, "re im", per="drifts"),
    Table("pto_now", WORK, "stroke rate force gain stop power line:3 one:3 other:3", per="ptos"),
)  # fmt: skip
