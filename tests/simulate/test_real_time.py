"""Runs that keep to the clock, under a clock of the test's own."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest

from fairlead.simulate import Simulation
from fairlead.simulate.pacing import LONGEST_SLEEP, Pacer
from fairlead.simulate.run import Run

from .toy import Toy, chain


class Clock:
    """Time that passes only in sleep, and in work where `work` says how long a step takes."""

    def __init__(self, work=lambda step: 0.0):
        self.now = 1000.0
        self.slept: list[float] = []
        self._work = work

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds > 0.0
        self.slept.append(seconds)
        self.now += seconds

    def pacer(self, speed: float = 1.0) -> Pacer:
        return Pacer(speed, self, self.sleep)


class SlowToy(Toy):
    """A toy whose steps take time on the test's clock."""

    def __init__(self, system, clock):
        super().__init__(system)
        self.clock, self.taken = clock, 0

    def advance(self, t, y, n, h, u, scheme):
        outcome = super().advance(t, y, n, h, u, scheme)
        if n:
            self.clock.now += self.clock._work(self.taken)
            self.taken += 1
        return outcome


def run(clock: Clock, speed: float = 1.0, duration: float = 1.0, **options):
    simulation = Simulation.of(SlowToy(chain(), clock))
    return Run(simulation, duration=duration, pacer=clock.pacer(speed), **options).carry_out().dataset()


@pytest.mark.parametrize("speed", [1.0, 2.0, 0.5])
def test_a_run_takes_its_time_and_gives_the_same_numbers(speed):
    clock = Clock(lambda step: 0.001)
    result = run(clock, speed)
    assert clock.now - 1000.0 == pytest.approx(1.0 / speed)
    free = Simulation.of(Toy(chain())).run(duration=1.0)
    for name in free.data_vars:
        assert np.array_equal(result[name].values, free[name].values, equal_nan=True), name
    assert result.attrs["real_time_speed"] == speed
    assert result.attrs["real_time_steps"] == 100
    assert result.attrs["late_steps"] == 0
    assert result.attrs["worst_lateness"] == 0.0


def test_a_hold_up_is_counted_and_made_good():
    """Step 20 takes 35 ms of its 10 ms: due at 0.21 s, done at 0.235 s; the next two are late too, then all is well."""
    clock = Clock(lambda step: 0.035 if step == 20 else 0.001)
    result = run(clock)
    assert result.attrs["late_steps"] == 3
    assert result.attrs["worst_lateness"] == pytest.approx(0.025)
    assert clock.now - 1000.0 == pytest.approx(1.0), "lateness does not add up"


def test_a_machine_that_is_too_slow_is_told_so():
    result = run(Clock(lambda step: 0.02))
    assert result.attrs["late_steps"] == 100
    assert result.attrs["worst_lateness"] == pytest.approx(1.0), "2 s for 1 s"


def test_a_function_is_asked_as_the_clock_goes():
    clock = Clock()
    asked = []

    def follow(t):
        asked.append((t, clock.now - 1000.0))
        return (9.9, 0.0, 0.0)

    run(clock, duration=0.2, inputs={"B.position": follow})
    simulated, wall = np.array(asked[1:]).T
    assert wall == pytest.approx(simulated - 0.01), "at the start of each step, for its end"


def test_no_wait_is_deaf_to_interrupts():
    clock = Clock()
    run(clock, speed=0.01, duration=0.02)
    assert max(clock.slept) <= LONGEST_SLEEP


def test_once_interrupted_the_interval_is_finished_at_once():
    class Hit(Clock):
        def sleep(self, seconds):
            super().sleep(seconds)
            if len(self.slept) == 15:
                os.kill(os.getpid(), signal.SIGINT)

    clock = Hit()
    result = run(clock, hand_back=True)
    assert result.attrs["status"] == "stopped: interrupted at t = 0.2 s"
    assert clock.now - 1000.0 == pytest.approx(0.15)


@pytest.mark.parametrize("speed", [0.0, -1.0, np.inf, np.nan, "fast", True, None])
def test_a_speed_is_a_positive_number(speed):
    with pytest.raises(ValueError, match="speed must be a positive number, times real time"):
        Simulation.of(Toy(chain())).run(real_time=True, speed=speed)


def test_a_run_in_real_time_by_the_clock_on_the_wall():
    result = Simulation.of(Toy(chain())).run(duration=0.2, real_time=True, speed=20)
    assert result.attrs["status"] == "complete"
    assert result.attrs["real_time_steps"] == 20
    assert result.attrs["wall_time"] >= 0.2 / 20 * 0.99


def test_a_run_that_need_not_keep_to_the_clock_says_nothing_of_it():
    assert "late_steps" not in Simulation.of(Toy(chain())).run(duration=0.1).attrs
