"""`fairlead film`: a result as a film."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from . import exits
from .as_written import as_written


class Size(click.ParamType):  # type: ignore[type-arg]
    """`WIDTHxHEIGHT` in pixels."""

    name = "widthxheight"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        wide, _, tall = str(value).lower().partition("x")
        try:
            return int(wide), int(tall)
        except ValueError:
            self.fail(f"'{value}' is not a size such as 1280x720", param, ctx)


@click.command(
    short_help="Make a film of a result.",
    epilog="""\b
Examples:
  fairlead film mooring.nc                           writes mooring.mp4, 20 s long
  fairlead film mooring.nc -o mooring.gif            for a page or a message
  fairlead film tow.nc --view side --vertical 5 --colour speed
  fairlead film lift.nc --speed 10 --size 1920x1080

\b
No window opens and no display is needed. MP4 needs ffmpeg: the system's, or pip install "fairlead[film]".

"""
    + exits.EPILOG,
)
@click.argument("result", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Film. [default: RESULT's name with .mp4, here]")
@click.option("--view", type=click.Choice(["space", "side", "top", "water"]), default="space", show_default=True)
@click.option(
    "--colour", type=click.Choice(["tension", "curvature", "speed", "moment"]), default="tension", show_default=True
)
@click.option("--speed", type=float, metavar="FACTOR", help="Times real time. [default: such that it lasts 20 s]")
@click.option("--rate", type=click.FloatRange(1, 120), help="Images a second. [default: 25, or 12.5 for GIF]")
@click.option("--size", type=Size(), help="In pixels. [default: 1280x720, or 800x450 for GIF]")
@click.option("--vertical", type=click.FloatRange(0.1, 1000), default=1.0, help="Factor on heights. [default: 1]")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
def command(
    result: Path,
    output: Path | None,
    view: str,
    colour: str,
    speed: float | None,
    rate: float | None,
    size: tuple[int, int] | None,
    vertical: float,
    quiet: bool,
) -> None:
    """Write a film of RESULT, drawn off the screen, as MP4 or GIF by the name of the output."""
    from fairlead.results import open_result
    from fairlead.view.film import film

    dataset = open_result(result)
    output = output or Path(result.with_suffix(".mp4").name)
    if output.exists() and output.samefile(result):
        raise click.UsageError(f"the film cannot be written over the result {result}; name another with -o")
    show = not quiet and sys.stderr.isatty()
    options: dict[str, Any] = {"view": view, "colour": colour, "speed": speed, "rate": rate, "size": size}
    with as_written(result):
        film(dataset, output, stretch=vertical, progress=_counted if show else None, **options)
    click.echo(output)


def _counted(done: int, whole: int) -> None:
    click.echo(f"\r{done} of {whole} images" + ("\n" if done == whole else ""), nl=False, err=True)
