"""Settings of the `bars` formulation."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from fairlead.model.methods.scheme import SteppedSettings
from fairlead.model.methods.wave_reach import WaveReach, wave_reach_field
from fairlead.model.problems import Mistake
from fairlead.model.values import Quantity


class BarsSettings(SteppedSettings):
    """Settings of the `bars` formulation."""

    tuning: Literal["rule", "common_beta", "literal"] = Field(
        default="rule",
        description="how joints become compliant: `rule` follows the physical stiffness and the step and needs no "
        "parameter; `common_beta` and `literal` are two readings of the published tuning",
    )
    alpha: Annotated[float, Quantity("1/s", above=0)] = Field(
        default=50.0, description="alpha of the published tunings"
    )
    epsilon: Annotated[float, Quantity(above=0)] = Field(default=1e-8, description="epsilon of the published tunings")
    theta: Annotated[float, Quantity(above=0.5, at_most=1)] = Field(
        default=1.0, description="of the first-order step: 1 is robust; about 0.55 keeps the peaks of snap loads"
    )
    compression: Literal["carried", "none"] | None = Field(
        default=None,
        description="what an element does when pushed together: `carried` as by a rod; `none`, it goes slack; when "
        "left out, `none` for types without bending stiffness and `carried` for those with it. With the published "
        "tunings bars are always rods, and with the integrators rk2, rk4 and explicit_euler unless `none` is said",
    )
    geometric_stiffness: Literal["auto", "undamped", "damped", "off"] = Field(
        default="auto",
        description="of the first-order step: stabilises large steps under tension; `auto` takes the undamped form "
        "while the step allows it",
    )
    wave_reach: WaveReach = wave_reach_field()

    def _tunes_first_order(self) -> bool:
        return super()._tunes_first_order() or self.tuning != "rule"

    def relations(self) -> Iterator[Mistake]:
        """Mistakes between the scheme and what belongs to the first-order step."""
        yield from super().relations()
        if self.scheme == "second_order" and self.tuning != "rule":
            message = f"'{self.tuning}' belongs to the first-order step, and 'scheme' is second_order"
            yield Mistake(("tuning",), message, "use 'tuning: rule', or 'scheme: first_order'")
