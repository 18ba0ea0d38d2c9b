"""The shipped examples by point masses and by bars: the same tensions and the same shape."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import fairlead
from fairlead.model import System, load
from fairlead.simulate import simulate
from fairlead.studies.verification.record import Record

SOURCE = "the formulation 'bars' on the same file, torsional stiffness left out"
TENSION, SHAPE = 0.005, 0.002
"""Bounds, as parts of the largest tension and of the length of the longest cable."""
RUNS: dict[str, dict[str, Any]] = {
    "hanging_mooring": {"duration": 24.0},
    "towed_cable": {"duration": 60.0},
    "buoy_release": {"duration": 80.0, "finer": 2},
    "sinking_cables": {"duration": 60.0},
    "clamped_umbilical": {"duration": 20.0},
}
"""Each example, how long it runs, and how many times finer than in its file where line is let go and collapses."""


def example(name: str, duration: float, finer: int = 1) -> System:
    """The example of that name without torsional stiffness, which point masses do not have."""
    package = Path(fairlead.__file__).parent
    installed = package / "examples"
    folder = installed if installed.is_dir() else package.parents[1] / "examples"
    system = load(folder / f"{name}.yaml")
    types = {key: kind.model_copy(update={"torsional_stiffness": 0.0}) for key, kind in system.types.items()}
    cables = {
        key: cable if finer == 1 else cable.model_copy(update={"elements": finer * (cable.elements or 0)})
        for key, cable in system.cables.items()
    }
    return system.model_copy(update={"types": types, "cables": cables}).with_settings(duration=duration)


def differences(name: str) -> tuple[float, float]:
    """Largest difference of tension and of place at any node after the start, as parts of tension and length."""
    runs = [simulate(example(name, **RUNS[name]), formulation=method) for method in ("bars", "lumped")]
    tension, place = ([run[key].values[1:] for run in runs] for key in ("tension_effective", "position"))
    length = float(np.nanmax(runs[0]["arc_length"].values))
    return (
        float(np.nanmax(np.abs(tension[1] - tension[0])) / np.nanmax(tension[0])),
        float(np.nanmax(np.linalg.norm(place[1] - place[0], axis=-1)) / length),
    )


def check() -> Iterator[Record]:
    """Every example that point masses can run once its torsional stiffness is left out."""
    for name in RUNS:
        tension, shape = differences(name)
        yield Record.absolute(f"{name}, lumped beside bars, tension / largest", SOURCE, tension, 0.0, TENSION)
        yield Record.absolute(f"{name}, lumped beside bars, place / length", SOURCE, shape, 0.0, SHAPE)
