"""Floaters by coefficients before a run: whether they float, stand upright and fit their sea."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairlead.model import System


def floater_warnings(system: System) -> list[str]:
    """Warnings about the floaters of a system; what cannot be run is raised as a `ModelError`."""
    if not any(body.kind == "floating" for body in system.bodies.values()):
        return []
    from fairlead.simulate.drawn_hulls import drawn_hulls
    from fairlead.studies.floater import refused

    drawn_hulls(system)
    return refused(system)


def rest_warnings(system: System) -> list[str]:
    """The same before statics: only of those that sink, trim or capsize."""
    if not any(body.kind == "floating" for body in system.bodies.values()):
        return []
    from fairlead.studies.floater import unsteady

    return unsteady(system)
