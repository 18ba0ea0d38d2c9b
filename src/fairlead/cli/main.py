"""The command `fairlead` and its subcommands, each loaded when it is needed."""

from __future__ import annotations

import errno
import gc
import os
import sys
from importlib import import_module
from typing import Any

import click

from fairlead import __version__
from fairlead.words import plain_text

from . import exits
from .groups import Group
from .help_pages import HelpContext, fit_to_terminal
from .quick_imports import import_quickly

COMMANDS = (
    "run", "study", "live", "converge", "reduce", "compare", "check", "statics", "modes", "floater", "plot", "view",
    "film", "report", "import", "export", "fmu", "library", "cosim", "demo", "new", "examples", "types", "schema",
    "completion", "verify", "bench",
)  # fmt: skip
"""In the order `--help` shows them. `fairlead.cli.<name>` holds the command as `command`."""
HOMES = {"import": "import_"}
"""Commands whose name no module may have."""

USER_ERRORS = (
    ("fairlead.model.problems", "ModelError"),
    ("fairlead.results.errors", "ResultError"),
    ("fairlead.ensembles.engine", "EngineError"),
    ("fairlead.formulations.contract", "UnsupportedSystem"),
    ("fairlead.simulate.integrators.contract", "UnknownIntegrator"),
    ("fairlead.studies.discovery", "UnknownStudy"),
    ("fairlead.reduction.errors", "ReductionError"),
    ("fairlead.exchange.errors", "ExportError"),
    ("fairlead.cosim.fmu.errors", "FmuError"),
    ("fairlead.compat.moordyn.constants", "MoorDynError"),
    ("fairlead.cosim.errors", "CosimError"),
    ("fairlead.floaters.coefficients", "CoefficientError"),
)
"""Errors whose text is all a user needs; anything else is a fault of the program and shows its traceback."""


OBJECTS_BETWEEN_COLLECTIONS = 1_000_000


class WrongInput(click.ClickException):
    """Something the user gave cannot be used; the message lists all that is wrong with it."""

    exit_code = exits.BAD_INPUT

    def show(self, file: Any = None) -> None:
        click.echo(plain_text(self.message), err=True, file=file)


class LazyGroup(Group):
    """Imports a subcommand's file when it is called or described, and turns known errors into messages."""

    context_class = HelpContext

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"fairlead.cli.{HOMES.get(cmd_name, cmd_name)}").command
        return fit_to_terminal(command)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(exits.INTERRUPTED)
        except MemoryError:
            raise WrongInput("there is not enough memory for this; choose less of it, or a larger machine") from None
        except Exception as error:
            if is_users(error):
                raise WrongInput(str(error)) from error
            raise


def is_users(error: Exception) -> bool:
    """Looks only at modules that are loaded: an error can come from no other."""
    known = (getattr(sys.modules[module], name) for module, name in USER_ERRORS if module in sys.modules)
    return isinstance(error, tuple(known))


@click.command(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
A first session:
  fairlead new mooring                      a file to start from; also tow, tether, lowering, spread
  fairlead check mooring.yaml               find its mistakes, see its size
  fairlead run mooring.yaml                 writes mooring.nc
  fairlead view mooring.nc                  see it move, in the browser
  fairlead examples                         what else ships with the program: examples copy NAME

"""
    + exits.EPILOG,
)
@click.version_option(__version__, prog_name="fairlead", message="%(prog)s %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Cables in the sea: describe a system in a file, run it, look at it.

    `fairlead COMMAND --help` explains each command, with examples.
    """
    # Matrices here are small: more threads only wait for one another (an LU of 464 unknowns took 30 times as long).
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


_CURES = {
    errno.ENOSPC: "free some space, or send it elsewhere",
    errno.EDQUOT: "free some of your space, or send it elsewhere",
    errno.EIO: "the disk or the network behind it fails; look whether it is still mounted",
}


def program() -> None:
    """What a terminal calls: the process is the command's own, and so are the habits of its memory.

    Importing makes hundreds of thousands of objects that stay; looking through them again and again, and once more at
    the end, took a quarter of a short run.
    """
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    import_quickly()
    try:
        main()
    except OSError as error:
        cure = _CURES.get(error.errno or 0)
        if cure is None:  # a reader that went away is click's affair
            raise
        click.echo(f"what was to be read, printed or written: {error.strerror}; {cure}", err=True)
        sys.exit(exits.STOPPED)
    finally:
        gc.freeze()
