"""Estimates over scenarios that count by weights: means, quantiles, how sure they are and how they settle."""

from __future__ import annotations

from typing import Literal

import numpy as np

from fairlead.results import ResultError
from fairlead.words import percentage

RESAMPLES = 400
NORMAL_95 = 1.959963984540054
MOST_NAMED = 5
"""Scenarios without a number that a message names."""

Missing = Literal["refuse", "omit"]
"""What to do about scenarios that count but have no number, because they failed or were not run: `refuse` raises a
`ResultError` that names them; `omit` uses the other scenarios as if they were all."""


def missing_share(values: np.ndarray, weights: np.ndarray) -> float:
    """Share of the weight of scenarios without a number. Scenarios without a weight do not count."""
    total = float(np.nansum(weights))
    return float(np.nansum(weights[~np.isfinite(values)])) / total if total > 0.0 else 0.0


def require_all(
    values: np.ndarray, weights: np.ndarray, missing: Missing, numbers: np.ndarray | None = None, of: str = ""
) -> None:
    """Raise `ResultError` where scenarios that count have no number, unless they may be left out.

    numbers  of the scenarios; 0, 1, … by default
    of       what it is the estimate of
    """
    if missing not in ("refuse", "omit"):
        raise ResultError(f"missing must be 'refuse' or 'omit', not {missing!r}")
    lost = np.flatnonzero(~np.isfinite(values) & (weights > 0.0))
    if missing == "omit" or not len(lost):
        return
    named = ", ".join(str(lost[k] if numbers is None else numbers[lost[k]]) for k in range(min(MOST_NAMED, len(lost))))
    more = f" and {len(lost) - MOST_NAMED:,} more" if len(lost) > MOST_NAMED else ""
    which = f"scenarios {named}{more} have" if len(lost) > 1 else f"scenario {named} has"
    share = percentage(missing_share(values, weights))
    raise ResultError(
        f"{of + ': ' if of else ''}{which} no number (failed or not run), {share} of the weight; the scenarios that "
        "fail are often the severe ones. Cure and run them, or pass missing='omit' to estimate from the others alone"
    )


def weighted_mean(values: np.ndarray, weights: np.ndarray, missing: Missing = "refuse") -> float:
    """Σ w x / Σ w over all scenarios; `ResultError` where one that counts has no number and `missing` is `refuse`."""
    require_all(values, weights, missing)
    good = np.isfinite(values) & (weights > 0.0)
    return float(np.average(values[good], weights=weights[good])) if good.any() else float("nan")


def weighted_quantile(values: np.ndarray, weights: np.ndarray, share: float, missing: Missing = "refuse") -> float:
    """The value that a share of the weight lies below, linear between the values: with equal weights numpy's own.
    `ResultError` where a scenario that counts has no number and `missing` is `refuse`."""
    require_all(values, weights, missing)
    good = np.isfinite(values) & (weights > 0.0)
    if not good.any():
        return float("nan")
    order = np.argsort(values[good], kind="stable")
    x, w = values[good][order], weights[good][order]
    middle = np.cumsum(w) - 0.5 * w
    ends = 0.5 * w[0], np.sum(w) - 0.5 * w[-1]
    return float(np.interp(ends[0] + share * (ends[1] - ends[0]), middle, x))


def estimate(values: np.ndarray, weights: np.ndarray, percent: float | None) -> float:
    """The mean, or a percentile."""
    if percent is None:
        return weighted_mean(values, weights)
    return weighted_quantile(values, weights, percent / 100.0)


def half_width(values: np.ndarray, weights: np.ndarray, percent: float | None) -> tuple[float, float]:
    """An estimate and half the width of its 95 % interval.

    Of a mean by its standard error, with the scenarios counting as (Σ w)²/Σ w² equal ones; of a percentile by 400
    resamples (bootstrap), always the same.
    """
    found = estimate(values, weights, percent)
    if percent is None:
        spread = weighted_mean((values - found) ** 2, weights)
        counting = np.sum(weights) ** 2 / np.sum(weights**2)
        return found, NORMAL_95 * float(np.sqrt(spread / max(counting - 1.0, 1e-9)))
    random = np.random.default_rng(len(values))
    again = [
        estimate(values[chosen], weights[chosen], percent)
        for chosen in random.integers(0, len(values), size=(RESAMPLES, len(values)))
    ]
    low, high = np.quantile(again, [0.025, 0.975])
    return found, 0.5 * float(high - low)


def convergence(
    values: np.ndarray, weights: np.ndarray, percent: float | None = None, points: int = 40
) -> tuple[np.ndarray, np.ndarray]:
    """How an estimate settles: numbers of scenarios, and the estimate from the first so many that have a number."""
    good = np.flatnonzero(np.isfinite(values))
    counts = np.unique(np.geomspace(1, max(1, len(good)), points).astype(int))
    return counts, np.array([estimate(values[good[:n]], weights[good[:n]], percent) for n in counts])
