"""Numbers as a report writes them."""

from __future__ import annotations

import math

from fairlead.words import number


def force(value: float | None) -> str:
    """A force with its unit: 12.3 kN."""
    return _prefixed(value, "N")


def seconds(value: float | None) -> str:
    """A time: 12.5 s."""
    return "–" if value is None or not math.isfinite(value) else f"{number(value, 5)} s"


def metres(value: float | None) -> str:
    """A length: 12.5 m."""
    return "–" if value is None or not math.isfinite(value) else f"{number(value)} m"


def counted(number: int, what: str) -> str:
    """So many of something: 1 cable, 2 cables."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def plain(value: object) -> str:
    """Anything else of a file: numbers short, rows and mappings on one line, nothing as a dash."""
    if hasattr(value, "item"):
        value = value.item()  # a number of numpy
    if value is None or value in ("", [], {}):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return number(value, 6)
    if isinstance(value, dict):
        parts = (f"{key.replace('_', ' ')} {plain(item)}" for key, item in value.items() if item not in (None, [], {}))
        return ", ".join(parts)
    if isinstance(value, list | tuple):
        items = (plain(item).replace(",", "") if _is_number(item) else plain(item) for item in value)
        return f"[{', '.join(items)}]"
    return str(value)


def _is_number(value: object) -> bool:
    return isinstance(value, float | int) and not isinstance(value, bool)


def _prefixed(value: float | None, unit: str) -> str:
    if value is None or not math.isfinite(value):
        return "–"
    for divisor, prefix in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= divisor:
            return f"{number(value / divisor)} {prefix}{unit}"
    return f"{number(value)} {unit}"
