"""Names that the program knows, offered by the shell where one of them is to be typed (`fairlead completion`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click

Completion = Callable[[click.Context, click.Parameter, str], list[str]]


def completed_by(names: Callable[[], Iterable[str]]) -> Completion:
    """`shell_complete` of an argument or option that takes one of these; they are asked for when Tab is pressed."""

    def complete(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
        return [name for name in names() if name.startswith(begun)]

    return complete


def formulations() -> Iterable[str]:
    """How cables may be simulated."""
    from fairlead.formulations import NAMES

    return NAMES


def checks() -> Iterable[str]:
    """What `fairlead verify` knows."""
    from fairlead.studies import verification

    return verification.names()


def measurements() -> Iterable[str]:
    """What `fairlead bench` knows."""
    from fairlead.studies import benchmarks

    return benchmarks.names()


def pictures() -> Iterable[str]:
    """What `fairlead plot` draws."""
    from fairlead.view.catalogue import KINDS

    return KINDS


def catalogue() -> Iterable[str]:
    """Kinds of line in the catalogue."""
    from fairlead.model.catalogue import CATALOGUE

    return CATALOGUE
