"""Where a command may write, found out before the work begins."""

from __future__ import annotations

from pathlib import Path

import click

PICTURES = (".png", ".svg", ".pdf")


def require_folder(output: Path) -> None:
    """A file goes into a folder that is there: one that is made for a slip of the pen is soon lost."""
    if not output.parent.is_dir():
        raise click.UsageError(f"{output}: there is no folder {output.parent}; create it or choose another with -o")
