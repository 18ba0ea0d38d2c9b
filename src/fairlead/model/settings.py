"""How a system is simulated and what is written down."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from fairlead.model.methods import BarsSettings
from fairlead.model.part import Part
from fairlead.model.problems import Mistake
from fairlead.model.values import Flag, Name, Quantity

MOST_STEPS = 1e10
MOST_SAMPLES = 1e6
_SAME = 1e-9
_Positive = Annotated[float, Quantity(above=0)]


class Tolerance(Part):
    """Accuracy asked of an integrator that chooses its own steps."""

    relative: _Positive = Field(default=1e-5, description="relative error allowed in a step")
    absolute: _Positive = Field(default=1e-5, description="absolute error allowed in a step, in SI units")


def _default_output_every(known: dict[str, Any]) -> float:
    """About 200 samples, on whole steps."""
    duration: float = known.get("duration", 1.0)
    step: float = known.get("step", 1.0)
    return max(1, round(duration / 200 / step)) * step


class SimulationSettings(Part):
    """Time and method."""

    formulation: Literal["bars"] = Field(
        default="bars", description="how a cable moves: `bars`, rigid bars with compliant joints"
    )
    duration: Annotated[float, Quantity("s", above=0)] = Field(description="simulated time; a whole number of steps")
    step: Annotated[float, Quantity("s", above=0)] = Field(description="time step")
    output_every: Annotated[float, Quantity("s", above=0)] = Field(
        default_factory=_default_output_every,
        description="time between samples, a whole number of steps; about duration / 200 when left out",
    )
    start: Literal["catenary", "statics"] = Field(
        default="catenary",
        description="first shape: each cable hangs by itself (`catenary`), or static equilibrium (`statics`)",
    )
    integrator: Literal["auto", "semi_implicit", "explicit_euler", "rk2", "rk4"] = Field(
        default="auto",
        description="how time advances; `auto` is the formulation's own best, `rk2` chooses its own steps by "
        "`tolerance`",
    )
    tolerance: Tolerance = Field(default=Tolerance(), description="accuracy asked of `rk2`")
    bars: BarsSettings = Field(default=BarsSettings(), description="settings of the `bars` formulation")

    def relations(self) -> Iterator[Mistake]:
        if self.duration / self.step > MOST_STEPS:
            yield Mistake(("step",), f"makes {self.duration / self.step:.3g} steps, more than {MOST_STEPS:g}",
                          f"use a step of {self.duration / MOST_STEPS:.3g} s or more")  # fmt: skip
            return
        for name in ("duration", "output_every"):
            span: float = getattr(self, name)
            whole = max(1, round(span / self.step))
            if abs(span - whole * self.step) > _SAME * span:
                yield Mistake((name,), f"{span:.9g} s is not a whole number of steps of {self.step:.9g} s",
                              f"use {whole * self.step:.9g} s")  # fmt: skip
        if self.output_every > self.duration * (1 + _SAME):
            yield Mistake(("output_every",), f"{self.output_every:.9g} s is longer than the duration",
                          f"use {self.duration:.9g} s or less")  # fmt: skip
        if self.duration / self.output_every > MOST_SAMPLES:
            count = self.duration / self.output_every
            yield Mistake(("output_every",), f"makes {count:.3g} samples, more than {MOST_SAMPLES:g}",
                          f"use {self.duration / MOST_SAMPLES:.3g} s or more")  # fmt: skip


class OutputSettings(Part):
    """What goes into the result file."""

    cables: tuple[Name, ...] | None = Field(default=None, description="names of the cables to write; all when left out")
    energy: Flag = Field(default=True, description="whether energies and works are written")

    def relations(self) -> Iterator[Mistake]:
        if self.cables is not None and not self.cables:
            yield Mistake(("cables",), "must name at least one cable", "leave it out to write all")
