"""Newton's method on a shape and its joint forces together, cautious far from equilibrium and quadratic near it.

Every step solves (K + μD) dx = r. D is the stiffness of an element hanging in its own weight, so that μ near 1 lets a
force of the size of that weight move its element by about its own length: μ grows where a step fails and falls where it
succeeds. It never vanishes, which holds what nothing else holds: spin without torsional stiffness, the turn of a point
without clamps, slack line on a smooth bed.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

TURN, SPIN = 3, 4
"""Kinds of a degree of freedom beside 0, 1, 2 (moves along global x, y, z): a turn, a spin about the cable's axis."""
MOST_ITERATIONS = 300
HARDLY = 1e-10
"""Least D as a fraction of the largest stiffness: without loads nothing else would keep clear of rounding."""
MOST_TURN = 0.5
"""rad: longest turn in one step."""
LEAST_SHIFT, MOST_SHIFT = 1e-6, 1e9
SHORTEST_SHARE = 1 / 256
"""A step that fails even at this share is tried again with a larger shift."""
PATIENCE = 15
"""Iterations without halving the merit after which a first attempt gives up: relaxation is cheaper than despair."""
MEMORY = 4
"""A step is good when it improves on the worst of so many: contacts that open and close need some slack."""
FORCE_TOLERANCE = 1e-9
"""Force left over, as a fraction of all loads."""
GAP_TOLERANCE = 1e-10
"""Gap left over, as a fraction of an element's length; a last step then leaves only rounding."""


