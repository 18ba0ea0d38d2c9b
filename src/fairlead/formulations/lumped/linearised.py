"""The point masses held still, for statics and modes: their arrays, degrees of freedom, states and handles.

Degrees of freedom are global displacements (3) of the inner nodes of all cables, then of the hubs; a free body adds a
turn about its own axes (3). Forces are those of `still`, stiffness that of `tangent`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fairlead.algebra.bordered_band import room
from fairlead.algebra.newton import TURN
from fairlead.algebra.records import Tables
from fairlead.algebra.sparse import block_diagonal, zeros
from fairlead.algebra.turns import turned
from fairlead.formulations.contract import Bonds, UnsupportedSystem
from fairlead.formulations.held_still import HubsAtRest
from fairlead.model.anchors import HELD
from fairlead.rigging.compiled_rest import CompiledRest
from fairlead.rigging.floater_rest import hub_matrix, settle_floaters
from fairlead.rigging.joints import HELD_ABOUT, HELD_ALONG
from fairlead.rigging.rope_rows import NO_ROPE
from fairlead.rigging.settling import MASS
from fairlead.rigging.sliding import drag_feet, dragged
from fairlead.sea.water import bed_gaps

from .at_rest import rest_bonds, rest_memory, signals_at, unfolded
from .first_steps import forget_steps
from .schema import DAMPED, SCHEMA, is_plain
from .step import RANGE

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

    from .compiled_lumped import CompiledLumped

DRAWN = 1e-5
"""Strain of what is drawn out."""


class LinearisedLumped(HubsAtRest):
    """See `fairlead.formulations.contract.Linearised`."""

    slides = True

    def __init__(self, compiled: CompiledLumped, t: float, u: np.ndarray) -> None:
        super().__init__(compiled, t)
        self._compiled = compiled
        self._still(compiled, u)
        model = self._model
        self._lengths = self._lengths_of(compiled.tables(compiled.initial_state()))
        self._hubs, self._block = model.hubs, model.hub_size
        self.points = model.points
        starts = model.cable.first + np.arange(model.cables)
        self._ends = np.stack([starts, starts + model.cable.count], axis=1)
        none = np.zeros(0, dtype=int)
        self._inner = np.concatenate([none, *(np.arange(a + 1, b) for a, b in self._ends)])
        self._paid_out = np.concatenate([none, *(np.arange(a - c, b - c) for c, (a, b) in enumerate(self._ends))])
        """Elements that are paid out."""
        self._end_point = model.joint.point.reshape(-1, 2)
        self.size = 3 * len(self._inner) + self._block * self._hubs
        body = np.arange(self._block)
        arm = float(model.element.length[self._paid_out].mean()) if len(self._paid_out) else 1.0
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
        model.settings.theta, model.settings.second_order = 1.0, 0.0
        model.hull.rate = np.inf
        self._ints[SCHEMA.head["geometric"]] = DAMPED
        self._inputs = compiled.initial_inputs()
        self._loaded = SCHEMA.tables(self._ints, self._reals.copy(), y, self._work)
        self._loaded.element.stiffness = self._loaded.element.bending = 0.0
        self._loaded.element.rope = NO_ROPE
        model.rope.slow_damping = 0.0  # at rest whatever creeps has crept

    def _take(self, u: np.ndarray) -> None:
        self._stand_still(u, signals_at, self._model, self._loaded)

    @cached_property
    def _rest(self) -> CompiledRest:
        from .settling import find_rest, find_rest_rigged

        model, hub = self._model, self._model.joint.hub.reshape(-1, 2)
        sites = np.where(hub >= 0, self._block * hub, self._block * self._hubs + 6 * self._end_point)
        width = 8 if model.cable.bends.any() else 5
        rows, narrow = 3 * (model.cable.count - 1), self._is_narrow(model)
        matrix = room(rows, sites, width, self._hubs, self._block, model.points, narrow)
        arrays = (model.ints, model.reals, self._loaded.reals, self._work, self._slide)
        scratch = (np.zeros((model.points, 7)), np.zeros(model.elements), np.zeros((model.nodes, 3)))
        return self._searched_by(find_rest if is_plain(model) else find_rest_rigged, arrays, scratch, matrix)

    # --- states -------------------------------------------------------------------------------------------------------
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

    def speeds(self, y: np.ndarray) -> np.ndarray:
        """Rates of the degrees of freedom in a state that moves, (size,)."""
        state = self._state(y)
        hubs = np.hstack([state.hub_state.velocity, state.hub_state.spin])[:, : self._block]
        return np.concatenate([state.node.velocity[self._inner].ravel(), hubs.ravel()])

    def settled(self, y: np.ndarray) -> np.ndarray:
        """The state as a run starts from it: tensions of the stretch, friction unstrained, ledgers at zero.

        Wakes keep their phases alone: what they have seen of a motion was the way to rest.
        """
        state = self._state(self._rest.remembered(y, self._state(y).controls.position))
        if state.ropes:
            rest_memory(state.spring.tension.copy(), state.y, state.ints, state.reals, self._work)
        state.shed.velocity = state.shed.since = state.shed.across2 = state.shed.turning2 = 0.0
        state.slack.since, state.slack.rise, state.slack.most, state.slack.loose = -1.0, 0.0, 0.0, 0.0
        held = state.grip.normal_force < 0.0
        forget_steps(state)
        for table in ("ledger", "grip", "standing"):
            state.block(table)[:] = 0.0
        state.standing.landed_at = -1.0
        settle_floaters(state, state.hub_state)
        if self._friction > 0.0:
            places = state.node.position
            presses, shear = self._pressed(places)
            if self._slide[0] > 0.0:
                places = dragged(self._slide, places, presses, shear, self._model.reals)
                drag_feet(state, self._slide)
            state.grip.anchor, state.grip.normal_force = places, presses
        state.grip.anchor[held], state.grip.normal_force[held] = 0.0, HELD
        return state.y

    def _pressed(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Force with which each node presses on the bed, (nodes,) [N], and the stiffness of its shear, (nodes,)."""
        element, number = self._model.element, self._paid_out
        first = number + np.repeat(np.arange(self._model.cables), self._model.cable.count)
        stiffness, radius, shear = np.zeros(len(places)), np.zeros(len(places)), np.zeros(len(places))
        for node in (first, first + 1):
            np.add.at(stiffness, node, element.bed_stiffness[number])
            np.add.at(shear, node, element.bed_shear[number])
            np.maximum.at(radius, node, element.radius[number])
        return stiffness * np.maximum(0.0, -bed_gaps(places, radius, self._model.reals)), shear

    def drawn(self, y: np.ndarray) -> np.ndarray:
        """The first shape of a search. What slides over the bed is drawn out slightly: slack elements have no stiffness
        by which Newton's method would find how hard they pull."""
        if self._slide[0] == 0.0:
            return y
        state = self._state(y.copy())
        origin = self._commands.mean(axis=0)
        for places in (state.node.position, state.hub_state.position):
            places[:, :2] += DRAWN * (places - origin)[:, :2]
        return self.placed(state.y)

    def thrust(self, y: np.ndarray) -> tuple[float, str]:
        """The largest thrust in an element [N] under the kept tensions, 0 where all pull, and where it is."""
        pushes = -self._state(y).spring.tension[self._paid_out]
        if not len(pushes):
            return 0.0, ""
        worst = int(pushes.argmax())
        return max(0.0, float(pushes[worst])), self._element_name(int(self._paid_out[worst]))

    def _element_name(self, e: int) -> str:
        """What people call an element."""
        cable = self._model.cable
        c = int(np.flatnonzero((cable.first <= e) & (e < cable.first + cable.count))[0])
        count, i = int(cable.count[c]), e - int(cable.first[c])
        number = count - i if cable.reversed[c] else i + 1
        return f"cable '{self._compiled.shape.cables[c]}', element {number} of {count}"

    def place(self, i: int) -> str:
        """What a degree of freedom belongs to, for people."""
        inner = 3 * len(self._inner)
        if i >= inner:
            return self._compiled.hub_name((i - inner) // self._block)
        node = int(self._inner[i // 3])
        cable = int(np.searchsorted(self._ends[:, 0], node, side="right")) - 1
        return self._compiled.places(RANGE)[cable][node - int(self._ends[cable, 0])]

    # --- mass and joints --------------------------------------------------------------------------------------------
    def mass(self, y: np.ndarray) -> csc_matrix:
        """Mass matrix with added mass, (size, size)."""
        cables = self._rest.matrix(MASS, y, self._state(y).controls.position)
        blocks = self._model.matrix.number.reshape(-1, self._block, self._block)
        return cables + block_diagonal([zeros(3 * len(self._inner)), hub_matrix(blocks, self._hubs, self._model)])

    def hubs_moved(self, y: np.ndarray, dx: np.ndarray) -> np.ndarray:
        """The state at rest with the hubs moved by what dx (size,) says of them, and nothing else."""
        state, moves = self._tables(y.copy()), dx[3 * len(self._inner) :].reshape(-1, self._block)
        state.node.velocity = state.hub_state.velocity = state.hub_state.spin = 0.0
        state.hub_state.position += moves[:, :3]
        if self._block == 6:
            state.hub_state.turn = turned(state.hub_state.turn, moves[:, 3:])
        return state.y

    def bonds(self, y: np.ndarray) -> Bonds:
        """The bonds of all joints between bodies in a state at rest."""
        state = self._state(y.copy())
        n, first = state.bonds, 3 * len(self._inner)
        value, rows, force = np.zeros(n), np.zeros((n, self.size)), np.zeros(n)
        own = np.zeros((n, self.size - first))
        rest_bonds(state.y, state.ints, state.reals, self._work, value, own, force)
        rows[:, first:] = own
        return Bonds(value, rows, np.isin(state.bond.form, (HELD_ALONG, HELD_ABOUT)), force)
