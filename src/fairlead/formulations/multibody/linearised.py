"""Forces, stiffness and mass of a tree at rest, for statics and modes.

Degrees of freedom x are moves of what each joint carries: the displacement (3) of a cable's node, displacement and turn
(6) of a free body, turn (3) of one that hangs from a node or in a ball joint, the coordinate itself (1) of a guided
joint. They go with the joints' own speeds by a square matrix, dx = J dq. Forces and their derivatives are taken in the
joints, where a turn of an element stretches nothing: Newton's method on q is at ease with stiff cables. Then
f = J⁻ᵀ τ, K = J⁻ᵀ (−∂τ/∂q) J⁻¹ (all of it where τ = 0) and M = J⁻ᵀ H J⁻¹.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from fairlead.algebra.newton import TURN
from fairlead.algebra.records import Tables
from fairlead.formulations.held_still import HeldStill
from fairlead.sea.water import bed_below, bed_gaps

from .mass_matrix import mass_and_bias
from .rest import rest_displaced, rest_forces, rest_moves, rest_stiffness, signals_at
from .schema import CABLE, FREE, PRISMATIC, SPEEDS, TRANSLATION

if TYPE_CHECKING:
    from .compiled_multibody import CompiledMultibody

DIFFERENCE = 1e-6
"""Half width of difference quotients, m and rad."""
MOST_TURN = 0.5
"""rad: longest turn of a joint in one step; a longer step is shortened as a whole."""
_MOVES = {CABLE: 3, TRANSLATION: 3, FREE: 3}


class LinearisedMultibody(HeldStill):
    """See `fairlead.formulations.contract.Linearised`."""

    def __init__(self, compiled: CompiledMultibody, t: float, u: np.ndarray) -> None:
        super().__init__(compiled, t)
        self._compiled = compiled
        self._inputs = np.full_like(u, np.nan)
        tables = self._tables(compiled.initial_state())
        self._stand_still(u, signals_at, tables)
        tables.winch.rows, tables.controller.kind = 0, 0.0
        self._calm(tables.sea)
        tables.settings.theta = 1.0
        self._speeds = tables.speeds
        kinds, levers, owners, turns = [], [], [], []
        lengths = tables.line.length[tables.line.length > 0.0]
        size = float(lengths.mean()) if len(lengths) else 1.0  # by which turns are measured: an element off the drum
        for j, kind in enumerate(tables.body.kind.tolist()):
            moves = _MOVES.get(kind, 0)
            for k in range(SPEEDS[kind]):
                kinds.append(k if k < moves else TURN)
                levers.append(1.0 if k < moves or kind == PRISMATIC else size)
                owners.append(j)
                turns.append(k < 2 if kind == CABLE else k >= moves and kind != PRISMATIC)
        self._is_turn = np.array(turns, dtype=bool)
        self._used = self._active(tables)
        self.size = len(self._used)
        self.kinds = np.array(kinds, dtype=int)[self._used]
        self.levers = np.array(levers)[self._used]
        self._owners = np.array(owners, dtype=int)[self._used]

    def _active(self, tables: Tables) -> np.ndarray:
        """Numbers of the speeds that are not on a drum."""
        used = np.ones(self._speeds, dtype=bool)
        cable, firsts = tables.cable, tables.body.speed
        for body, count, active in zip(cable.body, cable.count, tables.paid.count, strict=True):
            for first in firsts[body : body + count - int(active)]:
                used[first : first + 3] = False
        return np.flatnonzero(used)

    def _ask(self, entry: Callable[..., None], y: np.ndarray, *rest: np.ndarray | float) -> None:
        """One of the compiled functions of a tree at rest."""
        entry(self.t, y, self._inputs, self._ints, self._reals, self._work, *rest)

    def _jacobian(self, y: np.ndarray) -> np.ndarray:
        J = np.zeros((self._speeds, self._speeds))
        self._ask(rest_moves, y, J)
        return np.asarray(J[np.ix_(self._used, self._used)])

    def _by_moves(self, y: np.ndarray, joints: np.ndarray) -> np.ndarray:
        """J⁻ᵀ (matrix of the joints, (speeds, speeds)) J⁻¹."""
        inverse = np.linalg.inv(self._jacobian(y))
        return np.asarray(inverse.T @ joints[np.ix_(self._used, self._used)] @ inverse)

    def _forces(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Forces of springs and tensions, and of all else, on the joints, (size,) each."""
        torques, loads = np.zeros(self._speeds), np.zeros(self._speeds)
        self._ask(rest_forces, y, torques, loads)
        return torques[self._used], loads[self._used]

    # --- for what hangs on its bodies ---------------------------------------------------------------------------------
    def number(self, speed: int) -> int:
        """Which degree of freedom goes with a speed."""
        return int(np.searchsorted(self._used, speed))

    def on_moves(self, y: np.ndarray, joints: np.ndarray) -> np.ndarray:
        """Forces on all speeds (speeds,) as forces on x (size,)."""
        return np.asarray(np.linalg.solve(self._jacobian(y).T, joints[self._used]))

    def by_moves(self, y: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """∂(anything)/∂(all speeds) (n, speeds) as ∂/∂x (n, size)."""
        return np.asarray(rows[:, self._used] @ np.linalg.inv(self._jacobian(y)))

    # --- forces -------------------------------------------------------------------------------------------------------
    def loads(self, y: np.ndarray) -> np.ndarray:
        """Weight, buoyancy, current, seabed and loads of the file on every degree of freedom, (size,)."""
        y = self.placed(y)
        return np.asarray(np.linalg.solve(self._jacobian(y).T, self._forces(y)[1]))

    def residual(self, y: np.ndarray) -> np.ndarray:
        """All forces on every degree of freedom, (size,)."""
        y = self.placed(y)
        torques, loads = self._forces(y)
        return np.asarray(np.linalg.solve(self._jacobian(y).T, torques + loads))

    # --- stiffness and mass -------------------------------------------------------------------------------------------
    def tangent(self, y: np.ndarray, sticking: bool = False) -> sp.csc_matrix:
        """Stiffness, (size, size); `sticking`: nodes that press on a rough bed are held by its shear stiffness."""
        y, n = self.placed(y), self._speeds
        K, trial, scratch = np.zeros((n, n)), np.empty_like(y), [np.zeros(n) for _ in range(4)]
        self._ask(rest_stiffness, y, DIFFERENCE, trial, *scratch, K)
        whole = self._by_moves(y, K)
        if sticking and self._friction > 0.0:
            for rows, shear, _, j in self._touching(y):
                x = self._tables(y).record.position[self._tables(y).bases + j]
                normal = bed_below(x, self._reals)[1]
                whole[rows, rows] += shear * (np.eye(3) - np.outer(normal, normal))
        return sp.csc_matrix(whole)

    def mass(self, y: np.ndarray) -> sp.csc_matrix:
        """Mass matrix with added mass, (size, size)."""
        y = self.placed(y)
        n = self._speeds
        H, C = np.zeros(n * n), np.zeros(n)
        self._ask(mass_and_bias, y, H, C)
        whole = self._by_moves(y, H.reshape(n, n))
        return sp.csc_matrix(0.5 * (whole + whole.T))

    def _touching(self, y: np.ndarray) -> list[tuple[slice, float, float, int]]:
        """Nodes that press on the bed: their rows, shear stiffness [N/m], push [N] and body."""
        tables = self._tables(y)
        if tables.sea.bed == 0.0:
            return []
        self._jacobian(y)  # puts all in place
        found, element = [], tables.element
        on_cables = np.isin(self._owners, np.flatnonzero(tables.body.kind == CABLE))
        for i in np.flatnonzero(on_cables & (self.kinds == 0)):
            j = int(self._owners[i])
            e = tables.body.element[j]
            length = tables.line.length[e]
            gap = float(bed_gaps(tables.record.position[tables.bases + j], element.radius[e], self._reals))
            if gap < 0.0:
                push = -gap * length * element.bed_stiffness[e]
                found.append((slice(i, i + 3), length * element.bed_shear[e], push, j))
        return found

    # --- states -------------------------------------------------------------------------------------------------------
    def placed(self, y: np.ndarray) -> np.ndarray:
        """The state at rest, with bases where they are commanded to be."""
        tables = self._tables(y.copy())
        tables.speed.value = 0.0
        tables.controls.position, tables.controls.velocity = self._commands, 0.0
        return tables.y

    def displaced(self, y: np.ndarray, dx: np.ndarray, share: float = 1.0) -> np.ndarray:
        """The state at rest after `share` of the step dx (size,); no joint turns by more than `MOST_TURN`."""
        y = self.placed(y)
        move = np.zeros(self._speeds)
        move[self._used] = share * np.linalg.solve(self._jacobian(y), dx)
        move *= min(1.0, MOST_TURN / max(1e-300, float(np.abs(move[self._is_turn]).max(initial=0.0))))
        self._ask(rest_displaced, y, move)
        return self.placed(y)

    def speeds(self, y: np.ndarray) -> np.ndarray:
        """Rates of x in a state that moves, (size,)."""
        return np.asarray(self._jacobian(y) @ self._tables(y).speed.value[self._used])

    def settled(self, y: np.ndarray) -> np.ndarray:
        """The state as a run starts from it: friction unstrained, ledgers at zero."""
        y = self.placed(y)
        tables = self._tables(y)
        tables.snap.slack_since, tables.snap.rise, tables.snap.most = -1.0, 0.0, 0.0
        tables.block("ledger")[:] = 0.0
        tables.contact.normal_force = 0.0
        if self._friction > 0.0:
            for _, _, push, j in self._touching(y):
                tables.contact.anchor[j] = tables.record.position[tables.bases + j]
                tables.contact.normal_force[j] = push
        return y

    def place(self, i: int) -> str:
        """What degree of freedom i belongs to."""
        return self._compiled.body_place(int(self._owners[i]))
