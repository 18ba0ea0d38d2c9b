"""Settings of the `chain` formulation."""

from __future__ import annotations

from pydantic import Field

from fairlead.model.motion import Harmonic
from fairlead.model.part import Part
from fairlead.model.values import Name


class ChainSettings(Part):
    """Settings of the `chain` formulation."""

    sines: dict[Name, tuple[Harmonic, ...]] = Field(
        default={},
        description="for controlled points by name: sines added to their motion, each with a period of its own",
    )
