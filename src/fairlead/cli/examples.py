"""`fairlead examples`: the cases that ship with the program."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import click

from . import exits
from .groups import Group
from .json_output import echo_json
from .known_names import completed_by


def folder() -> Path:
    """Where the examples are: inside an installed package, or beside the sources of a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "examples"
    return installed if installed.is_dir() else package.parents[1] / "examples"


def files() -> dict[str, Path]:
    """Every example by name: model files, scripts, notebooks, and folders of several files."""
    several = (path.parent for path in folder().glob("*/*.yaml"))
    found = [*folder().glob("*.yaml"), *folder().glob("*.py"), *folder().glob("notebooks/*.ipynb"), *several]
    return {path.stem: path for path in sorted(set(found), key=lambda path: path.stem)}


_KINDS = {
    "twin": (" (a live twin)", "python play_the_sea.py"),
    "fmus": (" (a co-simulation)", "fairlead cosim {}"),
    "study": (" (a study)", "fairlead study plan {}"),
    "title": ("", "fairlead run {}"),
}
"""By the key that tells what the first file of a folder is: what follows its title, and what it is begun with."""


def _first_file(folder: Path) -> tuple[Path, str]:
    """The file of a folder that the others belong to, and the key of its kind."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml"))}
    found = ((path, key) for key in _KINDS for path, text in texts.items() if f"\n{key}:" in text)
    return next(found)


def companions(source: Path) -> list[Path]:
    """What goes with an example: scripts that a model file names or that name it, and the model files they read."""
    if source.suffix == ".py":
        return _read_by(source)
    if source.suffix != ".yaml":
        return []
    text = source.read_text(encoding="utf-8")
    scripts = [
        path
        for path in sorted(folder().glob("*.py"))
        if path.name in text or source.name in path.read_text(encoding="utf-8")
    ]
    read = {path for script in scripts for path in _read_by(script)}
    return [*scripts, *sorted(read - {source})]


def _read_by(script: Path) -> list[Path]:
    """The model files whose names a script has in quotes."""
    quoted = re.findall(r'"(\w+\.yaml)"', script.read_text(encoding="utf-8"))
    return [script.with_name(name) for name in sorted(set(quoted)) if script.with_name(name).exists()]


def _title(path: Path) -> str:
    """What an example shows: the title of a file or a notebook, the first sentence of a script."""
    if path.is_dir():
        head, kind = _first_file(path)
        return _named(head.read_text(encoding="utf-8")) + _KINDS[kind][0]
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return re.split(r"[.?:,]\s", text.split('"""')[1] + " ", maxsplit=1)[0].replace("\n", " ") + " (a script)"
    if path.suffix == ".ipynb":
        first = str(json.loads(text)["cells"][0]["source"][0])
        return first.strip("# \n") + " (a notebook)"
    return _named(text)


def _named(text: str) -> str:
    found = re.search(r"^(?:title|study|twin):\s*(.+?)\s*$", text, re.MULTILINE)
    return found.group(1).strip("'\"") if found else ""


def _to_try(source: Path, target: Path) -> str:
    """A command that an example is begun with, where it was copied to."""
    place = shlex.quote(str(target))
    if not source.is_dir():
        return f"{_TRY[source.suffix]} {place}"
    first, kind = _first_file(source)
    return f"cd {place} && {_KINDS[kind][1].format(first.name)}"


_TRY = {".yaml": "fairlead run", ".py": "python", ".ipynb": "jupyter lab"}


@click.group(
    cls=Group,
    invoke_without_command=True,
    short_help="List the examples, or copy one to start from.",
    epilog="""\b
Examples:
  fairlead examples                                list them
  fairlead examples copy sinking_cables            writes sinking_cables.yaml here
  fairlead examples copy sinking_cables -o my.yaml
  fairlead examples copy steel_cable_in_air             with steel_cable_angles.py, which draws it
  fairlead examples copy mooring_varied                 a notebook, mooring_varied.ipynb
  fairlead examples copy uncertainty_quantification     a study with all it needs, in a folder

"""
    + exits.EPILOG,
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List the examples, or copy one to start from."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_examples)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def list_examples(as_json: bool = False) -> None:
    """List the examples and what each shows."""
    found = {name: _title(path) for name, path in files().items()}
    if as_json:
        echo_json([{"name": name, "title": title} for name, title in found.items()])
        return
    width = max(map(len, found), default=0)
    for name, title in found.items():
        click.echo(f"{name:<{width}}  {title}")


@command.command("copy")
@click.argument("name", shell_complete=completed_by(files))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File or folder to copy to. [default: here]")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def copy(name: str, output: Path | None, force: bool) -> None:
    """Copy the example NAME, with the scripts that draw or make it; what a script reads comes with a script.

    Of those that go with it, files that are there already are kept, unless with --force.
    """
    found = files()
    name = Path(name).stem if Path(name).suffix in _TRY else name
    if name not in found:
        from fairlead.model.problems import suggestion

        raise click.UsageError(f"there is no example '{name}'; {suggestion(name, found)}")
    source = found[name]
    target = output or Path(source.name)
    if target.is_dir() and output is not None:
        target = target / source.name
    if target.exists() and not force:
        raise click.UsageError(f"{target} is there already; name another with -o, or replace it with --force")
    try:
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            shutil.copyfile(source, target)
        beside = [(path, target.with_name(path.name)) for path in companions(source)]
        brought = [(path, place) for path, place in beside if force or not place.exists()]
        for path, place in brought:
            shutil.copyfile(path, place)
    except OSError as error:
        raise click.UsageError(f"cannot write {target}: {error.strerror}") from error
    click.echo(f"{target}   (try: {_to_try(source, target)})")
    for _, place in brought:
        click.echo(f"{place}   (goes with it)")
