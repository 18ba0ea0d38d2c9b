"""`fairlead floater`: what hydrodynamic coefficients say of a floater, alone or on its lines."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import exits
from .foreign import foreign_models
from .json_output import echo_json
from .models import MODELS, model_of
from .notes import coloured, warn
from .overrides import Setting
from .pages import offer, write_page
from .places import PICTURES, require_folder
from .report import WithUnit
from .tables import Column, Table, number

if TYPE_CHECKING:
    from fairlead.exchange import Reading
    from fairlead.studies.floater import FloaterReport


class Depth(WithUnit):
    """A depth of water, which may be infinite."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        depth = math.inf if value == "infinite" else super().convert(value, param, ctx)
        if not depth > 0.0:
            self.fail(f"{depth:g} is no depth of water: give more than 0 m, or 'infinite'", param, ctx)
        return depth


@click.command(
    short_help="Natural periods, responses and checks of a floater given by coefficients.",
    epilog="""\b
Examples:
  fairlead floater platform.yaml                          periods, responses, checks, with its lines
  fairlead floater platform.yaml -o platform.html         the same as a page, with figures
  fairlead floater hull.1 --depth 200                     what a file of coefficients holds, and whether it is right
  fairlead floater hull.nc --json | jq '.[0].radiation'
  fairlead floater hull.stl --depth 200 --keep hull       computed from a mesh, and kept as hull.1, hull.3, hull.hst

\b
FILE is a system with a body of kind floating, or coefficients: WAMIT (.1 .3 .hst), HAMS, NEMOH (Nemoh.cal),
Capytaine (.nc), BEMIO (.h5). Added mass is that of each period itself.
Of a closed mesh that floats as it stands (.stl, .obj, .gdf ...; z = 0 is the water, moments are about its origin)
Capytaine computes them: pip install 'fairlead[capytaine]'.

"""
    + exits.EPILOG,
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--heading", type=float, metavar="DEG", help="Direction the waves run to. [default: the sea's, or 0]")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Also write a page (.html), a picture or .nc.")
@click.option("--set", "settings", type=Setting(), multiple=True, help="Another value for the system; repeatable.")
@click.option("--format", "form", type=click.Choice(["wamit", "hams", "nemoh", "capytaine", "bemio"]),
              help="What wrote the coefficients. [default: by their name]")  # fmt: skip
@click.option("--depth", type=Depth("m"), metavar="M",
              help="Depth of the water they are for, or infinite. [default: as they say, or infinite]")  # fmt: skip
@click.option("--density", type=float, default=1025.0, show_default=True, help="Density of the water, kg/m^3.")
@click.option("--length", type=float, help="Unit of length of WAMIT's and HAMS's files, m. [default: 1]")
@click.option("--first-column", type=click.Choice(["period", "frequency", "wave_number"]),
              help="First column of WAMIT's and HAMS's files.")  # fmt: skip
@click.option("--keep", type=click.Path(path_type=Path), metavar="ROOT",
              help="Also write the coefficients as WAMIT does, to new files: ROOT.1, ROOT.3, ROOT.hst.")  # fmt: skip
@foreign_models
@click.option("--no-open", is_flag=True, help="Only write the page.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON, one entry for each water.")
def command(
    file: Path, heading: float | None, output: Path | None, settings: tuple[tuple[str, Any], ...], form: str | None,
    depth: float | None, density: float, length: float | None, first_column: str | None, keep: Path | None,
    no_open: bool, as_json: bool, reading: Reading,
) -> None:  # fmt: skip
    """Report on the floaters of FILE: natural periods with and without lines, damping, responses, fit and checks.

    Coefficients are held against what all linear theory keeps: the waves they make and feel (Haskind), added mass and
    damping (Ogilvie), long waves, symmetry; a floater against its equilibrium and its stability. What is wrong is named
    with its cure.
    """
    from fairlead.floaters.reading import MESHES
    from fairlead.studies.floater import of_file, of_system

    if output is not None:
        if output.suffix.lower() not in (".html", ".nc", *PICTURES):
            raise click.UsageError(f"cannot write {output}: its name must end in .html, .nc, {', '.join(PICTURES)}")
        require_folder(output)
    if keep is not None:
        _require_new(keep)
    turn = None if heading is None else math.radians(heading)
    if form is None and file.suffix.lower() in MODELS:
        reports = of_system(model_of(file, dict(settings), motion=False, reading=reading), turn)
    else:
        if form is None and file.suffix.lower() in MESHES and (length is not None or first_column is not None):
            raise click.UsageError(
                f"{file} is a mesh, which is in metres and has no columns: leave out --length and --first-column, or "
                "say by --format what wrote it, if it holds coefficients"
            )
        options = {"format": form, "depth": depth, "water_density": density, "length": length}
        reports = [of_file(file, turn or 0.0, first_column=first_column, **options)]
    if keep is not None:
        _keep(keep, reports)
    if as_json:
        echo_json([report.summary() for report in reports])
    else:
        for report in reports:
            _print(report)
    if output is not None:
        _write(output, reports, file)
        if not as_json:
            click.echo(f"written to {output}")
        if output.suffix.lower() == ".html" and not no_open and not as_json:
            offer(output)


def _require_new(root: Path) -> None:
    """Before the work begins: coefficients that are there, the very ones that are read among them, are not replaced."""
    from fairlead.floaters.writing import in_the_way

    require_folder(root)
    there = in_the_way(root)
    if there:
        raise click.UsageError(
            f"--keep {root}: {', '.join(map(str, there))} would be replaced; choose another name or remove them"
        )


def _keep(root: Path, reports: list[FloaterReport]) -> None:
    """Write the coefficients of the only water there is."""
    from fairlead.floaters.writing import write_wamit

    if len(reports) > 1:
        raise click.UsageError("--keep: the floaters have several waters; give the files of one of them")
    data = reports[0].coefficients
    write_wamit(root, data)
    click.echo(f"written to {root}.1, .3 and .hst (length: 1 m, density {data.density:g} kg/m^3)", err=True)


def _print(report: FloaterReport) -> None:
    from fairlead.studies.floater import without_rounding

    data, fit = report.coefficients, report.fit
    click.echo(report.title)
    depth = "infinite depth" if math.isinf(data.depth) else f"{data.depth:g} m of water"
    count = len(data.headings)
    headings = f"{count} heading{'' if count == 1 else 's'}"
    span = f"{data.omega[0]:.3g} to {data.omega[-1]:.3g} rad/s"
    click.echo(f"{data.format}: {len(data.omega)} frequencies, {span}, {headings}, {depth}")
    if report.moored_modes:
        table = Table(
            Column("motion", 18), Column("without lines (s)", 18), Column("with lines (s)", 15), Column("damping", 8)
        )
        click.echo(table.head())
        for row in report.periods:
            periods = number(row["without_lines"], 5), number(row["with_lines"], 5)
            click.echo(table.row(row["motion"], *periods, f"{100 * row['damping_ratio']:.2g} %"))
    for name, line in zip(report.names, report.lines, strict=False):
        if not line.stiffness.any():
            continue
        click.echo(f"lines on {name} at rest: stiffness (N/m, N, N m)")
        for row in without_rounding(line.stiffness):
            click.echo("  " + "".join(f"{value:12.4g}" for value in row))
    if report.moored is not None:
        _responses(report)
    blocks = ", ".join(
        f"{'+'.join(_short(i, data.bodies) for i in block)} {order} ({100 * error:.2g} %)"
        for block, order, error in zip(fit.blocks, fit.orders, fit.errors, strict=True)
    )
    click.echo(f"radiation by poles: {blocks or 'none'}")
    if report.haskind is not None:
        click.echo("damping by Haskind over that of the file: " + ", ".join(f"{one:.4f}" for one in report.haskind))
    if report.sea is not None:
        sea = report.sea
        click.echo(f"in a sea of {sea['significant_height']:g} m and {sea['peak_period']:g} s, standard deviations:")
        deviations = sea["standard_deviation"]
        for i, name in enumerate(report.names):
            told = ", ".join(_deviation(k, value) for k, value in enumerate(deviations[6 * i : 6 * i + 6]))
            click.echo(f"  {f'{name}: ' if len(report.names) > 1 else ''}{told}")
        for name, drift in sea["drift"].items():
            force, offset = drift["force"], drift["offset"]
            click.echo(
                f"  mean drift on {name}: {force[0] / 1e3:.4g}, {force[1] / 1e3:.4g} kN, which moves it by "
                f"{_shown(offset[0])}, {_shown(offset[1])} m"
            )
    from fairlead.words import NOTE

    for one in report.findings:
        if one.level == "error":
            click.echo(f"{coloured('error:', 'red')} {one}", err=True)
    warn([f"{NOTE if one.level == 'note' else ''}{one}" for one in report.findings if one.level != "error"])


def _responses(report: FloaterReport) -> None:
    import numpy as np

    assert report.moored is not None
    assert report.free is not None
    heads = ("period (s)", "surge", "sway", "heave", "roll", "pitch", "yaw")
    table = Table(*(Column(head, 10) for head in heads))
    periods = [p for p in (4, 6, 8, 10, 12, 15, 20, 25, 30) if report.omega[0] <= 2 * math.pi / p <= report.omega[-1]]
    for i, name in enumerate(report.names):
        of = f"responses of {name}" if len(report.names) > 1 else "responses"
        click.echo(f"{of} with lines, waves towards {math.degrees(report.heading):.4g} deg (m/m, deg/m)")
        click.echo(table.head())
        motions = report.moored[:, 6 * i : 6 * i + 6].T
        for period in periods:
            six = np.array([abs(np.interp(2 * math.pi / period, report.omega, one)) for one in motions])
            click.echo(table.row(f"{period:g}", *(_shown(value) for value in six * ([1] * 3 + [180 / math.pi] * 3))))


def _short(i: int, bodies: int) -> str:
    from fairlead.floaters import DOFS

    return DOFS[i % 6] + (f"_{i // 6 + 1}" if bodies > 1 else "")


def _deviation(i: int, value: float) -> str:
    name = _short(i, 1)
    return f"{name} {_shown(value)} m" if i % 6 < 3 else f"{name} {_shown(math.degrees(value))} deg"


def _shown(value: float) -> str:
    """A motion in m or degrees, per metre of wave or in all; 0 where it is nothing but rounding."""
    return f"{value:.3g}" if abs(value) > 1e-6 else "0"


def _write(output: Path, reports: list[FloaterReport], file: Path) -> None:
    suffix = output.suffix.lower()
    if suffix == ".html":
        from fairlead.view.floater_page import floater_page

        write_page(output, floater_page([(report.summary(), report.dataset()) for report in reports]), [file])
        return
    dataset = reports[0].dataset()
    if suffix == ".nc":
        dataset.to_netcdf(output, engine="h5netcdf")
        return
    from fairlead.view import save
    from fairlead.view.floater import floater_radiation, floater_responses

    save(floater_responses(dataset) if "response_free" in dataset else floater_radiation(dataset), output)
