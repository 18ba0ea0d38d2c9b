"""A tether of controlled links against the catenary, its own books, a beam, and the bounds of its gains."""

from __future__ import annotations

import pytest
from marks import slowly

from fairlead.studies import verification
from fairlead.studies.verification.checks.tether_catenary import distance


@pytest.mark.parametrize("name", ["tether_energy", "tether_bending", "tether_gains", *slowly("tether_catenary")])
def test_the_check_passes(name):
    for record in verification.run(name):
        assert record.passed, record


def test_without_the_integral_links_are_too_long_by_their_load():
    """Kp 200 N: 0.275 m from the catenary; Kp 2000 N: 0.056 m (independent computation, ends out of plane)."""
    soft, _ = distance(14, proportional=200.0, derivative=20.0, integral=0.0)
    stiff, _ = distance(14, proportional=2000.0, derivative=60.0, integral=0.0)
    assert soft == pytest.approx(0.275, rel=0.15)
    assert stiff == pytest.approx(0.056, rel=0.15)
