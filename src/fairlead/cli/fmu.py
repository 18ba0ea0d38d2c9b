"""`fairlead fmu`: a system, or signals, as an FMU that any co-simulation tool can run."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import exits
from .foreign import foreign_models
from .json_output import echo_json
from .models import model_of
from .notes import warn
from .overrides import Setting
from .places import require_folder

if TYPE_CHECKING:
    from fairlead.cosim.fmu import Exported
    from fairlead.exchange import Reading

FMI = {"2": "2.0", "3": "3.0"}


@click.command(
    short_help="Make an FMU of a system, for co-simulation.",
    epilog="""\b
Examples:
  fairlead fmu mooring.yaml                            writes mooring.fmu, FMI 3.0
  fairlead fmu mooring.yaml -o mooring.fmu --fmi 2 --target x86_64-linux
  fairlead fmu mooring.yaml --output-variable chain.force_end --parameter environment.water_density
  fairlead fmu commands.yaml                           a file of `signals:` as an FMU that plays them
  fairlead fmu mooring.yaml --json | jq '.variables[].name'

\b
Systems of `bars`, `lumped`, `tether` and `links` can be FMUs, and none of the other formulations. The FMU is native:
no Python on the machine that runs it. Inputs, outputs and parameters are those of the section `fmu:` of FILE, or all
that is useful where there is none. A parameter set before the run begins has the effect of the same value in FILE;
lengths and numbers of elements are fixed. Linking for other machines than this one needs the `ziglang` wheel:
pip install 'fairlead[fmu]'.

"""
    + exits.EPILOG,
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The FMU. [default: FILE's name with .fmu, here]")
@click.option("--fmi", type=click.Choice(sorted(FMI)), default="3", show_default=True, help="Version of FMI.")
@click.option(
    "--target", "targets", multiple=True, metavar="NAME",
    help="Machine it shall run on: x86_64-linux, aarch64-linux, x86_64-windows; repeatable. [default: Linux]",
)  # fmt: skip
@click.option("--input-variable", "inputs", multiple=True, metavar="NAME", help="An input; repeatable.")
@click.option("--output-variable", "outputs", multiple=True, metavar="NAME", help="An output; repeatable.")
@click.option("--parameter", "parameters", multiple=True, metavar="PATH", help="A parameter; repeatable.")
@click.option("--communication-step", type=float, metavar="SECONDS", help="Step to suggest to the host.")
@click.option(
    "--set", "settings", type=Setting(), multiple=True, help="Another value for the file, by its path; repeatable."
)
@foreign_models
@click.option("--json", "as_json", is_flag=True, help="Print what was made as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but warnings.")
def command(
    file: Path,
    output: Path | None,
    fmi: str,
    targets: tuple[str, ...],
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    parameters: tuple[str, ...],
    communication_step: float | None,
    settings: tuple[tuple[str, Any], ...],
    as_json: bool,
    quiet: bool,
    reading: Reading,
) -> None:
    """Make an FMU of the system in FILE, or of the signals in it."""
    from fairlead.cosim.files import top_level_keys

    signals = "signals" in top_level_keys(file)
    output = output or Path(file.with_suffix(".fmu").name)
    if output.exists() and output.samefile(file):
        raise click.UsageError(f"the FMU cannot be written over the input file {file}; name another with -o")
    if output.suffix != ".fmu":
        raise click.UsageError(f"{output}: give the FMU a name that ends in .fmu with -o")
    require_folder(output)
    began = time.perf_counter()
    common: dict[str, Any] = {"targets": targets or None, "communication_step": communication_step}
    if signals:
        if inputs or outputs or parameters or settings:
            raise click.UsageError(
                "a file of signals shows its signals and nothing else; leave the choice of names out"
            )
        from fairlead.cosim.signals import export_signals

        made = export_signals(file, output, FMI[fmi], **common)
    else:
        from fairlead.cosim.fmu import export

        system = model_of(file, dict(settings), reading=reading)
        _say_if_compiling(system.simulation.formulation, quiet or as_json)
        chosen: dict[str, Any] = {
            "inputs": inputs or None,
            "outputs": outputs or None,
            "parameters": parameters or None,
        }
        made = export(system, output, FMI[fmi], **chosen, **common)
    _report(made, time.perf_counter() - began, as_json, quiet)


def _say_if_compiling(formulation: str, quiet: bool) -> None:
    from fairlead.algebra.compiled import is_compiled

    if not quiet:
        first = "" if is_compiled(formulation) else "compiling (once, about half a minute), then "
        click.echo(f"{first}making machine code for the FMU", err=True)


def _report(made: Exported, seconds: float, as_json: bool, quiet: bool) -> None:
    kinds = ("input", "output", "parameter")
    warn(made.warnings)
    if made.missing and not quiet:
        missing = " and ".join(made.missing)
        click.echo(f"note: not made for {missing}; for that: pip install 'fairlead[fmu]'", err=True)
    if as_json:
        echo_json(
            {
                "output": str(made.path),
                "fmi": made.version,
                "targets": list(made.targets),
                "missing_targets": list(made.missing),
                "bytes": made.path.stat().st_size,
                "wall_time": seconds,
                "variables": [
                    {
                        "name": v.name, "causality": v.causality, "unit": v.unit, "shape": list(v.shape),
                        "start": list(v.start), "description": v.description,
                    }
                    for v in made.variables
                ],
                "warnings": list(made.warnings),
            }
        )  # fmt: skip
    elif not quiet:
        click.echo(f"FMI {made.version} for {' and '.join(made.targets)}, {made.path.stat().st_size / 1024:.0f} KiB")
        for kind in kinds:
            names = [v.name for v in made.variables if v.causality == kind]
            shown = ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")
            click.echo(f"{kind + 's':<12}{len(names):>4}  {shown}".rstrip())
        click.echo(f"{made.path}")
    sys.stdout.flush()
