"""Constants of members that differ in physical properties alone, without building each of them.

A formulation computes its constants from properties in one place, its build; what it does there is recorded once
(`formulations.property_tape`) and played for the numbers of every other member, in a tenth of a millisecond. A record
is relied on when it has given the same bits as the build itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fairlead.algebra.recorded import Player
from fairlead.formulations.kernel_compiled import KernelCompiled
from fairlead.formulations.property_tape import NotRecorded, PropertyTape

PROOFS = 2
"""Members that are built and compared before a record is relied on."""


class Constants:
    """Of members that share a compiled system; belongs to one thread."""

    def __init__(self, compiled: KernelCompiled) -> None:
        self._tape: PropertyTape | None = None
        if compiled.exports:
            try:
                self._tape = PropertyTape.of(compiled)
            except NotRecorded:
                return
            self._player = Player(self._tape.tape)
        self._places: dict[str, tuple[Any, range]] = {}
        at = 0
        for candidate in self._tape.candidates if self._tape is not None else ():
            self._places[candidate.path] = (candidate, range(at, at + len(candidate.values)))
            at += len(candidate.values)
        self._proofs = 0

    def of(self, values: Mapping[str, Any]) -> np.ndarray | None:
        """The constants with these values by their paths; None where the record is not to be relied on."""
        return self._played(values) if self._proofs >= PROOFS else None

    def prove(self, values: Mapping[str, Any], built: np.ndarray) -> None:
        """Compare with what the formulation has built for a member; one difference ends it."""
        found = self._played(values)
        if found is not None and np.array_equal(found, built, equal_nan=True):
            self._proofs += 1
        else:
            self._tape = None

    def _played(self, values: Mapping[str, Any]) -> np.ndarray | None:
        if self._tape is None:
            return None
        places: list[int] = []
        numbers: list[float] = []
        for path, value in values.items():
            candidate, place = self._places.get(path, (None, range(0)))
            row = list(value) if isinstance(value, list | tuple) else [value]
            if candidate is None or len(row) != len(place):
                return None
            if not all(isinstance(x, float) and candidate.low <= x <= candidate.high for x in row):
                return None
            places += place
            numbers += row
        if not self._player.play(places, numbers):
            return None
        which, what = self._player.following(places)
        constants = self._tape.constants.copy()
        constants[which] = what
        return constants
