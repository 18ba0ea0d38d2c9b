"""Which of what varies matters: Sobol indices from a Saltelli design, elementary effects from Morris'.

With matrices A and B of n scenarios each and Aᵢ, which is A with column i from B (Saltelli et al., Comput. Phys. Comm.
181, 2010, table 2; Jansen, 1999, for the totals):

    Sᵢ = mean(f(B) (f(Aᵢ) − f(A)))/V        the share of the variance V that factor i has by itself,
    Tᵢ = mean((f(A) − f(Aᵢ))²)/(2 V)        with all that it does together with others.

An elementary effect is the change of f over the change of one factor's share, the others as they are (Morris,
Technometrics 33, 1991). Of r of them, at places that lie at random, μ is the mean, μ* the mean size (Campolongo et al.,
Environ. Modell. Softw. 22, 2007), and σ the standard deviation: 0 where f is linear in the factor and nothing else
matters to what it does. Shares are those of its distribution, so that effects of different factors can be compared: μ*
is what f would change by over all of the factor's range.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.model.problems import suggestion
from fairlead.results import ResultError

from .design import morris_shares

if TYPE_CHECKING:
    import xarray as xr

RESAMPLES = 500


def indices(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First-order and total indices, (factor,) each, of values (n, factor + 2) in the order A, A₁ …, B."""
    a, mixed, b = values[:, 0], values[:, 1:-1], values[:, -1]
    both = np.concatenate([a, b])
    centre, variance = both.mean(), both.var()
    if variance == 0.0:
        return np.zeros(mixed.shape[1]), np.zeros(mixed.shape[1])
    first = np.mean((b - centre)[:, None] * (mixed - a[:, None]), axis=0) / variance
    total = np.mean((a[:, None] - mixed) ** 2, axis=0) / (2.0 * variance)
    return first, total


def sobol_indices(result: xr.Dataset, name: str) -> xr.Dataset:
    """Of a statistic such as `line.tension@top.max`: `first` and `total` over `factor`, with 95 % half widths.

    Rows of the design in which a scenario failed are left out.
    """
    import xarray as xr

    factors, _, rows = _rows(result, name, "saltelli", "Sobol indices", 2)
    first, total = indices(rows)
    half = _half_widths(rows, indices)
    return xr.Dataset(
        {"first": ("factor", first), "total": ("factor", total),
         "first_half_width": ("factor", half[0]), "total_half_width": ("factor", half[1])},
        coords={"factor": factors},
        attrs={"variable": name, "rows": len(rows)},
    )  # fmt: skip


def morris_effects(result: xr.Dataset, name: str) -> xr.Dataset:
    """Of a statistic such as `line.tension@top.max`: `mean`, `mean_size` and `std` of its elementary effects over
    `factor`, in its own unit over the whole range of a factor, with the 95 % half width of `mean_size`.

    Trajectories in which a scenario failed are left out.
    """
    import xarray as xr

    factors, numbers, rows = _rows(result, name, "morris", "elementary effects", 1)
    d = len(factors)
    shares = np.array([[morris_shares(int(result.attrs["seed"]), int(j), k, d) for k in (0, d)] for j in numbers])
    effects = np.diff(rows, axis=1) / (shares[:, 1] - shares[:, 0])
    sizes = _half_widths(np.abs(effects), lambda chosen: chosen.mean(axis=0))
    return xr.Dataset(
        {"mean": ("factor", effects.mean(axis=0)), "mean_size": ("factor", np.abs(effects).mean(axis=0)),
         "std": ("factor", effects.std(axis=0, ddof=1)), "mean_size_half_width": ("factor", sizes)},
        coords={"factor": factors},
        attrs={"variable": name, "trajectories": len(rows), "units": str(result[name].attrs.get("units", "1"))},
    )  # fmt: skip


def _rows(result: xr.Dataset, name: str, design: str, what: str, more: int) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Factors of a design, numbers of its rows that are complete, and the values in them, (row, factor + more)."""
    if result.attrs.get("design") != design:
        raise ResultError(f"{what} need a study with design: {{{design}: n}}")
    if name not in result:
        raise ResultError(f"there is no '{name}' in the result; {suggestion(name, map(str, result.data_vars))}")
    factors = json.loads(str(result.attrs["combined"]))
    rows = result[name].values.reshape(-1, len(factors) + more)
    complete = np.flatnonzero(np.isfinite(rows).all(axis=1))
    if len(complete) < 2:
        raise ResultError(f"of '{name}' there are no two complete rows of the design")
    return factors, complete, rows[complete]


def _half_widths(rows: np.ndarray, estimates: Callable[[np.ndarray], Any]) -> np.ndarray:
    """Half the 95 % intervals of estimates from rows, by resampling them (bootstrap), always the same."""
    random = np.random.default_rng(len(rows))
    again = [estimates(rows[chosen]) for chosen in random.integers(0, len(rows), (RESAMPLES, len(rows)))]
    low, high = np.quantile(np.array(again), [0.025, 0.975], axis=0)
    return np.asarray(0.5 * (high - low))
