"""`--help` on a terminal of any width: examples and tables of words are fitted to it, not cut or folded by it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

import click

AS_IT_STANDS = "\b"
"""How click is told that a paragraph has lines of its own."""
_TWO_COLUMNS = re.compile(r"(\s*)(\S.*?)\s{2,}(\S.*)")
_OPTION = re.compile(r"(\s--?\S+) (?=[^\s-])")
BOUND = "\0"
"""Stands between an option and its value while a command is folded."""
NARROW = 24
"""A first column that words may stand beside; beyond it they stand below."""


class HelpFormatter(click.HelpFormatter):
    """Click's, with the paragraphs that have lines of their own fitted to its width."""

    def write_text(self, text: str) -> None:
        room = max(self.width - self.current_indent, 30)
        super().write_text("\n\n".join(fitted(paragraph, room) for paragraph in text.split("\n\n")))


class HelpContext(click.Context):
    formatter_class = HelpFormatter


def fit_to_terminal(command: click.Command) -> click.Command:
    """A command, and those below it, whose help fits the terminal."""
    command.context_class = HelpContext
    if isinstance(command, click.Group):
        for below in command.commands.values():
            fit_to_terminal(below)
    return command


def fitted(paragraph: str, room: int) -> str:
    """A paragraph of lines in so many columns; one that has no table in it becomes one that click folds."""
    mark, _, body = paragraph.partition("\n")
    if mark.strip(" ") != AS_IT_STANDS:
        return paragraph
    lines = body.splitlines()
    if not any(line.startswith(" ") for line in lines):
        return body
    tabled = [found for found in map(_TWO_COLUMNS.fullmatch, lines) if found]
    beside = all(found.start(3) <= NARROW for found in tabled) or all(len(line) <= room for line in lines)
    return "\n".join([AS_IT_STANDS, *(part for line in lines for part in _fitted_line(line, room, beside))])


def _fitted_line(line: str, room: int, beside: bool) -> Iterator[str]:
    found = _TWO_COLUMNS.fullmatch(line)
    indent = " " * (len(line) - len(line.lstrip()))
    if found and not beside:
        yield from _command(found[1] + found[2], room, indent)
        yield from textwrap.wrap(found[3], room, initial_indent=indent + "    ", subsequent_indent=indent + "    ")
    elif len(line) <= room:
        yield line
    elif found:
        first = line[: found.start(3)]
        yield from textwrap.wrap(found[3], room, initial_indent=first, subsequent_indent=" " * len(first))
    else:
        yield from _command(line, room, indent)


def _command(line: str, room: int, indent: str) -> Iterator[str]:
    """A command that may be copied as it stands: a line that goes on ends as a shell wants it."""
    bound = _OPTION.sub(f"\\1{BOUND}", line)
    hanging = indent + "    "
    parts = textwrap.wrap(bound, room - 2, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)
    parts = [part.replace(BOUND, " ") for part in parts]
    yield from (f"{part} \\" for part in parts[:-1])
    yield from parts[-1:]
