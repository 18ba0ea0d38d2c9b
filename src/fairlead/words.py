"""Numbers as people write them: 1,230 x real time, 0.012 %, 254.3 kN; and what is told apart from what is warned of."""

from __future__ import annotations

import math
from unicodedata import category

PLAIN = 1e-6, 1e9
"""Sizes that are written out; beyond them the power of ten says more than the zeros."""

NOTE = "note: "
"""How a line begins that tells something and warns of nothing: where a ring starts, how many panels there are."""


def number(value: float, digits: int = 4) -> str:
    """A number in so many digits that count, without a power of ten where that can be: 1,230, 0.0012."""
    if not math.isfinite(value):
        return f"{value:g}"
    rounded = float(f"{value:.{digits}g}")
    if rounded == 0.0:
        return "0"
    if not PLAIN[0] <= abs(rounded) < PLAIN[1]:
        return f"{rounded:.{digits}g}"
    text = f"{rounded:,.{max(0, digits - 1 - math.floor(math.log10(abs(rounded))))}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def apart(one: float, two: float, digits: int = 4) -> tuple[str, str]:
    """Two numbers that differ, in as many digits as it takes to see that: 1,024.8 and 1,025."""
    for more in range(digits, 16):
        first, second = number(one, more), number(two, more)
        if first != second:
            break
    return first, second


def force(newtons: float | None, digits: int = 4) -> str:
    """A force with a unit that suits its size: 254.3 kN."""
    if newtons is None:
        return "unknown"
    for factor, unit in ((1e6, "MN"), (1e3, "kN")):
        if abs(newtons) >= factor:
            return f"{number(newtons / factor, digits)} {unit}"
    return f"{number(newtons, digits)} N"


def percentage(part: float) -> str:
    """A part of a whole: 0.012 %, 3.4 %, 140 %; what is next to nothing is no more than that."""
    if 0.0 < abs(part) < 1e-6:
        return "less than 0.0001 %"
    return f"{100.0 * part:,.0f} %" if 0.1 <= abs(part) < math.inf else f"{number(100.0 * part, 2)} %"


def aligned(rows: list[list[str]]) -> list[str]:
    """Rows of text in columns, the first of them its titles, over a rule: names to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    numeric = [all(cell[:1].isdigit() or cell[:1] in "-" for cell in column[1:]) for column in zip(*rows, strict=True)]

    def line(row: list[str]) -> str:
        cells = zip(row, widths, numeric, strict=True)
        return "  ".join(f"{cell:>{width}}" if right else f"{cell:<{width}}" for cell, width, right in cells).rstrip()

    head, *body = map(line, rows)
    return [head, "-" * (sum(widths) + 2 * (len(widths) - 1)), *body]


def plain_text(text: str) -> str:
    """Text for a terminal or a page: characters that steer either are shown as escapes.

    Control characters move the cursor; those that turn the direction of writing (bidi) make text read as another.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(c) if c not in "\n\t" and category(c) in ("Cc", "Cf", "Cs") else c for c in text)


def page_text(text: str) -> str:
    """Text as it may stand in a page of HTML, between tags or in quotes."""
    from html import escape  # with its table of two thousand names, which most commands do without

    return escape(plain_text(text.replace("\r\n", "\n")))


def _escaped(character: str) -> str:
    return f"\\u{ord(character):04x}"
