"""How a cable moves. Each folder is one formulation; `contract` says what that is; none imports another."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairlead.model import System
    from fairlead.shape.layout import Geometry

    from .contract import Compiled

NAMES = ("bars",)
"""Formulations on offer. Adding one is adding its folder with a `compile_system` and its name here."""


def compile_system(system: System, geometry: Geometry, formulation: str | None = None) -> Compiled:
    """Compile `system`, laid out as `geometry`, by the named formulation (default: the one its file names)."""
    name = formulation or system.simulation.formulation
    if name not in NAMES:
        raise ValueError(f"unknown formulation '{name}'; there are: {', '.join(NAMES)}")
    compiled: Compiled = import_module(f"{__name__}.{name}").compile_system(system, geometry)
    return compiled
