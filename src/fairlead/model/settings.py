"""How a system is simulated and what is written down."""

import math
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from fairlead.model.methods import (
    BarsSettings,
    LinksSettings,
    LumpedSettings,
    MultibodySettings,
    ReducedSettings,
    SplineSettings,
    TetherSettings,
)
from fairlead.model.part import Part
from fairlead.model.problems import Mistake
from fairlead.model.values import Flag, Name, Quantity
from fairlead.words import number

MOST_STEPS = 1e10
MOST_SAMPLES = 1e6
INEXTENSIBLE = ("chain",)
"""Formulations whose cables keep their length whatever pulls at them."""
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

    formulation: Literal["bars", "lumped", "tether", "links", "spline", "chain", "multibody", "reduced"] = Field(
        default="bars",
        description="how a cable moves: `bars`, rigid bars with compliant joints; "
        "`lumped`, point masses and springs; "
        "`links`, rigid links with elastic joints; "
        "`spline`, cubic splines with bending and torsion; "
        "`chain`, rigid links that do not stretch; "
        "`multibody`, trees of bodies and joints; "
        "`reduced`, a few shapes of a cable's motion, from a run; "
        "`tether`, nodes held apart by controlled links",
    )
    duration: Annotated[float, Quantity("s", above=0)] = Field(description="simulated time; a whole number of steps")
    step: Annotated[float, Quantity("s", above=0)] = Field(description="time step")
    output_every: Annotated[float, Quantity("s", above=0)] = Field(
        default_factory=_default_output_every,
        description="time between samples, a whole number of steps; when left out, a twentieth of the shortest period "
        "of waves and motions, at most duration / 200, at least duration / 20,000",
    )
    start: Literal["auto", "statics", "catenary", "unstretched"] = Field(
        default="auto",
        description="how the run begins: in static equilibrium (`statics`), each cable hanging by itself where its "
        "ends are (`catenary`), the same with elements as long as they are unstretched, as papers begin "
        "(`unstretched`), or in equilibrium where one is found and else from the catenary, with a note (`auto`)",
    )
    integrator: Literal["auto", "semi_implicit", "explicit_euler", "verlet", "midpoint", "rk2", "rk4"] = Field(
        default="auto",
        description="how time advances; `auto` is the formulation's own best, `rk2` chooses its own steps by "
        "`tolerance`",
    )
    tolerance: Tolerance = Field(default=Tolerance.unsaid(), description="accuracy asked of `rk2`")
    bars: BarsSettings = Field(default=BarsSettings.unsaid(), description="settings of the `bars` formulation")
    links: LinksSettings = Field(default=LinksSettings.unsaid(), description="settings of the `links` formulation")
    lumped: LumpedSettings = Field(default=LumpedSettings.unsaid(), description="settings of the `lumped` formulation")
    multibody: MultibodySettings = Field(
        default=MultibodySettings.unsaid(), description="settings of the `multibody` formulation"
    )
    reduced: ReducedSettings = Field(
        default=ReducedSettings.unsaid(), description="settings of the `reduced` formulation"
    )
    spline: SplineSettings = Field(default=SplineSettings.unsaid(), description="settings of the `spline` formulation")
    tether: TetherSettings = Field(default=TetherSettings.unsaid(), description="settings of the `tether` formulation")

    @property
    def stretches(self) -> bool:
        """Whether the cables of its formulation stretch."""
        return self.formulation not in INEXTENSIBLE and not (self.formulation == "tether" and self.tether.keeps_length)

    @property
    def from_first_shape(self) -> bool:
        """Whether the run begins where each cable was laid by itself, at rest or not."""
        return self.start in ("catenary", "unstretched")

    def relations(self) -> Iterator[Mistake]:
        if self.duration / self.step > MOST_STEPS:
            steps = number(self.duration / self.step, 3)
            yield Mistake(("step",), f"makes {steps} steps, more than {number(MOST_STEPS)}",
                          f"use a step of {self.duration / MOST_STEPS:.3g} s or more")  # fmt: skip
            return
        # The cure of each mistake holds together with those of the others.
        duration = self._whole_steps(self.duration)
        if abs(self.duration - duration) > _SAME * self.duration:
            yield self._not_whole("duration", f"use {duration:.9g} s")
        longest = f"use {duration:.9g} s or less"
        least = self.step * math.ceil(duration / MOST_SAMPLES / self.step * (1 - _SAME))
        if self.output_every > max(duration, self.duration) * (1 + _SAME):
            yield Mistake(("output_every",), f"{self.output_every:.9g} s is longer than the duration", longest)
        elif duration / self.output_every > MOST_SAMPLES * (1 + _SAME):
            count = duration / self.output_every
            yield Mistake(("output_every",), f"makes {number(count, 3)} samples, more than {number(MOST_SAMPLES)}",
                          f"use {least:.9g} s or more")  # fmt: skip
        elif abs(self.output_every - self._whole_steps(self.output_every)) > _SAME * self.output_every:
            every = min(self._whole_steps(self.output_every), duration)
            yield self._not_whole("output_every", f"use {every:.9g} s")

    def _whole_steps(self, span: float) -> float:
        """The whole number of steps nearest to a time, s."""
        return max(1, round(span / self.step)) * self.step

    def _not_whole(self, name: str, hint: str) -> Mistake:
        message = f"{getattr(self, name):.9g} s is not a whole number of steps of {self.step:.9g} s"
        return Mistake((name,), message, hint)


class OutputSettings(Part):
    """What goes into the result file."""

    cables: tuple[Name, ...] | None = Field(default=None, description="names of the cables to write; all when left out")
    energy: Flag = Field(default=True, description="whether energies and works are written")

    def relations(self) -> Iterator[Mistake]:
        if self.cables is not None and not self.cables:
            yield Mistake(("cables",), "must name at least one cable", "leave it out to write all")
