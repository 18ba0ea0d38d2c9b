"""Dynamic relaxation: let the system move by its own law, heavily damped, and stop it whenever it is fastest.

Motion finds the way that Newton's method cannot see: sinking to a far seabed, swinging over, unfolding. Kinetic energy
is greatest where the forces balance along the path, so stopping there leaves the system nearer to equilibrium
(kinetic damping). In water drag does the same, and seldom leaves a peak.
"""

from __future__ import annotations

import numpy as np

from fairlead.algebra.newton import Scale, moved_by
from fairlead.formulations.contract import Linearised

STEPS_A_LOOK = 5
PAST_PEAK = 0.9
"""Motion is stopped when its energy has fallen to this fraction of the latest peak."""
SHORTEST = 1e-6
"""Steps shorter than this fraction of the first one are of no use."""


class Relaxation:
    """A system let go: `y` is where it is, `steps` how many it took; `h` [s] halves where it proves too long."""

    def __init__(self, system: Linearised, y: np.ndarray, scale: Scale) -> None:
        self._system = system
        self._mass = system.mass(y)
        moves = moved_by(system)
        total = float((self._mass.diagonal() / system.levers**2)[moves].sum()) / 3.0
        self._most_energy = scale.force * scale.length * np.sqrt(moves.sum() / 3.0) * 100.0
        self.y = y
        self.steps = 0
        # the time in which an element falls through its own length
        self.h = self._first = 0.5 * np.sqrt(max(total, 1e-12) * scale.length / scale.force)

    def run(self, steps: int) -> bool:
        """So many steps more; False when even the shortest steps go wrong."""
        peak, good, y = 0.0, self.y, self.y.copy()
        for _ in range(0, steps, STEPS_A_LOOK):
            ok = self._system.relax(y, STEPS_A_LOOK, self.h)
            self.steps += STEPS_A_LOOK
            energy = self._energy(y) if ok else np.inf
            if not energy < self._most_energy:
                self.h *= 0.5
                if self.h < SHORTEST * self._first:
                    return False
                peak, y = 0.0, good.copy()
            elif energy < PAST_PEAK * peak:
                peak, y = 0.0, self._system.placed(y)
                good = y.copy()
            else:
                peak = max(peak, energy)
        self.y = self._system.placed(y)
        return True

    def _energy(self, y: np.ndarray) -> float:
        speeds = self._system.speeds(y)
        return 0.5 * float(speeds @ (self._mass @ speeds))
