"""`fairlead modes`: natural frequencies about the static equilibrium."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import exits
from .at_rest import equilibrium_of, require_output
from .foreign import foreign_models
from .json_output import echo_json
from .notes import warn
from .overrides import Setting
from .tables import Column, Table, number

if TYPE_CHECKING:
    from fairlead.exchange import Reading


@click.command(
    short_help="Natural frequencies and mode shapes about the static equilibrium.",
    epilog="""\b
Examples:
  fairlead modes mooring.yaml
  fairlead modes mooring.yaml --count 6 -o modes.png
  fairlead modes mooring.yaml -o modes.nc
  fairlead modes mooring.yaml --json | jq '.modes[0].period'

"""
    + exits.EPILOG,
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--count", type=click.IntRange(min=1), default=10, show_default=True, help="How many, slowest first.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Also write the modes: their shapes as numbers (.nc) or as a picture (.png, .svg, .pdf).",
)
@click.option(
    "--set", "settings", type=Setting(), multiple=True, help="Another value for the file, by its path; repeatable."
)
@foreign_models
@click.option("--json", "as_json", is_flag=True, help="Print the modes as JSON, with their shapes.")
def command(
    file: Path,
    count: int,
    output: Path | None,
    settings: tuple[tuple[str, Any], ...],
    as_json: bool,
    reading: Reading,
) -> None:
    """Find the natural frequencies of the system in FILE about its static equilibrium, undamped, with added mass.

    `motion` says what a mode mainly does: in or out of the vertical plane of its cables, vertical, sideways (a cable
    that hangs straight down), axial or torsion. `follows x, y, z` is the share of the moving mass that follows a shake
    of all supports along that axis.
    """
    require_output(output, file)
    rest = equilibrium_of(file, settings, reading)
    from fairlead.statics import mode_dataset, natural_modes

    found = natural_modes(rest.compiled, rest.y, count)
    warn(found.notes)
    if output is not None:
        dataset = mode_dataset(rest, found)
        if output.suffix.lower() == ".nc":
            dataset.to_netcdf(output, engine="h5netcdf")
        else:
            from fairlead.view import mode_shapes, save

            save(mode_shapes(dataset), output)
    if as_json:
        echo_json(
            {
                "file": str(file),
                "output": None if output is None else str(output),
                "title": rest.system.title,
                "warnings": [*rest.notes, *found.notes],
                "modes": [
                    {
                        "frequency": float(found.frequency[i]),
                        "omega": float(found.omega[i]),
                        "period": float(found.period[i]),
                        "motion": found.motions[i],
                        "effective_mass": found.effective_mass[i].tolist(),
                        "shapes": {name: shape[i].tolist() for name, shape in found.shapes.items()},
                    }
                    for i in range(len(found))
                ],
            }
        )
        return
    if rest.system.title:
        click.echo(rest.system.title)
    table = Table(
        Column("mode", 4),
        Column("frequency (Hz)", 14),
        Column("period (s)", 10),
        Column("motion", 12),
        Column("follows x, y, z", 18),
    )
    click.echo(table.head())
    for i in range(len(found)):
        shares = ", ".join(f"{100 * share:.0f} %" for share in found.effective_mass[i])
        numbers = number(float(found.frequency[i]), 5), number(float(found.period[i]), 5)
        click.echo(table.row(str(i + 1), *numbers, found.motions[i], shares))
    if output is not None:
        click.echo(f"written to {output}")
