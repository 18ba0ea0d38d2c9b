"""Reduced models of the slack cables of Escalante et al. over 100 s."""

from __future__ import annotations

from fairlead.studies.verification.checks import reduced_slack_cable


def test_the_slack_cables_on_a_few_of_their_shapes():
    for record in reduced_slack_cable.check():
        assert record.passed, record
