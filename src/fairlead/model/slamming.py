"""Slamming: the blow of the water on the underside of a body that goes in."""

from typing import Annotated

from pydantic import Field

from fairlead.model.part import Part
from fairlead.model.values import Quantity


class Slamming(Part):
    """Force 1/2 rho coefficient area v^2 upwards while the body goes in with the speed v relative to the surface."""

    area: Annotated[float, Quantity("m^2", above=0)] = Field(description="its area seen from below")
    coefficient: Annotated[float, Quantity(above=0)] | None = Field(
        default=None,
        description="slamming coefficient; 5 or more for a box or structure, 3 for a smooth cylinder; when left out, "
        "that which gives the water the momentum of the added mass: 2 added_mass_z / (rho area height)",
    )
