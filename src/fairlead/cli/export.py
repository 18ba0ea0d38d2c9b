"""`fairlead export`: a result for spreadsheets, MATLAB and ParaView; a model for MoorDyn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import exits
from .as_written import as_written
from .foreign import foreign_models
from .models import MODELS, model_of
from .places import require_folder

if TYPE_CHECKING:
    from fairlead.exchange import Reading
    from fairlead.model import System


DECKS = (".txt", ".dat")
"""Endings of MoorDyn files."""


@click.command(
    short_help="Write a result as CSV, Excel, MATLAB, VTK; a model for MoorDyn.",
    epilog="""\b
Examples:
  fairlead export mooring.nc -o mooring.csv             tension and forces at the ends, line out, places and angles
  fairlead export mooring.nc -o mooring.xlsx            the same, a sheet a cable
  fairlead export mooring.nc -o mooring.csv --variable tension_effective --cable line --every 0.5
  fairlead export mooring.nc -o mooring.mat             every variable, as arrays
  fairlead export mooring.nc -o mooring.vtk             lines over time: open mooring.pvd in ParaView
  fairlead export mooring.nc -o mooring.out             tensions at the ends, as MoorDyn's table
  fairlead export storm.study -o storm.xlsx             a study: scenarios, statistics, extremes, worst cases
  fairlead export mooring.yaml -o lines.txt             the model itself, as a MoorDyn file

\b
Titles of columns are those of the inputs and outputs of a simulation with their unit, such as
line.force_end.x [N]; a place along a cable is its unstretched distance from the start, as in
line.tension_effective@385 m [N].

"""
    + exits.EPILOG,
)
@click.argument("what", nargs=-1, required=True, metavar="RESULT | STUDY | MODEL")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="File; its ending tells how.")
@click.option("--cable", "cables", multiple=True, help="Only this cable; repeatable. [default: all]")
@click.option("--variable", "variables", multiple=True, help="This variable, at every node; repeatable.")
@foreign_models
@click.option("--every", type=float, metavar="TIME", help="Only the samples nearest to multiples of this time, in s.")
def command(
    what: tuple[str, ...],
    output: Path,
    cables: tuple[str, ...],
    variables: tuple[str, ...],
    every: float | None,
    reading: Reading,
) -> None:
    """Write RESULT, a file that `fairlead run` wrote, as other programs read it: .csv, .xlsx, .mat, .vtk, .pvd or .out.

    STUDY is the folder of a study: a row a scenario as .csv; as .xlsx also statistics, extremes and worst cases.

    MODEL is written as an input file of MoorDyn 2, with files beside it for its seabed,
    current, waves and ropes. What is said in another way there or left out is told; a model of which MoorDyn would make
    another one is refused, and what it cannot hold named.
    """
    require_folder(output)
    if len(what) == 2 and what[0] == "moordyn":
        _to_moordyn(Path(what[1]), output, reading)
        return
    if len(what) != 1:
        raise click.UsageError("one result is written at a time, or `moordyn` and a model file")
    if Path(what[0]).suffix.lower() in MODELS and Path(what[0]).is_file():
        if output.suffix.lower() not in DECKS:
            raise click.UsageError(
                f"{what[0]} is a model: run it and export its result, or write it for MoorDyn with -o lines.txt"
            )
        _to_moordyn(Path(what[0]), output, reading)
        return
    if _is_study(Path(what[0])):
        from fairlead.study.exporting import export_study

        for place in export_study(Path(what[0]), output):
            click.echo(place)
        return
    from fairlead.exchange import Choice, export
    from fairlead.results import open_result

    result = Path(what[0])
    if output.exists() and result.exists() and output.samefile(result):
        raise click.UsageError(f"the result {result} cannot be written over itself; name another file with -o")
    dataset = open_result(result)
    with as_written(result):
        written = export(dataset, output, Choice(cables or None, variables or None, every))
    first, *others = written
    click.echo(f"{first} and {len(others)} files in {others[0].parent} that it names" if others else first)


def _is_study(path: Path) -> bool:
    """Whether it looks like the folder of a study, or the result in one; decided without loading what runs studies."""
    return ".study" in (path.suffix, path.parent.suffix) or (path / "result.nc").exists()


def _to_moordyn(file: Path, output: Path, reading: Reading) -> None:
    """Write a model as a MoorDyn file and say what is not in it as it was."""
    from fairlead.exchange import write_moordyn
    from fairlead.exchange.notes import Notes
    from fairlead.sea.waves import wave_components

    system = model_of(file, reading=reading)
    if output.exists() and output.samefile(file):
        raise click.UsageError(f"the model {file} cannot be written over itself; name another file with -o")
    notes, waves = Notes(), wave_components(system.environment)
    for name, text in write_moordyn(system, beginnings(system), notes, waves).items():
        place = output.with_name(name) if name else output
        try:
            place.write_text(text, encoding="utf-8")
        except OSError as error:
            raise click.UsageError(f"cannot write {place}: {error.strerror}; choose another place with -o") from error
        click.echo(place)
    for note in notes:
        click.echo(f"{note.kind}: {note.what}: {note.why}")


def beginnings(system: System) -> dict[str, tuple[float, float, float]]:
    """Where free points without a place rest, and joints between the lines that a cable is made of there."""
    from fairlead.exchange.moordyn.line_writing import lines_of

    placeless = [name for name, point in system.points.items() if point.kind == "free" and point.position is None]
    joints = lines_of(system)[1]
    if not placeless and not joints:
        return {}
    from .at_rest import rest_of

    rest = rest_of(system).outputs
    places: dict[str, Any] = {name: rest[f"{name}.position"] for name in placeless}
    places |= {joint.name: rest[f"{joint.cable}.position"][joint.node] for joint in joints}  # type: ignore[index]
    return {name: (float(x), float(y), float(z)) for name, (x, y, z) in places.items()}
