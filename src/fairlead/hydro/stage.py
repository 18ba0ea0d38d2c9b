"""What the water is made of at one moment: where its boundary is, and what was found out on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from .gradients import Along
from .mechanism import Motion
from .panels import Floats, Panels
from .solver import BoundarySolver


class Hull(Protocol):
    """The outside of a body, in its own frame; see `fairlead.hydro.hulls`."""

    @property
    def piercing(self) -> bool:
        """Whether it goes through the surface."""

    def placed(self, position: Floats, rotation: Floats | None = None, surface: Any = ...) -> tuple[Panels, Floats]:
        """Wetted panels, and the waterline (points, 3), of the body there under that surface."""

    def finer(self) -> Hull:
        """The same with more panels where it is curved and its panels depend on the water: for hydrostatics."""


@dataclass(frozen=True)
class Rigid:
    """A submerged hull of given panels, in body axes."""

    panels: Panels
    piercing: bool = False

    def placed(self, position: Floats, rotation: Floats | None = None, surface: Any = None) -> tuple[Panels, Floats]:
        """The panels moved there; no waterline."""
        return self.panels.moved(position, rotation), np.zeros((0, 3))

    def finer(self) -> Rigid:
        """Itself."""
        return self


@dataclass
class Boundary:
    """Where the boundary of the water is at one stage, and what solves on it."""

    surface: Panels
    hulls: list[Panels]
    along: list[Along]
    speeds: Floats | None
    solver: BoundarySolver


@dataclass
class Stage:
    """All that one stage found out; arrays over bodies are lists in their order."""

    t: float
    motions: list[Motion]
    surface: Panels
    hulls: list[Panels]
    elevation: Floats
    """η on the surface panels (m,), m."""
    surface_potential: Floats
    surface_normal: Floats
    """p and p_n on the surface panels (m,)."""
    hull_potential: list[Floats]
    hull_normal: list[Floats]
    """p and p_n on the hulls."""
    hull_potential_t: list[Floats]
    """p_t on the hulls, m²/s²."""
    hull_velocity: list[Floats]
    """∇φ on the hulls (m, 3), m/s."""
    pressure: list[Floats]
    """On the hulls, Pa; without the hydrostatic part in linear mode."""
    still_forces: Floats
    """f₀: the same for hulls without acceleration (6·bodies)."""
    forces: Floats
    """Force and moment on each hull (bodies, 6), N, N m, world axes, about the body's origin."""
    added_mass: Floats
    """A (6·bodies)²: force on the hulls against unit accelerations with the surface held at p_t = 0."""
    accelerations: Floats
    """x of the mechanism."""
    rates: Floats
    """dy/dt."""
