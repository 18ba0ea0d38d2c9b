"""A heavy cable trailing in a uniform current at rest, against the critical angle."""

import numpy as np
import pytest

from fairlead.studies.verification.checks.towed_cable import (
    AXIAL,
    DIAMETER,
    ELEMENTS,
    LENGTH,
    NORMAL,
    SPEED,
    WATER,
    WEIGHT,
    angle,
    trailing,
)
from verification.closed_forms import critical_angle


@pytest.fixture(scope="module")
def rest():
    return trailing()


@pytest.fixture(scope="module")
def exact():
    return critical_angle(WEIGHT, DIAMETER, WATER, SPEED, NORMAL, AXIAL)


def test_angle(rest, exact):
    """0.5 %; the cable trails downstream and down."""
    assert angle(rest) == pytest.approx(exact.angle, rel=5e-3)
    tail = np.array(rest.outputs["tail.position"])
    assert tail[0] > 0.5 * LENGTH
    assert tail[2] < -0.5 * LENGTH


def test_straight_all_along(rest, exact):
    nodes = np.array(rest.outputs["wire.position"])
    steps = np.diff(nodes, axis=0)
    assert np.arctan2(-steps[:, 2], steps[:, 0]) == pytest.approx(np.full(ELEMENTS, exact.angle), rel=1e-6)


def test_tension_grows_from_the_free_end(rest, exact):
    """By w sin φ and the drag along the cable, metre by metre."""
    tension = np.array(rest.outputs["wire.tension_effective"])
    along = np.linspace(LENGTH, 0.0, ELEMENTS + 1)
    assert tension == pytest.approx(exact.tension_per_length * along, rel=1e-6, abs=1e-3)
