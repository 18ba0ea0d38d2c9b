"""`fairlead completion`: commands, options and file names completed by the shell."""

from __future__ import annotations

import os
from pathlib import Path

import click

from . import exits

SHELLS = ("bash", "zsh", "fish")


def place(shell: str) -> Path:
    """Where a shell looks for completions of a user by itself; zsh looks once the folder is in its `fpath`."""
    home = Path.home()
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    return {
        "bash": data / "bash-completion" / "completions" / "fairlead",
        "zsh": home / ".zfunc" / "_fairlead",
        "fish": settings / "fish" / "completions" / "fairlead.fish",
    }[shell]


@click.command(
    short_help="Let the shell complete commands and options.",
    epilog="""\b
Examples:
  fairlead completion              for the shell that runs (by $SHELL)
  fairlead completion zsh
  fairlead completion bash --print > fairlead.bash

"""
    + exits.EPILOG,
)
@click.argument("shell", type=click.Choice(SHELLS), required=False)
@click.option("--print", "only_print", is_flag=True, help="Print the script; install nothing.")
def command(shell: str | None, only_print: bool) -> None:
    """Install completion of commands, options and known names for SHELL; it works in the next shell that is opened."""
    shell = shell or Path(os.environ.get("SHELL", "")).name
    if shell not in SHELLS:
        raise click.UsageError(f"completion is there for {', '.join(SHELLS)}; name one: fairlead completion bash")
    from click.shell_completion import get_completion_class

    from .main import main

    made = get_completion_class(shell)
    assert made is not None
    script = made(main, {}, "fairlead", "_FAIRLEAD_COMPLETE")
    source = script.source_template % script.source_vars()  # `source` itself would start bash to ask its version
    if only_print:
        click.echo(source)
        return
    file = place(shell)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source, encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"cannot write {file}: {error.strerror}; use --print and put it elsewhere") from None
    click.echo(f"{file}: open a new shell, and press Tab after `fairlead`")
    if shell == "zsh":
        click.echo("~/.zshrc must hold, in this order: fpath+=~/.zfunc; autoload -Uz compinit && compinit")
