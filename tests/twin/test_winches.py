"""A winch that runs while its twin hears how long its line is."""

from __future__ import annotations

import re

import numpy as np
import pytest

from fairlead.model import System, load_text
from fairlead.twin import Twin, TwinFile, read_twin
from fairlead.twin.courses import Course, Straight
from fairlead.twin.stopping import Stopping, stopping
from fairlead.twin.tracks import Track

from .tows import SYSTEM, TWIN

SPEED, PAID_OUT = 2.2, 0.5


def system() -> System:
    text = SYSTEM.replace("end: tail}", "end: tail, winch: {end: start, length_max: 300}}")
    assert text != SYSTEM
    return load_text(text, "tow.yaml")


def twin_file(rate: str) -> TwinFile:
    text = TWIN.replace("rate: 1 Hz", f"rate: {rate}").replace(
        "drive: {", "drive: {tow.winch.length: {from: winch.length}, "
    )
    text = re.sub(r"  t\d00: .*\n", "", text)  # places along a line that runs off a winch cannot be measured
    return read_twin(text, "twin.yaml")


def hear(twin: Twin, first: int, last: int, off: float = 0.0) -> None:
    for k in range(first, last + 1):
        twin.put("stern.position", (SPEED * k, 0.0, -2.0), float(k))
        twin.put("tow.winch.length", 200.0 + off + PAID_OUT * k, float(k))
        twin.advance(float(k))


def paying_out(rate: str, seconds: int, off: float = 0.0) -> Twin:
    """A tow whose line is paid out from the start on, heard once a second; `off`: what the file has it
    too short by, m."""
    twin = Twin(twin_file(rate), system())
    hear(twin, 0, seconds, off)
    return twin


@pytest.mark.parametrize("rate", ["1 Hz", "5 Hz"])
def test_the_line_of_a_twin_is_as_long_as_was_measured_while_its_winch_runs(rate):
    """It was ahead by what runs out in a tick; with several ticks between two looks, by what runs out between these."""
    twin = paying_out(rate, 30)
    assert twin.fleet.observe("tow.winch.length") == pytest.approx(200.0 + 30.0 * PAID_OUT, abs=0.02)


def test_a_forecast_lets_a_winch_run_on_as_it_does_until_it_stops_in_every_member_at_another_time():
    """What its line was too short by when the forecast began is no part of its speed for all of it."""
    twin = paying_out("1 Hz", 5, off=5.0)
    fork = twin.fork()
    begun = fork._ahead.fleet.observe("tow.winch.length").mean()
    assert begun < 206.5  # 207.5 m are measured, and not reached yet
    runs = np.minimum(fork._ahead.driver.stops["tow.winch.rate"].stops - twin.time, 20.0)
    fork.run(20.0)
    assert fork._ahead.fleet.observe("tow.winch.length").ravel() == pytest.approx(begun + PAID_OUT * runs, abs=0.5)
    assert runs.min() < 1.0
    assert runs.max() == 20.0


def test_what_has_run_for_a_while_runs_on_for_longer_with_the_chance_of_that_law():
    """a / (a + τ), in steps of one member."""
    stops = stopped(members=40)["lead.winch.rate"].stops - NOW
    for later in (10.0, 30.0, 90.0, 270.0):
        assert np.mean(stops > later) == pytest.approx(RAN / (RAN + later), abs=1.0 / 40)


def test_a_buoy_stops_with_the_winch_that_lets_it_go_and_goes_on_across():
    found = stopped()
    buoy, winch = found["buoy.position"], found["lead.winch.rate"]
    assert set(found) == {"buoy.position", "lead.winch.rate"}  # not the ship, which the line does not move
    assert np.array_equal(buoy.stops, winch.stops)
    assert buoy.rate == pytest.approx([-0.3, 0.0, 0.0])  # 0.4 m/s astern, of which the winch gives 0.3; 0.2 m/s across
    off, speed = buoy.at(NOW + 60.0)
    passed = np.maximum(NOW + 60.0 - buoy.stops, 0.0)
    assert off[:, 0] == pytest.approx(0.3 * passed)
    assert speed[:, 0] == pytest.approx(np.where(passed > 0.0, 0.3, 0.0))
    assert not off[:, 1:].any()
    assert winch.at(NOW + 60.0)[0][:, 0] == pytest.approx(np.where(passed > 0.0, -0.3, 0.0))


