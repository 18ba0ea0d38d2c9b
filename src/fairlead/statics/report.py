"""How an equilibrium was found, and the error when there is none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from fairlead.formulations.contract import Failure
from fairlead.simulate.errors import SimulationError
from fairlead.words import number, percentage

if TYPE_CHECKING:
    from fairlead.rigging.compiled_rest import Found

Rung = Literal["first shape", "newton", "relaxation"]
RUNGS: tuple[Rung, ...] = ("first shape", "newton", "relaxation")

BALANCED = 1e-7
"""Force left over, as a fraction of the weight, up to which a state is in equilibrium."""


@dataclass(frozen=True)
class Report:
    """How well an equilibrium holds and what it took.

    rung        the step of the ladder that held: the first shape as it was, Newton's method from it, or Newton's method
                after dynamic relaxation
    iterations  of Newton's method, all attempts together
    steps       of dynamic relaxation
    residual    largest force left over on an element or a point [N] (a torque counts as a force at the element's end),
                evaluated afresh in the state that is reported
    weight      sum of the sizes of all loads [N]: weight, buoyancy, current, seabed, point loads; the largest tension
                where that is more
    worst       where the residual is
    stable      whether a small disturbance would die out
    notes       what a user should know about it
    rounding    force that rounding may leave over in its stiffest element [N], where that matters
    """

    rung: Rung
    iterations: int
    steps: int
    residual: float
    weight: float
    worst: str
    stable: bool
    notes: tuple[str, ...] = ()
    rounding: float = 0.0

    @classmethod
    def of(cls, found: Found, worst: str) -> Report:
        """Of what the compiled search has found, whose worst place has that name."""
        rung: Rung = "newton" if found.iterations else "first shape"
        return cls(rung, found.iterations, 0, found.residual, found.weight, worst, True)

    def after(self, before: Report) -> Report:
        """The same with what the searches before it took."""
        rung = max(before.rung, self.rung, key=RUNGS.index)
        return replace(self, rung=rung, iterations=before.iterations + self.iterations, steps=before.steps + self.steps)

    def verified(self, residual: float, worst: str) -> Report:
        """The same with the force left over as an independent evaluation finds it."""
        return replace(self, residual=residual, worst=worst)

    @property
    def holds(self) -> bool:
        """Whether the forces balance."""
        return self.residual <= max(BALANCED * self.weight, self.rounding)

    @property
    def relative(self) -> float:
        """Residual as a fraction of the weight."""
        return self.residual / self.weight

    def __str__(self) -> str:
        effort = f"{self.iterations} iteration{'' if self.iterations == 1 else 's'}"
        if self.steps:
            effort = f"{self.steps} steps of relaxation, {effort}"
        return f"{self.rung} ({effort}); {percentage(self.relative)} of the weight left over"


class StaticsError(SimulationError):
    """No equilibrium was found; `failure` says where it fails, why and what to do."""


def unbalanced(t: float, report: Report) -> Failure:
    """Why a state that a search took for an equilibrium is none."""
    return Failure(
        t,
        report.worst,
        f"statics did not converge: {number(report.residual, 3)} N are left over there, {percentage(report.relative)} "
        "of the weight, when all forces are evaluated again in the state found",
        "an element that bobs in the water surface or touches the seabed on its edge, or a very stiff short element",
        "give free points and bodies a position nearer to where they will rest, use softer or longer elements there, "
        "or start a run from the catenary",
    )
