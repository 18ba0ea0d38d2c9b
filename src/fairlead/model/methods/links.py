"""Settings of the `links` formulation."""

from typing import Annotated, Literal

from pydantic import Field

from fairlead.model.part import Part
from fairlead.model.values import Flag, NonNegative, Quantity

_Degrees = Annotated[float, Quantity("deg")]
_List = tuple[NonNegative, ...] | None
_Angles = tuple[_Degrees, ...] | None


class LinksSettings(Part):
    """Settings of the `links` formulation.

    Lists hold one number a link, from the start of the only cable; that of a joint belongs to the joint above the link.
    """

    mode: Literal["physical", "paper"] = Field(
        default="physical",
        description="`physical`: directions of links, bending by the angle between them; `paper`: the published "
        "azimuth, elevation and twist, one cable fixed at its start",
    )
    beta: Annotated[float, Quantity(at_least=0.25, at_most=1)] = Field(
        default=0.3, description="share of the step over which bending is implicit; 0.25 damps nothing, 0.3 is robust"
    )
    elevation_stiffness: _List = Field(
        default=None,
        description="stiffness of each joint against bending, N m/rad; from bending_stiffness when left out",
    )
    azimuth_stiffness: _List = Field(
        default=None, description="the same of the azimuth, N m/rad, in mode `paper`; none when left out"
    )
    twist_stiffness: _List = Field(
        default=None,
        description="stiffness of each joint against twist, N m/rad; from torsional_stiffness when left out",
    )
    elevation_damping: _List = Field(
        default=None, description="damping of each joint against bending, N m s/rad; from damping_time when left out"
    )
    azimuth_damping: _List = Field(
        default=None, description="the same of the azimuth, N m s/rad, in mode `paper`; none when left out"
    )
    twist_damping: _List = Field(
        default=None, description="damping of each joint against twist, N m s/rad; from damping_time when left out"
    )
    start_elevation_deg: _Angles = Field(
        default=None, description="first elevation of each link from straight down; as laid out when left out"
    )
    start_azimuth_deg: _Angles = Field(
        default=None,
        description="first azimuth of each link from that of the link above; the first one from y towards x",
    )
    start_twist_deg: _Angles = Field(
        default=None,
        description="first twist of each link; from that of the link above in mode `paper`, else from rest",
    )
    report_angles: Flag = Field(
        default=False,
        description="whether elevation, azimuth and twist of each link are written; always in mode `paper`",
    )
    reading: Literal["literal", "consistent"] = Field(
        default="literal",
        description="mode `paper`: the energies as printed, or made consistent with the published coordinates",
    )
    end_weight: Flag = Field(
        default=True, description="mode `paper`: whether the weight of the end mass counts; the print leaves it out"
    )
    drag: Literal["morison", "torque", "force"] = Field(
        default="morison",
        description="mode `paper`: drag by the cable type across each link, or the published quadratic torque on each "
        "angle, or the published quadratic force at the middle of each link",
    )
    drag_coefficient: NonNegative = Field(
        default=180.0, description="of `drag: torque` in N m s^2/rad^2, of `drag: force` in N s^2/m^2"
    )
