"""The summary finds extremes where they are and says so in plain numbers."""

from __future__ import annotations

import json

import numpy as np
import pytest

from fairlead import words
from fairlead.results import (
    Extra,
    ObservationShape,
    ResultError,
    build_dataset,
    energy_balance,
    summarise,
    summary_lines,
)  # fmt: skip
from fairlead.results import extremes as ext
from fairlead.results import observation as obs
from fairlead.results.energy import STORED, WORKS, poor_balance
from fairlead.results.required import TOGETHER

from .sinking import METADATA, sinking_shape


@pytest.fixture
def quiet():
    """Three samples of cables that lie 10 m above the bed, all at 100 N."""
    shape = sinking_shape(10, 5)
    rows = np.zeros((3, shape.size))
    rows[:, shape.extremes.start :] = np.nan
    for i in range(2):
        table = shape.node_table(rows, i)
        table[..., 2] = -190.0
        table[..., obs.NODE_TENSION] = 100.0
    return shape, np.array([0.0, 5.0, 10.0]), rows


def test_the_largest_tension_comes_with_its_place_and_time(quiet):
    shape, times, rows = quiet
    shape.node_table(rows, "right")[1, 2, obs.NODE_TENSION] = 2500.0
    numbers = summarise(build_dataset(shape, times, rows, METADATA))
    place = {"cable": "right", "arc_length": 200.0, "from": "its start"}
    assert numbers["tension_max"] == {"value": 2500.0, "time": 5.0, **place}
    assert numbers["tension_min"]["value"] == 100.0
    row = next(line for line in summary_lines(numbers) if line.startswith("right"))
    assert row.split() == ["right", "2.5", "kN", "200", "m", "its", "start", "5", "s", "900", "N", "100", "N"]


@pytest.mark.parametrize(("least", "said"), [(-2.3e-14, []), (-0.5, ["compression       -0.5 N in cable right"])])
def test_the_last_digit_of_a_sum_is_no_compression(quiet, least, said):
    shape, times, rows = quiet
    shape.node_table(rows, "right")[1, 2, obs.NODE_TENSION] = least
    numbers = summarise(build_dataset(shape, times, rows, METADATA))
    assert numbers["tension_min"]["value"] == (least if said else 0.0)
    assert [line.split(",")[0] for line in summary_lines(numbers) if line.startswith("compression")] == said


BEARS = {
    "types": {"wire": {"breaking_load": 5e3, "minimum_bend_radius": 0.5}, "rope": {"breaking_load": 2e3}},
    "cables": {
        "right": {"type": "wire"},
        "left": {"sections": [{"type": "wire", "length": 250.0}, {"type": "rope", "element_lengths": [50.0] * 5}]},
    },
}


def test_the_share_of_the_breaking_load_is_that_of_the_weakest_place(quiet):
    """A rope that bears less counts where it is, though the wire beside it is pulled harder; also where they meet."""
    shape, times, rows = quiet
    table = shape.node_table(rows, "left")
    table[1, 2, obs.NODE_TENSION], table[2, 7, obs.NODE_TENSION] = 2500.0, 1500.0
    settings = {**METADATA, "settings": json.dumps(BEARS)}
    numbers = summarise(build_dataset(shape, times, rows, settings))
    place = {"cable": "left", "arc_length": 350.0, "from": "its start"}
    assert numbers["utilisation"] == {"value": 0.75, "time": 10.0, **place, "breaking_load": 2e3}
    assert numbers["cables"]["right"]["utilisation"]["value"] == pytest.approx(0.02)
    lines = summary_lines(numbers)
    assert lines[1].endswith("of breaking load")
    assert [line.split()[0] for line in lines[3:5]] == ["left", "right"]
    assert lines[3].endswith(" 75 %")
    table[1, 5, obs.NODE_TENSION] = 1900.0
    assert summarise(build_dataset(shape, times, rows, settings))["utilisation"]["value"] == pytest.approx(0.95)


def test_the_sharpest_bend_is_held_against_what_the_type_allows(quiet):
    shape, times, rows = quiet
    peaks = shape.peak_table(rows, "right")
    peaks[1:, :, ext.NODE_CURVATURE_MAX] = 0.1
    peaks[2, 2, ext.NODE_CURVATURE_MAX] = 4.0
    whole = shape.peak_tables(rows)[0]
    whole[2, 1, ext.CABLE_CURVATURE_MAX : ext.CABLE_CURVATURE_MAX + 2] = [7.25, 2.0]
    numbers = summarise(build_dataset(shape, times, rows, {**METADATA, "settings": json.dumps(BEARS)}))
    bend = numbers["cables"]["right"]["bend_radius_min"]
    place = {"cable": "right", "arc_length": 200.0, "from": "its start"}
    assert bend == {"value": 0.25, "allowed": 0.5, "time": 7.25, **place}
    assert any("0.25 m, 0.5 m is allowed, in cable right, 200 m" in line for line in summary_lines(numbers))


