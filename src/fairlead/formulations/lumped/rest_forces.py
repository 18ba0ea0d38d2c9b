"""Forces on the point masses at rest: springs, bending and loads."""

from __future__ import annotations

import numpy as np

from fairlead.algebra.records import Tables
from fairlead.sea.water import bed_gaps

from .rest import bent
from .rest_shape import RestShape
from .static_rows import rest_pulls, static_rows


class RestForces(RestShape):
    """Forces on the nodes, the hubs and the degrees of freedom of a system held still."""

    def _pulls(self, state: Tables, span: np.ndarray, quick: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Tension [N] at the lengths `span` (n,) and its slope [N/m], under slow loads or under `quick` ones."""
        if not state.ropes:
            return self._springs.tension(span)
        tension, slow, fast = np.zeros((3, len(span)))
        rest_pulls(span, state.y, state.ints, state.reals, self._work, tension, slow, fast)
        return tension, fast if quick else slow

    def _rows(self, y: np.ndarray, places: np.ndarray, sticking: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Loads on all nodes (nodes, 3) and on the hubs themselves (hubs, block); masses stay in `work`."""
        state = self._tables(y.copy())
        state.node.position, state.node.velocity = places, 0.0
        state.hold.attached = 0.0  # the nodes are where they are said to be
        ends = self._ends - np.arange(len(self._ends))[:, None] - np.array([0, 1])
        state.hold.pull = np.maximum(0.0, state.spring.tension[ends]).ravel()
        slack = self._slack
        slack.sea.bed_friction = self._friction if sticking else 0.0
        slack.block("plan")[:] = 0.0
        slack.plan.position = self._commands
        static_rows(self.t, state.y, self._inputs, slack.ints, slack.reals, self._work)
        return slack.row.r.copy(), self._of_hubs(slack.balance.force, slack.balance.torque)

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
