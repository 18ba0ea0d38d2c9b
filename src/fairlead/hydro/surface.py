"""The free surface: perturbation η and φ on top of the incident wave's surface, and how they change.

On z = η_I, linear in the perturbation (η, p) and exact in the incident wave (φ_I, η_I):

    η_t = p_z + η φ_I,zz − ∇p·∇η_I − ∇φ_I·∇η − η ∂_z(∇φ_I)·∇η_I − νη
    p_t = −gη − ∇φ_I·∇p − η (φ_I,tz + ∇φ_I·∂_z∇φ_I) − νp

(horizontal gradients with η and η_I). Panels stay over their places or follow the waterlines of piercing bodies with
horizontal speed w; f, the values of p carried by them, change by df/dt = p_t + η_I,t p_z + w·∇f. In linear mode the
surface is z = 0 and the incident wave enters through the bodies alone. ν > 0 in the absorbing zone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.sparse import csr_matrix

from .gradients import Stencils
from .panels import Floats, Panels


class Wave(Protocol):
    """The incident wave; see `fairlead.hydro.incident`."""

    @property
    def amplitude(self) -> float:
        """Of the elevation, m."""

    def surface(self, t: float, x: Floats, y: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """η, η_t, η_x, η_y at places (n,)."""

    def flow(self, t: float, x: Floats, y: Floats, z: Floats) -> dict[str, Floats]:
        """`phi`, `phi_t` (n,), `grad`, `grad_t` (n, 3), `hessian` (n, 3, 3) at places (n,)."""


class SurfaceMesh(Protocol):
    """Panels whose inner rims follow waterlines; see `fairlead.hydro.surface_mesh`."""

    @property
    def quads(self) -> np.ndarray:
        """(panels, 4)."""

    def at(self, waterlines: np.ndarray | None = None) -> Panels:
        """Panels at z = 0 for these waterlines (points, 2 or 3)."""

    def velocity(self, waterline_velocities: np.ndarray) -> np.ndarray:
        """Horizontal velocity of the vertices (vertices, 2)."""


@dataclass(frozen=True)
class Still:
    """A mesh of panels that stay where they are, for a surface that no body pierces."""

    panels: Panels

    @property
    def quads(self) -> np.ndarray:
        """(panels, 4)."""
        return self.panels.quads

    def at(self, waterlines: np.ndarray | None = None) -> Panels:
        """The panels."""
        return self.panels

    def velocity(self, waterline_velocities: np.ndarray) -> np.ndarray:
        """None."""
        return np.zeros((len(self.panels.vertices), 2))


@dataclass(frozen=True)
class Change:
    """How the perturbation changes at the panel centres (m,)."""

    elevation: Floats
    """dη/dt following the panels, m/s."""
    potential: Floats
    """df/dt following the panels, m²/s²."""
    potential_t: Floats
    """p_t at a fixed place: what the second boundary-value problem needs, m²/s²."""
    gradient: Floats
    """∇p (m, 3), m/s; nothing in linear mode, where it is not needed."""


class FreeSurface:
    """The free surface's mesh, its derivatives and its absorbing zone."""

    def __init__(
        self,
        mesh: SurfaceMesh,
        damping: Floats,
        *,
        gravity: float = 9.81,
        symmetric: bool = False,
        linear: bool = False,
    ) -> None:
        """damping: ν at each panel (m,), 1/s, as from `absorbing`. symmetric: the mesh is the half y ≥ 0."""
        self.mesh = mesh
        self.damping = np.asarray(damping, dtype=float)
        self.gravity = gravity
        self.linear = linear
        self.symmetric = symmetric
        self.rest = mesh.at()
        self.along = Stencils.of(self.rest, symmetric, rings=1, degree=2).on(self.rest)
        self._mean = _means(mesh.quads, len(self.rest.vertices))

    def __len__(self) -> int:
        return len(self.rest)

    def panels(self, t: float, wave: Wave, waterlines: Floats | None) -> Panels:
        """Panels on the incident surface (at z = 0 in linear mode), inner rims at the waterlines."""
        flat = self.mesh.at(waterlines)
        if self.linear:
            return flat
        vertices = flat.vertices.copy()
        vertices[:, 2] = wave.surface(t, vertices[:, 0], vertices[:, 1])[0]
        return Panels(vertices, flat.quads)

    def speeds(self, waterline_velocities: Floats | None) -> Floats | None:
        """Horizontal velocity of the panel centres (m, 2); None when they stand still."""
        if self.linear or waterline_velocities is None or not len(waterline_velocities):
            return None
        return np.asarray(self._mean @ self.mesh.velocity(waterline_velocities))

    def slopes(self, f: Floats, centres: Floats) -> tuple[Floats, Floats]:
        """∂f/∂x and ∂f/∂y of values at panels that have moved from rest to `centres` (m, 3).

        The derivatives are those of the mesh at rest, carried over by the chain rule.
        """
        a, b = self.along.slopes(f)
        moved = centres[:, :2] - self.rest.centres[:, :2]
        if self.linear or not np.any(moved):
            return a, b
        xx, xy = self.along.slopes(centres[:, 0] - self.rest.centres[:, 0])
        yx, yy = self.along.slopes(centres[:, 1] - self.rest.centres[:, 1], odd=self.symmetric)
        xx, yy = xx + 1.0, yy + 1.0
        size = xx * yy - xy * yx
        return (yy * a - yx * b) / size, (xx * b - xy * a) / size

    def change(
        self, t: float, wave: Wave, panels: Panels, eta: Floats, f: Floats, normal: Floats, speeds: Floats | None
    ) -> Change:
        """From η, f and p_n (`normal`) on the panels at t; `speeds`: of the panels, see `speeds`."""
        g, nu = self.gravity, self.damping
        if self.linear:
            p_t = -g * eta - nu * f
            return Change(normal - nu * eta, p_t, p_t, np.zeros((len(f), 3)))
        x, y = panels.centres[:, 0], panels.centres[:, 1]
        level, level_t, level_x, level_y = wave.surface(t, x, y)
        flow = wave.flow(t, x, y, level)
        u, v, w = flow["grad"].T
        second = flow["hessian"]
        eta_x, eta_y = self.slopes(eta, panels.centres)
        f_x, f_y = self.slopes(f, panels.centres)
        stretch = 1.0 + level_x**2 + level_y**2
        p_z = (np.sqrt(stretch) * normal + level_x * f_x + level_y * f_y) / stretch
        p_x, p_y = f_x - level_x * p_z, f_y - level_y * p_z
        eta_t = (
            p_z
            + eta * (second[:, 2, 2] - second[:, 0, 2] * level_x - second[:, 1, 2] * level_y)
            - p_x * level_x - p_y * level_y - u * eta_x - v * eta_y - nu * eta
        )  # fmt: skip
        carried = flow["grad_t"][:, 2] + u * second[:, 0, 2] + v * second[:, 1, 2] + w * second[:, 2, 2]
        p_t = -g * eta - (u * p_x + v * p_y + w * p_z) - eta * carried - nu * f
        f_t = p_t + level_t * p_z
        if speeds is not None:
            eta_t = eta_t + speeds[:, 0] * eta_x + speeds[:, 1] * eta_y
            f_t = f_t + speeds[:, 0] * f_x + speeds[:, 1] * f_y
        return Change(eta_t, f_t, p_t, np.stack([p_x, p_y, p_z], axis=1))


def _means(quads: np.ndarray, n_vertices: int) -> csr_matrix:
    """Mean over the corners of each panel, those of a triangle counted once."""
    repeated = np.zeros(quads.shape, dtype=bool)
    for k in range(1, 4):
        repeated[:, k] = (quads[:, :k] == quads[:, k : k + 1]).any(axis=1)
    share = np.where(repeated, 0.0, 1.0)
    share /= share.sum(axis=1, keepdims=True)
    rows = np.repeat(np.arange(len(quads)), 4)
    return csr_matrix((share.ravel(), (rows, quads.ravel())), shape=(len(quads), n_vertices))


def absorbing(
    panels: Panels, start: float, end: float, strength: float, centre: tuple[float, float] = (0.0, 0.0)
) -> Floats:
    """ν (m,) round `centre`: nothing within `start`, then growing as a square to `strength` [1/s] at `end`."""
    r = np.hypot(panels.centres[:, 0] - centre[0], panels.centres[:, 1] - centre[1])
    return np.asarray(strength * np.clip((r - start) / (end - start), 0.0, None) ** 2)
