"""`fairlead library`: a mooring file as a native library with MoorDyn's own calls."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import exits
from .foreign import foreign_models
from .json_output import echo_json
from .notes import warn
from .places import require_folder

if TYPE_CHECKING:
    from fairlead.exchange import Reading


@click.command(
    short_help="Make a native library with MoorDyn's calls of a mooring file.",
    epilog="""\b
Examples:
  fairlead library Mooring/lines.txt                   writes libmoordyn.so, for this machine
  fairlead library lines.txt -o libmoordyn.dll --target x86_64-windows
  fairlead export moordyn mooring.yaml -o lines.txt && fairlead library lines.txt

\b
Programs that call MoorDyn's C library (WEC-Sim, foamMooring, own hosts) load this one in its place: the calls of
version 1 (MoorDynInit, MoorDynStep, MoorDynClose, ...) and of version 2 (MoorDyn_Create, MoorDyn_Step, ...). It needs
no Python. The mooring is compiled in: when FILE has changed, make the library anew. Linking for other machines than
this one needs the `ziglang` wheel: pip install 'fairlead[fmu]'.

"""
    + exits.EPILOG,
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=Path("libmoordyn.so"), show_default=True,
    help="The library.",
)  # fmt: skip
@click.option(
    "--target", metavar="NAME",
    help="Machine it shall run on: x86_64-linux, aarch64-linux, x86_64-windows. [default: this one]",
)  # fmt: skip
@foreign_models
@click.option("--json", "as_json", is_flag=True, help="Print what was made as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but warnings.")
def command(file: Path, output: Path, target: str | None, as_json: bool, quiet: bool, reading: Reading) -> None:
    """Make a library with MoorDyn's calls of the mooring in FILE, a file of MoorDyn's."""
    if output.exists() and file.exists() and output.samefile(file):
        raise click.UsageError(f"the library cannot be written over the input file {file}; name another with -o")
    if file.suffix in (".yaml", ".yml"):
        lines = file.with_suffix(".txt").name
        raise click.UsageError(
            f"{file}: hosts of MoorDyn's calls read its files; write one: fairlead export moordyn {file} -o {lines}"
        )
    require_folder(output)
    from fairlead.compat.moordyn import LEVEL_NONE, MoorDyn
    from fairlead.compat.moordyn.library import build
    from fairlead.exchange.opening import missing
    from fairlead.exchange.wording import COMMAND_LINE
    from fairlead.model import ModelError

    began = time.perf_counter()
    system = MoorDyn(str(file), reading)
    lacking = system.lacking()
    if lacking and not reading.partial:
        raise ModelError(missing(note, str(file), COMMAND_LINE) for note in lacking)
    warn(str(note.warning(str(file))) for note in lacking)
    if not (quiet or as_json):
        click.echo("making machine code (half a minute)", err=True)
    system.messages.terminal = LEVEL_NONE  # what it would tell is in the warnings
    made = build(system, output, target)
    warn(made.warnings)
    seconds, size = time.perf_counter() - began, made.path.stat().st_size
    if as_json:
        echo_json(
            {
                "output": str(made.path), "target": made.target, "bytes": size, "wall_time": seconds,
                "coupled_degrees_of_freedom": made.degrees_of_freedom, "lines": made.lines, "step": made.step,
                "warnings": list(made.warnings),
            }
        )  # fmt: skip
    elif not quiet:
        held = f"{made.degrees_of_freedom} numbers to move" if made.degrees_of_freedom else "nothing to move"
        click.echo(f"MoorDyn's calls for {made.target}, {size / 1024:.0f} KiB: {made.lines} lines, {held}")
        click.echo(f"steps of at most {made.step:g} s")
        click.echo(str(made.path))
