"""Second-order Runge-Kutta with an adaptive step: Heun's method and Fehlberg's third-order companion, RKF2(3).

    k1 = f(t, y)     k2 = f(t + h, y + h k1)     k3 = f(t + h/2, y + h/4 (k1 + k2))
    y1 = y + h/2 (k1 + k2)                       error = h/3 (2 k3 - k1 - k2)

(E. Fehlberg, Low-order classical Runge-Kutta formulas with stepsize control, NASA TR R-315, 1969.) The error of each
state, times its weight in the layout, is held below `absolute + relative max(|y0|, |y1|)`: the largest ratio counts, so
that one restless element of a thousand is seen. The step follows the proportional-integral rule of Gustafsson.
"""

from __future__ import annotations

import numpy as np

from fairlead.algebra.compiled import entry
from fairlead.formulations.contract import ADAPTIVE_STEP, Compiled, Failure

from .contract import RhsIntegrator, compile_driver

REACHED = 0
STEP_TOO_SMALL = -1
UNFINISHED = -2

TRIALS_PER_CALL = 200_000
"""Trial steps before the driver comes back to Python, so that Ctrl-C is heard in a run that creeps."""

# Places in the control array that goes from call to call.
_TIME, _STEP, _ERROR, _WORST, _ACCEPTED, _REJECTED = range(6)


@entry
def _steps(rhs, settle, end, y, u, ints, reals, work, stages, weights, tolerance, control, trials):  # type: ignore[no-untyped-def]
    """Adaptive steps up to `end`; `stages` (5, size) holds k1..k3, the new state and the stage's state.

    `control` is (time, step, last error ratio, index of the worst state, accepted, rejected), all updated.
    """
    size = y.size
    state, new = stages[3], stages[4]
    relative, absolute = tolerance[0], tolerance[1]
    t, h, last = control[0], control[1], control[2]
    outcome = 0
    for _trial in range(trials):
        left = end - t
        if left <= 0.0:
            break
        cut = h >= left
        step = left if cut else h
        arrival = end if cut else t + step
        status = rhs(t, y, u, ints, reals, work, stages[0])
        if status == 0:
            for i in range(size):
                state[i] = y[i] + step * stages[0, i]
            status = rhs(arrival, state, u, ints, reals, work, stages[1])
        if status == 0:
            for i in range(size):
                state[i] = y[i] + 0.25 * step * (stages[0, i] + stages[1, i])
            status = rhs(t + 0.5 * step, state, u, ints, reals, work, stages[2])
        ratio = 0.0
        worst = 0
        finite = status == 0
        if finite:
            for i in range(size):
                new[i] = y[i] + 0.5 * step * (stages[0, i] + stages[1, i])
                error = weights[i] * abs(step / 3.0 * (2.0 * stages[2, i] - stages[0, i] - stages[1, i]))
                error /= absolute + relative * max(abs(y[i]), abs(new[i]))
                if not (error < np.inf and abs(new[i]) < np.inf):
                    finite = False
                    worst = i
                    break
                if error > ratio:
                    ratio = error
                    worst = i
        if finite and ratio <= 1.0:
            for i in range(size):
                y[i] = new[i]
            status = settle(arrival, y, u, step, ints, reals, work)
            t = arrival
            control[4] += 1.0
            ratio = max(ratio, 1e-10)
            if not cut:
                # A step cut short by the end of the interval says nothing about the step the motion needs.
                h *= min(5.0, max(0.2, 0.9 * ratio ** (-0.7 / 3.0) * last ** (0.4 / 3.0)))
                last = ratio
            if status != 0:
                outcome = status
                break
        else:
            h = step * (max(0.2, 0.9 * ratio ** (-1.0 / 3.0)) if finite else 0.1)
            control[3] = worst
            control[5] += 1.0
            if h < 1e-12 * max(1.0, abs(t)):
                outcome = status if status != 0 else -1
                break
    else:
        outcome = -2 if t < end else 0
    control[0], control[1], control[2] = t, h, last
    return outcome


_SIGNATURE = "rhs settle real reals reals ints reals reals rows reals reals reals int"


class RungeKutta2(RhsIntegrator):
    """Three evaluations of `rhs` a step; the step is chosen so that each step's error stays within the tolerance."""

    name = "rk2"

    def __init__(self, compiled: Compiled, relative: float = 1e-5, absolute: float = 1e-5):
        super().__init__(compiled)
        self._kernel = compile_driver(_steps, _SIGNATURE)
        self._stages = np.zeros((5, compiled.layout.size))
        self._weights = np.ascontiguousarray(compiled.layout.weights)
        self._memory = compiled.layout[ADAPTIVE_STEP].start
        self._weights[self._memory] = 0.0
        self._tolerance = np.array([relative, absolute])
        self.accepted = 0
        self.rejected = 0

    def advance(self, t: float, y: np.ndarray, n: int, h: float, u: np.ndarray) -> Failure | None:
        """Adaptive steps over n h; h is the first trial step of a run, afterwards the last one in `y` goes on."""
        c = self.compiled
        end = t + n * h
        control = np.zeros(6)
        control[_TIME], control[_ERROR] = t, 1.0
        control[_STEP] = y[self._memory] if y[self._memory] > 0.0 else h
        outcome = UNFINISHED
        while outcome == UNFINISHED:
            outcome = self._kernel(
                self._rhs, self._settle, end, y, u, c.ints, c.reals, c.work, self._stages, self._weights,
                self._tolerance, control, TRIALS_PER_CALL,
            )  # fmt: skip
        self.accepted += int(control[_ACCEPTED])
        self.rejected += int(control[_REJECTED])
        if n:
            y[self._memory] = control[_STEP]
        if outcome == REACHED:
            return None
        if outcome == STEP_TOO_SMALL:
            return self._creeping(control)
        return c.failure(outcome, float(control[_TIME]), y)

    def _creeping(self, control: np.ndarray) -> Failure:
        worst = int(control[_WORST])
        block = next(b for b in self.compiled.layout.blocks if b.start <= worst < b.stop)
        return Failure(
            time=float(control[_TIME]),
            place=f"state '{block.name}', number {worst - block.start} of {block.stop - block.start}",
            what=f"integrator 'rk2' found no step down to {control[_STEP]:.1e} s that meets its tolerance",
            cause="the motion grows without bound, or the joints are too stiff for an explicit integrator",
            cure="use simulation.integrator: semi_implicit, or a larger simulation.tolerance",
        )
