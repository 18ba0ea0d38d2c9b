"""Inputs by name: what a caller may change while a simulation runs, and what the file or a function drives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from fairlead.formulations.contract import Compiled, Failure
from fairlead.model.problems import listed

from .drives import Drive, InputError, checked_numbers, file_drives, given_drives, place_of

__all__ = ["InputError", "Inputs", "commanded"]


class Inputs:
    """The input vector `u` of a simulation.

    An input is set live, or driven (by a constant, a table or a function of time), or neither: then it is NaN in `u`
    and the formulation follows what else the file says. What is set live wins over what the file drives; what a run is
    given for its own duration wins over both.
    """

    def __init__(self, compiled: Compiled):
        self._places = compiled.inputs
        self._file = file_drives(compiled)
        self._given: tuple[Drive, ...] = ()
        self._live = compiled.initial_inputs()
        self.u = self._live.copy() if self._file else self._live
        """What the kernels read, (inputs,); as of the time of the last `at`."""
        self._choose()

    @property
    def driven(self) -> tuple[str, ...]:
        """Names of the inputs that change by themselves; where there are any, every step is asked for its values."""
        return tuple(drive.name for drive in self._active)

    def at(self, t: float) -> Failure | None:
        """Bring `u` to time t [s]; a function that fails or returns nonsense is a failure of the run."""
        for drive in self._active:
            failure = drive.write(t, self.u)
            if failure is not None:
                return failure
        return None

    def set(self, values: Mapping[str, Any]) -> None:
        """Set inputs until they are set again; None hands one back to the file.

        All values are looked at before the first is written, so an error leaves the simulation as it was.
        """
        if not hasattr(values, "items"):
            raise InputError(f"inputs are given by name, as {{'B.position': (0, 0, 0)}}, not as {values!r:.60}")
        checked = []
        for name, value in values.items():
            place = place_of(name, self._places)
            checked.append((place, np.nan if value is None else checked_numbers(name, place, value)))
        for place, numbers in checked:
            self._live[place] = numbers
        if self.u is not self._live:
            self._choose()

    @property
    def live(self) -> np.ndarray:
        """A copy of what is set live, (inputs,); NaN where nothing is."""
        return self._live.copy()

    def restore(self, live: np.ndarray) -> None:
        """Go back to what `live` gave before."""
        self._live[:] = live
        if self.u is not self._live:
            self._choose()

    def read(self) -> dict[str, np.ndarray | None]:
        """What is set live, by name; None where the file decides."""
        values = {name: self._live[place] for name, place in self._places.items()}
        return {name: None if np.isnan(value).all() else value.copy() for name, value in values.items()}

    def drives(self, given: Mapping[str, Any] | None) -> tuple[Drive, ...]:
        """Inputs given to a run, by name, ready to drive it."""
        return given_drives(self._places, given or {})

    @contextmanager
    def driven_by(self, drives: tuple[Drive, ...]) -> Iterator[None]:
        """Have `drives` decide for a while."""
        before = self._given, self.u
        self._given = drives
        if drives and self.u is self._live:
            self.u = self._live.copy()
        self._choose()
        try:
            yield
        finally:
            self._given, self.u = before
            self._choose()

    def _choose(self) -> None:
        """Who decides on each input."""
        given = {drive.name for drive in self._given}
        rest = [d for d in self._file if d.name not in given and np.isnan(self._live[d.place]).all()]
        self._active = (*self._given, *rest)
        self.u[:] = self._live


def commanded(failure: Failure, names: Iterable[str]) -> Failure:
    """A failure under inputs that were changing, which may be what it comes from."""
    changing = listed([f"'{name}'" for name in names], most=3)
    if not changing:
        return failure
    cure = f"{failure.cure}; look at the values of {changing}"
    return replace(failure, cause=f"{failure.cause}, or an input that jumps or asks too much ({changing})", cure=cure)
