"""A few pieces of HTML; every text that goes in is escaped."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fairlead.words import page_text as escape

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LARGEST_DRAWING = 400_000  # bytes of vector graphics, above which a picture is smaller


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], numeric: int = 99) -> str:
    """A table; columns from ``numeric`` on are set as numbers. On a phone every row stands by itself, with the heads
    beside its cells, so that nothing is cut."""

    def cells(row: Sequence[str], tag: str) -> str:
        return "".join(
            f"<{tag}{' class=number' if k >= numeric else ''}{_head(heads, k) if tag == 'td' else ''}>"
            f"{escape(cell)}</{tag}>"
            for k, cell in enumerate(row)
        )

    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{cells(heads, "th")}</tr></thead><tbody>{body}</tbody></table></div>'


def _head(heads: Sequence[str], k: int) -> str:
    """The head of a cell, for where columns do not fit beside each other."""
    return f' data-head="{escape(heads[k])}"' if k < len(heads) and heads[k] else ""


def section(title: str, *parts: str) -> str:
    """A part of the report under a heading."""
    return f"<section><h2>{escape(title)}</h2>{''.join(parts)}</section>"


def folded(title: str, text: str) -> str:
    """A long text that opens on a click."""
    return f"<details><summary>{escape(title)}</summary><pre>{escape(text)}</pre></details>"


def picture(figure: Figure, words: str) -> str:
    """A figure inside the page: as vector graphics, or as an image where those would be large."""
    from ..catalogue import save_to

    drawing = io.BytesIO()
    save_to(figure, drawing, "svg")
    kind, data = "svg+xml", drawing.getvalue()
    if len(data) > LARGEST_DRAWING:
        image = io.BytesIO()
        save_to(figure, image, "png")
        kind, data = "png", image.getvalue()
    text = base64.b64encode(data).decode("ascii")
    return f'<figure><img alt="{escape(words)}" src="data:image/{kind};base64,{text}"></figure>'
