"""Parts of pages that are made from the program itself.

They stand between two lines of a page, `<!-- generated: commands -->` and `<!-- end -->`, and are what the function of
that name in `GENERATORS` returns. They are kept in the repository, so that every page can be read there as text;

    python docs/generated_pages.py          (or `make pages`)

writes them anew, a test tells when that is due, and the built documentation has them fresh in any case. What is
laid out differently there than in plain text is in `BUILT`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from api_pages import api, api_in_text
from example_pages import gallery, gallery_in_text

HERE = Path(__file__).resolve().parent
REGION = re.compile(r"^<!-- generated: (\w+) -->\n.*?^<!-- end -->$", re.MULTILINE | re.DOTALL)


def model_file() -> str:
    """The reference of the model file, made from the schema."""
    from fairlead.model import reference_markdown

    return reference_markdown()


def commands() -> str:
    """The help text of every command."""
    from fairlead.cli.main import main

    parts = []
    fixed = {**main.context_settings, "terminal_width": 100}  # help is as wide as the terminal; the page is not
    for words, command in _commands(["fairlead"], main):
        context = command.context_class(command, info_name=" ".join(words), **fixed)
        parts.append(f"## {' '.join(words)}\n\n```text\n{command.get_help(context)}\n```\n")
    return "\n".join(parts)


def _commands(words: list[str], command: click.Command) -> Iterator[tuple[list[str], click.Command]]:
    """A command and all below it, with the words that call them."""
    yield words, command
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=words[-1])
        for name in command.list_commands(context):
            if (inner := command.get_command(context, name)) is not None:
                yield from _commands([*words, name], inner)


def exit_codes() -> str:
    """The exit codes, as the commands tell them."""
    from fairlead.cli.exits import EPILOG

    rows = re.findall(r"^\s+(\d+)\s+(.+)$", EPILOG, re.MULTILINE)
    return _table(["code", "meaning"], [[f"`{code}`", text] for code, text in rows])


def result_variables() -> str:
    """Variables and coordinates of a result."""
    import numpy as np

    from fairlead.results import ObservationShape
    from fairlead.results.variables import result_variables as variables_of

    shape = ObservationShape(("line",), (3,), ("A",), ((0.0, 1.0, 2.0),))
    found = variables_of(shape, np.zeros(1), np.zeros((1, shape.size)))
    rows = [
        [f"`{name}`", ", ".join(variable.dims), _unit(variable.attrs.get("units", "")), variable.attrs["long_name"]]
        for name, variable in sorted(found.items(), key=lambda item: item[1].coordinate)
    ]
    return _table(["name", "dimensions", "unit", "meaning"], rows)


def validation() -> str:
    """The checks of `fairlead verify`, with the records of the latest `make validation`."""
    from fairlead.studies import verification

    kept = json.loads((HERE / "validation.json").read_text(encoding="utf-8"))
    parts = []
    for name, title in verification.names().items():
        sources: dict[str, list[list[str]]] = {}
        for record in kept.get(name, ()):
            numbers = [(record["value"], 6), (record["reference"], 6), (record["error"], 2), (record["bound"], 2)]
            row = [record["name"], *(_number(value, digits) for value, digits in numbers)]
            sources.setdefault(record["source"], []).append(row)
        tables = "\n".join(
            f"Reference: {source}.\n\n{_table(['compared', 'value', 'reference', 'error', 'bound'], rows)}"
            for source, rows in sources.items()
        )
        parts.append(f"### `{name}`\n\n{title}.\n\n{tables}")
    return "\n".join(parts)


def _with_tables() -> list[str]:
    """Formulations that declare their tables."""
    return sorted(path.parent.name for path in HERE.parent.glob("src/fairlead/formulations/*/schema.py"))


def state(formulation: str) -> str:
    """The state vector of a formulation, from the tables it declares."""
    from fairlead.algebra.records import Y

    schema = import_module(f"fairlead.formulations.{formulation}.schema").SCHEMA
    rows = []
    for table in schema.table.values():
        if table.place == Y:
            fields = [f"{name} ({field.count})" if field.vector else name for name, field in table.fields.items()]
            each = "one" if table.per is None else f"{table.each} × {table.per}" if table.each > 1 else table.per
            words = (", ".join(fields).replace("_", " "), each.replace("_", " "))
            rows.append([f"`{table.name}`", *words, _unit(table.unit)])
    units = ", ".join(f"`{unit}`" for unit in ("N", "1/m", "m", "m/s", "s"))
    rows.append(["`extremes`", "extremes of the steps since the latest sample", "one", units])
    return _table(["part of the state", "numbers in a row", "rows", "unit"], rows)


GENERATORS: dict[str, Callable[[], str]] = {
    "model_file": model_file,
    "commands": commands,
    "exit_codes": exit_codes,
    "result_variables": result_variables,
    "validation": validation,
    "gallery": gallery_in_text,
    "api": api_in_text,
    **{f"state_{name}": partial(state, name) for name in _with_tables()},
}


BUILT: dict[str, Callable[[], str]] = {"gallery": gallery, "api": api}
"""What the built documentation shows instead: pictures, and pages of their own."""


def _unit(text: str) -> str:
    return ", ".join(f"`{unit.strip()}`" for unit in text.split(",") if unit.strip())


def _table(columns: list[str], rows: list[list[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}g}"


def current(text: str) -> str:
    """A page with its generated parts as they should be."""

    def region(found: re.Match[str]) -> str:
        name = found.group(1)
        return f"<!-- generated: {name} -->\n\n{GENERATORS[name]().strip()}\n\n<!-- end -->"

    return REGION.sub(region, text)


def pages() -> list[Path]:
    """The pages that have generated parts."""
    found = [*HERE.glob("*.md"), *HERE.glob("theory/*.md")]
    return sorted(path for path in found if REGION.search(path.read_text(encoding="utf-8")))


def fill(app: Any, page: str, source: list[str]) -> None:
    """Make the generated parts of a page that is being read."""
    source[0] = REGION.sub(lambda found: (GENERATORS | BUILT)[found.group(1)](), source[0])


def always_outdated(app: Any, env: Any, added: set[str], changed: set[str], removed: set[str]) -> list[str]:
    """Pages with markers are read at every build: what they are made from is not among the sources Sphinx watches."""
    return [page for page in env.found_docs if REGION.search(Path(env.doc2path(page)).read_text(encoding="utf-8"))]


def publish_schema(app: Any, failure: Exception | None) -> None:
    """The schema of model files beside the pages, for editors and other programs to fetch."""
    from fairlead.cli.schema import schema_text

    if failure is None:
        (Path(app.outdir) / "fairlead.schema.json").write_text(schema_text(), encoding="utf-8")


def setup(app: Any) -> dict[str, object]:
    """Called by Sphinx."""
    app.connect("build-finished", publish_schema)
    app.connect("source-read", fill)
    app.connect("env-get-outdated", always_outdated)
    return {"parallel_read_safe": True}


def main() -> None:
    """Write the generated parts of all pages."""
    for path in pages():
        text = path.read_text(encoding="utf-8")
        if (new := current(text)) != text:
            path.write_text(new, encoding="utf-8")
            print(path.relative_to(HERE))


if __name__ == "__main__":
    main()
