"""What the numbers of a state vector may be, so that no damaged or made-up state ever reaches a kernel.

A kernel takes counts and indices from the state and reads memory by them: a wrong one would be a crash. So every
formulation names its counts, indices and flags with their bounds, and its quaternions and unit vectors, once; states
that are restored, resumed from or read by an FMU are held against them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fairlead.algebra.records import Tables

UNIT_TOLERANCE = 1e-3
"""By how much the length of a unit vector may be off; steps keep it much closer."""


@dataclass(frozen=True)
class Bound:
    """A number of the state that lies between two bounds (both may be reached).

    A bound may grow with another number of the state, a count: `low + low_slope y[count]`, likewise `high`.
    """

    place: int
    what: str
    low: float
    high: float
    whole: bool = True
    """Whether it is a whole number."""
    count: int = -1
    low_slope: float = 0.0
    high_slope: float = 0.0


@dataclass(frozen=True)
class UnitVector:
    """Numbers of the state, from `place` on, whose squares add up to one; zeros where `or_zero` (not in use)."""

    place: int
    width: int
    what: str
    or_zero: bool = False


@dataclass(frozen=True)
class StateRules:
    """What a state must obey beside being finite."""

    bounds: tuple[Bound, ...] = ()
    units: tuple[UnitVector, ...] = ()

    def fault(self, y: np.ndarray) -> str | None:
        """What is wrong with a state, in words; None when nothing is. `y` (state,) is finite."""
        for bound in self.bounds:
            value = float(y[bound.place])
            count = float(y[bound.count]) if bound.count >= 0 else 0.0
            low, high = bound.low + bound.low_slope * count, bound.high + bound.high_slope * count
            if not low <= value <= high or (bound.whole and not value.is_integer()):
                kind = "a whole number " if bound.whole else ""
                return f"{bound.what} is {value:.6g}, and must be {kind}from {low:.6g} to {high:.6g}"
        for unit in self.units:
            square = float(np.sum(y[unit.place : unit.place + unit.width] ** 2))
            if abs(square - 1.0) > 2.0 * UNIT_TOLERANCE and not (unit.or_zero and square == 0.0):
                return f"{unit.what} has the length {np.sqrt(square):.6g}, and must have 1"
        return None

    def moved(self, by: int) -> StateRules:
        """The same for a state that begins `by` numbers later in a larger one."""
        return StateRules(
            tuple(replace(b, place=b.place + by, count=b.count + by if b.count >= 0 else -1) for b in self.bounds),
            tuple(replace(u, place=u.place + by) for u in self.units),
        )

    def __add__(self, other: StateRules) -> StateRules:
        return StateRules(self.bounds + other.bounds, self.units + other.units)


def flags(places: Iterable[int], what: str, low: int = 0, high: int = 1) -> tuple[Bound, ...]:
    """Numbers that are each one of a few whole ones."""
    return tuple(Bound(place, what, low, high) for place in places)


def count_bound(place: int, cable: str, most: int) -> Bound:
    """How many elements of a cable are off its winch: one at least."""
    return Bound(place, f"the number of elements of cable '{cable}' off its winch", 1, most)


def length_bound(place: int, cable: str) -> Bound:
    """A length of line off a winch, or a factor of it, that divides others; without a name, one that may be nothing."""
    if not cable:
        return Bound(place, "the length of an element", 0.0, 1e9, whole=False)
    return Bound(place, f"a length of cable '{cable}'", 1e-9, 1e9, whole=False)


def winch_bounds(cable: str, most: int, count: int, latest: int, first_length: int, paid_out: int) -> tuple[Bound, ...]:
    """What a winch keeps of its cable, by the places of its four numbers."""
    return (
        count_bound(count, cable, most),
        Bound(latest, f"the latest event at the winch of cable '{cable}'", -1, 1),
        length_bound(first_length, cable),
        length_bound(paid_out, cable),
    )


def past_bounds(tables: Tables) -> tuple[Bound, ...]:
    """Of the ring of velocities that water is remembered by: where its newest piece stands, how many, and how long."""
    if not tables.pasts:
        return ()
    cells = int(tables.past_cells)
    newest, count = (places_of(tables, "past_ring", field)[0] for field in ("newest", "count"))
    widths = places_of(tables, "past_width", "number")
    return (
        Bound(newest, "the newest piece of the water's past", 0, cells - 1),
        Bound(count, "the number of pieces of the water's past", 0, cells),
        *(Bound(place, "the length of a piece of the water's past", 0.0, 1e9, whole=False) for place in widths),
    )


def places_of(tables: Tables, table: str, field: str) -> range:
    """Where a field of the state begins in `y`, row by row."""
    block, start = tables.block(table), int(tables.ints[tables.schema.offset[table]])
    return range(start + tables.schema.table[table].fields[field].start, start + block.size, block.shape[1])


def numbers_of(tables: Tables, table: str, field: str) -> np.ndarray:
    """Where all numbers of a field of the state stand in `y`, row by row."""
    places = np.array(places_of(tables, table, field), dtype=np.int64)
    width = tables.schema.table[table].fields[field].count
    return np.asarray(places[:, None] + np.arange(width)).ravel()


def unit_fields(tables: Tables, table: str, field: str, what: str, or_zero: bool = False) -> tuple[UnitVector, ...]:
    """A field of the state that is a unit vector in every row of its table."""
    width = tables.schema.table[table].fields[field].count
    places = places_of(tables, table, field)
    return tuple(UnitVector(place, width, f"{what} {i}", or_zero) for i, place in enumerate(places))
