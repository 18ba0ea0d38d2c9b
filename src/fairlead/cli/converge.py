"""`fairlead converge`: which time step and which elements a file needs."""

from __future__ import annotations

import sys
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import exits
from .foreign import foreign_models
from .json_output import echo_json
from .models import model_of, warnings_in
from .overrides import Setting, read_value
from .places import require_folder
from .tables import Column, Table, number

if TYPE_CHECKING:
    from fairlead.exchange import Reading
    from fairlead.model import System
    from fairlead.simulate.progress import Progress
    from fairlead.studies.converge import Convergence, Level

SHOWN = 3
"""Outputs with a column of their own; --json gives all."""


@click.command(
    short_help="Find the time step and the elements a file needs.",
    epilog="""\b
Examples:
  fairlead converge mooring.yaml                       tensions and motions, within 2 %
  fairlead converge mooring.yaml -o settled.yaml       the same file with the settings to use
  fairlead converge lift.yaml --watch cables.wire.tension_max --tolerance 1%
  fairlead converge lift.yaml --duration 60s --step-only
  fairlead converge mooring.yaml --json | jq .settled

\b
The step is halved until the numbers settle, then all elements, then both together as a proof. The order tells how
fast: 1 halves the error with the step, 2 quarters it; far from both, the runs are too coarse to tell, or the
motion is not smooth (slack and snap, contact). They are named by their path in `fairlead run --json`.
Exit code 1: they did not settle within --budget, and no settings are written.

"""
    + exits.EPILOG,
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--watch", "outputs", metavar="PATH", multiple=True,
    help="A number to watch, by its path in the summary; repeatable. [default: extremes of tension and curvature of "
    "every cable, amplitudes of free points and bodies at the beginning and the end of the run]",
)  # fmt: skip
@click.option("--tolerance", metavar="PART", default="2%", show_default=True, help="Error that may be left.")
@click.option(
    "--budget", type=click.FloatRange(min=3.0), default=100.0, show_default=True,
    help="What may be spent, in runs of the file as it is.",
)  # fmt: skip
@click.option("--step-only", is_flag=True, help="Leave the elements as they are.")
@click.option("--step", metavar="TIME", help="Time step to begin with, in s or with a unit.")
@click.option("--duration", metavar="TIME", help="Simulated time.")
@click.option(
    "--set", "changes", type=Setting(), multiple=True, help="Any other value of the file, by its path; repeatable."
)
@click.option("-o", "--output", "file_out", type=click.Path(path_type=Path), help="A file with the settings to use.")
@foreign_models
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
def command(
    file: Path,
    outputs: tuple[str, ...],
    tolerance: str,
    budget: float,
    step_only: bool,
    step: str | None,
    duration: str | None,
    changes: tuple[tuple[str, Any], ...],
    file_out: Path | None,
    as_json: bool,
    quiet: bool,
    reading: Reading,
) -> None:
    """Run the system in FILE with finer and finer steps and elements until the numbers asked for settle; print how they
    do, and the settings to use."""
    from fairlead.studies.converge import converge, default_outputs

    if file_out is not None:
        require_folder(file_out)
    given = {"simulation.duration": duration, "simulation.step": step}
    wanted = {path: read_value(text) for path, text in given.items() if text is not None} | dict(changes)
    system = model_of(file, wanted, reading=reading)
    watched = outputs or default_outputs(system)
    if not watched:
        raise click.UsageError("the file has no cables; name what to watch with --watch")
    table = None if as_json else _begun(system, watched, budget)
    found = converge(
        system, watched, tolerance=_part(tolerance), budget=budget, elements=not step_only,
        progress=None if quiet else _announced, told=None if table is None else table.told,
    )  # fmt: skip
    written = _written(found, file_out, file)
    if as_json:
        echo_json(_plain(found, written) | {"warnings": warnings_in(system)})
    else:
        _conclude(found, system, written)
    sys.exit(exits.OK if found.settled else exits.STOPPED)


def _part(text: str) -> float:
    """`2%`, `2 %` or `0.02`."""
    try:
        value = float(text.strip().removesuffix("%")) / (100.0 if text.strip().endswith("%") else 1.0)
    except ValueError:
        value = 0.0
    if not 1e-6 <= value <= 0.5:
        raise click.UsageError(f"--tolerance: '{text}' is not a part between 0.0001% and 50%, such as 2% or 0.02")
    return value


def _announced(name: str) -> Progress:
    from fairlead.simulate.progress import for_watcher

    click.echo(f"{name} ...", err=True)
    return for_watcher()


