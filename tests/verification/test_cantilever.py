"""A clamped cable bent by a load at its end, against beam theory and the elastica."""

import pytest

from fairlead.studies.verification.checks.cantilever import EI, LENGTH, LOAD, bent, tip
from verification.closed_forms import cantilever_tip_deflection, cantilever_tip_deflection_bars, elastica_tip


@pytest.mark.parametrize(("elements", "bound"), [(10, 5.1e-3), (20, 1.3e-3)])
def test_tip_deflection(elements, bound):
    """Downward, and by P L³/3 EI: the error of n bars is 1/2n²."""
    deflection = -tip(bent(elements))[2]
    assert deflection == pytest.approx(cantilever_tip_deflection(LOAD, LENGTH, EI), rel=bound)
    assert deflection == pytest.approx(cantilever_tip_deflection_bars(LOAD, LENGTH, EI, elements), rel=2e-5)


def test_moment_grows_from_the_tip_to_the_clamp():
    moment = bent(20).outputs["rod.bending_moment"]
    assert moment[0] == pytest.approx(LOAD * LENGTH, rel=1e-4)
    assert moment[10] == pytest.approx(0.5 * LOAD * LENGTH, rel=1e-4)
    assert moment[-1] == pytest.approx(0.0, abs=1e-9)


def test_large_deflection_follows_the_elastica():
    """P L²/EI = 3: the tip comes down by 60 % of the length, 0.5 % of it from the elastica with 40 bars."""
    load = 3.0 * EI / LENGTH**2
    along, across, _ = elastica_tip(load, LENGTH, EI)
    x, y, z = tip(bent(40, load))
    assert (x, -z) == pytest.approx((along, across), abs=5e-3 * LENGTH)
    assert y == pytest.approx(0.0, abs=1e-6)
