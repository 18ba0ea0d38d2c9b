"""What of the program's dependencies a step and the statics are compiled by, for `make demo`: pip's words, one line."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

NEEDS = {"numpy", "numba", "llvmlite", "pydantic", "ruamel.yaml"}
PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def first_needs() -> list[str]:
    """The dependencies of `fairlead.cli.compiling --step` and `--rest`, with the versions that the project asks for."""
    with PROJECT.open("rb") as file:
        wanted = tomllib.load(file)["project"]["dependencies"]
    return [words for words in wanted if re.split("[<>=]", words)[0] in NEEDS]


if __name__ == "__main__":
    print(*first_needs())
