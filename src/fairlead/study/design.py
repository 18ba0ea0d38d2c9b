"""Scenarios: every combination that a design makes of what varies.

Scenario i draws from `SeedSequence(seed, spawn_key=(i,))`, whoever runs it and in whatever order, and a longer sample
begins with the shorter one. So does a Sobol sequence, and a product with more seeds, which vary slowest in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from .factors import Factor

MOST_SCENARIOS = 10_000_000
LEVELS = 4
"""Of Morris' design, in the middle of equal shares of each factor."""


class Scenarios:
    """The scenarios of a design, by number from 0 on; each is made when it is asked for."""

    def __init__(self, factors: Sequence[Factor], kind: str, count: int, seed: int) -> None:
        self.factors, self.kind, self.seed = tuple(factors), kind, seed
        self._count = count
        self._varied = [k for k, factor in enumerate(self.factors) if not (factor.is_seed and kind != "product")]
        """Places of the factors that the design combines; seeds are drawn in all but a product."""

    @classmethod
    def of_table(cls, paths: Sequence[str], rows: Sequence[Sequence[Any]], weights: Sequence[float]) -> Scenarios:
        """As a table lists them."""
        levels = tuple(map(tuple, rows))
        return cls([Factor("table", tuple(paths), "table", levels, np.asarray(weights, float))], "product", 0, 0)

    @cached_property
    def _order(self) -> list[int]:
        """Factors with levels from the slowest to the quickest in a product."""
        with_levels = [k for k, factor in enumerate(self.factors) if factor.levels]
        return sorted(with_levels, key=lambda k: not self.factors[k].is_seed)

    def __len__(self) -> int:
        if self.kind == "product":
            return int(np.prod([len(self.factors[k].levels) for k in self._order], dtype=float))
        return self._count * self._together

    @property
    def _together(self) -> int:
        """Scenarios that belong together, and draw their seeds together."""
        return {"saltelli": len(self._varied) + 2, "morris": len(self._varied) + 1}.get(self.kind, 1)

    @property
    def paths(self) -> tuple[str, ...]:
        """Everything that a scenario sets."""
        return tuple(path for factor in self.factors for path in factor.paths)

    @property
    def combined(self) -> list[str]:
        """Names of the factors that the design combines; the seeds that it draws are none of them."""
        return [self.factors[k].name for k in self._varied]

    def values(self, i: int) -> dict[str, Any]:
        """What scenario i sets, by path."""
        rows = self._rows(i)
        return {path: value for factor, row in zip(self.factors, rows, strict=True)
                for path, value in zip(factor.paths, row, strict=True)}  # fmt: skip

    def weight(self, i: int) -> float:
        """How much scenario i counts: the product of its levels' weights; 1 where levels are drawn by them."""
        if self.kind != "product":
            return 1.0
        level = self._level(i)
        return float(np.prod([self.factors[k].weights[n] for k, n in level.items()]))

    def changed(self, i: int, place: int, u: float) -> dict[str, Any]:
        """Scenario i with the factor at `place` at another value, that of share u."""
        factor = self.factors[place]
        count = len(factor.levels)
        new = factor.levels[min(int(u * count), count - 1)] if count else factor.drawn(u)
        return self.values(i) | dict(zip(factor.paths, new, strict=True))

    def shares(self, i: int) -> np.ndarray:
        """Where scenario i lies in each factor that the design combines, 0 to 1, (factor,)."""
        if self.kind == "sample":
            return self._random(i)[self._varied]
        if self.kind == "saltelli":
            return self._saltelli_row(i)
        if self.kind == "morris":
            return morris_shares(self.seed, *divmod(i, self._together), len(self._varied))
        return np.asarray(self._points[i])

    def _rows(self, i: int) -> list[tuple[Any, ...]]:
        if self.kind == "product":
            level, u = self._level(i), None
            rows = []
            for k, factor in enumerate(self.factors):
                if k in level:
                    rows.append(factor.levels[level[k]])
                else:
                    u = self._random(i) if u is None else u
                    rows.append(factor.drawn(float(u[k])))
            return rows
        shares = dict(zip(self._varied, self.shares(i), strict=True))
        u = self._random(i // self._together) if len(shares) < len(self.factors) else np.empty(0)
        return [factor.drawn(float(shares[k] if k in shares else u[k])) for k, factor in enumerate(self.factors)]

    def _level(self, i: int) -> dict[int, int]:
        return {k: int(n) for k, n in self.level_table(np.asarray(i)).items()}

    def level_table(self, numbers: np.ndarray) -> dict[int, np.ndarray]:
        """Of a product: the levels of some scenarios, by the place of the factor."""
        found = np.unravel_index(numbers, [len(self.factors[k].levels) for k in self._order]) if self._order else ()
        return dict(zip(self._order, found, strict=True))

    def _random(self, i: int) -> np.ndarray:
        """A share for every factor, scenario i's own."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(i,))).random(len(self.factors))

    @cached_property
    def _points(self) -> np.ndarray:
        """Points of a sequence that fills the unit cube, (point, factor)."""
        from scipy.stats import qmc

        random = np.random.default_rng(np.random.SeedSequence(self.seed))
        d = len(self._varied) * (2 if self.kind == "saltelli" else 1)
        if d == 0:
            return np.zeros((self._count, 0))
        if self.kind == "latin":
            return np.asarray(qmc.LatinHypercube(d, seed=random).random(self._count))
        power = max(0, int(np.ceil(np.log2(self._count))))
        return np.asarray(qmc.Sobol(d, scramble=True, seed=random).random_base2(power)[: self._count])

    def _saltelli_row(self, i: int) -> np.ndarray:
        """Rows in turn of A; of A with each column in turn from B; of B."""
        d = len(self._varied)
        j, k = divmod(i, d + 2)
        a, b = self._points[j, :d], self._points[j, d:]
        if k == 0:
            return np.asarray(a)
        if k == d + 1:
            return np.asarray(b)
        row = a.copy()
        row[k - 1] = b[k - 1]
        return np.asarray(row)


def morris_shares(seed: int, trajectory: int, moved: int, factors: int) -> np.ndarray:
    """Where a scenario of Morris' design lies in each factor, 0 to 1: a trajectory starts at random levels, and its
    factors move one after the other by half of their range, up or down as there is room, (factor,)."""
    random = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(trajectory, 1)))
    shares = (random.integers(0, LEVELS, factors) + 0.5) / LEVELS
    shares[:moved] = (shares[:moved] + 0.5) % 1.0
    return np.asarray(shares)
