"""The first geometry of a whole system: every point placed, every cable laid, and what a user must know about it."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairlead.model import System
from fairlead.model.bodies import rotation_matrix
from fairlead.shape.chain import Hang
from fairlead.shape.immersed import hang_in_sea
from fairlead.shape.network import Member
from fairlead.shape.placement import place_points
from fairlead.shape.plane import Plane
from fairlead.shape.rings import Slider, slider_at
from fairlead.shape.weight import CableWeight
from fairlead.words import NOTE

Floats = NDArray[np.float64]
STRETCH = 0.05
"""Strain from which a cable that starts stretched is warned of, as one is that stretches so by its own weight."""


class Pose(NamedTuple):
    """How a body lies: where its origin is (3,) [m] and its rotation (3, 3), from its own frame to the global one."""

    position: Floats
    rotation: Floats


@dataclass(frozen=True)
class Geometry:
    """Where everything starts.

    cables: how each one lies, by name; points: positions (3,) [m] by name, attachments as `body.name`; notes: what was
    stretched and with which tension, what could not be laid as it should, and where points without a position were
    placed; sliders: where each ring is on its cable; bodies: how each one lies; axes: by how much the axes of floaters'
    coefficients are turned from their headings in the file [rad], of those that rest elsewhere.
    """

    cables: dict[str, Hang]
    points: dict[str, Floats]
    notes: tuple[str, ...]
    sliders: dict[str, Slider] = field(default_factory=dict)
    bodies: dict[str, Pose] = field(default_factory=dict)
    axes: dict[str, float] = field(default_factory=dict)

    @property
    def nodes(self) -> dict[str, Floats]:
        """Nodes (n+1, 3) [m] of each cable."""
        return {name: shape.nodes for name, shape in self.cables.items()}

    @property
    def tensions(self) -> dict[str, Floats]:
        """Tension (n,) [N] in the middle of each element of each cable."""
        return {name: shape.tensions for name, shape in self.cables.items()}


def first_geometry(system: System) -> Geometry:
    """Place all points and lay all cables of a system, with the length they have at t = 0.

    Points with a position keep it; rings lie on the bars of their cable. Free points without a position go about where
    they would rest under weight, buoyancy, seabed and loads; the current is left to the static solution.
    """
    bed = system.environment.seabed
    owners = (*system.points.values(), *system.bodies.values())
    given = [owner.position for owner in owners if owner.position is not None] or [(0.0, 0.0, 0.0)]
    seabed = Plane.under(bed, np.array(given, dtype=float))
    members = {
        name: Member(cable.start.point, cable.end.point, CableWeight.of(system, cable))
        for name, cable in system.cables.items()
    }
    points = place_points(system, members, seabed)
    cables = {
        name: hang_in_sea(
            points[member.start],
            points[member.end],
            member.cable,
            Plane.under(bed, np.stack([points[member.start], points[member.end]])),
        )
        for name, member in members.items()
    }
    for name in _loose(system):
        if cables[name].state == "stretched":  # by its own weight and what hangs from it: nothing to be told
            cables[name] = replace(cables[name], state="straight", note="")
    notes = [
        f"{NOTE if shape.state == 'stretched' and shape.strain.max() < STRETCH else ''}cable '{name}' {shape.note}"
        for name, shape in cables.items()
        if shape.note
    ]
    sliders = {}
    for name, point in system.points.items():
        x, y, z = points[name]
        if point.kind == "sliding":
            sliders[name] = slider_at(members[point.cable].cable.lengths, point.at)
            notes.append(f"{NOTE}point '{name}' starts on cable '{point.cable}' at ({x:.6g}, {y:.6g}, {z:.6g}) m")
        elif point.position is None:
            notes.append(f"point '{name}' has no position: placed at ({x:.6g}, {y:.6g}, {z:.6g}) m")
    bodies = {
        name: Pose(np.array(body.start_position), np.array(rotation_matrix(body.start_angles_deg)))
        for name, body in system.bodies.items()
    }
    return Geometry(cables, points, tuple(notes), sliders, bodies)


def _loose(system: System) -> list[str]:
    """Names of cables with an end that nothing else holds and no position was given to."""
    ends = [end.point for cable in system.cables.values() for end in (cable.start, cable.end)]
    free = {
        name
        for name, point in system.points.items()
        if point.kind == "free" and point.position is None and ends.count(name) == 1
    }
    return [name for name, cable in system.cables.items() if {cable.start.point, cable.end.point} & free]
