"""The cable of Guillaume et al. in joint coordinates: its Tables 1 and 2, and the same motion as point masses."""

import numpy as np
import pytest

from fairlead.studies.verification.checks.multibody_tables import (
    LENGTHS,
    PRINTED,
    nodes,
    resting,
    swinging,
    third_lengths,
)


def test_third_element_of_table_1():
    """Lengths at t = 1 … 10 s with the printed law of slack: 2e-5 m."""
    found = third_lengths(nodes(swinging("multibody", 0.001, multibody={"slack": "paper"})))
    assert np.abs(found - LENGTHS).max() < 2e-5


def test_multibody_is_lumped():
    """The same springs and masses in joint and in Cartesian coordinates, Runge–Kutta 4: 1e-8 m at any node, 10 s."""
    joints = nodes(swinging("multibody", 0.0005, multibody={"slack": "rod"}))
    masses = nodes(swinging("lumped", 0.0005, lumped={"compression": "carried"}))
    assert np.abs(joints - masses).max() < 1e-8


def test_own_scheme_is_of_second_order():
    """θ = ½: an error of 1/4 with half the step, from the motion of a step of 0.0005 s by Runge–Kutta 4."""
    exact = nodes(swinging("multibody", 0.0005, multibody={"slack": "rod"}))[:21]
    own = {"integrator": "semi_implicit", "duration": 2, "multibody": {"slack": "rod", "theta": 0.5}}
    coarse, fine = (np.abs(nodes(swinging("multibody", h, **own)) - exact).max() for h in (0.01, 0.005))
    assert fine < 1e-3
    assert coarse / fine == pytest.approx(4.0, rel=0.15)


def test_lengths_of_table_2():
    """Nodal masses of 2, 2 and 6 kg: 1e-5 m of the printed lengths, 1e-9 m of Hooke's law."""
    found = resting()
    assert np.abs(found - PRINTED).max() < 1e-5
    pull = 9.81 * np.array([10.0, 8.0, 6.0])
    assert found == pytest.approx(0.5 * (1.0 + pull / (7.75e7 * np.pi / 4.0 * 0.0332**2)), abs=1e-9)
