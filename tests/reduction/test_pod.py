"""Snapshots and their modes: known singular values, best approximation, and what is wrong with bad ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from marks import slowly

from fairlead.reduction import ReductionError, pod, snapshots
from fairlead.simulate import Simulation
from fairlead.studies.verification.checks.chain_singular_values import example as chain
from fairlead.studies.verification.checks.spline_slack_cable import run


@pytest.fixture(scope="module")
def swing():
    return Simulation(chain()).run()


@pytest.mark.parametrize(
    ("number", "known"),
    [
        (1, [200.79, 37.388, 10.942, 3.174, 2.225, 0.668, 0.496, 0.232]),
        *slowly((2, [154.45, 112.18, 18.81, 7.751, 5.666, 3.101, 1.927, 1.555])),
    ],
)
def test_singular_values_of_the_slack_cables(number, known):
    """Escalante et al., Examples 1 and 2, 1001 snapshots of 100 s: independent solution of the same element."""
    basis = pod(snapshots(run(number)), modes=9)
    assert basis.singular_values[:8] == pytest.approx(known, rel=5e-3)


def test_a_plane_motion_stays_in_its_plane(swing):
    basis = pod(snapshots(swing), modes=6)
    assert np.abs(basis.modes[:, 1]).max() < 1e-9


def test_modes_are_orthonormal_and_vanish_at_the_ends(swing):
    modes = pod(snapshots(swing), modes=5).modes
    assert np.einsum("nik,nil->kl", modes, modes) == pytest.approx(np.eye(5), abs=1e-12)
    assert not modes[[0, -1]].any()


@pytest.mark.parametrize("count", [1, 3, 6])
def test_the_error_is_what_is_left_of_the_singular_values(swing, count):
    """Eq. 3: Σ|y − projection|² = Σσ² of the modes left out."""
    taken = snapshots(swing)
    basis = pod(taken, count)
    places = swing["position"].values[:, 0]
    back = basis.motion(basis.coordinates(places, taken.ends), taken.ends)
    left = np.sum(basis.singular_values[count:] ** 2)
    assert np.sum((back - places) ** 2) == pytest.approx(left, rel=1e-6)
    assert back[:, [0, -1]] == pytest.approx(places[:, [0, -1]], abs=1e-12)
    assert basis.energies[-1] == pytest.approx(1.0)


def test_bad_snapshots_are_refused_with_a_sentence(swing):
    with pytest.raises(ReductionError, match="the run has the cables chain, and the system rope"):
        snapshots(swing, replace(snapshots(swing).assembly, names=("rope",)))
    with pytest.raises(ReductionError, match="2 samples, fewer than 3"):
        snapshots(swing.isel(time=slice(0, 2)))
    broken = swing.copy(deep=True)
    broken["position"][7, 0, 3, 0] = np.nan
    with pytest.raises(ReductionError, match=r"at t = 3\.5 s is no finite number"):
        snapshots(broken)
    with pytest.raises(ReductionError, match="500 modes were asked for and the snapshots hold"):
        pod(snapshots(swing), 500)


def test_modes_of_one_axis_each(swing):
    """Eq. 8: the plane chain has shapes of x and shapes of z, and none of y."""
    modes = pod(snapshots(swing), 3, by_axis=True).modes
    assert modes.shape[2] == 6
    assert not modes[:, 1:, :3].any()
    assert not modes[:, :2, 3:].any()
    assert np.einsum("nik,nil->kl", modes, modes) == pytest.approx(np.eye(6), abs=1e-12)
