"""What drives an input: along fixes, at their ends, through noise; and plans and winches."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.twin.courses import input_of, of_length, of_plan
from fairlead.twin.driving import Driver
from fairlead.twin.smoothing import rounding_of
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


@pytest.mark.parametrize("before", [60, 0], ids=["after a minute in order", "from the start"])
def test_a_burst_of_fixes_makes_no_speed_of_its_noise(before):
    """Eight within 10 ms, each half a metre off: a receiver that empties its buffer, or stamps by arrival."""
    rng, start = np.random.default_rng(7), 60.0
    track = Track(0.0, rate=np.array([2.0, 0.0]))
    for t in range(before):
        track.put(float(t), np.array([2.0 * t, 0.0]))
    for k in range(8):
        t = start + 0.00125 * k
        track.put(t, np.array([2.0 * t, 0.0]) + rng.normal(0.0, 0.5, 2))
    for t in (start + 0.005, start + 0.01, start + 2.0):
        value, rate = track.at(t)
        assert np.abs(rate - [2.0, 0.0]).max() < 2.0
        assert np.abs(value - [2.0 * t, 0.0]).max() < 5.0


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
    rate, _ = of_length(track, 3.0, lambda: 100.0)(4.0)
    assert rate == pytest.approx([0.5 + 1.5 / 5.0])  # as fast as the line, and what is missing now within 5 s
    rate, _ = of_length(track, 3.0, lambda: 101.5)(4.0)
    assert rate == pytest.approx([0.5])  # a line that is right is not made longer by what comes until then


def test_a_command_is_ahead_by_the_lag_of_its_filter_and_begins_where_the_point_is():
    driver = Driver({"a.position": 0.2})
    course = {"a.position": lambda t: (np.array([3.0 * t]), np.array([3.0]))}
    values, _ = driver.to(1.0, 1.0, course, lambda _: (np.array([1.0]), np.array([3.0])))
    off = np.exp(-1.0 / 4.0) * (1.0 + 1.0 / 4.0)  # critically damped, from rest
    slower = np.exp(-1.0 / 4.0) * (1.0 / 4.0 - (1.0 + 1.0 / 4.0) / 4.0)
    assert values["a.position"][0] == pytest.approx(3.0 + off + 0.2 * (3.0 + slower), rel=1e-9)
    for k in range(2, 200):
        values, speeds = driver.to(float(k), 1.0, course)
    assert values["a.position"][0] == pytest.approx(3.0 * 199.0 + 0.6)
    assert speeds["a.position"][1] == pytest.approx([3.0])


def test_a_course_that_jumps_is_come_back_to_without_a_jerk():
    """A receiver that was silent through a turn: 50 m to one side at once. Commands go there at a metre a second."""
    driver = Driver({"a.position": 0.1})

    def course(t):
        return np.array([2.0 * t, 0.0 if t < 10.0 else 50.0]), np.array([2.0, 0.0])

    places = []
    for k in range(1, 301):
        values, speeds = driver.to(float(k), 1.0, {"a.position": course})
        places.append(values["a.position"] - [2.0 * k + 0.2, 0.1 * speeds["a.position"][1][1]])
    across = np.array(places)[:, 1]
    assert np.abs(np.array(places)[:, 0]).max() < 1e-9
    assert across[:9].tolist() == [0.0] * 9
    assert np.diff(across).max() == pytest.approx(1.0, rel=0.02)
    assert np.abs(np.diff(across, 2)).max() < 0.15
    assert across[-1] == pytest.approx(50.0, abs=1e-3)


def test_a_point_that_sways_is_expected_where_it_is_on_average_and_one_that_goes_on_its_way():
    swaying, going = Track(), Track()
    for k in range(121):
        t = 0.5 * k
        swaying.put(t, np.array([0.01 * t + 1.5 * np.sin(2 * np.pi * t / 10.0), 0.0]))
        going.put(t, np.array([2.0 * t + 0.3 * np.sin(2 * np.pi * t / 10.0), 0.0]))
    value, rate = swaying.trend(60.0)
    assert value[0] == pytest.approx(0.6, abs=0.3)
    assert rate[0] == 0.0, "a buoy that drifted for a minute does not go on to for many"
    assert swaying.at(60.0)[1][0] > 0.5
    assert going.trend(60.0)[0] == pytest.approx(going.at(60.0)[0])


def surge(t: float) -> np.ndarray:
    """A fairlead in waves."""
    waves = ((1.2, 9.0, 0.0), (0.8, 12.5, 1.0), (0.4, 7.0, 2.5))
    return np.array([sum(a * np.sin(2 * np.pi * t / period + phase) for a, period, phase in waves)])


def test_lost_fixes_of_a_point_that_sways_do_not_jerk_it():
    """Every third of a fix every half second is lost; two seconds behind the rest, its place and speed are known all
    the same, and do not change by which of them are there. A metre a second is 250 kN to a chain."""
    track, rng = Track(), np.random.default_rng(4)
    places, speeds = [], []
    for k in range(400):
        if rng.uniform() > 0.3 or k % 4 == 0:
            track.put(0.5 * k, surge(0.5 * k))
        t = 0.5 * k - 2.0
        if t > 2.0:
            value, rate = track.at(t)
            places.append(value[0] - surge(t)[0])
            speeds.append(rate[0] - (surge(t + 1e-3) - surge(t - 1e-3))[0] / 2e-3)
    assert np.abs(places).max() < 0.05
    assert np.sqrt(np.mean(np.square(speeds))) < 0.02


def test_a_point_that_sways_is_expected_to_sway_on():
    """Not to go off at the speed that it had at its last fix."""
    track = Track()
    for k in range(121):
        track.put(0.5 * k, np.array([100.0 + 1.5 * np.sin(2 * np.pi * 0.5 * k / 10.0)]))
    value, rate = track.at(60.0)
    assert track.at(60.0 + 1e-6)[0] == pytest.approx(value, abs=1e-5)
    assert track.at(60.0 + 1e-6)[1] == pytest.approx(rate, abs=1e-5)
    for after in (1.0, 2.0):
        assert track.at(60.0 + after)[0][0] == pytest.approx(100.0 + 1.5 * np.sin(2 * np.pi * after / 10.0), abs=0.35)
    after = [track.at(60.0 + dt)[0][0] for dt in np.arange(0.0, 60.0, 0.5)]
    assert np.abs(np.array(after) - 100.0).max() < 1.5


def test_a_fix_that_is_heard_twice_counts_once():
    track = fixed([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 1.0])
    assert [time for time, _ in track.fixes] == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert track.at(1.5)[0] == pytest.approx(parabola(1.5), abs=1e-9)


def test_a_single_fix_moves_as_the_file_says():
    track = Track(rate=np.array([2.2, 0.0]))
    track.put(5.0, np.array([11.0, 0.0]))
    assert track.at(7.0)[0] == pytest.approx([15.4, 0.0])


def test_a_receiver_that_is_elsewhere_for_three_seconds_is_not_followed():
    """50 m to one side is no more than a speed of 20 m/s allows after 3 s, but nothing was bound there."""
    track = Track(speed_limit=20.0)
    for k in range(20):
        assert track.put(float(k), np.array([2.2 * k, 0.0, 0.0]))
    assert [track.put(float(k), np.array([2.2 * k, 50.0, 0.0])) for k in (20, 21, 22)] == [False] * 3
    assert track.put(23.0, np.array([2.2 * 23, 0.0, 0.0]))
    assert track.at(24.0)[0] == pytest.approx([2.2 * 24, 0.0, 0.0], abs=1e-6)
    turning = [track.put(float(k), np.array([2.2 * k, 0.5 * (k - 23) ** 2, 0.0])) for k in range(24, 32)]
    assert turning == [True] * 8  # a metre a second, each second: a launch can do that


def heard(course, receiver, seconds: int, every: float = 1.0) -> tuple[Track, list[bool]]:
    """What becomes of fixes that a receiver makes of a course: of its place at a time, and at that time."""
    track = Track(speed_limit=20.0)
    return track, [track.put(t, receiver(course, t)) for t in (every * k for k in range(round(seconds / every)))]


def in_order(course, t: float) -> np.ndarray:
    return course(t) + 0.02 * np.random.default_rng(round(10.0 * t)).standard_normal(3)


def under_way(t: float) -> np.ndarray:
    return np.array([2.2 * t, 0.5 * t, -2.0])


def in_waves(t: float) -> np.ndarray:
    return np.array([365.0 + 1.2 * np.sin(0.7 * t), 0.0, -10.0 + 0.5 * np.cos(0.7 * t)])


@pytest.mark.parametrize(("course", "off"), [(under_way, 3.0), (in_waves, 1.5)])
def test_a_receiver_that_froze_while_its_ship_moves_is_left_out_and_the_ship_goes_on(course, off):
    """Over the last twenty seconds of a minute and a half; the ship would otherwise seem to stop dead."""
    track, taken = heard(course, lambda c, t: in_order(c, min(t, 70.0)), 91)
    assert all(taken[:71])
    assert not any(taken[76:])
    assert track.last == 70.0
    assert "has said the same" in track.repeats.words
    assert track.at(90.0)[0] == pytest.approx(course(90.0), abs=off)
    assert track.put(91.0, in_order(course, 91.0)), "one that is another is believed"
    assert track.repeats.words == ""


def stopping(course, t: float) -> np.ndarray:
    """A course of which the ship slows down from 20 s on, and lies still from 40 s on."""
    return course(min(t, 40.0) - max(0.0, min(t, 40.0) - 20.0) ** 2 / 40.0)


@pytest.mark.parametrize(
    "receiver",
    [
        lambda c, t: stopping(c, t),
        lambda c, t: c(5.0),
        lambda c, t: in_order(c, float(int(t / 5.0)) * 5.0),
        lambda c, t: np.round(c(0.01 * t)),
        lambda c, t: 0.185 * np.round(in_order(lambda now: stopping(c, now), t) / 0.185),
    ],
    ids=["comes to rest", "lies still from the start", "says each place five times", "is coarse", "coarse, and stops"],
)
def test_places_that_repeat_for_a_reason_are_believed(receiver):
    """The first is a ship that slows down from 20 s on and lies still, to the last digit, from 40 s on; the last is
    that ship by a receiver of four decimals of a minute, as most are, whose last digit moves less often than once."""
    track, taken = heard(under_way, receiver, 120)
    assert all(taken)
    assert not track.repeats.stuck


def test_a_length_of_line_that_stays_is_that_of_a_winch_that_stopped():
    track = Track()
    assert all(track.put(float(k), np.array([100.0 + min(k, 50)])) for k in range(80))


def turning(t: float) -> np.ndarray:
    return np.array([2.2 / 0.006 * np.sin(0.006 * t), 2.2 / 0.006 * (1.0 - np.cos(0.006 * t)), -2.0])


@pytest.mark.parametrize(
    ("course", "noise", "every", "place", "speed"),
    [(under_way, 1.0, 1.0, 0.7, 0.08), (turning, 1.0, 1.0, 0.7, 0.08), (in_waves, 0.1, 0.5, 0.2, 0.4)],
)
def test_fixes_are_smoothed_over_as_many_as_their_noise_and_their_course_ask_for(course, noise, every, place, speed):
    """Left to itself a track tells speeds to a few per cent through the noise of a plain receiver, and keeps waves;
    gone through, its fixes would have the ship's speed off by metres per second."""
    rng, track, off = np.random.default_rng(4), Track(None, 20.0), []
    for k in range(240):
        t = k * every
        assert track.put(t, course(t) + noise * rng.standard_normal(3) * (1.0, 1.0, 0.0))
        rate = (course(t + 0.01) - course(t - 0.01)) / 0.02
        off.append([np.linalg.norm(track.at(t)[0] - course(t)), np.linalg.norm(track.at(t)[1] - rate)])
    assert track.noise == pytest.approx(noise, rel=0.4)
    assert (np.sqrt(np.mean(np.square(off[60:]), axis=0)) < (place, speed)).all()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_how_fast_a_fairlead_moves_in_waves_is_told_through_fixes_to_5_cm(seed):
    """Twice a second, asked for 2 s behind the latest: a chain feels how fast its end is said to move."""
    waves = ((1.2, 9.0, 0.0), (0.8, 12.5, 1.0), (0.4, 7.0, 2.5))

    def place(t: float) -> np.ndarray:
        return np.array([sum(a * np.sin(2.0 * np.pi * t / p + c) for a, p, c in waves), 0.0, -10.0])

    rng, track, off = np.random.default_rng(seed), Track(None, 20.0), []
    for k in range(600):
        assert track.put(0.5 * k, place(0.5 * k) + 0.05 * rng.standard_normal(3))
        if k > 120:
            t = 0.5 * k - 2.0
            off.append(track.at(t)[1] - (place(t + 0.01) - place(t - 0.01)) / 0.02)
    assert np.sqrt(np.mean(np.square(off))) < 0.04, "it would be 0.14 m/s from one fix to the next"


