"""How much of its strength a cable uses, and how sharply it is bent: held against what its types can bear."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .clamps import clamp_words, coarse_clamps
from .dataset import settings_of
from .peaks import Along, extreme_of, finite, tension_in_steps

if TYPE_CHECKING:
    import xarray as xr

Floats = NDArray[np.float64]
SAME_PLACE = 1e-9
"""Difference of arc length, beside the length of the cable, up to which a node stands where two sections meet."""


@dataclass(frozen=True)
class Strength:
    """What each node of a cable can bear; NaN where its type does not say.

    breaking  tension at which it breaks, (node,), N; of two types that meet in a node the lesser
    radius    radius to which it may be bent, (node,), m; of two types that meet in a node the larger
    """

    breaking: Floats
    radius: Floats

    @classmethod
    def of(cls, dataset: xr.Dataset, i: int) -> Strength:
        """Of cable i of a result, as its settings tell."""
        count = int(dataset["node_count"].values[i])
        arc = np.asarray(dataset["arc_length"].values[i, :count], dtype=np.float64)
        breaking, radius = np.full(count, np.nan), np.full(count, np.nan)
        for kind, first, last in _sections(dataset, str(dataset["cable"].values[i]), float(arc[-1])):
            here = (arc >= first - SAME_PLACE * arc[-1]) & (arc <= last + SAME_PLACE * arc[-1])
            breaking[here] = np.fmin(breaking[here], _positive(kind.get("breaking_load")))
            radius[here] = np.fmax(radius[here], _positive(kind.get("minimum_bend_radius")))
        return cls(breaking, radius)


def end_stiffness(dataset: xr.Dataset, i: int) -> tuple[float, float]:
    """Bending stiffness of cable i at its start and its end, N m²; 0 where its types have none."""
    name, count = str(dataset["cable"].values[i]), int(dataset["node_count"].values[i])
    sections = _sections(dataset, name, float(dataset["arc_length"].values[i, count - 1]))
    first, last = (float(np.nan_to_num(_positive(sections[k][0].get("bending_stiffness")))) for k in (0, -1))
    return first, last


def line_mass(dataset: xr.Dataset, i: int, out: float | None = None) -> float:
    """Mass of cable i in air, kg, or of the last `out` metres of it; NaN where its types do not say it."""
    name, count = str(dataset["cable"].values[i]), int(dataset["node_count"].values[i])
    length = float(dataset["arc_length"].values[i, count - 1])
    begins = 0.0 if out is None else length - out
    parts = _sections(dataset, name, length)
    return sum(_mass_per_metre(kind) * max(0.0, last - max(first, begins)) for kind, first, last in parts)


def _mass_per_metre(kind: dict[str, Any]) -> float:
    mass = _positive(kind.get("mass_per_length"))
    if np.isnan(mass):
        mass = _positive(kind.get("density")) * 0.25 * np.pi * _positive(kind.get("diameter")) ** 2
    return float(mass)


def utilisation(dataset: xr.Dataset, i: int) -> dict[str, Any] | None:
    """The largest share of its breaking load that cable i bears, of every step; None where none is known.

    ``value``, ``time``, ``cable``, ``arc_length`` and ``from`` as of any extreme, and ``breaking_load`` (N) there.
    """
    breaking = Strength.of(dataset, i).breaking
    if np.isnan(breaking).all():
        return None
    times, nodes = _when(dataset, i, "tension_max")
    share = tension_in_steps(dataset, i)[1] / breaking
    along = Along.of(dataset, i)
    found = extreme_of(share, along, str(dataset["cable"].values[i]), True, times, nodes)
    return found and found | {"breaking_load": float(breaking[_node(share)])}


def sharpest_bend(dataset: xr.Dataset, i: int) -> dict[str, Any] | None:
    """Where cable i comes nearest to its least bend radius, or passes it, of every step; None where that is not known.

    ``value`` is the radius there (m), ``allowed`` the one of its type; the rest is as of any extreme. Where elements
    beside a clamp are too long for the bend there, ``unresolved`` says so in words and ``expected`` is the radius (m)
    that shorter ones would find.
    """
    radius = Strength.of(dataset, i).radius
    if np.isnan(radius).all() or "curvature_max" not in dataset:
        return None
    times, nodes = _when(dataset, i, "curvature_max")
    curvature = finite(dataset["curvature_max"].values[:, i, : len(radius)])
    curvature[0] = np.nan  # of steps before the first sample
    share = curvature * radius
    found = extreme_of(share, Along.of(dataset, i), str(dataset["cable"].values[i]), True, times, nodes)
    if found is None or not found["value"] > 0.0:
        return None
    allowed = float(radius[_node(share)])
    found |= {"value": allowed / found["value"], "allowed": allowed}
    sections = _sections(
        dataset, str(dataset["cable"].values[i]), float(dataset["arc_length"].values[i, len(radius) - 1])
    )
    for clamp in coarse_clamps(dataset, i, (sections[0][0], sections[-1][0])):
        sharpest = np.nanmax(curvature[:, clamp["node"]], initial=0.0) * clamp["factor"]
        if not sharpest * radius[clamp["node"]] > 0.0:
            continue
        expected = 1.0 / float(sharpest)
        if expected / radius[clamp["node"]] <= found.get("expected", found["value"]) / found["allowed"]:
            found |= {"unresolved": clamp_words(clamp, expected), "expected": expected}
    return found


def _node(values: Floats) -> int:
    return int(np.unravel_index(np.nanargmax(values), values.shape)[1])


def _when(dataset: xr.Dataset, i: int, extreme: str) -> tuple[Floats | None, Floats | None]:
    """Time and node of a cable's extreme in each output interval, where steps tell them."""
    if f"{extreme}_time" not in dataset:
        return None, None
    return dataset[f"{extreme}_time"].values[:, i], dataset[f"{extreme}_node"].values[:, i]


def _sections(dataset: xr.Dataset, name: str, length: float) -> list[tuple[dict[str, Any], float, float]]:
    """Types along a cable, each with the arc lengths where it begins and ends."""
    settings = settings_of(dataset)
    types, cable = _mapping(settings.get("types")), _mapping(_mapping(settings.get("cables")).get(name))
    sections = cable.get("sections")
    if not isinstance(sections, list):
        return [(_mapping(types.get(str(cable.get("type")))), 0.0, length)]
    out, at = [], 0.0
    for section in map(_mapping, sections):
        each = section.get("element_lengths")
        long = section.get("length") if not isinstance(each, list) else sum(map(_positive, each))
        end = at + _positive(long)
        out.append((_mapping(types.get(str(section.get("type")))), at, end))
        at = end
    return out


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _positive(value: object) -> float:
    return float(value) if isinstance(value, int | float) and value > 0.0 else float("nan")
