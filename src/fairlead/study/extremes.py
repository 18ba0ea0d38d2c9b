"""How large it gets: extreme-value fits to maxima, with confidence intervals.

Fits are by L-moments (Hosking and Wallis, Regional Frequency Analysis, 1997), in closed form:

- `gumbel`, of maxima of blocks: F(x) = exp(−exp(−(x − a)/b)), b = l₂/ln 2, a = l₁ − γ b;
- `weibull`, of maxima that have a least value z: F(x) = 1 − exp(−((x − z)/b)^c), −x being a generalised extreme value;
- `pot`, of what lies above a threshold u: a generalised Pareto, G(y) = 1 − (1 − k y/s)^(1/k), k = l₁/l₂ − 2 and
  s = (1 + k) l₁ of y = x − u, with as many a block as there were: F(x) = exp(−rate (1 − G(x − u))).

The largest of n blocks has the distribution Fⁿ. Intervals are of a parametric bootstrap: samples of the same size
drawn from the fit and fitted again.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.model.problems import suggestion
from fairlead.results import ResultError

if TYPE_CHECKING:
    import xarray as xr

    from .estimates import Missing

EULER = 0.5772156649015329
RESAMPLES = 500
LEAST = 10
"""Maxima that a fit needs."""
THRESHOLD = 0.8
"""Share of the maxima that lies below the threshold of `pot` where none is given."""


@dataclass(frozen=True)
class Extreme:
    """A value that is not exceeded with probability `share` in `blocks` blocks, and its 95 % interval.

    parameters  of the fit: a, b of `gumbel`; z, b, c of `weibull`; u, s, k, rate of `pot`
    count       maxima it rests on
    """

    kind: str
    value: float
    low: float
    high: float
    share: float
    blocks: float
    parameters: tuple[float, ...]
    count: int


def l_moments(values: np.ndarray) -> tuple[float, float, float]:
    """l₁, l₂ and the ratio t₃ = l₃/l₂ of a sample, by unbiased probability-weighted moments."""
    x = np.sort(np.asarray(values, dtype=float))
    n = len(x)
    rank = np.arange(n)
    b0 = x.mean()
    b1 = float(np.sum(rank * x)) / (n * (n - 1))
    b2 = float(np.sum(rank * (rank - 1) * x)) / (n * (n - 1) * (n - 2))
    l2 = 2.0 * b1 - b0
    return float(b0), float(l2), float((6.0 * b2 - 6.0 * b1 + b0) / l2) if l2 > 0.0 else 0.0


def _gumbel_fit(x: np.ndarray, _: float) -> tuple[float, ...]:
    l1, l2, _t3 = l_moments(x)
    b = l2 / math.log(2.0)
    return l1 - EULER * b, b


def _gumbel_at(share: Shares, p: tuple[float, ...]) -> Shares:
    return p[0] - p[1] * np.log(-np.log(share))


def _weibull_fit(x: np.ndarray, _: float) -> tuple[float, ...]:
    l1, l2, t3 = l_moments(x)
    c = 2.0 / (3.0 - t3) - math.log(2.0) / math.log(3.0)
    k = max(7.8590 * c + 2.9554 * c * c, 1e-3)
    a = l2 * k / ((1.0 - 2.0**-k) * math.gamma(1.0 + k))
    location = -l1 - a * (1.0 - math.gamma(1.0 + k)) / k
    return -location - a / k, a / k, 1.0 / k


def _weibull_at(share: Shares, p: tuple[float, ...]) -> Shares:
    return p[0] + p[1] * (-np.log1p(-share)) ** (1.0 / p[2])


def _pot_fit(x: np.ndarray, threshold: float) -> tuple[float, ...]:
    above = x[x > threshold] - threshold
    l1, l2, _t3 = l_moments(above)
    k = l1 / l2 - 2.0
    return threshold, (1.0 + k) * l1, k, len(above) / len(x)


def _pot_at(share: Shares, p: tuple[float, ...]) -> Shares:
    return _above(np.minimum(-np.log(share) / p[3], 1.0), p)


def _above(beyond: Shares, p: tuple[float, ...]) -> Shares:
    """What a share of the values above the threshold lies beyond."""
    u, s, k, _ = p
    return u - s * np.log(beyond) if abs(k) < 1e-9 else u + s * (1.0 - beyond**k) / k


Shares = Any
"""A share, or an array of them."""
_FITS: dict[str, tuple[Callable[..., tuple[float, ...]], Callable[..., Shares]]] = {
    "gumbel": (_gumbel_fit, _gumbel_at),
    "weibull": (_weibull_fit, _weibull_at),
    "pot": (_pot_fit, _pot_at),
}


def extreme(
    maxima: np.ndarray, kind: str = "gumbel", share: float = 0.9, blocks: float = 1.0, threshold: float | None = None
) -> Extreme:
    """The value not exceeded with probability `share` in `blocks` blocks, from the maxima of single blocks.

    kind       `gumbel`, `weibull` or `pot`
    threshold  of `pot`; by default four fifths of the maxima lie below it
    """
    if kind not in _FITS:
        raise ResultError(f"there is no fit '{kind}'; {suggestion(kind, _FITS)}")
    if not (0.0 < share < 1.0 and blocks > 0.0):
        raise ResultError("share must lie between 0 and 1, and blocks above 0")
    x = np.asarray(maxima, dtype=float).ravel()
    x = x[np.isfinite(x)]
    at = float(np.quantile(x, THRESHOLD)) if threshold is None and len(x) else float(threshold or 0.0)
    used = int(np.sum(x > at)) if kind == "pot" else len(x)
    if used < LEAST:
        raise ResultError(
            f"a fit needs {LEAST} maxima, and there are {used}{' above the threshold' if kind == 'pot' else ''}; run "
            "more scenarios, or keep shorter blocks"
        )
    if np.ptp(x) <= 1e-12 * np.abs(x).max():
        raise ResultError("the maxima are all the same: there is no distribution to fit")
    fit, quantile = _FITS[kind]
    wanted = share ** (1.0 / blocks)
    parameters = fit(x, at)
    random = np.random.default_rng(len(x))
    again = np.array([quantile(wanted, fit(_drawn(random, len(x), kind, parameters), at)) for _ in range(RESAMPLES)])
    low, high = np.quantile(again[np.isfinite(again)], [0.025, 0.975])
    return Extreme(kind, float(quantile(wanted, parameters)), float(low), float(high), share, blocks, parameters, used)


def _drawn(random: np.random.Generator, count: int, kind: str, p: tuple[float, ...]) -> np.ndarray:
    """A sample of a fit; of `pot` as many lie above the threshold as there did."""
    if kind != "pot":
        return np.asarray(_FITS[kind][1](random.uniform(1e-12, 1.0 - 1e-12, count), p))
    above = _above(random.uniform(1e-12, 1.0, round(p[3] * count)), p)
    return np.concatenate([above, np.full(count - len(above), p[0] - 1.0)])


def extreme_of(
    result: xr.Dataset,
    channel: str,
    kind: str = "gumbel",
    share: float = 0.9,
    duration: float | None = None,
    missing: Missing = "refuse",
) -> Extreme:
    """The extreme of a channel of a study's result, or of a part of one (`result.where(..., drop=True)`).

    duration  of the storm [s]; by default that of a scenario. Maxima are those of blocks where they were kept, else one
              a scenario. All scenarios count as of one sea: choose them so
    missing   `refuse`: raise `ResultError` where a scenario that counts failed or was not run, as the largest may be
              among them; `omit`: fit the others
    """
    from .estimates import require_all

    kept = float(result.attrs["kept_time"])
    name, length = f"{channel}.block_maxima", 0.0
    if name in result:
        maxima = result[name].values
        length = kept / maxima.shape[1]
    elif f"{channel}.max" in result:
        maxima, length = result[f"{channel}.max"].values, kept
    else:
        known = sorted({str(known).rpartition(".")[0] for known in result.data_vars if str(known).endswith(".max")})
        raise ResultError(f"no maxima of '{channel}' were kept; {suggestion(channel, known, 'keep max')}")
    least = maxima if maxima.ndim == 1 else maxima.min(axis=1)
    weights = result["weight"].values if "weight" in result else np.ones(len(least))
    require_all(least, weights, missing, result["scenario"].values, f"extreme of '{channel}'")
    return extreme(maxima, kind, share, (duration or kept) / length)


def damage_rate(result: xr.Dataset, channel: str, m: float, missing: Missing = "refuse") -> float:
    """Σ range^m a second over all scenarios, each by its weight, as over a scatter diagram by hours.

    missing  `refuse`: raise `ResultError` where a scenario that counts failed or was not run: its damage is unknown;
             `omit`: the rate of the others alone
    """
    name = f"{channel}.damage_m{m:g}"
    if name not in result:
        known = [str(known) for known in result.data_vars if ".damage_m" in str(known)]
        raise ResultError(f"'{name}' was not kept; {suggestion(name, known, 'keep {rainflow: {m: [3]}}')}")
    from .estimates import require_all, weighted_mean

    values, weights = result[name].values, result["weight"].values
    require_all(values, weights, missing, result["scenario"].values, f"damage of '{channel}'")
    return weighted_mean(values, weights, "omit") / float(result.attrs["kept_time"])
