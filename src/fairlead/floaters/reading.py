"""Coefficients from whatever file there is."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np

from fairlead.model.damage import unforeseen

from . import bemio, capytaine, hams, nemoh, wamit
from .coefficients import CoefficientError, Coefficients
from .shifting import at_reference

Format = Literal["wamit", "hams", "nemoh", "capytaine", "bemio"]

MESHES = (".stl", ".obj", ".gdf", ".dat", ".msh", ".vtk", ".ply")
HOW_TO_COMPUTE = (
    "its coefficients are computed by capytaine, which is not installed; pip install 'fairlead[capytaine]' (for Linux "
    "on ARM there is no wheel: build it there, or compute on another machine), or compute them with WAMIT, HAMS or "
    "NEMOH and give their files"
)


def read(
    path: str | Path, format: Format | None = None, *, water_density: float = 1025.0, gravity: float = 9.80665,
    length: float = 1.0, first_column: str | None = None, depth: float | None = None,
    reference: tuple[float, float, float] | None = None,
) -> Coefficients:  # fmt: skip
    """Coefficients of all bodies in a file, or in the files of a root.

    `water_density`, `gravity`, `length` (WAMIT's ULEN) and `depth` (m; infinite when left out) are those by which
    WAMIT's and HAMS's numbers were made dimensionless; other formats bring their own. `first_column` is `period`
    (WAMIT's habit), `frequency` or `wave_number`; HAMS's follows from its ControlFile.in. `reference` says where the
    file's moments are taken, in its own axes, where the file itself does not.
    """
    place = Path(path)
    kind = format or guess(place)
    scale = wamit.Scale(water_density, gravity, length, math.inf if depth is None else depth, first_column or "period")
    readers = {
        "wamit": lambda: wamit.read(place, scale), "hams": lambda: hams.read(place, scale, first_column),
        "nemoh": lambda: nemoh.read(place), "capytaine": lambda: capytaine.read(place),
        "bemio": lambda: bemio.read(place),
    }  # fmt: skip
    if kind not in readers:
        raise CoefficientError(f"'{kind}' is no format; known are {', '.join(readers)}")
    with unforeseen(CoefficientError, place), np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        found = readers[kind]()
        if reference is not None and any(reference) and kind in ("wamit", "hams", "capytaine"):
            found = replace(found, reference=np.tile(np.asarray(reference, float), (found.bodies, 1)))
        return at_reference(found) if kind in ("wamit", "hams", "capytaine") else found


def guess(path: Path) -> Format:
    """What wrote a file, from its name and what lies beside it."""
    lower = path.name.lower()
    if lower.endswith(".nc"):
        return "capytaine"
    if lower.endswith((".h5", ".hdf5")):
        return "bemio"
    if lower.endswith(("nemoh.cal", ".tec")) or (path.is_dir() and (path / "Nemoh.cal").is_file()):
        return "nemoh"
    if path.name == "ControlFile.in":
        return "hams"
    if lower.endswith(wamit.EXTENSIONS) or wamit.companion(path, ".1") is not None:
        return "hams" if path.parent.name == "Wamit_format" or hams.control_of(path) is not None else "wamit"
    if lower.endswith(MESHES):
        raise CoefficientError(
            f"{path} is a mesh, not coefficients; 'fairlead floater {path.name} --keep {path.stem}' computes them, "
            f"with capytaine, then give 'file: {path.stem}'"
        )
    if not path.exists():
        raise CoefficientError(f"{path} is not there, nor are {path.name}.1, .3 and .hst; check the path")
    raise CoefficientError(f"{path}: nothing tells what wrote it; say 'format: wamit', hams, nemoh, capytaine or bemio")
