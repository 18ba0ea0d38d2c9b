"""How deep cables feel waves, of the formulations that can leave them out below."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from fairlead.model.values import Quantity

WaveReach = Annotated[float, Quantity("m", at_least=0)] | None


def wave_reach_field() -> Any:
    """The setting `wave_reach`."""
    return Field(
        default=None,
        description="depth below mean water down to which cables feel waves; all the way when left out, which costs as "
        "many sines as there are waves at every element; with 0 only bodies and attachments feel them",
    )
