"""Inputs on their way from one value to the next within a step, since a stair would jerk what follows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .drives import InputError, checked_numbers, place_of


@dataclass(frozen=True)
class Ramp:
    """Some numbers of the input vector over a time of `length` [s].

    which             (number,) of int: where they stand
    first, last       (…, number): what they are at the beginning and at the end, of one input vector or of many
    leaving, arriving (…, number): their rates of change there [1/s]; with (last − first)/length the way is straight

    Between, with the share s of the time, the cubic that has these values and rates,

        u(s) = (1 − s)² (1 + 2 s) u₀ + s² (3 − 2 s) u₁ + s (1 − s) ((1 − s) u̇₀ − s u̇₁) T.
    """

    which: np.ndarray
    first: np.ndarray
    last: np.ndarray
    leaving: np.ndarray
    arriving: np.ndarray
    length: float

    def write(self, share: float, u: np.ndarray) -> None:
        """Its values into an input vector (…, inputs), after a share of the time; at 1 exactly the last."""
        u[..., self.which] = self.last if share == 1.0 else self.at(share)

    def at(self, s: float) -> np.ndarray:
        bend = s * (1.0 - s)
        straight = self.last - self.first
        way = (1.0 - s) * (self.length * self.leaving - straight) - s * (self.length * self.arriving - straight)
        return np.asarray(self.first + s * straight + bend * way)


def ramp(
    before: np.ndarray,
    after: np.ndarray,
    length: float,
    places: Mapping[str, slice],
    speeds: Mapping[str, Any] | None,
    here: Callable[[str], np.ndarray | None],
) -> Ramp | None:
    """From the input vectors `before` to `after`, (…, inputs), in `length` [s], of all that changes; None where nothing
    does.

    speeds  by input: its rates at the beginning and at the end, (size,) or (…, size) each; straight where it has none
    here    where an input that follows the file is now, (…, size); None where that is not known: it is taken at once
    """
    rates = {name: _pair(name, place_of(name, places), pair, after.shape[:-1]) for name, pair in (speeds or {}).items()}
    which, first, leaving, arriving = [], [], [], []
    for name, place in places.items():
        target, start = after[..., place], before[..., place]
        if np.isnan(target).any() or (np.array_equal(start, target) and name not in rates):
            continue
        if np.isnan(start).any():
            found = here(name)
            if found is None:
                continue
            start = found
        slope = (target - start) / length
        pair = rates.get(name, (slope, slope))
        which.append(np.arange(place.start, place.stop))
        first.append(start)
        leaving.append(np.broadcast_to(pair[0], target.shape))
        arriving.append(np.broadcast_to(pair[1], target.shape))
    if not which:
        return None
    where = np.concatenate(which)
    joined = [np.concatenate(part, axis=-1) for part in (first, leaving, arriving)]
    return Ramp(where, joined[0], after[..., where], joined[1], joined[2], length)


def _pair(name: str, place: slice, pair: Any, many: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    if not isinstance(pair, list | tuple | np.ndarray) or len(pair) != 2:
        raise InputError(f"speeds of input '{name}' are two, at the beginning and at the end of the step")
    at_start, at_end = (_rate(name, place, one, many) for one in pair)
    return at_start, at_end


def _rate(name: str, place: slice, given: Any, many: tuple[int, ...]) -> np.ndarray:
    """A rate of one input vector, or one each of many."""
    if many and np.shape(given)[:-1] == many:
        return np.array([checked_numbers(name, place, one) for one in given])
    return np.atleast_1d(checked_numbers(name, place, given))
