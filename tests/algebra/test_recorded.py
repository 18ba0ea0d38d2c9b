"""A calculation done once with numbers that remember it can be done again with other numbers, to the same bits."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fairlead.algebra.recorded import Player, Recorder, Tape, blank, larger, numbers, quotient, recording


def springs(k: list, d):
    """A bit of everything that builds do: series, powers, a decision, arrays, numpy's own numbers on the left."""
    area = math.pi * d**2 / 4
    lengths = np.array([2.0, 3.0])
    series = 1.0 / sum(quotient(0.5 * length, one) for length, one in zip(lengths, k, strict=True))
    row = blank(3)
    row[:2] = numbers(k) * 2.0 / lengths
    row[2] = lengths[0] * (k[0] - k[1]) + abs(k[0] - 5.0) - larger(k[1], 4.0)
    stiff = 1.0 if k[0] > 1.0 else 0.5
    return [series, *row, stiff * area, 7.0]


def tape_of(*values: float) -> tuple[Recorder, Tape]:
    recorder = Recorder(values)
    with recording():
        made = springs(list(recorder.parameters[:2]), recorder.parameters[2])
    return recorder, Tape.made(recorder, made)


@pytest.mark.parametrize("values", [(3.0, 4.0, 0.1), (30.0, 0.7, 0.31), (2.0, 0.0, 1e-3)])
def test_it_gives_what_the_calculation_gives(values):
    _, tape = tape_of(3.0, 4.0, 0.1)
    expected = springs(list(values[:2]), values[2])
    assert tape.places.tolist() == [0, 1, 2, 3, 4]
    assert tape.constants(values).tolist() == expected[:5]


def test_values_that_would_have_been_decided_on_otherwise_are_refused_and_change_nothing():
    _, tape = tape_of(3.0, 4.0, 0.1)
    assert tape.constants((0.9, 4.0, 0.1)) is None
    player = Player(tape)
    before = list(player.values)
    assert not player.play([0], [0.9])
    assert player.values == before


def test_what_is_set_one_by_one_is_as_if_set_at_once_and_only_what_depends_on_it_follows():
    _, tape = tape_of(3.0, 4.0, 0.1)
    player = Player(tape)
    assert player.play([2], [0.2])
    which, what = player.following([2])
    assert which.tolist() == [4]
    assert what.tolist() == [math.pi * 0.2**2 / 4]
    assert player.play([0, 1], [8.0, 9.0])
    assert np.array_equal(np.array(player.values)[tape.of], tape.constants((8.0, 9.0, 0.2)))


def test_the_same_operation_is_recorded_once_and_what_leads_nowhere_not_at_all():
    recorder = Recorder([2.0])
    (x,) = recorder.parameters
    made = [x * 3.0 + 1.0, x * 3.0 + 1.0]
    _ = x**7
    assert len(Tape.made(recorder, made).operations) == 2


def test_plain_arrays_stay_plain():
    assert blank(2).dtype == float
    assert numbers([1, 2]).dtype == float
    assert quotient(1.0, 0.0) == math.inf
    assert larger(1.0, 2.0) == 2.0
