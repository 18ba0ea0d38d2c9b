"""`fairlead statics`: the equilibrium of a system, without running it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import exits
from .at_rest import equilibrium_of, place_text, require_output
from .foreign import foreign_models
from .json_output import echo_json
from .overrides import Setting

if TYPE_CHECKING:
    from fairlead.exchange import Reading
    from fairlead.statics.refinement import Refined

UPRIGHT = 89.99
"""Angle to the horizontal beyond which a line is upright, deg."""
MOST_TOLD = 4
"""Cables that are told one by one; more of them stand in one table."""
MOST_ROWS = 8
"""Of that table, and of the points below it, where they are more."""


@click.command(
    short_help="Find the static equilibrium: end tensions, touchdown, lowest point.",
    epilog="""\b
Examples:
  fairlead statics mooring.yaml
  fairlead statics mooring.yaml --set points.B.position="[260, 0, 0]"
  fairlead statics mooring.yaml -o shape.png
  fairlead statics mooring.yaml --stiffness platform
  fairlead statics mooring.yaml --json | jq .cables.line.end.tension

"""
    + exits.EPILOG,
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Also write the equilibrium: a result (.nc) or a picture of it (.png, .svg, .pdf).",
)
@click.option(
    "--set", "settings", type=Setting(), multiple=True, help="Another value for the file, by its path; repeatable."
)
@click.option(
    "--stiffness",
    "places",
    metavar="PLACE",
    multiple=True,
    help="Also print how stiffly a point or body is held; repeatable.",
)
@foreign_models
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")
def command(
    file: Path,
    output: Path | None,
    settings: tuple[tuple[str, Any], ...],
    places: tuple[str, ...],
    as_json: bool,
    reading: Reading,
) -> None:
    """Find the static equilibrium of the system in FILE.

    Weight, buoyancy, current, seabed, loads, loops and clamps count, as they are at the start of a run. The seabed is
    smooth, except under what slides over it in a steady tow. Prints the pull of every cable on its ends, the largest
    tension, where it touches the seabed, its lowest point, and how the equilibrium was found: `newton` is Newton's
    method from the first shape, `relaxation` the same after letting the system move under heavy damping. Of more than
    four cables the most loaded stand in one table; --json gives all. Angles are above (+) or below (-) the horizontal
    as the cable leaves the point, headings from x towards y.

    Stiffness is the change of the forces and moments that it takes to move or turn a place slowly while all that is
    free follows, in global axes about the place: N/m, N (forces for turns, moments for moves) and N m. The elements of
    lines that touch down are divided until the stiffness is known to 1 %; the error left is printed. What is free
    also shows its natural periods on that stiffness, with its own mass, added mass and that of its cables.
    """
    require_output(output, file)
    rest = equilibrium_of(file, settings, reading)
    numbers = rest.summary()
    if places:
        numbers["stiffness"] = {place: _stiffness(rest.refined(place)) for place in places}
    if output is not None:
        if output.suffix.lower() == ".nc":
            rest.save(output)
        else:
            from fairlead.view import geometry, save

            save(geometry(rest.dataset()), output)
    if as_json:
        echo_json({"file": str(file), "output": None if output is None else str(output)} | numbers)
        return
    for line in _lines(numbers, str(rest.report)):
        click.echo(line)
    for place, held in numbers.get("stiffness", {}).items():
        for line in _stiffness_lines(place, held):
            click.echo(line)
    if output is not None:
        click.echo(f"written to        {output}")


def _degrees(angle: float) -> str:
    """An angle to a hundredth of a degree, without zeros that tell nothing."""
    from fairlead.words import number

    return number(round(angle, 2), 6)


def _direction(pull: dict[str, Any]) -> str:
    """How a cable leaves its end; none where it has no length there. What hangs or stands upright has no heading."""
    if pull["angle_deg"] is None:
        return ""
    if abs(pull["angle_deg"]) > UPRIGHT:
        return ", straight up" if pull["angle_deg"] > 0 else ", straight down"
    return f" at {_degrees(pull['angle_deg'])} deg, heading {_degrees(pull['heading_deg'])} deg"


def _lines(numbers: dict[str, Any], report: str) -> list[str]:
    from fairlead.words import force, number

    most = numbers["tension_max"]
    lines = [numbers["title"]] if numbers["title"] else []
    lines.append(f"equilibrium by    {report}")
    if most is not None:
        where = f"in cable {most['cable']}, {number(most['arc_length'])} m from {most['from']}"
        lines.append(f"largest tension   {force(most['value'])} {where}")
    many = len(numbers["cables"]) > MOST_TOLD
    lines += _cable_table(numbers) if many else _cable_by_cable(numbers)
    named = list(numbers["points"].items())
    shown = named[:MOST_ROWS] if many else named
    width = max([11, *(len(name) for name, _ in shown)])
    lines += [f"point {name:<{width}} {place_text(position)}" for name, position in shown]
    return lines + _rest(len(named) - len(shown), "points")


def _cable_table(numbers: dict[str, Any]) -> list[str]:
    """The most loaded cables, a row each, and how many more there are."""
    from fairlead.statics.solution import cable_rows
    from fairlead.words import aligned

    rows = cable_rows(numbers)
    return aligned(rows[: MOST_ROWS + 1]) + _rest(len(rows) - 1 - MOST_ROWS, "cables")


def _rest(count: int, things: str) -> list[str]:
    return [f"... and {count} more {things} (--json gives all)"] if count > 0 else []


def _cable_by_cable(numbers: dict[str, Any]) -> list[str]:
    from fairlead.words import force, number

    lines = []
    for name, cable in numbers["cables"].items():
        lines.append(f"cable {name}")
        labels = {end: f"{end} at {cable[end]['point']}" for end in ("start", "end")}
        width = max(15, *map(len, labels.values()))
        for end, label in labels.items():
            lines.append(f"  {label:<{width}} {force(cable[end]['tension'])}{_direction(cable[end])}")
        lowest = cable["lowest"]
        along = f"{number(lowest['arc_length'])} m from {lowest['from']}"
        lines.append(f"  {'lowest point':<{width}} {place_text(lowest['position'])}, {along}")
        for run in cable["grounded"]:
            lying = f"from {number(run['from'])} m to {number(run['to'])} m of its length"
            lines.append(f"  {'on the seabed':<{width}} {lying}")
            lines += [
                f"  {'touchdown':<{width}} {place_text(touch['position'])}, {number(touch['arc_length'])} m "
                f"from {touch['from']}"
                for touch in run["touchdowns"]
            ]
    return lines


def _stiffness(refined: Refined) -> dict[str, Any]:
    """How a place is held, as plain values."""
    held = refined.held
    matrix = held.stiffness
    kinds = {"displacement": False, "turn": True} if len(matrix) == 6 else {"displacement": False}
    principal = {}
    for kind, turns in kinds.items():
        values, directions = held.principal(turns)
        principal[kind] = [
            {"stiffness": float(value), "direction": [float(x) for x in direction]}
            for value, direction in zip(values, directions, strict=True)
        ]
    return {
        "matrix": [[float(value) for value in row] for row in matrix],
        "principal": principal,
        "periods": [float(period) for period in held.periods()],
        "element_parts": refined.parts,
        "error": refined.error,
        "error_of_elements": refined.coarse,
    }


def _stiffness_lines(place: str, held: dict[str, Any]) -> list[str]:
    from fairlead.words import number, percentage

    rows = [f"F{axis}" for axis in "xyz"] + [f"M{axis}" for axis in "xyz"]
    heads = ["x", "y", "z", "roll", "pitch", "yaw"]
    size = len(held["matrix"])
    units = "N/m, N, N m" if size == 6 else "N/m"
    lines = [f"stiffness of {place} ({units})", "     " + "".join(f"{head:>12}" for head in heads[:size])]
    none = 1e-9 * max(abs(value) for row in held["matrix"] for value in row)
    for name, row in zip(rows, held["matrix"], strict=False):
        cells = [number(value if abs(value) > none else 0.0) for value in row]
        lines.append(f"  {name:<3}" + "".join(f"{cell:>12}" for cell in cells))
    for kind, unit in (("displacement", "N/m along"), ("turn", "N m about")):
        for one in held["principal"].get(kind, ()):
            axis = ", ".join(f"{round(x, 3) + 0.0:g}" for x in one["direction"])
            lines.append(f"  principal       {number(one['stiffness'])} {unit} ({axis})")
    if held["periods"]:
        lines.append("  natural periods " + ", ".join(f"{number(period)}" for period in held["periods"]) + " s")
    if held["element_parts"] > 1:
        error = "unknown" if held["error"] is None else f"about {percentage(held['error'])}"
        lines.append(
            f"  touchdown       elements divided by {held['element_parts']}, error {error}; those of the file are "
            f"{percentage(held['error_of_elements'])} off"
        )
    return lines
