"""Moorings as MoorDyn files beside the numbers that MoorDyn gave for them."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.studies.moordyn_decks import kept
from fairlead.studies.moordyn_decks.cases import CASES
from fairlead.studies.verification.checks.moordyn_dynamics import compared


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_tensions_are_those_of_moordyn(case):
    theirs, program = kept.read(case)
    assert theirs.shape == (np.count_nonzero(case.judged), len(case.channels))
    for record in compared(case, theirs, program):
        assert record.passed, record
