"""Stiffness with which a system at rest holds one of its points or bodies.

The tangent of all that moves, x, and of the moves q of the place that is asked for has the parts
[K_xx K_xq; K_qx K_qq]. When the place moves slowly by δq, everything else follows in equilibrium, δx = −K_xx⁻¹K_xq δq,
and the force on the place changes by −K δq with the Schur complement K = K_qq − K_qx K_xx⁻¹ K_xq.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from fairlead.algebra.newton import LEAST_SHIFT, Scale
from fairlead.algebra.turns import skew
from fairlead.formulations.contract import Linearised, Movable, Reached, UnsupportedSystem, movable, reached
from fairlead.model import System
from fairlead.rigging.handles import Handle

REFINEMENTS = 3
"""Times that the solution with a slight support of what nothing holds is taken to that without it."""
HARDEST = 1e12
"""Condition of what a place gives way from which on joints hold it fast in some direction."""


@dataclass(frozen=True)
class Held:
    """How a place is held: stiffness (k, k) and, of a free one, the mass (k, k) that follows; k is 6 of a body.

    Displacements and forces come before turns [rad] and moments [N m], all in global axes and about the place.
    """

    stiffness: np.ndarray
    mass: np.ndarray | None

    def principal(self, turns: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Principal stiffnesses (3,), smallest first, and their directions, the rows of (3, 3), all else held.

        turns: those against turning instead of against displacement.
        """
        part = slice(3, 6) if turns else slice(0, 3)
        block = self.stiffness[part, part]
        values, vectors = np.linalg.eigh(0.5 * (block + block.T))
        return values, vectors.T

    def periods(self) -> np.ndarray:
        """Natural periods [s] of the place on this stiffness, longest first; none where the mass is not known.

        Motions that nothing restores are left out.
        """
        if self.mass is None:
            return np.empty(0)
        size = np.sqrt(np.maximum(np.diag(self.mass), 1e-300))
        scaled = 0.5 * (self.stiffness + self.stiffness.T) / np.outer(size, size)
        inertia = self.mass / np.outer(size, size)
        squares = np.linalg.eigvals(np.linalg.solve(inertia, scaled)).real
        restored = squares[squares > 1e-9 * np.abs(squares).max()]
        return np.asarray(np.sort(2.0 * np.pi / np.sqrt(restored))[::-1])


def held(described: System, system: Linearised, y: np.ndarray, name: str) -> Held:
    """How the equilibrium `y` holds the point, body or place on a body of that name.

    Everything that is prescribed elsewhere stays where it is; a body is moved with all that is joined to it.
    """
    still, joined = movable(system), reached(system)
    if joined is not None:
        return _among_joints(described, joined, y, name)
    if still is None:
        raise UnsupportedSystem(
            "the stiffness at a place is offered by the formulations 'bars' and 'lumped'; set simulation.formulation "
            "to one of them, or look at the modes"
        )
    place = described.place(name)
    handle = still.handle(y, name)
    if place.is_free and place.attachment is not None:
        lever = handle.moves[3:, 3:].T @ np.array(place.offset)
        return _beside(held(described, system, y, place.owner_name), lever)
    tangent = still.bordered_tangent(y).tocsr()
    others = np.setdiff1d(np.arange(system.size), handle.dofs)
    following = _following(system, y, tangent, others, handle)
    block = tangent[handle.dofs]
    moved = block[:, handle.dofs] @ handle.moves + block[:, others] @ following
    mass = None
    if place.is_free:
        shape = np.zeros((system.size, handle.moves.shape[1]))
        shape[handle.dofs], shape[others] = handle.moves, following
        mass = shape.T @ (system.mass(y) @ shape)
    return Held(handle.moves.T @ moved + handle.own, mass)


