"""`fairlead report`: a result as one page to hand on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import exits
from .as_written import as_written
from .foreign import foreign_models
from .models import MODELS, model_of
from .pages import offer, write_page
from .places import require_folder
from .spans import since

if TYPE_CHECKING:
    from fairlead.exchange import Reading


class WithUnit(click.ParamType):  # type: ignore[type-arg]
    """A number in an SI unit, or with a unit of its own: 250kN."""

    def __init__(self, unit: str):
        self.name = unit
        self._unit = unit

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        from fairlead.model.units import UnitError, read_quantity

        try:
            return float(value)
        except ValueError:
            pass
        try:
            return read_quantity(str(value), self._unit)
        except UnitError as error:
            self.fail(f"'{value}' is not a number in {self._unit}: {error}", param, ctx)


@click.command(
    short_help="Write a report of a result, to hand on.",
    epilog="""\b
Examples:
  fairlead report mooring.nc                             writes mooring_report.html and opens it
  fairlead report mooring.nc -o mooring.pdf              printed by Chromium, when it is there
  fairlead report lines.txt                              runs a model, of MoorDyn too, and reports
  fairlead report lift.nc --tension-max 80kN --landing-speed 0.5

\b
One file without others beside it: key numbers, checks, statistics, figures, what was run and how. For a system
with a winch it also answers what is asked of a lift: largest tension, slack, snap and landing speed, against the
limits given here.

"""
    + exits.EPILOG,
)
@click.argument("result", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Report, .html or .pdf. [default: *_report.html]")
@click.option("--tension-max", type=WithUnit("N"), help="Tension that must not be passed, in N or with a unit.")
@click.option("--tension-min", type=WithUnit("N"), help="Tension that must be kept everywhere.")
@click.option("--landing-speed", type=WithUnit("m/s"), help="Largest speed at which a load may land.")
@click.option("--after", type=float, metavar="TIME", help="Leave out what came before this time, in s.")
@foreign_models
@click.option("--no-open", is_flag=True, help="Only write the report.")
def command(
    result: Path,
    output: Path | None,
    tension_max: float | None,
    tension_min: float | None,
    landing_speed: float | None,
    after: float | None,
    no_open: bool,
    reading: Reading,
) -> None:
    """Write a report of RESULT as one page: key numbers, checks, figures, input and settings.

    A model file in place of a result is run first, and its result kept nowhere else.
    """
    from fairlead.view.report import Limits, print_pdf, report_page

    output = output or Path(f"{result.stem}_report.html")
    if output.suffix.lower() not in (".html", ".htm", ".pdf"):
        raise click.UsageError(f"{output}: a report is written as .html or .pdf; give it such a name with -o")
    require_folder(output)
    dataset = since(_opened(result, reading), after)
    with as_written(result):
        page = report_page(dataset, Limits(tension_max, tension_min, landing_speed))
    if output.suffix.lower() == ".pdf":
        print_pdf(page, output)
    else:
        write_page(output, page, [result])
    click.echo(output)
    if not no_open:
        offer(output)


def _opened(path: Path, reading: Reading) -> Any:
    """A result, or that of the model in its place."""
    if path.suffix.lower() not in MODELS:
        from fairlead.results import open_result

        return open_result(path)
    system = model_of(path, reading=reading)
    from fairlead.simulate import simulate

    return simulate(system)
