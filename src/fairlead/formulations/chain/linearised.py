"""Forces, stiffness and mass of the chains at rest, for statics and modes.

Degrees of freedom are the places of the nodes that nothing holds. Links are rigid: their tensions, kept in the state,
are unknowns of their own beside the shape. A step of Newton's method moves both as if links were springs of a stiffness
k far beyond that of the hanging chain, T ← T + k(φ + ∂φ·dx) with φ = |Δr| − L, so that what is left of φ falls with the
change of the tensions over k: after some steps nothing is left of either. In the modes the springs stay; they slow
the chain by about the weight over kL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fairlead.algebra.sparse import Blocks
from fairlead.formulations.held_still import NodesAtRest

from .observe import LOADS, MASSES, RIGHT, SIGNALS
from .schema import FREE

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

    from .compiled_chain import CompiledChain

RIGID = 1e6
"""Stiffness of a link that counts as rigid, in the force of the system over the link's length."""
DIFFERENCE = 1e-6
"""Half width of the differences, in lengths of a link."""


class LinearisedChain(NodesAtRest):
    """See `fairlead.formulations.contract.Linearised`."""

    _reach = 1

    def __init__(self, compiled: CompiledChain, t: float, u: np.ndarray) -> None:
        super().__init__(compiled, t)
        self._still = still = self._tables(compiled.initial_state())
        self._calm(still.sea)
        self._commands, self._inputs = np.zeros((still.controlled, 3)), u
        self._run(SIGNALS, np.zeros(compiled.layout.size), out=self._commands.ravel())
        self._inputs = compiled.initial_inputs()
        self._inputs[3 * still.controlled :] = u[3 * still.controlled :]
        cables = zip(still.cable.first.tolist(), still.cable.count.tolist(), strict=True)
        self._upper = np.concatenate([np.arange(first, first + count) for first, count in cables])
        self._ends, self._lengths = np.stack([self._upper, self._upper + 1], axis=1), still.link.length.copy()
        self._set_free(still.held.control == FREE)
        force = float(still.link.weight.sum()) + self.stress(still.y)
        self._stiff = RIGID * max(force, 1e-3) / self._lengths

    def _links(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Directions (links, 3) and spans (links,) of the links."""
        x = self._tables(y).position.xyz
        way = x[self._upper + 1] - x[self._upper]
        span = np.linalg.norm(way, axis=1)
        return way / span[:, None], span

    # --- forces -------------------------------------------------------------------------------------------------------
    def _outside(self, y: np.ndarray, sticking: bool = False) -> np.ndarray:
        out = np.zeros(3 * self._nodes)
        self._run(LOADS, y, out=out)
        return out

    def _balance(self, y: np.ndarray, pull: np.ndarray) -> np.ndarray:
        """Loads and the pulls (links,) of the links, (size,)."""
        axis, _ = self._links(y)
        total = self._outside(y).reshape(-1, 3)
        np.add.at(total, self._upper, pull[:, None] * axis)
        np.add.at(total, self._upper + 1, -pull[:, None] * axis)
        return np.asarray(total.ravel()[self._dofs])

    def residual(self, y: np.ndarray) -> np.ndarray:
        """Force left over with the kept tensions and what the links are out of their lengths, (size,)."""
        return self._balance(y, self._tables(y).tension.value + self._stiff * (self._links(y)[1] - self._lengths))

    def imbalance(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Force left over under the kept tensions, (size,), and how far the links are out of their lengths [m]."""
        return self._balance(y, self._tables(y).tension.value), np.asarray(self._links(y)[1] - self._lengths)

    # --- stiffness and mass -------------------------------------------------------------------------------------------
    def tangent(self, y: np.ndarray, sticking: bool = False) -> csc_matrix:
        """Stiffness −∂residual/∂x with the string stiffness of the kept tensions, (size, size).

        A chain touches no seabed that it could stick to.
        """
        axis, span = self._links(y)
        pull = self._tables(y).tension.value
        along = np.einsum("ni,nj->nij", axis, axis)
        block = (pull / span)[:, None, None] * (np.eye(3) - along) + self._stiff[:, None, None] * along
        blocks = Blocks(3)
        blocks.add_between(self._ends, self._ends, block)
        stiffness = blocks.assembled(3 * self._nodes)
        if self._still.water:
            stiffness = stiffness + self._load_stiffness(y, DIFFERENCE * float(self._lengths.mean()))
        return self._among_free(stiffness)

    def mass(self, y: np.ndarray) -> csc_matrix:
        """Mass matrix with added mass, (size, size): that of thin uniform rods, and bodies at the ends."""
        links = len(self._lengths)
        out = np.zeros(2 * links + self._nodes)
        self._run(MASSES, y, out=out)
        axis, _ = self._links(y)
        along = np.einsum("ni,nj->nij", axis, axis)
        across = out[:links, None, None] * (np.eye(3) - along) + out[links : 2 * links, None, None] * along
        blocks, every = Blocks(3), np.arange(self._nodes)
        for i, j in np.ndindex(2, 2):
            blocks.add(self._ends[:, i], self._ends[:, j], across / (3.0 if i == j else 6.0))
        blocks.add(every, every, out[2 * links :, None, None] * np.eye(3))
        return self._among_free(blocks.assembled(3 * self._nodes))

    # --- states -------------------------------------------------------------------------------------------------------
    def placed(self, y: np.ndarray) -> np.ndarray:
        """See `NodesAtRest`. Links have their lengths, so that nothing is measured by what a shape far from that would
        pull."""
        y = super().placed(y)
        self._tables(y).controls.acceleration = 0.0
        right = y.copy()
        return right if self._run(RIGHT, right) else y

    def displaced(self, y: np.ndarray, dx: np.ndarray, share: float = 1.0) -> np.ndarray:
        """The state at rest after `share` of a step dx (size,) of the nodes, and of the tensions with it."""
        axis, span = self._links(y)
        moves = self._moves(dx)
        grown = span - self._lengths + np.einsum("ni,ni->n", axis, moves[self._upper + 1] - moves[self._upper])
        y = self._rested(y)
        state = self._tables(y)
        state.position.xyz += share * moves
        state.tension.value += share * self._stiff * grown
        return y

    def settled(self, y: np.ndarray) -> np.ndarray:
        """The state as a run starts from it: links of their exact lengths, ledgers at zero."""
        y = self._rested(y)
        self._tables(y).block("ledger")[:] = 0.0
        self._run(RIGHT, y)
        return y
