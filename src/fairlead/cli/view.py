"""`fairlead view`: results in 3D, as a page for any browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import exits
from .as_written import as_written
from .at_rest import equilibrium_of
from .foreign import foreign_models
from .models import MODELS
from .pages import offer, write_page
from .places import require_folder

if TYPE_CHECKING:
    import xarray as xr

    from fairlead.exchange import Reading


@click.command(
    short_help="Replay results in 3D, in the browser.",
    epilog="""\b
Examples:
  fairlead view mooring.nc                          writes mooring.html and opens it
  fairlead view mooring.nc -o page.html --no-open   for a machine without a display
  fairlead view bars.nc lumped.nc -o both.html      over one another, to compare
  fairlead view comparison/tow_compare.nc           what `fairlead compare` wrote
  fairlead view mooring.yaml                        a model as it rests; lines.txt of MoorDyn too

\b
The page is one file below 15 MB that works without a network: send it, keep it, show it. Positions are within
1 cm of the result (the page says how close), and samples that lie on the line between others are left out. Add
#t=120&view=side&colour=speed&theme=dark&cable=NAME&play=1 to its address to open it in that state.

"""
    + exits.EPILOG,
)
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RESULT...")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Page. [default: RESULT's name with .html, here]")
@foreign_models
@click.option("--no-open", is_flag=True, help="Only write the page.")
def command(results: tuple[Path, ...], output: Path | None, no_open: bool, reading: Reading) -> None:
    """Write a page that replays one RESULT, or several over one another, and open it in the browser.

    A model file in place of a result is shown as it rests. Cables are coloured by tension, curvature or speed. Play,
    turn and zoom; click a cable to see its tension along its length and over time.
    """
    from fairlead.view.replay import replay_page

    with as_written(*results):
        found = _opened(results, reading)
        output = output or Path(results[0].with_suffix(".html").name)
        require_folder(output)
        page = replay_page(found)
    write_page(output, page, results)
    click.echo(output)
    if not no_open:
        offer(output)


def _opened(paths: tuple[Path, ...], reading: Reading) -> dict[str, xr.Dataset]:
    """Results by name; models as they rest."""
    from fairlead.view.replay import open_results

    results = [path for path in paths if path.suffix.lower() not in MODELS]
    at_rest = {path.stem: equilibrium_of(path, (), reading).dataset() for path in paths if path not in results}
    return (open_results(results) if results else {}) | at_rest
