"""How fast everything is at the start: points and bodies as the file says, cables as their ends."""

from __future__ import annotations

import numpy as np

from fairlead.algebra.angles import spin_of_angles
from fairlead.loads.commands import commands_of
from fairlead.model import System
from fairlead.model.bodies import rotation_matrix
from fairlead.results.observation import ObservationShape

SAME = 1e-12
"""m/s: velocities that differ by less are one."""


class FirstVelocities:
    """Velocities of a system at t = 0.

    A point or body that follows a motion has that of its motion; one that goes where forces take it has the one given,
    else that of a steady tow.
    Cables have those of their ends, and between them in proportion to the unstretched length.
    """

    def __init__(self, system: System) -> None:
        self._system = system
        self.commands = commands_of(system)
        """Commands by the names of their inputs."""
        tow = steady_tow(system)
        self._carried = np.zeros(3) if tow is None else tow
        self._rates = {name: command.at_start()[1] for name, command in self.commands.items()}

    @property
    def none(self) -> bool:
        """Whether nothing moves at the start."""
        owners = (*self._system.points.values(), *self._system.bodies.values())
        given = [owner.velocity for owner in owners if owner.velocity is not None]
        return not any(np.any(velocity) for velocity in (self._carried, *self._rates.values(), *given))

    def of(self, name: str) -> np.ndarray:
        """Velocity of a point, a body's origin or a body's attachment, (3,) [m/s]."""
        place = self._system.place(name)
        owner = place.owner
        if not place.on_body and owner.kind == "sliding":
            return self._of_ring(place.owner_name)
        if owner.is_free or owner.kind == "fixed":
            return self._carried.copy() if owner.velocity is None else np.array(owner.velocity, dtype=float)
        velocity = self._rates[f"{place.owner_name}.position"].copy()
        if place.on_body:
            angles_deg = self._system.bodies[place.owner_name].start_angles_deg
            spin = spin_of_angles.py_func(np.radians(angles_deg), self._rates[f"{place.owner_name}.rotation"])
            velocity += np.array(rotation_matrix(angles_deg)) @ np.cross(spin, place.offset)
        return np.asarray(velocity)

    def _of_ring(self, name: str) -> np.ndarray:
        ring = self._system.points[name]
        assert ring.kind == "sliding"
        cable = self._system.cables[ring.cable]
        return np.asarray(self.along(ring.cable, np.array([ring.at / cable.total_length]))[0])

    def along(self, cable: str, shares: np.ndarray) -> np.ndarray:
        """Velocities (n, 3) of places on a cable, by their parts of its unstretched length from its start."""
        ends = self._system.cables[cable]
        start, end = self.of(ends.start.point), self.of(ends.end.point)
        return np.asarray(start + shares[:, None] * (end - start))

    def at_nodes(self, cable: str, lengths: np.ndarray) -> np.ndarray:
        """Velocities (n + 1, 3) of the nodes between elements of these unstretched lengths, from the cable's start."""
        arc = np.concatenate(([0.0], np.cumsum(lengths)))
        return self.along(cable, arc / arc[-1])


def node_velocities(system: System, shape: ObservationShape) -> np.ndarray:
    """Velocities (nodes, 3) at the start of the nodes of all cables, one cable after the other."""
    first = FirstVelocities(system)
    arcs = zip(shape.cables, shape.arc_length, strict=True)
    return np.vstack([np.zeros((0, 3)), *(first.at_nodes(name, np.diff(arc)) for name, arc in arcs)])


def turning_rates(apart: np.ndarray, over: np.ndarray, lengths: np.ndarray, along: np.ndarray) -> np.ndarray:
    """Rates of the directions `along` (n, 3) of links, across each, whose ends should part with `apart` (n, 3) [m/s].

    Links do not stretch: what of it is along them is left out, and all turn by as much more, in equal parts λ across
    each, as the last end lacks of the velocity `over` (3) that it is to have against the first,
    Σ ℓ(1 − t tᵀ) λ = over − Σ(1 − t tᵀ) apart. A straight line cannot be parted along itself.
    """
    across = np.eye(3) - along[:, :, None] * along[:, None, :]
    rates = np.einsum("nij,nj->ni", across, apart / lengths[:, None])
    more = np.linalg.lstsq(np.einsum("n,nij->ij", lengths, across), over - lengths @ rates, rcond=1e-9)[0]
    return np.asarray(rates + across @ more)


def steady_tow(system: System) -> np.ndarray | None:
    """The steady velocity (3,) [m/s] that all prescribed points and bodies share; None where they share none.

    Seen from a frame that moves with it they stand still, and the water flows past them.
    """
    if system.hydro is not None or any(point.kind == "fixed" for point in system.points.values()):
        return None
    moves = [command.velocity for name, command in commands_of(system).items() if name.endswith(".position")]
    if not moves or any(np.abs(move - moves[0]).max() > SAME for move in moves) or np.abs(moves[0]).max() <= SAME:
        return None
    return np.asarray(moves[0])
