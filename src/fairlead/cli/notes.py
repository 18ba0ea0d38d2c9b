"""What a user should know, on standard error: in colour for a person, plain in a pipe."""

from __future__ import annotations

import os
from collections.abc import Iterable

import click


def warn(notes: Iterable[str]) -> bool:
    """Show warnings and notes, each once in a command; True."""
    from fairlead.words import NOTE, plain_text

    context = click.get_current_context(silent=True)
    shown: set[str] = set() if context is None else context.meta.setdefault(__name__, set())
    for note in notes:
        if note in shown:
            continue
        shown.add(note)
        note = plain_text(note)
        click.echo(note if note.startswith(NOTE) else f"{coloured('warning:', 'yellow')} {note}", err=True)
    return True


def coloured(text: str, colour: str) -> str:
    """Text in a colour; click takes it out again where the output is no terminal, and NO_COLOR keeps it away."""
    return text if os.environ.get("NO_COLOR") else click.style(text, fg=colour, bold=True)
