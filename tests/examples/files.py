"""The examples that ship with the program."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "examples"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))
IN_FOLDERS = tuple(
    sorted(
        f"{path.parent.name}/{path.stem}"
        for path in FOLDER.glob("*/*.yaml")
        if "\nsimulation:" in path.read_text(encoding="utf-8")
    )
)
"""Models among the files of examples that are folders; the others are studies, twins, signals and co-simulations."""


def example(name: str) -> Path:
    """The file of an example."""
    return FOLDER / f"{name}.yaml"
