"""Stiffness and mass of the point masses at rest.

Springs and bending are treated analytically, loads by central differences: the loads on a node depend on its neighbours
alone, so that every third node can be moved at once. The string stiffness comes from the tensions kept in the state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fairlead.algebra.records import Tables
from fairlead.algebra.sparse import Blocks, block_diagonal, zeros
from fairlead.algebra.turns import rotations, skew
from fairlead.rigging.floater_rest import hub_matrix
from fairlead.rigging.settling import DIFFERENCE

from .rest import bent
from .rest_forces import RestForces

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix


class RestStiffness(RestForces):
    """Stiffness and mass of a system held still."""

    def tangent(self, y: np.ndarray, sticking: bool = False) -> csc_matrix:
        """Stiffness −∂residual/∂x with the string stiffness of the kept tensions, (size, size).

        `sticking`: about a state that has settled, where ropes have their stiffness under quick loads.
        """
        return self._stiffness(y, sticking, False)

    def bordered_tangent(self, y: np.ndarray) -> csc_matrix:
        """The same with six moves of each prescribed point behind x."""
        return self._stiffness(y, False, True)

    def _stiffness(self, y: np.ndarray, sticking: bool, points: bool) -> csc_matrix:
        state = self._state(y)
        places = self._places(state)
        axis, span = self._elements(places)
        _, slope = self._pulls(state, span, quick=sticking)
        along = np.einsum("ni,nj->nij", axis, axis)
        kept = state.spring.tension[self._springs.number]
        block = slope[:, None, None] * along + (kept / span)[:, None, None] * (np.eye(3) - along)
        parts = Blocks(3)
        parts.add_between(self._springs.nodes, self._springs.nodes, block)
        clamps = self._clamps(state)
        curved = bent(self._turns, clamps, axis, span)
        for one, other in np.ndindex(2, 2):
            e, f = self._turns.elements[:, one], self._turns.elements[:, other]
            both = (e >= 0) & (f >= 0)
            parts.add_between(
                self._springs.nodes[e[both]], self._springs.nodes[f[both]], curved.stiffness[both, one, :, other]
            )
        if points:
            self._add_turning_clamps(parts, clamps, axis, span)
        self._add_load_stiffness(parts, y, places, sticking)
        moves = self._moves(state, points)
        total = moves.T @ parts.assembled(moves.shape[0]) @ moves
        return (total + self._hub_stiffness(y, state, places, points)).tocsc()

    def _add_turning_clamps(self, parts: Blocks, clamps: np.ndarray, axis: np.ndarray, span: np.ndarray) -> None:
        """What a turn of a prescribed point does through its clamps c: U = −k t·c with δc = δθ × c."""
        turns = self._turns
        at = np.flatnonzero(turns.point >= 0)
        e = turns.elements[at].max(axis=1)
        t, c, k = axis[e], clamps[at], turns.stiffness[at, None, None]
        node, turn = self._springs.nodes[e], self._nodes + turns.point[at]
        across = np.eye(3) - np.einsum("ni,nj->nij", t, t)
        force = k / span[e, None, None] * np.einsum("nij,njk->nik", across, skew(c))
        for side, sign in ((0, -1.0), (1, 1.0)):
            parts.add(node[:, side], turn, sign * force)
            parts.add(turn, node[:, side], sign * force.transpose(0, 2, 1))
        cosine = np.einsum("ni,ni->n", t, c)[:, None, None]
        parts.add(turn, turn, k * (cosine * np.eye(3) - np.einsum("ni,nj->nij", c, t)))

    def _add_load_stiffness(self, parts: Blocks, y: np.ndarray, places: np.ndarray, sticking: bool) -> None:
        """−∂loads/∂x of the nodes: every third node moved at once, its neighbours' loads change with it."""
        index = np.arange(self._nodes)
        for third in range(3):
            moved = index[index % 3 == third]
            change = np.zeros((self._nodes, 3, 3))
            for d in range(3):
                ahead, behind = places.copy(), places.copy()
                ahead[moved, d] += DIFFERENCE
                behind[moved, d] -= DIFFERENCE
                loads = self._rows(y, behind, sticking)[0] - self._rows(y, ahead, sticking)[0]
                change[:, :, d] = loads / (2 * DIFFERENCE)
            for shift in (-1, 0, 1):
                row = moved + shift
                inside = (row >= 0) & (row < self._nodes)
                parts.add(row[inside], moved[inside], change[row[inside]])

    def _hub_stiffness(self, y: np.ndarray, state: Tables, places: np.ndarray, points: bool) -> csc_matrix:
        """−∂/∂x of the hubs' own loads, and of the lever that a cable's pull has on a turning body."""
        b, n = self._block, self._hubs
        blocks = np.zeros((n, b, b))
        apart = np.zeros((n, b, n, b))  # of hubs that feel each other
        for turn in range(b * n if state.ptos else b):
            d, which = turn % b, turn // b if state.ptos else slice(None)
            move = np.zeros((n, b))
            move[which, d] = DIFFERENCE
            behind, ahead = self._moved(y, None, -move), self._moved(y, None, move)
            change = (self._rows(behind, places)[1] - self._rows(ahead, places)[1]) / (2 * DIFFERENCE)
            if state.ptos:
                apart[:, :, which, d] = change
            else:
                blocks[:, :, d] = change
        if b == 6:
            R = rotations(state.hub_state.turn)
            kept = state.spring.tension[self._springs.number]
            forces = self._forces(y, state, kept)[0]
            for c, side in np.ndindex(self._ends.shape):
                hub = self._end_hub[c, side]
                if hub >= 0:
                    force = R[hub].T @ forces[self._ends[c, side]]
                    blocks[hub, 3:, 3:] -= skew(self._offset[c, side]) @ skew(force)
        for h in range(n):
            apart[h, :, h] += blocks[h]
        return block_diagonal([self._no_nodes(), apart.reshape(n * b, n * b), zeros(6 * state.points if points else 0)])

    def _no_nodes(self) -> csc_matrix:
        """What stands where the inner nodes stand in a matrix of the hubs alone."""
        return zeros(3 * len(self._inner))

    def mass(self, y: np.ndarray) -> csc_matrix:
        """Mass matrix with added mass, (size, size)."""
        state = self._state(y)
        self._rows(y, self._places(state))
        row = self._model.row
        parts = Blocks(3)
        everyone = np.arange(self._nodes)
        parts.add(everyone, everyone, row.D[:, [0, 1, 2, 1, 3, 4, 2, 4, 5]].reshape(-1, 3, 3))
        one, two = self._springs.nodes.T
        across = row.A[one].reshape(-1, 3, 3)
        parts.add(one, two, across)
        parts.add(two, one, across.transpose(0, 2, 1))
        blocks = self._model.matrix.number.reshape(-1, self._block, self._block)
        moves = self._moves(state)
        hubs = hub_matrix(blocks, self._hubs, self._model)
        nodes = parts.assembled(3 * self._nodes)
        return (moves.T @ nodes @ moves + block_diagonal([self._no_nodes(), hubs])).tocsc()
