"""The classical fourth-order Runge-Kutta method with a fixed step."""

from __future__ import annotations

import numpy as np

from fairlead.algebra.compiled import entry
from fairlead.formulations.contract import Compiled, Failure

from .contract import RhsIntegrator, compile_driver


@entry
def _steps(rhs, settle, t, y, n, h, u, ints, reals, work, stages):  # type: ignore[no-untyped-def]
    """n steps of y1 = y0 + h/6 (k1 + 2 k2 + 2 k3 + k4); `stages` (5, size) holds k1..k4 and the stage's state.

    Returns (status, steps done). Memory that is not integrated has a zero derivative and so stays as `settle` left it.
    """
    size = y.size
    state = stages[4]
    for step in range(n):
        start = t + step * h
        status = rhs(start, y, u, ints, reals, work, stages[0])
        if status != 0:
            return status, step
        for k in range(1, 4):
            part = h if k == 3 else 0.5 * h
            for i in range(size):
                state[i] = y[i] + part * stages[k - 1, i]
            status = rhs(start + part, state, u, ints, reals, work, stages[k])
            if status != 0:
                return status, step
        for i in range(size):
            y[i] += h / 6.0 * (stages[0, i] + 2.0 * (stages[1, i] + stages[2, i]) + stages[3, i])
        status = settle(t + (step + 1) * h, y, u, h, ints, reals, work)
        if status != 0:
            return status, step + 1
    return 0, n


_SIGNATURE = "rhs settle real reals int real reals ints reals reals rows"


class RungeKutta4(RhsIntegrator):
    """Four evaluations of `rhs` a step; error of order 4 in the step."""

    name = "rk4"

    def __init__(self, compiled: Compiled):
        super().__init__(compiled)
        self._kernel = compile_driver(_steps, _SIGNATURE)
        self._stages = np.zeros((5, compiled.layout.size))

    def advance(self, t: float, y: np.ndarray, n: int, h: float, u: np.ndarray) -> Failure | None:
        c = self.compiled
        status, done = self._kernel(self._rhs, self._settle, t, y, n, h, u, c.ints, c.reals, c.work, self._stages)
        return None if status == 0 else c.failure(status, t + done * h, y)
