"""Forces, stiffness and mass of the bars at rest, for statics and modes.

Degrees of freedom: for each bar, then each hub, a global displacement (3) and a body rotation (3). Joints are
treated analytically (a difference quotient of stiff springs would drown the string stiffness), loads by central
differences, one body's loads depending on that body alone.

The joint forces λ kept in the state (its `multipliers`) are unknowns of their own beside the shape: a step of
Newton's method moves both, λ ← k(C + J δx). The string stiffness comes from λ, never from the gaps, so a sideways
step δ costs an imbalance λδ²/L and not EA·δ²/L², and stiff cables are as easy as soft ones.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fairlead.algebra.bordered_band import room
from fairlead.algebra.records import Tables
from fairlead.algebra.sparse import Blocks, block_diagonal
from fairlead.algebra.turns import rotations, skew, turned
from fairlead.formulations.compiled_rest import LARGEST_BORDER, CompiledRest
from fairlead.formulations.contract import SPIN, TURN
from fairlead.formulations.held_still import HubsAtRest
from fairlead.model.anchors import HELD
from fairlead.rigging.floater_rest import hub_matrix, settle_floaters
from fairlead.rigging.settling import DIFFERENCE
from fairlead.rigging.stillness import prescribed_places
from fairlead.sea.water import bed_gaps

from .rest_joints import Joints, Pose, gaps_of, pose_of
from .ropes import rest_laws, rest_memory
from .schema import DAMPED, RULE, SCHEMA, is_plain
from .signals import signals_at
from .static_loads import static_loads

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

    from .compiled_bars import CompiledBars


class LinearisedBars(HubsAtRest):
    """See `fairlead.formulations.contract.Linearised`."""

    _block = 6

    def __init__(self, compiled: CompiledBars, t: float, u: np.ndarray) -> None:
        super().__init__(compiled, t)
        self._compiled = compiled
        self._joints = Joints(compiled.tables(compiled._y0))
        self._still(compiled, u)
        self._bars = self._fixed.bars
        self._bodies = self._bars + self._fixed.hubs
        self.points, cable = self._fixed.points, self._fixed.cable
        self._end_point = np.stack([cable.start_point, cable.end_point], axis=1)
        self.size = 6 * self._bodies
        clamped = [side.body[(self._joints.rotary > 0).any(axis=1)] for side in self._joints.sides]
        levered = [side.body[(side.offset != 0).any(axis=1)] for side in self._joints.sides]
        held = np.concatenate([*clamped, *levered]) - self._bars
        self._held = tuple(np.where(s.free, s.body, self._bodies + self._joints.point) for s in self._joints.sides)
        """Bodies of both sides of every joint; prescribed points are counted behind them."""
        free = np.ones(self._bodies - self._bars, dtype=bool)
        free[held[held >= 0]] = False
        self._loose = np.flatnonzero(free)
        """Hubs without clamp and lever: they may spin for ever under a torque, and nobody notices."""
        used = np.zeros(self._bodies, dtype=bool)
        used[self._bars :] = True
        for first, count in zip(self._fixed.cable.first, self._fixed.cable.count, strict=True):
            used[first : first + count] = True
        self._spare = np.flatnonzero(~used)
        """Bars of line that is still on a winch: nothing acts on them, and they are held where they are."""
        half = 0.5 * self._fixed.bar.length
        levers = np.ones((self._bodies, 6))
        levers[: self._bars, 3:] = half[:, None]
        levers[self._bars :, 3:] = half.mean()
        self.levers = levers.ravel()
        kinds = np.tile([0, 1, 2, TURN, TURN, SPIN], (self._bodies, 1))
        kinds[self._bars :, 5] = TURN
        self.kinds = kinds.ravel()

    def _still(self, compiled: CompiledBars, u: np.ndarray) -> None:
        """Let time stand still in the compiled arrays: no motion, no waves, no release, no friction.

        Its steps follow the rule with all the damping that the scheme can give. Joints push as they pull: what would go
        slack falls over, where it would collapse along its own line.
        """
        fixed = self._fixed = self._tables(compiled._y0)
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
        self._inputs = np.full_like(u, np.nan)

    def _pose(self, y: np.ndarray) -> Pose:
        state = self._tables(y)
        points, turns = prescribed_places(self._fixed, state.controls.position)
        return pose_of(self._joints, state, points, turns)

    def _laws(self, y: np.ndarray, pose: Pose, quick: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of the joints: stiffness along the forces they were left with, across these, and by how much the gap is to be
        multiplied to be a force, (n,) [N/m]; of `quick` loads where asked for."""
        state = self._tables(y)
        if not state.ropes:
            return pose.axial, pose.axial, pose.axial
        count, index = state.joints, self._joints.index
        kept = np.linalg.norm(state.multipliers.force, axis=1)
        gap, along, across, pull, fast = np.zeros((5, count))
        gap[index], along[index], across[index] = np.linalg.norm(pose.gap, axis=1), pose.axial, pose.axial
        pull[index], fast[index] = pose.axial * gap[index], pose.axial
        rest_laws(kept, gap, y, self._ints, self._reals, self._work, along, across, pull, fast)
        secant = pull / np.maximum(gap, 1e-12)
        held = pose.axial > 0
        return (fast if quick else along)[index] * held, across[index] * held, secant[index] * held

    # --- in compiled code ---------------------------------------------------------------------------------------------
    @cached_property
    def _compiled_rest(self) -> CompiledRest | None:
        """The same in compiled code; None where winches or very many points are more than it carries."""
        fixed, cable = self._fixed, self._fixed.cable
        hubs, points = 6 * fixed.hubs, fixed.points
        if fixed.winches or hubs + 6 * points > LARGEST_BORDER:
            return None
        from .settling import find_rest, find_rest_rigged

        held = np.stack([cable.start_hub, cable.end_hub], axis=1)
        sites = np.where(held >= 0, 6 * held, hubs + 6 * self._end_point)
        matrix = room(6 * cable.count, sites, 11, fixed.hubs, 6, points)
        loose = np.zeros(fixed.hubs, dtype=np.int64)
        loose[self._loose] = 1
        joints = np.ascontiguousarray(np.column_stack([self._joints.axial, self._joints.rotary]))
        scratch = (np.zeros((points, 7)), *(np.zeros((self._bodies, 6)) for _ in range(3)))
        find = find_rest if is_plain(fixed) else find_rest_rigged
        return self._searched_by(find, (self._ints, self._reals, self._work, joints, loose), scratch, matrix)

    def _take(self, u: np.ndarray) -> None:
        self._stand_still(u, signals_at, self._fixed)

    def _is_joined(self, state: Tables) -> bool:
        return bool(state.attached.joined.all())

    # --- forces -----------------------------------------------------------------------------------------------------
    def loads(self, y: np.ndarray) -> np.ndarray:
        """Weight, buoyancy, current, seabed and point loads on every degree of freedom, (size,); of floaters by
        coefficients the weight, which their buoyancy balances."""
        out = self._loads(y)[0]
        out[self._bars + self._fixed.floater.hub, 2] = -self._fixed.hull.mass * float(self._fixed.sea.gravity)
        return out.ravel()

    def _loads(self, y: np.ndarray, sticking: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Loads (bodies, 6) and inertias (bodies, 6) as `static_loads` gives them."""
        out, inertia = np.zeros((self._bodies, 6)), np.zeros((self._bodies, 6))
        self._fixed.sea.bed_friction = self._friction if sticking else 0.0
        static_loads(self.t, y, self._inputs, self._ints, self._reals, self._work, not sticking, out, inertia)
        out[self._bars + self._loose, 3:] = 0.0
        out[self._spare] = 0.0
        self._fixed.sea.bed_friction = 0.0
        return out, inertia

    def residual(self, y: np.ndarray) -> np.ndarray:
        """Force left over on every degree of freedom, joint forces from the gaps as they are, (size,)."""
        pose = self._pose(y)
        return self._balance(y, pose, self._laws(y, pose)[2][:, None] * pose.gap)

    def imbalance(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Force left over under the kept joint forces, (size,), and how far the gaps are from these, (joints·3,)."""
        pose = self._pose(y)
        kept = self._tables(y).multipliers.force[self._joints.index]
        held = pose.axial > 0
        across = np.where(held, self._laws(y, pose)[1], self._joints.axial)
        misses = np.where(held[:, None], pose.gap - kept / across[:, None], 0.0)
        return self._balance(y, pose, np.where(held[:, None], kept, 0.0)), misses.ravel()

    def stress(self, y: np.ndarray) -> float:
        """Largest kept joint force [N]."""
        return float(np.linalg.norm(self._tables(y).multipliers.force, axis=1).max())

    def _balance(self, y: np.ndarray, pose: Pose, force: np.ndarray) -> np.ndarray:
        """Loads and joint forces together, on every degree of freedom."""
        total = self._pulls(pose, force)[: self._bodies]
        return np.asarray(total + self._loads(y)[0]).ravel()

    def _pulls(self, pose: Pose, force: np.ndarray) -> np.ndarray:
        """Joint forces on bodies, then prescribed points: f on a joint's first, −f on its second, likewise moments."""
        total = np.zeros((self._bodies + self._fixed.points, 6))
        for side, held, R, F, lever in zip(
            self._joints.sides, self._held, pose.turns, pose.frames, pose.levers, strict=True
        ):
            f = -side.sign * force
            local = np.einsum("nji,nj->ni", R, f)
            torque = np.cross(side.offset, local)
            torque -= side.sign * np.einsum("nij,nkj,nk->ni", F, lever, pose.moment)
            np.add.at(total, held, np.hstack([f, torque]))
        return total

    # --- stiffness and mass -------------------------------------------------------------------------------------------
    def tangent(self, y: np.ndarray, sticking: bool = False) -> csc_matrix:
        """Stiffness −∂residual/∂x with the string stiffness of the kept joint forces, (size, size).

        `sticking` adds the shear stiffness of a rough seabed under what lies on it in a settled state.
        """
        return self._stiffness(y, sticking).assembled(self.size)

    def bordered_tangent(self, y: np.ndarray) -> csc_matrix:
        """The same with six moves of each prescribed point behind x."""
        return self._stiffness(y, False).assembled(self.size + 6 * self._fixed.points)

    def _stiffness(self, y: np.ndarray, sticking: bool) -> Blocks:
        pose = self._pose(y)
        kept = np.where(pose.axial[:, None] > 0, self._tables(y).multipliers.force[self._joints.index], 0.0)
        moment_skew = skew(pose.moment)
        along, across, _ = self._laws(y, pose, quick=sticking)
        blocks = Blocks(6)
        sides = tuple(zip(self._joints.sides, self._held, pose.turns, pose.frames, pose.levers, strict=True))
        for row, row_body, R_row, F_row, lever_row in sides:
            jacobian_row = _jacobian(row.offset, R_row)
            for column, column_body, R_column, F_column, lever_column in sides:
                jacobian = column.sign * _jacobian(column.offset, R_column)
                block = (row.sign * across)[:, None, None] * np.einsum("nki,nkj->nij", jacobian_row, jacobian)
                if self._fixed.ropes:  # along its force a rope has another stiffness than across it
                    n = kept / np.maximum(np.linalg.norm(kept, axis=1), 1e-150)[:, None]
                    ways = (np.einsum("nki,nk->ni", part, n) for part in (jacobian_row, jacobian))
                    block += np.einsum("n,ni,nj->nij", row.sign * (along - across), *ways)
                # moment on the row's body: −sign·F·leverᵀ·λ with λ = K·2u and 2δu = Σ sign·lever·Fᵀ·δθ
                turn = column.sign * np.einsum("nij,nkj->nik", lever_column, F_column)
                change = np.einsum("nkj,nk,nkl->njl", lever_row, pose.rotary, turn)
                # and the lever itself changes: δs·λ ± δu × λ with δs = −½ u·(δθ₂ − δθ₁)
                ds = -0.5 * column.sign * np.einsum("nj,nij->ni", pose.u, F_column)
                change += np.einsum("ni,nj->nij", pose.moment, ds)
                change += (0.5 * row.sign) * np.einsum("nij,njk->nik", moment_skew, turn)
                block[:, 3:, 3:] += row.sign * np.einsum("nij,njk->nik", F_row, change)
                blocks.add(row_body, column_body, block)
            # a joint force turns about the body it acts on: −S(r)S(f)
            f = -row.sign * np.einsum("nji,nj->ni", R_row, kept)
            block = np.zeros((len(f), 6, 6))
            block[:, 3:, 3:] = -np.einsum("nij,njk->nik", skew(row.offset), skew(f))
            # and the moment on a prescribed point turns with the clamp, whose axes it is in: + S(m)
            moment = -row.sign * np.einsum("nij,nkj,nk->ni", F_row, lever_row, pose.moment)
            block[~row.free, 3:, 3:] += skew(moment[~row.free])
            blocks.add(row_body, row_body, block)
        everybody = np.arange(self._bodies)
        blocks.add(everybody, everybody, self._load_stiffness(y, sticking))
        if self._fixed.ptos:  # floaters that feel each other
            pairs = np.argwhere(~np.eye(self._fixed.hubs, dtype=bool))
            apart = self._felt_apart(y)[pairs[:, 0], pairs[:, 1]]
            blocks.add(self._bars + pairs[:, 0], self._bars + pairs[:, 1], apart)
        blocks.add(self._spare, self._spare, np.tile(self._joints.axial.max() * np.eye(6), (len(self._spare), 1, 1)))
        return blocks

    def _pulls_on_points(self, y: np.ndarray) -> np.ndarray:
        pose = self._pose(y)
        return self._pulls(pose, self._laws(y, pose)[2][:, None] * pose.gap)[self._bodies :]

    def _load_stiffness(self, y: np.ndarray, sticking: bool) -> np.ndarray:
        """−∂loads/∂x of each body, (bodies, 6, 6)."""
        out = np.zeros((self._bodies, 6, 6))
        for d in range(6):
            out[:, :, d] = self._load_change(y, slice(None), d, sticking)
        if self._fixed.ptos:
            hubs = np.arange(self._fixed.hubs)
            out[self._bars :] = self._felt_apart(y)[hubs, hubs]
        return out

    def _felt_apart(self, y: np.ndarray) -> np.ndarray:
        """−∂loads/∂x of every hub against the moves of every other, (hubs, hubs, 6, 6)."""
        out = np.zeros((self._fixed.hubs, self._fixed.hubs, 6, 6))
        for h, d in np.ndindex(self._fixed.hubs, 6):
            out[:, h, :, d] = self._load_change(y, self._bars + h, d, False)[self._bars :]
        return out

    def _load_change(self, y: np.ndarray, which: slice | int, d: int, sticking: bool) -> np.ndarray:
        """−∂loads/∂x of all bodies where these move along d, (bodies, 6)."""
        move = np.zeros((self._bodies, 6))
        move[which, d] = DIFFERENCE
        ahead, behind = self._moved(y, move), self._moved(y, -move)
        return np.asarray((self._loads(behind, sticking)[0] - self._loads(ahead, sticking)[0]) / (2 * DIFFERENCE))

    def mass(self, y: np.ndarray) -> csc_matrix:
        """Mass matrix with added mass, (size, size), block diagonal; zero for massless hubs."""
        nb = self._bars
        inertia = self._loads(y)[1]
        across, along, coupling, jx, jz = inertia[:nb, :5].T
        state = self._tables(y)
        R = rotations(state.bar_state.turn)
        axis = R[:, :, 2]
        blocks = np.zeros((self._bodies, 6, 6))
        blocks[:nb, :3, :3] = across[:, None, None] * np.eye(3)
        blocks[:nb, :3, :3] += (along - across)[:, None, None] * np.einsum("ni,nj->nij", axis, axis)
        blocks[:nb, :3, 3] = -coupling[:, None] * R[:, :, 1]
        blocks[:nb, :3, 4] = coupling[:, None] * R[:, :, 0]
        blocks[:nb, 3:, :3] = blocks[:nb, :3, 3:].transpose(0, 2, 1)
        blocks[:nb, 3, 3] = blocks[:nb, 4, 4] = jx
        blocks[:nb, 5, 5] = jz
        blocks[self._spare] = np.eye(6)
        R = rotations(state.hub_state.turn)
        blocks[nb:, :3, :3] = np.einsum("nik,nk,njk->nij", R, inertia[nb:, :3], R)
        blocks[nb:, [3, 4, 5], [3, 4, 5]] = inertia[nb:, 3:]
        if not self._fixed.floaters:
            return block_diagonal(list(blocks))
        own = self._fixed.block("matrix").reshape(-1, 6, 6).copy()
        afloat = self._fixed.floater.hub
        ashore = np.setdiff1d(np.arange(len(blocks) - nb), afloat)
        own[ashore] = blocks[nb:][ashore]
        hubs = hub_matrix(own, len(blocks) - nb, self._fixed)
        return block_diagonal([*blocks[:nb], hubs])

    # --- states -------------------------------------------------------------------------------------------------------
    def placed(self, y: np.ndarray) -> np.ndarray:
        """The state at rest, with prescribed points where they are commanded to be."""
        y = self._stopped(y)
        controls = self._tables(y).controls
        controls.position, controls.velocity = self._commands, 0.0
        return y

    def displaced(self, y: np.ndarray, dx: np.ndarray, share: float = 1.0) -> np.ndarray:
        """The state at rest after `share` of a step dx (size,) of the bodies and of the joint forces with it."""
        pose, moves = self._pose(y), dx.reshape(-1, 6)
        gap = pose.gap.copy()
        for side, R in zip(self._joints.sides, pose.turns, strict=True):
            jacobian = side.sign * _jacobian(side.offset, R)
            gap[side.free] += np.einsum("nij,nj->ni", jacobian, moves[side.body])[side.free]
        along, across, _ = self._laws(y, pose)
        y = self._moved(y, share * moves)
        kept, joints = self._tables(y).multipliers.force, self._joints.index
        change = across[:, None] * gap - kept[joints]
        if self._fixed.ropes:  # λ + (along − across)(n·(C − λ/across)) n
            square = np.maximum(np.einsum("ni,ni->n", kept[joints], kept[joints]), 1e-300)
            stretch = np.einsum("ni,ni->n", kept[joints], gap) / square
            more = (along - across) * (stretch - 1.0 / np.maximum(across, 1e-300))
            change += more[:, None] * kept[joints]
        kept[joints] += share * change
        return y

    def _moved(self, y: np.ndarray, moves: np.ndarray) -> np.ndarray:
        """Every body moved by its row (6) and at rest; joint forces as they were."""
        y = y.copy()
        state = self._tables(y)
        for body, rows in ((state.bar_state, slice(0, self._bars)), (state.hub_state, slice(self._bars, None))):
            body.position += moves[rows, :3]
            body.turn = turned(body.turn, moves[rows, 3:])
            body.velocity = body.spin = 0.0
        return y

    def _stopped(self, y: np.ndarray) -> np.ndarray:
        """Every body where it is and at rest."""
        y = y.copy()
        state = self._tables(y)
        for body in (state.bar_state, state.hub_state):
            body.turn /= np.linalg.norm(body.turn, axis=1, keepdims=True)
            body.velocity = body.spin = 0.0
        return y

    def speeds(self, y: np.ndarray) -> np.ndarray:
        """Rates of the degrees of freedom in a state that moves, (size,)."""
        state = self._tables(y)
        rates = [np.hstack([body.velocity, body.spin]) for body in (state.bar_state, state.hub_state)]
        return np.vstack(rates).ravel()

    def settled(self, y: np.ndarray) -> np.ndarray:
        """The state as a run starts from it: joint forces of the gaps, friction unstrained, ledgers at zero."""
        y = self._stopped(y)
        state, joints = self._tables(y), self._joints
        if not state.ropes:
            gap = gaps_of(joints, state, prescribed_places(self._fixed, state.controls.position)[0])
            state.multipliers.force[joints.index] = (joints.axial * joints.attached(state))[:, None] * gap
        else:
            pose = self._pose(y)
            state.multipliers.force[joints.index] = self._laws(y, pose)[2][:, None] * pose.gap
            tension = np.linalg.norm(state.multipliers.force, axis=1)
            rest_memory(tension, y, self._ints, self._reals, self._work)
        state.slack_since.time = -1.0
        held = state.contact.normal_force < 0.0
        for table in ("snap", "ledger", "contact", "standing"):
            state.block(table)[:] = 0.0
        state.standing.landed_at = -1.0
        settle_floaters(state, state.hub_state)
        if self._friction > 0.0:
            self._anchor(state)
        state.contact.anchor[held] = 0.0
        state.contact.normal_force[held] = HELD
        return y

    def _anchor(self, state: Tables) -> None:
        """Friction memory of ends that rest on the bed: anchored where they are, under the force they press with."""
        bar = self._fixed.bar
        axes = rotations(state.bar_state.turn)[:, :, 2]
        for side, sign in ((0, -0.5), (1, 0.5)):
            places = state.bar_state.position + (sign * bar.length)[:, None] * axes
            gaps = bed_gaps(places, bar.radius, self._reals)
            state.contact.anchor[side::2] = places
            state.contact.normal_force[side::2] = bar.bed_stiffness * np.maximum(0.0, -gaps)

    def place(self, i: int) -> str:
        """What a degree of freedom belongs to, for people."""
        return self._compiled.body_name(i // 6)


def _jacobian(offset: np.ndarray, R: np.ndarray) -> np.ndarray:
    """Move of a point at `offset` (n, 3) of its body per move of the body: [1, −R S(offset)], (n, 3, 6)."""
    out = np.zeros((len(offset), 3, 6))
    out[:, :, :3] = np.eye(3)
    out[:, :, 3:] = -np.einsum("nij,njk->nik", R, skew(offset))
    return out
