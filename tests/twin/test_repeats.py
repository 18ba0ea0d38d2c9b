"""Readings that are the same again and again: when that is chance, and when the sensor is stuck."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.twin.repeats import Repeats


def told(values, expected=None, noise=10.0, is_force=True) -> Repeats:
    """What comes of readings where others, or as many, were expected."""
    found = Repeats()
    for value, should in zip(values, values if expected is None else expected, strict=True):
        there, sd = np.array([should]), np.array([noise])
        found.hear(np.array([value]), there, sd, abs(value - should) / noise, is_force)
    return found


FINE = [float(v) for v in np.random.default_rng(2).normal(1000.0, 10.0, 20)]
COARSE = [float(10 * round(v / 10)) for v in FINE]


def test_a_cell_that_froze_is_told_by_its_own_past_though_it_says_what_was_expected():
    assert not told([*FINE, *[FINE[-1]] * 2]).stuck
    words = "has said the same 6 times: it is taken for dead, and not listened to"
    assert told([*FINE, *[FINE[-1]] * 5]).words == words


def test_a_coarse_cell_says_the_same_by_chance():
    """Steps of 10 N and noise of 10 N: one in three is the same as the one before."""
    assert COARSE[1:] != COARSE[:-1]
    assert not told([*COARSE, *[COARSE[-1]] * 5]).stuck
    assert not told([1000.0] * 500).stuck, "steady, and never known otherwise"


def test_what_should_have_moved_and_did_not_is_stuck_from_the_start():
    waves = [1000.0 + 50.0 * np.sin(k) for k in range(8)]
    assert told([1000.0] * 8, waves).stuck
    assert not told(waves, waves).stuck
    assert not told([1000.0] * 8, [1000.0 + 10.0 * np.sin(k) for k in range(8)]).stuck, "moved no more than the noise"


def test_repeats_far_from_what_was_expected_are_told_sooner():
    assert not told([*FINE, 1500.0], [*FINE, 1000.0]).stuck
    assert told([*FINE, *[1500.0] * 3], [*FINE, *[1000.0] * 3]).stuck


@pytest.mark.parametrize(
    ("should", "is_force", "stuck"), [(1000.0, True, True), (5.0, True, False), (900.0, False, False)]
)
def test_a_force_of_exactly_nothing_is_none_where_there_should_be_one(should, is_force, stuck):
    assert told([0.0], [should], is_force=is_force).stuck is stuck


def test_the_first_reading_that_is_another_is_believed():
    dead = told([*FINE, *[0.0] * 9], [*FINE, *[1000.0] * 9])
    assert dead.words.startswith("says exactly 0")
    assert not dead.hear(np.array([1400.0]), np.array([1000.0]), np.array([10.0]), 40.0, True)
    assert dead.words == ""
    assert (dead.same, dead.changed) == (0, 20), "what a dead cell said tells nothing of how it is in order"
