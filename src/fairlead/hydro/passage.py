"""Hulls that go through the surface: by Morison's law and slamming on their way, solved for once they are under.

A closed hull (a sphere, a mesh) that is not yet deep enough takes no part in the boundary-value problems: its body has
the volume of the hull, an added mass and slamming, as any body of the file. It is solved for from the step on at which
its top is `clearance` under the incident surface, and no longer when less than `RELEASE` of that is left.

At that moment the body's speeds change so that momentum does not. With L the momentum of the water on each hull (force
and moment, J its Jacobian): A (U − u) by Morison's law, ρ∫ p [n, r × n] dS with p = 0 on the surface where it is solved
for (both for the motion through the incident wave),

    (H + JᵀAJ)₊ Δv = Σ Jᵀ(L₋ − L₊).

The added mass on the way is that of the hull just under the surface where it is taken over, so that little is left to
change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.model import System
from fairlead.model.hydro import passes_surface
from fairlead.model.slamming import Slamming
from fairlead.model.solids import Shape

from .carrier import Carrier
from .hull_conditions import directions
from .hulls import Hull
from .mechanism import Motion
from .panels import Floats, Panels
from .solver import Direct, Influences
from .vectors import crosses

if TYPE_CHECKING:
    from .tree import TreeMechanism
    from .water import Water

CLEARANCE = 0.25
"""Water above a hull's top from which on it is solved for, over its height."""
RELEASE = 0.6
"""Share of that at which it is given back to Morison's law."""


@dataclass(frozen=True)
class Passing:
    """A hull that goes through the surface."""

    name: str
    number: int
    """Among the hulls."""
    hull: Hull
    centre: Floats
    """Of its volume, in the frame of its body (3,), m."""
    height: float
    added: Floats
    """Added mass and inertia along and about the body's axes (6,), just under the surface; kg, kg m²."""

    @property
    def clearance(self) -> float:
        """Water above its top from which on it is solved for, m."""
        return CLEARANCE * self.height

    def depth(self, motion: Motion, level: Any) -> float:
        """Least depth of its panels under the incident surface, m; level: its height at places x, y."""
        places = self.hull.rigid.vertices[np.unique(self.hull.rigid.quads)] @ motion.rotation.T + motion.place
        return float(np.min(level(places[:, 0], places[:, 1]) - places[:, 2]))


def passing_hulls(system: System, closed: dict[str, Hull]) -> tuple[Passing, ...]:
    """Of a system; closed: the closed hulls of bodies that go through the surface, in the frames of their bodies."""
    assert system.hydro is not None
    found = []
    for number, name in enumerate(system.hydro.hulls):
        if name not in closed:
            continue
        hull = closed[name]
        panels = hull.rigid
        sphere = system.hydro.hulls[name].sphere
        z = panels.vertices[np.unique(panels.quads), 2]
        height = float(np.ptp(z)) if sphere is None else sphere.diameter
        added = added_mass_under(panels, CLEARANCE * height, system.environment.water_density)
        found.append(Passing(name, number, hull, centre_of(panels), height, np.maximum(np.diag(added), 0.0)))
    return tuple(found)


def names_of_passing(system: System) -> list[str]:
    """Hulls that go through the surface, in the order of the file."""
    assert system.hydro is not None
    return [name for name, hull in system.hydro.hulls.items() if passes_surface(hull, system.bodies[name])]


