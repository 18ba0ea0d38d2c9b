"""Clamps of a run beside which elements are too long for the bend there; see `algebra.clamps`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.algebra.clamps import clamp_element, clamp_factor
from fairlead.words import number

from .dataset import settings_of
from .peaks import finite, tension_in_steps

if TYPE_CHECKING:
    import xarray as xr

STRAIGHT = ("bars", "lumped", "links")
"""Formulations of straight elements with springs between them."""


def coarse_clamps(dataset: xr.Dataset, i: int, kinds: tuple[dict[str, Any], dict[str, Any]]) -> list[dict[str, Any]]:
    """Clamps of cable i beside which elements are too long for the largest tension there.

    kinds  the types of its first and its last element. Of each: ``end``, ``node``, ``element`` and ``needed`` (m),
    ``elements`` of a cable that has such ones all along, and ``factor``, by which the curvature there comes out low.
    """
    settings = settings_of(dataset)
    if dataset.attrs.get("formulation") not in STRAIGHT:
        return []
    name, count = str(dataset["cable"].values[i]), int(dataset["node_count"].values[i])
    arc = np.asarray(dataset["arc_length"].values[i, :count], dtype=np.float64)
    cable = settings.get("cables", {}).get(name, {})
    most, found = tension_in_steps(dataset, i)[1], []
    for end, node, kind in (("start", 0, kinds[0]), ("end", count - 1, kinds[1])):
        joint, ei = cable.get(end), kind.get("bending_stiffness")
        if not isinstance(joint, dict) or joint.get("joint") != "clamp" or not isinstance(ei, int | float) or ei <= 0.0:
            continue
        pulls = finite(most[:, node])
        tension = float(np.nanmax(pulls)) if np.isfinite(pulls).any() else 0.0
        element = float(abs(arc[node] - arc[1 if node == 0 else node - 1]))
        if tension <= 0.0 or element <= clamp_element(ei, tension):
            continue
        needed = clamp_element(ei, tension)
        found.append(
            {"end": end, "node": node, "element": element, "needed": needed, "elements": math.ceil(arc[-1] / needed),
             "factor": clamp_factor(ei, tension, element)}
        )  # fmt: skip
    return found


def clamp_words(clamp: dict[str, Any], radius: float) -> str:
    """What is to be said of a bend radius whose elements beside a clamp are too long; `radius` is the one expected."""
    return (
        f"not resolved: elements of {number(clamp['element'], 3)} m at its {clamp['end']} find a bend that is too "
        f"gentle, about {number(radius, 3)} m is to be expected; use elements of {number(clamp['needed'], 2)} m beside "
        f"the clamp (0.3 sqrt(EI/T)), or {clamp['elements']:,} along the cable"
    )
