"""Rigid links with elastic joints (azimuth, elevation, twist), solved in O(n)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .compiled_links import SUPPORTS, CompiledLinks

if TYPE_CHECKING:
    from fairlead.formulations.contract import Compiled
    from fairlead.model import System
    from fairlead.shape.layout import Geometry

__all__ = ["SUPPORTS", "CompiledLinks", "compile_system"]


def compile_system(system: System, geometry: Geometry) -> Compiled:
    """Compile `system` as laid out, in the mode its settings name."""
    if system.simulation.links.mode == "paper":
        from .paper import CompiledPaperLinks

        return CompiledPaperLinks(system, geometry)
    return CompiledLinks(system, geometry)
