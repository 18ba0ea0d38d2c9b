"""Which of what varies matters: Sobol indices from a Saltelli design.

With matrices A and B of n scenarios each and Aᵢ, which is A with column i from B (Saltelli et al., Comput. Phys. Comm.
181, 2010, table 2; Jansen, 1999, for the totals):

    Sᵢ = mean(f(B) (f(Aᵢ) − f(A)))/V        the share of the variance V that factor i has by itself,
    Tᵢ = mean((f(A) − f(Aᵢ))²)/(2 V)        with all that it does together with others.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from fairlead.model.problems import suggestion
from fairlead.results import ResultError

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

    if result.attrs.get("design") != "saltelli":
        raise ResultError("Sobol indices need a study with design: {saltelli: n}")
    if name not in result:
        raise ResultError(f"there is no '{name}' in the result; {suggestion(name, map(str, result.data_vars))}")
    factors = json.loads(str(result.attrs["combined"]))
    rows = result[name].values.reshape(-1, len(factors) + 2)
    rows = rows[np.isfinite(rows).all(axis=1)]
    if len(rows) < 2:
        raise ResultError(f"of '{name}' there are no two complete rows of the design")
    first, total = indices(rows)
    random = np.random.default_rng(len(rows))
    again = np.array([indices(rows[chosen]) for chosen in random.integers(0, len(rows), (RESAMPLES, len(rows)))])
    low, high = np.quantile(again, [0.025, 0.975], axis=0)
    half = 0.5 * (high - low)
    return xr.Dataset(
        {"first": ("factor", first), "total": ("factor", total),
         "first_half_width": ("factor", half[0]), "total_half_width": ("factor", half[1])},
        coords={"factor": factors},
        attrs={"variable": name, "rows": len(rows)},
    )  # fmt: skip
