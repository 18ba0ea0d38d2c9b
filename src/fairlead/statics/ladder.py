"""Newton's method and dynamic relaxation by turns, for any formulation: the ladder of `equilibrium`, rung by rung."""

from __future__ import annotations

import numpy as np

from fairlead.algebra.newton import PATIENCE, Attempt, Scale, newton
from fairlead.formulations.contract import Failure, Linearised
from fairlead.words import number

from .relaxation import Relaxation
from .report import Report, Rung, StaticsError
from .stability import is_stable

FIRST_STEPS = 200
ROUNDS = 7
"""Rounds of relaxation, each twice as long as the one before."""
ROUNDS_BESIDE = 3
"""Rounds spent on leaving an unstable equilibrium."""
QUICK = 1_000_000
"""Steps of relaxation times degrees of freedom that a search spends which has something to fall back on: seconds."""
NUDGE = 1e-3
"""Size, in element lengths, of the push that shows whether an unstable equilibrium has a stable one beside it."""
UNSTABLE = (
    "the static equilibrium is unstable: a small disturbance makes the system leave it; slack line on a smooth seabed, "
    "thrust in a stiff cable or a weight above its support do this"
)


THRUST = 1e-3
"""Thrust in an element, as a fraction of the largest force in the lines, that no unstable equilibrium may have."""


class Ladder:
    """The methods in their order, and a count of what they took."""

    def __init__(self, system: Linearised, y: np.ndarray, work: int | None) -> None:
        """work: steps of relaxation times degrees of freedom that may be spent; as many as it takes when None."""
        self._system = system
        self._left = None if work is None else work // max(1, system.size)
        self._scale = Scale.of(system, y)
        self._start = y
        self._iterations = 0
        self._steps = 0
        self._stable = True

    def climb(self) -> tuple[np.ndarray, Report]:
        """The equilibrium, and how it was found."""
        y, rung = self._climbed()
        return y, self._report(y, rung)

    def _climbed(self) -> tuple[np.ndarray, Rung]:
        """The equilibrium and the rung that held."""
        attempt = newton(self._system, self._start, self._scale)
        self._iterations = attempt.iterations
        rung: Rung = "newton" if attempt.iterations else "first shape"
        found = attempt.y
        if attempt.held:
            self._stable = is_stable(self._system, found, self._scale)
        else:
            found, rung = self._relaxed(self._start), "relaxation"
        if not self._stable:
            beside = self._beside(found)
            if beside is not None:
                self._stable = True
                return beside, "relaxation"
            self._refuse_thrust(found)
        return found, rung

    def _relaxed(self, y: np.ndarray) -> np.ndarray:
        """Newton's method, ever more patient, after more and more relaxation; raises when it never holds.

        An unstable equilibrium is passed by: the system goes on moving for a few rounds more.
        """
        relaxation = Relaxation(self._system, y, self._scale)
        passed: np.ndarray | None = None
        rounds = ROUNDS
        for k in range(ROUNDS):
            steps = self._allowed(FIRST_STEPS * 2**k)
            if not steps or k >= rounds:
                break
            moving = relaxation.run(steps)
            attempt = newton(self._system, relaxation.y, self._scale, (k + 1) * PATIENCE)
            self._count(relaxation, attempt)
            if attempt.held and is_stable(self._system, attempt.y, self._scale):
                return attempt.y
            if attempt.held and passed is None:
                passed, rounds = attempt.y, k + 1 + ROUNDS_BESIDE
            if not moving:
                break
            relaxation.h *= 0.5
        if passed is not None:
            self._stable = False
            return passed
        if self._left is None:
            attempt = newton(self._system, y, self._scale, ROUNDS * PATIENCE)
            self._count(relaxation, attempt)
            if attempt.held:
                self._stable = is_stable(self._system, attempt.y, self._scale)
                return attempt.y
        raise StaticsError(self._failure(relaxation.y))

    def _beside(self, y: np.ndarray) -> np.ndarray | None:
        """A stable equilibrium that the system moves to when it is pushed off `y`, if there is one."""
        push = np.random.default_rng(0).normal(size=self._system.size)
        nudged = self._system.displaced(y, NUDGE * self._scale.length * push / self._system.levers)
        relaxation = Relaxation(self._system, nudged, self._scale)
        for k in range(ROUNDS_BESIDE):
            steps = self._allowed(FIRST_STEPS * 2**k)
            if not steps:
                break
            relaxation.run(steps)
            attempt = newton(self._system, relaxation.y, self._scale)
            self._count(relaxation, attempt)
            if attempt.held and is_stable(self._system, attempt.y, self._scale):
                return attempt.y
        return None

    def _refuse_thrust(self, y: np.ndarray) -> None:
        """Raise where an unstable equilibrium stands on elements in thrust: they would buckle at a touch."""
        thrust = getattr(self._system, "thrust", None)
        if thrust is None:
            return
        size, place = thrust(y)
        if size > THRUST * self._system.stress(y):
            raise StaticsError(
                Failure(
                    self._system.t,
                    place,
                    f"no stable equilibrium was found: in the only balance found this element is in thrust of "
                    f"{number(size, 3)} N and buckles at a touch",
                    "elements that stand on end or are folded back on themselves: free points far from where they will "
                    "rest, or short stiff elements",
                    "give free points a position nearer to where they will rest, check lengths, use fewer or softer "
                    "elements there, or start a run from the catenary",
                )
            )

    def _allowed(self, steps: int) -> int:
        """How many of so many steps of relaxation may still be made."""
        if self._left is None:
            return steps
        steps = min(steps, self._left)
        self._left -= steps
        return steps

    def _count(self, relaxation: Relaxation, attempt: Attempt) -> None:
        self._iterations += attempt.iterations
        self._steps += relaxation.steps
        relaxation.steps = 0

    def _report(self, y: np.ndarray, rung: Rung) -> Report:
        """What a user should know of the equilibrium."""
        residual, worst = self._worst(y)
        weight = max(self._scale.force, self._system.stress(y))
        notes = () if self._stable else (UNSTABLE,)
        return Report(rung, self._iterations, self._steps, residual, weight, worst, self._stable, notes)

    def _worst(self, y: np.ndarray, kept: bool = False) -> tuple[float, str]:
        forces = self._system.imbalance(y)[0] if kept else self._system.residual(y)
        size = np.abs(forces / self._system.levers)
        i = int(size.argmax())
        return float(size[i]), self._system.place(i)

    def _failure(self, y: np.ndarray) -> Failure:
        residual, worst = self._worst(y, kept=True)
        return Failure(
            self._system.t,
            worst,
            f"no static equilibrium was found: {number(residual, 3)} N are left over there after {self._iterations} "
            f"iterations of Newton's method and {self._steps} steps of relaxation",
            "a part that nothing holds (a cable without a fixed end or a seabed, a torque that no clamp takes up), a "
            "shape very far from rest, or an element that bobs in the water surface",
            "hold it, give free points a position nearer to where they will rest, check loads and lengths, or start a "
            "run from the catenary",
        )
