"""Fluid acceleration: a neutral stick moves with the water."""

from __future__ import annotations

from fairlead.studies.verification.checks import stick_in_waves


def test_a_neutral_stick_moves_with_the_water():
    for record in stick_in_waves.check():
        assert record.passed, record
