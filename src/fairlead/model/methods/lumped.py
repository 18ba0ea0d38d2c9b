"""Settings of the `lumped` formulation."""

from typing import Annotated, Literal

from pydantic import Field

from fairlead.model.methods.scheme import SteppedSettings
from fairlead.model.methods.strain import Strain, strain_field
from fairlead.model.methods.wave_reach import WaveReach, wave_reach_field
from fairlead.model.values import Quantity


class LumpedSettings(SteppedSettings):
    """Settings of the `lumped` formulation."""

    strain: Strain = strain_field()
    compression: Literal["carried", "none", "damping_only"] | None = Field(
        default=None,
        description="what an element does when pushed together: `carried` as by a rod; `none`, it goes slack; "
        "`damping_only`, its spring goes slack and its damper stays; when left out, `none` for types without bending "
        "stiffness and `carried` for those with it",
    )
    theta: Annotated[float, Quantity(at_least=0.5, at_most=1)] = Field(
        default=1.0,
        description="of the first-order step, for vibrations along a cable: 1 damps them all; 0.5 damps only what the "
        "step cannot resolve",
    )
    geometric_stiffness: Literal["auto", "undamped", "damped", "off"] = Field(
        default="auto",
        description="of the first-order step: stabilises large steps under tension; `auto` takes the undamped form "
        "while the step allows it",
    )
    wave_reach: WaveReach = wave_reach_field()
    given_water: bool = Field(
        default=False,
        description="takes the water's motion at nodes from outside while it runs (`Simulation.give_water`, MoorDyn's "
        "`ExternalWaveKinSet`), beside current and waves of the file",
    )
