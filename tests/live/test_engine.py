"""Ticks: with the clock, from a log at any speed, and after kills; the estimate is always the same."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
from collections import deque
from pathlib import Path

import numpy as np
import pytest

from fairlead.live.engine import CHECKPOINT, Engine
from fairlead.live.frames import Packer, unpack
from fairlead.live.inputs.intake import Intake
from fairlead.live.inputs.reading import Reading
from fairlead.live.inputs.stamps import Sorter
from fairlead.live.recording.log import Heard, Log, Past, Tick
from fairlead.live.showing import Showing

from .fakes import FakeTwin

STOP = threading.Event()


class Clock:
    """Time that goes on by 0.03 s whenever somebody looks; waiting on it takes none."""

    def __init__(self) -> None:
        self.now = 1.6e9

    def __call__(self) -> float:
        self.now += 0.03
        return self.now


class Instruments:
    """A feed of one value a second, stamped a little earlier."""

    def __init__(self) -> None:
        self.last = 0

    def take(self, until: float) -> tuple[Heard, ...]:
        new = range(self.last, int(until))
        self.last = int(until)
        return tuple(Heard("acoustic", {"x": float(k), "y": 1.0}, k + 0.7) for k in new)


class Until:
    """An event that is set once a twin has come to a time; waiting on it moves the clock."""

    def __init__(self, twin: FakeTwin, end: float, clock: Clock) -> None:
        self.twin, self.end, self.clock = twin, end, clock

    def is_set(self) -> bool:
        return self.twin.time >= self.end

    def wait(self, seconds: float) -> bool:
        self.clock.now += seconds
        return False


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A log of 30 s and the state it led to."""
    folder = tmp_path_factory.mktemp("log")
    twin, clock = FakeTwin(mute=True), Clock()
    engine = Engine(twin, rate=10.0, epoch=1.6e9, log=Log(folder, 1.6e9, segment=10.0), folder=folder)
    engine.go(Instruments(), Until(twin, 30.0, clock), clock)
    engine.log.close()
    return folder, twin.state


def test_the_twin_keeps_to_the_clock_on_its_grid(recorded):
    ticks = list(Past.of(recorded[0]).ticks())
    assert ticks[-1].until == 30.0
    assert [tick.number for tick in ticks] == list(range(len(ticks)))
    assert np.allclose(np.array([tick.until for tick in ticks]) * 10.0 % 1.0, 0.0)
    assert sum(len(tick.heard) for tick in ticks) == 30


def test_who_is_late_leaves_instants_out_and_says_so():
    twin, clock = FakeTwin(mute=True), Clock()
    engine = Engine(twin, rate=10.0, epoch=1.6e9)
    clock.now += 5.0
    engine.go(Instruments(), Until(twin, 1.0, clock), clock)
    assert engine.number == 0, "one second in one tick, not ten"
    assert twin.time == 1.0
    assert engine.late > 4.8


@pytest.mark.parametrize("speed", [None, 1e4])
def test_a_log_gives_the_same_estimate_again_at_any_speed(recorded, speed):
    folder, state = recorded
    twin = FakeTwin(mute=True)
    Engine(twin).repeat(Past.of(folder).ticks(), STOP, speed)
    assert np.array_equal(twin.state, state)
    assert twin.time == 30.0


def test_speed_is_kept():
    waits = []

    class Watch:
        now = 0.0

        def __call__(self):
            return self.now

        def is_set(self):
            return False

        def wait(self, seconds):
            waits.append(seconds)
            self.now += seconds
            return False

    watch = Watch()
    Engine(FakeTwin(mute=True)).repeat((Tick(k, 0.5 * k + 0.5, ()) for k in range(21)), watch, 10.0, watch)
    assert watch.now == pytest.approx(1.0)


def test_a_twin_goes_on_from_its_checkpoint_and_the_ticks_after_it(recorded, tmp_path):
    folder, state = recorded
    ticks = list(Past.of(folder).ticks())
    for stop in (1, 57, 130, 299):
        own = tmp_path / str(stop)
        engine = Engine(FakeTwin(mute=True), log=Log(own, 1.6e9), folder=own, checkpoint=3.0)
        for tick in ticks[:stop]:
            engine.make(tick)
        engine.log.write(ticks[stop])  # written down, not made: killed in between
        again = Engine(FakeTwin.restore(own / CHECKPOINT), log=Log(own, 1.6e9), folder=own)
        again.catch_up(Past.of(own).ticks())
        assert again.number == stop
        again.repeat(ticks, STOP)
        assert np.array_equal(again.twin.state, state)
        assert list(Past.of(own).ticks()) == ticks, "every tick is in the log, once"


