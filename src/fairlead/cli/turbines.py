"""Where the turbines of a farm stand, as an option of a command says it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click

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
