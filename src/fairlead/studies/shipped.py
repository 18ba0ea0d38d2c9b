"""Where the examples are that ship with the program."""

from __future__ import annotations

from pathlib import Path

import fairlead


def examples() -> Path:
    """Inside an installed package, or beside the sources of a checkout."""
    package = Path(fairlead.__file__).parent
    installed = package / "examples"
    return installed if installed.is_dir() else package.parents[1] / "examples"
