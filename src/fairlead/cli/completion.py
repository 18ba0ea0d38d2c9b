"""`fairlead completion`: commands, options and file names completed by the shell."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click

from . import exits

SHELLS = ("bash", "zsh", "fish")


def place(shell: str) -> Path:
    """Where the script goes; fish reads it there by itself, bash and zsh by a line of their start-up file."""
    home = Path.home()
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    return {
        "bash": data / "bash-completion" / "completions" / "fairlead",
        "zsh": home / ".zfunc" / "_fairlead",
        "fish": settings / "fish" / "completions" / "fairlead.fish",
    }[shell]


def start_up(shell: str, script: Path) -> tuple[Path, str, str] | None:
    """The file that a shell reads when it opens, the line that makes it read ``script``, and the one that did before,
    which complains where the script is gone; None where none is needed.

    zsh completes nothing before `compinit` was called, and a second call would take as long as the first.
    """
    place = shlex.quote(str(script))
    before, source = f"source {place}", f"[ ! -f {place} ] || source {place}"
    if shell == "bash":
        return Path.home() / ".bashrc", source, before
    if shell == "zsh":
        begin = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }"
        return Path(os.environ.get("ZDOTDIR") or Path.home()) / ".zshrc", f"{begin}; {source}", f"{begin}; {before}"
    return None


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
    """Install completion of commands, options and known names for SHELL; it works in the next shell that is opened.

    The script goes into your home folder, and one line at the end of ~/.bashrc or ~/.zshrc reads it; fish needs none.
    """
    shell = shell or Path(os.environ.get("SHELL", "")).name
    if shell not in SHELLS:
        raise click.UsageError(f"completion is there for {', '.join(SHELLS)}; name one: fairlead completion bash")
    from click.shell_completion import get_completion_class

    from .main import main

    made = get_completion_class(shell)
    assert made is not None
    script = made(main, {}, "fairlead", "_FAIRLEAD_COMPLETE")
    source = script.source_template % script.source_vars()  # `source` itself would start bash to ask its version
    source = source.replace("bash_complete $1)", "bash_complete $1 2>/dev/null)")  # Tab is quiet without the program
    if only_print:
        click.echo(source)
        return
    file = place(shell)
    _written(file, source + "\n")
    click.echo(file)
    reading = start_up(shell, file)
    if reading is not None:
        _read_by(*reading)
    click.echo("Open a new shell, and press Tab after `fairlead`.")


def _read_by(settings: Path, line: str, before: str) -> None:
    """Have a start-up file hold the line, once: in the place of the one before it, or else at its end."""
    text = settings.read_bytes().decode("utf-8", errors="surrogateescape") if settings.exists() else ""
    lines = text.split("\n")
    if before in lines:
        _written(settings, "\n".join(line if one == before else one for one in lines))
        click.echo(f"{settings}: its line that reads it is renewed")
    elif line not in lines:
        end = "" if not text or text.endswith("\n") else "\n"
        _written(settings, f"{end}{line}\n", "a")
        click.echo(f"{settings}: its last line reads it")


def _written(file: Path, text: str, mode: str = "w") -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open(mode, encoding="utf-8", errors="surrogateescape") as stream:
            stream.write(text)
    except OSError as error:
        raise click.UsageError(f"cannot write {file}: {error.strerror}; use --print and put it elsewhere") from None
