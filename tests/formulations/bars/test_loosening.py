"""Joints that only pull: what is guessed of them before a step is solved."""

from __future__ import annotations

from kernels.plain import plain

from fairlead.formulations.bars.loosening import pulled

AXIS = (0.6, 0.0, 0.8)
ACROSS = (0.8, 0.0, -0.6)
was_pulling = plain(pulled)


def along_and_across(along, across):
    return tuple(along * t + across * n for t, n in zip(AXIS, ACROSS, strict=True))


def test_a_joint_that_pulled_is_expected_to_pull():
    assert was_pulling(along_and_across(100.0, 30.0), AXIS)
    assert not was_pulling(along_and_across(-100.0, 30.0), AXIS)


def test_a_bar_that_has_turned_since_makes_no_pull_of_a_force_across_it():
    """Of a loose joint the multiplier lies across the bar of the step before, which a step turns by little."""
    assert not was_pulling(along_and_across(5.0, 100.0), AXIS)
    assert not was_pulling((0.0, 0.0, 0.0), AXIS)
