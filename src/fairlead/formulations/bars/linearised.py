"""The bars held still, for statics and modes: their arrays, degrees of freedom and states.

Forces, stiffness and mass are those of `settling` and `tangent`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fairlead.algebra.bordered_band import room
from fairlead.algebra.newton import SPIN, TURN
from fairlead.algebra.records import Tables
from fairlead.algebra.sparse import block_diagonal, zeros
from fairlead.algebra.turns import rotations
from fairlead.formulations.held_still import HubsAtRest
from fairlead.model.anchors import HELD
from fairlead.rigging.compiled_rest import CompiledRest
from fairlead.rigging.floater_rest import hub_matrix, settle_floaters
from fairlead.rigging.settling import MASS
from fairlead.rigging.sliding import drag_feet, dragged
from fairlead.sea.water import bed_gaps

from .ropes import rest_memory
from .schema import DAMPED, RULE, SCHEMA, is_plain
from .signals import signals_at

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

    from .compiled_bars import CompiledBars


class LinearisedBars(HubsAtRest):
    """See `fairlead.formulations.contract.Linearised`."""

    _block = 6
    slides = True

    def __init__(self, compiled: CompiledBars, t: float, u: np.ndarray) -> None:
        super().__init__(compiled, t)
        self._compiled = compiled
        self._stiffness = joint_stiffness(compiled.tables(compiled._y0))
        self._still(compiled, u)
        fixed, cable = self._loaded, self._loaded.cable
        self.points = fixed.points
        self._end_point = np.stack([cable.start_point, cable.end_point], axis=1)
        bodies = fixed.bars + fixed.hubs
        self.size = 6 * bodies
        half = 0.5 * fixed.bar.length
        levers = np.ones((bodies, 6))
        levers[: fixed.bars, 3:] = half[:, None]
        levers[fixed.bars :, 3:] = half.mean()
        self.levers = levers.ravel()
        kinds = np.tile([0, 1, 2, TURN, TURN, SPIN], (bodies, 1))
        kinds[fixed.bars :, 5] = TURN
        self.kinds = kinds.ravel()

    def _still(self, compiled: CompiledBars, u: np.ndarray) -> None:
        """Let time stand still in the compiled arrays: no motion, no waves, no release, no friction.

        Its steps follow the rule with all the damping that the scheme can give. Joints push as they pull: what would go
        slack falls over, where it would collapse along its own line.
        """
        fixed = self._loaded = self._tables(compiled._y0)
        self._calm(fixed.sea)
        self._take(u)
        fixed.end.release_time = fixed.end.release_tension = np.inf
        fixed.controller.kind = 0.0
        fixed.winch.rows = 0
        fixed.settings.theta = 1.0
        fixed.rope.slow_damping = 0.0  # at rest whatever creeps has crept
        fixed.hull.rate = np.inf
        fixed.joint.one_way = self._ints[SCHEMA.head["loosens"]] = 0
        self._ints[SCHEMA.head["tuning"]], self._ints[SCHEMA.head["geometric"]] = RULE, DAMPED
        self._ints[SCHEMA.head["second"]] = 0
        self._inputs = np.full_like(u, np.nan)

    def _take(self, u: np.ndarray) -> None:
        self._stand_still(u, signals_at, self._loaded)

    @cached_property
    def _rest(self) -> CompiledRest:
        from .settling import find_rest, find_rest_rigged

        fixed, cable, stiffness = self._loaded, self._loaded.cable, self._stiffness
        held = np.stack([cable.start_hub, cable.end_hub], axis=1)
        sites = np.where(held >= 0, 6 * held, 6 * fixed.hubs + 6 * self._end_point)
        matrix = room(6 * cable.allotted_count, sites, 11, fixed.hubs, 6, fixed.points, self._is_narrow(fixed))
        first = cable.first + np.arange(fixed.cables)
        joints = np.stack([first, first + cable.count], axis=1)
        fast = (stiffness[joints, 1:] > 0).any(axis=2) | (fixed.end.lever.reshape(-1, 2, 3) != 0).any(axis=2)
        loose = np.ones(fixed.hubs, dtype=np.int64)  # without clamp and lever: they may spin for ever, nobody notices
        loose[held[fast & (held >= 0)]] = 0
        spare = np.full(fixed.bars, stiffness[:, 0].max(initial=0.0))  # line that is still on a winch stays there
        for a, count in zip(cable.first, cable.count, strict=True):
            spare[a : a + count] = 0.0
        bodies = (fixed.bars + fixed.hubs, 6)
        arrays = (self._ints, self._reals, self._work, stiffness, loose, spare, self._slide)
        scratch = (np.zeros((fixed.points, 7)), np.zeros((fixed.joints, 3)), *(np.zeros(bodies) for _ in range(3)))
        return self._searched_by(find_rest if is_plain(fixed) else find_rest_rigged, arrays, scratch, matrix)

    def _is_carried(self, state: Tables) -> bool:
        """The same, and every end of a cable is joined to its point."""
        return super()._is_carried(state) and bool(state.attached.joined.all())

    def mass(self, y: np.ndarray) -> csc_matrix:
        """Mass matrix with added mass, (size, size), block diagonal; zero for massless hubs."""
        fixed, found = self._loaded, self._rest.matrix(MASS, y, self._tables(y).controls.position)
        if not fixed.floaters:
            return found
        afloat = hub_matrix(fixed.block("matrix").reshape(-1, 6, 6), fixed.hubs, fixed)
        return found + block_diagonal([zeros(6 * fixed.bars), afloat])

    # --- states -------------------------------------------------------------------------------------------------------
    def placed(self, y: np.ndarray) -> np.ndarray:
        return super().placed(self._of_unit_turns(y))

    def _of_unit_turns(self, y: np.ndarray) -> np.ndarray:
        """The state with quaternions of unit length."""
        state = self._tables(y.copy())
        for body in (state.bar_state, state.hub_state):
            body.turn /= np.linalg.norm(body.turn, axis=1, keepdims=True)
        return state.y

    def speeds(self, y: np.ndarray) -> np.ndarray:
        """Rates of the degrees of freedom in a state that moves, (size,)."""
        state = self._tables(y)
        rates = [np.hstack([body.velocity, body.spin]) for body in (state.bar_state, state.hub_state)]
        return np.vstack(rates).ravel()

    def settled(self, y: np.ndarray) -> np.ndarray:
        """The state as a run starts from it: joint forces of the gaps, friction unstrained, ledgers at zero."""
        y = self._of_unit_turns(y)
        state = self._tables(self._rest.remembered(y, self._tables(y).controls.position))
        if state.ropes:
            rest_memory(np.linalg.norm(state.multipliers.force, axis=1), state.y, self._ints, self._reals, self._work)
        state.slack_since.time = -1.0
        held = state.contact.normal_force < 0.0
        for table in ("snap", "ledger", "contact", "standing", "bar_felt", "hub_felt", "joint_felt", "turn_felt"):
            state.block(table)[:] = 0.0
        state.standing.landed_at = -1.0
        settle_floaters(state, state.hub_state)
        if self._friction > 0.0:
            self._anchor(state)
        if self._slide[0] > 0.0:
            drag_feet(state, self._slide)
        state.contact.anchor[held] = 0.0
        state.contact.normal_force[held] = HELD
        return state.y

    def _anchor(self, state: Tables) -> None:
        """Friction memory of ends that rest on the bed: anchored where they are, or behind where they slide, under the
        force they press with."""
        bar = self._loaded.bar
        axes = rotations(state.bar_state.turn)[:, :, 2]
        for side, sign in ((0, -0.5), (1, 0.5)):
            places = state.bar_state.position + (sign * bar.length)[:, None] * axes
            gaps = bed_gaps(places, bar.radius, self._reals)
            presses = bar.bed_stiffness * np.maximum(0.0, -gaps)
            if self._slide[0] > 0.0:
                places = dragged(self._slide, places, presses, bar.bed_shear, self._reals)
            state.contact.anchor[side::2] = places
            state.contact.normal_force[side::2] = presses

    def thrust(self, y: np.ndarray) -> tuple[float, str]:
        """The largest thrust in a bar [N] under the kept joint forces, 0 where all pull, and where it is."""
        state, cable = self._tables(y), self._loaded.cable
        axes, kept = rotations(state.bar_state.turn)[:, :, 2], state.multipliers.force
        worst, found = 0.0, 0
        for c, (first, count) in enumerate(zip(cable.first, cable.count, strict=True)):
            bars, joints = np.arange(first, first + count), np.arange(first + c, first + c + count)
            pushes = -np.einsum("ij,ij->i", 0.5 * (kept[joints] + kept[joints + 1]), axes[bars])
            if len(pushes) and pushes.max() > worst:
                worst, found = float(pushes.max()), int(bars[pushes.argmax()])
        return worst, self._compiled.body_name(found)

    def place(self, i: int) -> str:
        """What a degree of freedom belongs to, for people."""
        return self._compiled.body_name(i // 6)


def joint_stiffness(t: Tables) -> np.ndarray:
    """Stiffnesses of all joints that the time steps work with, hence those of the chosen tuning: axial [N/m] and about
    the three axes [N m/rad], (joints, 4); zero where a joint turns freely."""
    found, cable = np.zeros((t.joints, 4)), t.cable
    for c, (first, count) in enumerate(zip(cable.first, cable.count, strict=True)):
        joints, turns = slice(first + c, first + c + count + 1), np.full(count + 1, cable.rotary[c])
        turns[0], turns[-1] = cable.start_clamp[c], cable.end_clamp[c]
        k = t.joint.stiffness[joints] * np.stack([np.ones_like(turns), turns, turns], axis=1)
        if t.tuning != RULE:  # the paper's stiffness has no 1/L and acts on half the turn
            lengths = t.bar.length[first + np.minimum(np.arange(count + 1), count - 1)]
            k = k * lengths[:, None] * np.array([1.0, 0.25, 0.25])
        found[joints] = k[:, [0, 1, 1, 2]]
    return found
