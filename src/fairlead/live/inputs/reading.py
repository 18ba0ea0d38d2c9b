"""What every input yields: stamped values, and the reason why something was refused."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST = 4096
"""Bytes of one line or message; what is longer is no measurement."""


@dataclass(frozen=True)
class Reading:
    """One value of one channel.

    channel  what it is, within its input: "position" (latitude and longitude in degrees, height in m), "heading" and
             "course" (degrees), "speed" (m/s), or the name of a column
    values   in SI units, and degrees for angles on the globe
    stamp    when it was measured, UTC in s since 1970; None where the message does not say
    """

    channel: str
    values: tuple[float, ...]
    stamp: float | None = None


@dataclass(frozen=True)
class Refusal:
    """A message that is not used, and why, in a few words that a log can count."""

    why: str


Parsed = list[Reading] | Refusal