class AtRest(Protocol):
    """What is to come to rest: degrees of freedom x (size,), moves and turns of what a state y holds.

    Joint forces may be kept in `y` as unknowns of their own: `tangent` and `imbalance` read, `displaced` updates them.
    """

    size: int
    levers: np.ndarray
    """(size,): metres by which a unit of x moves the cable; 1 for moves, a lever arm for turns."""
    kinds: np.ndarray
    """(size,): 0, 1, 2, `TURN` or `SPIN`."""

    def loads(self, y: np.ndarray) -> np.ndarray:
        """Loads from outside on x: weight, buoyancy, current, seabed, point loads, (size,) [N, N m]."""

    def residual(self, y: np.ndarray) -> np.ndarray:
        """All forces on x in this shape, (size,) [N, N m]: zero in equilibrium."""

    def imbalance(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same under the kept joint forces, and how far the shape is from these [m]: both zero in equilibrium."""

    def stress(self, y: np.ndarray) -> float:
        """Largest kept joint force [N]; 0 where none are kept."""

    def tangent(self, y: np.ndarray, sticking: bool = False) -> csc_matrix:
        """Stiffness −∂residual/∂x, (size, size); `sticking`: what lies on a rough seabed sticks to it."""

    def displaced(self, y: np.ndarray, dx: np.ndarray, share: float = 1.0) -> np.ndarray:
        """The state at rest after `share` of the step dx (size,)."""


@dataclass(frozen=True)
class Scale:
    """What is small in a system: force [N] is the sum of the sizes of all loads, length [m] that of an element."""

    force: float
    length: float
    shift: np.ndarray
    """(size,): the diagonal D, N/m and N m/rad."""

    @classmethod
    def of(cls, system: AtRest, y: np.ndarray) -> Scale:
        """The scale of a system under the loads it has in state `y`."""
        moves = moved_by(system)
        loads, leftover = np.abs(system.loads(y) / system.levers), np.abs(system.residual(y) / system.levers)
        force = max(float(loads.sum()), float(leftover.max(initial=0.0)), 1e-6)
        turns = system.levers[system.kinds >= TURN]
        length = 2.0 * float(turns.mean()) if len(turns) else 1.0
        count = max(1, int(moves.sum()) // 3)
        stiffest = float(np.abs(system.tangent(y).diagonal() / system.levers**2)[moves].max())
        return cls(force, length, system.levers**2 * max(force / (count * length), HARDLY * stiffest))


def moved_by(system: AtRest) -> np.ndarray:
    """Which degrees of freedom carry masses along, (size,): those that move; turns where joints leave nothing else."""
    moves = system.kinds < TURN
    return moves if moves.any() else np.ones(system.size, dtype=bool)


@dataclass(frozen=True)
class Attempt:
    """How Newton's method ended: the best state, whether it is an equilibrium, and the iterations it took."""

    y: np.ndarray
    held: bool
    iterations: int


def newton(system: AtRest, y: np.ndarray, scale: Scale, patience: int = PATIENCE) -> Attempt:
    """Look for the equilibrium near `y`; gives up after `patience` iterations that do not halve the merit."""
    shift = 1.0
    forces, gaps = _errors(system, y)
    history: deque[float] = deque(maxlen=MEMORY)
    best, waited = np.inf, 0
    for iteration in range(MOST_ITERATIONS):
        stress = max(scale.force, system.stress(y))
        if _small(forces, gaps, scale, stress):
            return Attempt(_polished(system, y, scale), True, iteration)
        merit = _merit(forces, gaps, stress, scale)
        history.append(merit)
        if merit < 0.5 * best:
            best, waited = merit, 0
        waited += 1
        if waited > patience:
            return Attempt(y, False, iteration)
        stiffness, residual = system.tangent(y), system.residual(y)
        while True:
            dx = _solved(stiffness, shift * scale.shift, residual)
            first = share = min(1.0, MOST_TURN / max(1e-300, _largest_turn(system, dx)))
            accepted = False
            while not accepted and share >= SHORTEST_SHARE * first:
                trial = system.displaced(y, dx, share)
                forces, gaps = _errors(system, trial)
                accepted = _merit(forces, gaps, stress, scale) < (1.0 - 1e-4 * share) * max(history)
                share *= 1.0 if accepted else 0.5
            if accepted:
                break
            shift *= 10.0
            if shift > MOST_SHIFT:
                return Attempt(y, False, iteration)
        y = trial
        shift = max(LEAST_SHIFT, shift * (0.1 if share == 1.0 else 0.5 if share > 0.3 else 2.0))
    return Attempt(y, False, MOST_ITERATIONS)


def _errors(system: AtRest, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Forces left over [N], torques as forces on their levers, and gaps left over [m]."""
    forces, gaps = system.imbalance(y)
    return forces / system.levers, gaps


def _merit(forces: np.ndarray, gaps: np.ndarray, stress: float, scale: Scale) -> float:
    merit = float(np.hypot(np.linalg.norm(forces) / stress, np.linalg.norm(gaps) / scale.length))
    return merit if np.isfinite(merit) else np.inf


def _small(forces: np.ndarray, gaps: np.ndarray, scale: Scale, stress: float) -> bool:
    tolerance = max(FORCE_TOLERANCE * scale.force, 1e-13 * stress)
    return bool(
        np.abs(forces).max(initial=0.0) <= tolerance and np.abs(gaps).max(initial=0.0) <= GAP_TOLERANCE * scale.length
    )


def _solved(stiffness: csc_matrix, shift: np.ndarray, residual: np.ndarray) -> np.ndarray:
    import scipy.sparse as sp  # a run from a first shape does without
    from scipy.sparse.linalg import splu

    dx: np.ndarray = splu((stiffness + sp.diags(shift)).tocsc()).solve(residual)
    return dx


def _largest_turn(system: AtRest, dx: np.ndarray) -> float:
    """Longest turn of a step [rad]; a spin about the cable's own axis moves nothing and counts not."""
    turns = (system.kinds >= TURN) & (system.kinds != SPIN)
    return float(np.abs(dx[turns]).max(initial=0.0))


def _polished(system: AtRest, y: np.ndarray, scale: Scale) -> np.ndarray:
    """One more full step, which near equilibrium leaves nothing but rounding; kept when it helps."""
    residual = system.residual(y)
    step = _solved(system.tangent(y), LEAST_SHIFT * scale.shift, residual)
    after = system.displaced(y, step)
    better = np.abs(system.residual(after) / system.levers).max() < np.abs(residual / system.levers).max()
    return after if better else y
