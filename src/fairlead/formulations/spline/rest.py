"""The first state: each cable in its own discrete equilibrium between its ends.

A catenary is not enough: what it lacks in stretch and bend would ring through the cable for ever, since nothing damps
it. Free points stay where they are laid out; they are let go when the run begins.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from .linearised import LinearisedSpline

MOST_ITERATIONS = 200
FORCE_TOLERANCE = 1e-9
"""Force left over as a part of all loads."""
ROUNDING = 1e-13
"""Force left over as a part of the axial stiffness: what rounding makes of the strain."""
GAP_TOLERANCE = 1e-11
"""Length by which an element may miss the stretch of its tension [m]."""


def at_rest(system: LinearisedSpline, y: np.ndarray) -> tuple[np.ndarray, bool]:
    """The equilibrium near `y` and whether it was found; Newton's method, cautious where it does not get on.

    Every step solves (K + μD)dx = F with a shift D of the size of the loads over an element; μ grows tenfold where
    even a short step does not help, and falls where a full one does.
    """
    y = system.placed(y)
    if system.size == 0:
        return system.settled(y), True
    loads = max(float(np.abs(system.loads(y)).sum()), 1e-6)
    stiffest = float(np.abs(system.tangent(y).diagonal()).max())
    shift = max(loads / max(1, system.size // 3), 1e-10 * stiffest)
    tolerance = max(FORCE_TOLERANCE * loads, ROUNDING * system.stiffest)
    mu = 1.0
    for _ in range(MOST_ITERATIONS):
        forces, gaps = system.imbalance(y)
        merit = _merit(forces, gaps, loads)
        if np.abs(forces).max() <= tolerance and np.abs(gaps).max() <= GAP_TOLERANCE:
            return system.settled(_polished(system, y)), True
        stiffness, residual = system.tangent(y), system.residual(y)
        while True:
            dx = splu((stiffness + sp.identity(system.size) * (mu * shift)).tocsc()).solve(residual)
            share = 1.0
            while share > 1e-3:
                trial = system.displaced(y, dx, share)
                if _merit(*system.imbalance(trial), loads) < (1.0 - 1e-4 * share) * merit:
                    break
                share *= 0.5
            else:
                mu *= 10.0
                if mu > 1e9:
                    return y, False
                continue
            break
        y = trial
        mu = max(1e-9, mu * (0.1 if share == 1.0 else 1.0))
    return y, False


def _merit(forces: np.ndarray, gaps: np.ndarray, loads: float) -> float:
    merit = float(np.hypot(np.linalg.norm(forces) / loads, np.linalg.norm(gaps)))
    return merit if np.isfinite(merit) else np.inf


def _polished(system: LinearisedSpline, y: np.ndarray) -> np.ndarray:
    """One or two more full steps, kept as far as they help: they leave nothing but rounding."""
    for _ in range(2):
        residual = system.residual(y)
        try:
            after = system.displaced(y, splu(system.tangent(y)).solve(residual))
        except RuntimeError:  # nothing holds some of it, as across a weightless straight cable without tension
            break
        if not np.abs(system.residual(after)).max() < np.abs(residual).max():
            break
        y = after
    return y
