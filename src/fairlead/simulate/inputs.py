"""Inputs by name: what a caller may change while a simulation runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fairlead.model.problems import suggestion


class InputError(ValueError):
    """An input that does not exist, or a value it cannot take. Nothing was changed."""


def write_inputs(u: np.ndarray, places: Mapping[str, slice], values: Mapping[str, Any]) -> None:
    """Write named values into the input vector `u`; None hands an input back to the file.

    All values are looked at before the first is written, so an error leaves the simulation as it was.
    """
    checked = [(_place(name, places), name, value) for name, value in values.items()]
    for place, numbers in [(place, _numbers(name, place, value)) for place, name, value in checked]:
        u[place] = numbers


def read_inputs(u: np.ndarray, places: Mapping[str, slice]) -> dict[str, np.ndarray | None]:
    """The inputs as they stand; None where one follows the file."""
    return {name: None if np.isnan(u[place]).all() else u[place].copy() for name, place in places.items()}


def _place(name: str, places: Mapping[str, slice]) -> slice:
    if name in places:
        return places[name]
    if not places:
        raise InputError(f"there is no input '{name}': this system has none; make a point 'controlled' to move it")
    raise InputError(f"there is no input '{name}'; {suggestion(name, places)}")


def _numbers(name: str, place: slice, value: Any) -> np.ndarray | float:
    if value is None:
        return np.nan
    size = place.stop - place.start
    try:
        numbers = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"input '{name}' takes {_count(size)}, not {value!r}") from None
    if numbers.shape != (size,) and not (size == 1 and numbers.shape == ()):
        raise InputError(f"input '{name}' takes {_count(size)}, not an array of shape {numbers.shape}")
    if not np.isfinite(numbers).all():
        raise InputError(f"input '{name}' must be finite, not {numbers.tolist()}; None hands it back to the file")
    return numbers


def _count(size: int) -> str:
    return "one number" if size == 1 else f"{size} numbers"
