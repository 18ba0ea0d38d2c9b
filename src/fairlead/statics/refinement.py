"""Stiffness of lines that touch down, on finer and finer meshes.

The stiffness at a place is exact for the elements, but where a line leaves the seabed these lift off one by one: the
error is of the first order in their length, and its sign and size depend on where between two nodes the touchdown
falls. A fifth of the value with 20 elements is nothing unusual. Elements of all lines that touch down are divided until
the stiffness hardly changes any more. Numbers of parts that are no multiples of one another put the touchdown elsewhere
between the nodes each time: by halving alone, a touchdown beside a node stays there and the error hides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.model import System

if TYPE_CHECKING:
    from .solution import Equilibrium
    from .stiffness import Held

CHANGE = 0.01
"""Largest error of a stiffness, estimated from its changes, at which elements are short enough."""
PARTS = (3, 5, 8, 13, 21, 34, 55, 89)
"""Into how many parts elements are divided, one after the other."""
MOST_ELEMENTS = 4000
"""In all cables together."""
SMALL = 1e-3
"""Part of the largest stiffness of a kind below which one counts as none."""


@dataclass(frozen=True)
class Refined:
    """A stiffness on a finer mesh, and how well it is known.

    held      how the place is held there
    parts     into how many each element of a line that touches down was divided; 1 where none does
    error     estimated error of the stiffness, as a fraction: by how much the two meshes before were off; None where
              elements could not be divided enough to tell
    coarse    how far the stiffness of the elements of the file is off, as a fraction
    """

    held: Held
    parts: int
    error: float | None
    coarse: float


def refined(rest: Equilibrium, place: str) -> Refined:
    """How the equilibrium holds a place, with the elements around its touchdowns short enough."""
    first = rest.held(place)
    lying = touching_down(rest)
    if not lying:
        return Refined(first, 1, 0.0, 0.0)
    found, held, divisor, error = [first.stiffness], first, 1, None
    for parts in PARTS:
        finer = divided(rest.system, lying, parts)
        if sum(cable.element_count for cable in finer.cables.values()) > MOST_ELEMENTS:
            break
        held, divisor = rest.like(finer).held(place), parts
        found.append(held.stiffness)
        if len(found) > 2:
            error = max(difference(found[-1], before) for before in found[-3:-1])
            if error < CHANGE:
                break
    return Refined(held, divisor, error, difference(held.stiffness, first.stiffness))


def touching_down(rest: Equilibrium) -> list[str]:
    """The cables that leave the seabed somewhere between their ends."""
    cables = rest.summary()["cables"]
    return [name for name, cable in cables.items() if any(run["touchdowns"] for run in cable["grounded"])]


def difference(one: np.ndarray, two: np.ndarray) -> float:
    """How far a stiffness is off another (k, k): of the direct ones the most, as a fraction."""
    worst = 0.0
    for part in (slice(0, 3), slice(3, len(one))):
        a, b = np.diag(one)[part], np.diag(two)[part]
        if len(a):
            worst = max(worst, float((np.abs(a - b) / np.maximum(np.abs(a), SMALL * np.abs(a).max() + 1e-300)).max()))
    return worst


def divided(system: System, names: list[str], parts: int) -> System:
    """The same system with each element of these cables in so many parts."""
    data = system.model_dump(mode="json", exclude_unset=True)
    for name in names:
        cable = data["cables"][name]
        for stretch in cable.get("sections") or [cable]:
            _divide(stretch, parts)
    return System.model_validate(data, context={"source": system.source})


def _divide(stretch: dict[str, Any], parts: int) -> None:
    if stretch.get("element_lengths"):
        stretch["element_lengths"] = [length / parts for length in stretch["element_lengths"] for _ in range(parts)]
    else:
        stretch["elements"] = parts * stretch["elements"]