@pytest.mark.parametrize(("rate", "stops"), [(0.3, [-0.3, 0.0, 0.0]), (-0.3, [0.3, 0.0, 0.0])])
def test_what_a_winch_gives_a_buoy_is_seen_from_its_drum(rate, stops):
    """Ship at 2.5 m/s: a buoy behind a line that runs out goes 2.2 m/s over ground, and 2.5 m/s when the winch stops;
    one that is hauled in 2.8 and 2.5. What is beside the drum goes on with the ship."""
    found = stopped(rate=rate, ship=2.5, buoy=2.5 - rate)
    assert set(found) == {"buoy.position", "lead.winch.rate"}
    buoy = found["buoy.position"]
    assert buoy.rate == pytest.approx(stops)
    late = buoy.stops.min() + 1.0
    _, speed = buoy.at(late)
    assert 2.5 - rate + speed[buoy.stops < late, 0] == pytest.approx(2.5)


def test_a_buoy_that_its_pendant_joins_to_the_line_stops_with_it_wherever_it_is():
    """Nearer to the drum than to the far end, as one that the current has carried up along its line."""
    assert stopped(length=200.0)["buoy.position"].rate == pytest.approx([-0.3, 0.0, 0.0])


def test_a_winch_of_which_a_plan_tells_stops_by_that_alone():
    twin = paying_out("1 Hz", 5)
    times = np.arange(0.0, 60.0, 5.0)
    fork = twin.fork().plan("tow.winch.rate", (times, np.full((len(times), 1), PAID_OUT)))
    assert not fork._ahead.driver.stops


def test_a_forecast_in_which_winches_stop_goes_on_from_a_checkpoint_to_the_same_bits(tmp_path):
    twin = paying_out("1 Hz", 24)
    assert twin.forecasting.under_way is not None
    assert twin.forecasting.under_way.driver.stops
    twin.checkpoint(tmp_path / "kept")
    again = Twin.restore(tmp_path / "kept", twin_file("1 Hz"), system())
    for one in (twin, again):
        hear(one, 25, 36)
    assert twin.forecast is not None
    assert again.forecast is not None
    assert twin.forecast.issued == again.forecast.issued == 20.0
    assert np.array_equal(twin.forecast.values, again.forecast.values)
    assert np.array_equal(twin.fleet.Y, again.fleet.Y)


NOW, RAN = 40.0, 30.0


def stopped(
    members: int = 12, rate: float = 0.3, ship: float = -0.1, buoy: float = -0.4, length: float = 500.0
) -> dict[str, Stopping]:
    """A winch that began to run half a minute ago, with a buoy at the end of its line and a second sheave beside it;
    how fast its line, the ship and the buoy go ahead, m/s."""
    line = load_text(
        """
types: {rope: {diameter: 44 mm, density: 1110, youngs_modulus: 1 GPa}}
points: {ship: {kind: controlled, position: [0, 0, 0]}, buoy: {kind: controlled, position: [-500, 0, 0]},
         sheave: {kind: controlled, position: [0, 5, 0]}, head: {kind: free, position: [-500, 0, -10]},
         tail: {kind: free, position: [-100, 5, -10]}}
cables: {lead: {type: rope, length: 510, elements: 5, start: ship, end: head, winch: {end: start, length_max: 600}},
         pendant: {type: rope, length: 10, elements: 1, start: buoy, end: head},
         other: {type: rope, length: 110, elements: 5, start: sheave, end: tail}}
simulation: {duration: 1, step: 0.1}
""",
        "line.yaml",
    )
    track = Track(0.0)
    for k in range(41):
        track.put(float(k), np.array([510.0 + rate * max(0.0, k - (NOW - RAN))]))
    far, along = np.array([-length, 0.0, 0.0]), np.array([ship, 0.0, 0.0])
    courses: dict[str, Course] = {
        "lead.winch.rate": Straight(np.array([rate]), np.zeros(1), NOW),
        "buoy.position": Straight(far, np.array([buoy, 0.2, 0.0]), NOW),
        "ship.position": Straight(np.zeros(3), along, NOW),
        "sheave.position": Straight(np.array([0.0, 5.0, 0.0]), along, NOW),
    }
    at_rest = np.zeros(3)
    points = {"ship": (at_rest, at_rest), "sheave": (np.array([0.0, 5.0, 0.0]), at_rest), "buoy": (far, at_rest),
              "head": (np.array([-500.0, 0.0, 0.0]), at_rest)}  # fmt: skip
    return stopping({"lead.winch.length": track}, courses, points, line, NOW, members, [1, 2])
