"""The examples that ship with the program."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "examples"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


def example(name: str) -> Path:
    """The file of an example."""
    return FOLDER / f"{name}.yaml"
