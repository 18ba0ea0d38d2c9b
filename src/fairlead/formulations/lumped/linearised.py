"""Forces, stiffness and mass of the point masses at rest, for statics and modes.

Degrees of freedom are global displacements (3) of the inner nodes of all cables, then of the hubs; a free body adds a
turn about its own axes (3). Springs and bending are treated analytically, loads by central differences: the loads on a
node depend on its neighbours alone, so that every third node can be moved at once.

The tensions kept in the state are unknowns of their own beside the shape: a step of Newton's method moves both. The
string stiffness comes from them, never from the stretch, so a sideways step δ costs an imbalance Tδ²/L and not
EA·δ²/L², and stiff cables are as easy as soft ones.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from fairlead.algebra.records import Tables
from fairlead.algebra.turns import of_angles, rotations, skew, turned
from fairlead.algebra.bordered_band import room
from fairlead.formulations.compiled_rest import LARGEST_BORDER, CompiledRest, Found
from fairlead.formulations.contract import TURN, UnsupportedSystem
from fairlead.formulations.handles import Handle, Handles
from fairlead.formulations.jointed_rest import Bonds
from fairlead.formulations.floater_rest import hub_matrix, settle_floaters, water_mass
from fairlead.model.anchors import HELD
from fairlead.rigging.joints import HELD_ABOUT, HELD_ALONG
from fairlead.rigging.rope_rows import NO_ROPE
from fairlead.rigging.settling import DIFFERENCE
from fairlead.sea.water import bed_gaps

from .commands import hold_still, keep_signals, signals, unfolded
from .node_blocks import Blocks
from .rest import bent, springs_of, turns_of
from .schema import DAMPED, SCHEMA
from .scheme import SEMI_IMPLICIT
from .static_rows import rest_bonds, rest_memory, rest_pulls, static_rows
from .step import OK

if TYPE_CHECKING:
    from .compiled_lumped import CompiledLumped


class LinearisedLumped:
    """See `fairlead.formulations.contract.Linearised`."""

    def __init__(self, compiled: CompiledLumped, t: float, u: np.ndarray) -> None:
        self.t = t
        self._compiled = compiled
        self._still(compiled, t, u)
        model = self._model
        self._lengths = self._lengths_of(compiled.tables(compiled.initial_state()))
        self._nodes, self._hubs, self._block = model.nodes, model.hubs, model.hub_size
        self._springs, self._turns = springs_of(model), turns_of(model)
        self.points = model.points
        starts = model.cable.first + np.arange(model.cables)
        self._ends = np.stack([starts, starts + model.cable.count], axis=1)
        self._inner = np.concatenate([np.zeros(0, dtype=int), *(np.arange(a + 1, b) for a, b in self._ends)])
        self._end_hub, self._end_point = model.joint.hub.reshape(-1, 2), model.joint.point.reshape(-1, 2)
        self._offset = model.end.offset.reshape(-1, 2, 3)
        self.size = 3 * len(self._inner) + self._block * self._hubs
        body = np.arange(self._block)
        arm = float(self._springs.length.mean()) if len(self._springs.length) else 1.0
        hub_kinds, hub_levers = np.where(body < 3, body, TURN), np.where(body < 3, 1.0, arm)
        inner = len(self._inner)
        self.kinds = np.concatenate([np.tile([0, 1, 2], inner), np.tile(hub_kinds, self._hubs)]).astype(int)
        self.levers = np.concatenate([np.ones(3 * inner), np.tile(hub_levers, self._hubs)])

    def _still(self, compiled: CompiledLumped, t: float, u: np.ndarray) -> None:
        """Copies of the compiled arrays in which time stands still: no motion, no release, no friction.

        One has all the damping that the scheme can give, for `relax`; the other neither springs nor bending.
        """
        ints, reals, y = compiled.ints.copy(), compiled.reals.copy(), compiled.initial_state()
        self._work = np.zeros_like(compiled.work)
        unfolded(y, ints, reals, self._work)
        model = self._model = SCHEMA.tables(ints, reals, y, self._work)
        self._friction = float(model.sea.bed_friction)
        self._commands = hold_still(t, u, model)
        model.end.release_time = model.end.release_tension = np.inf
        model.sea.bed_friction = model.sea.waves = model.sea.gusts = 0.0
        model.controller.kind = 0.0
        model.winch.rows = 0
        model.settings.theta = 1.0
        model.hull.rate = np.inf
        ints[SCHEMA.head["geometric"]] = DAMPED
        self._inputs = compiled.initial_inputs()
        self._slack = SCHEMA.tables(ints, reals.copy(), y, self._work)
        self._slack.element.stiffness = self._slack.element.bending = 0.0
        self._slack.element.rope = NO_ROPE
        model.rope.slow_damping = 0.0  # at rest whatever creeps has crept

    @staticmethod
    def _lengths_of(tables: Tables) -> np.ndarray:
        """Lengths and counts on the winches, (winches, 2)."""
        return np.stack([tables.drum.first_length, tables.drum.count], axis=1)

    def _tables(self, y: np.ndarray) -> Tables:
        """The system held still, in the state y."""
        return SCHEMA.tables(self._model.ints, self._model.reals, y, self._work)

    def _state(self, y: np.ndarray) -> Tables:
        state = self._tables(y)
        if not state.hold.attached.all():
            raise UnsupportedSystem(
                "statics and modes need every cable end joined; an end was released before this state; use the state "
                "at the start, or formulation: bars"
            )
        if not np.array_equal(self._lengths_of(state), self._lengths):
            raise UnsupportedSystem(
                "statics and modes need cables as long as at the start, and a winch has paid out; give the length of "
                "this moment in the file"
            )
        return state

    # --- in compiled code ---------------------------------------------------------------------------------------------
    @cached_property
    def _compiled_rest(self) -> CompiledRest | None:
        """The same in compiled code; None where winches or very many points are more than it carries."""
        model = self._model
        hubs, points = self._block * self._hubs, model.points
        if model.winches or not model.cables or hubs + 6 * points > LARGEST_BORDER:
            return None
        from .settling import find_rest

        sites = np.where(self._end_hub >= 0, self._block * self._end_hub, hubs + 6 * self._end_point)
        width = 8 if model.cable.bends.any() else 5
        matrix = room(3 * (model.cable.count - 1), sites, width, self._hubs, self._block, points)
        arrays = (model.ints, model.reals, self._slack.reals, self._work)
        scratch = (np.zeros((points, 7)), np.zeros((self._nodes, 3)))
        system = self._compiled.system
        return CompiledRest(
            find_rest, self.t, self._inputs, arrays, self._compiled.layout.size, scratch, matrix, self.levers,
            self.kinds, min(sum(row.length for row in cable.segments(system)) for cable in system.cables.values()),
        )  # fmt: skip

    def command(self, u: np.ndarray) -> None:
        """Hold still under other inputs."""
        compiled, model = self._compiled, self._model
        read = SCHEMA.tables(compiled.ints, compiled.reals, model.y, self._work)
        self._commands, loads = signals(self.t, u, read)
        for tables in (model, self._slack):
            keep_signals(tables, self._commands, loads)

    def search(self, y: np.ndarray, pieces: int = 0) -> Found | None:
        """The stable equilibrium near y; or, from an equilibrium y, that under other commands, in so many pieces."""
        rest, state = self._compiled_rest, self._state(y)
        if rest is None:
            return None
        return rest.search(y, state.control.position if pieces else self._commands, self._commands, pieces)

    def border(self, y: np.ndarray, name: str) -> tuple[np.ndarray, Handle] | None:
        """Stiffness of hubs and prescribed points with all else following, and the place among them."""
        rest, state = self._compiled_rest, self._state(y)
        if rest is None:
            return None
        stiffness, ends = rest.stiffness(y, state.control.position)
        known = self._handles(state)
        if known.number_of(name) < 0:
            return stiffness, known.free(name, rotations(state.hub.turn))
        pulls = known.pulls(ends, self.points)
        return stiffness, known.prescribed(name, self._points(state), pulls)

    def keep(self, y: np.ndarray) -> None:
        """Tell what state was made of the equilibrium that `search` has just found."""
        if self._compiled_rest is not None:
            self._compiled_rest.keep(y)

    # --- shape --------------------------------------------------------------------------------------------------------
    def _places(self, state: Tables) -> np.ndarray:
        """Where all nodes are, joined ends at their points, (nodes, 3)."""
        x: np.ndarray = state.node.position.copy()
        points, hubs = self._points(state), state.hub.position
        R = rotations(state.hub.turn)
        for c, side in np.ndindex(self._ends.shape):
            hub, node = self._end_hub[c, side], self._ends[c, side]
            if hub < 0:
                x[node] = points[self._end_point[c, side]]
            else:
                x[node] = hubs[hub] + (R[hub] @ self._offset[c, side] if self._block == 6 else 0.0)
        return x

    def _points(self, state: Tables) -> np.ndarray:
        """Where all prescribed points are, (points, 3)."""
        points: np.ndarray = state.place.position.copy()
        places, driven = state.control.position, state.command.point
        points[driven[driven >= 0]] = places[driven >= 0]
        for k in np.flatnonzero(state.owner.frame >= 0):
            body = state.owner.frame[k]
            R = rotations(of_angles(places[state.carrier.angles[body]]))[0]
            points[k] = places[state.carrier.place[body]] + R @ state.place.position[k]
        return points

    def _clamps(self, state: Tables) -> np.ndarray:
        """Directions of the clamps among the places that bend, (turns, 3), turned with the bodies they are on."""
        directions, owner = self._turns.clamp.copy(), state.owner.frame
        for i, point in enumerate(self._turns.point):
            if point >= 0 and owner[point] >= 0:
                angles = state.control.position[state.carrier.angles[owner[point]]]
                directions[i] = rotations(of_angles(angles))[0] @ directions[i]
        return directions

    def _moves(self, state: Tables, points: bool = False) -> sp.csr_matrix:
        """How all nodes move with the degrees of freedom, (3 nodes, size).

        points: behind the degrees of freedom six moves of each prescribed point, behind the nodes the points' turns.
        """
        rows = [3 * self._inner[:, None] + np.arange(3)]
        columns = [np.arange(3 * len(self._inner)).reshape(-1, 3)]
        values: list[np.ndarray] = [np.ones((len(self._inner), 3))]
        R = rotations(state.hub.turn)
        first = 3 * len(self._inner)
        across = np.arange(3)
        for c, side in np.ndindex(self._ends.shape):
            hub, node = self._end_hub[c, side], self._ends[c, side]
            if hub < 0:
                if points:
                    rows.append(3 * node + across)
                    columns.append(self.size + 6 * self._end_point[c, side] + across)
                    values.append(np.ones(3))
                continue
            jacobian = np.eye(3)
            if self._block == 6:
                jacobian = np.hstack([jacobian, -R[hub] @ skew(self._offset[c, side])])
            i, j = np.indices(jacobian.shape)
            rows.append(3 * node + i)
            columns.append(first + self._block * hub + j)
            values.append(jacobian)
        count = self._model.points if points else 0
        each = 3 * np.arange(count)[:, None]
        rows.append(3 * self._nodes + each + across)
        columns.append(self.size + 2 * each + 3 + across)
        values.append(np.ones((count, 3)))
        flat = [np.concatenate([np.ravel(part) for part in parts]) for parts in (values, rows, columns)]
        shape = (3 * (self._nodes + count), self.size + 6 * count)
        return sp.csr_matrix((flat[0], (flat[1], flat[2])), shape=shape)

    def _elements(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Direction (n, 3) and length (n,) of all elements."""
        d = places[self._springs.nodes[:, 1]] - places[self._springs.nodes[:, 0]]
        span = np.linalg.norm(d, axis=1)
        return d / span[:, None], span

    def _pulls(self, state: Tables, span: np.ndarray, quick: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Tension [N] at the lengths `span` (n,) and its slope [N/m], under slow loads or under `quick` ones."""
        if not state.ropes:
            return self._springs.tension(span)
        tension, slow, fast = np.zeros((3, len(span)))
        rest_pulls(span, state.y, state.ints, state.reals, self._work, tension, slow, fast)
        return tension, fast if quick else slow

    # --- forces -------------------------------------------------------------------------------------------------------
    def _rows(self, y: np.ndarray, places: np.ndarray, sticking: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Loads on all nodes (nodes, 3) and on the hubs themselves (hubs, block); masses stay in `work`."""
        state = self._tables(y.copy())
        state.node.position, state.node.velocity = places, 0.0
        state.hold.attached = 0.0  # the nodes are where they are said to be
        ends = self._ends - np.arange(len(self._ends))[:, None] - np.array([0, 1])
        state.hold.pull = np.maximum(0.0, state.spring.tension[ends]).ravel()
        slack = self._slack
        slack.sea.bed_friction = self._friction if sticking else 0.0
        slack.block("motion")[:] = 0.0
        slack.motion.position = self._commands
        static_rows(self.t, state.y, self._inputs, slack.ints, slack.reals, self._work)
        return slack.row.r.copy(), self._of_hubs(slack.balance.force, slack.balance.torque)

    def _of_hubs(self, linear: np.ndarray, angular: np.ndarray) -> np.ndarray:
        """What belongs to the degrees of freedom of the hubs, (hubs, block)."""
        return np.hstack([linear, angular])[:, : self._block]

    def loads(self, y: np.ndarray) -> np.ndarray:
        """Weight, buoyancy, current, seabed and point loads on every degree of freedom, (size,); of floaters by
        coefficients the weight, which their buoyancy balances."""
        state = self._state(y)
        nodes, hubs = self._rows(y, self._places(state))
        hubs[state.floater.hub, 2] = -state.hull.mass * float(state.sea.gravity)
        return self._gathered(state, nodes, hubs)

    def _gathered(self, state: Tables, nodes: np.ndarray, hubs: np.ndarray) -> np.ndarray:
        """Forces on nodes and hubs as forces on the degrees of freedom."""
        total: np.ndarray = self._moves(state).T @ nodes.ravel()
        total[3 * len(self._inner) :] += hubs.ravel()
        return total

    def _balance(self, y: np.ndarray, tension: np.ndarray | None) -> np.ndarray:
        """All forces on the degrees of freedom; tensions as given, or those of the stretch."""
        state = self._state(y)
        return self._gathered(state, *self._forces(y, state, tension))

    def _forces(self, y: np.ndarray, state: Tables, tension: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """All forces on nodes (nodes, 3), and those on the hubs themselves (hubs, block)."""
        places = self._places(state)
        axis, span = self._elements(places)
        nodes, hubs = self._rows(y, places)
        if tension is None:
            tension = self._pulls(state, span)[0]
        pull = tension[:, None] * axis
        curved = bent(self._turns, self._clamps(state), axis, span)
        for side in range(2):
            e = self._turns.elements[:, side]
            np.add.at(pull, e[e >= 0], -curved.force[e >= 0, side])
        np.add.at(nodes, self._springs.nodes[:, 0], pull)
        np.add.at(nodes, self._springs.nodes[:, 1], -pull)
        return nodes, hubs

    def residual(self, y: np.ndarray) -> np.ndarray:
        """Force left over on every degree of freedom, tensions from the stretch as it is, (size,)."""
        return self._balance(y, None)

    def imbalance(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Force left over under the kept tensions, (size,), and how far the stretch is from these, (elements,) [m]."""
        state = self._state(y)
        _, span = self._elements(self._places(state))
        tension, slope = self._pulls(state, span)
        stiff = np.where(slope > 0, slope, self._springs.stiffness / self._springs.length)
        kept = state.spring.tension[self._springs.number]
        return self._balance(y, kept), (tension - kept) / stiff

    def stress(self, y: np.ndarray) -> float:
        """Largest kept tension [N]."""
        return float(np.abs(self._state(y).spring.tension[self._springs.number]).max(initial=0.0))

    # --- stiffness and mass -------------------------------------------------------------------------------------------
    def tangent(self, y: np.ndarray, sticking: bool = False) -> sp.csc_matrix:
        """Stiffness −∂residual/∂x with the string stiffness of the kept tensions, (size, size).

        `sticking`: about a state that has settled, where ropes have their stiffness under quick loads.
        """
        return self._stiffness(y, sticking, False)

    def bordered_tangent(self, y: np.ndarray) -> sp.csc_matrix:
        """The same with six moves of each prescribed point behind x."""
        return self._stiffness(y, False, True)

    def _stiffness(self, y: np.ndarray, sticking: bool, points: bool) -> sp.csc_matrix:
        state = self._state(y)
        places = self._places(state)
        axis, span = self._elements(places)
        _, slope = self._pulls(state, span, quick=sticking)
        along = np.einsum("ni,nj->nij", axis, axis)
        kept = state.spring.tension[self._springs.number]
        block = slope[:, None, None] * along + (kept / span)[:, None, None] * (np.eye(3) - along)
        parts = Blocks(self._nodes + (state.points if points else 0))
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
        total = moves.T @ parts.assembled() @ moves
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

    def _hub_stiffness(self, y: np.ndarray, state: Tables, places: np.ndarray, points: bool) -> sp.csc_matrix:
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
            R = rotations(state.hub.turn)
            kept = state.spring.tension[self._springs.number]
            forces = self._forces(y, state, kept)[0]
            for c, side in np.ndindex(self._ends.shape):
                hub = self._end_hub[c, side]
                if hub >= 0:
                    force = R[hub].T @ forces[self._ends[c, side]]
                    blocks[hub, 3:, 3:] -= skew(self._offset[c, side]) @ skew(force)
        still = sp.csc_matrix((3 * len(self._inner), 3 * len(self._inner)))
        held = 6 * state.points if points else 0
        hubs = sp.block_diag(blocks, format="csc") + sp.csc_matrix(apart.reshape(n * b, n * b)) if n else still[:0, :0]
        return sp.block_diag([still, hubs, sp.csc_matrix((held, held))], format="csc")

    def _handles(self, state: Tables) -> Handles:
        return Handles(
            self._compiled.system, self.size, state.seen.place, self._end_point, state.cable.reversed,
            state.owner.frame, 3 * len(self._inner), self._block,
        )  # fmt: skip

    def handle(self, y: np.ndarray, name: str) -> Handle:
        """How the system is taken hold of at the place of that name."""
        state = self._state(y)
        known = self._handles(state)
        if known.number_of(name) < 0:
            return known.free(name, rotations(state.hub.turn))
        forces = self._forces(y, state, None)[0].ravel()
        pulls = (self._moves(state, True)[: 3 * self._nodes].T @ forces)[self.size :].reshape(-1, 6)
        return known.prescribed(name, self._points(state), pulls)

    def mass(self, y: np.ndarray) -> sp.csc_matrix:
        """Mass matrix with added mass, (size, size)."""
        state = self._state(y)
        self._rows(y, self._places(state))
        row = self._model.row
        parts = Blocks(self._nodes)
        everyone = np.arange(self._nodes)
        parts.add(everyone, everyone, row.D[:, [0, 1, 2, 1, 3, 4, 2, 4, 5]].reshape(-1, 3, 3))
        one, two = self._springs.nodes.T
        across = row.A[one].reshape(-1, 3, 3)
        parts.add(one, two, across)
        parts.add(two, one, across.transpose(0, 2, 1))
        blocks = self._model.matrix.number.reshape(-1, self._block, self._block)
        still = sp.csc_matrix((3 * len(self._inner), 3 * len(self._inner)))
        moves = self._moves(state)
        hubs = hub_matrix(blocks, self._hubs, self._model)
        return (moves.T @ parts.assembled() @ moves + sp.block_diag([still, hubs], format="csc")).tocsc()

    @property
    def has_water(self) -> bool:
        """Whether there are floaters whose water weighs more or less with the frequency."""
        return bool(self._model.memories > 0)

    @property
    def floaters(self) -> dict[str, int]:
        """The first of the six degrees of freedom of each floater."""
        names = self._compiled._hub_names
        return {names[h]: 3 * len(self._inner) + self._block * h for h in self._model.floater.hub}

    def water_mass(self, y: np.ndarray, omega: float) -> sp.csc_matrix:
        """What the water about floaters weighs more at ω [rad/s] than in `mass`, (size, size)."""
        state = self._state(y)
        still = sp.csc_matrix((3 * len(self._inner), 3 * len(self._inner)))
        return sp.block_diag([still, water_mass(state, state.hub, self._hubs, omega)], format="csc")

    # --- states -------------------------------------------------------------------------------------------------------
    def placed(self, y: np.ndarray) -> np.ndarray:
        """The state at rest, with prescribed points where they are commanded to be."""
        y = self._moved(y, None, None)
        control = self._tables(y).control
        control.position, control.velocity = self._commands, 0.0
        return self._joined(y)

    def displaced(self, y: np.ndarray, dx: np.ndarray, share: float = 1.0) -> np.ndarray:
        """The state at rest after `share` of a step dx (size,) of the masses and of the tensions with it."""
        state = self._state(y)
        axis, span = self._elements(self._places(state))
        tension, slope = self._pulls(state, span)
        moves = (self._moves(state) @ dx).reshape(-1, 3)
        stretch = np.einsum("ni,ni->n", axis, moves[self._springs.nodes[:, 1]] - moves[self._springs.nodes[:, 0]])
        inner = 3 * len(self._inner)
        y = self._moved(y, share * dx[:inner].reshape(-1, 3), share * dx[inner:].reshape(-1, self._block))
        kept = self._tables(y).spring.tension
        now = kept[self._springs.number]
        kept[self._springs.number] = now + share * (tension + slope * stretch - now)
        return self._joined(y)

    def _moved(self, y: np.ndarray, inner: np.ndarray | None, hubs: np.ndarray | None) -> np.ndarray:
        """All at rest, inner nodes (n, 3) and hubs (n, block) moved; tensions as they were."""
        state = self._tables(y.copy())
        state.node.velocity = state.hub.velocity = state.hub.spin = 0.0
        if inner is not None:
            state.node.position[self._inner] += inner
        if hubs is not None:
            state.hub.position += hubs[:, :3]
            if self._block == 6:
                state.hub.turn = turned(state.hub.turn, hubs[:, 3:])
        return state.y

    def _joined(self, y: np.ndarray) -> np.ndarray:
        """Joined ends at their points."""
        state = self._state(y)
        state.node.position = self._places(state)
        return y

    def speeds(self, y: np.ndarray) -> np.ndarray:
        """Rates of the degrees of freedom in a state that moves, (size,)."""
        state = self._state(y)
        hubs = self._of_hubs(state.hub.velocity, state.hub.spin)
        return np.concatenate([state.node.velocity[self._inner].ravel(), hubs.ravel()])

    def relax(self, y: np.ndarray, n: int, h: float) -> bool:
        """n steps of size h [s] in place, time standing still, friction and releases off; False when it went wrong."""
        model, nothing = self._model, np.empty(0)
        largest = self._tables(y).creep.most.copy()
        status = self._compiled.entry(
            self.t, y, n, h, self._inputs, model.ints, model.reals, model.work, SEMI_IMPLICIT, nothing, nothing
        )
        self._tables(y).creep.most = largest  # whatever it swings through
        return bool(status == OK and np.isfinite(y).all())

    def settled(self, y: np.ndarray) -> np.ndarray:
        """The state as a run starts from it: tensions of the stretch, friction unstrained, ledgers at zero."""
        y = self._joined(self._moved(y, None, None))
        state = self._state(y)
        places, springs = state.node.position, self._springs
        state.spring.tension[springs.number] = self._pulls(state, self._elements(places)[1])[0]
        if state.ropes:
            rest_memory(state.spring.tension.copy(), y, state.ints, state.reals, self._work)
        state.slack.since, state.slack.rise, state.slack.most = -1.0, 0.0, 0.0
        held = state.grip.normal_force < 0.0
        state.hold.pull = 0.0
        state.block("ledger")[:] = state.block("grip")[:] = 0.0
        settle_floaters(state, state.hub)
        if self._friction > 0.0:
            state.grip.anchor, state.grip.normal_force = places, self._pressed(places)
        state.grip.anchor[held], state.grip.normal_force[held] = 0.0, HELD
        return y

    def hubs_moved(self, y: np.ndarray, dx: np.ndarray) -> np.ndarray:
        """The state at rest with the hubs moved by what dx (size,) says of them, and nothing else."""
        return self._moved(y, None, dx[3 * len(self._inner) :].reshape(-1, self._block))

    def bonds(self, y: np.ndarray) -> Bonds:
        """The bonds of all joints between bodies in a state at rest."""
        state = self._state(y.copy())
        n, first = state.bonds, 3 * len(self._inner)
        value, rows, force = np.zeros(n), np.zeros((n, self.size)), np.zeros(n)
        own = np.zeros((n, self.size - first))
        rest_bonds(state.y, state.ints, state.reals, self._work, value, own, force)
        rows[:, first:] = own
        return Bonds(value, rows, np.isin(state.bond.form, (HELD_ALONG, HELD_ABOUT)), force)

    def _pressed(self, places: np.ndarray) -> np.ndarray:
        """Force with which each node presses on the bed, (nodes,) [N]."""
        element, number, one = self._model.element, self._springs.number, self._springs.nodes[:, 0]
        stiffness, radius = np.zeros(self._nodes), np.zeros(self._nodes)
        for node in (one, one + 1):
            np.add.at(stiffness, node, element.bed_stiffness[number])
            np.maximum.at(radius, node, element.radius[number])
        sea = self._model.reals
        gaps = bed_gaps(places, radius, sea)
        return np.asarray(stiffness * np.maximum(0.0, -gaps))

    def place(self, i: int) -> str:
        """What a degree of freedom belongs to, for people."""
        inner = 3 * len(self._inner)
        if i >= inner:
            return self._compiled.hub_name((i - inner) // self._block)
        node = int(self._inner[i // 3])
        cable = int(np.searchsorted(self._ends[:, 0], node, side="right")) - 1
        return self._compiled.place_name(cable, node - int(self._ends[cable, 0]))