def centre_of(panels: Panels) -> Floats:
    """Centre of the volume of a closed mesh (3,), m: V x = ½ ∫ x² N dS, N the normal out of the body."""
    a_, b, c, d = (panels.corners[:, k] for k in range(4))
    triangles = np.concatenate((np.stack((a_, b, c), axis=1), np.stack((a_, c, d), axis=1)))
    out = -0.5 * crosses(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    middles = 0.5 * (triangles + np.roll(triangles, -1, axis=1))
    return np.asarray(0.5 * np.einsum("ikc,ic->c", middles**2 / 3.0, out) / panels.volume)


def added_mass_under(panels: Panels, clearance: float, density: float) -> Floats:
    """Added mass (6, 6) about the body's origin of a closed hull whose top is `clearance` under a surface p = 0.

    The surface is the mirror: p(x, y, −z) = −p(x, y, z), so the hull and its image, moving against each other.
    """
    top = float(panels.vertices[np.unique(panels.quads), 2].max())
    place = np.array([0.0, 0.0, -clearance - top])
    hull = panels.moved(place)
    image = Panels(hull.vertices * [1.0, 1.0, -1.0], np.ascontiguousarray(hull.quads[:, ::-1]))
    ways = directions(hull, place, False)
    none = Panels(np.zeros((0, 3)), np.zeros((0, 4), dtype=np.int64))
    solver = Direct(Influences.of(none, hull.joined(image), None, False))
    _, p = solver.solve(np.zeros((0, 6)), np.concatenate([ways, -ways]))
    return np.asarray(density * (ways * hull.areas[:, None]).T @ p[: len(hull)])


def bodies_on_their_way(system: System, passing: Sequence[Passing]) -> dict[str, Any]:
    """The bodies of a system, those of passing hulls with what Morison's law and slamming need to know of the hull."""
    bodies = dict(system.bodies)
    assert system.hydro is not None
    for one in passing:
        body = bodies[one.name]
        given = body.model_fields_set
        shape = system.hydro.hulls[one.name].sphere
        volume = one.hull.rigid.volume
        known: dict[str, Any] = {
            "volume": volume, "height": one.height, "centre_of_buoyancy": tuple(map(float, one.centre)),
            "shape": None if shape is None else Shape(sphere=shape),
        }  # fmt: skip
        if "added_mass" not in given:
            known["added_mass"] = tuple(map(float, one.added[:3]))
        if "added_inertia" not in given:
            known["added_inertia"] = tuple(map(float, one.added[3:]))
        if getattr(body, "slamming", None) is None:
            known["slamming"] = Slamming(area=volume / one.height)
        bodies[one.name] = body.model_copy(update=known)
    return bodies


class Loads:
    """What Morison's law does to bodies of passing hulls in a tree: switched off while they are solved for."""

    def __init__(self, tree: Carrier, passing: Sequence[Passing]) -> None:
        self._tree, self._names = tree, [one.name for one in passing]

    def act(self, solved: Sequence[bool]) -> None:
        """Let Morison's law act on those that are not solved for."""
        for name, off in zip(self._names, solved, strict=True):
            self._tree.give_to_water(name, bool(off))

    def momentum(self, index: int, motion: Motion, flow: Floats) -> Floats:
        """L of a body by Morison's law, all of it wet (6,), world axes, about its origin; flow (3,): the wave's."""
        R, added = motion.rotation, self._tree.added_mass(self._names[index])
        return np.concatenate(
            [R @ (added[:3] * (R.T @ (motion.velocity - flow))), R @ (added[3:] * (R.T @ motion.spin))]
        )


def taken_over(
    t: float, own: Floats, mechanism: TreeMechanism, before: Floats, after: Floats, water: Water, y: Floats
) -> Floats:
    """Changes (speeds,) of the speeds of a tree that keep momentum; before, after: L of all hulls (hulls, 6).

    water: as it is after, in the state y whose part `own` is the tree's, Morison's law switched as it is after.
    """
    H, _ = mechanism.equations(t, own)
    motions = mechanism.motions(t, own)
    J = np.concatenate([m.jacobian for m in motions])
    stage = water.stage(t, y)
    solved = np.concatenate([m.jacobian for m in stage.motions]) if stage.motions else np.zeros((0, J.shape[1]))
    x = np.linalg.solve(H + solved.T @ stage.added_mass @ solved, J.T @ (before - after).ravel())
    return mechanism.kick(np.asarray(x))
