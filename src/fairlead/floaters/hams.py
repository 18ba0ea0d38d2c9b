"""HAMS: WAMIT's files with a first column that its ControlFile.in names."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from . import wamit
from .coefficients import CoefficientError, Coefficients
from .rows import text_of

COLUMNS = {1: "deep_wave_number", 2: "wave_number", 3: "frequency", 4: "period", 5: "wave_length"}
"""What `Output_frequency_type` says the first column is."""


def control_of(path: Path) -> Path | None:
    """ControlFile.in of a run, from any of its files: beside it, or in Input of a folder above."""
    folder = path if path.is_dir() else path.parent
    for one in (folder, *list(folder.resolve().parents)[:3]):
        for place in (one / "ControlFile.in", one / "Input" / "ControlFile.in"):
            if place.is_file():
                return place
    return None


def read(path: Path, scale: wamit.Scale, first_column: str | None) -> Coefficients:
    """Coefficients from HAMS's files in WAMIT's format, or from its ControlFile.in."""
    control = path if path.name == "ControlFile.in" else control_of(path)
    if path.name == "ControlFile.in":
        path = _outputs(path)
    said = _said(control) if control is not None else {}
    if first_column is None:
        kind = said.get("output_frequency_type")
        if kind is None:
            raise CoefficientError(
                f"{path}: HAMS writes wave numbers, frequencies or periods into its first column, and without its "
                "ControlFile.in nothing says which; put it beside the file, or give 'first_column'"
            )
        if kind not in COLUMNS:
            known = ", ".join(f"{number} ({name.replace('_', ' ')})" for number, name in COLUMNS.items())
            raise CoefficientError(f"{control}: Output_frequency_type is {kind:g}; it is one of {known}")
        first_column = COLUMNS[int(kind)]
    depth = said.get("waterdepth")
    if depth is not None:
        scale = replace(scale, depth=depth if depth > 0 else float("inf"))
    return wamit.read(path, replace(scale, first_column=first_column), "hams")


def _outputs(control: Path) -> Path:
    for folder in (control.parent, control.parent.parent):
        found = sorted((folder / "Output" / "Wamit_format").glob("*.1"))
        if found:
            return found[0]
    raise CoefficientError(f"{control}: there is no Output/Wamit_format with a .1 beside it; run HAMS first")


def _said(path: Path) -> dict[str, float]:
    """Numbers of ControlFile.in by their names, in lower case."""
    found = re.findall(r"^\s*(\w+)\s+([-+]?[\d.]+(?:[eEdD][-+]?\d+)?)\s*$", text_of(path), re.MULTILINE)
    return {name.lower(): float(value.replace("D", "e").replace("d", "e")) for name, value in found}
