"""Sample times and steps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairlead.simulate.schedule import Schedule, split


def test_whole_intervals():
    schedule = Schedule(0.0, 10.0, 0.1, 0.025)
    assert schedule.intervals == 100
    assert schedule.steps(0) == (4, pytest.approx(0.025))
    assert schedule.time(3) == 3 * 0.1
    assert schedule.end == pytest.approx(10.0)


def test_the_last_interval_may_be_shorter():
    schedule = Schedule(5.0, 1.0, 0.3, 0.1)
    assert schedule.intervals == 4
    assert [schedule.time(k) for k in range(5)] == pytest.approx([5.0, 5.3, 5.6, 5.9, 6.0])
    assert schedule.steps(3) == (1, pytest.approx(0.1))
    assert [schedule.steps_until(k) for k in range(5)] == [0, 3, 6, 9, 10]


def test_a_run_shorter_than_one_interval():
    schedule = Schedule(0.0, 0.25, 1.0, 0.1)
    assert schedule.intervals == 1
    assert schedule.end == 0.25
    n, h = schedule.steps(0)
    assert (n, h) == (3, pytest.approx(0.25 / 3))


def test_a_longer_run_shares_its_samples_and_steps_with_a_shorter_one():
    short, long = Schedule(0.0, 3.0, 0.1, 0.03), Schedule(0.0, 30.0, 0.1, 0.03)
    for k in range(short.intervals):
        assert short.time(k) == long.time(k)
        assert short.steps(k) == long.steps(k)


@given(st.floats(1e-4, 1e3), st.floats(1e-5, 1e2))
def test_parts_are_equal_and_no_longer_than_the_step(length, step):
    n, h = split(length, step)
    assert n >= 1
    assert n * h == pytest.approx(length)
    assert h <= step * (1 + 1e-5)
    assert n == 1 or length / (n - 1) > step * (1 - 1e-5), "no more parts than needed"


@given(st.floats(0.01, 1e4), st.floats(0.01, 1e3), st.floats(1e-3, 10.0))
def test_samples_cover_the_duration_in_order(duration, every, step):
    schedule = Schedule(0.0, duration, every, step)
    last = schedule.intervals
    assert last >= 1
    assert schedule.end == pytest.approx(duration, rel=1e-5, abs=1e-5 * min(every, step))
    for k in {0, last // 2, last - 1}:
        n, h = schedule.steps(k)
        assert schedule.time(k + 1) > schedule.time(k)
        assert schedule.time(k) + n * h == pytest.approx(schedule.time(k + 1), rel=1e-9)
