"""`fairlead check`: find what is wrong with a file, and how big its system is, without running it."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import exits
from .foreign import foreign_models
from .json_output import echo_json
from .models import model_of
from .notes import warn
from .overrides import Setting

if TYPE_CHECKING:
    from fairlead.exchange import Reading


@click.command(
    short_help="Find the mistakes in a file and report its size.",
    epilog="""\b
Examples:
  fairlead check mooring.yaml
  fairlead check mooring.yaml --json | jq .states
  fairlead check mooring.yaml --set cables.line.elements=200

"""
    + exits.EPILOG,
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--set", "settings", type=Setting(), multiple=True, help="Another value for the file, by its path; repeatable."
)
@foreign_models
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def command(file: Path, settings: tuple[tuple[str, Any], ...], as_json: bool, reading: Reading) -> None:
    """Validate FILE and report on it without running it.

    Lists every mistake with its line and what would be right. A file without mistakes is laid out and compiled; the
    report gives the number of bars (elements), points, junctions (free points), cables and states (13 for each bar,
    point and body, 1 for each cable), of the whole and of each part that hangs together; the length of the state vector
    that the formulation keeps, with its filters and memory; and it warns of what is allowed but looks wrong.
    """
    from fairlead.model import ModelError

    try:
        report = _report(file, dict(settings), reading)
    except ModelError as error:
        if as_json:
            problems = [asdict(problem) for problem in error.problems]
            echo_json({"file": str(file), "ok": False, "problems": problems})
            sys.exit(exits.BAD_INPUT)
        raise
    if as_json:
        echo_json(report)
        return
    if report["title"]:
        click.echo(report["title"])
    several = report["parts"] if len(report["parts"]) > 1 else []
    for name in ("bars", "points", "junctions", "bodies", "cables", "states"):
        if name in report:
            of_parts = ", ".join(str(part.get(name, 0)) for part in several)
            click.echo(f"{name:<12}{report[name]:>8}{f'   in {len(several)} parts: {of_parts}' if several else ''}")
    click.echo(f"{'state vector':<12}{report['state_vector']:>8}   numbers that '{report['formulation']}' keeps")
    from fairlead.words import NOTE

    warn(report["warnings"])
    count = sum(not text.startswith(NOTE) for text in report["warnings"])
    click.echo(f"{file}: no mistakes, {count or 'no'} warning{'' if count == 1 else 's'}")


def _report(file: Path, changes: dict[str, Any], reading: Reading) -> dict[str, Any]:
    from fairlead.hydro import compile_in_water
    from fairlead.loads.responses import response_warnings
    from fairlead.model import counts, parts, warnings
    from fairlead.shape.layout import first_geometry
    from fairlead.shape.line_distance import touching_lines
    from fairlead.simulate.drives import file_drives

    from .afloat import floater_warnings

    system = model_of(file, changes, motion=False, reading=reading)
    geometry = first_geometry(system)
    compiled = compile_in_water(system, geometry)
    file_drives(compiled)  # inputs that do not exist or do not fit
    notes = [*map(str, warnings(system)), *map(str, response_warnings(system)), *geometry.notes]
    notes += compiled.start_notes(system.simulation.step)
    notes += (*floater_warnings(system), *touching_lines(system, geometry.nodes))
    return {
        "file": str(file),
        "ok": True,
        "problems": [],
        "title": system.title,
        "formulation": compiled.formulation,
        **counts(system),
        "state_vector": compiled.layout.size,
        "parts": parts(system),
        "warnings": list(dict.fromkeys(notes)),
    }