@pytest.mark.parametrize(
    "settings", ["{}", '{"types": 1}', '{"types": {"wire": 3}, "cables": {"left": {"sections": [4]}}}']
)
def test_settings_that_tell_nothing_of_strength_leave_it_unknown(quiet, settings):
    shape, times, rows = quiet
    numbers = summarise(build_dataset(shape, times, rows, {**METADATA, "settings": settings}))
    assert numbers["utilisation"] is None
    assert "of breaking load" not in summary_lines(numbers)[1]


@pytest.mark.parametrize(
    ("value", "digits", "written"),
    [(1234.5, 3, "1,230"), (0.00123456, 4, "0.001235"), (-12.0, 4, "-12"), (0.0, 4, "0"), (999.96, 4, "1,000"),
     (3e-7, 2, "3e-07"), (2.5e11, 3, "2.5e+11"), (float("nan"), 3, "nan")],
)  # fmt: skip
def test_numbers_are_written_as_people_do(value, digits, written):
    assert words.number(value, digits) == written


def test_parts_of_a_whole_are_written_as_people_do():
    parts = [words.percentage(part) for part in (2e-14, 1e-5, 0.00012, 0.034, 0.5, 1.4, 1234.0)]
    assert parts == ["less than 0.0001 %", "0.001 %", "0.012 %", "3.4 %", "50 %", "140 %", "123,400 %"]


def test_clearance_is_measured_from_the_bed(quiet):
    shape, times, rows = quiet
    shape.node_table(rows, "left")[2, 4, 2] = -199.0
    numbers = summarise(build_dataset(shape, times, rows, METADATA))
    place = {"cable": "left", "arc_length": 200.0, "from": "its start"}
    assert numbers["clearance_min"] == {"value": 1.0, "time": 10.0, **place}
    assert numbers["cables"]["left"]["touchdown"]["first_time"] is None
    assert any("1 m above the seabed" in line for line in summary_lines(numbers))


def test_clearance_of_a_line_that_is_fastened_on_the_bed_is_that_of_its_sag(quiet):
    """Its end has none, nor what climbs from there; a line that only climbs has none at all."""
    shape, times, rows = quiet
    left, right = (shape.node_table(rows, name) for name in ("left", "right"))
    left[:, :, 2] = np.interp(np.arange(11), [0, 5, 8, 10], [-10.0, -120.0, -60.0, -200.0])
    right[:, :, 2] = np.linspace(-200.0, -10.0, right.shape[1])
    numbers = summarise(build_dataset(shape, times, rows, METADATA))
    assert numbers["cables"]["left"]["clearance_min"]["value"] == pytest.approx(80.0)
    assert numbers["cables"]["left"]["clearance_min"]["arc_length"] == pytest.approx(250.0)
    assert numbers["cables"]["right"]["clearance_min"] is None
    assert numbers["cables"]["left"]["clearance_leaves_out"]
    assert any("without the climb of left" in line for line in summary_lines(numbers))


def test_clearance_of_a_line_on_a_drum_is_that_of_all_steps(quiet):
    """What is wound up is nowhere, and not on the bed."""
    shape, times, rows = quiet
    shape.node_table(rows, "left")[:, :2, :3] = np.nan
    found = build_dataset(shape, times, rows, METADATA)
    found["clearance_min"][1, 0], found["clearance_min_node"][1, 0], found["clearance_min_time"][1, 0] = 4.0, 6, 3.0
    assert summarise(found)["cables"]["left"]["clearance_min"]["value"] == 4.0


def test_a_line_that_lies_from_the_start_did_not_come_down(quiet):
    shape, times, rows = quiet
    shape.node_table(rows, "left")[:, 4:7, obs.NODE_CONTACT_FORCE + 2] = 1.0
    numbers = summarise(build_dataset(shape, times, rows, METADATA))
    assert any(line.startswith("cable left: on the seabed, 150 m of it at the end") for line in summary_lines(numbers))
    late = summarise(build_dataset(shape, times, rows, METADATA), after=10.0)
    assert any("first on the seabed at 0 s" in line for line in summary_lines(late))


def test_touchdown_tells_when_and_how_much(quiet):
    shape, times, rows = quiet
    shape.node_table(rows, "left")[1, 5, obs.NODE_CONTACT_FORCE + 2] = 1.0
    shape.node_table(rows, "left")[2, 4:7, obs.NODE_CONTACT_FORCE + 2] = 1.0
    touch = summarise(build_dataset(shape, times, rows, METADATA))["cables"]["left"]["touchdown"]
    assert touch == {"first_time": 5.0, "length": 150.0, "arc_length_first": 200.0, "arc_length_last": 300.0}


