"""A cable that swings over the axis of its first turns."""

import numpy as np
import pytest

from fairlead.studies.verification.checks.multibody_singularity import check, swing


@pytest.mark.slow
def test_path_is_that_of_point_masses():
    """1e-5 m at any node over 4 s, while the second turns would have passed 90 degrees."""
    (record,) = check()
    assert record.passed, record.value


def test_it_does_swing_through_half_a_turn():
    """From level on one side to within 30 degrees of level on the other."""
    path = swing("lumped")
    angle = np.degrees(np.arctan2(path[:, -1, 0] - path[:, 0, 0], -(path[:, -1, 2] - path[:, 0, 2])))
    assert angle.min() < -85.0
    assert angle.max() > 60.0
