"""Options of every command that takes a model, for the models of other programs."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from fairlead.exchange import Reading

Position = tuple[float, float, float]


class Turbines(click.ParamType):  # type: ignore[type-arg]
    """`1=0,0` or `2=1600,0,0`: where a turbine stands; or a file of FAST.Farm, which says it of all of them."""

    name = "n=x,y[,z]|fstf"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[int, Position]:
        if isinstance(value, dict):
            return value
        number, given, rest = str(value).partition("=")
        if not given:
            return self._of_farm(Path(number), param, ctx)
        try:
            x, y, *z = (float(part) for part in rest.split(","))
            if len(z) > 1 or not all(map(math.isfinite, (x, y, *z))):
                raise ValueError
            return {int(number): (x, y, z[0] if z else 0.0)}
        except ValueError:
            self.fail(f"'{value}' is not of the form 1=x,y or 1=x,y,z, in finite numbers", param, ctx)

    def _of_farm(self, file: Path, param: click.Parameter | None, ctx: click.Context | None) -> dict[int, Position]:
        from fairlead.exchange.encoding import text_of
        from fairlead.exchange.moordyn.farm import turbines_of
        from fairlead.model import ModelError

        try:
            found = turbines_of(text_of(file))
        except ModelError as error:
            why = error.problems[0].message
            self.fail(f"'{file}' is not of the form 1=x,y or 1=x,y,z, and no file to be read: {why}", param, ctx)
        if not found:
            self.fail(f"{file} holds no table of turbines (WT_X WT_Y WT_Z)", param, ctx)
        return found


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
