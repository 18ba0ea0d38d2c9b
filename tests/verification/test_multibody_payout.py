"""A payload lowered on a drum."""

import pytest

from fairlead.studies.verification.checks.multibody_payout import ELEMENT, RATE, check, lower


def test_payload_does_not_feel_the_splits():
    """Four elements come off the drum; spread of the pull below 0.05 N (29 N with an interpolated speed)."""
    for record in check():
        assert record.passed, f"{record.name}: {record.value}"


def test_length_is_what_the_winch_paid_out():
    """Half the ramp, then the full rate; the first element splits at 1.5 of its length, then after each length more."""
    run = lower(step=0.002, duration=8.0)
    assert run.length[-1] == pytest.approx(1.5 + 0.5 * 4.0 * RATE + 4.0 * RATE, rel=1e-9)
    paid = run.length[-1] - 1.5
    assert run.elements[-1] - run.elements[0] == 1 + int((paid - 0.5 * ELEMENT) / ELEMENT)
