"""What crosses a surface in the water: energy and mass, from the potential inside the boundary.

Inside the fluid 4π p(x) = Σ_j (S_j p_n,j − D_j p_j): the boundary elements know the flow everywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .influence import influence
from .panels import Floats, Panels
from .water import Stage, Water

GAP = 0.15
"""Of the radius of a control cylinder."""


def boundary_values(stage: Stage) -> tuple[Panels, Floats, Floats]:
    """All panels of a stage, p and p_n on them (walls, where p is not kept, left out)."""
    panels = stage.surface.joined(*stage.hulls)
    return (
        panels,
        np.concatenate([stage.surface_potential, *stage.hull_potential]),
        np.concatenate([stage.surface_normal, *stage.hull_normal]),
    )


def inflow(stage: Stage) -> tuple[float, float]:
    """∫ p_n dS over the free surface and over the hulls, m³/s: what enters through them (a half when symmetric).

    Of rigid hulls alone it is nothing; what rises through the surface has come from beyond its edge.
    """
    surface = float(stage.surface_normal @ stage.surface.areas)
    hulls = sum(float(n @ panels.areas) for n, panels in zip(stage.hull_normal, stage.hulls, strict=True))
    return surface, hulls


@dataclass(frozen=True)
class ControlCylinder:
    """An upright cylinder in the water, from the bottom to z = 0, for mean energy flux in linear mode."""

    points: Floats
    """(n, 3), m."""
    outward: Floats
    """Unit normals away from the axis (n, 3)."""
    areas: Floats
    """m², both halves of a symmetric case."""
    source: Floats
    dipole: Floats
    """Influence of the panels on the points shifted by −2, −1, 0, 1 and 2 gaps along the radius (5n, panels)."""
    gap: float
    """m, about as long as the panels above, so that the steps of p from panel to panel are passed over."""

    @classmethod
    def of(
        cls, water: Water, radius: float, angles: int = 24, levels: int = 10, bottom: float | None = None
    ) -> ControlCylinder:
        """About the origin. bottom: depth it reaches to, m; the water's own where there is one."""
        if not water.linear:
            raise ValueError("energy flux is taken in linear mode, where the boundary stays where it is")
        depth = water.depth if bottom is None else bottom
        if depth is None:
            raise ValueError("in deep water a control cylinder needs a `bottom` well below the waves")
        span = math.pi if water.symmetric else 2.0 * math.pi
        theta = span * (np.arange(angles) + 0.5) / angles
        u, w = np.polynomial.legendre.leggauss(levels)
        z, share = 0.5 * depth * (u - 1.0), 0.5 * depth * w
        T, Z = np.meshgrid(theta, z, indexing="ij")
        out = np.column_stack([np.cos(T).ravel(), np.sin(T).ravel(), np.zeros(T.size)])
        points = radius * out + np.column_stack([np.zeros((T.size, 2)), Z.ravel()])
        areas = np.tile(share, angles) * radius * span / angles * (2.0 if water.symmetric else 1.0)
        gap = GAP * radius
        stage = water.stage(0.0, water.initial_state())
        panels = stage.surface.joined(*stage.hulls)
        five = np.concatenate([points + shift * gap * out for shift in (-2.0, -1.0, 0.0, 1.0, 2.0)])
        S, D = influence(panels, water.depth, water.symmetric, five)
        return cls(points, out, areas, S, D, gap)

    def flow(self, water: Water, stage: Stage) -> tuple[Floats, Floats]:
        """φ and its outward derivative at the points (n,), incident wave included."""
        _, p, p_n = boundary_values(stage)
        values = (self.source @ p_n - self.dipole @ p).reshape(5, -1) / (4.0 * math.pi)
        slope = (values[0] - values[4] + 8.0 * (values[3] - values[1])) / (12.0 * self.gap)
        incident = water.wave.flow(stage.t, *self.points.T)
        out = np.einsum("ij,ij->i", incident["grad"], self.outward)
        return values[2] + incident["phi"], slope + out

    def mean_power(self, water: Water, stages: list[Stage], omega: float) -> float:
        """Mean energy flux INTO the cylinder, W, from stages evenly spread over whole periods of a steady motion.

        The mean of −∫ P φ_r dS with P = −ρφ_t, both simple harmonic: ½ρω Im ∫ φ̂ φ̂_r* dS with φ = Re φ̂ e^{−iωt}.
        """
        t = np.array([stage.t for stage in stages])
        wheel = np.exp(1j * omega * t)
        flows = [self.flow(water, stage) for stage in stages]
        phi = 2.0 * np.mean([w * f[0] for w, f in zip(wheel, flows, strict=True)], axis=0)
        out = 2.0 * np.mean([w * f[1] for w, f in zip(wheel, flows, strict=True)], axis=0)
        # mean of P·φ_r = mean of Re(iωρφ̂ e) Re(φ̂_r e) = −½ρω Im(φ̂ φ̂_r*), and inwards is against φ_r
        return float(0.5 * water.density * omega * np.imag(np.conj(out) * phi) @ self.areas)
