"""Constants of a compiled system as a function of its physical properties, recorded from the formulation's own build.

There is one place in each formulation where properties become constants: its `build`. It is run once with numbers that
remember what is done with them (`algebra.recorded`); what comes out is the same calculation as a list of operations,
some dozens of them, which take microseconds in Python and are compiled into FMUs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.algebra.recorded import Recorder, Tape, recording
from fairlead.model.candidates import Candidate, candidates, with_numbers

if TYPE_CHECKING:
    from fairlead.model import System

    from .kernel_compiled import KernelCompiled

_OF_WAVES = ("significant_height", "height", "ramp")
"""What of the waves enters their constants by a product; the rest shapes their spectrum."""
SAME = 1e-13
"""Relative difference that counts as rounding: sums of many may be taken in another order."""


class NotRecorded(ValueError):
    """A calculation on the way from properties to constants that leaves no record."""


@dataclass(frozen=True)
class PropertyTape:
    """How constants follow from the numbers of `candidates`, one after the other."""

    candidates: tuple[Candidate, ...]
    tape: Tape
    constants: np.ndarray
    """All of them, with the values of the file."""

    @classmethod
    def of(
        cls,
        compiled: KernelCompiled,
        chosen: Sequence[Candidate] | None = None,
        further: Callable[[System], Sequence[Any]] = lambda _: (),
    ) -> PropertyTape:
        """Of the system's `reals`, followed by `further` constants; by default from all candidates."""
        chosen = [c for c in (candidates(compiled.system) if chosen is None else chosen) if is_recorded(c)]
        recorder = Recorder([x for c in chosen for x in c.values])
        given, values = iter(recorder.parameters), {}
        for c in chosen:
            row = tuple(next(given) for _ in c.values)
            values[c.path] = row if c.shape else row[0]
        system = with_numbers(compiled.system, values)
        try:
            with recording():
                made = [*compiled.rebuilt(system).reals, *further(system)]
        except TypeError as error:  # a function of numpy or of C on the way, which takes plain numbers only
            raise NotRecorded(f"the build of '{compiled.formulation}' cannot be recorded: {error}") from error
        return cls(tuple(chosen), Tape.made(recorder, made), np.array([float(x) for x in made]))

    @property
    def numbers(self) -> np.ndarray:
        """Of all candidates as the file has them, (numbers,)."""
        return np.array([x for c in self.candidates for x in c.values])

    def entering(self, first: int) -> list[str]:
        """Paths of the candidates that enter a constant from number `first` on."""
        wanted, found, at = self.tape.of[self.tape.places >= first], [], 0
        for c in self.candidates:
            if self.tape.depends(range(at, at + len(c.values)))[wanted].any():
                found.append(c.path)
            at += len(c.values)
        return found

    def at(self, p: Sequence[float] | np.ndarray) -> np.ndarray | None:
        """All constants for other numbers; None where the system would be made of other things."""
        new = self.tape.constants(p)
        if new is None:
            return None
        constants = self.constants.copy()
        constants[self.tape.places] = new
        return constants


def is_recorded(candidate: Candidate) -> bool:
    return not candidate.path.startswith("environment.waves.") or candidate.path.rpartition(".")[2] in _OF_WAVES


def agree(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether constants are the same but for rounding."""
    with np.errstate(invalid="ignore"):
        close = (one == other) | (np.abs(one - other) <= SAME * np.abs(other)) | (np.isnan(one) & np.isnan(other))
    return len(one) == len(other) and bool(close.all())
