"""Commands that examples and pages name exist, with the options they name."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from fairlead.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = [*sorted((ROOT / "examples").rglob("*.yaml")), *sorted((ROOT / "examples").glob("*.py"))]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")),
         *sorted((ROOT / "docs/theory").glob("*.md")), ROOT / "docs/examples.toml",
         *sorted((ROOT / "src/fairlead/cli/starters").iterdir())]  # fmt: skip
IN_TEXT = re.compile(r"`(fairlead\s+[a-z][^`]*)`")
ON_A_LINE = re.compile(r"^(?:    |\$ )(fairlead [a-z].*)", re.MULTILINE)
IN_A_TABLE = re.compile(r'"(fairlead [a-z][^"\n]*)"')
COMMENT = re.compile(r"\s+#.*|   .*|\\$")


def named(text: str) -> Iterator[str]:
    """The commands that a text shows: in backticks, after a prompt, or on a line of their own that is set in."""
    plain = re.sub(r"^# ?", "", text, flags=re.MULTILINE)
    yield from (" ".join(found.split()) for pattern in (IN_TEXT, IN_A_TABLE) for found in pattern.findall(plain))
    yield from (COMMENT.sub("", found).strip() for found in ON_A_LINE.findall(plain))


def wrong(line: str) -> str | None:
    """What is wrong with a command, or None."""
    words = shlex.split(line.partition("|")[0].partition(" > ")[0])[1:]
    command: click.Command = main
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        context = click.Context(command)
        inner = command.get_command(context, words[0])
        if inner is None:
            return f"there is no command {words[0]!r}"
        command, words = inner, words[1:]
    try:
        command.make_parser(click.Context(command, **main.context_settings)).parse_args(list(words))
    except click.UsageError as error:
        return None if isinstance(error, click.MissingParameter) else error.format_message()
    return None


def test_a_command_that_does_not_exist_is_found() -> None:
    assert wrong("fairlead run x.yaml --plot pictures") is None
    assert wrong("fairlead walk x.yaml") == "there is no command 'walk'"
    assert "--colour" in (wrong("fairlead run x.yaml --colour red") or "")
    assert list(named("#     fairlead run x.yaml   # a run\nsee `fairlead\n view x.nc`")) == [
        "fairlead view x.nc", "fairlead run x.yaml",
    ]  # fmt: skip


@pytest.mark.parametrize("path", [*EXAMPLES, *PAGES], ids=lambda path: str(path.relative_to(ROOT)))
def test_the_commands_named_exist(path: Path) -> None:
    found = list(named(path.read_text(encoding="utf-8")))
    assert {line: trouble for line in found if (trouble := wrong(line))} == {}
    for line in found:
        for word in line.split():
            if word.startswith("examples/"):
                assert (ROOT / word).exists(), f"{word} in '{line}'"


def test_commands_are_found_in_the_headers() -> None:
    assert sum(len(list(named(path.read_text(encoding="utf-8")))) for path in EXAMPLES) > 15
