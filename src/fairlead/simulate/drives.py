"""What drives an input over time: a constant, a table (linear between rows, held beyond its ends) or a function."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from fairlead.formulations.contract import Compiled, Failure
from fairlead.model import ModelError, System
from fairlead.model.inputs import Input
from fairlead.model.problems import Mistake, suggestion
from fairlead.model.source import place_problem

NO_INPUTS = "this system has none; make a point 'controlled' to move it"


class InputError(ValueError):
    """An input that does not exist, or a value it cannot take. Nothing was changed."""


@dataclass(frozen=True)
class Table:
    """Values (row, size) at times (row,) [s] that grow."""

    times: tuple[float, ...]
    values: np.ndarray

    def __call__(self, t: float) -> np.ndarray:
        times, values = self.times, self.values
        i = bisect_left(times, t)
        if i == 0:
            return values[0]  # type: ignore[no-any-return]
        if i == len(times):
            return values[-1]  # type: ignore[no-any-return]
        f = (t - times[i - 1]) / (times[i] - times[i - 1])
        return values[i - 1] + f * (values[i] - values[i - 1])  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Drive:
    """One input and what it is at any time. Only what a function returns has to be looked at as the run goes."""

    name: str
    place: slice
    source: Table | Callable[[float], Any]

    def write(self, t: float, u: np.ndarray) -> Failure | None:
        """Its value at time t [s] into the input vector."""
        if isinstance(self.source, Table):
            u[self.place] = self.source(t)
            return None
        try:
            value = self.source(t)
        except Exception as error:
            return self._failure(t, f"its function raised {type(error).__name__}: {error}")
        try:
            if value is None:
                raise InputError("its function returned nothing")
            u[self.place] = checked_numbers(self.name, self.place, value)
        except InputError as error:
            return self._failure(t, str(error))
        return None

    def _failure(self, t: float, what: str) -> Failure:
        size = count(self.place.stop - self.place.start)
        cause = "a mistake in the function that was given for this input"
        return Failure(t, f"input '{self.name}'", what, cause, f"have it return {size} for every time of the run")

    @property
    def record(self) -> object:
        """Plain data that says what it is, for the result."""
        if not isinstance(self.source, Table):
            return "function"
        return [[t, *row] for t, row in zip(self.source.times, self.source.values.tolist(), strict=True)]


def place_of(name: str, places: Mapping[str, slice]) -> slice:
    """Where an input stands in the input vector."""
    place = places.get(name)
    if place is None:
        raise InputError(f"there is no input '{name}'" + _known(name, places))
    return place


def _known(name: str, places: Mapping[str, slice]) -> str:
    return f"; {suggestion(name, places)}" if places else f": {NO_INPUTS}"


def checked_numbers(name: str, place: slice, value: Any) -> np.ndarray:
    """A value as the numbers of an input."""
    size = place.stop - place.start
    try:
        numbers = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"input '{name}' takes {count(size)}, not {value!r}") from None
    if numbers.shape != (size,) and not (size == 1 and numbers.shape == ()):
        raise InputError(f"input '{name}' takes {count(size)}, not an array of shape {numbers.shape}")
    if not all(map(isfinite, numbers.flat)):
        raise InputError(f"input '{name}' must be finite, not {numbers.tolist()}; None hands it back to the file")
    return numbers


def count(size: int) -> str:
    """`one number`, `3 numbers`."""
    return "one number" if size == 1 else f"{size} numbers"


def file_drives(compiled: Compiled) -> tuple[Drive, ...]:
    """The inputs the system's file drives; raises `ModelError` with every name and size that does not fit."""
    system: System = compiled.system
    mistakes = list(_misfits(system.inputs, compiled.inputs))
    if mistakes:
        raise ModelError(place_problem(mistake, system.source) for mistake in mistakes)
    return tuple(Drive(name, compiled.inputs[name], _table(entry)) for name, entry in system.inputs.items())


def _misfits(inputs: Mapping[str, Input], places: Mapping[str, slice]) -> Iterator[Mistake]:
    for name, entry in inputs.items():
        if name not in places:
            hint = suggestion(name, places, NO_INPUTS)
            yield Mistake(("inputs", name), "there is no such input", hint, about_key=True)
            continue
        size = places[name].stop - places[name].start
        if entry.width != size:
            what = "a time and " if entry.table is not None else ""
            key = "table" if entry.table is not None else "constant"
            message = f"'{name}' takes {count(size)}, not {entry.width}"
            yield Mistake(("inputs", name, key), message, f"give {what}{count(size)}", about_key=True)


def _table(entry: Input) -> Table:
    if entry.constant is not None:
        return Table((0.0,), np.array([entry.constant]))
    rows = np.array(entry.table, dtype=np.float64)
    return Table(tuple(rows[:, 0].tolist()), np.ascontiguousarray(rows[:, 1:]))


def given_drives(places: Mapping[str, slice], given: Mapping[str, Any]) -> tuple[Drive, ...]:
    """Drives from Python: a function of time [s], `(times, values)`, or a constant, by the name of the input."""
    if not isinstance(given, Mapping):
        raise InputError(f"inputs are given by name, as {{'B.position': ...}}, not as {given!r:.60}")
    return tuple(Drive(name, place_of(name, places), _source(name, places[name], v)) for name, v in given.items())


def _source(name: str, place: slice, value: Any) -> Table | Callable[[float], Any]:
    if callable(value):
        return value  # type: ignore[no-any-return]
    if isinstance(value, tuple) and len(value) == 2 and all(_is_row(part) for part in value):
        return _given_table(name, place, *value)
    if value is None:
        raise InputError(f"input '{name}' is given a constant, (times, values) or a function, not None")
    return Table((0.0,), np.array([np.atleast_1d(checked_numbers(name, place, value))]))


def _is_row(part: Any) -> bool:
    return isinstance(part, list | tuple) or getattr(part, "ndim", 0) > 0


def _given_table(name: str, place: slice, times: Any, values: Any) -> Table:
    size = place.stop - place.start
    try:
        t, v = np.array(times, dtype=np.float64), np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"input '{name}': times and values must be arrays of numbers") from None
    if size == 1 and v.ndim == 1:
        v = v[:, np.newaxis]
    if t.ndim != 1 or len(t) == 0 or v.shape != (len(t), size):
        shapes = f"times of shape {t.shape} and values of shape {np.shape(values)}"
        raise InputError(f"input '{name}' takes times (n,) and values (n, {size}), not {shapes}")
    if not (np.isfinite(t).all() and np.isfinite(v).all()):
        raise InputError(f"input '{name}': times and values must be finite")
    wrong = np.flatnonzero(~(np.diff(t) > 0.0))
    if len(wrong):
        k = int(wrong[0])
        raise InputError(f"input '{name}': times must grow, not {t[k + 1]:.9g} s after {t[k]:.9g} s (row {k + 1})")
    return Table(tuple(t.tolist()), np.ascontiguousarray(v))