def border_stiffness(system: Movable, y: np.ndarray, name: str) -> np.ndarray | None:
    """The stiffness alone, from one compiled call; None where that does not carry the place."""
    found = system.border(y, name)
    if found is None:
        return None
    border, handle = found
    hubs = len(border) - 6 * system.points
    dofs = handle.dofs + (hubs - system.size)
    block = border[dofs[:, None], dofs]
    others = np.delete(np.arange(hubs), dofs[dofs < hubs]) if hubs else ()
    if len(others):
        turning = np.linalg.pinv(border[np.ix_(others, others)], rcond=1e-12)
        block = block - border[np.ix_(dofs, others)] @ turning @ border[np.ix_(others, dofs)]
    return np.asarray(handle.moves.T @ block @ handle.moves + handle.own)


def _following(
    system: Linearised, y: np.ndarray, tangent: sp.csr_matrix, others: np.ndarray, handle: Handle
) -> np.ndarray:
    """How everything else follows a unit of each move of the place, (others, k).

    What nothing holds is held slightly, as in Newton's method; refinement takes that away again from what is held.
    """
    rows = tangent[others]
    inner = rows[:, others].tocsc()
    forces: np.ndarray = -(rows[:, handle.dofs] @ handle.moves)
    return _supported(system, y, inner, others, forces)


def _supported(
    system: Linearised, y: np.ndarray, inner: sp.csc_matrix, which: np.ndarray, forces: np.ndarray
) -> np.ndarray:
    """Moves of the freedoms `which`, whose stiffness is `inner`, under forces (which, k)."""
    if not len(which):
        return forces
    factor = splu((inner + sp.diags(LEAST_SHIFT * Scale.of(system, y).shift[which])).tocsc())
    moves: np.ndarray = factor.solve(forces)
    for _ in range(REFINEMENTS):
        moves += factor.solve(forces - inner @ moves)
    return moves


def _among_joints(described: System, system: Reached, y: np.ndarray, name: str) -> Held:
    """The same of a free place among joints: what it gives way to forces at it, C = J K⁻¹ Jᵀ, the other way round.

    J are its moves by a unit of each freedom that the joints leave.
    """
    place = described.place(name)
    handle, moves = system.reach(y, name)
    if moves is None:
        return _prescribed_beside_joints(described, system, y, name, handle)
    if place.attachment is not None:
        return _beside(held(described, system, y, place.owner_name), handle.moves[3:, 3:].T @ np.array(place.offset))
    tangent = system.tangent(y).tocsc()
    given = _supported(system, y, tangent, np.arange(system.size), moves.T)
    give = moves @ given
    size = np.sqrt(np.abs(np.diag(give)))
    if not size.min() > 0.0 or np.linalg.cond(give / np.outer(size, size)) > HARDEST:
        raise UnsupportedSystem(
            f"joints hold '{name}' fast in some direction, where its stiffness has no bound; ask for a body they "
            "leave free to move and turn, or look at the modes"
        )
    stiffness = np.linalg.inv(give)
    shape = given @ stiffness
    return Held(stiffness, shape.T @ (system.mass(y) @ shape))


def _prescribed_beside_joints(described: System, system: Reached, y: np.ndarray, name: str, handle: Handle) -> Held:
    """How a prescribed place that no joint is at is held: what is free follows it as far as the joints let it."""
    owner = described.place(name).owner_name
    for joint in described.joints.values():
        if owner in (described.place(joint.parent).owner_name, described.place(joint.child).owner_name):
            raise UnsupportedSystem(
                f"the stiffness at '{name}', which is prescribed, is not offered where a joint is at it; ask for a "
                "free body or point, or look at the modes"
            )
    across, back, own = system.pull_on(y, handle)
    following = _supported(system, y, system.tangent(y).tocsc(), np.arange(system.size), -across)
    return Held(own + back @ following, None)


def _beside(body: Held, lever: np.ndarray) -> Held:
    """How a place on a free body is held, a lever (3,) [m] from its origin: the body turns as it will."""
    moves = np.eye(6)
    moves[:3, 3:] = skew(lever)  # of the origin, when the place and the turn are given
    stiffness = moves.T @ body.stiffness @ moves
    turning = np.linalg.pinv(stiffness[3:, 3:], rcond=1e-9)
    return Held(stiffness[:3, :3] - stiffness[:3, 3:] @ turning @ stiffness[3:, :3], None)
