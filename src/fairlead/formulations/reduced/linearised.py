"""Forces, stiffness and mass of reduced cables at rest, for statics and modes: a few dense numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from fairlead.formulations.held_still import CoordinatesAtRest

if TYPE_CHECKING:
    from .compiled_reduced import CompiledReduced


class LinearisedReduced(CoordinatesAtRest):
    """See `fairlead.formulations.contract.Linearised`. Degrees of freedom are the coordinates."""

    def __init__(self, compiled: CompiledReduced, t: float, u: np.ndarray) -> None:
        super().__init__(compiled, t)
        self._compiled, self._u = compiled, u
        self.size = compiled._built.tables.modes
        self.levers, self.kinds = np.ones(self.size), np.zeros(self.size, dtype=int)
        self._q, self._rates = compiled.layout["coordinate"], compiled.layout["rate"]

    def residual(self, y: np.ndarray) -> np.ndarray:
        """All forces on the coordinates, (size,) N."""
        return self._compiled.forces(self.t, y.copy(), self._u)[: self.size]

    def loads(self, y: np.ndarray) -> np.ndarray:
        """Weight on the coordinates, (size,) N: what the forces left over are measured by."""
        return np.asarray(-self._compiled.tables(y).weight.value[: self.size])

    def tangent(self, y: np.ndarray, sticking: bool = False) -> sp.csc_matrix:
        """Stiffness, (size, size)."""
        return sp.csc_matrix(self._compiled.stiffness(self.t, y, self._u))

    def mass(self, y: np.ndarray) -> sp.csc_matrix:
        """Mass matrix with added mass, (size, size): the kinetic energy of unit rates and of their sums."""
        k, still = self.size, self.placed(y)
        still[self._compiled.layout["end_rate"]] = 0.0

        def kinetic(rate: np.ndarray) -> float:
            still[self._rates] = rate
            row = self._compiled.shape.empty_row()
            self._compiled.observe(self.t, still, self._u, 1.0, row)
            return float(row[self._compiled.shape.column("energy_kinetic")])

        unit = np.eye(k)
        own = [kinetic(rate) for rate in unit]
        whole = np.diag(2.0 * np.array(own))
        if self._compiled.tables(y).water:
            for i in range(k):
                for j in range(i):
                    whole[i, j] = whole[j, i] = kinetic(unit[i] + unit[j]) - own[i] - own[j]
        return sp.csc_matrix(whole)

    def placed(self, y: np.ndarray) -> np.ndarray:
        """The state at rest; prescribed points stand where they are."""
        y = y.copy()
        for name in ("rate", "acceleration", "acceleration_before"):
            y[self._compiled.layout[name]] = 0.0
        return y

    def displaced(self, y: np.ndarray, dx: np.ndarray, share: float = 1.0) -> np.ndarray:
        """The state at rest after `share` of the step dx (size,)."""
        y = self.placed(y)
        y[self._q] += share * dx
        return y

    def settled(self, y: np.ndarray) -> np.ndarray:
        """The equilibrium as a run starts from it: pulls, torques and reactions in accord with it, ledgers at zero."""
        y = self.placed(y)
        y[self._compiled.layout["reaction"]] = -self._compiled.forces(self.t, y, self._u)[self.size : -1]
        y[self._compiled.layout["ledger"]] = 0.0
        return y

    def place(self, i: int) -> str:
        """What a degree of freedom belongs to, for people."""
        return f"mode {i + 1} of {' and '.join(self._compiled.model.cables)}"
