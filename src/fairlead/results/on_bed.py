"""How much of a cable lies on the seabed, and how it pulls at what holds it there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairlead.words import number

from . import observation as obs
from .observation import ObservationShape

if TYPE_CHECKING:
    import xarray as xr

FLAT = 0.01
"""Angle at a held end below which nothing is said to pull it up, deg."""
LEVEL = 0.05
"""Slope of the element at a held end up to which it counts as lying on the bed."""
BESIDE = 1.5
"""Elements from an end within which the cable lies on the bed beside it."""


def touching(places: NDArray[np.float64], push: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which nodes (…, node) of a cable lie on the bed, by their places and the bed's push on them (…, node, 3).

    An end that is held beside a node on the bed, and lies as flat as LEVEL, is on the bed though nothing pushes it."""
    with np.errstate(invalid="ignore"):
        found = (push != 0.0).any(axis=-1) & np.isfinite(push).all(axis=-1)
        for end, beside in ((0, 1), (-1, -2)):
            across = places[..., beside, :] - places[..., end, :]
            flat = np.abs(across[..., 2]) <= LEVEL * np.linalg.norm(across, axis=-1)
            found[..., end] |= found[..., beside] & flat
    return np.asarray(found)


@dataclass(frozen=True)
class Lying:
    """A part of a cable on the bed, from arc length `start` to `stop` [m]; `rises` are the pairs of nodes between which
    it leaves the bed, the one that touches first."""

    start: float
    stop: float
    rises: tuple[tuple[int, int], ...]


def lying_parts(arc: NDArray[np.float64], touches: NDArray[np.bool_]) -> list[Lying]:
    """Parts of a cable on the bed, by its nodes (node,) that touch: half of each element that meets in such a node.

    The cable leaves the bed somewhere between the last node that touches and the next: half-way is the best guess. This
    is the one definition, of statics and of runs: the lengths of the parts add up to `grounded_length`.
    """
    edges = np.diff(np.concatenate(([0], touches.astype(int), [0])))
    found = []
    for first, after in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True):
        last = int(after) - 1
        behind, ahead = max(0, int(first) - 1), min(last + 1, len(arc) - 1)
        rises = tuple(pair for pair in ((int(first), behind), (last, ahead)) if pair[0] != pair[1])
        found.append(Lying(float(arc[first] + arc[behind]) / 2.0, float(arc[last] + arc[ahead]) / 2.0, rises))
    return found


def grounded_length(shape: ObservationShape, rows: NDArray[np.float64], cable: int) -> NDArray[np.float64]:
    """Unstretched length (sample,) of a cable on the seabed [m]: half of each element that meets in a node that
    touches it."""
    table = shape.node_table(rows, cable)
    places, push = (table[..., at : at + 3] for at in (obs.NODE_POSITION, obs.NODE_CONTACT_FORCE))
    touches = touching(places, push).astype(float)
    elements = np.diff(np.array(shape.arc_length[cable]))
    return np.asarray(0.5 * (touches[:, :-1] + touches[:, 1:]) @ elements)


def on_the_bed(dataset: xr.Dataset, i: int, ends: Sequence[str]) -> dict[str, Any]:
    """How much of cable i lies on the seabed [m], and the angles [deg] at which it pulls up at its ends, over all
    samples; nothing in results of earlier versions, and of FMUs that do not show their forces."""
    if "grounded_length" not in dataset or "uplift_angle" not in dataset:
        return {}
    angles = np.degrees(dataset["uplift_angle"].values[:, i])
    arc = dataset["arc_length"].values[i]
    return {
        "grounded_length": _statistics(dataset["grounded_length"].values[:, i]),
        **{f"uplift_{end}_deg": _statistics(angles[:, k]) for k, end in enumerate(ends)},
        "element_max": float(np.nanmax(np.diff(arc))),
    }


def lying(dataset: xr.Dataset, i: int) -> dict[str, float | None]:
    """The length of a cable on the seabed at the last sample, an end that an anchor holds there included [m]."""
    return {"length": float(dataset["grounded_length"].values[-1, i])} if "grounded_length" in dataset else {}


def uplift_words(cable: dict[str, Any]) -> str:
    """What is to be said of the pull on an anchor: at ends beside which the cable lies on the bed."""
    touch, words = cable["touchdown"], ""
    for end, place, edge in (("start", "first", 0.0), ("end", "last", cable["length"])):
        at, most = touch[f"arc_length_{place}"], cable.get(f"uplift_{end}_deg", {}).get("max")
        if at is not None and most is not None and abs(at - edge) <= BESIDE * cable["element_max"]:
            words += (
                f", no uplift at its {end}" if most < FLAT else f", uplift at its {end} up to {number(most, 3)} deg"
            )
    return words


def _statistics(values: NDArray[np.float64]) -> dict[str, float | None]:
    known = values[np.isfinite(values)]
    if not known.size:
        return {"min": None, "max": None, "final": None}
    last = float(values[-1])
    return {"min": float(known.min()), "max": float(known.max()), "final": last if np.isfinite(last) else None}
