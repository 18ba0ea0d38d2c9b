"""Simple solids: how much water they displace, over which height they submerge, and what they show to the flow."""

import math
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from fairlead.model.part import Part, exactly_one
from fairlead.model.problems import Mistake
from fairlead.model.values import Quantity

LEAST_HEIGHT = 0.1
"""Least height over which a body without a shape is taken to submerge, m."""

_Size = Annotated[float, Quantity("m", above=0)]
Profile = Literal["linear", "sphere"]


def sphere_diameter(volume: float) -> float:
    """Diameter of the sphere of that volume, at least `LEAST_HEIGHT`: the height over which a body submerges, m."""
    return float(max(LEAST_HEIGHT, (6.0 * volume / math.pi) ** (1.0 / 3.0)))


class Sphere(Part):
    """A sphere."""

    diameter: _Size = Field(description="its diameter")


class Cylinder(Part):
    """A cylinder that stands upright."""

    diameter: _Size = Field(description="its diameter")
    height: _Size = Field(description="its height")


class Box(Part):
    """A box with level bottom."""

    length: _Size = Field(description="its length along x")
    width: _Size = Field(description="its width along y")
    height: _Size = Field(description="its height")


class Shape(Part):
    """The outside of a small body: exactly one of a sphere, a cylinder and a box."""

    sphere: Sphere | None = Field(default=None, description="a sphere")
    cylinder: Cylinder | None = Field(default=None, description="an upright cylinder")
    box: Box | None = Field(default=None, description="a box")

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, "sphere", "cylinder", "box")

    @property
    def profile(self) -> Profile:
        """How the part under water grows with the depth: as the cap of a sphere, or in proportion."""
        return "sphere" if self.sphere is not None else "linear"

    @property
    def sides(self) -> tuple[float, float, float]:
        """Length, width and height of the box around it, m."""
        if self.sphere is not None:
            return (self.sphere.diameter,) * 3
        if self.cylinder is not None:
            return self.cylinder.diameter, self.cylinder.diameter, self.cylinder.height
        assert self.box is not None
        return self.box.length, self.box.width, self.box.height

    @property
    def height(self) -> float:
        """Height over which it submerges, m."""
        return self.sides[2]

    @property
    def volume(self) -> float:
        """Volume, m^3."""
        part = math.pi / 6 if self.sphere is not None else math.pi / 4 if self.cylinder is not None else 1.0
        return part * math.prod(self.sides)

    @property
    def mean_area(self) -> float:
        """Area it shows to the flow, mean over all directions, m^2: a quarter of its surface (Cauchy)."""
        a, b, c = self.sides
        if self.sphere is not None:
            return math.pi * a**2 / 4
        if self.cylinder is not None:
            return math.pi * a * (a / 2 + c) / 4
        return (a * b + b * c + c * a) / 2

    @property
    def gyration(self) -> float:
        """Square of its radius of gyration if solid, mean over its three axes, m^2."""
        a, b, c = self.sides
        if self.sphere is not None:
            return a**2 / 10
        if self.cylinder is not None:
            return (a**2 / 4 + c**2 / 6) / 3
        return (a**2 + b**2 + c**2) / 18
