"""Forces, stiffness and mass of the links at rest, for statics and modes.

Degrees of freedom: a displacement (3) of every node that is not a prescribed start, then the twist of every link where
twist is resisted. Links are rigid: their tensions, kept in the state, are unknowns of their own beside the shape. A
step of Newton's method moves the nodes as if links were stretched by a stiffness far beyond their own EA/l, adds what
that stretch is worth to the tensions, and keeps of the move only the new directions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from fairlead.algebra.newton import SPIN
from fairlead.algebra.records import Rows
from fairlead.algebra.sparse import Blocks, by_differences
from fairlead.formulations.held_still import HeldStill
from fairlead.sea.water import bed_below, bed_gaps

from .rest import rest_forces, signals_at

if TYPE_CHECKING:
    from .compiled_links import CompiledLinks

RIGID = 30.0
"""Stretch stiffness of a link that counts as rigid, in its own EA/l."""
DIFFERENCE = 1e-5
"""Half width of difference quotients, in lengths of a link."""
REACH = 2
"""Bending at a node depends on the nodes up to two away."""
MOST_TURN = 0.5
"""rad: longest turn of a link in one step."""


class LinearisedLinks(HeldStill):
    """See `fairlead.formulations.contract.Linearised`."""

    def __init__(self, compiled: CompiledLinks, t: float, u: np.ndarray) -> None:
        super().__init__(compiled, t)
        self._compiled, self._twist = compiled, compiled.twist
        self._still = self._tables(compiled.initial_state())
        self._hold_still(u)
        link, chain, links = self._still.link, self._still.chain, self._still.links
        self._lengths, self._stretch, self._rotary = link.length, RIGID * link.stretch, link.rotary
        self._chains = list(zip(chain.first.tolist(), chain.count.tolist(), strict=True))
        self._nodes = self._still.nodes
        self._upper = np.arange(links) + np.repeat(np.arange(len(chain)), chain.count)
        self._free = np.ones(self._nodes, dtype=bool)
        self._free[chain.first + np.arange(len(chain))] = chain.start < 0
        self._dofs = np.flatnonzero(np.repeat(self._free, 3))
        moves, spins = 3 * int(self._free.sum()), 0 if self._twist is None else links
        self.size = moves + spins
        self._moves = moves
        self.levers = np.concatenate([np.ones(moves), 0.5 * self._lengths[:spins]])
        self.kinds = np.concatenate([np.tile([0, 1, 2], moves // 3), np.full(spins, SPIN)])

    def _hold_still(self, u: np.ndarray) -> None:
        """Let time stand still: points where they are commanded to be, loads of this moment, a smooth seabed."""
        still = self._still
        self._stand_still(u, signals_at, still)
        self._points = still.fixed.position.copy()
        self._points[still.control.point] = self._commands
        self._calm(still.sea)
        self._inputs = np.full(3 * still.controlled, np.nan)

    # --- shape --------------------------------------------------------------------------------------------------------
    def _directions(self, y: np.ndarray) -> np.ndarray:
        return np.asarray(self._tables(y).link_state.direction)

    def _start(self, y: np.ndarray, chain: int) -> np.ndarray:
        point = self._still.chain.start[chain]
        return np.asarray(self._points[point] if point >= 0 else self._tables(y).start_state.position[chain])

    def _tied(self) -> list[tuple[int, int, int]]:
        """Chains whose far end is tied to a point: chain, its last node, the point."""
        stops = self._still.chain.stop
        return [(c, first + count + c, stops[c]) for c, (first, count) in enumerate(self._chains) if stops[c] >= 0]

    def _places(self, y: np.ndarray) -> np.ndarray:
        """Places of all nodes, (nodes, 3)."""
        steps = self._lengths[:, None] * self._directions(y)
        parts = []
        for c, (first, count) in enumerate(self._chains):
            laid = np.vstack([self._start(y, c), steps[first : first + count]])
            parts.append(np.cumsum(laid, axis=0))
        return np.vstack(parts)

    def _twists(self, y: np.ndarray) -> np.ndarray:
        assert self._twist is not None
        return np.asarray(self._twist.shapes @ self._tables(y).twist.amplitude)

    # --- forces -------------------------------------------------------------------------------------------------------
    def _forces(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """What acts on nodes at rest at `places`; see `rest_forces`."""
        still, nodes = self._still, self._nodes
        found = np.zeros((nodes, 3)), np.zeros((nodes, 3)), np.zeros((still.links, 6)), np.zeros(nodes)
        rest_forces(self.t, places, still.y, still.ints, still.reals, still.work, *found)
        return found

    def _bed(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray, Rows]:
        """Depth of each node in the bed (nodes,), the bed's normal and the nodes' contact constants."""
        sea, node = self._still.reals, self._still.node
        normal = bed_below(places, sea)[1]
        return np.maximum(-bed_gaps(places, node.radius, sea), 0.0), normal, node

    def _on_nodes(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Loads from outside on nodes at rest at `places`, and forces of bending, (nodes, 3) each."""
        outside, inside, _, _ = self._forces(places)
        depth, normal, node = self._bed(places)
        return outside + (node.stiffness * depth)[:, None] * normal, inside

    def _spin_torque(self, y: np.ndarray) -> np.ndarray:
        """Torques from outside about the links' axes, (links,)."""
        out = np.zeros(len(self._lengths))
        for link, torque in zip(self._still.load.link, self._still.push.torque, strict=True):
            if link >= 0:
                out[link] += torque @ self._directions(y)[link]
        return out

    def _packed(self, nodes: np.ndarray, spins: np.ndarray | None) -> np.ndarray:
        parts = [nodes[self._free].ravel()]
        if self._twist is not None and spins is not None:
            parts.append(spins)
        return np.concatenate(parts)

    def loads(self, y: np.ndarray) -> np.ndarray:
        """Weight, buoyancy, current, seabed and point loads on every degree of freedom, (size,)."""
        outside, _ = self._on_nodes(self._places(y))
        return self._packed(outside, None if self._twist is None else self._spin_torque(y))

    def residual(self, y: np.ndarray) -> np.ndarray:
        """Force left over on every degree of freedom under the kept tensions, (size,)."""
        q, pull, places = self._directions(y), self._tables(y).pull.tension, self._places(y)
        total = np.add(*self._on_nodes(places))
        np.add.at(total, self._upper, pull[:, None] * q)
        np.add.at(total, self._upper + 1, -pull[:, None] * q)
        for c, end, point in self._tied():
            total[end] -= self._still.end.spring[c] * (places[end] - self._points[point])
        spins = None
        if self._twist is not None:
            spins = self._spin_torque(y) - self._stiffness_of_twist() @ self._twists(y)
        return self._packed(total, spins)

    def stress(self, y: np.ndarray) -> float:
        """Largest kept tension [N]."""
        return float(np.abs(self._tables(y).pull.tension).max(initial=0.0))

    def _stiffness_of_twist(self) -> np.ndarray:
        twist = self._twist
        assert twist is not None
        lift = twist.inertia @ twist.shapes
        return np.asarray(lift @ np.diag(twist.stiffness) @ lift.T)

    # --- stiffness and mass -------------------------------------------------------------------------------------------
    def tangent(self, y: np.ndarray, sticking: bool = False) -> sp.csc_matrix:
        """Stiffness −∂residual/∂x, (size, size); `sticking` adds the shear stiffness of a rough seabed."""
        q, pull, places = self._directions(y), self._tables(y).pull.tension, self._places(y)
        blocks = Blocks(3)
        string = (pull / self._lengths)[:, None, None] * np.eye(3)
        string = string + (self._stretch - pull / self._lengths)[:, None, None] * np.einsum("ni,nj->nij", q, q)
        ends = np.stack([self._upper, self._upper + 1], axis=1)
        blocks.add_between(ends, ends, string)
        depth, normal, node = self._bed(places)
        press = node.stiffness * (depth > 0)
        shear = node.shear * (depth > 0) * (1.0 if sticking and self._friction > 0 else 0.0)
        upright = normal[:, :, None] * normal[:, None, :]
        flat = np.eye(3) - upright
        every = np.arange(self._nodes)
        blocks.add(every, every, press[:, None, None] * upright + shear[:, None, None] * flat)
        for c, end, _ in self._tied():
            at = np.array([end])
            blocks.add(at, at, self._still.end.spring[c] * np.eye(3)[None])
        by = DIFFERENCE * float(self._lengths.mean())
        own = by_differences(lambda x: np.add(*self._forces(x)[:2]).ravel(), places, REACH, by)
        return self._with_spins(
            blocks.assembled(3 * self._nodes) + own, None if self._twist is None else self._stiffness_of_twist()
        )

    def _with_spins(self, whole: sp.csc_matrix, spins: np.ndarray | None) -> sp.csc_matrix:
        """The matrix (size, size) of the moves of all free nodes, of that of all nodes, and of the twists."""
        moved = whole[self._dofs][:, self._dofs].tocsc()
        return moved if spins is None else sp.block_diag([moved, spins], format="csc")

    def mass(self, y: np.ndarray) -> sp.csc_matrix:
        """Mass matrix with added mass, (size, size)."""
        places, q = self._places(y), self._directions(y)
        _, _, masses, inertia = self._forces(places)
        along = np.einsum("ni,nj->nij", q, q)
        across = np.eye(3) - along
        turn = (self._rotary / self._lengths**2)[:, None, None] * across
        blocks = Blocks(3)
        up, low = self._upper, self._upper + 1
        for row, column, kind, sign in ((up, up, 0, 1), (up, low, 1, -1), (low, up, 1, -1), (low, low, 2, 1)):
            part = masses[:, kind, None, None] * across + masses[:, 3 + kind, None, None] * along
            blocks.add(row, column, part + sign * turn)
        every = np.arange(self._nodes)
        blocks.add(every, every, inertia[:, None, None] * np.eye(3))
        return self._with_spins(blocks.assembled(3 * self._nodes), None if self._twist is None else self._twist.inertia)

    # --- states -------------------------------------------------------------------------------------------------------
    def placed(self, y: np.ndarray) -> np.ndarray:
        """The state at rest, with prescribed points where they are commanded to be."""
        y = y.copy()
        state = self._tables(y)
        state.link_state.rate = state.start_state.velocity = 0.0
        state.control_state.position, state.control_state.velocity = self._commands, 0.0
        state.twist.rate = 0.0
        return y

    def displaced(self, y: np.ndarray, dx: np.ndarray, share: float = 1.0) -> np.ndarray:
        """The state at rest after `share` of a step dx (size,) of the nodes, and of the tensions with it.

        No link turns by more than `MOST_TURN`: a longer step is shortened as a whole.
        """
        y = self.placed(y)
        moves = np.zeros((self._nodes, 3))
        moves[self._free] = dx[: self._moves].reshape(-1, 3)
        q = self._directions(y).copy()
        stretch = moves[self._upper + 1] - moves[self._upper]
        turns = np.linalg.norm(np.cross(q, stretch), axis=1) / self._lengths
        share = min(share, MOST_TURN / max(float(turns.max(initial=0.0)), 1e-300))
        moves, stretch = share * moves, share * stretch
        state = self._tables(y)
        state.pull.tension += self._stretch * np.einsum("ni,ni->n", q, stretch)
        turned = q + stretch / self._lengths[:, None]
        state.link_state.direction = turned / np.linalg.norm(turned, axis=1, keepdims=True)
        for c, (first, _) in enumerate(self._chains):
            if self._still.chain.start[c] < 0:
                state.start_state.position[c] += moves[first + c]
        if self._twist is not None:
            turned = self._twists(y) + share * dx[self._moves :]
            state.block("twist")[:] = self._twist.state_of(turned, 0.0 * turned).reshape(-1, 2)
        return y

    def speeds(self, y: np.ndarray) -> np.ndarray:
        """Velocities of the nodes and of the twists, (size,)."""
        parts, state = [], self._tables(y)
        steps = self._lengths[:, None] * state.link_state.rate
        for c, (first, count) in enumerate(self._chains):
            start = state.start_state.velocity[c] if self._still.chain.start[c] < 0 else np.zeros(3)
            parts.append(np.cumsum(np.vstack([start, steps[first : first + count]]), axis=0))
        spins = None if self._twist is None else self._twist.shapes @ self._tables(y).twist.rate
        return self._packed(np.vstack(parts), spins)

    def relax(self, y: np.ndarray, n: int, h: float) -> bool:
        """n steps of size h [s] in place, time standing still; False when it went wrong."""
        if self._twist is not None:
            self._still.propagator.number = self._twist.propagators(h)
        return super().relax(y, n, h)

    def settled(self, y: np.ndarray) -> np.ndarray:
        """The state as a run starts from it: at rest, friction unstrained, ledgers at zero."""
        y = self.placed(y)
        state = self._tables(y)
        state.block("ledger")[:] = 0.0
        if self._still.contacts > 0:
            places = self._places(y)
            depth, _, node = self._bed(places)
            state.contact.anchor, state.contact.normal_force = places, node.stiffness * depth
        return y

    def place(self, i: int) -> str:
        """What a degree of freedom belongs to, for people."""
        if i >= self._moves:
            link = i - self._moves
            chain = int(np.searchsorted(self._still.chain.first, link, side="right")) - 1
            return self._compiled.link_name(chain, link - self._chains[chain][0])
        node = int(np.flatnonzero(self._free)[i // 3])
        for c, (first, count) in enumerate(self._chains):
            if first + c <= node <= first + c + count:
                return self._compiled.link_name(c, max(0, int(node - first - c) - 1))
        return f"node {node}"
