"""Looking ahead, limits and what-ifs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fairlead.twin import Forecast, Twin
from fairlead.twin.forecasts import PastErrors
from fairlead.twin.quantities import Watched, clearance
from fairlead.twin.watching import Limit, Warning

from .test_twin import run
from .tows import heard, system, twin_file


@pytest.fixture(scope="module")
def twin() -> Twin:
    return run(Twin(twin_file(), system()), heard(50), 50)


def test_in_a_steady_tow_the_cable_goes_on_as_it_is(twin):
    f = twin.forecast
    assert f is not None
    assert f.live
    assert (f.issued, f.times.tolist()) == (40.0, [45.0, 50.0, 55.0, 60.0])
    assert f.mean("stern.x") == pytest.approx(2.2 * f.times, abs=0.1)
    depth = float(twin._parts.watched["tow.depth"].of(twin.fleet.rows).mean())
    assert f.mean("tow.depth") == pytest.approx(depth, abs=1.5)
    low, high = f.band("tow.depth")
    assert (low < f.mean("tow.depth")).all()
    assert (high > f.mean("tow.depth")).all()


def test_a_what_if_goes_its_own_way_and_is_marked(twin):
    """The vessel stops: tension falls, the cable sinks; the twin itself is left as it was."""
    before = twin.fleet.Y.copy()
    start = twin.estimate.mean["stern.position"]
    times, there = [50.0, 55.0, 100.0], start + np.array([6.0, 0.0, 0.0])
    stopped = twin.fork().plan("stern.position", (times, [start, there, there])).run(20.0)
    assert not stopped.live
    assert stopped.mean("tow.depth")[-1] > twin.forecast.mean("tow.depth")[-1] + 2.0
    assert stopped.mean("tow.force_start")[-1] < 0.7 * twin.forecast.mean("tow.force_start")[-1]
    assert stopped.probability("tow.force_start < 1 kN") > 0.9
    assert twin.forecast.probability("tow.force_start > 5 kN") < 0.1
    assert np.array_equal(twin.fleet.Y, before)
    assert twin.fleet.time == 50.0


@pytest.mark.parametrize(
    ("name", "plan", "words"),
    [
        ("bow.position", ([0.0], [[0, 0, 0]]), "there is no input 'bow.position'"),
        ("stern.position", ([0.0, 1.0], [[0, 0, 0], [500, 0, 0]]), "jumps: 500 m/s"),
        ("stern.position", ([1.0, 0.0], [[0, 0, 0], [1, 0, 0]]), "times must grow"),
    ],
)
def test_a_plan_that_cannot_be_followed_is_refused(twin, name, plan, words):
    with pytest.raises(ValueError, match=words):
        twin.fork().plan(name, plan)


def test_what_is_not_forecast_is_said(twin):
    with pytest.raises(KeyError, match="tensoin"):
        twin.forecast.probability("tow.tensoin > 5 kN")
    with pytest.raises(ValueError, match="is a length, not a force"):
        twin.forecast.probability("tow.tension > 5 m")


def forecast(means: list[float], spread: float, issued: float = 0.0, errors: float = 0.0) -> Forecast:
    members = np.array([[m + spread * z for m in means] for z in np.linspace(-1.5, 1.5, 21)])[:, :, None]
    times = issued + 5.0 * np.arange(1, len(means) + 1)
    return Forecast(issued, times, ("x",), ("m",), members, np.full((len(means), 1), errors))


def test_the_band_of_what_is_positive_stays_above_zero():
    """A bend radius of 5 km, give or take 7 km: some hundreds of metres are possible, and none below 0 are."""
    radius = replace(forecast([5e3], 1.0, errors=7e3), positive=frozenset({"x"}))
    low, high = radius.band("x")
    assert 300.0 < low[0] < 700.0
    assert high[0] > 10e3
    assert radius.probability("x < 1.5 m") < 1e-6
    assert replace(radius, positive=frozenset()).band("x")[0][0] < -5e3


def test_bands_are_widened_by_how_far_off_past_forecasts_were():
    """A forecast that says 0 while the truth drifts by 0.1 m/s: its errors grow in proportion to the lead."""
    errors = PastErrors(("x",), 5.0, 20.0)
    for k in range(1, 11):
        t = 5.0 * k
        errors.compare(t, np.array([0.1 * t]))
        errors.issue(t).extend([np.array([0.1 * t])] * 4)
    assert errors.at(np.array([5.0, 10.0, 20.0]))[:, 0] == pytest.approx([0.5, 1.0, 2.0])
    assert errors.at(np.array([40.0]))[0, 0] == pytest.approx(4.0)  # further than any has looked
    low, high = forecast([0.0], 0.01, errors=0.5).band("x")
    assert high - low == pytest.approx(2 * 1.645 * 0.5, rel=0.01)
    assert len(errors.open) == 5  # what has had its time is kept no longer


def test_what_sways_is_not_expected_to_be_ever_further_off():
    """The first forecast of a tension in waves says its mean: 60 s ahead it is off by as much as 10 s ahead."""
    errors, waves = PastErrors(("x",), 5.0, 60.0), [40.0 * np.sin(2.0 * np.pi * 5.0 * k / 9.0) for k in range(12)]
    errors.issue(20.0).extend([np.array([0.0])] * 12)
    for k in range(7):
        errors.compare(5.0 * k, np.array([waves[k]]))
    near, far = errors.at(np.array([10.0, 60.0]))[:, 0]
    assert near > 30.0
    assert far < 1.5 * 40.0, "not six times what it is after 10 s"


def test_an_alarm_rises_at_once_falls_after_a_while_and_forgets_that_it_was_known():
    limit = Limit("x above 1", Watched("x", "m", lambda rows: rows), True, 1.0, 0.2, 0.5, 30.0)
    warning = Warning(limit)
    warning.look(0.0, 0.0, 0.1, None)
    assert warning.alarm.level == "clear"
    warning.look(1.0, 0.0, 0.1, forecast([0.4, 0.8], 0.3, 1.0))
    assert warning.alarm.level == "amber"
    warning.acknowledged = True
    warning.look(2.0, 0.9, 0.1, forecast([1.2, 1.5], 0.1, 2.0))
    assert (warning.alarm.level, warning.alarm.acknowledged, warning.alarm.ahead) == ("red", False, 5.0)
    warning.look(3.0, 0.0, 0.1, None)
    warning.look(20.0, 0.0, 0.1, None)
    assert warning.alarm.level == "red"  # not quiet for long enough
    warning.look(25.0, 0.99, 0.1, None)
    warning.look(40.0, 0.0, 0.1, None)
    assert warning.alarm.level == "red"  # it was not quiet in between
    warning.look(71.0, 0.0, 0.1, None)
    assert (warning.alarm.level, warning.alarm.since) == ("clear", 71.0)
    warning.look(72.0, 1.01, 0.001, None)
    assert (warning.alarm.level, warning.alarm.ahead) == ("red", 0.0)


def test_a_radius_of_kilometres_that_varies_as_much_is_far_from_a_limit_of_a_metre():
    """The cable is nearly straight; by a normal distribution one in six such radii would be below 0."""
    limit = Limit("radius below 1.5 m", Watched("r", "m", lambda rows: rows, positive=True), False, 1.5, 0.2, 0.5, 30.0)
    assert limit.chance(np.array(5e3), np.array(5e3)) < 1e-9
    assert limit.chance(np.array(1.5), np.array(1e-6)) == pytest.approx(0.5, abs=1e-3)
    assert limit.chance(np.array(1.4), np.array(0.0)) == 1.0
    assert limit.chance(np.array(1.6), np.array(0.0)) == 0.0


def test_acknowledging_names_an_alarm(twin):
    name = twin.alarms[1].name
    assert (name, twin.alarms[1].level) == ("depth of tow below 500 m", "red")
    assert twin.acknowledge(name)
    assert twin.alarms[1].acknowledged
    assert not twin.acknowledge("no such alarm")


def test_the_clearance_of_two_cables_is_from_nodes_to_elements(twin):
    shape = twin.fleet.compiled.shape
    watched = clearance(shape, "tow", "stern")
    assert watched.of(twin.fleet.rows) == pytest.approx(0.0, abs=1e-6)  # the cable begins there
    beside = clearance(shape, "tow", "tail")
    rows = twin.fleet.rows.copy()
    rows[:, shape.point("tail")] = np.tile([*(rows[0, :3] + rows[0, 13:16]) / 2 + (0, 7.0, 0), 0, 0, 0], (len(rows), 1))
    assert beside.of(rows)[0] == pytest.approx(7.0, rel=0.02)
