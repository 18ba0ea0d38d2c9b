"""What every input yields: stamped messages of named numbers, and the reason why something was refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LONGEST = 4096
"""Bytes of one line or message; what is longer is no measurement."""


@dataclass(frozen=True)
class Reading:
    """One message.

    fields  by name: latitude, longitude, heading and course in degrees, height in m, speed in m/s; of other inputs
            the columns that the twin's file names, in SI units
    stamp   when it was measured, UTC in s since 1970; None where the message does not say
    """

    fields: Mapping[str, float]
    stamp: float | None = None


@dataclass(frozen=True)
class Refusal:
    """A message that is not used, and why, in a few words that a log can count."""

    why: str


Parsed = Reading | Refusal | None
"""None is a message that does not concern us."""