def test_fixes_without_noise_are_gone_through():
    for course in (under_way, turning, in_waves):
        track = Track(None, 20.0)
        for k in range(100):
            track.put(0.5 * k, course(0.5 * k))
        assert track.half == 0.0
        assert track.at(40.0)[0] == pytest.approx(course(40.0), abs=1e-9)


def test_a_course_is_told_anew_where_its_window_is_found_and_not_where_the_file_says_how_long_to_smooth():
    """Whose buoys were followed with a lag of seconds: hidden heads were known half as well."""
    noise = np.random.default_rng(4).normal(0.0, 1.0, (60, 3))
    retold = []
    for smooth in (None, 30.0, 0.0):
        track = Track(smooth, 20.0, 10.0)
        for k in range(60):
            track.put(float(k), under_way(float(k)) + noise[k])
        retold.append((track.retold, track.half > 0.0))
    assert retold == [(True, True), (False, True), (False, False)]


def test_a_command_goes_over_gently_to_a_course_that_each_fix_tells_anew():
    """The course jumps to and fro by 0.3 m every second, as smoothed noise does: at 10 Hz speeds of ± 3 m/s."""
    driver, jumps = Driver({"stern.position": 0.0}), np.random.default_rng(6).normal(0.0, 0.3, 60)

    def course(t: float, heard: int) -> tuple[np.ndarray, np.ndarray]:
        return np.array([2.2 * t + jumps[heard], 0.0, 0.0]), np.array([2.2, 0.0, 0.0])

    driver.gentle = frozenset({"stern.position"})
    places = []
    for k in range(1, 600):
        values, _ = driver.to(0.1 * k, 0.1, {"stern.position": lambda t, k=k: course(t, k // 10)})
        places.append(values["stern.position"][0])
    speeds = np.diff(places) / 0.1
    assert np.abs(speeds[20:] - 2.2).max() < 0.35
    assert np.abs(np.array(places) - 2.2 * 0.1 * np.arange(1, 600)).max() < 0.6


def test_a_burst_of_first_fixes_with_later_ones_known_tells_the_course_of_all():
    """A receiver that empties its buffer when it is switched on, heard by a twin that stays behind the clock."""
    track = fixed([0.0, 0.1, *np.arange(10.0, 17.0)])
    for t in (0.0, 0.05, 0.1, 5.0):
        value, rate = track.at(t)
        assert np.abs(value - parabola(t)).max() < 10.0, t
        assert np.isfinite(rate).all(), t


def test_fixes_that_are_to_be_smoothed_begin_until_they_are_as_old_as_their_window():
    track = Track(30.0)
    assert not track.begins(0.0), "nothing is heard of it"
    for t in range(5):
        track.put(float(t), np.array([float(t)]))
    assert track.begins(29.0)
    assert not track.begins(30.0), "though no more came: a receiver that died holds nobody up"
    assert not Track(0.0).begins(0.0)


def test_the_first_fixes_of_a_fairlead_in_waves_are_gone_through_and_not_smoothed():
    """Fourth differences of six fixes show a centimetre of the waves themselves."""
    track = Track(None, 30.0, rate=np.zeros(1))

    def place(t):
        return np.array([2.0 * np.sin(0.9 * t) + 0.5 * np.sin(0.5 * t + 1.0)])

    for k in range(19):
        track.put(0.5 * k, place(0.5 * k))
        assert track.half == 0.0
        if k >= 4:
            value, _ = track.at(0.5 * k)
            assert value == pytest.approx(place(0.5 * k), abs=1e-6)


def test_the_first_fixes_of_a_noisy_receiver_are_smoothed():
    chance, track = np.random.default_rng(4), Track(None, 30.0, rate=np.zeros(2))
    for k in range(10):
        track.put(float(k), np.array([2.2 * k, 0.0]) + chance.normal(0.0, 0.5, 2))
    assert track.half > 0.0


def test_a_counter_of_whole_metres_makes_no_jerks():
    """Gone through, its steps of a metre were rates of -0.5 to 1 m/s of a winch that runs at 0.3, for half a minute."""
    track, off, rates = Track(None), [], []
    for k in range(300):
        true = 555.429 + 0.3 * max(0.0, k - 150.0)
        track.put(float(k), np.array([round(true)]))
        found = track.at(float(k))
        off.append(found[0][0] - true)
        rates.append(found[1][0])
    assert np.abs(rates[165:]).max() < 0.5
    assert np.abs(off[165:]).max() < 0.5
    assert np.std(rates[180:]) < 0.05


@pytest.mark.parametrize(
    "course",
    [
        lambda k: (2.5 * k, 20.0 * np.sin(0.1 * k), -2.0 if k <= 60 else -1.8),  # the height of an aerial, typed anew
        lambda k: (0.0 if k <= 30 else 0.5,),  # a winch that was nudged
        lambda k: (0.0 if k <= 30 else 100.0, 0.0, 0.0),  # a point that a program put elsewhere
        lambda k: (0.0 if k <= 30 else 0.2 if k <= 40 else 0.5 if k <= 50 else 0.57,),  # by no last digit
    ],
)
def test_a_step_is_where_it_was_put_and_no_last_digit_of_a_counter(course):
    """It was smoothed over for 8 s, and all axes with it: a ship in a turn by tens of metres."""
    track = Track(None)
    for k in range(100):
        track.put(float(k), np.array(course(k)))
        assert track.at(float(k))[0] == pytest.approx(course(k))


def test_each_axis_tells_its_last_digit_by_three_even_steps_however_seldom_they_come():
    """A metre of line every 33 s, beside an axis that moves; steps of two digits at once, too."""
    seldom = np.column_stack([np.round(0.03 * np.arange(120.0)), 0.31 * np.arange(120.0)])
    assert rounding_of(seldom) == pytest.approx(1.0 / 12.0**0.5)
    assert rounding_of(seldom[:80]) == 0.0  # two of them
    assert rounding_of(np.repeat([0.0, 0.5, 1.5, 2.0], 5)[:, None]) == pytest.approx(0.5 / 12.0**0.5)


def test_a_coarse_last_digit_is_noise_and_a_start_from_rest_is_none():
    stairs = np.round(0.3 * np.arange(60.0))[:, None]
    assert rounding_of(stairs) == pytest.approx(1.0 / 12.0**0.5)
    uniform = np.random.default_rng(1).uniform(0.0, 100.0, (4000, 1))
    assert np.std(np.round(uniform) - uniform) == pytest.approx(1.0 / 12.0**0.5, rel=0.05)  # what rounding does
    assert rounding_of(np.maximum(0.0, 0.3 * np.arange(-30.0, 30.0))[:, None]) == 0.0
    assert rounding_of(np.column_stack([0.3 * np.arange(60.0), np.zeros(60)])) == 0.0
