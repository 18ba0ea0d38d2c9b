"""A clamped cable twisted and pulled at its end."""

import numpy as np
import pytest

from fairlead.studies.verification.checks.torsion_and_stretch import (
    EA,
    ELEMENTS,
    FORCE,
    GJ,
    LENGTH,
    TORQUE,
    last_bar,
    loaded,
)
from verification.closed_forms import stretch, stretch_bars, twist_bars, twist_bars_quaternion


@pytest.fixture(scope="module")
def twisted():
    return loaded(torque=TORQUE)


@pytest.fixture(scope="module")
def pulled():
    return loaded(force=FORCE)


def test_twist_of_the_last_bar(twisted):
    """T L/GJ (1 - 1/2n) to 0.1 %, in the sense of the torque; a joint's torque goes with the sine of its turn."""
    turn = last_bar(twisted)[1]
    assert turn == pytest.approx(twist_bars(TORQUE, LENGTH, GJ, ELEMENTS), rel=1e-3)
    assert turn == pytest.approx(twist_bars_quaternion(TORQUE, LENGTH, GJ, ELEMENTS), rel=1e-9)
    assert last_bar(loaded(torque=-TORQUE))[1] == pytest.approx(-turn, rel=1e-9)


def test_torsion_is_the_torque_all_along(twisted):
    assert np.array(twisted.outputs["rod.torsion"]) == pytest.approx(np.full(ELEMENTS + 1, TORQUE), rel=1e-9)
    assert np.abs(twisted.outputs["rod.bending_moment"]).max() < 1e-6


def test_stretch_of_the_last_bar_and_of_the_loaded_point(pulled):
    """F L/EA (1 - 1/2n) to 1e-7; the point beyond the half bar moves by all of F L/EA."""
    assert last_bar(pulled)[0] == pytest.approx(stretch_bars(FORCE, LENGTH, EA, ELEMENTS), rel=1e-7)
    assert pulled.outputs["end.position"][0] - LENGTH == pytest.approx(stretch(FORCE, LENGTH, EA), rel=1e-7)


def test_tension_is_the_force_all_along(pulled):
    assert np.array(pulled.outputs["rod.tension_effective"]) == pytest.approx(np.full(ELEMENTS + 1, FORCE), rel=1e-9)
    assert pulled.outputs["rod.force_start"] == pytest.approx([FORCE, 0, 0], abs=1e-6)
    assert pulled.outputs["rod.force_end"] == pytest.approx([-FORCE, 0, 0], abs=1e-6)
