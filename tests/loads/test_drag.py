"""Drag as secants: the law of the Reynolds number against powers of many digits."""

import math

import numpy as np
import pytest
from kernels.plain import plain

from fairlead.algebra.roots import twelfth_root_under_one
from fairlead.loads.drag import CONSTANT, REYNOLDS, secants

ACROSS, ALONG, PER_SPEED = 3.0, 5.0, 1.0e4
SECANTS = plain(secants)


def test_the_root_has_all_digits() -> None:
    for x in 10.0 ** np.random.default_rng(3).uniform(-2, 20, 400):
        exact = np.longdouble(x) ** (-np.longdouble(1) / 12)
        assert abs(twelfth_root_under_one.py_func(x) / exact - 1) < 4e-16
    assert math.isnan(twelfth_root_under_one.py_func(math.nan))


@pytest.mark.parametrize(("across", "along"), [(0.4, 0.3), (0.002, -0.3), (0.00005, 0.0), (0.0, -2.0), (1e-6, 1e-6)])
def test_coefficients_of_the_reynolds_law(across: float, along: float) -> None:
    """Across by the speed across, along by the whole speed, which counts for Re ≥ 0.1."""
    cn, ct = SECANTS(REYNOLDS, ACROSS, ALONG, PER_SPEED, across**2, along)
    re = across * PER_SPEED
    creep = ACROSS * 10 / PER_SPEED  # below Re = 1: 10/Re
    drag = 1.1 + 4 / math.sqrt(re) if re >= 30 else 1.45 + 8.55 * max(re, 1.0) ** -0.9
    whole = max(0.1, math.hypot(across, along) * PER_SPEED)
    assert cn == pytest.approx(ACROSS * drag * across if re >= 1 else creep, rel=1e-12)
    assert ct == pytest.approx(ALONG * (1.1 * whole**-0.5 + 0.168 * whole ** (-1 / 3)) * abs(along), rel=1e-12)


def test_constant_coefficients() -> None:
    assert SECANTS(CONSTANT, ACROSS, ALONG, PER_SPEED, 4.0, -3.0) == (6.0, 15.0)