def test_touchdown_is_that_of_the_whole_run_whatever_is_left_out(quiet):
    """Line that has lain there since 5 s did not come down when the summary begins, at 10 s."""
    shape, times, rows = quiet
    shape.node_table(rows, "left")[1:, 5, obs.NODE_CONTACT_FORCE + 2] = 1.0
    numbers = summarise(build_dataset(shape, times, rows, METADATA), after=10.0)
    assert numbers["time_start"] == 10.0
    assert numbers["cables"]["left"]["touchdown"]["first_time"] == 5.0


@pytest.mark.parametrize(
    ("error", "made", "words"),
    [
        (0.005, False, "0.5 % of the energy exchanged"),
        (0.038, False, "3.8 % of the energy exchanged, which is fair: the steps lost so much, a smaller "
                       "simulation.step less"),
        (0.018, True, "1.8 % of the energy exchanged, which is fair: the steps made so much, a smaller "
                      "simulation.step less"),
        (0.12, True, "12 % of the energy exchanged, which is poor: do not rely on this result"),
    ],
)  # fmt: skip
def test_a_balance_that_does_not_close_well_is_judged(dataset, error, made, words):
    numbers = summarise(dataset) | {"energy_error": error, "energy_made": made, "energy_idle": False}
    assert f"energy balance    closes to {words}" in summary_lines(numbers)


@pytest.mark.parametrize(
    ("note", "booked", "words"),
    [
        ("note: environment.seabed.damping: 3 % of the energy", 0.0, "most of that went where line landed, see "
                                                                     "environment.seabed.damping"),
        ("note: environment.seabed.damping: 9 % of the energy", -9.0, "the steps lost so much, a smaller "
                                                                      "simulation.step less"),
        ("", 0.0, "the steps lost so much, a smaller simulation.step less"),
    ],
)  # fmt: skip
def test_of_a_balance_one_cure_is_told(quiet, note, booked, words):
    """What went where line landed needs damping of the bed, unless it is booked: then smaller steps close the rest."""
    shape, times, rows = quiet
    result = build_dataset(shape, times, rows, METADATA | {"warnings": note})
    for name in (*STORED, *WORKS):
        result[name] = ("time", np.zeros(len(times)))
    result["energy_kinetic"] = ("time", np.linspace(0.0, 100.0, len(times)))
    result["energy_gravity"] = ("time", np.linspace(0.0, booked - 103.0, len(times)))
    result["work_damping"] = ("time", np.linspace(0.0, booked, len(times)))
    line = next(line for line in summary_lines(summarise(result)) if line.startswith("energy balance"))
    assert line.endswith(f", which is fair: {words}")


def test_a_cable_wholly_on_the_bed_lies_there_with_its_whole_length(quiet):
    shape, times, rows = quiet
    shape.node_table(rows, "right")[2, :, obs.NODE_CONTACT_FORCE + 2] = 1.0
    touch = summarise(build_dataset(shape, times, rows, METADATA))["cables"]["right"]["touchdown"]
    assert touch["length"] == pytest.approx(500.0)


def test_end_forces_are_magnitudes(quiet):
    shape, times, rows = quiet
    rows[:, shape.cable_ends("left")] = [[3, 4, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1], [0, 0, 10, 0, 0, 1]]
    force = summarise(build_dataset(shape, times, rows, METADATA))["cables"]["left"]["force_start"]
    assert force == {"min": 0.0, "mean": 5.0, "max": 10.0, "final": 10.0}


def test_nodes_still_on_a_winch_are_left_out(quiet):
    shape, times, rows = quiet
    shape.node_table(rows, "left")[:, 6:] = np.nan
    shape.node_table(rows, "right")[...] = np.nan
    numbers = summarise(build_dataset(shape, times, rows, METADATA))
    assert numbers["tension_max"]["cable"] == "left"
    assert numbers["cables"]["right"]["tension_max"] is None
    assert summary_lines(numbers)


def test_the_summary_is_json(dataset):
    numbers = summarise(dataset)
    assert json.loads(json.dumps(numbers, allow_nan=False)) == numbers
    assert numbers["energy_error"] == pytest.approx(0.0022, abs=2e-4)
    assert numbers["warnings"] == METADATA["warnings"]
    bare = dataset.drop_vars([name for name in dataset.data_vars if str(name).startswith("work_")])
    assert summarise(bare)["energy_error"] is None


