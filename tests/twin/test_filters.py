"""The filters against Kalman's equations, and what no filter may do: lock itself out, or grow what it cannot see."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.twin.filters import mixed, relaxed, softened, transform


def ensemble(members: int, seed: int = 1) -> np.ndarray:
    """(member, 3): two numbers that go together and one by itself."""
    drawn = np.random.default_rng(seed).standard_normal((members, 3))
    drawn -= drawn.mean(axis=0)
    together = np.array([[1.0, 0.8, 0.0], [0.0, 0.6, 0.0], [0.0, 0.0, 2.0]])
    return np.asarray(drawn @ together + np.array([3.0, -1.0, 5.0]))


@pytest.mark.parametrize("stochastic", [False, True])
def test_mean_and_covariance_are_those_of_kalmans_update(stochastic):
    members = 300 if stochastic else 40
    x = ensemble(members)
    measured, variance = np.array([4.0]), np.array([0.25])
    noise = np.random.default_rng(2).standard_normal((members, 1)) if stochastic else None
    new = mixed(x, transform(x[:, :1], measured, variance, noise))
    p = np.cov(x.T)
    gain = p[:, 0] / (p[0, 0] + variance[0])
    expected = x.mean(axis=0) + gain * (measured[0] - x[:, 0].mean())
    close = {"abs": 0.1} if stochastic else {"rel": 1e-12}
    assert new.mean(axis=0) == pytest.approx(expected, **close)
    assert np.cov(new.T) == pytest.approx(p - np.outer(gain, p[0]), abs=0.2 if stochastic else 1e-12)


def test_two_measurements_at_once_are_those_one_after_the_other():
    x = ensemble(30)
    y, r = np.array([4.0, 2.0]), np.array([0.5, 0.1])
    at_once = mixed(x, transform(x[:, [0, 2]], y, r))
    first = mixed(x, transform(x[:, [0]], y[:1], r[:1]))
    then = mixed(first, transform(first[:, [2]], y[1:], r[1:]))
    assert then.mean(axis=0) == pytest.approx(at_once.mean(axis=0), rel=1e-10)
    assert np.cov(then.T) == pytest.approx(np.cov(at_once.T), abs=1e-10)


def test_relaxing_keeps_the_mean_and_what_is_not_seen():
    x = ensemble(30)
    x[:, 2] -= x[:, :2] @ np.linalg.lstsq(x[:, :2] - x[:, :2].mean(0), x[:, 2] - x[:, 2].mean(), rcond=None)[0]
    matrix = transform(x[:, :1], np.array([4.0]), np.array([0.25]))
    strict, kept = mixed(x, matrix), mixed(x, relaxed(matrix, 0.3))
    assert kept.mean(axis=0) == pytest.approx(strict.mean(axis=0), rel=1e-12)
    assert strict[:, 0].std() < kept[:, 0].std() < x[:, 0].std()
    assert kept[:, 2].std() == pytest.approx(x[:, 2].std(), rel=1e-9)


def test_the_gate_is_soft_a_reading_far_off_pulls_less_and_never_nothing():
    spread, variance = np.full(3, 0.6), np.ones(3)
    group = np.array([0, 1, 1])
    near, far, beside = softened(variance, np.array([1.0, 30.0, 0.1]), spread, group)
    assert near == 1.0
    assert far == beside > 20.0  # what came with it is doubted with it
    for d in (3.0, 30.0, 300.0):
        r = softened(np.ones(1), np.array([d]), spread[:1], group[:1])[0]
        assert 0.36 / (0.36 + r) * d > 0.1


def test_a_filter_that_is_sure_of_a_wrong_place_comes_back():
    """Ten members, sure to 0.1 m, 50 m off: with a hard gate they would stay there for ever."""
    x = 50.0 + 0.1 * ensemble(10)[:, :1]
    for k in range(60):
        r = softened(np.ones(1), np.zeros(1) - x.mean(), np.array([x.std()]), np.zeros(1, dtype=int))
        x = mixed(x, relaxed(transform(x, np.zeros(1), r), 0.5))
        x = x + 0.3 * np.random.default_rng(k).standard_normal(x.shape)
    assert abs(x.mean()) < 2.0


def test_members_are_mixed_to_the_same_bits_however_they_lie_in_memory():
    """What a checkpoint brings back lies by rows; sums taken in another order round otherwise."""
    chance = np.random.default_rng(9)
    rows, matrix = chance.normal(size=(20, 33)), chance.normal(size=(20, 20))
    assert np.array_equal(mixed(rows, matrix), mixed(np.asfortranarray(rows), matrix))
