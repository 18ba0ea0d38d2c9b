"""`fairlead import`: a model of another program as a file of ours."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import exits
from .json_output import echo_json
from .places import require_folder
from .tables import Column, Table

if TYPE_CHECKING:
    from fairlead.exchange.moordyn import Imported

ORDER = ("missing", "doubtful", "changed", "dropped", "taken")


class Place(click.ParamType):  # type: ignore[type-arg]
    """`1=0,0` or `2=1600,0,0`: where a turbine stands."""

    name = "n=x,y[,z]"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, tuple[float, float, float]]:
        if isinstance(value, tuple):
            return value
        number, _, rest = str(value).partition("=")
        try:
            x, y, *z = (float(part) for part in rest.split(","))
            if len(z) > 1:
                raise ValueError
            return int(number), (x, y, z[0] if z else 0.0)
        except ValueError:
            self.fail(f"'{value}' is not of the form 1=x,y or 1=x,y,z", param, ctx)


@click.command(
    "import",
    short_help="Make a model file of a MoorDyn or MoorPy one.",
    epilog="""\b
Examples:
  fairlead import moordyn lines.txt -o mooring.yaml
  fairlead import moordyn lines.dat                     only tells what would become of it
  fairlead import moordyn old.dat -o old.yaml --columns v1
  fairlead import moordyn farm.dat -o farm.yaml --turbines 1=0,0 --turbines 2=1600,0
  fairlead import moorpy system.yaml -o system.yaml

\b
Every entry of the file written names the line it came from. Commands that take a model also take lines.txt itself.

"""
    + exits.EPILOG,
)
@click.argument("program", type=click.Choice(["moordyn", "moorpy"]))
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Model file to write. [default: none]")
@click.option(
    "--columns",
    type=click.Choice(["auto", "v1", "v2"]),
    default="auto",
    help="Order of the drag and added-mass columns: by their number (auto, v2), or Ca CaAx Cd CdAx (v1).",
)
@click.option("--turbines", type=Place(), multiple=True, help="Where turbine N stands; repeatable.")
@click.option("--partial", is_flag=True, help="Write what there is, though something that matters is missing.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.option("--json", "as_json", is_flag=True, help="Print what became of it as JSON.")
def command(
    program: str,
    file: Path,
    output: Path | None,
    columns: Any,
    turbines: tuple[tuple[int, tuple[float, float, float]], ...],
    partial: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Read FILE, a model of PROGRAM, and write it as a file of ours.

    Tells what was taken over, what was changed and why, what was dropped because it has no effect here, what is
    doubtful (taken over, and probably not what was meant) and what is missing here. Where that would make the state of
    rest wrong nothing is written without --partial; what only changes a motion stands at the head of the file.
    """
    if output is not None:
        require_folder(output)
        if output.exists() and not force:
            raise click.UsageError(f"{output} is there already; name another with -o, or replace it with --force")
    found = _read(program, file, columns, dict(turbines))
    spoiled = bool(found.notes.spoiling(motion=False)) and not partial
    written = output is not None and not spoiled
    if written and output is not None:
        try:
            output.write_text(found.yaml, encoding="utf-8")
        except OSError as error:
            raise click.UsageError(f"cannot write {output}: {error.strerror}; choose another place with -o") from error
    if as_json:
        notes = [note.__dict__ for note in found.notes]
        echo_json({"file": str(file), "output": str(output) if written else None, "notes": notes})
    else:
        _print(found, output if written else None)
    if spoiled:
        click.echo(f"{file}: what is missing changes where the system rests; --partial writes what there is", err=True)
        sys.exit(exits.BAD_INPUT)


def _read(program: str, file: Path, columns: Any, turbines: dict[int, tuple[float, float, float]]) -> Imported:
    if program == "moorpy":
        from fairlead.exchange import read_moorpy

        return read_moorpy(file)
    from fairlead.exchange import read_moordyn

    return read_moordyn(file, columns, turbines)


def _print(found: Imported, output: Path | None) -> None:
    table = Table(Column("", 8), Column("line", 5), Column("what", 24), Column("", 60))
    click.echo(table.head())
    for kind in ORDER:
        for note in found.notes:
            if note.kind == kind:
                click.echo(table.row(kind, "" if note.line is None else str(note.line), note.what, note.why))
    if output is not None:
        click.echo(f"{output}   (try: fairlead statics {output})")
