"""Settings of the `multibody` formulation."""

import math
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from fairlead.model.methods.strain import Strain, strain_field
from fairlead.model.part import Part
from fairlead.model.problems import Mistake
from fairlead.model.values import Direction, Quantity, Whole


class MultibodySettings(Part):
    """Settings of the `multibody` formulation."""

    lumping: Literal["half", "full", "paper"] = Field(
        default="half",
        description="where an element's mass goes: `half` to each of its nodes; `full`, all of it to the farther one; "
        "`paper`, all of it to both, as a published table has it",
    )
    slack: Literal["clip", "paper", "rod"] = Field(
        default="clip",
        description="what a slack element does: `clip`, nothing; `paper`, keep its damping and so push at times; "
        "`rod`, carry compression",
    )
    strain: Strain = strain_field()
    theta: Annotated[float, Quantity(at_least=0.5, at_most=1)] = Field(
        default=1.0,
        description="how stretching is stepped: 1 is robust; about 0.55 keeps the peaks of snap loads; 0.5 keeps the "
        "energy of undamped stretching",
    )
    first_axis: Direction | None = Field(
        default=None,
        description="axis of the first turn of every cable element: normal to the plane in which most motion is "
        "expected; found from shape, commands and current when left out",
    )
    substeps: Annotated[int, Whole(1, 10_000)] | None = Field(
        default=None,
        description="steps made for each step of the file; as many as the string stiffness of the cables asks for "
        "when left out",
    )

    def relations(self) -> Iterator[Mistake]:
        if self.first_axis is not None and not 1e-100 < math.hypot(*self.first_axis) < 1e100:
            yield Mistake(("first_axis",), "must be a direction, not a vector without length", "e.g. [0, 1, 0]")
