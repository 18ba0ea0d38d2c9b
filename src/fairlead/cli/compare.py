"""`fairlead compare`: the same system by several formulations."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import exits
from .foreign import foreign_models
from .json_output import echo_json
from .models import model_of, warnings_in
from .overrides import Setting, read_value
from .places import PICTURES, require_folder
from .tables import Column, Table

if TYPE_CHECKING:
    from fairlead.exchange import Reading
    from fairlead.simulate.progress import Progress


class StepOf(click.ParamType):  # type: ignore[type-arg]
    """`NAME=TIME` for one formulation, or `TIME` for all."""

    name = "[name=]time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Any]:
        if isinstance(value, tuple):
            return value
        name, sign, text = str(value).rpartition("=")
        if not text.strip() or (sign and not name.strip()):
            self.fail(f"'{value}' is neither a step nor of the form NAME=STEP, such as lumped=0.01", param, ctx)
        return name.strip(), read_value(text)


@click.command(
    short_help="Run a system by several formulations and compare them.",
    epilog="""\b
Examples:
  fairlead compare tow.yaml                            all formulations that can run it
  fairlead compare tow.yaml --with bars,lumped         two of them; the others are held against the first
  fairlead compare tow.yaml --step lumped=0.01 -o tow.png
  fairlead compare tow.yaml -o comparison              a folder with the picture and all numbers as NetCDF
  fairlead compare tow.yaml --json | jq '.formulations[].cpu_time'

\b
End force is that of the end which the first formulation pulls hardest. Shapes are told apart by the largest
distance of a node from its place by the first one; where a formulation divides a cable otherwise, its shape is
interpolated along the cable. Energy is what the balance leaves over, as a part of the energy exchanged.

"""
    + exits.EPILOG,
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--with", "names", metavar="NAME,...", help="Formulations, the reference first. [default: all]")
@click.option("--step", "steps", type=StepOf(), multiple=True, help="Time step, for all or for one; repeatable.")
@click.option("--duration", metavar="TIME", help="Simulated time, in s or with a unit.")
@click.option("--output-every", metavar="TIME", help="Time between samples.")
@click.option(
    "--set", "changes", type=Setting(), multiple=True, help="Any other value of the file, by its path; repeatable."
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="A picture (.png, .svg, .pdf), .nc, or a folder.")
@foreign_models
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
def command(
    file: Path,
    names: str | None,
    steps: tuple[tuple[str, Any], ...],
    duration: str | None,
    output_every: str | None,
    changes: tuple[tuple[str, Any], ...],
    output: Path | None,
    as_json: bool,
    quiet: bool,
    reading: Reading,
) -> None:
    """Run the system in FILE by several formulations, print how they agree and what they cost, and draw them over
    one another.

    Formulations that cannot run the system are named with the reason.
    """
    from fairlead.studies.compare import compare, refusals, table

    if output is not None and output.suffix.lower() in (*PICTURES, ".nc"):
        require_folder(output)
    given = {"simulation.duration": duration, "simulation.output_every": output_every}
    wanted = {path: read_value(text) for path, text in given.items() if text is not None} | dict(changes)
    for name, step in steps:
        if not name:
            wanted["simulation.step"] = step
    system = model_of(file, wanted, reading=reading)
    settings: dict[str, dict[str, Any]] = {name: {"step": step} for name, step in steps if name}
    chosen = [name.strip() for name in names.split(",") if name.strip()] if names is not None else None
    found = compare(system, chosen, settings=settings, progress=None if quiet else _announced)
    rows, refused = table(found), refusals(found)
    files = _written(found, output, file.stem)
    if as_json:
        known = {"title": system.title, "warnings": warnings_in(system)}
        echo_json(known | {"formulations": rows, "refused": refused, "files": [str(p) for p in files]})
    else:
        _print(system.title, rows, refused, files)
    stopped = [row for row in rows if row["status"] != "complete"]
    interrupted = any(row["status"].startswith(("stopped: interrupted", "stopped: terminated")) for row in stopped)
    sys.exit(exits.INTERRUPTED if interrupted else exits.STOPPED if stopped else exits.OK)


def _announced(name: str) -> Progress:
    """Progress of one run, under its name."""
    from fairlead.simulate.progress import for_watcher

    click.echo(f"{name} ...", err=True)
    return for_watcher()


def _print(title: str, rows: list[dict[str, Any]], refused: dict[str, str], files: list[Path]) -> None:
    from fairlead.words import force, number, percentage

    if title:
        click.echo(title)
    printed = Table(
        Column("formulation", 12),
        Column("step", 8),
        Column("end force: max", 15),
        Column("last", 12),
        Column("shape: max", 18),
        Column("last", 10),
        Column("energy", 8),
        Column("CPU", 9),
        Column("steps", 9),
    )
    click.echo(printed.head())
    for i, row in enumerate(rows):
        share = f" ({percentage(row['shape_difference_max'] / row['length'])})"
        click.echo(
            printed.row(
                row["formulation"],
                f"{number(row['step'])} s",
                force(row["force_end_max"]),
                force(row["force_end_final"]),
                "-" if i == 0 else f"{number(row['shape_difference_max'], 3)} m{share}",
                "-" if i == 0 else f"{number(row['shape_difference_final'], 3)} m",
                "idle" if row["energy_idle"] else percentage(row["energy_error"]),
                f"{number(row['cpu_time'], 3)} s",
                str(row["steps"]),
            )
        )
    for row in rows:
        if row["status"] != "complete":
            click.echo(f"{row['formulation']}: {row['status']}")
    for name, reason in refused.items():
        click.echo(f"{name} cannot: {reason}")
    for path in files:
        click.echo(str(path))


def _written(found: Any, output: Path | None, stem: str) -> list[Path]:
    """Write what `-o` asks for."""
    if output is None:
        return []
    from fairlead.results import ResultError
    from fairlead.results.hdf5 import write_dataset
    from fairlead.view.catalogue import save
    from fairlead.view.compare import comparison

    picture, numbers = None, None
    if output.suffix.lower() in PICTURES:
        picture = output
    elif output.suffix == ".nc":
        numbers = output
    else:
        picture, numbers = output / f"{stem}_compare.png", output / f"{stem}_compare.nc"
    try:
        if picture is not None and numbers is not None:
            output.mkdir(parents=True, exist_ok=True)
        if numbers is not None:
            write_dataset(found, numbers)
    except OSError as error:
        raise ResultError(f"{output}: cannot be written ({error.strerror}); choose another place with -o") from error
    if picture is not None:
        save(comparison(found), picture)
    return [path for path in (picture, numbers) if path is not None]
