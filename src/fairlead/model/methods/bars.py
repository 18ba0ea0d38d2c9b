"""Settings of the `bars` formulation."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, field_serializer

from fairlead.model.methods.wave_reach import WaveReach, wave_reach_field
from fairlead.model.part import Part
from fairlead.model.problems import Mistake
from fairlead.model.values import Quantity


class BarsSettings(Part):
    """Settings of the `bars` formulation."""

    scheme: Literal["second_order", "first_order"] | None = Field(
        default=None,
        description="the time step of `integrator: semi_implicit`: `second_order` damps only what the step cannot "
        "resolve; `first_order` is the step of older versions, with `theta` and `geometric_stiffness`; when left out, "
        "`first_order` where the file gives one of these two or a published tuning, and `second_order` otherwise",
    )
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

    @property
    def is_second_order(self) -> bool:
        """Whether the semi-implicit step is the second-order one."""
        if self.scheme is not None:
            return self.scheme == "second_order"
        return self.tuning == "rule" and not {"theta", "geometric_stiffness"} & self.model_fields_set

    @field_serializer("scheme")
    def _chosen(self, _: str | None) -> str:
        """Results keep all values of a system, from which it could no longer be told which ones the file gives."""
        return "second_order" if self.is_second_order else "first_order"

    def relations(self) -> Iterator[Mistake]:
        if self.scheme != "second_order":
            return
        for key in ("theta", "geometric_stiffness"):
            if getattr(self, key) != type(self).model_fields[key].default:
                message = "belongs to the first-order step, and 'scheme' is second_order"
                yield Mistake((key,), message, "remove it, or use 'scheme: first_order'", True)
        if self.tuning != "rule":
            message = f"'{self.tuning}' belongs to the first-order step, and 'scheme' is second_order"
            yield Mistake(("tuning",), message, "use 'tuning: rule', or 'scheme: first_order'")
