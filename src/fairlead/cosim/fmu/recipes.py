"""How the constants of a compiled system follow from its parameters, learnt from the formulation itself.

A compiled system is a long row of constants, and nearly all of them are simple functions of what the file says: a mass
is a density times a volume, a Reynolds number something over the viscosity, two half elements are springs in series. So
the formulation is asked: each parameter is doubled and trebled, and from what that does to every constant follows one

    scale · Π p^e · (Σ a·p + rest) / (Σ b/p + rest)

Each recipe is then held against the formulation at other values of all parameters at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

EXPONENTS = (1, -1, 2, -2, 3)
SAME = 1e-11
"""Relative difference that counts as rounding."""

Constants = Callable[[np.ndarray], np.ndarray]
"""Values of all parameters (p,) → all constants (n,)."""


@dataclass(frozen=True)
class Recipe:
    """One constant as a function of the parameters: terms are (parameter, number)."""

    place: int
    scale: float
    powers: tuple[tuple[int, float], ...]
    sum: tuple[tuple[int, float], ...] = ()
    sum_rest: float = 0.0
    series: tuple[tuple[int, float], ...] = ()
    series_rest: float = 0.0

    def value(self, p: np.ndarray) -> float:
        """The constant at these parameters."""
        value = self.scale
        for i, exponent in self.powers:
            value *= p[i] ** int(exponent)
        if self.sum:
            value *= self.sum_rest + sum(a * p[i] for i, a in self.sum)
        if self.series:
            value /= self.series_rest + sum(b / p[i] for i, b in self.series)
        return float(value)

    @property
    def parameters(self) -> frozenset[int]:
        return frozenset(i for i, _ in (*self.powers, *self.sum, *self.series))


def learn(constants: Constants, base: np.ndarray) -> tuple[tuple[Recipe, ...], frozenset[int]]:
    """Recipes of all constants that depend on a parameter, and the parameters (by place) that no recipe can follow.

    base: a value for each parameter at which to ask, none of them zero. Where there are parameters that cannot be
    followed, leave them out and ask again: the recipes are then incomplete.
    """
    if not len(base):
        return (), frozenset()
    at_base = constants(base)
    doubled = [constants(_scaled(base, i, 2.0)) for i in range(len(base))]
    trebled = [constants(_scaled(base, i, 3.0)) for i in range(len(base))]
    recipes, strange = [], set()
    for place in np.flatnonzero(np.any([_differs(row, at_base) for row in doubled], axis=0)):
        values = [(at_base[place], two[place], three[place]) for two, three in zip(doubled, trebled, strict=True)]
        with np.errstate(all="ignore"):
            recipe, odd = _recipe(int(place), base, values)
        recipes.append(recipe)
        strange |= odd
    return tuple(recipes), frozenset(strange or _disproven(recipes, constants, base))


def _scaled(base: np.ndarray, i: int, factor: float) -> np.ndarray:
    out = base.copy()
    out[i] *= factor
    return out


def _differs(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return np.asarray((a != b) & (np.abs(a - b) > SAME * np.maximum(np.abs(a), np.abs(b))))


def _recipe(place: int, base: np.ndarray, values: Sequence[tuple[float, ...]]) -> tuple[Recipe, set[int]]:
    """The recipe of one constant from its values at one, two and three times each parameter; what does not fit it."""
    powers: list[tuple[int, float]] = []
    affine: list[tuple[int, float]] = []
    series: list[tuple[int, float]] = []
    strange: set[int] = set()
    one = values[0][0]
    for i, (_, two, three) in enumerate(values):
        if _close(two, one) and _close(three, one):
            continue
        exponent = next((e for e in EXPONENTS if _close(two, one * 2.0**e) and _close(three, one * 3.0**e)), None)
        half, third = 1.0 / one - 1.0 / two, 1.0 / one - 1.0 / three
        if exponent is not None:
            powers.append((i, float(exponent)))
        elif _close(three - two, two - one, abs(one) + abs(two)):
            affine.append((i, (two - one) / base[i]))
        elif _close(third / 2.0 * 3.0, half * 2.0, 1.0 / abs(one)):
            # 1/c = Σ b/p + rest: doubling p takes half of b/p away, trebling two thirds
            series.append((i, 2.0 * half * base[i]))
        else:
            strange.add(i)
    scale = 1.0 if affine or series else one
    if affine and series:
        scale = 1.0 / one
    for i, e in powers:
        scale /= base[i] ** int(e)
    sum_rest = one - sum(a * base[i] for i, a in affine)
    series_rest = 1.0 / one - sum(b / base[i] for i, b in series)
    recipe = Recipe(
        place, float(scale), tuple(powers),
        tuple(affine), float(sum_rest) if affine and abs(sum_rest) > SAME * abs(one) else 0.0,
        tuple(series), float(series_rest) if series and abs(series_rest) > SAME / abs(one) else 0.0,
    )  # fmt: skip
    return recipe, strange


def _close(a: float, b: float, size: float = 0.0) -> bool:
    return bool(abs(a - b) <= SAME * max(abs(a), abs(b), size))


def _disproven(recipes: Sequence[Recipe], constants: Constants, base: np.ndarray) -> set[int]:
    """Parameters of recipes that do not hold at other values of all parameters at once."""
    failed: set[int] = set()
    at_base, known = constants(base), {recipe.place for recipe in recipes}
    for seed in range(2):
        p = base * np.random.default_rng(seed).uniform(0.7, 1.6, len(base))
        wanted = constants(p)
        for recipe in recipes:
            if not _close(recipe.value(p), wanted[recipe.place], 1e-3 * abs(at_base[recipe.place])):
                failed |= recipe.parameters
        if any(int(place) not in known for place in np.flatnonzero(_differs(wanted, at_base))):
            failed |= set(range(len(base)))
    return failed
