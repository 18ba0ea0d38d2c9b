"""Numbers as files of MoorDyn write them, which C++ or Fortran reads."""

from __future__ import annotations

import re

from fairlead.model.values import LARGEST

_PLAIN = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+))(?:[eEdDqQ]([-+]?\d+))?")
_WITHOUT_LETTER = re.compile(r"([-+]?(?:\d+\.\d*|\.\d+))([-+]\d+)")
"""Fortran's 3.27+09, whose exponent has no letter; without a point it would be a difference, or a range."""


def number(text: str) -> float | None:
    """Text as a finite number of a possible size, Fortran's 1.0D5 and 3.27+09 too; None where it is none."""
    found = _PLAIN.fullmatch(text) or _WITHOUT_LETTER.fullmatch(text)
    if found is None:
        return None
    value = float(f"{found[1]}e{found[2] or 0}")
    return value if abs(value) <= LARGEST else None


def is_broken(text: str) -> bool:
    """Whether text that is no number was meant for one: it begins as one and has only what numbers have, as `3.3+`."""
    return number(text) is None and re.fullmatch(r"[-+]?[.,]?\d[-+.,\deEdDqQ]*", text) is not None


def neat(value: float) -> float:
    """A number without the rounding of the way it was found on."""
    return float(f"{value:.12g}") + 0.0
