"""How an equilibrium was found, and the error when there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from fairlead.simulate.errors import SimulationError
from fairlead.words import percentage

if TYPE_CHECKING:
    from fairlead.rigging.compiled_rest import Found

Rung = Literal["first shape", "newton", "relaxation"]


@dataclass(frozen=True)
class Report:
    """How well an equilibrium holds and what it took.

    rung        the step of the ladder that held: the first shape as it was, Newton's method from it, or Newton's method
                after dynamic relaxation
    iterations  of Newton's method, all attempts together
    steps       of dynamic relaxation
    residual    largest force left over on an element or a point [N] (a torque counts as a force at the element's end)
    weight      sum of the sizes of all loads [N]: weight, buoyancy, current, seabed, point loads; the largest tension
                where that is more
    worst       where the residual is
    stable      whether a small disturbance would die out
    notes       what a user should know about it
    """

    rung: Rung
    iterations: int
    steps: int
    residual: float
    weight: float
    worst: str
    stable: bool
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, found: Found, worst: str) -> Report:
        """Of what the compiled search has found, whose worst place has that name."""
        rung: Rung = "newton" if found.iterations else "first shape"
        return cls(rung, found.iterations, 0, found.residual, found.weight, worst, True)

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
