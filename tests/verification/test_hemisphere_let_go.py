"""The check of a hemisphere that floats by its coefficients passes in all its parts."""

from __future__ import annotations

import pytest

from fairlead.studies.verification.checks.hemisphere_let_go import check


@pytest.mark.slow
def test_the_hemisphere_moves_as_its_closed_solution() -> None:
    records = list(check())
    assert len(records) >= 9
    assert all(record.passed for record in records), [record for record in records if not record.passed]
