"""A system held still whose bodies are joined to one another: statics and modes in what the joints leave free.

Of the degrees of freedom x of the system without its joints, bonds C(x) = 0 with the rows G leave some to choose; the
others follow, dx = T dz with G T = 0. Forces, stiffness and mass are then

    Tᵀf,    Tᵀ(K − ∂(Gᵀλ)/∂x) T,    Tᵀ M T,        G_fᵀ λ = −f_f,

λ being the forces of the joints, which hold whatever acts on the freedoms that follow (f): as they turn with the bodies
they are stiff, or the opposite, as the weight of a pendulum is. Places are brought back to C = 0 after each step.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

import numpy as np
import scipy.sparse as sp
from scipy.linalg import qr

from fairlead.algebra.newton import TURN
from fairlead.rigging.handles import Handle

from .contract import Bonds, InWater, Linearised

DIFFERENCE = 1e-6
ALIKE = 1e-9
"""Part of the largest below which a bond repeats others."""
CLOSED = 1e-13
ROUNDS = 20
PREFERRED = 1e-3
"""How much less a turn counts than a move where freedoms that follow are chosen: a pendulum may go round."""


class _Still(Linearised, InWater, Protocol):
    """What is joined: a system held still that may stand in water."""

    def bonds(self, y: np.ndarray) -> Bonds:
        """All bonds in a state at rest."""

    def hubs_moved(self, y: np.ndarray, dx: np.ndarray) -> np.ndarray:
        """The state at rest with the bodies moved by what dx (size,) says of them, and nothing else."""

    def handle(self, y: np.ndarray, name: str) -> Handle:
        """How the system is taken hold of at the place of that name."""

    def bordered_tangent(self, y: np.ndarray) -> sp.csc_matrix:
        """Stiffness of x and, behind it, of six moves of each prescribed point."""

    def thrust(self, y: np.ndarray) -> tuple[float, str]:
        """The largest thrust in an element [N], and where it is."""

    def aligned(self, y: np.ndarray) -> np.ndarray | None:
        """See `HubsAtRest.aligned`."""

    def standing(self) -> AbstractContextManager[None]:
        """See `HeldStill.standing`."""


class JointedRest:
    """See `fairlead.formulations.contract.Linearised`: `inner` is the system without its joints."""

    def __init__(self, inner: _Still, y: np.ndarray) -> None:
        self.t, self._inner, self._bonds = inner.t, inner, inner.bonds
        seen = self._bonds(y)
        held = seen.rows[seen.held] / inner.levers
        self._joined = np.flatnonzero(np.abs(seen.rows).max(axis=0) > 0.0)  # bonds may turn to others of these bodies
        count = inner.size
        if len(held):
            weights = np.where(inner.kinds < TURN, 1.0, PREFERRED)
            _, upper, order = qr(held * weights, mode="economic", pivoting=True)
            size = np.abs(np.diag(upper))
            self._following = np.sort(order[: int((size > ALIKE * PREFERRED * size[0]).sum())])
        else:
            self._following = np.zeros(0, dtype=int)
        self._chosen = np.setdiff1d(np.arange(count), self._following)
        self.size = len(self._chosen)
        self.levers, self.kinds = inner.levers[self._chosen], inner.kinds[self._chosen]

    # --- what follows ---------------------------------------------------------------------------------------------
    def _follow(self, y: np.ndarray) -> sp.csc_matrix:
        """T, (size of the system without joints, size)."""
        seen = self._bonds(y)
        rows = seen.rows[seen.held]
        follow = -np.linalg.pinv(rows[:, self._following], rcond=1e-12) @ rows[:, self._chosen]
        first = sp.csc_matrix(
            (np.ones(self.size), (self._chosen, np.arange(self.size))), shape=(self._inner.size, self.size)
        )
        rest = sp.coo_matrix(follow)
        return (first + sp.csc_matrix((rest.data, (self._following[rest.row], rest.col)), shape=first.shape)).tocsc()

    def _springs(self, y: np.ndarray) -> np.ndarray:
        seen = self._bonds(y)
        return np.asarray(seen.rows[~seen.held].T @ seen.force[~seen.held])

    # --- forces ---------------------------------------------------------------------------------------------------
    def loads(self, y: np.ndarray) -> np.ndarray:
        """Sizes of the loads from outside, those on what follows with those it follows, (size,)."""
        return np.asarray(abs(self._follow(y)).T @ np.abs(self._inner.loads(y)))

    def residual(self, y: np.ndarray) -> np.ndarray:
        """All forces on what is free, (size,)."""
        return np.asarray(self._follow(y).T @ (self._inner.residual(y) + self._springs(y)))

    def imbalance(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same under the kept tensions, and how far the shape is from these."""
        forces, gaps = self._inner.imbalance(y)
        return np.asarray(self._follow(y).T @ (forces + self._springs(y))), gaps

    def stress(self, y: np.ndarray) -> float:
        """Largest kept tension [N]."""
        return self._inner.stress(y)

    def thrust(self, y: np.ndarray) -> tuple[float, str]:
        """The largest thrust in an element [N], and where it is."""
        return self._inner.thrust(y)

    def aligned(self, y: np.ndarray) -> np.ndarray | None:
        """See `HubsAtRest.aligned`."""
        return self._inner.aligned(y)

    def standing(self) -> AbstractContextManager[None]:
        """See `HeldStill.standing`."""
        return self._inner.standing()

    # --- stiffness and mass ---------------------------------------------------------------------------------------
    def tangent(self, y: np.ndarray, sticking: bool = False) -> sp.csc_matrix:
        """Stiffness of what is free, (size, size)."""
        follow = self._follow(y)
        forces = self._inner.imbalance(y)[0] + self._springs(y)
        seen = self._bonds(y)
        back = seen.rows[seen.held][:, self._following].T
        carried = np.linalg.pinv(back, rcond=1e-12) @ -forces[self._following]
        return (follow.T @ (self._inner.tangent(y, sticking) + self._turning(y, carried)) @ follow).tocsc()

    def _turning(self, y: np.ndarray, carried: np.ndarray) -> sp.csc_matrix:
        """−∂/∂x of the forces of all joints, those that hold as they are, by central differences."""
        found = np.zeros((self._inner.size, len(self._joined)))
        for column, i in enumerate(self._joined):
            move = np.zeros(self._inner.size)
            move[i] = DIFFERENCE
            found[:, column] = self._pushed(y, -move, carried) - self._pushed(y, move, carried)
        whole = sp.lil_matrix((self._inner.size, self._inner.size))
        whole[:, self._joined] = found / (2.0 * DIFFERENCE)
        return whole.tocsc()

    def _pushed(self, y: np.ndarray, move: np.ndarray, carried: np.ndarray) -> np.ndarray:
        """Forces of all joints after a move, (size of the system without joints,)."""
        seen = self._bonds(self._inner.hubs_moved(y, move))
        return np.asarray(seen.rows[seen.held].T @ carried + seen.rows[~seen.held].T @ seen.force[~seen.held])

    def mass(self, y: np.ndarray) -> sp.csc_matrix:
        """Mass matrix with added mass, (size, size)."""
        follow = self._follow(y)
        return (follow.T @ self._inner.mass(y) @ follow).tocsc()

    def reach(self, y: np.ndarray, name: str) -> tuple[Handle, np.ndarray | None]:
        """How the place of that name is taken hold of, and its moves, global, by a unit of each of what is free,
        (k, size); None of what is prescribed."""
        handle = self._inner.handle(y, name)
        if handle.dofs.max() >= self._inner.size:
            return handle, None
        return handle, np.linalg.solve(handle.moves, self._follow(y).tocsr()[handle.dofs].toarray())

    def pull_on(self, y: np.ndarray, handle: Handle) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of a prescribed place that no joint is at: what a unit of each of its moves pulls on what is free, (size, k),
        what a unit of each freedom pulls on the place, (k, size), and on the place itself while all that is free
        stays, (k, k)."""
        whole, follow = self._inner.bordered_tangent(y).tocsr(), self._follow(y)
        moved = whole[:, handle.dofs] @ handle.moves
        across = follow.T @ moved[: self._inner.size]
        back = handle.moves.T @ (whole[handle.dofs][:, : self._inner.size] @ follow)
        return np.asarray(across), np.asarray(back), np.asarray(handle.moves.T @ moved[handle.dofs] + handle.own)

    @property
    def has_water(self) -> bool:
        """Whether there are floaters whose water weighs more or less with the frequency."""
        return self._inner.has_water

    @property
    def floaters(self) -> dict[str, int]:
        """None that moves by itself."""
        return {}

    def water_mass(self, y: np.ndarray, omega: float) -> sp.csc_matrix:
        """What the water weighs more at ω [rad/s] than in `mass`, (size, size)."""
        follow = self._follow(y)
        return (follow.T @ self._inner.water_mass(y, omega) @ follow).tocsc()

    # --- states ---------------------------------------------------------------------------------------------------
    def placed(self, y: np.ndarray) -> np.ndarray:
        """The state at rest, with prescribed points where they are commanded to be and joints closed."""
        y = self._inner.placed(y)
        return self._inner.placed(self._closed(y, np.zeros(self._inner.size), 1.0)) if len(self._following) else y

    def displaced(self, y: np.ndarray, dx: np.ndarray, share: float = 1.0) -> np.ndarray:
        """The state at rest after `share` of the step dx (size,)."""
        return self._closed(y, self._follow(y) @ dx, share)

    def _closed(self, y: np.ndarray, move: np.ndarray, share: float) -> np.ndarray:
        """The state after `share` of a move, what follows brought to where all joints are closed."""
        move = move.copy()
        for _ in range(ROUNDS):
            after = self._inner.displaced(y, move, share)
            seen = self._bonds(after)
            value, rows = seen.value[seen.held], seen.rows[seen.held]
            if np.abs(value).max(initial=0.0) < CLOSED:
                break
            move[self._following] -= np.linalg.pinv(rows[:, self._following], rcond=1e-12) @ value / share
        return after

    def speeds(self, y: np.ndarray) -> np.ndarray:
        """Rates of what is free in a state that moves, (size,)."""
        return np.asarray(self._inner.speeds(y)[self._chosen])

    def relax(self, y: np.ndarray, n: int, h: float) -> bool:
        """n heavily damped steps of size h [s] in place; False when it went wrong."""
        return self._inner.relax(y, n, h)

    def settled(self, y: np.ndarray) -> np.ndarray:
        """The equilibrium `y` as a run starts from it."""
        return self._inner.settled(y)

    def place(self, i: int) -> str:
        """What degree of freedom i belongs to."""
        return self._inner.place(int(self._chosen[i]))
