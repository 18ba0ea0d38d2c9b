"""`fairlead run`: simulate a system and write its result."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import exits
from .foreign import foreign_models
from .json_output import echo_json
from .known_names import completed_by, formulations
from .models import model_and_channels
from .notes import warn
from .overrides import Setting, read_value
from .real_time import kept_time, kept_time_line, require_speed

if TYPE_CHECKING:
    from fairlead.exchange import Reading
    from fairlead.model import System


@click.command(
    short_help="Simulate a system and write the result.",
    epilog="""\b
Examples:
  fairlead run mooring.yaml                            writes mooring.nc
  fairlead run mooring.yaml -o stiff.nc --set types.chain.axial_stiffness=500MN
  fairlead run mooring.yaml --duration "10 min" --step 0.05 --plot pictures
  fairlead run cable.yaml --formulation reduced --model cable.rom.nc -o fast.nc
  fairlead run mooring.yaml --resume                   goes on where a stopped run ended
  fairlead run mooring.yaml --real-time --speed 2      keeps to the clock, at twice its pace
  fairlead run mooring.yaml --after 60                 leaves the start-up out of the summary
  fairlead run mooring.yaml --json | jq .tension_max.value

\b
Ctrl-C ends the run after the present output interval and keeps what was computed; a run that was stopped or
killed goes on with --resume, to the same numbers as if it had never stopped. --resume with a longer --duration
lengthens a finished run. The result is NetCDF, to be opened with `fairlead plot`, xarray or any NetCDF tool.

"""
    + exits.EPILOG,
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Result file; x.out: x.nc, and MoorDyn's table of channels. [default: FILE's name with .nc, here]",
)
@click.option("--duration", metavar="TIME", help="Simulated time, in s or with a unit.")
@click.option("--step", metavar="TIME", help="Time step.")
@click.option("--output-every", metavar="TIME", help="Time between samples in the result.")
@click.option("--formulation", metavar="NAME", help="How cables move.", shell_complete=completed_by(formulations))
@click.option("--model", metavar="FILE", help="Reduced model, for --formulation reduced.")
@click.option("--integrator", metavar="NAME", help="auto, semi_implicit, explicit_euler, rk2 or rk4.")
@click.option(
    "--set", "settings", type=Setting(), multiple=True, help="Any other value of the file, by its path; repeatable."
)
@click.option("--resume", is_flag=True, help="Go on from where the run that wrote the output came to.")
@click.option("--real-time", is_flag=True, help="Keep every step to the clock, and count those that are late.")
@click.option("--speed", type=float, metavar="FACTOR", help="With --real-time, times real time. [default: 1]")
@click.option("--plot", "pictures", type=click.Path(path_type=Path), metavar="FOLDER", help="Also make all pictures.")
@click.option("--after", type=float, metavar="TIME", help="Leave what came before this time, in s, out of the summary.")
@foreign_models
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="No progress and no summary; warnings still show.")
def command(
    file: Path,
    output: Path | None,
    settings: tuple[tuple[str, Any], ...],
    model: str | None,
    resume: bool,
    real_time: bool,
    speed: float | None,
    pictures: Path | None,
    after: float | None,
    as_json: bool,
    quiet: bool,
    reading: Reading,
    **simulation: str | None,
) -> None:
    """Simulate the system in FILE and write the result.

    Values given here take the place of those in FILE and are recorded in the result. While it runs, a bar shows the
    simulated time, the speed against real time and the largest tension so far.
    """
    require_speed(real_time, speed)
    changes = {f"simulation.{name}": read_value(text) for name, text in simulation.items() if text is not None}
    if model is not None:
        changes["simulation.reduced.model"] = str(Path(model).resolve())
    system, channels = model_and_channels(file, changes | dict(settings), reading=reading)
    output = output or Path(file.with_suffix(".nc").name)
    if output.exists() and output.samefile(file):
        raise click.UsageError(f"the result cannot be written over the input file {file}; name another with -o")
    table = output if output.suffix == ".out" else None
    output = output.with_suffix(".nc") if table is not None else output
    if output.suffix != ".nc":
        raise click.UsageError(f"{output}: a result is a NetCDF file; give it a name that ends in .nc with -o")
    if resume and not output.exists() and not quiet:
        click.echo(f"{output}: there is no result to go on from; the run starts from the beginning", err=True)
    if pictures is not None:
        _require_folder(pictures)
    _require_before_the_end(after, system.simulation.duration)
    compiling = _compiling(system, quiet)
    from fairlead.model import warnings
    from fairlead.results.dataset import remarks_of
    from fairlead.results.places import is_something_else
    from fairlead.simulate import Simulation, SimulationError
    from fairlead.simulate.pacing import Pacer
    from fairlead.simulate.progress import for_watcher
    from fairlead.simulate.run import record

    from .afloat import floater_warnings

    if output.is_file() and not (resume or quiet or is_something_else(output)):
        click.echo(f"{output}: replaces the earlier result (--resume would go on from it)", err=True)
    warned = False
    try:
        warn(floater_warnings(system))
        with compiling:
            ready = Simulation(system)
        warned = warn(ready.warnings)
        recorder = record(
            ready,
            output,
            progress=None if quiet else for_watcher(),
            resume=resume,
            pacer=Pacer(speed or 1.0) if real_time else None,
            hand_back=True,
        )
    except Exception as error:
        if not warned:  # what looks wrong in the file may be why
            warn(map(str, warnings(system)))
        if not isinstance(error, SimulationError):
            raise
        click.echo(f"the run could not start: {error}", err=True)
        sys.exit(exits.STOPPED)
    result: Any = recorder.recorded()
    warn(text for text in remarks_of(result) if text not in ready.warnings)
    _report(result, output, after, as_json, quiet)
    if table is not None:
        _write_channels(recorder.dataset(), table, channels, quiet or as_json)
    if pictures is not None:
        from .plot import draw

        draw(recorder.dataset(), pictures, (), "png", quiet or as_json)
    sys.exit(_exit_code(str(result.attrs["status"])))


def _write_channels(result: Any, table: Path, channels: list[str], quiet: bool) -> None:
    """MoorDyn's table beside the result: the channels of the file it came from, else tensions at all ends."""
    from fairlead.exchange.moordyn import write_channels

    unknown = write_channels(result, table, channels)
    if unknown:
        warn([f"{table}: without the channels {', '.join(unknown)}, which are not known here"])
    if not quiet:
        click.echo(f"channels          {table}")


