"""`fairlead import`: a model of another program as a file of ours."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import exits
from .foreign import foreign_models
from .json_output import echo_json
from .places import require_folder
from .tables import Column, Table

if TYPE_CHECKING:
    from fairlead.exchange import Imported, Reading

PROGRAMS = ("moordyn", "moorpy")
ORDER = ("missing", "doubtful", "changed", "dropped", "taken")


@click.command(
    "import",
    short_help="Make a model file of a MoorDyn or MoorPy one.",
    epilog="""\b
Examples:
  fairlead import lines.txt -o mooring.yaml
  fairlead import moordyn lines.dat                     only tells what would become of it
  fairlead import moordyn old.dat -o old.yaml --columns v1
  fairlead import moordyn farm.dat -o farm.yaml --turbines 1=0,0 --turbines 2=1600,0
  fairlead import moorpy system.yaml -o system.yaml

\b
Every entry of the file written names the line it came from. Commands that take a model also take lines.txt itself.

"""
    + exits.EPILOG,
)
@click.argument("what", nargs=-1, required=True, metavar="[moordyn | moorpy] FILE")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Model file to write. [default: none]")
@foreign_models
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.option("--json", "as_json", is_flag=True, help="Print what became of it as JSON.")
def command(
    what: tuple[str, ...],
    output: Path | None,
    force: bool,
    as_json: bool,
    reading: Reading,
) -> None:
    """Read FILE, a model of MoorDyn or MoorPy, and write it as a file of ours. Which of them wrote it is found in FILE.

    Tells what was taken over, what was changed and why, what was dropped because it has no effect here, what is
    doubtful (taken over, and probably not what was meant) and what is missing here. A missing current, sea or seabed
    and what only changes a motion stand at the head of the file and in its title; where there is no state of rest
    without what is missing, nothing is written without --partial.
    """
    program, file = _program_and_file(what)
    if output is not None:
        require_folder(output)
        if output.exists() and not force:
            raise click.UsageError(f"{output} is there already; name another with -o, or replace it with --force")
    found = _read(program, file, reading)
    spoiled = bool(found.notes.spoiling(motion=False)) and not reading.partial
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
        text = f"{file}: there is no state of rest without what is missing; --partial writes what there is"
        click.echo(text, err=True)
        sys.exit(exits.BAD_INPUT)


def _program_and_file(what: tuple[str, ...]) -> tuple[str | None, Path]:
    """The program that wrote a file, where it is named, and the file."""
    if len(what) == 2 and what[0] in PROGRAMS:
        return what[0], Path(what[1])
    if len(what) == 1 and what[0] not in PROGRAMS:
        return None, Path(what[0])
    raise click.UsageError("name one file, of MoorDyn or MoorPy: fairlead import lines.txt -o mooring.yaml")


def _read(program: str | None, file: Path, reading: Reading) -> Imported:
    if program is None:
        from fairlead.exchange.opening import imported

        found = imported(file, reading)
        if found is None:
            text = f"{file}: is no file of MoorDyn or MoorPy; name its program: fairlead import moordyn {file}"
            raise click.UsageError(text)
        return found
    if program == "moorpy":
        from fairlead.exchange import read_moorpy

        return read_moorpy(file)
    from fairlead.exchange import read_moordyn

    return read_moordyn(file, reading.columns, reading.turbines)


def _print(found: Imported, output: Path | None) -> None:
    table = Table(Column("", 8), Column("line", 5), Column("what", 24), Column("", 60))
    click.echo(table.head())
    for kind in ORDER:
        for note in found.notes:
            if note.kind == kind:
                click.echo(table.row(kind, "" if note.line is None else str(note.line), note.what, note.why))
    if output is not None:
        click.echo(f"{output}   (try: fairlead statics {output})")
