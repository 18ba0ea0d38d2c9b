"""What `fairlead statics` and `fairlead modes` share: from a file to its equilibrium."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import exits
from .afloat import rest_warnings
from .models import model_of
from .notes import warn
from .places import PICTURES

if TYPE_CHECKING:
    from fairlead.exchange import Reading
    from fairlead.model import System
    from fairlead.statics import Equilibrium


def equilibrium_of(file: Path, settings: tuple[tuple[str, Any], ...], reading: Reading) -> Equilibrium:
    """The equilibrium of a file's system; where there is none, says so and ends the program."""
    return rest_of(model_of(file, dict(settings), motion=False, reading=reading))


def rest_of(system: System) -> Equilibrium:
    """The equilibrium of a system; where there is none, says so and ends the program."""
    from fairlead.algebra.compiled import is_compiled

    compiled = is_compiled(system.simulation.formulation)
    if not compiled:
        click.echo("compiling (once, about half a minute)", err=True)
    from fairlead.statics import StaticsError, solve

    try:
        if not compiled:
            from .compiling import find_rest, step_beside

            with step_beside(system):
                find_rest(system)
        warn(rest_warnings(system))
        rest = solve(system)
    except StaticsError as error:
        click.echo(str(error), err=True)
        sys.exit(exits.STOPPED)
    import numpy as np

    from fairlead.shape.line_distance import touching_lines

    places = {name: np.asarray(rest.outputs[f"{name}.position"]) for name in system.cables}
    warn((*rest.notes, *touching_lines(system, places)))
    return rest


def require_output(output: Path | None, file: Path) -> None:
    """Turn down an output that is no NetCDF file and no picture, or the input itself, before any work is done."""
    if output is None:
        return
    if output.suffix.lower() not in (".nc", *PICTURES):
        kinds = ", ".join((".nc", *PICTURES))
        raise click.UsageError(f"cannot write {output}: its name must end in one of {kinds}")
    if output.exists() and file.exists() and output.samefile(file):
        raise click.UsageError(f"the result cannot be written over the input file {file}; name another with -o")


def place_text(position: list[float]) -> str:
    """A place as (x, y, z) m, to the millimetre."""
    return "({}) m".format(", ".join(f"{round(value, 3) + 0.0:.7g}" for value in position))
