"""The floater of Guillaume et al., section 6.2: a payload on a cable takes a third off its surge at this frequency.

With cable and payload, and on the incident surface, it is checked by `fairlead verify`; here without, in the linear
mode, the mean over one beat of the motion that the growing wave leaves behind. What cables do to hulls is held against
one tree, closed forms and energy in `tests/hydro/test_moored_hulls.py`.
"""

import pytest

from fairlead.studies.verification.checks.hydro_floater_cable import surge


def test_surge_per_metre_of_wave():
    assert surge("floater_alone", 8, mode="linear")[-4:].mean() == pytest.approx(1.39, rel=0.05)
