"""Fits against distributions that are known, and what they say about the largest of many."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from fairlead.results import ResultError
from fairlead.study.estimates import convergence, half_width, weighted_mean, weighted_quantile
from fairlead.study.extremes import damage_rate, extreme, extreme_of, l_moments
from fairlead.study.summary import summary, summary_lines

U = (np.arange(5000) + 0.5) / 5000
"""Shares that stand for a whole distribution, so that a sample of it has its moments."""


def test_l_moments_of_a_uniform_and_an_exponential_distribution():
    """1/2, 1/6, 0 and 1, 1/2, 1/3 (Hosking and Wallis 1997, table 2.1)."""
    assert l_moments(U) == pytest.approx((0.5, 1 / 6, 0.0), abs=1e-4)
    assert l_moments(-np.log1p(-U)) == pytest.approx((1.0, 0.5, 1 / 3), abs=1e-3)


def test_a_gumbel_distribution_is_found_and_the_largest_of_n_lies_b_ln_n_higher():
    x = 10.0 - 2.0 * np.log(-np.log(U))
    one = extreme(x, "gumbel", 0.5)
    assert one.parameters == pytest.approx((10.0, 2.0), rel=2e-3)
    assert extreme(x, "gumbel", 0.5, 6.0).value - one.value == pytest.approx(2.0 * np.log(6.0), rel=2e-3)


def test_a_weibull_distribution_is_found():
    x = 5.0 + 3.0 * (-np.log1p(-U)) ** (1.0 / 1.8)
    found = extreme(x, "weibull", 0.99)
    assert found.parameters == pytest.approx((5.0, 3.0, 1.8), rel=0.02)
    assert found.value == pytest.approx(5.0 + 3.0 * np.log(100.0) ** (1.0 / 1.8), rel=0.01)


@pytest.mark.parametrize("k", [-0.2, 0.1])
def test_a_generalised_pareto_distribution_is_found_above_its_threshold(k):
    """Of a Pareto all of whose sample lies above u, the value that one block in a hundred exceeds."""
    x = 1.0 + 2.0 * (1.0 - (1.0 - U) ** k) / k
    found = extreme(x, "pot", np.exp(-0.01), threshold=1.0)
    assert found.parameters == pytest.approx((1.0, 2.0, k, 1.0), rel=0.02)
    assert found.value == pytest.approx(1.0 + 2.0 * (1.0 - 0.01**k) / k, rel=0.01)


def test_intervals_hold_the_truth_about_as_often_as_they_say():
    truth, held = 10.0 - 2.0 * np.log(-np.log(0.9)), 0
    for seed in range(20):
        x = np.random.default_rng(seed).gumbel(10.0, 2.0, 30)
        found = extreme(x, "gumbel", 0.9)
        held += found.low <= truth <= found.high
    assert held >= 16


def test_what_cannot_be_fitted_is_told():
    with pytest.raises(ResultError, match="needs 10 maxima, and there are 3"):
        extreme(np.array([1.0, 2.0, 3.0]))
    with pytest.raises(ResultError, match="all the same"):
        extreme(np.full(20, 5.0))
    with pytest.raises(ResultError, match="did you mean 'gumbel'"):
        extreme(U, "gumble")


def test_extremes_and_damage_of_a_result():
    x = 10.0 - 2.0 * np.log(-np.log(U[::25]))
    result = xr.Dataset(
        {"a.block_maxima": (("scenario", "block_2"), x.reshape(-1, 2)), "a.damage_m3": ("scenario", np.arange(100.0)),
         "weight": ("scenario", np.where(np.arange(100) < 10, 1.0, 0.0))},
        attrs={"kept_time": 100.0},
    )  # fmt: skip
    assert extreme_of(result, "a", share=0.5, duration=300.0).value == extreme(x, share=0.5, blocks=6.0).value
    assert damage_rate(result, "a", 3) == pytest.approx(4.5 / 100.0)
    with pytest.raises(ResultError, match="no maxima of 'b'"):
        extreme_of(result, "b")


def test_weighted_estimates_of_equal_weights_are_the_plain_ones():
    x = np.random.default_rng(1).normal(size=101)
    ones = np.ones(101)
    assert weighted_quantile(x, ones, 0.9) == pytest.approx(np.quantile(x, 0.9))
    assert half_width(x, ones, None)[1] == pytest.approx(1.96 * x.std(ddof=1) / np.sqrt(101), rel=1e-4)
    assert weighted_mean(np.array([1.0, 2.0, 7.0]), np.array([3.0, 1.0, 0.0])) == 1.25
    counts, settled = convergence(x, ones)
    assert counts[-1] == 101
    assert settled[-1] == pytest.approx(x.mean())


def scattered(damage: list[float], weights: list[float]) -> xr.Dataset:
    count = len(damage)
    return xr.Dataset(
        {"a.damage_m3": ("scenario", np.array(damage)), "a.max": ("scenario", np.cbrt(damage)),
         "weight": ("scenario", np.array(weights))},
        coords={"scenario": np.arange(10, 10 + count)},
        attrs={"kept_time": 100.0, "channels": '["a"]'},
    )  # fmt: skip


def test_a_scenario_that_counts_and_has_no_number_is_never_left_out_silently():
    """The storm that failed is a tenth of the time and most of the damage: without it life seems far too long."""
    result = scattered([1.0, 2.0, np.nan], [6.0, 3.0, 1.0])
    with pytest.raises(ResultError, match=r"damage of 'a': scenario 12 has no number .* 10 % of the weight"):
        damage_rate(result, "a", 3)
    values, weights = result["a.damage_m3"].values, result["weight"].values
    with pytest.raises(ResultError, match="scenario 2 has no number"):
        weighted_mean(values, weights)
    with pytest.raises(ResultError, match="scenario 2 has no number"):
        weighted_quantile(values, weights, 0.9)
    assert damage_rate(result, "a", 3, missing="omit") == pytest.approx(12.0 / 9.0 / 100.0)
    assert weighted_mean(values, weights, missing="omit") == pytest.approx(12.0 / 9.0)
    assert weighted_quantile(values, weights, 1.0, missing="omit") == 2.0
    with pytest.raises(ResultError, match="'refuse' or 'omit'"):
        damage_rate(result, "a", 3, missing="ignore")  # type: ignore[arg-type]


def test_a_scenario_that_does_not_count_may_be_missing():
    """One of weight zero, and one that `result.where` has taken out."""
    result = scattered([1.0, 2.0, np.nan], [1.0, 1.0, 0.0])
    assert damage_rate(result, "a", 3) == pytest.approx(0.015)
    chosen = scattered([1.0, 2.0, 5.0], [1.0, 1.0, 1.0])
    chosen = chosen.where(chosen["a.damage_m3"] < 3.0)
    assert damage_rate(chosen, "a", 3) == pytest.approx(0.015)


def test_extremes_of_a_part_whose_largest_may_have_failed_are_refused():
    result = scattered([*np.arange(1.0, 20.0), np.nan], [1.0] * 20)
    with pytest.raises(ResultError, match="extreme of 'a': scenario 29 has no number"):
        extreme_of(result, "a")
    assert extreme_of(result, "a", missing="omit").count == 19


def test_the_summary_says_which_share_of_the_weight_it_leaves_out():
    result = scattered([1.0, 2.0, np.nan], [6.0, 3.0, 1.0])
    assert summary(result)["a.damage_m3"]["missing_weight"] == pytest.approx(0.1)
    lines = summary_lines(result)
    assert lines[0].endswith("missing")
    assert lines[2].endswith("10 %")
    assert "leave them out" in lines[-1]
    whole = scattered([1.0, 2.0, 3.0], [6.0, 3.0, 1.0])
    assert summary(whole)["a.damage_m3"]["missing_weight"] == 0.0
    assert "missing" not in "".join(summary_lines(whole))
