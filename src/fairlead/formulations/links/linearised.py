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

from fairlead.algebra.records import Rows
from fairlead.algebra.sparse import Blocks
from fairlead.formulations.contract import SPIN
from fairlead.formulations.held_still import HeldStill
from fairlead.sea.water import bed_below, bed_gaps

from .rest import rest_loads, signals_at

if TYPE_CHECKING:
    from .compiled_links import CompiledLinks

RIGID = 30.0
"""Stretch stiffness of a link that counts as rigid, in its own EA/l."""
DIFFERENCE = 1e-6
"""Half width of difference quotients, in lengths of a link."""
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
        self._joints = self._find_joints()

    def _hold_still(self, u: np.ndarray) -> None:
        """Let time stand still: points where they are commanded to be, loads of this moment, a smooth seabed."""
        still = self._still
        self._stand_still(u, signals_at, still)
        self._points = still.fixed.position.copy()
        self._points[still.control.point] = self._commands
        self._calm(still.sea)
        self._inputs = np.full(3 * still.controlled, np.nan)

    def _find_joints(self) -> tuple[np.ndarray, ...]:
        """Stiff joints: k (n,), upper and lower link or −1 (n,), axis of a clamp (n, 3)."""
        bending, end = self._still.link.bending, self._still.end
        k, above, below, axis = [], [], [], []
        for c, (first, count) in enumerate(self._chains):
            k += [*bending[first : first + count], end.stop_bending[c]]
            above += [-1, *range(first, first + count)]
            below += [*range(first, first + count), -1]
            axis += [*[end.start_axis[c]] * count, end.stop_axis[c]]
        stiff = np.array(k) > 0
        return np.array(k)[stiff], np.array(above)[stiff], np.array(below)[stiff], np.array(axis)[stiff]

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
    def _outside(self, ends: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        on_links, on_nodes = np.zeros((len(ends), 12)), np.zeros((len(places), 4))
        still = self._still
        rest_loads(self.t, ends, places, still.y, still.ints, still.reals, still.work, on_links, on_nodes)
        return on_links, on_nodes

    def _ends(self, places: np.ndarray) -> np.ndarray:
        return np.hstack([places[self._upper], places[self._upper + 1]])

    def _bed(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray, Rows]:
        """Depth of each node in the bed (nodes,), the bed's normal and the nodes' contact constants."""
        sea, node = self._still.reals, self._still.node
        normal = bed_below(places, sea)[1]
        return np.maximum(-bed_gaps(places, node.radius, sea), 0.0), normal, node

    def _on_nodes(self, y: np.ndarray) -> np.ndarray:
        """Loads from outside on all nodes, (nodes, 3)."""
        places = self._places(y)
        on_links, on_nodes = self._outside(self._ends(places), places)
        total = on_nodes[:, :3].copy()
        np.add.at(total, self._upper, on_links[:, :3])
        np.add.at(total, self._upper + 1, on_links[:, 3:6])
        depth, normal, node = self._bed(places)
        total += (node.stiffness * depth)[:, None] * normal
        turning = np.zeros((len(self._lengths), 3))
        load, push = self._still.load, self._still.push
        for at, link, force, torque in zip(load.on, load.link, push.force, push.torque, strict=True):
            total[at] += force
            if link >= 0:
                turning[link] += np.cross(torque, self._directions(y)[link])
        return np.asarray(total + self._spread(turning))

    def _spread(self, turning: np.ndarray) -> np.ndarray:
        """Forces on nodes, (nodes, 3), of generalised forces on the directions (links, 3) that lie across them."""
        out = np.zeros((self._nodes, 3))
        pairs = turning / self._lengths[:, None]
        np.add.at(out, self._upper + 1, pairs)
        np.add.at(out, self._upper, -pairs)
        return out

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
        return self._packed(self._on_nodes(y), None if self._twist is None else self._spin_torque(y))

    def residual(self, y: np.ndarray) -> np.ndarray:
        """Force left over on every degree of freedom under the kept tensions, (size,)."""
        q, pull = self._directions(y), self._tables(y).pull.tension
        total = self._on_nodes(y)
        np.add.at(total, self._upper, pull[:, None] * q)
        np.add.at(total, self._upper + 1, -pull[:, None] * q)
        total += self._spread(_bending(q, *self._joints))
        places = self._places(y)
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
        self._add_load_stiffness(blocks, places)
        depth, normal, node = self._bed(places)
        press = node.stiffness * (depth > 0)
        shear = node.shear * (depth > 0) * (1.0 if sticking and self._friction > 0 else 0.0)
        upright = normal[:, :, None] * normal[:, None, :]
        flat = np.eye(3) - upright
        every = np.arange(self._nodes)
        blocks.add(every, every, press[:, None, None] * upright + shear[:, None, None] * flat)
        self._add_bending(blocks, q)
        for c, end, _ in self._tied():
            at = np.array([end])
            blocks.add(at, at, self._still.end.spring[c] * np.eye(3)[None])
        return self._with_spins(blocks, None if self._twist is None else self._stiffness_of_twist())

    def _with_spins(self, blocks: Blocks, spins: np.ndarray | None) -> sp.csc_matrix:
        """The matrix (size, size) of the moves of all free nodes, from blocks of all nodes, and of the twists."""
        moved = blocks.assembled(3 * self._nodes)[self._dofs][:, self._dofs].tocsc()
        return moved if spins is None else sp.block_diag([moved, spins], format="csc")

    def _add_load_stiffness(self, blocks: Blocks, places: np.ndarray) -> None:
        """−∂loads/∂x of links and bodies by central differences; a link's loads depend on its own two ends."""
        ends = self._ends(places)
        step = DIFFERENCE * float(self._lengths.mean())
        slopes, bodies = np.zeros((len(ends), 6, 6)), np.zeros((self._nodes, 3, 3))
        for d in range(6):
            aside = np.zeros(6)
            aside[d] = step
            shifted = aside[:3] if d < 3 else 0.0
            ahead, behind = self._outside(ends + aside, places + shifted), self._outside(ends - aside, places - shifted)
            slopes[:, :, d] = (behind[0][:, :6] - ahead[0][:, :6]) / (2 * step)
            if d < 3:
                bodies[:, :, d] = (behind[1][:, :3] - ahead[1][:, :3]) / (2 * step)
        sides = (self._upper, self._upper + 1)
        for i, row in enumerate(sides):
            for j, column in enumerate(sides):
                blocks.add(row, column, slopes[:, 3 * i : 3 * i + 3, 3 * j : 3 * j + 3])
        every = np.arange(self._nodes)
        blocks.add(every, every, bodies)

    def _add_bending(self, blocks: Blocks, q: np.ndarray) -> None:
        """−∂/∂x of the bending forces; a joint depends on the directions of its two links."""
        k, above, below, axis = self._joints
        directions = np.stack([q[above], q[below]], axis=1)
        directions[above < 0, 0], directions[below < 0, 1] = axis[above < 0], axis[below < 0]
        lengths = np.stack([self._lengths[above], self._lengths[below]], axis=1)
        exists = np.stack([above >= 0, below >= 0], axis=1)

        def forces(chords: np.ndarray) -> np.ndarray:
            """Generalised forces over lengths, i.e. node forces, of chords l·q (joints, 2, 3)."""
            size = np.linalg.norm(chords, axis=2, keepdims=True)
            return np.asarray(_pair(chords[:, 0] / size[:, 0], chords[:, 1] / size[:, 1], k) / size)

        ends = np.stack([self._upper, self._upper + 1], axis=1)
        chords = lengths[:, :, None] * directions
        slopes = np.zeros((len(k), 2, 3, 2, 3))
        step = 1e-5 * lengths
        for side in range(2):
            for d in range(3):
                aside = np.zeros_like(chords)
                aside[:, side, d] = step[:, side]
                change = forces(chords - aside) - forces(chords + aside)
                slopes[:, :, :, side, d] = change / (2 * step[:, side])[:, None, None]
        for one in range(2):
            for other in range(2):
                both = exists[:, one] & exists[:, other]
                rows, columns = (above, below)[one][both], (above, below)[other][both]
                blocks.add_between(ends[rows], ends[columns], slopes[both][:, one, :, other])

    def mass(self, y: np.ndarray) -> sp.csc_matrix:
        """Mass matrix with added mass, (size, size)."""
        places, q = self._places(y), self._directions(y)
        on_links, on_nodes = self._outside(self._ends(places), places)
        along = np.einsum("ni,nj->nij", q, q)
        across = np.eye(3) - along
        turn = (self._rotary / self._lengths**2)[:, None, None] * across
        blocks = Blocks(3)
        up, low = self._upper, self._upper + 1
        for row, column, kind, sign in ((up, up, 0, 1), (up, low, 1, -1), (low, up, 1, -1), (low, low, 2, 1)):
            part = on_links[:, 6 + kind, None, None] * across + on_links[:, 9 + kind, None, None] * along
            blocks.add(row, column, part + sign * turn)
        every = np.arange(self._nodes)
        blocks.add(every, every, on_nodes[:, 3, None, None] * np.eye(3))
        return self._with_spins(blocks, None if self._twist is None else self._twist.inertia)

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


def _pair(qa: np.ndarray, qb: np.ndarray, k: np.ndarray) -> np.ndarray:
    """Generalised forces (joints, 2, 3) of bending on both directions, across them."""
    c = np.einsum("ni,ni->n", qa, qb)
    s = np.linalg.norm(np.cross(qa, qb), axis=1)
    ratio = np.where(s > 1e-9, np.arctan2(s, c) / np.maximum(s, 1e-9), 1.0)
    gain = (k * ratio)[:, None]
    return np.stack([gain * (qb - c[:, None] * qa), gain * (qa - c[:, None] * qb)], axis=1)


def _bending(q: np.ndarray, k: np.ndarray, above: np.ndarray, below: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Generalised forces of all joints on the directions, (links, 3)."""
    qa = np.where((above >= 0)[:, None], q[above], axis)
    qb = np.where((below >= 0)[:, None], q[below], axis)
    force = _pair(qa, qb, k)
    out = np.zeros_like(q)
    np.add.at(out, above[above >= 0], force[above >= 0, 0])
    np.add.at(out, below[below >= 0], force[below >= 0, 1])
    return out
