"""`fairlead cosim`: FMUs run together, as a small file describes it."""

from __future__ import annotations

import contextlib
import io
import sys
import time
from pathlib import Path
from typing import Any

import click

from . import exits
from .json_output import echo_json
from .places import require_folder
from .real_time import kept_time, kept_time_line, require_speed

SECONDS_BETWEEN_LINES = 10.0


@click.command(
    short_help="Run FMUs together.",
    epilog="""\b
Examples:
  fairlead cosim spread.yaml                           writes spread.nc
  fairlead cosim spread.yaml -o spread.csv
  fairlead cosim spread.yaml --real-time               keeps to the clock, for those who watch or steer
  fairlead cosim spread.yaml && fairlead view spread.nc
  fairlead cosim spread.yaml --json | jq .speed

\b
A file of a co-simulation:
  step: 0.25
  duration: 500
  fmus:
    commands: commands.yaml                            a file of signals, made into an FMU on the fly
    port: {file: port.yaml, start: {environment.water_density: 1027}}
    starboard: starboard.fmu                           anyone's FMU, FMI 2.0 or 3.0
  connections:
    commands.float_1.position: port.float_1.position
  outputs: [port.lead_in_1.force_start]

\b
All FMUs take a step at the same time, each in a thread of its own, then outputs go to the inputs wired to them. Where
FMUs of Fairlead show positions along their cables (they do unless told otherwise), `plot`, `view` and `report` take the
result as that of a run. Needs FMPy: pip install 'fairlead[cosim]'.

"""
    + exits.EPILOG,
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path),
    help="Result, .nc (NetCDF) or .csv. [default: FILE's name with .nc, here]",
)  # fmt: skip
@click.option("--real-time", is_flag=True, help="Keep every exchange to the clock, and count those that are late.")
@click.option("--speed", type=float, metavar="FACTOR", help="With --real-time, times real time. [default: 1]")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="No progress and no summary.")
def command(file: Path, output: Path | None, real_time: bool, speed: float | None, as_json: bool, quiet: bool) -> None:
    """Run the FMUs in FILE together and write what they put out."""
    require_speed(real_time, speed)
    from fairlead.cosim.setup import load_setup

    setup = load_setup(file)
    output = output or Path(file.with_suffix(".nc").name)
    if output.suffix.lower() not in (".nc", ".csv"):
        raise click.UsageError(f"{output}: a result is NetCDF or CSV; give it a name that ends in .nc or .csv with -o")
    require_folder(output)
    fetch_fmpy()
    made = [member.file for member in setup.fmus.values() if not member.file.lower().endswith(".fmu")]
    from fairlead.cosim.master import run_setup
    from fairlead.cosim.record import save
    from fairlead.simulate.pacing import Pacer
    from fairlead.words import number

    progress = _Progress(setup.duration, quiet)
    progress.making(made)
    try:
        outcome = run_setup(setup, file.parent, progress.update, Pacer(speed or 1.0) if real_time else None)
    finally:
        progress.close()
    save(outcome.result, output)
    summary: dict[str, Any] = {
        "output": str(output),
        "title": setup.title,
        "status": outcome.status,
        "duration": outcome.simulated,
        "wall_time": outcome.wall,
        "speed": outcome.speed,
        "step": setup.step,
        "real_time": kept_time(outcome.result.attrs),
        "fmus": {name: {"file": m.file, "time_in_steps": outcome.shares[name]} for name, m in setup.fmus.items()},
        "outputs": [str(name) for name in outcome.result.data_vars],
    }
    if as_json:
        echo_json(summary)
    elif not quiet:
        if setup.title:
            click.echo(setup.title)
        times = f"{outcome.simulated:.6g} s in {number(outcome.wall, 3)} s: {number(outcome.speed, 3)} x real time"
        click.echo(f"simulated         {times}")
        if summary["real_time"] is not None:
            click.echo(kept_time_line(summary["real_time"]))
        for name, seconds in outcome.shares.items():
            click.echo(f"{name:<18}{number(seconds, 3)} s in its steps")
        click.echo(f"result            {output}")
    if outcome.status != "complete":
        click.echo(outcome.status, err=True)
        interrupted = outcome.status in ("stopped: interrupted", "stopped: terminated")
        sys.exit(exits.INTERRUPTED if interrupted else exits.STOPPED)


def fetch_fmpy() -> None:
    """Import FMPy without a word: where it has no logger of its own (Linux on ARM) it prints so, into --json too.

    Whether it is there at all is told by who needs it.
    """
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(ImportError):
        from fmpy import fmi1, fmi2, fmi3  # noqa: F401


class _Progress:
    """A bar where a person watches, a line now and then where nobody does. Its speed is that since the first step."""

    def __init__(self, duration: float, quiet: bool):
        self._duration, self._quiet = duration, quiet
        self._first: tuple[float, float] | None = None
        self._spoken = time.perf_counter()
        self._bar: Any = None
        if not quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            self._bar = Progress(
                TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"),
                TimeRemainingColumn(compact=True), console=Console(stderr=True), transient=True,
            )  # fmt: skip
            self._task = self._bar.add_task("making FMUs", total=duration)
            self._bar.start()

    def making(self, files: list[str]) -> None:
        """That these files are made into FMUs first, which may take minutes where their kernels are compiled."""
        if files and self._bar is None and not self._quiet:
            click.echo(f"making FMUs of {', '.join(files)} (minutes, where kernels must be compiled first)", err=True)

    def update(self, reached: float) -> None:
        """The simulated time [s]."""
        from fairlead.words import number

        now = time.perf_counter()
        text = f"t = {reached:.6g} of {self._duration:.6g} s"
        if self._first is None:
            self._first, self._spoken = (now, reached), now
        else:
            began, since = self._first
            text += f", {number((reached - since) / max(now - began, 1e-9), 3)} x real time"
        if self._bar is not None:
            self._bar.update(self._task, completed=reached, description=text)
        elif not self._quiet and now - self._spoken > SECONDS_BETWEEN_LINES:
            self._spoken = now
            click.echo(text, err=True)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
