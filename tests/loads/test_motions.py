"""Motions known in advance and live ones: each derivative is that of the number before it, each filter its equation."""

from __future__ import annotations

import math
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from kernels.plain import plain

from fairlead.loads import signals
from fairlead.rigging import commands

motion_at, number_at, row_before, line_at, off_motion, filter_acceleration = map(
    plain,
    (
        signals.motion_at, signals.number_at, signals.row_before, signals.line_at, signals.off_motion,
        signals.filter_acceleration,
    ),
)  # fmt: skip
plan_known, filtered, fading, follow = map(
    plain, (commands.plan_known, commands.filtered, commands.fading, commands.follow)
)
STEADY = (0.3, -0.2, 0.1)
SINES = [(2.0, 0.0, 1.0, 0.9, 0.4, 3.0, 0.5), (0.0, 0.7, -0.3, 2.3, 1.1, 1.0, 1.5)]
"""Amplitude (3), angular frequency, phase, ramp, start."""
TIMES = (0.0, 1.0, 2.5, 3.0, 5.0)
CUBIC = [
    (t, math.sin(t), t * t, 3.0 - t, *((math.cos(t), 2.0 * t, -1.0) if 0.0 < t < 5.0 else (0.0, 0.0, 0.0)))
    for t in TIMES
]
LINES = [row[:4] for row in CUBIC]
MOTIONS = {
    "sines": (signals.MOTION_HARMONIC, SINES),
    "cubics": (signals.MOTION_TABLE, CUBIC),
    "lines": (signals.MOTION_LINEAR, LINES),
}
OFFSET = 4
"""Numbers of others before those of the motion."""


def packed(kind: str) -> tuple[int, int, int, np.ndarray]:
    """Kind, first number, rows and numbers of a motion, as the kernels read them."""
    number, rows = MOTIONS[kind]
    return number, OFFSET, len(rows), np.concatenate(([9.0] * OFFSET, STEADY, np.ravel(rows)))


def commanded(kind: str, base: tuple[float, float, float], cutoff: float) -> tuple[SimpleNamespace, SimpleNamespace]:
    """Rows of a motion, whose numbers begin at 0, and of the command it belongs to."""
    number, first, rows, _ = packed(kind)
    return SimpleNamespace(kind=number, first=first, rows=rows), SimpleNamespace(position=base, cutoff=cutoff)


def moved(t: float, kind: str) -> np.ndarray:
    """Offset, velocity, acceleration (3, 3)."""
    return np.array(motion_at(t, *packed(kind)))


@pytest.mark.parametrize("kind", MOTIONS)
@pytest.mark.parametrize("t", [0.2, 0.9, 1.7, 2.2, 2.9, 4.1, 6.0])
def test_velocity_and_acceleration_are_the_derivatives_of_the_place(kind, t):
    d = 1e-4
    before, now, after = (moved(t + shift, kind) for shift in (-d, 0.0, d))
    assert now[1] == pytest.approx((after[0] - before[0]) / (2 * d), abs=1e-6)
    assert now[2] == pytest.approx((after[1] - before[1]) / (2 * d), abs=1e-6)
    for axis in range(3):
        assert number_at(t, *packed(kind)[:3], axis, packed(kind)[3]) == pytest.approx(tuple(now[:, axis]), abs=1e-12)


def test_sines_are_those_of_their_numbers_once_their_ramps_are_over():
    """Σ A sin(ω (t − start) + phase) on top of the steady velocity; nothing of one before its start."""
    t = 10.0
    asked = np.array(STEADY) * t
    for *amplitude, omega, phase, _, start in SINES:
        asked += np.array(amplitude) * math.sin(omega * (t - start) + phase)
    assert moved(t, "sines")[0] == pytest.approx(asked, rel=1e-12)
    assert moved(0.4, "sines")[0] == pytest.approx(np.array(STEADY) * 0.4, rel=1e-12)
    one = SINES[0]
    half = 0.5 * math.sin(one[3] * 1.5 + one[4])  # half way through its ramp of 3 s, the other begun half a second ago
    assert moved(2.0, "sines")[0, 0] == pytest.approx(STEADY[0] * 2.0 + one[0] * half, rel=1e-12)