def _require_before_the_end(after: float | None, duration: float) -> None:
    if after is not None and not 0.0 <= after < duration:
        raise click.UsageError(f"--after {after:g}: the run is from 0 to {duration:g} s; give a time in it")


def _require_folder(folder: Path) -> None:
    """Find out before the run whether its pictures can be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK | os.X_OK)
    except OSError as error:
        raise click.UsageError(f"--plot {folder}: cannot make this folder ({error.strerror})") from None
    if not writable:
        raise click.UsageError(f"--plot {folder}: no permission to write into this folder")


def _compiling(system: System, quiet: bool) -> contextlib.AbstractContextManager[None]:
    """Of a first run: said, and its step compiled beside its statics."""
    from fairlead.algebra.compiled import is_compiled

    if is_compiled(system.simulation.formulation):
        return contextlib.nullcontext()
    from .compiling import step_beside

    if not quiet:
        click.echo("compiling (once, about half a minute)", err=True)
    return step_beside(system)


def _report(result: Any, output: Path, after: float | None, as_json: bool, quiet: bool) -> None:
    from fairlead.results import summarise, summary_lines
    from fairlead.words import number

    if after is not None and float(result["time"].values[-1]) < after:
        after = None  # it was stopped before
    attrs = result.attrs
    simulated, wall = float(attrs["simulated_time"]), float(attrs["wall_time"])
    speed = simulated / wall if wall > 0.0 else float("inf")
    numbers = summarise(result, after)
    lifts, landed = _lifts(result) if as_json or not quiet else ({}, ())
    lifted = [name for cable, lift in lifts.items() for name in (cable, lift["load"])]
    if as_json:
        echo_json(
            {
                "output": str(output),
                "duration": simulated,
                "wall_time": wall,
                "cpu_time": float(attrs["cpu_time"]),
                "speed": speed,
                "steps": int(attrs["steps"]),
                "real_time": kept_time(attrs),
            }
            | numbers
            | {"lifts": lifts}
        )
    elif not quiet:
        told = summary_lines(numbers, lifted)
        title, *lines = told if numbers["title"] else ("", *told)
        if title:
            click.echo(title)
        times = f"{number(simulated, 6)} s in {number(wall, 3)} s: {number(speed, 3)} x real time"
        click.echo(f"simulated         {times}")
        kept = kept_time(attrs)
        if kept is not None:
            click.echo(kept_time_line(kept))
        for line in (*lines, *landed):
            click.echo(line)
        click.echo(f"result            {output}")
    if (as_json or quiet) and numbers["status"] != "complete":
        click.echo(numbers["status"], err=True)


def _lifts(result: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What became of the loads of winches: numbers by cable, and lines to print."""
    from fairlead.results.dataset import settings_of

    if not any(cable.get("winch") for cable in settings_of(result)["cables"].values()):
        return {}, ()
    from fairlead.view.lifts import lift_lines, lift_numbers, lifts

    found = lifts(result)
    return {lift.cable: lift_numbers(lift) for lift in found}, lift_lines(found)


def _exit_code(status: str) -> int:
    if status == "complete":
        return exits.OK
    return exits.INTERRUPTED if status.startswith(("stopped: interrupted", "stopped: terminated")) else exits.STOPPED
