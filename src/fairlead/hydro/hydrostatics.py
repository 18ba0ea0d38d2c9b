"""What still water does to a hull: volume, centre of buoyancy, waterplane and restoring stiffness, from its panels.

All are integrals over the wetted panels alone. The lid at z = 0 adds nothing to integrals of z, and integrals over the
waterplane are those of −N_z over the hull (Gauss), N the normal out of the body:

    V = ∫ z N_z dS,   V x_b = ∫ x z N_z dS,   V z_b = ½ ∫ z² N_z dS,   ∫ f(x, y) dA = −∫ f N_z dS.

Products of two coordinates are integrated exactly on each triangle (mid-points of its sides).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .panels import Panels
from .vectors import crosses


@dataclass(frozen=True)
class Hydrostatics:
    """A hull in still water. Lengths in m; moments about z through the global origin."""

    volume: float
    """Displaced volume, m³."""
    centre_of_buoyancy: np.ndarray
    """(3,), m."""
    waterplane_area: float
    """m²; nothing for a submerged body."""
    waterplane_moments: np.ndarray
    """∫x dA, ∫y dA (2,), m³."""
    waterplane_second_moments: np.ndarray
    """∫x² dA, ∫xy dA, ∫y² dA (3,), m⁴."""

    def stiffness(
        self, about: np.ndarray, mass: float, centre_of_mass: np.ndarray, density: float, gravity: float
    ) -> np.ndarray:
        """Restoring matrix (6, 6) for moves [surge, sway, heave, roll, pitch, yaw] of the point `about` (3,), N/m …

        J. N. Newman, Marine Hydrodynamics, section 6.16, for moments about any point.
        """
        o, weight, lift = np.asarray(about, dtype=float), density * gravity, density * gravity * self.volume
        b, g = self.centre_of_buoyancy - o, np.asarray(centre_of_mass, dtype=float) - o
        A, (mx, my) = self.waterplane_area, self.waterplane_moments
        xx, xy, yy = self.waterplane_second_moments
        sx, sy = mx - o[0] * A, my - o[1] * A
        sxx = xx - 2.0 * o[0] * mx + o[0] ** 2 * A
        sxy = xy - o[0] * my - o[1] * mx + o[0] * o[1] * A
        syy = yy - 2.0 * o[1] * my + o[1] ** 2 * A
        C = np.zeros((6, 6))
        C[2, 2], C[2, 3], C[2, 4] = weight * A, weight * sy, -weight * sx
        C[3, 2], C[4, 2] = C[2, 3], C[2, 4]
        C[3, 3] = weight * syy + lift * b[2] - mass * gravity * g[2]
        C[4, 4] = weight * sxx + lift * b[2] - mass * gravity * g[2]
        C[3, 4] = C[4, 3] = -weight * sxy
        C[3, 5] = -lift * b[0] + mass * gravity * g[0]
        C[4, 5] = -lift * b[1] + mass * gravity * g[1]
        return C


def static_load(panels: Panels, about: np.ndarray, density: float, gravity: float) -> np.ndarray:
    """Force and moment (6,) about a point of the pressure −ρgz on panels, exact over their triangles, cut both ways.

    The pressure at the middle of a panel gives the force, but not the moment: a side whose waterline rises by η in the
    bow and falls by as much at the stern would turn the hull by a moment of first order in η that is not there.
    """
    a, b, c, d = (panels.corners[:, k] for k in range(4))
    triangles = np.concatenate([np.stack(three, axis=1) for three in ((a, b, c), (a, c, d), (a, b, d), (b, c, d))])
    area = 0.25 * crosses(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    z, arms = triangles[:, :, 2], triangles - np.asarray(about, dtype=float)
    middle, arm = z.mean(axis=1), arms.mean(axis=1)
    first = (np.einsum("ik,ikc->ic", z, arms) + 9.0 * middle[:, None] * arm) / 12.0  # mean of z r over a triangle
    force, moment = (middle[:, None] * area).sum(axis=0), crosses(first, area).sum(axis=0)
    return np.asarray(-density * gravity * np.concatenate([force, moment]))


def hydrostatics(panels: Panels, half: bool = False) -> Hydrostatics:
    """Of the wetted panels of a hull below z = 0; `half`: they are the half y ≥ 0 of it."""
    whole = panels.whole() if half else panels
    a, b, c, d = (whole.corners[:, k] for k in range(4))
    triangles = np.concatenate((np.stack((a, b, c), axis=1), np.stack((a, c, d), axis=1)))
    out = -0.5 * crosses(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])[:, 2]
    middles = 0.5 * (triangles + np.roll(triangles, -1, axis=1))
    x, y, z = (middles[:, :, k] for k in range(3))

    def integral(f: np.ndarray) -> float:
        return float(np.sum(f.mean(axis=1) * out))

    V = integral(z)
    one = np.ones_like(z)
    centre = np.array([integral(x * z), integral(y * z), 0.5 * integral(z * z)]) / V
    return Hydrostatics(
        V, centre, -integral(one), np.array([-integral(x), -integral(y)]),
        np.array([-integral(x * x), -integral(x * y), -integral(y * y)]),
    )  # fmt: skip
