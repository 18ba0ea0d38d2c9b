"""The first geometry of a whole system: every point placed, every cable laid, and what a user must know about it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairlead.model import System
from fairlead.shape.chain import Hang
from fairlead.shape.immersed import hang_in_sea
from fairlead.shape.network import Member
from fairlead.shape.placement import place_points
from fairlead.shape.plane import Plane
from fairlead.shape.weight import CableWeight

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Geometry:
    """Where everything starts.

    cables: how each one lies, by name; points: positions (3,) [m] by name; notes: what was stretched and with which
    tension, what could not be laid as it should, and where points without a position were placed.
    """

    cables: dict[str, Hang]
    points: dict[str, Floats]
    notes: tuple[str, ...]

    @property
    def nodes(self) -> dict[str, Floats]:
        """Nodes (n+1, 3) [m] of each cable."""
        return {name: shape.nodes for name, shape in self.cables.items()}

    @property
    def tensions(self) -> dict[str, Floats]:
        """Tension (n,) [N] in the middle of each element of each cable."""
        return {name: shape.tensions for name, shape in self.cables.items()}


def first_geometry(system: System) -> Geometry:
    """Place all points and lay all cables of a system.

    Points with a position keep it. Free points without one go about where they would rest under weight, buoyancy,
    seabed and loads; the current is left to the static solution.
    """
    bed = system.environment.seabed
    seabed = None if bed is None else Plane(-bed.depth, (bed.slope[0], bed.slope[1]))
    members = {
        name: Member(cable.start.point, cable.end.point, CableWeight.of(system, cable))
        for name, cable in system.cables.items()
    }
    points = place_points(system, list(members.values()), seabed)
    cables = {
        name: hang_in_sea(points[member.start], points[member.end], member.cable, seabed)
        for name, member in members.items()
    }
    notes = [f"cable '{name}' {shape.note}" for name, shape in cables.items() if shape.note]
    for name, point in system.points.items():
        if point.position is None:
            x, y, z = points[name]
            notes.append(f"point '{name}' has no position: placed at ({x:.6g}, {y:.6g}, {z:.6g}) m")
    return Geometry(cables, points, tuple(notes))
