"""`fairlead reduce`: a reduced model of a cable from a run of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from . import exits
from .as_written import as_written
from .json_output import echo_json

SHOWN = 12
"""Singular values that are shown."""


@click.command(
    short_help="Make a reduced model of a run's cable, many times faster.",
    epilog="""\b
Examples:
  fairlead reduce run.nc -o cable.rom.nc                       as many modes as 1 % needs
  fairlead reduce run.nc --tolerance 0.003 -o cable.rom.nc
  fairlead reduce run.nc --modes 9 --tension-modes 5 --plain -o cable.rom.nc
  fairlead run cable.yaml --formulation reduced --model cable.rom.nc -o fast.nc

"""
    + exits.EPILOG,
)
@click.argument("result", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File of the model. [default: RESULT.rom.nc]")
@click.option("--modes", type=click.IntRange(1), help="Shapes of the motion. [default: as many as --tolerance needs]")
@click.option("--tension-modes", type=click.IntRange(1), help="Shapes of the tension. [default: what suits]")
@click.option("--tolerance", type=float, default=0.01, show_default=True, help="Error that is well enough.")
@click.option("--step", type=float, default=0.025, show_default=True, help="Step of the runs it is judged by, s.")
@click.option("--plain", is_flag=True, help="Without the shapes that keep it from locking: faster, less robust.")
@click.option("--standard", is_flag=True, help="Standard Galerkin, without tension modes: it locks.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def command(
    result: Path,
    output: Path | None,
    modes: int | None,
    tension_modes: int | None,
    tolerance: float,
    step: float,
    plain: bool,
    standard: bool,
    as_json: bool,
) -> None:
    """Make a reduced model of the cable in RESULT, the result of a full run, and hold it against that run.

    The model moves in a few shapes of the run (modes of the motion), and its tension in a few shapes of the tension;
    one more shape for each tension mode keeps it from locking. It runs other motions of the ends too, with
    `fairlead run --formulation reduced`. Errors are those of the middle of the cable as a part of its motion.
    """
    if standard and tension_modes is not None:
        raise click.UsageError("--standard has no tension modes; leave --tension-modes out")
    if not (0.0 < tolerance < float("inf") and 0.0 < step < float("inf")):
        raise click.UsageError("--tolerance and --step must be positive numbers")
    output = output or Path(f"{result.resolve().stem}.rom.nc")
    if output.suffix != ".nc" or (output.exists() and result.exists() and output.samefile(result)):
        raise click.UsageError(f"{output}: a reduced model is a file of its own whose name ends in .nc")
    from fairlead.reduction import reduce

    options: dict[str, Any] = {"standard": standard, "enriched": not plain, "tolerance": tolerance, "step": step}
    with as_written(result):
        model = reduce(result, modes, tension_modes, **options)
    model.save(output)
    notes = dict(model.notes)
    numbers: dict[str, Any] = {
        "output": str(output),
        "cables": list(model.cables),
        "shapes": int(model.modes.shape[2]),
        **notes,
        "singular_values": [float(value) for value in model.singular_values[:SHOWN]],
        "tension_values": [float(value) for value in model.tension_values[:SHOWN]],
    }
    if as_json:
        echo_json(numbers)
        return
    for line in _lines(numbers, tolerance):
        click.echo(line)


def _lines(numbers: dict[str, Any], tolerance: float) -> list[str]:
    from fairlead.words import percentage

    tension = "all elements" if numbers["kind"] == "standard" else f"{numbers['tension_modes']} tension modes"
    extra = numbers["shapes"] - numbers["modes"]
    lines = [
        f"reduced model     {numbers['kind']}: {numbers['modes']} modes of the motion, {tension}"
        + (f", {extra} shapes against locking" if extra else ""),
        f"made from         {numbers['snapshots']} snapshots of {', '.join(numbers['cables'])}",
        "singular values   " + " ".join(f"{value:.4g}" for value in numbers["singular_values"]) + " m",
        "of the strain     " + " ".join(f"{value:.3g}" for value in numbers["tension_values"]),
        f"error             {percentage(numbers['error'])} of the motion of the middle, "
        f"{numbers['largest_error']:.3g} m at most; {numbers['error_anywhere']:.3g} m anywhere",
        f"written to        {numbers['output']}",
    ]
    if numbers["error"] > tolerance:
        lines.insert(-1, f"                  more than {percentage(tolerance)}: take more modes or snapshots")
    return lines
