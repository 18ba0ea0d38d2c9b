"""A payload lowered from a crane in waves to the seabed and taken back: three formulations say the same.

The whole of `lowering_payload` is checked by `fairlead verify`; here it is over a shallow bed.
"""

import pytest

from fairlead.studies.verification.checks import lowering

DEPTH = 30.0


@pytest.mark.parametrize("formulation", lowering.FORMULATIONS)
def test_tension_and_landing_are_those_of_weights_and_lengths(formulation):
    found, exact = lowering.course(formulation, DEPTH), lowering.expected(DEPTH)
    assert found.down == pytest.approx(exact.down, rel=0.02)
    assert found.up == pytest.approx(exact.up, rel=0.03), "more of it is in waves"
    assert found.landing == pytest.approx(exact.landing, abs=2.0), "the crane heaves by half a metre or so"
    assert found.energy < 0.01


@pytest.mark.parametrize("formulation", lowering.FORMULATIONS[1:])
def test_formulations_agree(formulation):
    found, first = lowering.course(formulation, DEPTH), lowering.course(lowering.FORMULATIONS[0], DEPTH)
    assert found.down == pytest.approx(first.down, rel=2e-3)
    assert found.up == pytest.approx(first.up, rel=2e-3)
    assert found.landing == pytest.approx(first.landing, abs=0.05)
    assert found.speed == pytest.approx(first.speed, rel=0.02)
