"""`fairlead schema`: the file format as JSON Schema, for editors and other programs."""

from __future__ import annotations

import json
from pathlib import Path

import click

from . import exits


@click.command(
    short_help="Print the JSON Schema of model files, for editors.",
    epilog="""\b
Example: completion and checking in an editor with the YAML language server:
  fairlead schema -o fairlead.schema.json
and as first line of a model file:
  # yaml-language-server: $schema=fairlead.schema.json

"""
    + exits.EPILOG,
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write to a file. [default: stdout]"
)
def command(output: Path | None) -> None:
    """Print the JSON Schema of model files."""
    text = schema_text()
    if output is None:
        click.echo(text, nl=False)
    else:
        try:
            output.write_text(text, encoding="utf-8")
        except OSError as error:
            raise click.UsageError(f"cannot write {output}: {error.strerror}") from error


def schema_text() -> str:
    """The schema as a file holds it."""
    from fairlead.model import json_schema

    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
