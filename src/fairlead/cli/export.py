"""`fairlead export`: a result for spreadsheets, MATLAB and ParaView."""

from __future__ import annotations

from pathlib import Path

import click

from . import exits
from .places import require_folder


@click.command(
    short_help="Write a result as CSV, Excel, MATLAB or VTK.",
    epilog="""\b
Examples:
  fairlead export mooring.nc -o mooring.csv             tension at the ends, end forces, points
  fairlead export mooring.nc -o mooring.xlsx            the same, a sheet a cable
  fairlead export mooring.nc -o mooring.csv --variable tension_effective --cable line --every 0.5
  fairlead export mooring.nc -o mooring.mat             every variable, as arrays
  fairlead export mooring.nc -o mooring.vtk             lines over time: open mooring.vtk.series in ParaView

\b
Titles of columns are those of the inputs and outputs of a simulation with their unit, such as
line.force_end.x [N]; a place along a cable is its unstretched distance from the start, as in
line.tension_effective@385 m [N].

"""
    + exits.EPILOG,
)
@click.argument("result", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="File; its ending tells how.")
@click.option("--cable", "cables", multiple=True, help="Only this cable; repeatable. [default: all]")
@click.option("--variable", "variables", multiple=True, help="This variable, at every node; repeatable.")
@click.option("--every", type=float, metavar="TIME", help="Only the samples nearest to multiples of this time, in s.")
def command(
    result: Path, output: Path, cables: tuple[str, ...], variables: tuple[str, ...], every: float | None
) -> None:
    """Write RESULT, a file that `fairlead run` wrote, as other programs read it: .csv, .xlsx, .mat or .vtk."""
    from fairlead.exchange import Choice, export
    from fairlead.results import open_result

    require_folder(output)
    if output.exists() and result.exists() and output.samefile(result):
        raise click.UsageError(f"the result {result} cannot be written over itself; name another file with -o")
    written = export(open_result(result), output, Choice(cables or None, variables or None, every))
    click.echo(written[0] if len(written) == 1 else f"{written[0]} and {len(written) - 1} files it names")
