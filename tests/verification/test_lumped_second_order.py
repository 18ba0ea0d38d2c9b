"""The second-order step of `lumped` in the checks of `fairlead verify`, and the first-order one beside it."""

from __future__ import annotations

from fairlead.studies.verification.checks import lumped_second_order


def test_every_comparison_holds():
    for record in lumped_second_order.check():
        assert record.passed, record
