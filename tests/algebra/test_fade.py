"""The share with which motions begin: smooth to its second derivative, as tested by differences."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.algebra.fade import fade

share = fade.py_func


def test_it_goes_from_nothing_to_all_without_a_jump_in_acceleration():
    for s, whole in ((0.0, 0.0), (1.0, 1.0)):
        inside = share(s + (1e-9 if s == 0.0 else -1e-9))
        assert share(s) == (whole, 0.0, 0.0)
        assert inside == pytest.approx((whole, 0.0, 0.0), abs=1e-6)
    assert share(-1.0) == (0.0, 0.0, 0.0)
    assert share(2.0) == (1.0, 0.0, 0.0)
    assert share(0.5) == pytest.approx((0.5, 1.875, 0.0))


def test_its_derivatives_are_those_of_itself():
    s, d = np.linspace(0.05, 0.95, 19), 1e-5
    for k in range(2):
        slope = [(share(x + d)[k] - share(x - d)[k]) / (2 * d) for x in s]
        assert slope == pytest.approx([share(x)[k + 1] for x in s], abs=1e-8)
