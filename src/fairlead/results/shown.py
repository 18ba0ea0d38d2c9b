"""How systems, simulations, equilibria and modes show themselves: a small table, as text and in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairlead.words import aligned

MOST_ROWS = 12


@dataclass(frozen=True)
class Shown:
    """title and facts, a line each; rows of a table, its titles first; notes: what a user should know."""

    title: str
    facts: str
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    def text(self) -> str:
        """For a terminal."""
        table = aligned([list(row) for row in self._few()]) if len(self.rows) > 1 else []
        lines = [self.title, self.facts, *table, *self._rest(), *(f"warning: {note}" for note in self.notes)]
        return "\n".join(line for line in lines if line)

    def html(self) -> str:
        """For a notebook, in its own style."""
        from html import escape  # with its table of two thousand names, which a run needs not

        head, *body = self._few()

        def cells(row: Sequence[str], tag: str) -> str:
            return "".join(f'<{tag} style="text-align: left">{escape(cell)}</{tag}>' for cell in row)

        out = [f"<b>{escape(self.title)}</b><br>" if self.title else "", escape(self.facts)]
        if body:
            rows = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in body)
            out.append(f"<table><thead><tr>{cells(head, 'th')}</tr></thead><tbody>{rows}</tbody></table>")
        out += [escape(line) for line in self._rest()]
        if self.notes:
            out.append("<ul>" + "".join(f"<li>warning: {escape(note)}</li>" for note in self.notes) + "</ul>")
        return f"<div>{''.join(out)}</div>"

    def _few(self) -> Sequence[Sequence[str]]:
        return self.rows[: MOST_ROWS + 1]

    def _rest(self) -> list[str]:
        rest = len(self.rows) - 1 - MOST_ROWS
        return [f"... and {rest} more"] if rest > 0 else []
