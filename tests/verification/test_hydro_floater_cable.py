"""The floater of Guillaume et al., section 6.2: a payload on a cable takes a third off its surge at this frequency.

The whole of it, on the incident surface, is checked by `fairlead verify`; here the linear mode, the mean over one beat
of the motion that the growing wave leaves behind.
"""

import pytest

from fairlead.studies.verification.checks.hydro_floater_cable import surge


@pytest.mark.parametrize(("name", "expected"), [("floater_alone", 1.39), ("floater_cable_payload", 0.93)])
def test_surge_per_metre_of_wave(name, expected):
    assert surge(name, 8, mode="linear")[-4:].mean() == pytest.approx(expected, rel=0.05)
