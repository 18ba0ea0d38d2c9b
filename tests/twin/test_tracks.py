"""What drives an input: along fixes, at their ends, through noise; and plans and winches."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.twin.driving import Driver, input_of, of_length, of_plan
from fairlead.twin.tracks import Track


def parabola(t: float) -> np.ndarray:
    return np.array([2.0 * t + 0.1 * t * t, 1.0 - 0.3 * t * t])


def fixed(times: list[float], noise: float = 0.0, **how: float) -> Track:
    track, rng = Track(**how), np.random.default_rng(1)
    for t in times:
        assert track.put(t, parabola(t) + noise * rng.standard_normal(2))
    return track


@pytest.mark.parametrize("t", [0.0, 3.0, 4.3, 9.9, 10.0])
def test_place_and_speed_between_fixes_and_at_their_ends_are_those_of_the_motion(t):
    value, rate = fixed([float(k) for k in range(11)]).at(t)
    assert value == pytest.approx(parabola(t), abs=1e-9)
    assert rate == pytest.approx([2.0 + 0.2 * t, -0.6 * t], abs=1e-9)


def test_beyond_the_last_fix_it_goes_on_as_it_did():
    value, rate = fixed([float(k) for k in range(11)]).at(13.0)
    assert rate == pytest.approx([4.0, -6.0], abs=1e-9)
    assert value == pytest.approx(parabola(10.0) + 3.0 * rate, abs=1e-9)


def test_smoothing_takes_noise_away():
    times = [0.5 * k for k in range(81)]
    places = np.arange(8.0, 32.0, 0.7)

    def off(track: Track) -> float:
        return float(np.mean([np.abs(track.at(x)[1] - np.array([2.0 + 0.2 * x, -0.6 * x])) for x in places]))

    assert off(fixed(times, 0.5, smooth=5.0)) < 0.2 * off(fixed(times, 0.5))


def test_a_jump_is_implausible_until_it_insists():
    track = fixed([0.0, 1.0, 2.0], speed_limit=20.0)
    far = parabola(3.0) + 500.0
    assert [track.put(3.0 + 0.1 * k, far) for k in range(5)] == [False] * 4 + [True]
    assert track.at(3.4)[0] == pytest.approx(far)


def test_fixes_may_come_in_any_order():
    ordered, shuffled = fixed([0.0, 1.0, 2.0, 3.0]), fixed([0.0, 2.0, 3.0, 1.0])
    assert ordered.fixes == shuffled.fixes


def test_a_plan_is_followed_smoothly_and_held_beyond_its_ends():
    course = of_plan(np.array([0.0, 10.0, 20.0]), np.array([[0.0], [20.0], [40.0]]))
    assert course(5.0)[0] == pytest.approx([10.0])
    assert course(5.0)[1] == pytest.approx([2.0])
    assert course(30.0)[0] == pytest.approx([40.0])
    assert course(30.0)[1] == pytest.approx([0.0])


def test_a_measured_length_of_line_is_kept_up_with_by_the_rate_of_its_winch():
    track = Track()
    for k in range(5):
        track.put(float(k), np.array([100.0 + 0.5 * k]))
    assert input_of("tow.winch.length") == "tow.winch.rate"
    rate, _ = of_length(track, lambda: 100.0)(4.0)
    assert rate == pytest.approx([0.5 + 2.0 / 5.0])  # as fast as the line, and what is missing within 5 s


def test_a_command_is_ahead_by_the_lag_of_its_filter_and_begins_where_the_point_is():
    driver = Driver({"a.position": 0.2})
    course = {"a.position": lambda t: (np.array([3.0 * t]), np.array([3.0]))}
    values, _ = driver.to(1.0, 1.0, course, lambda _: (np.array([1.0]), np.array([3.0])))
    assert values["a.position"][0] == pytest.approx(3.0 + 0.6 + np.exp(-1.0 / 8.0) * (1.0 - 0.2 / 8.0), rel=1e-9)
    for k in range(2, 200):
        values, speeds = driver.to(float(k), 1.0, course)
    assert values["a.position"][0] == pytest.approx(3.0 * 199.0 + 0.6)
    assert speeds["a.position"][1] == pytest.approx([3.0])
