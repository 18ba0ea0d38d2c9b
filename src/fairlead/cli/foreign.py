"""Options of every command that takes a model, for the models of other programs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from .turbines import Position, Turbines

if TYPE_CHECKING:
    from fairlead.exchange import Reading

columns = click.option(
    "--columns",
    type=click.Choice(["auto", "v1", "v2"]),
    default="auto",
    help="Of a MoorDyn file, the drag and added-mass columns: by their number (auto, v2), or Ca CaAx Cd CdAx (v1).",
)
turbines = click.option(
    "--turbines",
    type=Turbines(),
    multiple=True,
    help="Of a farm's file, where turbine N stands, repeatable; or FAST.Farm's file that says it.",
)
partial = click.option(
    "--partial", is_flag=True, help="Of another program's file take what there is, though something is missing."
)


def foreign_models(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options for models of other programs, as its one argument `reading`."""

    @functools.wraps(command)
    def with_reading(columns: Any, turbines: tuple[dict[int, Position], ...], partial: bool, **others: Any) -> None:
        command(reading=reading_of(columns, turbines, partial), **others)

    for option in (partial, turbines, columns):
        with_reading = option(with_reading)
    return with_reading


def reading_of(columns: Any, turbines: tuple[dict[int, Position], ...], partial: bool) -> Reading:
    """The options as one; of a turbine that is placed twice the last place counts."""
    from fairlead.exchange import Reading

    return Reading(columns, {number: at for places in turbines for number, at in places.items()}, partial)
