"""`fairlead plot`: pictures of a result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from . import exits
from .as_written import as_written
from .known_names import completed_by, pictures
from .places import PICTURES, require_folder
from .spans import since


@click.command(
    short_help="Draw pictures of a result.",
    epilog="""\b
Examples:
  fairlead plot mooring.nc                     every picture, here
  fairlead plot mooring.nc -o pictures         ... in a folder
  fairlead plot mooring.nc --kind energy -o energy.svg
  fairlead plot mooring.nc --kind tension_history --kind energy --format pdf

\b
Kinds:
  geometry          snapshots in 3D with the surface and the seabed
  tension_history   tension at the ends of each cable over time
  tension_along     tension along each cable
  envelopes         least, mean and largest tension, curvature, moment, speed and height along cables
  spectra           at which periods the tension varies
  statistics        a table of mean, std, min, max, significant range and rainflow cycles of tension
  lift              tension at the winch, line out and height of the load (systems with a winch)
  energy            where energy came from and went, and what the balance leaves over
  tether_links      lengths of the links and their energies (formulation tether)
  floaters          motion of hulls, force of the water, swing and stretch of their cables (systems with hydro)
  free_surface      the water round the hulls when it is most disturbed (systems with hydro)

"""
    + exits.EPILOG,
)
@click.argument("result", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder, or one picture's file. [default: here]")
@click.option(
    "--kind", "kinds", multiple=True, metavar="KIND", help="Which picture; repeatable. [default: all]",
    shell_complete=completed_by(pictures),
)  # fmt: skip
@click.option("--after", type=float, metavar="TIME", help="Leave out what came before this time, in s.")
@click.option("--format", "form", type=click.Choice(["png", "svg", "pdf"]), default="png", show_default=True)
def command(result: Path, output: Path | None, kinds: tuple[str, ...], after: float | None, form: str) -> None:
    """Draw pictures of RESULT, a file that `fairlead run` wrote (also while the run still goes on)."""
    from fairlead.results import open_result

    if output is not None and output.suffix.lower() in PICTURES:
        _require_one(output, kinds)
    dataset = since(open_result(result), after)
    with as_written(result):
        if output is not None and output.suffix.lower() in PICTURES:
            from fairlead.view import figures, save

            (figure,) = figures(dataset, kinds or ("geometry",)).values()
            click.echo(save(figure, output))
        else:
            draw(dataset, output or Path(), kinds, form, stem="" if output else f"{result.stem}_")


def _require_one(output: Path, kinds: tuple[str, ...]) -> None:
    """A file holds one picture: that of the kind asked for, or the geometry."""
    if len(kinds) > 1:
        raise click.UsageError(f"{output} holds one picture, not {len(kinds)} kinds; name a folder with -o")
    require_folder(output)


def draw(dataset: Any, folder: Path, kinds: tuple[str, ...], form: str, quiet: bool = False, stem: str = "") -> None:
    """Write pictures of a Dataset and name their files."""
    from fairlead.view import save_all

    for path in save_all(dataset, folder, kinds or None, form, stem).values():
        if not quiet:
            click.echo(path)
