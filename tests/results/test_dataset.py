"""The Dataset: names, dimensions, padding and units, and the way back to rows."""

from __future__ import annotations

import json

import numpy as np
import pytest

from fairlead.results import Extra, build_dataset, rows_of, seabed_of, settings_of, shape_of, warnings_of
from fairlead.results import observation as obs

from .sinking import METADATA, sinking_rows, sinking_shape


def test_dimensions_are_as_documented(dataset):
    dims = {name: v.dims for name, v in dataset.data_vars.items()}
    along = ("time", "cable", "node")
    for name in ("position", "velocity", "contact_force"):
        assert dims[name] == (*along, "axis")
    for name in ("tension_effective", "shear", "bending_moment", "torsion"):
        assert dims[name] == along
    assert dims["force_end"] == ("time", "cable", "end", "axis")
    assert dims["point_position"] == dims["point_velocity"] == ("time", "point", "axis")
    assert all(dims[name] == ("time",) for name in obs.TOTALS)
    assert list(dataset["axis"].values) == ["x", "y", "z"]
    assert list(dataset["end"].values) == ["start", "end"]


def test_every_quantity_has_a_unit_and_a_long_name(dataset):
    for name in [*dataset.data_vars, "time", "arc_length", "node_count"]:
        assert dataset[name].attrs["units"], name
        assert dataset[name].attrs["long_name"], name
    assert dataset["time"].attrs["standard_name"] == "time"


def test_numbers_land_under_their_names(dataset, shape, rows):
    left = shape.node_table(rows, "left")
    assert np.array_equal(dataset["position"].sel(cable="left").values, left[..., 0:3])
    assert np.array_equal(dataset["torsion"].sel(cable="left").values, left[..., obs.NODE_TORSION])
    ends = rows[:, shape.cable_ends("right")]
    assert np.array_equal(dataset["force_end"].sel(cable="right", end="end").values, ends[:, 3:])
    assert np.array_equal(dataset["point_velocity"].sel(point="M").values, rows[:, shape.point("M")][:, 3:])
    assert np.array_equal(dataset["work_drag"].values, rows[:, shape.column("work_drag")])


def test_a_shorter_cable_is_padded_with_nan(dataset):
    assert dataset["node_count"].values.tolist() == [41, 25]
    right = dataset["tension_effective"].sel(cable="right").values
    assert np.isfinite(right[:, :25]).all()
    assert np.isnan(right[:, 25:]).all()
    assert np.isnan(dataset["arc_length"].sel(cable="right").values[25:]).all()


def test_rows_come_back_to_the_last_bit(dataset, shape, rows):
    assert shape_of(dataset) == shape
    assert np.array_equal(rows_of(dataset), rows, equal_nan=True)


def test_attributes_hold_the_run(dataset):
    assert dataset.attrs["Conventions"].startswith("CF-")
    assert dataset.attrs["input_file"] == METADATA["input_file"]
    assert json.loads(dataset.attrs["settings"]) == METADATA["settings"] == settings_of(dataset)
    assert warnings_of(dataset) == tuple(METADATA["warnings"])
    assert build_dataset(sinking_shape(), np.zeros(1), np.zeros((1, sinking_shape().size)), {}).attrs["title"] == ""


def test_a_formulation_may_add_variables_of_its_own(times):
    base = sinking_shape()
    extra = Extra("winch_length", "m", "length on the winch")
    shape = type(base)(base.cables, base.nodes_per_cable, base.points, base.arc_length, (extra,))
    rows = np.insert(sinking_rows(base, times), base.extremes.start, times * 0.1, axis=1)
    dataset = build_dataset(shape, times, rows, METADATA)
    assert dataset["winch_length"].attrs == {"units": "m", "long_name": "length on the winch"}
    assert np.array_equal(dataset["winch_length"].values, times * 0.1)
    assert shape_of(dataset) == shape
    assert np.array_equal(rows_of(dataset), rows, equal_nan=True)


def test_an_extra_may_not_take_a_common_name(times):
    base = sinking_shape()
    shape = type(base)(base.cables, base.nodes_per_cable, base.points, base.arc_length, (Extra("position"),))
    with pytest.raises(ValueError, match="'position'"):
        build_dataset(shape, times[:1], np.zeros((1, shape.size)), METADATA)


def test_the_seabed_is_read_from_the_settings(dataset):
    assert seabed_of(dataset).height(3.0, 4.0) == -200.0
    sloping = dataset.assign_attrs(settings=json.dumps({"environment": {"seabed": {"depth": 50, "slope": [0.1, 0]}}}))
    assert seabed_of(sloping).height(100.0, 7.0) == pytest.approx(-40.0)
    for without in ("", "not json", "[]", '{"environment": {"seabed": null}}'):
        assert seabed_of(dataset.assign_attrs(settings=without)) is None


def test_what_is_drawn_from_a_row_is_no_column_of_it(dataset, shape):
    """Variables that follow from others, such as the length on the seabed, do not come back as fields of a row."""
    assert shape_of(dataset) == shape
