"""The outcome of one comparison."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Record:
    """A value beside its reference.

    name       what is compared, e.g. `elastic catenary, horizontal force, 20 bars`
    source     where the reference comes from: a closed form, a paper and its table, a tool and its version
    value      what the program gives
    reference  what it should be
    error      how far off it is; relative to the reference, unless the name says otherwise
    bound      the largest error that passes
    trouble    what happened to a check that broke down
    """

    name: str
    source: str
    value: float | None
    reference: float | None
    error: float | None
    bound: float | None
    passed: bool
    trouble: str = ""

    @classmethod
    def relative(cls, name: str, source: str, value: float, reference: float, bound: float) -> Record:
        """Judged by |value - reference| / |reference|."""
        return cls._judged(name, source, value, reference, abs(value - reference) / abs(reference), bound)

    @classmethod
    def absolute(cls, name: str, source: str, value: float, reference: float, bound: float) -> Record:
        """Judged by |value - reference|, in the unit of the value."""
        return cls._judged(name, source, value, reference, abs(value - reference), bound)

    @classmethod
    def _judged(cls, name: str, source: str, value: float, reference: float, error: float, bound: float) -> Record:
        numbers = (float(value), float(reference), float(error), float(bound))
        return cls(name, source, *numbers, passed=math.isfinite(error) and bool(error <= bound))

    def as_dict(self) -> dict[str, object]:
        """The record as plain values, without `trouble`."""
        fields = asdict(self)
        del fields["trouble"]
        return fields
