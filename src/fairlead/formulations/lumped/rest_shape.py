"""The point masses held still: their arrays, where everything is, and how it moves with the degrees of freedom.

Degrees of freedom are global displacements (3) of the inner nodes of all cables, then of the hubs; a free body adds a
turn about its own axes (3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fairlead.algebra.records import Tables
from fairlead.algebra.sparse import of_entries
from fairlead.algebra.turns import rotations, skew, turned
from fairlead.formulations.contract import TURN, UnsupportedSystem
from fairlead.formulations.held_still import HubsAtRest
from fairlead.rigging.rope_rows import NO_ROPE
from fairlead.rigging.stillness import prescribed_places

from .commands import signals_at, unfolded
from .rest import springs_of, turns_of
from .schema import DAMPED, SCHEMA
from .step import RANGE

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

    from .compiled_lumped import CompiledLumped


class RestShape(HubsAtRest):
    """A system in which time stands still, and its shape."""

    def __init__(self, compiled: CompiledLumped, t: float, u: np.ndarray) -> None:
        super().__init__(compiled, t)
        self._compiled = compiled
        self._still(compiled, u)
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

    def _still(self, compiled: CompiledLumped, u: np.ndarray) -> None:
        """Let time stand still in the compiled arrays and in a copy: no motion, no release, no friction.

        One has all the damping that the scheme can give, for `relax`; the other neither springs nor bending.
        """
        y = compiled.initial_state()
        unfolded(y, self._ints, self._reals, self._work)
        model = self._model = self._tables(y)
        self._calm(model.sea)
        self._stand_still(u, signals_at, model)
        model.end.release_time = model.end.release_tension = np.inf
        model.controller.kind = model.wake.lift = 0.0
        model.winch.rows = 0
        model.settings.theta = 1.0
        model.hull.rate = np.inf
        self._ints[SCHEMA.head["geometric"]] = DAMPED
        self._inputs = compiled.initial_inputs()
        self._slack = SCHEMA.tables(self._ints, self._reals.copy(), y, self._work)
        self._slack.element.stiffness = self._slack.element.bending = 0.0
        self._slack.element.rope = NO_ROPE
        model.rope.slow_damping = 0.0  # at rest whatever creeps has crept

    def _take(self, u: np.ndarray) -> None:
        self._stand_still(u, signals_at, self._model, self._slack)

    @staticmethod
    def _lengths_of(tables: Tables) -> np.ndarray:
        """Lengths and counts on the winches, (winches, 2)."""
        return np.stack([tables.drum.first_length, tables.drum.count], axis=1)

    def _state(self, y: np.ndarray) -> Tables:
        state = self._tables(y)
        if not state.hold.attached.all():
            raise UnsupportedSystem(
                "statics and modes need every cable end joined; an end was released before this state; use the state "
                "at the start, or formulation: bars"
            )
        if self._lengths.size and not np.array_equal(self._lengths_of(state), self._lengths):
            raise UnsupportedSystem(
                "statics and modes need cables as long as at the start, and a winch has paid out; give the length of "
                "this moment in the file"
            )
        return state

    def _places(self, state: Tables) -> np.ndarray:
        """Where all nodes are, joined ends at their points, (nodes, 3)."""
        x: np.ndarray = state.node.position.copy()
        points, hubs = prescribed_places(state, state.controls.position)[0], state.hub_state.position
        R = rotations(state.hub_state.turn)
        for c, side in np.ndindex(self._ends.shape):
            hub, node = self._end_hub[c, side], self._ends[c, side]
            if hub < 0:
                x[node] = points[self._end_point[c, side]]
            else:
                x[node] = hubs[hub] + (R[hub] @ self._offset[c, side] if self._block == 6 else 0.0)
        return x

    def _clamps(self, state: Tables) -> np.ndarray:
        """Directions of the clamps among the places that bend, (turns, 3), turned with the bodies they are on."""
        directions, turns = self._turns.clamp.copy(), prescribed_places(state, state.controls.position)[1]
        for i, point in enumerate(self._turns.point):
            if point >= 0 and state.owner.frame[point] >= 0:
                directions[i] = rotations(turns[point])[0] @ directions[i]
        return directions

    def _moves(self, state: Tables, points: bool = False) -> csc_matrix:
        """How all nodes move with the degrees of freedom, (3 nodes, size).

        points: behind the degrees of freedom six moves of each prescribed point, behind the nodes the points' turns.
        """
        rows = [3 * self._inner[:, None] + np.arange(3)]
        columns = [np.arange(3 * len(self._inner)).reshape(-1, 3)]
        values: list[np.ndarray] = [np.ones((len(self._inner), 3))]
        R = rotations(state.hub_state.turn)
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
        numbers, i, j = (np.concatenate([np.ravel(part) for part in parts]) for parts in (values, rows, columns))
        return of_entries(numbers, i, j, (3 * (self._nodes + count), self.size + 6 * count))

    def _elements(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Direction (n, 3) and length (n,) of all elements."""
        d = places[self._springs.nodes[:, 1]] - places[self._springs.nodes[:, 0]]
        span = np.linalg.norm(d, axis=1)
        return d / span[:, None], span

    def _moved(self, y: np.ndarray, inner: np.ndarray | None, hubs: np.ndarray | None) -> np.ndarray:
        """All at rest, inner nodes (n, 3) and hubs (n, block) moved; tensions as they were."""
        state = self._tables(y.copy())
        state.node.velocity = state.hub_state.velocity = state.hub_state.spin = 0.0
        if inner is not None:
            state.node.position[self._inner] += inner
        if hubs is not None:
            state.hub_state.position += hubs[:, :3]
            if self._block == 6:
                state.hub_state.turn = turned(state.hub_state.turn, hubs[:, 3:])
        return state.y

    def _joined(self, y: np.ndarray) -> np.ndarray:
        """Joined ends at their points."""
        state = self._state(y)
        state.node.position = self._places(state)
        return y

    def speeds(self, y: np.ndarray) -> np.ndarray:
        """Rates of the degrees of freedom in a state that moves, (size,)."""
        state = self._state(y)
        hubs = self._of_hubs(state.hub_state.velocity, state.hub_state.spin)
        return np.concatenate([state.node.velocity[self._inner].ravel(), hubs.ravel()])

    def _of_hubs(self, linear: np.ndarray, angular: np.ndarray) -> np.ndarray:
        """What belongs to the degrees of freedom of the hubs, (hubs, block)."""
        return np.hstack([linear, angular])[:, : self._block]

    def place(self, i: int) -> str:
        """What a degree of freedom belongs to, for people."""
        inner = 3 * len(self._inner)
        if i >= inner:
            return self._compiled.hub_name((i - inner) // self._block)
        node = int(self._inner[i // 3])
        cable = int(np.searchsorted(self._ends[:, 0], node, side="right")) - 1
        return self._compiled.places(RANGE)[cable][node - int(self._ends[cable, 0])]
