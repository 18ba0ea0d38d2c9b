"""The names of a formulation's tables and the offsets of the kernels on the floors below mean the same numbers."""

from __future__ import annotations

import pytest

from fairlead.algebra.records import fields_of
from fairlead.loads import end_twist, hung_body, landing, rigid_body, slender, tables
from fairlead.payout import control
from fairlead.payout import tables as winch_tables
from fairlead.sea import water
from fairlead.sea.tables import SEA, SEA_HEAD

SAME = [
    (SEA[0].columns, SEA_HEAD, {
        "density": water.DENSITY, "gravity": water.GRAVITY, "viscosity": water.VISCOSITY, "bed": water.BED_PRESENT,
        "bed_normal": water.BED_X, "bed_height": water.BED_HEIGHT, "bed_slope": water.BED_SLOPE_X,
        "bed_friction": water.BED_FRICTION,
        "currents": water.CURRENT_COUNT, "wave_first": water.WAVE_FIRST, "waves": water.WAVE_COUNT,
        "wave_ramp": water.WAVE_RAMP, "wave_depth": water.WAVE_DEPTH, "wave_stretching": water.WAVE_STRETCHING,
    }),
    (tables.RIGID_BODY, rigid_body.BODY_COLUMNS, {
        "mass": rigid_body.BODY_MASS, "added": rigid_body.BODY_ADDED, "inertia": rigid_body.BODY_INERTIA,
        "added_inertia": rigid_body.BODY_INERTIA_ADDED, "displaced": rigid_body.BODY_DISPLACED,
        "centre": rigid_body.BODY_CENTRE, "height": rigid_body.BODY_HEIGHT, "shape": rigid_body.BODY_SHAPE,
        "drag": rigid_body.BODY_DRAG, "drag_moment": rigid_body.BODY_DRAG_MOMENT, "slam": rigid_body.BODY_SLAM,
        "feet": rigid_body.BODY_FEET, "foot_reach": rigid_body.FOOT_REACH, "foot_level": rigid_body.FOOT_LEVEL,
        "foot_radius": rigid_body.FOOT_RADIUS, "foot_stiffness": rigid_body.FOOT_STIFFNESS,
        "foot_damping": rigid_body.FOOT_DAMPING, "foot_shear": rigid_body.FOOT_SHEAR,
        "length": rigid_body.BODY_LENGTH, "width": rigid_body.BODY_WIDTH,
    }),
    (tables.HUNG_BODY, hung_body.HUNG_COLUMNS, {"offset": hung_body.HUNG_OFFSET}),
    (tables.HUNG_KEPT, hung_body.HUNG_KEPT, {
        "mass": hung_body.KEPT_MASS, "inverse": hung_body.KEPT_INVERSE, "turn": hung_body.KEPT_TURN,
    }),
    (tables.FEET_MEMORY, landing.BED_MEMORY, {"landed_at": landing.LANDED_AT, "landed_with": landing.LANDED_WITH}),
    (tables.SLENDER, slender.SLENDER_REALS, {
        "displaced": slender.DISPLACED, "buoyancy": slender.BUOYANCY, "added_normal": slender.ADDED_NORMAL,
        "added_axial": slender.ADDED_AXIAL, "drag_normal": slender.DRAG_NORMAL, "drag_axial": slender.DRAG_AXIAL,
        "drag_law": slender.DRAG_LAW, "diameter": slender.DIAMETER, "reynolds": slender.REYNOLDS,
    }),
    (tables.TWIST, end_twist.TWIST_REALS, {}),
    (winch_tables.CONTROLLER, control.CONTROLLER_REALS, {
        "kind": control.CONTROL_KIND, "goal": control.GOAL, "gain": control.GAIN, "speed_max": control.SPEED_MAX,
        "acceleration_max": control.ACCELERATION_MAX, "lag": control.LAG,
    }),
    (winch_tables.CONTROLLER_STATE, control.CONTROLLER_STATE, {"driven": control.DRIVEN, "reading": control.READING}),
]  # fmt: skip


@pytest.mark.parametrize(("columns", "width", "places"), SAME, ids=[columns[:24] for columns, _, _ in SAME])
def test_names_stand_where_the_kernels_read(columns, width, places):
    fields = fields_of(columns)
    assert sum(field.count for field in fields.values()) == width
    assert {name: fields[name].start for name in places} == places
