"""Named places by which a system held still is taken hold of, to find how stiffly it holds them.

What is held still has its degrees of freedom x and, behind them, six moves of every prescribed point: a displacement
and a turn, both in global axes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from fairlead.algebra.quaternion import rotation
from fairlead.algebra.turns import skew
from fairlead.model import Place, System
from fairlead.model.needs import UnsupportedSystem

UNIT = np.eye(6)


class Handle(NamedTuple):
    """A place that is moved: the degrees of freedom that move with it, and how.

    dofs    (m,) among x and the moves of the prescribed points
    moves   (m, k): their moves by a unit of each of its own, a displacement (3) and, of a body, a turn (3), global
    own     (k, k) [N m]: stiffness by levers that turn with it, under the forces that its points are held with
    """

    dofs: np.ndarray
    moves: np.ndarray
    own: np.ndarray


@dataclass(frozen=True)
class Handles:
    """Where the places of a system are found; what has been asked for by its name is known from then on.

    system      the description
    size        number of degrees of freedom x
    which       (points and bodies of the file,): prescribed point, or −1 − hub
    points      (cables, 2): prescribed point of each end as compiled, or −1; reversed (cables,): 1 where a cable is
                compiled against the direction of the file
    owner       (points,): prescribed body that a point belongs to, or −1
    first_hub   where the hubs begin in x; block: degrees of freedom of a hub, 3 or 6
    """

    system: System
    size: int
    which: np.ndarray
    points: np.ndarray
    reversed: np.ndarray
    owner: np.ndarray
    first_hub: int
    block: int

    _known: dict[str, tuple[Place, int]] = field(default_factory=dict, repr=False, compare=False)
    _apart: dict[str, np.ndarray] = field(default_factory=dict, repr=False, compare=False)
    _carried: dict[int, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict, repr=False, compare=False)
    """Of a point of a prescribed body: all points of that body, and their moves."""

    def at_border(self, name: str) -> bool:
        """Whether a place is a hub or prescribed itself, not a place on a free body."""
        place = self.find(name)[0]
        return place.attachment is None or not place.is_free

    def find(self, name: str) -> tuple[Place, int]:
        """A named place and its prescribed point, or −1 − hub; of a place on a free body, that of the body."""
        if name not in self._known:
            place = self.system.place(name)
            self._known[name] = place, self._number_of(name, place)
        return self._known[name]

    def _number_of(self, name: str, place: Place) -> int:
        names = (*self.system.points, *self.system.bodies)
        if place.attachment is None or place.is_free:
            return int(self.which[names.index(place.owner_name)])
        for row, cable in zip(self.in_file_order(self.points), self.system.cables.values(), strict=True):
            for point, end in zip(row, (cable.start, cable.end), strict=True):
                if end.point == name:
                    return int(point)
        raise UnsupportedSystem(
            f"no cable ends at '{name}', and nothing holds it but its body; ask for '{place.owner_name}'"
        )

    def elsewhere(self, name: str) -> np.ndarray:
        """Which ends of cables are at prescribed points that do not belong to a place, (cables, 2)."""
        if name not in self._apart:
            place, k = self.find(name)
            own = np.arange(len(self.owner)) == k
            if k >= 0 and place.on_body and place.attachment is None:
                own = self.owner == self.owner[k]
            self._apart[name] = (self.points >= 0) & ~np.append(own, False)[self.points]
        return self._apart[name]

    def in_file_order(self, ends: np.ndarray) -> np.ndarray:
        """What belongs to both ends of every cable (cables, 2), as compiled, in the direction of the file."""
        return np.where(self.reversed[:, None] == 1, ends[:, ::-1], ends)

    def pulls(self, ends: np.ndarray, count: int) -> np.ndarray:
        """Pull of the cables on `count` prescribed points, (points, 6), from that of their ends (cables, 2, 3)."""
        pulls = np.zeros((count, 6))
        joined, points = self._joined
        np.add.at(pulls[:, :3], points, ends[joined])
        return pulls

    @cached_property
    def _joined(self) -> tuple[np.ndarray, np.ndarray]:
        """Which ends are at prescribed points, (cables, 2), and at which."""
        joined = self.points >= 0
        return joined, self.points[joined]

    def prescribed(self, name: str, places: np.ndarray, pulls: np.ndarray) -> Handle:
        """A prescribed point, body or place on one; places (points, 3) and pulls (points, 6) of the cables on them."""
        place, k = self.find(name)
        if not place.on_body or place.attachment is not None:
            return Handle(self.size + 6 * k + np.arange(3), np.eye(3), np.zeros((3, 3)))
        if k not in self._carried:
            carried = np.flatnonzero(self.owner == self.owner[k])
            self._carried[k] = carried, (self.size + 6 * carried[:, None] + np.arange(6)).ravel()
        carried, dofs = self._carried[k]
        levers = places[carried] - places[k]
        moves = np.zeros((len(carried), 6, 6))
        moves[:] = UNIT
        moves[:, :3, 3:] = skew(-levers)
        couple = pulls[carried, :3].T @ levers  # −ΣS(f)S(r) = (Σf·r) 1 − Σr fᵀ
        own = np.zeros((6, 6))
        own[3:, 3:] = couple.trace() * UNIT[:3, :3] - couple.T
        return Handle(dofs, moves.reshape(-1, 6), own)

    def free(self, name: str, turns: np.ndarray) -> Handle:
        """A free point or body; turns (hubs, 4): quaternions of the hubs."""
        place, number = self.find(name)
        hub = -1 - number
        first = self.first_hub + self.block * hub
        if not place.on_body:
            return Handle(first + np.arange(3), np.eye(3), np.zeros((3, 3)))
        moves = np.eye(6)
        moves[3:, 3:] = np.reshape(rotation.py_func(turns[hub].tolist()), (3, 3)).T
        return Handle(first + np.arange(6), moves, np.zeros((6, 6)))
