"""Settings of the `bars` formulation."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fairlead.model.part import Part
from fairlead.model.values import Quantity


class BarsSettings(Part):
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
        default=1.0, description="1 is robust; about 0.55 keeps the peaks of snap loads"
    )
    compression: Literal["carried", "none"] = Field(
        default="carried",
        description="what a joint does when its bars are pushed together: `carried` as by a rod; `none`, it goes "
        "slack, for lines that lose their tension for moments: an end must not slide past the far end of its bar. "
        "With the published tunings bars are always rods",
    )
    geometric_stiffness: Literal["auto", "undamped", "damped", "off"] = Field(
        default="auto",
        description="stabilises large steps under tension; `auto` takes the undamped form while the step allows it",
    )
