"""Notes on cables that lost their tension: how much of their peaks the step has taken, one each or for all."""

import numpy as np
import pytest

from fairlead.rigging.slack import TOLD, Peak, Slack, slack_notes


def cables(count: int, turn: float = 0.2) -> list[Slack]:
    """Cables whose tension rises to 50 kN by a part `turn` of it within a step, and one that is never slack."""
    return [Slack(f"line_{k}", 5.0 - k, turn * 5e4, 5e4) for k in range(count)] + [Slack("taut", -1.0, 5e4, 5e4)]


def blow(omega: float, theta: float, phase: float) -> tuple[Slack, float]:
    """A mass caught by a spring of ωh = `omega`, first stretched a part `phase` into a step; what its peak lacks.

    h = m = v = 1: the spring is taken at θ, and at the end of the step in which it comes taut. Its true peak is omega.
    """
    x, v, k, tension, peak, rise = -phase, 1.0, omega**2, 0.0, 0.0, 0.0
    while v > 0 or tension == 0.0:
        ahead = theta if tension > 0 else 1.0
        pull = max(0.0, k * (x + ahead * v) / (1 + k * ahead**2))
        x, v = x + v - ahead * pull, v - pull
        rise, peak, tension = max(rise, pull - tension), max(peak, pull), pull
    return Slack("c", 0.0, rise, peak), 1 - peak / omega


def test_few_cables_get_a_note_each_the_first_first() -> None:
    first, second = slack_notes(cables(2), 0.01, 1.0, "use")
    assert first.startswith("cables.line_1: lost its tension first at t = 4 s")
    assert second.startswith("cables.line_0: lost its tension first at t = 5 s")
    assert second.endswith("by up to 20 % of its peak within a step of 0.01 s: that peak may be low by up to "
                           "19 %; use a step of 0.00098 s")  # fmt: skip


@pytest.mark.parametrize("theta", [1.0, 0.75, 0.55, 0.5])
def test_what_the_step_took_of_a_peak_is_bounded_at_any_phase_of_the_blow(theta: float) -> None:
    """From above, and by not much more, where the steps tell the blow; from below where it is over in two of them."""
    for omega in np.geomspace(0.02, 8.0, 25):
        for phase in np.linspace(0.0, 0.95, 20):
            found, lacks = blow(omega, theta, phase)
            if found.told:
                assert lacks < 1.05 * found.low(theta) + 1e-3
                assert found.low(theta) < 1.5 * lacks + 0.04
            else:
                assert found.low(theta) < lacks + 0.01


def test_a_step_too_coarse_to_tell_says_at_least() -> None:
    (note,) = slack_notes(cables(1, 0.5), 0.01, 1.0, "use")
    assert "that peak is low by at least 25 % where a load is caught, and may be some times too high or low" in note
    assert "where slack line cracks like a whip (by how much, fairlead converge tells); use" in note
    assert note.endswith("; use a step of 0.00039 s")
    assert not Slack("c", 0.0, 1.01 * TOLD, 1.0).told


def test_a_step_that_is_fine_enough_is_no_matter() -> None:
    assert slack_notes(cables(2, 0.0194), 0.01, 1.0, "use") == ()
    assert len(slack_notes(cables(2, 0.0199), 0.01, 1.0, "use")) == 2
    assert slack_notes(cables(2, 0.145), 0.01, 0.5, "use") == ()
    assert len(slack_notes(cables(2, 0.155), 0.01, 0.5, "use")) == 2


def test_many_cables_share_a_note() -> None:
    (note,) = slack_notes(cables(5), 0.02, 1.0, "use bars: {theta: 0.55} or")
    assert note == (
        "cables: 5 of them lost their tension, first line_4 (1 s), line_3 (2 s), line_2 (3 s), and came taut again by "
        "large parts of their peaks within a step of 0.02 s: that of line_4 may be low by up to 19 %; use bars: "
        "{theta: 0.55} or a step of 0.002 s"
    )


def test_what_was_found_with_a_tenth_of_the_step_is_said_in_place_of_bounds() -> None:
    """10 % too high, a number; within 2 %, not a word; of a third cable, of which nothing was found, the bound."""
    found = {"line_0": Peak(5.5e4, 5e4), "line_1": Peak(5e4, 5.09e4), "other": Peak(9e4, 1e5)}
    slack, blow_, bound = slack_notes(cables(3), 0.01, 1.0, "use", found)
    assert slack.startswith("cables.line_0: lost its tension first at t = 5 s")
    assert ": its largest tension, 55 kN, is 50 kN with a tenth of the step, and so 10 % too high; use a step" in slack
    assert blow_ == (
        "cables.other: comes taut in a blow: its largest tension, 90 kN, is 100 kN with a tenth of the step, and so "
        "10 % too low; use a smaller step than 0.01 s (`fairlead converge` finds one)"
    )
    assert bound.startswith("cables.line_2")
    assert "that peak may be low by up to 19 %" in bound


def test_a_part_of_the_run_that_was_taken_again_is_said() -> None:
    (note,) = slack_notes(cables(1), 0.01, 1.0, "use", {"line_0": Peak(5.5e4, 5e4, (12.5, 24.0))})
    assert "with a tenth of the step (from 12.5 to 24 s, the part computed again), and so 10 %" in note


def test_many_peaks_that_were_found_share_a_note_the_worst_first() -> None:
    found = {f"line_{k}": Peak(5e4, 5e4 * (1.1 + 0.1 * k)) for k in range(5)}
    (note,) = slack_notes(cables(5), 0.01, 1.0, "use", found)
    assert note.startswith("cables: 5 of them lost their tension, first line_4 (1 s), ")
    assert ": that of line_4, 50 kN, is 75 kN with a tenth of the step, and so 33 % too low; use" in note
    assert note.endswith("; use a smaller step (`fairlead converge` finds one)")


def test_a_spread_gets_one_note_whatever_was_found_of_its_cables() -> None:
    """Three of which the peak was found, two of which it is bounded, one that only came taut in a blow."""
    found = {"line_0": Peak(5e4, 5.5e4), "line_1": Peak(5e4, 6e4), "other": Peak(5e4, 5.2e4)}
    (note,) = slack_notes(cables(4), 0.02, 1.0, "use", found)
    assert note.startswith(
        "cables: 4 of them lost their tension, first line_3 (2 s), line_2 (3 s), line_1 (4 s), and came taut again by "
        "large parts of their peaks within a step of 0.02 s, and 1 came taut in a blow: that of line_1, 50 kN, is 60 kN"
    )
    assert note.endswith("; that of line_3 may be low by up to 19 %; use a step of 0.002 s")
    blows = {f"line_{k}": Peak(5e4, 6e4) for k in range(4)}
    (note,) = slack_notes([], 0.02, 1.0, "use", blows)
    assert note.startswith("cables: 4 came taut in a blow: that of line_0, 50 kN, is 60 kN")
