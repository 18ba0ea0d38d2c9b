"""Trees of bodies against Pinocchio, where it is installed; else the way to install it."""

from importlib.util import find_spec

import pytest

from fairlead.studies.benchmarks.measurements.multibody_peer import BOUND, differences
from fairlead.studies.benchmarks.peers.pinocchio_tree import package


def test_mass_matrix_and_accelerations_are_those_of_pinocchio():
    """Floating branched trees of all kinds of joints in rapid motion, with torques and weight: 1e-8."""
    if find_spec("pinocchio") is None:
        with pytest.raises(ImportError, match=r"pip install 'fairlead\[bench\]'"):
            package()
        return
    mass, rates = differences(trees=5, joints=30)
    assert mass < BOUND
    assert rates < BOUND
