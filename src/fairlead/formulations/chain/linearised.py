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
import scipy.sparse as sp

from fairlead.algebra.records import Tables
from fairlead.formulations.implicit_relaxation import relaxed

from .observe import LOADS, MASSES, RIGHT, SIGNALS, run
from .schema import FREE, SCHEMA
from .step import OK

if TYPE_CHECKING:
    from .compiled_chain import CompiledChain

RIGID = 1e6
"""Stiffness of a link that counts as rigid, in the force of the system over the link's length."""
DIFFERENCE = 1e-6
"""Half width of the differences, in lengths of a link."""
COLOURS = 3
"""Nodes so far apart share no link."""
_NOTHING = np.empty(0)


class LinearisedChain:
    """See `fairlead.formulations.contract.Linearised`."""

    def __init__(self, compiled: CompiledChain, t: float, u: np.ndarray) -> None:
        self.t = t
        self._compiled = compiled
        self._still = still = SCHEMA.tables(
            compiled.ints.copy(), compiled.reals.copy(), compiled.initial_state(), np.zeros_like(compiled.work)
        )
        still.sea.waves = 0.0
        self._loads = compiled.initial_inputs()
        self._loads[3 * still.controlled :] = u[3 * still.controlled :]
        self._nodes = still.nodes
        self._cables = list(zip(still.cable.first.tolist(), still.cable.count.tolist(), strict=True))
        self._upper = np.concatenate([np.arange(first, first + count) for first, count in self._cables])
        self._lengths = still.link.length.copy()
        self._held = still.held.control.copy()
        self._dofs = np.flatnonzero(np.repeat(self._held == FREE, 3))
        self.size = len(self._dofs)
        self.levers = np.ones(self.size)
        self.kinds = np.tile([0, 1, 2], self.size // 3)
        self._commands = np.zeros((still.controlled, 3))
        self._run(SIGNALS, np.zeros(compiled.layout.size), self._commands.ravel(), u)
        force = float(still.link.weight.sum()) + self.stress(still.y)
        self._stiff = RIGID * max(force, 1e-3) / self._lengths

    def _run(self, task: int, y: np.ndarray, out: np.ndarray, u: np.ndarray | None = None) -> bool:
        inputs, still = self._loads if u is None else u, self._still
        status = run(float(self.t), y, 0, 1.0, inputs, still.ints, still.reals, still.work, task, _NOTHING, out)
        return bool(status == OK)

    # --- parts of the state -------------------------------------------------------------------------------------------
    def _of(self, y: np.ndarray) -> Tables:
        """The state y by names."""
        return SCHEMA.tables(self._still.ints, self._still.reals, y, self._still.work)

    def _tensions(self, y: np.ndarray) -> np.ndarray:
        return np.asarray(self._of(y).tension.T)

    def _links(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Directions (links, 3) and spans (links,) of the links."""
        x = self._of(y).position.x
        way = x[self._upper + 1] - x[self._upper]
        span = np.linalg.norm(way, axis=1)
        return way / span[:, None], span

    # --- forces -------------------------------------------------------------------------------------------------------
    def _outside(self, y: np.ndarray) -> np.ndarray:
        """Loads on all nodes, (nodes, 3)."""
        out = np.zeros(3 * self._nodes)
        self._run(LOADS, y, out)
        return out.reshape(-1, 3)

    def _balance(self, y: np.ndarray, pull: np.ndarray) -> np.ndarray:
        """Loads and the pulls (links,) of the links, (size,)."""
        axis, _ = self._links(y)
        total = self._outside(y)
        np.add.at(total, self._upper, pull[:, None] * axis)
        np.add.at(total, self._upper + 1, -pull[:, None] * axis)
        return np.asarray(total.ravel()[self._dofs])

    def loads(self, y: np.ndarray) -> np.ndarray:
        """Weight, buoyancy, current and point loads, (size,)."""
        return np.asarray(self._outside(y).ravel()[self._dofs])

    def residual(self, y: np.ndarray) -> np.ndarray:
        """Force left over with the kept tensions and what the links are out of their lengths, (size,)."""
        return self._balance(y, self._tensions(y) + self._stiff * (self._links(y)[1] - self._lengths))

    def imbalance(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Force left over under the kept tensions, (size,), and how far the links are out of their lengths [m]."""
        return self._balance(y, self._tensions(y)), np.asarray(self._links(y)[1] - self._lengths)

    def stress(self, y: np.ndarray) -> float:
        """Largest kept tension [N]."""
        return float(np.abs(self._tensions(y)).max(initial=0.0))

    # --- stiffness and mass -------------------------------------------------------------------------------------------
    def _paired(self, own: np.ndarray, other: np.ndarray) -> sp.csr_matrix:
        """(nodes·3, nodes·3) with blocks (links, 3, 3): `own` on both nodes of each link, `other` between them."""
        up, low = self._upper, self._upper + 1
        rows = np.concatenate([up, low, up, low])
        columns = np.concatenate([up, low, low, up])
        blocks = np.concatenate([own, own, other, other])
        i, j = np.indices((3, 3))
        places = (3 * rows[:, None, None] + i).ravel(), (3 * columns[:, None, None] + j).ravel()
        return sp.coo_matrix((blocks.ravel(), places), shape=(3 * self._nodes,) * 2).tocsr()

    def tangent(self, y: np.ndarray, sticking: bool = False) -> sp.csc_matrix:
        """Stiffness −∂residual/∂x with the string stiffness of the kept tensions, (size, size).

        A chain touches no seabed that it could stick to.
        """
        axis, span = self._links(y)
        pull = self._tensions(y)
        along = np.einsum("ni,nj->nij", axis, axis)
        block = (pull / span)[:, None, None] * (np.eye(3) - along) + self._stiff[:, None, None] * along
        stiffness = self._paired(block, -block) + self._load_stiffness(y)
        return stiffness.tocsc()[self._dofs][:, self._dofs].tocsc()

    def _load_stiffness(self, y: np.ndarray) -> sp.csr_matrix:
        """−∂loads/∂r by central differences; a link's loads depend on its own two ends."""
        size = 3 * self._nodes
        if not self._still.water:
            return sp.csr_matrix((size, size))
        total = sp.lil_matrix((size, size))
        step = DIFFERENCE * float(self._lengths.mean())
        for colour in range(COLOURS):
            moved = np.arange(colour, self._nodes, COLOURS)
            for k in range(3):
                ahead, behind = y.copy(), y.copy()
                self._of(ahead).position.x[moved, k] += step
                self._of(behind).position.x[moved, k] -= step
                change = ((self._outside(behind) - self._outside(ahead)) / (2 * step)).ravel()
                for i in moved.tolist():
                    near = slice(3 * max(0, i - 1), 3 * min(self._nodes, i + 2))
                    total[near, 3 * i + k] = change[near][:, None]
        return total.tocsr()

    def mass(self, y: np.ndarray) -> sp.csc_matrix:
        """Mass matrix with added mass, (size, size): that of thin uniform rods, and bodies at the ends."""
        links = len(self._lengths)
        out = np.zeros(2 * links + self._nodes)
        self._run(MASSES, y, out)
        axis, _ = self._links(y)
        along = np.einsum("ni,nj->nij", axis, axis)
        across = out[:links, None, None] * (np.eye(3) - along) + out[links : 2 * links, None, None] * along
        whole = self._paired(across / 3.0, across / 6.0) + sp.diags(np.repeat(out[2 * links :], 3))
        return whole.tocsc()[self._dofs][:, self._dofs].tocsc()

    # --- states -------------------------------------------------------------------------------------------------------
    def placed(self, y: np.ndarray) -> np.ndarray:
        """The state at rest, with prescribed points where they are commanded to be; the chain follows its ends.

        Its links have their lengths, so that nothing is measured by what a shape far from that would pull.
        """
        y = self._rested(y)
        controls, x = self._of(y).controls, self._of(y).position.x
        controls.position, controls.velocity, controls.acceleration = self._commands, 0.0, 0.0
        for first, count in self._cables:
            own = x[first : first + count + 1]
            share = np.linspace(0.0, 1.0, count + 1)[:, None]
            gap = [
                self._commands[self._held[node]] - x[node] if self._held[node] >= 0 else np.zeros(3)
                for node in (first, first + count)
            ]
            own += (1.0 - share) * gap[0] + share * gap[1]
        right = y.copy()
        return right if self._run(RIGHT, right, _NOTHING) else y

    def _rested(self, y: np.ndarray) -> np.ndarray:
        y = y.copy()
        self._of(y).velocity.v = 0.0
        return y

    def displaced(self, y: np.ndarray, dx: np.ndarray, share: float = 1.0) -> np.ndarray:
        """The state at rest after `share` of a step dx (size,) of the nodes, and of the tensions with it."""
        axis, span = self._links(y)
        step = np.zeros(3 * self._nodes)
        step[self._dofs] = dx
        moves = step.reshape(-1, 3)
        grown = span - self._lengths + np.einsum("ni,ni->n", axis, moves[self._upper + 1] - moves[self._upper])
        y = self._rested(y)
        self._of(y).position.x += share * moves
        self._tensions(y)[:] += share * self._stiff * grown
        return y

    def speeds(self, y: np.ndarray) -> np.ndarray:
        """Velocities of the free nodes, (size,)."""
        return np.asarray(self._of(y).velocity.v.ravel()[self._dofs])

    def relax(self, y: np.ndarray, n: int, h: float) -> bool:
        """n steps of size h [s] of the linearly implicit Euler rule in place; False when it went wrong."""
        return relaxed(self, y, self._of(y).block("velocity").reshape(-1), self._dofs, n, h)

    def settled(self, y: np.ndarray) -> np.ndarray:
        """The state as a run starts from it: links of their exact lengths, ledgers at zero."""
        y = self._rested(y)
        self._of(y).block("ledger")[:] = 0.0
        self._run(RIGHT, y, _NOTHING)
        return y

    def place(self, i: int) -> str:
        """What a degree of freedom belongs to, for people."""
        node = int(self._dofs[i]) // 3
        for name, (first, count) in zip(self._compiled.shape.cables, self._cables, strict=True):
            if node <= first + count:
                return f"cable '{name}', node {node - first} of {count}"
        raise IndexError(i)
