"""Events of a run: what let go, when and at which force, slack and snaps, and the tensions before and after."""

from __future__ import annotations

import json

import numpy as np
import pytest

from fairlead.model import load_text
from fairlead.results import ObservationShape, build_dataset, summarise, summary_lines
from fairlead.results import extremes as ext
from fairlead.results import observation as obs
from fairlead.simulate import simulate

STIFFNESS, LENGTH, LIMIT = 1.0e6, 50.0, 1.0e4
PULLED = """
environment: {{seabed: {{depth: 100}}}}
types: {{line: {{diameter: 0.02, mass_per_length: 0.4, axial_stiffness: 1 MN}}}}
points:
  bottom: {{kind: fixed, position: [0, 0, -60]}}
  top: {{kind: controlled, position: [0, 0, -10], motion: {{harmonic: {{amplitude: [0, 0, 1], period: 20}}}}}}
cables:
  line: {{type: line, length: 50, elements: 5, start: {{point: bottom, release: {release}}}, end: top}}
simulation: {{duration: 24, step: 0.01, output_every: 0.5, formulation: {formulation}}}
"""


@pytest.mark.parametrize("formulation", ["bars", "lumped"])
def test_a_weak_link_parts_at_its_tension_and_the_summary_says_when(formulation):
    """A line pulled slowly has the tension EA times its strain, so the place of its top tells when it must part."""
    result = simulate(load_text(PULLED.format(release="{tension: 10 kN}", formulation=formulation)))
    numbers = summarise(result)
    (parting,) = (event for event in numbers["events"] if event["kind"] == "weak link")
    assert (parting["cable"], parting["end"], parting["point"]) == ("line", "start", "bottom")
    assert parting["force"] == pytest.approx(LIMIT, rel=0.01)
    top = np.interp(parting["time"], result["time"].values, result["point_position"].sel(point="top", axis="z").values)
    assert STIFFNESS * (top + 10.0) / LENGTH == pytest.approx(LIMIT, rel=0.02)
    before, after = numbers["phases"]
    assert before["to"] == after["from"] == parting["time"]
    assert after["after"] == [parting]
    assert before["cables"]["line"]["max"] == pytest.approx(LIMIT, rel=0.03)
    weight = (0.4 - 1025.0 * np.pi / 4 * 0.02**2) * 9.81 * LENGTH
    assert after["cables"]["line"]["mean"] < 20.0 * weight < before["cables"]["line"]["mean"]
    assert any(line.startswith("weak link         line parted from bottom at ") for line in summary_lines(numbers))


def test_a_release_has_the_time_of_the_file_and_what_comes_later_is_none():
    run = simulate(load_text(PULLED.format(release="{time: 3.25}", formulation="lumped")))
    (event,) = (event for event in summarise(run)["events"] if event["kind"] == "release")
    assert event["time"] == 3.25
    later = simulate(load_text(PULLED.format(release="{time: 25}", formulation="lumped")))
    assert not [event for event in summarise(later)["events"] if event["kind"] in ("release", "weak link")]


SHAPE = ObservationShape(
    cables=("line",), nodes_per_cable=(3,), points=("a", "b"), arc_length=((0.0, 10.0, 20.0),), extras=()
)
HELD = {"cables": {"line": {"start": {"point": "a"}, "end": {"point": "b"}}}}


def made_up(tension, settings=HELD, contact=()):
    """A line of two elements with a given tension all along at samples 1 s apart."""
    tension = np.asarray(tension, dtype=float)
    rows = np.zeros((len(tension), SHAPE.size))
    rows[:, SHAPE.extremes.start :] = np.nan
    table = SHAPE.node_table(rows, 0)
    table[..., obs.NODE_TENSION] = tension[:, np.newaxis]
    table[list(contact), :, obs.NODE_CONTACT_FORCE + 2] = 1.0
    rows[:, SHAPE.cable_ends(0)] = np.outer(tension, [1.0, 0.0, 0.0, -1.0, 0.0, 0.0])
    ends = SHAPE.peak_tables(rows)[1]
    ends[1:, :, :, ext.END_FORCE_MAX] = tension[1:, np.newaxis, np.newaxis]
    metadata = {"title": "made up", "settings": json.dumps(settings), "status": "complete"}
    return build_dataset(SHAPE, np.arange(len(tension), dtype=float), rows, metadata)


def kinds(dataset):
    return [event["kind"] for event in summarise(dataset)["events"]]


def test_slack_spells_are_counted_and_the_snap_after_them_found():
    numbers = summarise(made_up([100, 100, 0, 0, 100, 100, 0, 300, 100, 100]))
    slack, snap = numbers["events"]
    assert (slack["kind"], slack["time"], slack["count"]) == ("slack", 2.0, 2)
    assert slack["spells"] == [[2.0, 3.0], [6.0, 6.0]]
    assert (slack["longest"], slack["total"]) == (2.0, 3.0)  # a spell of one sample lasts one output interval
    assert (snap["kind"], snap["time"], snap["tension"]) == ("snap", 7.0, 300.0)
    assert snap["factor"] == pytest.approx(300.0 / 90.0)


def test_line_on_the_bed_and_a_free_end_are_not_slack():
    assert kinds(made_up([100, 100, 0, 0, 100], contact=(2, 3))) == ["touchdown", "lift-off"]
    free = {"cables": {"line": {"start": {"point": "a"}, "end": None}}}
    assert kinds(made_up([100, 100, 0, 0, 100], free)) == []


def test_a_line_that_has_parted_is_not_slack_afterwards():
    settings = {"cables": {"line": {"start": {"point": "a"}, "end": {"point": "b", "release": {"tension": 150}}}}}
    assert kinds(made_up([100, 100, 160, 0, 0, 0], settings)) == ["weak link"]


def test_a_part_of_a_run_has_the_events_of_that_part():
    dataset = made_up([100, 100, 0, 100, 100, 100, 100])
    assert [event["kind"] for event in summarise(dataset, after=4.0)["events"]] == []
