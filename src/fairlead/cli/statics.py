"""`fairlead statics`: the equilibrium of a system, without running it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from . import exits
from .at_rest import equilibrium_of, force_text, place_text, require_output
from .json_output import echo_json
from .overrides import Setting


@click.command(
    short_help="Find the static equilibrium: end tensions, touchdown, lowest point.",
    epilog="""\b
Examples:
  fairlead statics mooring.yaml
  fairlead statics mooring.yaml --set points.B.position="[260, 0, 0]"
  fairlead statics mooring.yaml -o shape.png
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
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")
def command(file: Path, output: Path | None, settings: tuple[tuple[str, Any], ...], as_json: bool) -> None:
    """Find the static equilibrium of the system in FILE.

    Weight, buoyancy, current, seabed (without friction), loads, loops and clamps count, as they are at the start of a
    run. Prints the pull of every cable on its ends, the largest tension, where it touches the seabed, its lowest point,
    and how the equilibrium was found: `newton` is Newton's method from the first shape, `relaxation` the same after
    letting the system move under heavy damping. Angles are above (+) or below (-) the horizontal as the cable leaves
    the point, headings from x towards y.
    """
    require_output(output, file)
    rest = equilibrium_of(file, settings)
    numbers = rest.summary()
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
    if output is not None:
        click.echo(f"written to        {output}")


def _lines(numbers: dict[str, Any], report: str) -> list[str]:
    most = numbers["tension_max"]
    lines = [numbers["title"]] if numbers["title"] else []
    lines.append(f"equilibrium by    {report}")
    where = f"in cable {most['cable']}, {most['arc_length']:.4g} m from {most['from']}"
    lines.append(f"largest tension   {force_text(most['value'])} {where}")
    for name, cable in numbers["cables"].items():
        lines.append(f"cable {name}")
        for end in ("start", "end"):
            pull, label = cable[end], f"{end} at {cable[end]['point']}"
            direction = ""
            if pull["angle_deg"] is not None:
                direction = f" at {pull['angle_deg']:+.2f} deg, heading {pull['heading_deg']:.2f} deg"
            lines.append(f"  {label:<15} {force_text(pull['tension'])}{direction}")
        lowest = cable["lowest"]
        along = f"{lowest['arc_length']:.4g} m from {lowest['from']}"
        lines.append(f"  lowest point    {place_text(lowest['position'])}, {along}")
        for run in cable["grounded"]:
            lines.append(f"  on the seabed   from {run['from']:.4g} m to {run['to']:.4g} m of its length")
            lines += [
                f"  touchdown       {place_text(touch['position'])}, {touch['arc_length']:.4g} m from {touch['from']}"
                for touch in run["touchdowns"]
            ]
    lines += [f"point {name:<11} {place_text(position)}" for name, position in numbers["points"].items()]
    return lines
