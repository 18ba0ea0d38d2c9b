"""The filters against Kalman's equations, and what no filter may do: lock itself out, or grow what it cannot see."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.twin.filters import apart, inflated, mixed, relaxed, shared, softened, transform
from fairlead.twin.innovations import Innovations


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


def test_what_a_sensor_is_off_for_good_is_one_number_for_all_of_its_readings():
    """Kalman's update with R = diag(r) + b bᵀ of two readings of one sensor, and one of another without a bias."""
    x = ensemble(40)
    y, r, b = np.array([4.0, 2.0, 3.5]), np.array([0.5, 0.1, 0.3]), np.array([0.4, 0.7, 0.0])
    seen = x @ np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.2, 0.0, 1.0]])
    new = mixed(x, transform(*shared(seen, y, r, b, np.array([0, 0, 1]))))
    both, own = np.cov(x.T, seen.T)[:3, 3:], np.cov(seen.T)
    gain = both @ np.linalg.inv(own + np.diag(r) + np.outer(b, b))
    assert new.mean(axis=0) == pytest.approx(x.mean(axis=0) + gain @ (y - seen.mean(axis=0)), rel=1e-10)
    assert np.cov(new.T) == pytest.approx(np.cov(x.T) - gain @ both.T, abs=1e-10)


def test_an_outlier_of_a_sensor_that_may_be_off_for_good_does_not_pull_its_neighbours():
    """Ten readings of one place, little noise and a bias; the last is 300 standard deviations off or is not heard."""
    x = ensemble(40)
    y, r, b = np.full(10, x[:, 0].mean() + 0.5), np.full(10, 0.01), np.full(10, 1.0)
    y[-1] += 300.0

    def found(heard: int) -> float:
        z, own = np.repeat(x[:, :1], heard, axis=1), slice(heard)
        off, spread, one = y[own] - z.mean(axis=0), z.std(axis=0, ddof=1), np.zeros(heard, dtype=int)
        softer = softened((r + b**2)[own], off, spread, np.arange(heard)) / (r + b**2)[own]
        return float(mixed(x, transform(*shared(z, y[own], *apart(r[own], b[own], softer, one), one)))[:, 0].mean())

    assert found(10) == pytest.approx(found(9), abs=0.01)


def test_softened_noise_has_its_variance_whatever_is_common():
    r, b, f = np.array([0.5, 0.1, 0.3]), np.array([0.4, 0.7, 0.2]), np.array([3.0, 2.0, 5.0])
    own, common = apart(r, b, f, np.array([0, 0, 1]))
    assert own + common**2 == pytest.approx(f * (r + b**2))
    assert (own[1:], common[1:]) == (pytest.approx(f[1:] * r[1:]), pytest.approx(np.sqrt(f[1:]) * b[1:]))


def test_relaxing_keeps_the_mean_and_what_is_not_seen():
    x = ensemble(30)
    x[:, 2] -= x[:, :2] @ np.linalg.lstsq(x[:, :2] - x[:, :2].mean(0), x[:, 2] - x[:, 2].mean(), rcond=None)[0]
    matrix = transform(x[:, :1], np.array([4.0]), np.array([0.25]))
    strict, kept = mixed(x, matrix), mixed(x, relaxed(matrix, 0.3))
    assert kept.mean(axis=0) == pytest.approx(strict.mean(axis=0), rel=1e-12)
    assert strict[:, 0].std() < kept[:, 0].std() < x[:, 0].std()
    assert kept[:, 2].std() == pytest.approx(x[:, 2].std(), rel=1e-9)


def test_the_gate_is_soft_the_further_off_a_reading_is_the_less_it_pulls_and_never_nothing():
    spread, variance = np.full(3, 0.6), np.ones(3)
    group = np.array([0, 1, 1])
    near, far, beside = softened(variance, np.array([1.0, 30.0, 0.1]), spread, group)
    assert near == 1.0
    assert far == beside > 100.0  # what came with it is doubted with it
    noises = [softened(np.ones(1), np.array([d]), spread[:1], group[:1])[0] for d in (3.0, 30.0, 300.0)]
    pulls = [d * 0.36 / (0.36 + r) for d, r in zip((3.0, 30.0, 300.0), noises, strict=True)]
    assert 0.5 > pulls[0] > pulls[1] > pulls[2] > 0.0
    assert pulls[1] < 0.1, "an outlier of thirty standard deviations"


