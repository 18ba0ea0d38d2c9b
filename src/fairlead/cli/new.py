"""`fairlead new`: a commented model file to start from."""

from __future__ import annotations

from pathlib import Path

import click

from . import exits
from .places import require_folder

STARTERS = Path(__file__).resolve().parent / "starters"
KINDS = ("mooring", "tow", "tether", "lowering", "spread")
SCHEMA = "fairlead.schema.json"


@click.command(
    short_help="Write a commented model file to start from.",
    epilog="""\b
Examples:
  fairlead new mooring                     writes mooring.yaml: a platform on three chains
  fairlead new tow -o sonar.yaml           a body towed behind a vessel
  fairlead new tether --schema             ... and the schema, for an editor that completes and checks

\b
Kinds:
  mooring   a platform on three chains
  tow       a body towed behind a vessel
  tether    the tether of an underwater vehicle
  lowering  a load lowered through the surface to the seabed
  spread    two cables towed side by side, a rope between them

"""
    + exits.EPILOG,
)
@click.argument("kind", type=click.Choice(KINDS))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File. [default: KIND.yaml, here]")
@click.option("--schema", is_flag=True, help=f"Also write {SCHEMA} beside it, and name it in the first line.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def command(kind: str, output: Path | None, schema: bool, force: bool) -> None:
    """Write a model file of one KIND that runs as it is, with a word on every line that is yours to change."""
    output = output or Path(f"{kind}.yaml")
    require_folder(output)
    if output.exists() and not force:
        raise click.UsageError(f"{output} is there already; name another with -o, or replace it with --force")
    text = (STARTERS / f"{kind}.yaml").read_text(encoding="utf-8")
    try:
        if schema:
            from .schema import schema_text

            output.with_name(SCHEMA).write_text(schema_text(), encoding="utf-8")
            text = f"# yaml-language-server: $schema={SCHEMA}\n{text}"
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"cannot write {output}: {error.strerror}; choose another place with -o") from error
    click.echo(f"{output}   (try: fairlead run {output})")
