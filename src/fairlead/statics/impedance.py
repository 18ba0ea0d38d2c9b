"""Lines as force over motion: what a body that is moved in periods feels of its lines, with their inertia and drag.

About an equilibrium, the lines' nodes x and the moves q of the body have the dynamic stiffness

    D(ω) = K − ω² M + iω C

with the tangent stiffness K (line on a rough bed sticks to it, as in small motions it does), the mass M with added mass
and the damping C of linearised drag. All that is free follows, x = −D_xx⁻¹ D_xq q, and the body feels
Z(ω) = D_qq − D_qx D_xx⁻¹ D_xq: its stiffness at rest for ω → 0.

Quadratic drag c|v|v of a node stands as c v̂ v with a speed v̂ of the node, across and along its element: 8/(3π) of its
amplitude in a regular motion, √(8/π) of its standard deviation in an irregular one (Borgman, 1967). The water itself is
at rest in this.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from fairlead.formulations.contract import UnsupportedSystem, movable
from fairlead.loads.drag import REYNOLDS

from .solution import Equilibrium

REGULAR, IRREGULAR = 8.0 / (3.0 * np.pi), np.sqrt(8.0 / np.pi)
"""Of the amplitude, and of the standard deviation, of a speed: what quadratic drag is linearised with."""
OF_REYNOLDS = 1.2, 0.01
"""Coefficients across and along that stand for those that depend on Reynolds' number."""


@dataclass(frozen=True)
class Strips:
    """Half elements, each with the drag of its node.

    direction  (n, 3) of the element
    dofs       (n, 3) of the node, −1 where it does not move
    normal, axial  (n,) drag over speed squared, N s²/m²
    """

    direction: np.ndarray
    dofs: np.ndarray
    normal: np.ndarray
    axial: np.ndarray


class LineImpedance:
    """The lines on one held body of an equilibrium of point masses, about its origin in global axes."""

    def __init__(self, rest: Equilibrium, name: str) -> None:
        still = movable(rest.compiled.linearised(0.0, rest.u))
        if still is None or rest.compiled.formulation != "lumped":
            raise UnsupportedSystem("the impedance of lines is offered by the formulation 'lumped'")
        y = rest.y
        self._handle = still.handle(y, name)
        self._stiffness, self._mass = still.bordered_tangent(y, sticking=True), still.bordered_mass(y)
        self._others = np.setdiff1d(np.arange(still.size), self._handle.dofs)
        self._size = self._stiffness.shape[0]
        self.strips = _strips(rest.compiled, y, still.size)

    def at(self, omega: float, speeds: tuple[np.ndarray, np.ndarray] | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Force over motion (6, 6), complex, and how all degrees of freedom follow a unit of each move, (size, 6).

        speeds  (strips,) that drag is linearised with, across and along; none: without drag
        """
        D = self._stiffness - omega**2 * self._mass
        if speeds is not None:
            D = D + 1j * omega * self._drag(*speeds)
        D, handle = D.tocsr(), self._handle
        rows = D[self._others]
        following = splu(rows[:, self._others].astype(complex).tocsc()).solve(
            -(rows[:, handle.dofs] @ handle.moves).astype(complex)
        )
        block = D[handle.dofs]
        moved = block[:, handle.dofs] @ handle.moves + block[:, self._others] @ following
        shape = np.zeros((self._size, handle.moves.shape[1]), complex)
        shape[handle.dofs], shape[self._others] = handle.moves, following
        return handle.moves.T @ moved + handle.own, shape

    def moves(self, shape: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Size of the moves of all strips across and along their elements, (strips,) each, of all freedoms (size,)."""
        s = self.strips
        places = np.where(s.dofs >= 0, np.append(shape, 0.0)[s.dofs], 0.0)
        along = np.einsum("ni,ni->n", places, s.direction)
        across = places - along[:, None] * s.direction
        return np.linalg.norm(across, axis=1), np.abs(along)

    def _drag(self, across: np.ndarray, along: np.ndarray) -> sp.csr_matrix:
        s = self.strips
        outer = s.direction[:, :, None] * s.direction[:, None, :]
        normal, axial = s.normal * across, s.axial * along
        blocks = normal[:, None, None] * (np.eye(3) - outer) + axial[:, None, None] * outer
        i, j = np.repeat(s.dofs, 3, axis=1).reshape(-1, 3, 3), np.repeat(s.dofs[:, None, :], 3, axis=1)
        moving = (i >= 0) & (j >= 0)
        entries = (blocks[moving], (i[moving], j[moving]))
        return sp.coo_matrix(entries, shape=(self._size, self._size)).tocsr()


def _strips(compiled: Any, y: np.ndarray, size: int) -> Strips:
    """Half elements of all cables under water."""
    tables = compiled.tables(y)
    cables, element, place = tables.cable, tables.element, tables.node.position
    inner = sum(int(count) - 1 for count in cables.count)
    block = 6 if size - 3 * inner == 6 * tables.hubs else 3
    directions, dofs, normal, axial, at = [], [], [], [], 0
    for c in range(tables.cables):
        first, count = int(cables.first[c]), int(cables.count[c])
        for i in range(count):
            e, node = first + i, first + c + i
            line = place[node + 1] - place[node]
            across, along = OF_REYNOLDS if element.drag_law[e] == REYNOLDS else (1.0, 1.0)
            for k in (i, i + 1):
                if place[first + c + k, 2] > 0.0:
                    continue
                at_node = 3 * (at + k - 1) if 0 < k < count else _end(tables, 2 * c + k // count, inner, block, size)
                directions.append(line / np.linalg.norm(line))
                dofs.append(at_node + np.arange(3) if at_node >= 0 else np.full(3, -1))
                normal.append(across * float(element.drag_normal[e]))
                axial.append(along * float(element.drag_axial[e]))
        at += count - 1
    return Strips(
        np.reshape(directions, (-1, 3)), np.reshape(dofs, (-1, 3)).astype(int), np.array(normal), np.array(axial)
    )


def _end(tables: Any, end: int, inner: int, block: int, size: int) -> int:
    """The first degree of freedom of the end of a cable; -1 where nothing is there."""
    hub, point = int(tables.joint.hub[end]), int(tables.joint.point[end])
    if hub >= 0:
        return 3 * inner + block * hub
    return size + 6 * point if point >= 0 else -1
