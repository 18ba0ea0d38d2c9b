"""The conditions on a hull: what is known of φ_t there, and which way its panels push.

A hull's points move with U = V + ω × r. The potential seen from the hull, ψ = φ_t + U·∇φ with that same field U
everywhere, is harmonic too (a rigid motion of a harmonic function is one), and on the hull

    ψ_n = a·n + U·(ω × n):

no second derivatives of φ, which are without bounds at edges. φ_t = ψ − U·∇φ on that hull. On other hulls, where the
same ψ is needed only for its small influence from there, ψ_n = φ_tn + n·(U·∇)∇φ + ∇φ·(ω × n) by differences along
the surface. A flat bottom is taken for a wall of ψ as it is of φ, although a heaving hull sees ψ_z = U_z φ_zz there:
of the force on a sphere 13 m over the bottom, in the waves of `studies.submerged_sphere`, that is 0.2 %.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .gradients import Along
from .mechanism import Motion
from .panels import Floats, Panels
from .vectors import crosses

EVEN = np.array([True, False, True, False, True, False])
"""Of surge, sway, heave, roll, pitch, yaw: those that leave the plane of symmetry y = 0 in place."""


def directions(panels: Panels, place: Floats, symmetric: bool) -> Floats:
    """[n, r × n] (m, 6) about `place`: normal speeds for unit speeds, and forces for unit pressure on unit area.

    Nothing for what the mirror image takes away.
    """
    both = np.concatenate([panels.normals, crosses(panels.centres - place, panels.normals)], axis=1)
    return np.asarray(both * EVEN) if symmetric else both


@dataclass(frozen=True)
class Known:
    """What is known on one hull before its acceleration is."""

    normal: Floats
    """ψ_n of the perturbation for no acceleration at all (m,), m/s²: p_tn in linear mode."""
    pressure: Floats
    """Pressure without p_t (m,), Pa."""
    velocity: Floats
    """∇φ (m, 3), m/s."""
    gradient: Floats
    """∇p (m, 3), m/s."""
    carried: Floats
    """U·∇p, what p_t = ψ − U·∇p has to be put right by (m,), m²/s²; nothing in linear mode."""


def motion_field(motion: Motion, places: Floats) -> Floats:
    """U = V + ω × r of a hull's motion at any places (m, 3)."""
    return np.asarray(motion.velocity + crosses(motion.spin, places - motion.place))


def known_without_acceleration(
    panels: Panels, motion: Motion, flow: dict[str, Floats], p: Floats, p_n: Floats, along: Along, density: float,
    gravity: float,
) -> Known:  # fmt: skip
    """On a hull where it is; flow: the incident wave at its panels."""
    n, R, w = panels.normals, motion.rotation, motion.spin
    U = motion_field(motion, panels.centres)
    grad_p = along.gradient(p, p_n, n @ R) @ R.T
    grad = flow["grad"] + grad_p
    centripetal = crosses(w, crosses(w, panels.centres - motion.place))
    normal = (
        np.einsum("ij,ij->i", centripetal - flow["grad_t"], n)
        + np.einsum("ij,ij->i", U - flow["grad"], crosses(w, n))
        - np.einsum("ij,ijk,ik->i", n, flow["hessian"], U)
    )
    head = flow["phi_t"] + 0.5 * np.einsum("ij,ij->i", grad, grad) + gravity * panels.centres[:, 2]
    return Known(normal, -density * head, grad, grad_p, np.einsum("ij,ij->i", U, grad_p))


def seen_from_another(panels: Panels, own: Motion, known: Known, other: Motion, along: Along) -> Floats:
    """ψ_n on a hull (m,) of the ψ that belongs to another hull's motion, for no acceleration of either."""
    n, R = panels.normals, own.rotation
    second = R @ along.hessian(known.gradient @ R, n @ R) @ R.T
    difference = motion_field(other, panels.centres) - motion_field(own, panels.centres)
    turning = crosses(other.spin - own.spin, n)
    return np.asarray(
        known.normal + np.einsum("ij,ijk,ik->i", n, second, difference) + np.einsum("ij,ij->i", known.gradient, turning)
    )


def known_at_rest(
    panels: Panels, flow: dict[str, Floats], rotation: Floats, p: Floats, p_n: Floats, along: Along, density: float
) -> Known:
    """The same in linear mode, on the hull at its mean place; hydrostatic pressure left out."""
    grad = along.gradient(p, p_n, panels.normals @ rotation) @ rotation.T
    normal = -np.einsum("ij,ij->i", flow["grad_t"], panels.normals)
    return Known(normal, -density * flow["phi_t"], flow["grad"] + grad, grad, np.zeros(len(panels)))
