"""`fairlead demo`: a mooring that is run and shown, to see what the program does."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click

from . import exits
from .examples import files
from .pages import offer

EXAMPLE = "three_line_mooring"
STEPS = (
    ("Have the file, and look at it: a mooring is a page of text.", ("examples", "copy", EXAMPLE)),
    (
        "Change something: twice the wave. The line upstream goes slack and snaps, and the summary says so.",
        ("run", f"{EXAMPLE}.yaml", "--set", "environment.waves.height=4", "-o", "storm.nc"),
    ),
    ("See both seas over one another.", ("view", f"{{folder}}/{EXAMPLE}.nc", "storm.nc", "-o", "both.html")),
    ("Where it rests without waves.", ("statics", f"{EXAMPLE}.yaml")),
    ("With which periods it moves.", ("modes", f"{EXAMPLE}.yaml")),
    (
        "The same file by other formulations of a cable: they should agree.",
        ("compare", f"{EXAMPLE}.yaml", "--with", "lumped,bars", "-o", "agree.png"),
    ),
    ("What else ships: a tow, a tether, a lowering, a fish farm.", ("examples",)),
)
"""What to try next, in the words of commands; `{folder}` is where the demo is."""


@click.command(
    short_help="Run a mooring and show it on one page.",
    epilog="""\b
Examples:
  fairlead demo                   writes demo/index.html and what it shows
  fairlead demo -o first --no-open

"""
    + exits.EPILOG,
)
@click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("demo"), help="Folder. [default: demo]")
@click.option("--duration", type=float, default=120.0, help="Simulated time in s. [default: 120]")
@click.option("--no-open", is_flag=True, help="Only write the page.")
def command(output: Path, duration: float, no_open: bool) -> None:
    """Run a buoy on three mooring lines in waves and write one page: replay, numbers, pictures, what to try next."""
    from fairlead.algebra.compiled import is_compiled
    from fairlead.model import load

    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"{output}: cannot make this folder ({error.strerror}); name another with -o") from None
    system = load(files()[EXAMPLE], set={"simulation.duration": duration})
    if not is_compiled(system.simulation.formulation):
        from .compiling import find_rest, step_beside

        click.echo("compiling (once, about half a minute)", err=True)
        with step_beside(system):
            find_rest(system)
    from fairlead.simulate import simulate
    from fairlead.view.showcase import showcase

    result = simulate(system, output=output / f"{EXAMPLE}.nc")
    simulated, wall = (float(result.attrs[name]) for name in ("simulated_time", "wall_time"))
    elements = sum(len(cable.segments(system)) for cable in system.cables.values())
    what = f"{system.title}: {simulated:g} s of {len(system.cables)} cables in {elements} elements"
    fast = f"computed in {wall:.2g} s, {float(f'{simulated / wall:.2g}'):g} times as fast as it happens"
    program = "fairlead" if shutil.which("fairlead") else sys.argv[0]
    steps = [(words, (program, *(word.format(folder=output) for word in step))) for words, step in STEPS]
    page, _ = showcase(result, output, f"{what}, {fast}.", steps)
    click.echo(f"{what}\n{fast}\nlook at {page}")
    if not no_open:
        offer(page)
