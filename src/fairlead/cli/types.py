"""`fairlead types`: chains, wires and ropes that a cable type can be made from by name."""

from __future__ import annotations

from typing import Any

import click

from . import exits
from .json_output import echo_json
from .known_names import catalogue, completed_by
from .report import WithUnit


@click.command(
    short_help="List the chains, wires and ropes of the catalogue.",
    epilog="""\b
Examples:
  fairlead types                                                        all, with their sources
  fairlead types chain_studless --grade R4 --nominal-diameter 185mm     numbers of one
  fairlead types polyester --nominal-diameter 0.2 --mean-load 0.2 --json

\b
In a model file:
  types:
    chain: {catalogue: chain_studless, grade: R4, nominal_diameter: 185 mm, corrosion: 8 mm}

"""
    + exits.EPILOG,
)
@click.argument("name", required=False, shell_complete=completed_by(catalogue))
@click.option("--nominal-diameter", type=WithUnit("m"), help="Of the bar of a chain, or of a rope as it is sold.")
@click.option("--grade", default=None, help="Of a chain: R3, R3S, R4, R4S or R5. [default: R4]")
@click.option("--corrosion", type=WithUnit("m"), help="What the nominal diameter may lose.")
@click.option("--mean-load", type=float, help="Of a rope: mean tension over breaking load, for its dynamic stiffness.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(name: str | None, as_json: bool, **given: Any) -> None:
    """List the kinds of line that `catalogue:` in a cable type knows, or the numbers of one of them.

    Drag is given on the diameter of the displaced volume; axial drag on diameter times length, without the factor π.
    """
    from fairlead.model import CableType
    from fairlead.model.catalogue import CATALOGUE

    keys = {key: value for key, value in given.items() if value is not None}
    if name is not None and name not in CATALOGUE:
        raise click.UsageError(f"there is no '{name}' in the catalogue; it has {', '.join(CATALOGUE)}")
    if name is None and keys:
        raise click.UsageError("name one of the catalogue to see its numbers")
    if name is not None and keys:
        kind = CableType.model_validate({"catalogue": name, **keys})
        numbers = kind.model_dump(include=set(SHOWN))
        if as_json:
            echo_json({"catalogue": name, **keys, **numbers})
            return
        for key, unit in SHOWN.items():
            click.echo(f"{key:<18}{_text(numbers[key], unit)}")
        return
    if as_json:
        echo_json({key: {"title": entry.title, "sources": entry.sources} for key, entry in CATALOGUE.items()})
        return
    width = max(map(len, CATALOGUE)) + 2
    for key, entry in CATALOGUE.items():
        if name in (None, key):
            click.echo(f"{key:<{width}}{entry.title}")
            for source in entry.sources:
                click.echo(f"{'':<{width}}  {source}")


SHOWN = {
    "diameter": "m", "mass_per_length": "kg/m", "axial_stiffness": "N", "breaking_load": "N", "drag": "",
    "added_mass": "",
}  # fmt: skip


def _text(value: Any, unit: str) -> str:
    from fairlead.words import force, number

    if isinstance(value, dict):
        return ", ".join(
            f"{key} {number(part)}" if isinstance(part, float) else f"{key} {part}" for key, part in value.items()
        )
    return force(value, 5) if unit == "N" else f"{number(value, 5)} {unit}"