def test_a_run_that_ended_in_infinities_still_has_a_summary(dataset):
    wrong = dataset.copy(deep=True)
    for name in ("tension_effective", "position", "force_end", "energy_kinetic"):
        wrong[name].values[-1] = np.inf
    numbers = summarise(wrong)
    json.dumps(numbers, allow_nan=False)
    assert 0 < numbers["tension_max"]["value"] < 1000
    assert numbers["energy_error"] is None


def test_a_peak_between_samples_counts_with_its_time_and_place(quiet):
    shape, times, rows = quiet
    rows = rows.copy()
    shape.peak_table(rows, "right")[1:, :, 0:2] = [100.0, 1500.0]
    shape.peak_table(rows, "right")[2, 3, 1] = 9000.0
    whole, ends, points = shape.peak_tables(rows)
    whole[2, 1, 2:4] = [7.25, 3.0]
    ends[1:, 1, 1] = [50.0, 9100.0, 7.25]
    points[1:, 0, 0:2] = [4.5, 7.0]
    dataset = build_dataset(shape, times, rows, {**METADATA, "start_up": 8.0})
    numbers = summarise(dataset)
    most = numbers["tension_max"]
    assert (most["value"], most["time"], most["cable"], most["arc_length"]) == (9000.0, 7.25, "right", 300.0)
    assert numbers["cables"]["right"]["force_end"]["max"] == 9100.0
    assert numbers["points"]["A"]["acceleration_max"] == {"value": 4.5, "time": 7.0}
    assert any("lasts until 8 s: --after 8 leaves it out" in line for line in summary_lines(numbers))
    later = summarise(dataset, after=10.0)
    assert later["tension_max"]["value"] < 9000.0, "the steps before the first sample that is left do not count"
    assert any("after 10 s" in line for line in summary_lines(later))


def test_line_on_a_drum_is_counted_from_where_it_leaves_it():
    arc = tuple(np.linspace(0.0, 1500.0, 31))
    shape = ObservationShape(("wire",), (31,), ("load",), (arc,), (Extra("wire.winch.length", "m"),))
    rows = np.full((3, shape.size), np.nan)
    rows[:, shape.end_block.start : shape.extremes.start] = 0.0
    nodes = shape.node_table(rows, 0)
    nodes[:, -2:] = 0.0
    nodes[:, -2:, obs.NODE_TENSION] = [[1.0, 2.0], [5.0, 7.0], [3.0, 4.0]]
    rows[:, shape.column("wire.winch.length")] = [28.0, 28.6, 30.0]
    numbers = summarise(build_dataset(shape, np.array([0.0, 1.0, 2.0]), rows, METADATA))
    most, least = numbers["tension_max"], numbers["tension_min"]
    assert (most["arc_length"], most["from"]) == (pytest.approx(28.6), "its drum")
    assert least["arc_length"] == 0.0, "the node at the drum"
    assert any(line.split()[3:7] == ["28.6", "m", "its", "drum"] for line in summary_lines(numbers))


def test_a_result_without_cables_has_a_summary():
    shape = ObservationShape((), (), ("buoy",), ())
    rows = np.zeros((3, shape.size))
    numbers = summarise(build_dataset(shape, np.array([0.0, 1.0, 2.0]), rows, METADATA))
    assert numbers["cables"] == {}
    assert numbers["tension_max"] is None
    assert any("energy balance" in line for line in summary_lines(numbers))


def test_a_poor_energy_balance_is_a_warning_in_words_people_use(quiet):
    shape, times, rows = quiet
    rows = rows.copy()
    rows[:, shape.column("energy_kinetic")] = [0.0, 1000.0, 5000.0]
    rows[:, shape.column("work_drives")] = [0.0, 1000.0, 1000.0]
    dataset = build_dataset(shape, times, rows, METADATA)
    (text,) = poor_balance(energy_balance(dataset))
    assert "closes only to 133 % of the energy exchanged, where at most 5 %" in text
    lines = summary_lines(summarise(dataset))
    assert any("closes to 133 % of the energy exchanged, which is poor" in line for line in lines)
    rows[:, shape.column("work_drives")] = [0.0, 1000.0, 4950.0]
    assert poor_balance(energy_balance(build_dataset(shape, times, rows, METADATA))) == ()


@pytest.mark.parametrize("gone", [name for names in TOGETHER for name in names])
def test_a_result_that_lost_a_part_of_an_extreme_is_refused_in_a_sentence(dataset, gone):
    """Another program may have left it out; what is left tells no time or place."""
    with pytest.raises(ResultError, match=f"has '.*' and no '{gone}'.*or run its input file again"):
        summarise(dataset.drop_vars(gone))


def test_a_start_up_that_is_no_number_is_told(dataset):
    with pytest.raises(ResultError, match="start_up is no number but 'soon'"):
        summarise(dataset.assign_attrs(start_up="soon"))
