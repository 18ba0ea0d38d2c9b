"""A lift whose formulation saw the landing itself: down, loose on the bed, snapped off it and up again."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead import view
from fairlead.model import load_text
from fairlead.simulate import simulate
from fairlead.view.lifts import lift_lines, lift_numbers, lifts
from fairlead.view.report import report_page

from .spreads import lowered_load


@pytest.fixture
def recovered():
    """The load stands on the bed from 90.4 s on and is taken off it at 110 s, the wire loose in between."""
    load = lowered_load()
    times = load["time"].values
    standing = (times >= 91.0) & (times < 110.0)
    tension = load["tension_effective"].values[:, 0]
    tension[standing, -1] = 0.0
    tension[times >= 110.0] = np.where(np.isfinite(tension[times >= 110.0]), 5.2e4, np.nan)
    tension[times == 111.0] = np.where(np.isfinite(tension[times == 111.0]), 8e4, np.nan)
    load["contact_force"].values[:] = 0.0
    load["load.bed_force"] = ("time", np.where(standing, 4.7e4, 0.0))
    load["load.landing_time"] = ("time", np.where(times >= 91.0, 90.4, -1.0))
    load["load.landing_speed"] = ("time", np.where(times >= 91.0, 0.83, 0.0))
    return load


def test_the_landing_is_that_which_the_formulation_saw(recovered):
    (lift,) = lifts(recovered)
    assert lift.landing is not None
    assert (lift.landing.time, lift.landing.value) == (90.4, 0.83)
    assert lift.lift_off == 110.0


def test_a_wire_loose_on_the_bed_is_not_slack_but_its_snap_counts(recovered):
    (lift,) = lifts(recovered)
    assert lift.slack == ()
    assert lift.loose == ((91.0, 109.0),)
    assert lift.snap is not None
    assert (lift.snap.value, lift.snap.time) == (8e4, 111.0)
    assert lift.tension_min.value > 4e4, "what the wire carries while the load stands does not count"


def test_elements_are_those_off_the_drum(recovered):
    (lift,) = lifts(recovered)
    assert lift.elements[0] == 2
    assert lift.elements[-1] == 20


def test_what_is_printed_and_what_is_told_to_machines(recovered):
    found = lifts(recovered)
    assert lift_lines(found) == (
        "landing           load at 90.4 s with 0.83 m/s, off the bed again at 110 s",
        f"snap              wire: 80 kN at 111 s, {8e4 / found[0].tension_mean:.3g} x its mean tension",
    )
    assert lift_numbers(found[0])["landing"] == {"value": 0.83, "time": 90.4}
    slack = lowered_load()
    slack["tension_effective"].values[40:43, 0, -1] = 0.0
    assert lift_lines(lifts(slack))[1].startswith("slack             wire: 1 spell while load hangs, first at 40 s")


def test_the_figure_and_the_report_tell_it(recovered, monkeypatch):
    figure = view.lift(recovered)
    texts = [text.get_text().strip() for axes in figure.axes for text in axes.texts]
    assert "lands at 0.83 m/s" in texts
    assert "leaves the bed" in texts
    assert figure.axes[-1].get_title(loc="left") == "Path"
    monkeypatch.setattr("fairlead.view.report.report.FIGURES", ())  # figures have tests of their own
    page = report_page(recovered)
    assert "the wire goes loose" in page
    assert "80 kN" in page


SLINGS = """
title: A template below a hook and slings
types:
  wire: {diameter: 0.06, mass_per_length: 15, axial_stiffness: 250 MN, damping_time: 0.01}
  sling: {diameter: 0.04, mass_per_length: 7, axial_stiffness: 80 MN, damping_time: 0.01}
points:
  tip: {kind: fixed, position: [0, 0, 20]}
  hook: {kind: free, position: [0, 0, 10], mass: 2000}
bodies:
  template:
    kind: free
    position: [0, 0, 2]
    mass: 40000
    inertia: [2e5, 2e5, 3e5]
    volume: 6
    height: 3
    attachments: {fore: [4, 0, 1.5], aft: [-4, 0, 1.5]}
cables:
  main: {type: wire, length: 10, elements: 2, allow_stretch: true, start: tip, end: hook,
         winch: {end: start, rate: 0, length_max: 20}}
  fore: {type: sling, length: 7.7, elements: 4, start: hook, end: template.fore}
  aft: {type: sling, length: 7.7, elements: 4, start: template.aft, end: hook}
simulation: {duration: 1, step: 0.005}
"""


def test_the_load_is_what_hangs_below_the_slings_and_daf_is_over_its_weight_in_air():
    """Nothing moves but for what statics leave: the tension is the weight, so DAF is 1."""
    result = simulate(load_text(SLINGS))
    (lift,) = lifts(result)
    assert (lift.hook, lift.load) == ("hook", "template")
    assert np.array_equal(lift.height, result["point_position"].sel(point="template", axis="z").values)
    assert lift.weight == pytest.approx(9.81 * (42_000 + 2 * 7.7 * 7 + 10 * 15), rel=1e-9)
    assert lift.daf == pytest.approx(1.0, abs=0.01)
    assert view.lift(result).axes[3].get_ylabel() == "load, z (m)"
    (told,) = (line for line in lift_lines([lift]) if line.startswith("lift"))
    assert told.startswith("lift              main with template: DAF 1 (over the weight in air, 414.")
