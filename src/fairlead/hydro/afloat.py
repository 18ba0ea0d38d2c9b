"""Hulls that come to rest on cables of another formulation: Newton's method on the moves of the hulls, in rounds.

In each round the cables are at rest with their led ends where the hulls are (`statics` sees to that). The force left on
the hulls and its stiffness, that of still water, of springs and of the cables, give the next place of the hulls. How
the pulls change with the places of the ends, the cables at rest all the while, is found by moving each end a little and
letting the cables follow by one step of Newton's method.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from fairlead.algebra.newton import TURN
from fairlead.formulations.contract import Linearised
from fairlead.formulations.led_ends import LedEnds

from .at_rest import CablesAtRest
from .fastened import WithCables
from .panels import Floats
from .tree_at_rest import TreeAtRest
from .vectors import skew

MOST_ROUNDS = 40
NUDGE = 1e-4
"""By which an end is moved to see how the pulls change, m."""
MOST_TURN, MOST_MOVE = 0.1, 0.1
"""Of a hull in one round: rad, and the share of its size."""
SOFT = 1e-7
"""Share of the largest stiffness that is added to all: what nothing holds stays where it is."""
CAPSIZES = (
    "hydro: the equilibrium of the hulls is unstable, they capsize at a touch; check the heights of their centres of "
    "mass, or hold them (`hydro.at_rest: hold`, `locked`)"
)
LEFT = 1e-8
"""Force that may be left, as a share of all weights."""


class Afloat(CablesAtRest):
    """Cables at rest with the hulls where they are in this round; `following` is the next one."""

    def __init__(
        self,
        t: float,
        hulls: TreeAtRest,
        both: WithCables,
        cables: LedEnds,
        parts: tuple[slice, slice],
        size: float,
        hang_up: Callable[[float, np.ndarray], None],
        notes: Callable[[float, np.ndarray], tuple[str, ...]],
        rounds: int = 0,
        stable: bool = True,
    ) -> None:
        """parts: of hulls and cables together, and of the cables alone, in the state; size: of the hulls, m."""
        super().__init__(cables.compiled.linearised(t, cables.u), parts[1], hang_up, notes)
        self._all = hulls, both, cables, parts, size, hang_up, notes
        self._rounds, self._stable = rounds, stable

    def following(self, y: np.ndarray) -> tuple[Afloat, np.ndarray] | None:
        """The next round and the state it starts from, after cables at rest were found in y; None when all is."""
        hulls, both, cables, (carried, _), size, *_ = self._all
        moves, pulls, forces = self._on_hulls(y)
        left = float(np.abs(forces / hulls.levers).max(initial=0.0)) / self._weight(y)
        if not LEFT < left < np.inf or self._rounds >= MOST_ROUNDS:
            return None
        by = hulls.by_moves(y, moves)
        K = np.asarray(hulls.tangent(y).todense()) + by.T @ self._resistance(y, pulls) @ by + self._swung(y, pulls)
        scaled = K / np.outer(hulls.levers, hulls.levers)
        least = float(np.linalg.eigvalsh(0.5 * (scaled + scaled.T))[0])
        K += np.diag(SOFT * hulls.levers**2 * float(np.abs(np.diag(K) / hulls.levers**2).max()))
        dz = np.linalg.solve(K, forces)
        turns = hulls.kinds >= TURN
        turned, moved = (float(np.abs(dz[which]).max(initial=0.0)) for which in (turns, ~turns))
        share = 1.0 / max(1.0, turned / MOST_TURN, moved / (MOST_MOVE * size))
        if not np.isfinite(share):
            return None
        after = hulls.displaced(y, dz, share)
        cables.hold(both.ends(self.t, after[carried]).places)
        ahead = Afloat(self.t, *self._all, rounds=self._rounds + 1, stable=least > -SOFT * float(np.abs(scaled).max()))
        return ahead, ahead.placed(after)

    def left_over(self, y: np.ndarray) -> tuple[float, float, str]:
        """The largest force left over on hulls and cables in a state at rest [N], all weights [N], and where it is."""
        hulls, _, cables, (_, hung), *_ = self._all
        fresh = cables.compiled.linearised(self.t, cables.u)
        found = []
        for system, forces in ((hulls, self._on_hulls(y)[2]), (fresh, fresh.residual(np.ascontiguousarray(y[hung])))):
            if system.size:
                sizes = np.abs(forces / system.levers)
                worst = int(sizes.argmax())
                found.append((float(sizes[worst]), system.place(worst)))
        residual, worst_place = max(found, key=lambda one: np.inf if np.isnan(one[0]) else one[0])
        return residual, max(self._weight(y), self.stress(y)), worst_place

    def _on_hulls(self, y: np.ndarray) -> tuple[Floats, Floats, Floats]:
        """How the cables' ends move with the hulls, the cables' pulls on them, and all forces on the hulls' moves."""
        hulls, both, cables, (_, hung), *_ = self._all
        moves = self._end_moves(y)
        pulls = cables.at_rest(self.t, np.ascontiguousarray(y[hung]), both.step).ravel()
        return moves, pulls, hulls.residual(y) + hulls.on_moves(y, moves.T @ pulls)

    def _weight(self, y: np.ndarray) -> float:
        """All loads on the hulls [N]."""
        hulls = self._all[0]
        return max(float(np.abs(hulls.loads(y) / hulls.levers).sum()), 1e-6)

    def notes(self, y: np.ndarray) -> tuple[str, ...]:
        """What a user should know of an equilibrium."""
        return (*super().notes(y), *(() if self._stable else (CAPSIZES,)))

    def _end_moves(self, y: np.ndarray) -> Floats:
        """∂(places of all ends)/∂(all speeds of the hulls' tree), (3 ends, speeds)."""
        hulls, both, *_ = self._all
        jacobians, motions = hulls.hulls_in(y)
        rows = []
        for fastening in both.fastenings:
            J, motion = jacobians[fastening.hull], motions[fastening.hull]
            rows.append(J[:3] - skew(motion.rotation @ fastening.place) @ J[3:])
        return np.concatenate(rows)

    def _swung(self, y: np.ndarray, pulls: Floats) -> Floats:
        """Stiffness (size, size) of pulls p whose arms r swing with the hulls: δ × r, so (r·p) 1 − r pᵀ on turns δ."""
        hulls, both, *_ = self._all
        jacobians, motions = hulls.hulls_in(y)
        K = np.zeros((hulls.size, hulls.size))
        for fastening, pull in zip(both.fastenings, pulls.reshape(-1, 3), strict=True):
            turns = hulls.by_moves(y, jacobians[fastening.hull][3:])
            arm = motions[fastening.hull].rotation @ fastening.place
            K += turns.T @ ((arm @ pull) * np.eye(3) - np.outer(arm, pull)) @ turns
        return K

    def _resistance(self, y: np.ndarray, pulls: Floats) -> Floats:
        """How much less all ends pull for each metre that each of them moves, (3 ends, 3 ends), N/m."""
        _, both, cables, (carried, hung), *_ = self._all
        own, before = np.ascontiguousarray(y[hung]), cables.u.copy()
        places = both.ends(self.t, y[carried]).places
        K = np.zeros((len(pulls), len(pulls)))
        for end, (part, place) in enumerate(zip(cables.led, places, strict=True)):
            for axis in range(3):
                cables.u[part] = place + NUDGE * np.eye(3)[axis]
                system = cables.compiled.linearised(self.t, cables.u)
                after = _followed(system, system.placed(own))
                K[:, 3 * end + axis] = (pulls - cables.at_rest(self.t, after, both.step).ravel()) / NUDGE
                cables.u[:] = before
        return np.asarray(0.5 * (K + K.T))


def _followed(system: Linearised, y: np.ndarray) -> np.ndarray:
    """The cables after a small move of their ends: one step of Newton's method."""
    K = system.tangent(y)
    softest = 1e-10 * float(abs(K).max())
    step = splu((K + softest * sp.diags(system.levers**2)).tocsc()).solve(system.residual(y))
    return system.displaced(y, step)