class _Rows:
    """The table of the runs, printed as they come in."""

    def __init__(self, system: System, outputs: tuple[str, ...], budget: float) -> None:
        self._outputs, self._budget, self._first = outputs, budget, True
        self._elements = sum(cable.element_count for cable in system.cables.values())
        names = [path.removeprefix("cables.").removeprefix("points.") for path in outputs[:SHOWN]]
        titles = [Column(name, max(12, len(name))) for name in names]
        self._table = Table(
            Column("step", 10), Column("elements", 8), *titles, Column("halved", 8), Column("change", 9),
            Column("order", 6), Column("CPU", 8),
        )  # fmt: skip
        click.echo(self._table.head())

    def told(self, level: Level) -> None:
        """Print one run."""
        from fairlead.studies.converge import order_of

        values = [number(value, 5) for value in level.values[:SHOWN]]
        change = f"{number(100 * level.change, 2)} %" if level.changes and level.change < float("inf") else "-"
        order = order_of(level)
        click.echo(
            self._table.row(
                f"{number(level.step)} s", str(level.factor * self._elements), *values, level.halved or "-", change,
                "-" if order is None else f"{order:.1f}", f"{number(level.cpu_time, 3)} s",
            )
        )  # fmt: skip
        if level.status != "complete":
            click.echo(f"  {level.status}")
        if self._first:
            self._first = False
            click.echo(f"  (at most about {_duration(self._budget * level.cpu_time)} of CPU in all)", err=True)


def _begun(system: System, outputs: tuple[str, ...], budget: float) -> _Rows:
    """Say what is going to be done and what it may cost, before it is."""
    if system.title:
        click.echo(system.title)
    settings = system.simulation
    count = sum(cable.element_count for cable in system.cables.values())
    steps = settings.duration / settings.step
    click.echo(
        f"{len(outputs)} output{'s' if len(outputs) != 1 else ''}; runs of {number(steps)} steps of {count} elements "
        f"and finer ones, at most {budget:g} times the cost of that"
    )
    return _Rows(system, outputs, budget)


def _duration(seconds: float) -> str:
    for factor, unit, most in ((1, "s", 120), (60, "min", 7200)):
        if seconds < most:
            return f"{number(seconds / factor, 2)} {unit}"
    return f"{number(seconds / 3600, 2)} h"


def _conclude(found: Convergence, system: System, written: Path | None) -> None:
    if not found.settled:
        click.echo(f"NOT settled within {100 * found.tolerance:g} %: {found.reason}.")
        click.echo("Begin with a smaller --step, allow a larger --budget or --tolerance, or look at what snaps.")
        _say_how_far_off(found)
        return
    same = found.step == system.simulation.step and found.factor == 1
    elements = "" if found.factor == 1 else f" and {found.factor} times the elements"
    as_is = "the file's own settings are enough: " if same else ""
    click.echo(f"settled within {100 * found.tolerance:g} %: {as_is}step {found.step:g} s{elements}")
    if not same:
        _say_how_far_off(found)
    if written is not None:
        click.echo(str(written))


def _say_how_far_off(found: Convergence) -> None:
    """Which number the file's own settings get most wrong."""
    farthest = found.farthest()
    if farthest is not None and farthest[1] > found.tolerance:
        click.echo(f"With the file's own settings {farthest[0]} is off by {number(100 * farthest[1], 2)} %.")


def _plain(found: Convergence, written: Path | None) -> dict[str, Any]:
    settings: dict[str, Any] | None = None
    if found.settled:
        settings = {"step": found.step, "elements_factor": found.factor}
    return {
        "settled": found.settled, "tolerance": found.tolerance, "reason": found.reason, "outputs": list(found.outputs),
        "settings": settings, "runs": found.rows(),
        "off": {path: off if isfinite(off) else None for path, off in found.off.items()},
        "file": None if written is None else str(written),
    }  # fmt: skip


def _written(found: Convergence, path: Path | None, source: Path) -> Path | None:
    """The file with the settings to use; nothing where there are none."""
    from fairlead.results import ResultError

    if path is None or not found.settled or found.system is None:
        return None
    within = f"{100 * found.tolerance:g} %"
    text = (
        f"# {source.name} with the step and the elements at which its numbers settle within {within}\n"
        f"# (fairlead converge: {', '.join(found.outputs[:SHOWN])}{', ...' if len(found.outputs) > SHOWN else ''}).\n"
    )
    try:
        path.write_text(text + found.system.to_yaml(), encoding="utf-8")
    except OSError as error:
        raise ResultError(f"{path}: cannot be written ({error.strerror}); choose another place with -o") from error
    return path