@pytest.mark.parametrize("kind", ["cubics", "lines"])
def test_tables_go_through_their_rows_and_hold_beyond_them(kind):
    for row in CUBIC:
        assert moved(row[0], kind)[0] == pytest.approx(np.array(STEADY) * row[0] + row[1:4], abs=1e-12)
    for t, row in ((-3.0, CUBIC[0]), (9.0, CUBIC[-1])):
        asked = np.array([np.array(STEADY) * t + row[1:4], STEADY, np.zeros(3)])
        assert moved(t, kind) == pytest.approx(asked, abs=1e-12)


def test_cubics_are_exact_for_a_parabola_and_lines_go_straight():
    """y = t² between rows whose slopes are those of it; between the others the mean of the two."""
    for t in (1.3, 2.0, 2.9):
        assert moved(t, "cubics")[:, 1] == pytest.approx((t * t + STEADY[1] * t, 2 * t + STEADY[1], 2.0), rel=1e-12)
    assert moved(1.75, "lines")[0, 1] == pytest.approx(0.5 * (1.0 + 6.25) + STEADY[1] * 1.75, rel=1e-12)


def test_a_row_is_found_whichever_it_is_and_on_a_row_the_line_to_come_counts():
    numbers = np.ravel(LINES)
    for i, (one, two) in enumerate(pairwise(TIMES)):
        assert row_before(0.5 * (one + two), numbers, 0, len(TIMES), 4) == i
        slope = (LINES[i + 1][2] - LINES[i][2]) / (two - one)
        assert line_at(one, numbers, 0, len(TIMES), 2)[1] == pytest.approx(slope)


def test_what_follows_a_motion_is_not_off_it_also_where_it_turns_sharply():
    t, (number, first, rows, numbers) = 1.0, packed("lines")
    place, rate, _ = number_at(t, number, first, rows, 1, numbers)
    _, before, _ = number_at(t - 1e-3, number, first, rows, 1, numbers)
    assert before != pytest.approx(rate)
    for v in (rate, before):
        assert off_motion(t, number, first, rows, 1, place, v, place, rate, numbers) == (0.0, 0.0)
    off = off_motion(t, number, first, rows, 1, place, rate + 0.3, place, rate, numbers)
    assert off == pytest.approx((0.0, 0.3))
    off = off_motion(t, number, first, rows, 1, place + 1e-3, rate, place, rate, numbers)
    assert off == pytest.approx((1e-3, 0.0))


@pytest.mark.parametrize("theta", [0.5, 1.0])
@pytest.mark.parametrize("kind", ["sines", "cubics"])
def test_a_planned_step_ends_on_the_motion_and_goes_there_by_the_rule(kind, theta):
    """x₁ = x + h v + θh² a to third order, and end place and velocity exact; h = 0 is the motion as it is."""
    numbers, base, t, plan = packed(kind)[3], (5.0, 6.0, 7.0), 2.0, SimpleNamespace()
    now, (control, command) = moved(t, kind), commanded(kind, base, 10.0)
    state = SimpleNamespace(position=now[0] + base, velocity=now[1])
    errors = []
    for h in (0.02, 0.01):
        plan_known(t, h, theta, control, command, state, plan, 0, numbers)
        x, v, a, x1, v1 = map(
            np.array, (plan.position, plan.velocity, plan.acceleration, plan.next_position, plan.next_velocity)
        )
        then = moved(t + h, kind)
        assert x1 == pytest.approx(then[0] + base, rel=1e-12)
        assert v1 == pytest.approx(then[1], rel=1e-12)
        assert v + h * a == pytest.approx(v1 - (theta - 0.5) * h * then[2], rel=1e-9)
        errors.append(np.abs(x + h * v + theta * h * h * a - x1).max())
    assert errors[1] < 0.15 * errors[0] or errors[0] < 1e-9
    plan_known(t, 0.0, theta, control, command, state, plan, 0, numbers)
    now[0] += base
    assert np.array([plan.position, plan.velocity, plan.acceleration]) == pytest.approx(now, rel=1e-12)


def test_the_filter_solves_its_equation_for_a_goal_that_is_a_parabola():
    """ẍ = ω²(g − x) − √2 ω ẋ, against ten thousand small steps of it."""
    cutoff, h, goal = 7.0, 0.4, lambda s: 1.0 + 2.0 * s - 3.0 * s * s
    x, v, fine = 0.3, -0.5, h / 10000
    ends = filtered(x, v, goal(0.0), goal(0.5 * h), goal(h), cutoff, h, fading(cutoff, h))
    for i in range(10000):
        middle_x, s = x + 0.5 * fine * v, (i + 0.5) * fine
        middle_v = v + 0.5 * fine * (cutoff**2 * (goal(i * fine) - x) - math.sqrt(2.0) * cutoff * v)
        x, v = x + fine * middle_v, v + fine * (cutoff**2 * (goal(s) - middle_x) - math.sqrt(2.0) * cutoff * middle_v)
    assert ends == pytest.approx((x, v), rel=1e-5)


