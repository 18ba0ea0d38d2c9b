"""What varies, ready to be combined: levels with weights, or a distribution.

A distribution is drawn by its inverse: the value that a share u of it lies below. Of a vector all numbers go together
along the line between the two vectors that were given, by one u.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from fairlead.model import System
from fairlead.model.problems import suggestion
from fairlead.model.values import Quantity

from .file import Variation
from .places import Place, place_at
from .tables import TableError, columns_of, weights_of

LOST = "cables"
"""Path under which a scenario names the cable that is lost; "" in the intact system."""
WHOLE_SEEDS = 2**32


class FactorError(ValueError):
    """A variation that cannot be used: `key` is the key of it that is wrong."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


@dataclass(frozen=True)
class Distribution:
    """Uniform between low and high, or normal about a mean, cut at low and high."""

    low: np.ndarray
    high: np.ndarray
    mean: np.ndarray | None = None
    std: np.ndarray | None = None
    is_vector: bool = False

    def at(self, u: float) -> Any:
        """The value below which a share u of it lies."""
        if self.mean is None or self.std is None:
            found = self.low + u * (self.high - self.low)
        else:
            from scipy.special import ndtr, ndtri

            with np.errstate(divide="ignore", invalid="ignore"):
                spread = np.where(self.std > 0.0, self.std, 1.0)
                below, above = ndtr((self.low - self.mean) / spread), ndtr((self.high - self.mean) / spread)
            tiny = np.finfo(float).tiny
            found = self.mean + self.std * ndtri(np.clip(below + u * (above - below), tiny, 1.0 - 2.0**-53))
            found = np.clip(found, self.low, self.high)
        return [float(x) for x in found] if self.is_vector else float(found[0])


@dataclass(frozen=True)
class Factor:
    """One thing that varies.

    name    its path in `vary`; `paths` are those it sets, one or several together
    levels  what these are set to, one row a level; none of a distribution
    weights how much each level counts
    """

    name: str
    paths: tuple[str, ...]
    kind: str
    levels: tuple[tuple[Any, ...], ...] = ()
    weights: np.ndarray = field(default_factory=lambda: np.ones(0))
    distribution: Distribution | None = None

    @property
    def is_seed(self) -> bool:
        return self.kind == "seeds"

    def drawn(self, u: float) -> tuple[Any, ...]:
        """What a share u stands for: of levels by their weights, of a seed any of all there are."""
        if self.distribution is not None:
            return (self.distribution.at(u),)
        if self.is_seed:
            return (int(u * WHOLE_SEEDS),)
        edges = np.cumsum(self.weights) / np.sum(self.weights)
        return self.levels[min(int(np.searchsorted(edges, u, side="right")), len(self.levels) - 1)]

    def described(self) -> str:
        """In a few words."""
        if self.distribution is not None:
            return f"{self.kind}, drawn"
        return f"{len(self.levels)} {'seeds' if self.is_seed else 'rows' if self.kind == 'scatter' else 'values'}"


def factor(name: str, variation: Variation, system: System, folder: Path) -> Factor:
    """What a variation of the file stands for; raises `FactorError`."""
    kind = variation.kind
    if kind == "values":
        assert variation.values is not None
        weights = np.ones(len(variation.values)) if variation.weights is None else np.array(variation.weights)
        return Factor(name, (name,), kind, tuple((value,) for value in variation.values), weights)
    if kind == "seeds":
        return Factor(name, (name,), kind, tuple((k + 1,) for k in range(variation.seeds or 0)),
                      np.ones(variation.seeds or 0))  # fmt: skip
    if kind == "scatter":
        return _scatter(name, variation, folder)
    if kind == "lose":
        return _lost(name, variation, system)
    return Factor(name, (name,), kind, distribution=_distribution(name, variation, place_at(system, name)))


def _scatter(name: str, variation: Variation, folder: Path) -> Factor:
    path, columns = folder / str(variation.scatter), variation.columns or ()
    wanted = (*columns, *((variation.weight,) if variation.weight else ()))
    try:
        cells = columns_of(path, wanted)
        weights = weights_of(path, variation.weight, cells.pop()) if variation.weight else [1.0] * len(cells[0])
    except TableError as error:
        raise FactorError("scatter", str(error)) from None
    counting = [k for k, weight in enumerate(weights) if weight > 0.0]
    levels = tuple(tuple(column[k] for column in cells) for k in counting)
    return Factor(name, tuple(f"{name}.{column}" for column in columns), "scatter", levels,
                  np.array([weights[k] for k in counting]))  # fmt: skip


def _lost(name: str, variation: Variation, system: System) -> Factor:
    if name != LOST:
        raise FactorError("lose", f"only cables are lost, not '{name}'; write it as `cables: {{lose: each}}`")
    names = tuple(system.cables) if variation.lose == "each" else tuple(variation.lose or ())
    for cable in names:
        if cable not in system.cables:
            raise FactorError("lose", f"there is no cable '{cable}'; {suggestion(cable, system.cables)}")
    return Factor(name, (LOST,), "lose", (("",), *((cable,) for cable in names)), np.ones(len(names) + 1))


def _distribution(name: str, variation: Variation, place: Place | None) -> Distribution:
    kind = variation.kind
    first, second = (_numbers(kind, value, place) for value in getattr(variation, kind))
    is_vector = isinstance(getattr(variation, kind)[0], list | tuple)
    if first.shape != second.shape:
        raise FactorError(kind, f"its two values differ in size, {first.size} and {second.size} numbers")
    unlimited = np.full(first.shape, np.inf)
    if kind == "uniform":
        if not is_vector and second[0] < first[0]:
            raise FactorError(kind, f"its largest, {second[0]:.9g}, is below its least, {first[0]:.9g}")
        return Distribution(first, second, is_vector=is_vector)
    if (second < 0.0).any():
        raise FactorError(kind, "its standard deviation is below zero")
    low, high = -unlimited, unlimited
    if variation.truncate is not None:
        low, high = (_numbers("truncate", value, place) for value in variation.truncate)
        if low.shape != first.shape or high.shape != first.shape:
            raise FactorError("truncate", f"needs {first.size} numbers for its least and its largest")
        if (high <= low).any():
            raise FactorError("truncate", "its largest must be above its least")
        if ((low > first + 8.0 * second) | (high < first - 8.0 * second)).any():
            raise FactorError("truncate", "lies more than 8 standard deviations from the mean: nothing is left of it")
    return Distribution(low, high, first, second, is_vector)


def _numbers(key: str, value: Any, place: Place | None) -> np.ndarray:
    """Numbers in the unit of a place, from what the file gives: a number, text with a unit, or a list."""
    quantity = Quantity() if place is None or place.quantity is None else Quantity(place.quantity.unit)
    row: Sequence[Any] = value if isinstance(value, list | tuple) else [value]
    try:
        return np.array([quantity.read(item) for item in row])
    except Exception as error:  # pydantic's own, which says what is wrong
        context = getattr(error, "context", None) or {}
        raise FactorError(key, "; ".join(filter(None, (context.get("message"), context.get("hint"))))) from None
