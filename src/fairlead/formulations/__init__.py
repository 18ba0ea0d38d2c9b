"""How a cable moves. Each folder is one formulation; `contract` says what that is; none imports another.

The files beside the folders are made of the contract alone. What formulations share below it is in `fairlead.rigging`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairlead.model import System
    from fairlead.shape.layout import Geometry

    from .contract import Compiled

NAMES = ("bars", "lumped", "tether", "links", "spline", "chain", "multibody", "reduced")
"""Formulations on offer. Adding one is adding its folder with a `compile_system` and its name here."""

EXPORTING = ("bars", "lumped", "tether", "links")
"""Those whose systems run without Python, in an FMU (`KernelCompiled.exports`)."""

_CHOOSY = ("multibody",)
"""Those with a `refusal(system)`: why they cannot run a system of parts they all carry, or None."""


def compile_system(system: System, geometry: Geometry, formulation: str | None = None) -> Compiled:
    """Compile `system`, laid out as `geometry`, by the named formulation (default: the one its file names)."""
    name = formulation or system.simulation.formulation
    if name not in NAMES:
        raise ValueError(f"unknown formulation '{name}'; there are: {', '.join(NAMES)}")
    folder = import_module(f"{__name__}.{name}")
    _require(system, name, folder.SUPPORTS)
    if any(kind.growth for kind in system.types.values()):
        from fairlead.shape.growth import with_growth

        system = with_growth(system, geometry)
    compiled: Compiled = folder.compile_system(system, geometry)
    compiled.geometry = geometry
    return compiled


def _require(system: System, name: str, supports: frozenset[str]) -> None:
    """Refuse a system that needs more than the formulation carries, saying what, where, and which can run it."""
    from fairlead.model.needs import FEATURES, needs

    from .contract import UnsupportedSystem

    needed = needs(system)
    missing = [feature for feature in needed if feature not in supports]
    if not missing:
        return
    able = [other for other in NAMES if needed.keys() <= import_module(f"{__name__}.{other}").SUPPORTS]
    # What a formulation carries part by part it may yet refuse as a whole; it is then no advice.
    refused = {other: import_module(f"{__name__}.{other}").refusal(system) for other in able if other in _CHOOSY}
    able = [other for other in able if not refused.get(other)]
    what = "; ".join(f"{needed[feature]} needs {FEATURES[feature]}" for feature in missing)
    cure = f"use formulation: {' or '.join(able)}" if able else "no formulation carries all of it; simplify the system"
    if refused and not able:
        cure = "; ".join(f"nor can '{other}': {why}" for other, why in refused.items())
    raise UnsupportedSystem(f"the formulation '{name}' cannot run this system: {what}; {cure}")