def test_the_implicit_filter_is_the_same_at_small_steps_and_stops_at_its_goal_at_large_ones():
    """Its acceleration with h = 0 is the equation's; with any h the next place is x + h v₁."""
    assert filter_acceleration(1.0, 0.2, 0.5, 3.0, 0.0) == pytest.approx(9.0 * 0.8 - math.sqrt(2.0) * 3.0 * 0.5)
    h, cutoff, x, v = 50.0, 3.0, 0.2, 0.5
    a = filter_acceleration(1.0, x, v, cutoff, h)
    v1 = v + h * a
    x1 = x + h * v1
    assert a == pytest.approx(cutoff**2 * (1.0 - x1) - math.sqrt(2.0) * cutoff * v1, rel=1e-9)
    assert x1 == pytest.approx(1.0, abs=0.02)


def test_a_point_handed_back_by_an_input_comes_to_the_files_motion_as_the_filter_fades():
    """What is left of the distance after a second is e^(−ω/√2) of it turned, and the motion itself is exact."""
    (control, command), numbers = commanded("sines", (5.0, 6.0, 7.0), 4.0), packed("sines")[3]
    now = moved(3.0, "sines")
    state = SimpleNamespace(position=tuple(now[0] + [5.8, 6.0, 7.0]), velocity=tuple(now[1]))
    for i in range(100):
        follow(3.0 + 0.01 * i, 0.01, 0, np.full(3, np.nan), control, command, state, 0, numbers)
    then = moved(4.0, "sines")
    decay = 4.0 / math.sqrt(2.0)
    left = 0.8 * math.exp(-decay) * (math.cos(decay) + math.sin(decay))
    assert state.position == pytest.approx(then[0] + [5.0 + left, 6.0, 7.0], abs=1e-9)
    assert state.velocity[1:] == pytest.approx(then[1, 1:], abs=1e-12)


def test_a_live_input_moves_the_point_whatever_the_file_says():
    (control, command), numbers = commanded("sines", (5.0, 6.0, 7.0), 4.0), packed("sines")[3]
    state = SimpleNamespace(position=(5.0, 6.0, 7.0), velocity=(0.0, 0.0, 0.0))
    for i in range(400):
        follow(0.01 * i, 0.01, 0, np.array([1.0, 2.0, 3.0]), control, command, state, 0, numbers)
    assert (*state.position, *state.velocity) == pytest.approx([1.0, 2.0, 3.0, 0.0, 0.0, 0.0], abs=1e-3)


def test_on_its_last_row_a_straight_table_still_moves():
    """So a run that ends there does not see the stop that would follow; a moment later it stands."""
    number, first, rows, numbers = packed("lines")
    slope = (LINES[-1][2] - LINES[-2][2]) / (TIMES[-1] - TIMES[-2]) + STEADY[1]
    for t in (TIMES[-1] - 1e-6, TIMES[-1], TIMES[-1] * (1 + 1e-15)):
        assert number_at(t, number, first, rows, 1, numbers)[1] == pytest.approx(slope)
    assert number_at(TIMES[-1] + 1e-6, number, first, rows, 1, numbers)[1] == pytest.approx(STEADY[1])


@pytest.mark.parametrize("theta", [0.5, 1.0])
def test_a_step_that_ends_on_the_last_row_of_a_straight_table_is_not_braked(theta):
    """It goes on with its speed and arrives in place; only a step after it stops."""
    numbers, plan, h = packed("lines")[3], SimpleNamespace(), 0.01
    control, command = commanded("lines", (5.0, 6.0, 7.0), 10.0)
    for t, braked in ((TIMES[-1] - h, False), (TIMES[-1], True)):
        now = moved(t, "lines")
        state = SimpleNamespace(position=now[0] + (5.0, 6.0, 7.0), velocity=now[1])
        plan_known(t, h, theta, control, command, state, plan, 0, numbers)
        assert (np.abs(plan.acceleration).max() > 1.0) == braked
        assert plan.next_position == pytest.approx(moved(t + h, "lines")[0] + (5.0, 6.0, 7.0), abs=1e-12)