def test_only_what_is_seen_is_made_to_differ_more():
    x = ensemble(30)
    x[:, 2] -= x[:, :2] @ np.linalg.lstsq(x[:, :2] - x[:, :2].mean(0), x[:, 2] - x[:, 2].mean(), rcond=None)[0]
    wide = mixed(x, inflated(x[:, :1], np.ones(1), 4.0))
    assert wide[:, 0].std() == pytest.approx(2.0 * x[:, 0].std(), rel=1e-9)
    assert wide[:, 2].std() == pytest.approx(x[:, 2].std(), rel=1e-9)
    assert wide.mean(axis=0) == pytest.approx(x.mean(axis=0), rel=1e-12)


@pytest.mark.parametrize("stochastic", [False, True])
def test_an_update_moves_the_mean_by_three_standard_deviations_at_most(stochastic):
    x = ensemble(30)[:, :1]
    noise = np.zeros((30, 1)) if stochastic else None
    new = mixed(x, transform(x, np.array([x.mean() + 100.0]), np.full(1, 1e-4), noise))
    assert new.mean() - x.mean() == pytest.approx(3.0 * x.std(ddof=1), rel=1e-3)


def test_readings_count_in_full_where_it_is_usual_that_they_are_far_off():
    far = np.array([30.0])
    assert softened(np.ones(1), far, np.full(1, 0.6), np.zeros(1, dtype=int), usual=700.0)[0] == 1.0


@pytest.mark.parametrize("sensors", [1, 3])
def test_a_filter_that_is_sure_of_a_wrong_place_comes_back(sensors):
    """Ten members, sure to 0.1 m, 50 m off: with a hard gate they would stay there for ever."""
    x, innovations, group = 50.0 + 0.1 * ensemble(10)[:, :1], Innovations(), np.arange(sensors)
    for _ in range(25):
        z, measured, noise = np.repeat(x, sensors, axis=1), np.zeros(sensors), np.ones(sensors)
        off, spread = measured - z.mean(axis=0), z.std(axis=0, ddof=1)
        for k in group:
            innovations.hear(f"s{k}", off[None, [k]], spread[[k]], noise[[k]])
        r = softened(noise**2, off, spread, group, innovations.size)
        factor = innovations.widen(float(np.median(spread**2 / (spread**2 + noise**2))))
        wide = inflated(z, r, factor)
        x = mixed(x, relaxed(wide @ transform(mixed(z, wide), measured, r), 0.1))
    assert abs(x.mean()) < 2.0


def heard(innovations: Innovations, of: dict[str, list[float]], is_place: bool = True) -> Innovations:
    for name, deviations in of.items():
        for z in deviations:
            innovations.hear(name, np.array([[z]]), np.zeros(1), np.ones(1), is_place)
    return innovations


def test_one_sensor_that_jumps_says_nothing_of_the_filter_and_most_of_them_do():
    usual = [0.6, -1.1, 0.3, -0.4, 1.2]
    one = heard(Innovations(), {"a": [20.0] * 5, "b": usual, "c": usual})
    assert one.excess < 1.0
    assert one.widen(0.3) == 1.0
    most = heard(Innovations(), {"a": [20.0] * 5, "b": [-9.0] * 5, "c": usual})
    assert most.excess > 10.0
    assert most.widen(0.3) == 4.0


def test_what_goes_away_step_by_step_is_the_sea_of_a_place_and_the_cell_of_a_force():
    usual, away = [0.6, -1.1, 0.3, -0.4, 1.2], [0.4, 1.5, 2.6, 3.8, 4.7]
    assert heard(Innovations(), {"a": away, "b": usual, "c": usual}).excess > 1.0
    assert heard(Innovations(), {"a": away, "b": usual, "c": usual}, is_place=False).excess < 1.0


def test_deviations_to_one_side_count_though_each_is_small():
    small = {name: [0.9] * 12 for name in "abc"}
    assert heard(Innovations(), small).one_sidedness > 3.5
    to_and_fro = {name: [0.9, -0.9] * 6 for name in "abc"}
    assert heard(Innovations(), to_and_fro).one_sidedness < 1.0


def test_many_readings_of_one_update_count_as_one_with_less_noise():
    """Twenty readings share the error of the members: they are no twenty witnesses."""
    rng, found = np.random.default_rng(4), []
    for _ in range(200):
        innovations = Innovations()
        for _ in range(5):
            innovations.hear("a", rng.normal(0.0, 1.0) + rng.normal(0.0, 2.0, (20, 1)), np.ones(1), np.full(1, 2.0))
        found.append(innovations.sizes["a"])
    assert np.median(found) == pytest.approx(1.0, abs=0.35)


def test_members_are_mixed_to_the_same_bits_however_they_lie_in_memory():
    """What a checkpoint brings back lies by rows; sums taken in another order round otherwise."""
    chance = np.random.default_rng(9)
    rows, matrix = chance.normal(size=(20, 33)), chance.normal(size=(20, 20))
    assert np.array_equal(mixed(rows, matrix), mixed(np.asfortranarray(rows), matrix))
