"""Clocks at sea: this machine's is set, an instrument's jumps, a day ends, a year has a day more."""

from __future__ import annotations

import json
from calendar import timegm

import pytest

from fairlead.live.engine import Engine, Feed, Steps
from fairlead.live.inputs.intake import Intake
from fairlead.live.inputs.nmea import parse, sentence
from fairlead.live.inputs.reading import Reading
from fairlead.live.inputs.rows import stamp_of
from fairlead.live.inputs.stamps import Sorter
from fairlead.live.recording.log import Log, Past

from .fakes import FakeTwin

EPOCH = 1.6e9


class Machine:
    """Its clock, which somebody sets at a time of the twin, and one that nobody sets; waiting takes no time."""

    def __init__(self, twin: FakeTwin, at: float, step: float, end: float) -> None:
        self.twin, self.at, self.step, self.end = twin, at, step, end
        self.now = 0.0

    def steady(self) -> float:
        return self.now

    def clock(self) -> float:
        self.now += 0.01
        return EPOCH + self.now + (self.step if self.twin.time >= self.at else 0.0)

    def is_set(self) -> bool:
        return self.twin.time >= self.end or self.now > 10.0 * self.end

    def wait(self, seconds: float) -> bool:
        self.now += seconds
        return False


@pytest.mark.parametrize("step", [-3600.0, 3600.0, -20.0, 86400.0])
def test_a_clock_that_is_set_neither_stops_the_twin_nor_hurries_it(tmp_path, step):
    twin, sorter, told = FakeTwin(mute=True), Sorter(), []
    machine = Machine(twin, 10.0, step, 30.0)
    engine = Engine(twin, rate=10.0, epoch=EPOCH, log=Log(tmp_path, EPOCH), on_step=told.append)
    sorter.put("gps", Reading({"x": 1.0}, EPOCH + 3000.0))  # would come to be true in an hour's time
    engine.go(Feed(sorter, EPOCH), machine, machine.clock, Steps(machine.clock, machine.steady))
    assert twin.time == 30.0
    assert machine.now < 31.0, "it took as long as it should"
    assert told == [pytest.approx(step, abs=0.1)]
    assert engine.epoch == pytest.approx(EPOCH + step, abs=0.1)
    assert Past.of(tmp_path).epoch == engine.epoch, "a twin that starts again knows of it"
    assert engine.note == f"this machine's clock was set {'forward' if step > 0 else 'back'} by {abs(step):.0f} s"
    assert sorter.take(1e12) == [], "what waited had stamps of the clock as it was"
    untils = [tick.until for tick in Past.of(tmp_path).ticks()]
    assert untils == sorted(untils)
    assert len(untils) > 250, "no second was left out"


def test_a_clock_that_is_set_before_the_first_tick_is_seen():
    """Members find their equilibrium meanwhile, or kernels are compiled: a minute in which somebody may set it."""
    twin, told = FakeTwin(mute=True), []
    machine = Machine(twin, 1e9, -3600.0, 5.0)
    steps = Steps(machine.clock, machine.steady)
    engine = Engine(twin, rate=10.0, epoch=EPOCH, on_step=told.append)
    machine.at = 0.0
    engine.go(Feed(Sorter(), EPOCH), machine, machine.clock, steps)
    assert told == [pytest.approx(-3600.0, abs=0.1)]
    assert machine.now < 6.0, "an hour later it would have begun"


def test_a_clock_that_is_set_changes_nothing_of_how_long_a_twin_has_been_late():
    engine = Engine(FakeTwin(mute=True), epoch=EPOCH)
    engine.late = 5.0
    assert engine._fewer(EPOCH + 10.0) is None
    engine._take_step(3600.0, Feed(Sorter(), EPOCH))
    assert engine._late_since == EPOCH + 3610.0


