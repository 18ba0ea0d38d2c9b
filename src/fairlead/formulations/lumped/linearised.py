"""The point masses at rest, for statics and modes: steps towards an equilibrium, states and handles.

The tensions kept in the state are unknowns of their own beside the shape: a step of Newton's method moves both. The
string stiffness comes from them, never from the stretch, so a sideways step δ costs an imbalance Tδ²/L and not
EA·δ²/L², and stiff cables are as easy as soft ones.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from fairlead.algebra.bordered_band import room
from fairlead.formulations.compiled_rest import LARGEST_BORDER, CompiledRest
from fairlead.formulations.contract import Bonds
from fairlead.model.anchors import HELD
from fairlead.rigging.floater_rest import settle_floaters
from fairlead.rigging.joints import HELD_ABOUT, HELD_ALONG

from .rest_stiffness import RestStiffness
from .schema import is_plain
from .static_rows import rest_bonds, rest_memory


class LinearisedLumped(RestStiffness):
    """See `fairlead.formulations.contract.Linearised`."""

    @cached_property
    def _compiled_rest(self) -> CompiledRest | None:
        """The same in compiled code; None where winches or very many points are more than it carries."""
        model = self._model
        hubs, points = self._block * self._hubs, model.points
        if model.winches or not model.cables or hubs + 6 * points > LARGEST_BORDER:
            return None
        from .settling import find_rest, find_rest_rigged

        sites = np.where(self._end_hub >= 0, self._block * self._end_hub, hubs + 6 * self._end_point)
        width = 8 if model.cable.bends.any() else 5
        matrix = room(3 * (model.cable.count - 1), sites, width, self._hubs, self._block, points)
        arrays = (model.ints, model.reals, self._slack.reals, self._work)
        scratch = (np.zeros((points, 7)), np.zeros((self._nodes, 3)))
        return self._searched_by(find_rest if is_plain(model) else find_rest_rigged, arrays, scratch, matrix)

    def _pulls_on_points(self, y: np.ndarray) -> np.ndarray:
        state = self._state(y)
        forces = self._forces(y, state, None)[0].ravel()
        moves = self._moves(state, True)[: 3 * self._nodes]
        return np.asarray((moves.T @ forces)[self.size :].reshape(-1, 6))

    def placed(self, y: np.ndarray) -> np.ndarray:
        """The state at rest, with prescribed points where they are commanded to be."""
        y = self._moved(y, None, None)
        control = self._tables(y).controls
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

    def settled(self, y: np.ndarray) -> np.ndarray:
        """The state as a run starts from it: tensions of the stretch, friction unstrained, ledgers at zero.

        Wakes keep their phases alone: what they have seen of a motion was the way to rest.
        """
        y = self._joined(self._moved(y, None, None))
        state = self._state(y)
        places, springs = state.node.position, self._springs
        state.spring.tension[springs.number] = self._pulls(state, self._elements(places)[1])[0]
        if state.ropes:
            rest_memory(state.spring.tension.copy(), y, state.ints, state.reals, self._work)
        state.shed.velocity = state.shed.since = state.shed.across2 = state.shed.turning2 = 0.0
        state.slack.since, state.slack.rise, state.slack.most = -1.0, 0.0, 0.0
        held = state.grip.normal_force < 0.0
        state.hold.pull = 0.0
        state.block("ledger")[:] = state.block("grip")[:] = 0.0
        settle_floaters(state, state.hub_state)
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
