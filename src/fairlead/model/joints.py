"""Joints between bodies, and between a body and a fixed or moving place: trees of bodies."""

import math
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from fairlead.model.part import Part
from fairlead.model.problems import Mistake
from fairlead.model.values import Degrees, Direction, Metres, NonNegative, Number, PlaceName, Quantity, Row


class DenavitHartenberg(Part):
    """Modified Denavit–Hartenberg numbers: the child's frame is Rx(alpha) Tx(a) Rz(theta) Tz(d) of its parent's.

    The joint acts about (or along) the child's own z axis.
    """

    a: Metres = Field(default=0.0, description="distance along the parent's x axis")
    alpha_deg: Degrees = Field(default=0.0, description="turn about the parent's x axis")
    d: Metres = Field(default=0.0, description="distance along the joint's axis")
    theta_deg: Degrees = Field(default=0.0, description="turn about the joint's axis")


class Joint(Part):
    """A joint by which a body hangs from another one, or from a fixed or moving place.

    Its coordinate counts from how the bodies stand at t = 0.
    """

    kind: Literal["revolute", "prismatic", "spherical", "free", "fixed"] = Field(
        description="`revolute` turns about its axis, `prismatic` slides along it, `spherical` turns any way, `free` "
        "leaves all six motions as no joint would, `fixed` leaves none"
    )
    parent: PlaceName = Field(description="a body, an attachment of one as in `crane.tip`, or a point")
    child: PlaceName = Field(description="the body that hangs there, or the attachment of it that is the joint")
    axis: Direction | None = Field(
        default=None, description="axis of a revolute or prismatic joint, in the parent's frame"
    )
    dh: DenavitHartenberg | None = Field(
        default=None, description="modified Denavit–Hartenberg numbers, instead of `axis`"
    )
    stiffness: NonNegative = Field(default=0.0, description="spring, N*m/rad or N/m")
    damping: NonNegative = Field(default=0.0, description="damper, N*m*s/rad or N*s/m")
    rest: Number = Field(default=0.0, description="coordinate at which the spring rests, rad or m")
    limits: Annotated[tuple[Number, Number], Row("low high")] | None = Field(
        default=None, description="least and greatest coordinate, rad or m"
    )
    limit_stiffness: Annotated[float, Quantity(above=0)] = Field(
        default=1e6, description="stiffness of the limits, N*m/rad or N/m"
    )
    limit_damping: NonNegative = Field(default=0.0, description="damping of the limits while they push")

    def relations(self) -> Iterator[Mistake]:
        guided = self.kind in ("revolute", "prismatic")
        if guided and self.axis is None and self.dh is None:
            yield Mistake((), f"a {self.kind} joint needs an axis", "add 'axis: [0, 1, 0]' or 'dh'", True)
        if not guided and (self.axis is not None or self.dh is not None):
            name = "axis" if self.axis is not None else "dh"
            yield Mistake((name,), f"has no meaning for a {self.kind} joint", "remove it", True)
        if self.axis is not None and self.dh is not None:
            yield Mistake(("dh",), "cannot stand beside 'axis'", "keep one of the two", True)
        if self.axis is not None and not 1e-100 < math.hypot(*self.axis) < 1e100:
            yield Mistake(("axis",), "must be a direction, not a vector without length", "e.g. [0, 1, 0]")
        if self.limits is not None and not guided:
            yield Mistake(("limits",), f"have no meaning for a {self.kind} joint", "remove them", True)
        if self.limits is not None and not self.limits[0] < self.limits[1]:
            yield Mistake(("limits",), f"{self.limits[0]:g} is not below {self.limits[1]:g}", "give [low, high]")
        if self.kind in ("fixed", "free") and (self.stiffness or self.damping):
            name = "stiffness" if self.stiffness else "damping"
            yield Mistake((name,), f"has no meaning for a {self.kind} joint", "remove it", True)
