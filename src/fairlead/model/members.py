"""Members of a body: slender cylinders fixed to it that the water meets piece by piece, such as columns."""

import math
from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import Field

from fairlead.model.part import Part
from fairlead.model.problems import Mistake
from fairlead.model.values import NonNegative, Position, Quantity, Row, Whole

Vector = tuple[float, float, float]


class Member(Part):
    """A slender cylinder that is part of a body: buoyancy, drag and added mass, each piece where it is.

    It has no mass: `mass` and `inertia` of the body are those of all of it.
    """

    noun: ClassVar[str] = "a mapping with ends and diameter"
    ends: Annotated[tuple[Position, Position], Row("A B")] = Field(
        description="its two ends [[x, y, z], [x, y, z]] in the frame of the body"
    )
    diameter: Annotated[float, Quantity("m", above=0)] = Field(description="its diameter")
    drag: NonNegative = Field(default=0.0, description="drag coefficient across it, on diameter times length")
    added_mass: NonNegative = Field(
        default=0.0, description="added mass coefficient across it, times the water it displaces"
    )
    end_drag: NonNegative = Field(default=0.0, description="drag coefficient of each end along it, on the end's area")
    end_added_mass: NonNegative = Field(
        default=0.0,
        description="added mass coefficient of each end along it, times the water in half a sphere of its diameter",
    )
    strips: Annotated[int, Whole(1, 1000)] = Field(default=10, description="pieces it is cut into along its axis")

    def relations(self) -> Iterator[Mistake]:
        if self.ends is not None and not self.length > 0.0:
            yield Mistake(("ends",), "are one place: a member has a length", "give two places, or leave the member out")

    @property
    def length(self) -> float:
        return math.dist(*self.ends)

    @property
    def area(self) -> float:
        """Area of its cross-section, m^2."""
        return 0.25 * math.pi * self.diameter**2

    @property
    def volume(self) -> float:
        return self.area * self.length

    @property
    def middle(self) -> Vector:
        x, y, z = (0.5 * (a + b) for a, b in zip(*self.ends, strict=True))
        return x, y, z

    @property
    def cap(self) -> float:
        """Volume of the half sphere that an end's added mass is counted in, m^3."""
        return math.pi * self.diameter**3 / 12.0
