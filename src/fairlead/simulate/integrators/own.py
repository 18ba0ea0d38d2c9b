"""Integrators that a formulation carries out itself: semi-implicit and explicit Euler on its linear system."""

from __future__ import annotations

import numpy as np

from fairlead.formulations.contract import Compiled, Failure

from .contract import Integrator


class OwnScheme(Integrator):
    """Hands the steps to the formulation's `advance` under one of its `schemes`."""

    def __init__(self, compiled: Compiled, scheme: str):
        super().__init__(compiled)
        self.name = scheme

    def advance(self, t: float, y: np.ndarray, n: int, h: float, u: np.ndarray) -> Failure | None:
        return self.compiled.advance(t, y, n, h, u, self.name)
