"""Forces, stiffness and mass of a tree at rest, for statics and modes.

Degrees of freedom x are moves of what each joint carries: the displacement (3) of a cable's node, displacement and turn
(6) of a free body, turn (3) of one that hangs from a node or in a ball joint, the coordinate itself (1) of a guided
joint. They go with the joints' own speeds by a square matrix, dx = J dq. Forces and their derivatives are taken in the
joints, where a turn of an element stretches nothing: Newton's method on q is at ease with stiff cables. Then
f = J⁻ᵀ τ, K = J⁻ᵀ (−∂τ/∂q) J⁻¹ (all of it where τ = 0) and M = J⁻ᵀ H J⁻¹.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from fairlead.formulations.contract import TURN
from fairlead.loads.signals import MOTION_NONE
from fairlead.sea.water import BED_FRICTION, BED_PRESENT, BED_Z, WAVE_COUNT, bed_gap

from . import arrays as a
from .articulated import OK
from .mass_matrix import mass_and_bias, record_of
from .rest import rest_displaced, rest_forces, rest_moves, rest_stiffness, signals_at
from .run import run
from .winch import CONTROLLER

if TYPE_CHECKING:
    from .compiled_multibody import CompiledMultibody

DIFFERENCE = 1e-6
"""Half width of difference quotients, m and rad."""
MOST_TURN = 0.5
"""rad: longest turn of a joint in one step; a longer step is shortened as a whole."""
_MOVES = {a.CABLE: 3, a.TRANSLATION: 3, a.FREE: 3}
_NOTHING = np.empty(0)


class LinearisedMultibody:
    """See `fairlead.formulations.contract.Linearised`."""

    def __init__(self, compiled: CompiledMultibody, t: float, u: np.ndarray) -> None:
        self.t = t
        self._compiled = compiled
        self._ints, self._reals = compiled.ints.copy(), compiled.reals.copy()
        self._work = np.zeros_like(compiled.work)
        self._inputs = np.full_like(u, np.nan)
        self._hold_still(compiled, u)
        ints, y = self._ints, compiled.initial_state()
        self._speeds = int(ints[a.N_V])
        rows = ints[ints[a.I_BODIES] : ints[a.I_CABLES]].reshape(-1, a.BODY_INTS)
        kinds, levers, owners, turns = [], [], [], []
        size = self._size(y)
        for j, row in enumerate(rows):
            moves = _MOVES.get(int(row[a.KIND]), 0)
            for k in range(a.SPEEDS[row[a.KIND]]):
                kinds.append(k if k < moves else TURN)
                levers.append(1.0 if k < moves or row[a.KIND] == a.PRISMATIC else size)
                owners.append(j)
                turns.append(k < 2 if row[a.KIND] == a.CABLE else k >= moves and row[a.KIND] != a.PRISMATIC)
        self._is_turn = np.array(turns, dtype=bool)
        self._used = self._active(y)
        self.size = len(self._used)
        self.kinds = np.array(kinds, dtype=int)[self._used]
        self.levers = np.array(levers)[self._used]
        self._owners = np.array(owners, dtype=int)[self._used]

    def _hold_still(self, compiled: CompiledMultibody, u: np.ndarray) -> None:
        """Let time stand still: bases where they are commanded to be, loads of this moment, no waves, a smooth bed."""
        ints, reals = self._ints, self._reals
        self._goals, factors = np.zeros(int(ints[a.N_CONTROLS])), np.zeros(int(ints[a.N_LOADS]))
        signals_at(self.t, u, ints, reals, self._goals, factors)
        table = ints[ints[a.I_CONTROLS] : ints[a.I_MOVED]].reshape(-1, a.CONTROL_INTS)
        table[:, 0] = MOTION_NONE
        reals[ints[a.R_CONTROLS] : ints[a.R_LOADS]].reshape(-1, a.CONTROL_REALS)[:, 0] = self._goals
        ints[ints[a.I_LOADS] : ints[a.I_WATER]].reshape(-1, a.LOAD_INTS)[:, 2] = 0
        reals[ints[a.R_LOADS] : ints[a.R_WATER]].reshape(-1, a.LOAD_REALS)[:, :6] *= factors[:, None]
        ints[ints[a.I_WINCHES] : ints[a.I_NAMED]].reshape(-1, a.WINCH_INTS)[:, 2] = 0
        reals[ints[a.R_WINCHES] : ints[a.R_NAMED]].reshape(-1, a.WINCH_REALS)[:, CONTROLLER] = 0.0
        self._friction = float(reals[BED_FRICTION])
        reals[BED_FRICTION] = reals[WAVE_COUNT] = 0.0
        reals[ints[a.R_SETTINGS] + a.THETA] = 1.0

    def _size(self, y: np.ndarray) -> float:
        """A length by which turns are measured [m]: that of an element off the drum."""
        lengths = y[self._ints[a.Y_LENGTH] : self._ints[a.Y_FRAMES]]
        return float(lengths[lengths > 0.0].mean()) if (lengths > 0.0).any() else 1.0

    def _active(self, y: np.ndarray) -> np.ndarray:
        """Numbers of the speeds that are not on a drum."""
        ints = self._ints
        used = np.ones(self._speeds, dtype=bool)
        cables = ints[ints[a.I_CABLES] : ints[a.I_CONTROLS]].reshape(-1, a.CABLE_INTS)
        for row, active in zip(cables, y[ints[a.Y_ACTIVE] : ints[a.Y_RATE]], strict=True):
            for j in range(row[a.CABLE_BODY], row[a.CABLE_BODY] + row[a.CABLE_COUNT] - int(active)):
                first = ints[ints[a.I_BODIES] + a.BODY_INTS * j + a.AT_V] - ints[a.Y_V]
                used[first : first + 3] = False
        return np.flatnonzero(used)

    def _jacobian(self, y: np.ndarray) -> np.ndarray:
        J = np.zeros((self._speeds, self._speeds))
        rest_moves(self.t, y, self._inputs, self._ints, self._reals, self._work, J)
        return np.asarray(J[np.ix_(self._used, self._used)])

    def _forces(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Forces of springs and tensions, and of all else, on the joints, (size,) each."""
        torques, loads = np.zeros(self._speeds), np.zeros(self._speeds)
        rest_forces(self.t, y, self._inputs, self._ints, self._reals, self._work, torques, loads)
        return torques[self._used], loads[self._used]

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

    def imbalance(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same; no forces are kept beside the shape."""
        return self.residual(y), np.zeros(0)

    def stress(self, y: np.ndarray) -> float:
        """No force is kept."""
        return 0.0

    # --- stiffness and mass -------------------------------------------------------------------------------------------
    def tangent(self, y: np.ndarray, sticking: bool = False) -> sp.csc_matrix:
        """Stiffness, (size, size); `sticking`: nodes that press on a rough bed are held by its shear stiffness."""
        y, n = self.placed(y), self._speeds
        K, trial, scratch = np.zeros((n, n)), np.empty_like(y), [np.zeros(n) for _ in range(4)]
        width = np.full(n, DIFFERENCE)
        rest_stiffness(self.t, y, self._inputs, width, self._ints, self._reals, self._work, trial, *scratch, K)
        inverse = np.linalg.inv(self._jacobian(y))
        whole = inverse.T @ K[np.ix_(self._used, self._used)] @ inverse
        if sticking and self._friction > 0.0:
            for rows, shear, _, _ in self._touching(y):
                normal = self._reals[BED_Z - 2 : BED_Z + 1]
                whole[rows, rows] += shear * (np.eye(3) - np.outer(normal, normal))
        return sp.csc_matrix(whole)

    def mass(self, y: np.ndarray) -> sp.csc_matrix:
        """Mass matrix with added mass, (size, size)."""
        y = self.placed(y)
        n = self._speeds
        H, C = np.zeros(n * n), np.zeros(n)
        mass_and_bias(self.t, y, self._inputs, self._ints, self._reals, self._work, H, C)
        inverse = np.linalg.inv(self._jacobian(y))
        whole = inverse.T @ H.reshape(n, n)[np.ix_(self._used, self._used)] @ inverse
        return sp.csc_matrix(0.5 * (whole + whole.T))

    def _touching(self, y: np.ndarray) -> list[tuple[slice, float, float, int]]:
        """Nodes that press on the bed: their rows, shear stiffness [N/m], push [N] and body."""
        ints, reals = self._ints, self._reals
        if reals[BED_PRESENT] == 0.0:
            return []
        self._jacobian(y)  # puts all in place
        found = []
        cables = ints[ints[a.I_CABLES] : ints[a.I_CONTROLS]].reshape(-1, a.CABLE_INTS)
        elements = reals[ints[a.R_ELEMENTS] : ints[a.R_CONTROLS]].reshape(-1, a.ELEMENT_REALS)
        for i in np.flatnonzero(np.isin(self._owners, self._cable_bodies(cables)) & (self.kinds == 0)):
            j = int(self._owners[i])
            row = elements[ints[ints[a.I_BODIES] + a.BODY_INTS * j + a.ELEMENT]]
            length = y[ints[a.Y_LENGTH] + ints[ints[a.I_BODIES] + a.BODY_INTS * j + a.ELEMENT]]
            place = record_of(ints, self._work, int(ints[a.N_BASES]) + j)[a.POSITION : a.POSITION + 3]
            gap = bed_gap.py_func(place, row[a.RADIUS], reals)
            if gap < 0.0:
                push = -gap * length * row[a.BED_STIFFNESS]
                found.append((slice(i, i + 3), length * row[a.BED_SHEAR], push, j))
        return found

    @staticmethod
    def _cable_bodies(cables: np.ndarray) -> np.ndarray:
        parts = [np.arange(row[a.CABLE_BODY], row[a.CABLE_BODY] + row[a.CABLE_COUNT]) for row in cables]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=int)

    # --- states -------------------------------------------------------------------------------------------------------
    def placed(self, y: np.ndarray) -> np.ndarray:
        """The state at rest, with bases where they are commanded to be."""
        y = y.copy()
        y[self._ints[a.Y_V] : self._ints[a.Y_CONTROLS]] = 0.0
        controls = y[self._ints[a.Y_CONTROLS] : self._ints[a.Y_LENGTH]].reshape(-1, 2)
        controls[:, 0], controls[:, 1] = self._goals, 0.0
        return y

    def displaced(self, y: np.ndarray, dx: np.ndarray, share: float = 1.0) -> np.ndarray:
        """The state at rest after `share` of the step dx (size,); no joint turns by more than `MOST_TURN`."""
        y = self.placed(y)
        move = np.zeros(self._speeds)
        move[self._used] = share * np.linalg.solve(self._jacobian(y), dx)
        move *= min(1.0, MOST_TURN / max(1e-300, float(np.abs(move[self._is_turn]).max(initial=0.0))))
        rest_displaced(self.t, y, self._inputs, move, self._ints, self._reals, self._work)
        return self.placed(y)

    def speeds(self, y: np.ndarray) -> np.ndarray:
        """Rates of x in a state that moves, (size,)."""
        v = y[self._ints[a.Y_V] : self._ints[a.Y_CONTROLS]]
        return np.asarray(self._jacobian(y) @ v[self._used])

    def relax(self, y: np.ndarray, n: int, h: float) -> bool:
        """n steps of size h [s] in place, time standing still, friction off; False when it went wrong."""
        status = run(
            self.t, y, n, h, self._inputs, self._ints, self._reals, self._work, np.empty_like(y), _NOTHING
        )  # fmt: skip
        return bool(status == OK and np.isfinite(y).all())

    def settled(self, y: np.ndarray) -> np.ndarray:
        """The state as a run starts from it: friction unstrained, ledgers at zero."""
        y, ints = self.placed(y), self._ints
        y[ints[a.Y_SLACK] : ints[a.Y_STANDING]] = -1.0
        y[ints[a.Y_LEDGER] : ints[a.Y_LEDGER] + a.LEDGER_COUNT] = 0.0
        contact = y[ints[a.Y_CONTACT] : ints[a.Y_SLACK]].reshape(-1, 4)
        contact[:, 3] = 0.0
        if self._friction > 0.0:
            for _, _, push, j in self._touching(y):
                contact[j, :3] = record_of(ints, self._work, int(ints[a.N_BASES]) + j)[a.POSITION : a.POSITION + 3]
                contact[j, 3] = push
        return y

    def place(self, i: int) -> str:
        """What degree of freedom i belongs to."""
        return self._compiled.body_place(int(self._owners[i]))
