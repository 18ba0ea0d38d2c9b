"""Notes on cables that lost their tension: how much of their peaks the step has taken, one each or for all."""

import math

import pytest

from fairlead.formulations.slack import Slack, slack_notes


def cables(count: int, turn: float = 0.2) -> list[Slack]:
    """Cables whose tension rises to 50 kN by a part `turn` of it within a step, and one that is never slack."""
    return [Slack(f"line_{k}", 5.0 - k, turn * 5e4, 5e4) for k in range(count)] + [Slack("taut", -1.0, 5e4, 5e4)]


def test_few_cables_get_a_note_each_the_first_first() -> None:
    first, second = slack_notes(cables(2), 0.01, 1.0, "use")
    assert first.startswith("cables.line_1: lost its tension first at t = 4 s")
    assert second.startswith("cables.line_0: lost its tension first at t = 5 s")
    assert second.endswith("by up to 20 % of its peak of 50 kN within a step of 0.01 s: that peak may be low by about "
                           "15 %; use a step of 0.0013 s")  # fmt: skip


def test_a_peak_is_low_by_what_the_implicit_step_takes_of_a_quarter_of_a_sine() -> None:
    """A mass caught by a spring, stepped by backward Euler: x stretches from 0 at the speed 1 until it turns."""
    for omega in (0.3, 0.1, 0.03):
        x, v, peak, rise = 0.0, 1.0, 0.0, 0.0
        while v > 0:
            v = (v - omega**2 * x) / (1 + omega**2)  # h = 1, k/m = omega²
            x, before = x + v, x
            peak, rise = max(peak, x), max(rise, x - before)
        low = Slack("c", 0.0, rise, peak).low(1.0)
        assert low == pytest.approx(1 - peak * omega, rel=0.3)
        assert Slack("c", 0.0, omega, 1.0).low(0.5) == pytest.approx(1 - math.cos(0.5 * omega), rel=0.01)


def test_a_step_that_is_fine_enough_is_no_matter() -> None:
    assert slack_notes(cables(2, 0.025), 0.01, 1.0, "use") == ()
    assert len(slack_notes(cables(2, 0.026), 0.01, 1.0, "use")) == 2
    assert slack_notes(cables(2, 0.35), 0.01, 0.5, "use") == ()


def test_many_cables_share_a_note() -> None:
    (note,) = slack_notes(cables(5), 0.02, 1.0, "use bars: {theta: 0.55} or")
    assert note == (
        "cables: 5 of them lost their tension, first line_4 (1 s), line_3 (2 s), line_2 (3 s), and came taut again by "
        "large parts of their peaks within a step of 0.02 s: these peaks may be low by up to about 15 %; use bars: "
        "{theta: 0.55} or a step of 0.0025 s"
    )
