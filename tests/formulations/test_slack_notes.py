"""Notes on cables that lost their tension: one each, or one for all when they are many."""

from fairlead.formulations.slack import Slack, slack_notes


def cables(count: int) -> list[Slack]:
    return [Slack(f"line_{k}", 5.0 - k, 0.1 * (k + 1)) for k in range(count)] + [Slack("taut", -1.0, 0.1)]


def test_few_cables_get_a_note_each_the_first_first() -> None:
    first, second = slack_notes(cables(2), 0.01, 50, "use")
    assert first.startswith("cables.line_1: lost its tension first at t = 4 s")
    assert second.startswith("cables.line_0: lost its tension first at t = 5 s")
    assert second.endswith("use a step of 0.002 s")


def test_a_step_that_is_fine_enough_is_no_matter() -> None:
    assert slack_notes(cables(2), 0.0019, 50, "use") == ()
    assert len(slack_notes(cables(2), 0.003, 50, "use")) == 1


def test_many_cables_share_a_note() -> None:
    (note,) = slack_notes(cables(5), 0.02, 50, "use bars: {theta: 0.55} or")
    assert note == (
        "cables: 5 of them lost their tension, first line_4 (1 s), line_3 (2 s), line_2 (3 s), and the step of 0.02 s "
        "is coarser than 1/50 of their axial periods of 0.1 to 0.5 s: peaks of snap loads may be low; use bars: "
        "{theta: 0.55} or a step of 0.002 s"
    )
