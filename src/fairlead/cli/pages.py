"""Writing a page and opening it, wherever the command runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from fairlead.pages import has_display


def write_page(path: Path, text: str, sources: Sequence[Path]) -> None:
    """Write a page; never over one of the files it was made from."""
    for source in sources:
        if path.exists() and source.exists() and path.samefile(source):
            raise click.UsageError(f"the page cannot be written over the result {source}; name another with -o")
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        from fairlead.results import ResultError

        raise ResultError(f"{path}: cannot be written ({error.strerror}); choose another place with -o") from None


def offer(path: Path) -> None:
    """Open a page in the browser of the user; where there is no display, say how to look at it."""
    if not has_display():
        click.echo("there is no display here: open the page in a browser", err=True)
        return
    import webbrowser

    if not webbrowser.open(path.resolve().as_uri()):
        click.echo("no browser was found: open the page in one", err=True)