@pytest.mark.parametrize("lost", ["its head", "its folder"])
def test_a_log_that_was_taken_away_does_not_stop_the_twin_when_the_clock_is_set(tmp_path, lost):
    folder = tmp_path / "log"
    engine = Engine(FakeTwin(mute=True), epoch=EPOCH, log=Log(folder, EPOCH, identity="tow"))
    (folder / "heard.json").unlink()
    if lost == "its folder":
        folder.rmdir()
    engine._take_step(-20.0, Feed(Sorter(), EPOCH))
    assert engine.epoch == EPOCH - 20.0
    if lost == "its head":
        assert (Past.of(folder).epoch, Past.of(folder).identity) == (EPOCH - 20.0, "tow")


def test_a_clock_that_is_corrected_a_little_was_not_set():
    machine = Machine(FakeTwin(mute=True), 0.0, 0.0, 1.0)
    steps = Steps(machine.clock, machine.steady)
    for step, seen in ((1.5, 0.0), (3.0, 0.0), (-3600.0, pytest.approx(-3603.0, abs=0.1)), (-3600.0, 0.0)):
        machine.step = step
        assert steps.seen() == seen


def test_what_is_heard_after_a_clock_was_set_comes_at_the_time_at_which_it_was_measured():
    sorter = Sorter()
    feed = Feed(sorter, EPOCH)
    feed.clock_was_set(-3600.0)
    sorter.put("gps", Reading({"x": 1.0}, EPOCH - 3600.0 + 12.0))
    [one] = feed.take(12.5)
    assert one.stamp == pytest.approx(12.0)


def test_an_instrument_whose_clock_jumps_is_told_of_and_heard_again_when_it_comes_back():
    intake = Intake("winch", lambda line, arrival: Reading({"tension": 1.0}, json.loads(line)), Sorter())
    for off, words in ((0.0, ""), (3600.0, "3600 s ahead of this machine's clock"), (0.0, ""),
                       (-7200.0, "7200 s behind this machine's clock"), (0.0, "")):  # fmt: skip
        for k in range(3):
            intake.line(b"%f" % (EPOCH + k + off), EPOCH + k)
        assert words in intake.health.fault
        assert bool(words) == bool(intake.health.fault)
    assert intake.health.accepted == 9
    intake.health.clock_was_set(-3600.0, EPOCH - 3600.0 + 2.0)
    assert intake.health.age(EPOCH - 3600.0 + 12.0) == pytest.approx(10.0), "it grows on where this machine's is set"
    later = EPOCH - 3600.0 + 2.0 + 1800.0
    intake.line(b"%f" % later, later)  # heard on the new clock before the twin has seen that it was set
    intake.health.clock_was_set(1800.0, later)
    assert intake.health.age(later + 30.0) == pytest.approx(30.0), "a dead input is not taken for one to come"


MIDNIGHTS = [timegm((2024, 2, 28, 24, 0, 0)), timegm((2024, 2, 29, 24, 0, 0)), timegm((2023, 12, 31, 24, 0, 0)),
             timegm((2100, 2, 28, 24, 0, 0))]  # fmt: skip


@pytest.mark.parametrize("midnight", MIDNIGHTS)
def test_times_of_day_go_on_through_midnight_a_leap_day_and_a_leap_second(midnight):
    def stamp(clock: str, arrival: float) -> float:
        found = parse(sentence(f"GPGGA,{clock},5900.0,N,00300.0,E,4,12,0.6,2.0,M,44.6,M,,"), arrival)
        assert isinstance(found, Reading)
        return found.stamp

    assert stamp("235959.80", midnight + 0.3) == pytest.approx(midnight - 0.2), "measured before, heard after"
    assert stamp("000000.10", midnight - 0.4) == pytest.approx(midnight + 0.1), "a clock that is half a second fast"
    assert stamp("235960.50", midnight + 0.6) == pytest.approx(midnight + 0.5), "a leap second"


def test_stamps_with_a_date_know_leap_days():
    assert stamp_of("2024-02-29T00:00:01Z") == timegm((2024, 2, 29, 0, 0, 1))
    assert stamp_of("2023-02-29T00:00:01Z") is None, "there is no such day: the row is refused"