def test_kill_9_changes_nothing(recorded, tmp_path):
    """Killed at random moments and started again, the twin ends where the undisturbed one does, to the last bit."""
    folder, state = recorded
    here = Path(__file__).parents[1]
    paths = os.pathsep.join([str(here), os.environ.get("PYTHONPATH", str(here.parent / "src"))])
    command = [sys.executable, "-m", "live.fakes", str(folder), str(tmp_path)]
    chance, reached = random.Random(5), []
    for speed in (60.0, 60.0, 1e6):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                                   env={**os.environ, "PYTHONPATH": paths, "SPEED": str(speed)})  # fmt: skip
        ready = process.stdout.readline().split()
        assert ready[0] == "ready"
        reached.append(int(ready[1]))
        if speed < 1e6:
            threading.Event().wait(chance.uniform(0.05, 0.2))
            process.kill()
        rest = process.communicate(timeout=60)[0]
    assert rest.split() == ["state", (30.0).hex(), *(float(v).hex() for v in state)]
    assert reached == sorted(reached)
    assert reached[-1] > 0, "it was killed on the way"


def test_the_board_is_told_all_that_a_watch_keeper_needs():
    twin = FakeTwin()
    board = twin.sea.board
    intake = Intake("gps", lambda text, arrival: Reading({"heading": 1.0}, arrival), Sorter())
    intake.line(b"x", 1.6e9)
    told = {"inputs": {"gps": intake}, "trends": lambda estimate: {"tow.tension": (4e3, 3.9e3, 4.1e3)}}
    showing = Showing(board, Packer(twin.shape), 1.6e9, **told, clock=lambda: 1.6e9 + 7.0)
    engine = Engine(twin, on_estimate=showing)
    showing.engine = engine
    for k in range(25):
        engine.make(Tick(k, 0.1 * (k + 1), ()))
    assert board.frames == 25
    assert unpack(board.frame).time == pytest.approx(2.5)
    assert len(board.past()) == 3 * len(board.frame), "one a second for those who come later"
    assert board.texts["alarms"][0] == 1, "told once, since nothing changed"
    state = json.loads(board.texts["state"][1])["content"]
    assert state["sensors"] == [{"name": "gps", "age": 7.0, "silent": True, "fault": ""}]
    assert state["margin"] > 0.0
    engine.acknowledge("tension of tow above 5 kN")
    engine.make(Tick(25, 2.6, ()))
    engine.make(Tick(26, 2.7, ()))
    assert board.texts["alarms"][0] == 2
    assert '"acknowledged":true' in board.texts["alarms"][1]


def test_memory_is_flat_once_an_hour_of_pictures_is_kept():
    """Frames, trends and states of 600 s more cost nothing that stays."""
    import tracemalloc

    twin = FakeTwin()
    told = {"inputs": {}, "trends": lambda estimate: {"tow.tension": (4e3, 3.9e3, 4.1e3)}}
    engine = Engine(twin, on_estimate=Showing(twin.sea.board, Packer(twin.shape), 0.0, **told))
    twin.sea.board._past = deque(maxlen=50)
    twin.sea.board._trends = deque(maxlen=50)
    for k in range(60):
        engine.make(Tick(k, float(k + 1), ()))
    tracemalloc.start()
    for k in range(60, 120):
        engine.make(Tick(k, float(k + 1), ()))
    before = tracemalloc.get_traced_memory()[0]
    for k in range(120, 720):
        engine.make(Tick(k, float(k + 1), ()))
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 20_000


def test_a_tick_that_was_made_is_not_made_again_for_the_rounding_of_its_time():
    """A twin of 5 ticks a second is at 3/5 s when its third tick, to 3 · 0.2 = 0.6000000000000001 s, is made."""
    twin = FakeTwin(mute=True)
    twin.time = 3 / 5
    engine, ticks = Engine(twin), [Tick(k, 0.2 * (k + 1), ()) for k in range(4)]
    assert engine.catch_up(ticks) == 1
    assert engine.number == 3


class Heavy(FakeTwin):
    """A twin that takes longer than real time with thirty members, and not with twenty."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.clock = clock

    def advance(self, until: float):
        self.clock.now += (until - self.time) * (1.4 if self.members > 20 else 0.6)
        return super().advance(until)


def test_a_twin_that_is_late_for_long_goes_on_with_fewer_members_and_its_log_says_when(tmp_path):
    clock = Clock()
    twin = Heavy(clock)
    engine = Engine(twin, rate=10.0, epoch=1.6e9, log=Log(tmp_path, 1.6e9))
    engine.go(Instruments(), Until(twin, 120.0, clock), clock)
    engine.log.close()
    ticks = list(Past.of(tmp_path).ticks())
    thinned = [(tick.until, tick.members) for tick in ticks if tick.members is not None]
    assert [members for _, members in thinned] == [20]  # two thirds of thirty, and never fewer than twenty
    assert thinned[0][0] > 15.0
    assert engine.late < 0.5
    again = FakeTwin()
    Engine(again).repeat(ticks, STOP)
    assert again.members == 20
    assert np.array_equal(again.state, twin.state)
