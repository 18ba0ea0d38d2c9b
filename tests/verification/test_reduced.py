"""Reduced models of the slack cables of Escalante et al. over 20 s; `fairlead verify` goes on to 100 s."""

from __future__ import annotations

import pytest

from fairlead.studies.verification.checks import reduced_slack_cable


@pytest.mark.slow
def test_the_slack_cables_on_a_few_of_their_shapes():
    for record in reduced_slack_cable.check(duration=20.0, factors=(1.4,)):
        assert record.passed, record
