"""The named points where cables end, how they move, and loads on them."""

import math
from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Discriminator, Field, PrivateAttr, Tag

from fairlead.model.kinds import OfKind, known_kind, tag_of
from fairlead.model.motion import CUTOFF, FIRST_VELOCITY, FOLLOW, STILL, Follow, Harmonic, Motion, increasing_times
from fairlead.model.part import TAG, Part
from fairlead.model.problems import Mistake
from fairlead.model.solids import Profile, Shape, sphere_diameter
from fairlead.model.trade_words import NET, TRACK, Net, Track, net_mistake, track_mistakes, with_net, with_track
from fairlead.model.values import (
    AnchorPosition,
    BedPosition,
    Force,
    Name,
    NonNegative,
    Number,
    PlaceName,
    Position,
    Quantity,
    Row,
    Seconds,
    Torque,
    Velocity,
)

__all__ = ["Harmonic", "Motion", "Point", "PointLoad", "increasing_times"]


SEA_WATER = 1025.0
"""Density taken for a body that is not part of a system yet, kg/m^3."""


class _Point(OfKind):
    """What all points share."""

    is_free: ClassVar[bool] = False
    """Whether it goes where the forces take it."""
    is_commanded: ClassVar[bool] = False
    """Whether it follows a motion or the input `<name>.position`."""


class FixedPoint(_Point):
    """A point that never moves: an anchor, a hook on a wall."""

    velocity: ClassVar[tuple[float, float, float]] = STILL
    kind: Literal["fixed"] = Field(default="fixed", description="`fixed`")
    position: BedPosition = Field(
        description="where it is [x, y, z]: x north, y west, z up from the mean surface, or `bed`: on the seabed"
    )


class AnchorPoint(_Point):
    """A fixed point on the seabed."""

    velocity: ClassVar[tuple[float, float, float]] = STILL
    kind: Literal["anchor"] = Field(default="anchor", description="`anchor`")
    position: AnchorPosition = Field(description="where it is: [x, y], on the seabed there, or [x, y, z]")


class ControlledPoint(_Point):
    """A point that follows a motion exactly, or inputs while the simulation runs through a second-order filter."""

    is_commanded: ClassVar[bool] = True
    kind: Literal["controlled"] = Field(default="controlled", description="`controlled`")
    position: Position = Field(description="where it starts and about which it moves [x, y, z]")
    velocity: Velocity = Field(default=STILL, description="steady velocity [x, y, z], to which `motion` is added")
    cutoff: Annotated[float, Quantity("rad/s", above=0)] = Field(default=10.0, description=CUTOFF)
    follow: Follow = Field(default="exact", description=FOLLOW)
    motion: Motion | None = Field(default=None, description="its motion; it stays at `position` when left out")
    track: Track | None = TRACK

    @classmethod
    def expanded(cls, data: object) -> object:
        return with_track(data, turns=False)

    def relations(self) -> Iterator[Mistake]:
        yield from track_mistakes(self.velocity, self.motion) if self.track is not None else ()


_MASS = Field(default=0.0, description="mass of a body at the point")
_VOLUME = Field(default=0.0, description="volume of water it displaces")
_DRAG_AREA = Field(
    default=0.0,
    description="drag coefficient times area, the same in all directions; counts by the share of the volume under "
    "water, and in full for a point without volume below the surface. `always_wet: true` counts it in full",
)
_ADDED_MASS = Field(default=0.0, description="added mass when under water")
_FLOATING = Field(default=False, description="`true` for a float: no warning then says that it will not sink")


class _LumpedPoint(_Point):
    """A free point whose body is given by numbers, the same in all directions."""

    is_free: ClassVar[bool] = True
    profile: ClassVar[Profile] = "linear"

    @property
    def height(self) -> float:
        """Height over which it submerges, m: as a sphere of its volume."""
        return sphere_diameter(self.volume)  # type: ignore[attr-defined]


class FreePoint(_LumpedPoint):
    """A point that goes where the forces take it: a junction of cables, a buoy, a weight, a loose end."""

    kind: Literal["free"] = Field(default="free", description="`free`")
    position: Position | None = Field(
        default=None, description="where it starts [x, y, z]; found from its cables when left out"
    )
    velocity: Velocity | None = Field(default=None, description=FIRST_VELOCITY)
    mass: Annotated[float, Quantity("kg", at_least=0)] = _MASS
    volume: Annotated[float, Quantity("m^3", at_least=0)] = _VOLUME
    drag_area: Annotated[float, Quantity("m^2", at_least=0)] = _DRAG_AREA
    added_mass: Annotated[float, Quantity("kg", at_least=0)] = _ADDED_MASS
    inertia: Annotated[float, Quantity("kg*m^2", at_least=0)] = Field(
        default=0.0, description="moment of inertia, the same about all axes"
    )
    always_wet: bool = Field(
        default=False, description="`true`: it keeps all its buoyancy and drag out of the water too, as MoorDyn has it"
    )
    floating: bool = _FLOATING
    net: Net | None = NET

    @classmethod
    def expanded(cls, data: object) -> object:
        return with_net(data, along_axes=False)

    def relations(self) -> Iterator[Mistake]:
        yield from net_mistake() if self.net is not None else ()


class SlidingPoint(_LumpedPoint):
    """A ring that slides along a cable, between its two ends; other cables end in it."""

    inertia: ClassVar[float] = 0.0
    position: ClassVar[None] = None  # it follows from the first shape of its cable
    velocity: ClassVar[tuple[float, float, float]] = STILL
    kind: Literal["sliding"] = Field(default="sliding", description="`sliding`")
    cable: Name = Field(description="name of the cable it slides along")
    at: Annotated[float, Quantity("m", at_least=0)] = Field(
        description="where it starts: length of unstretched cable from the cable's start"
    )
    friction: NonNegative = Field(default=0.0, description="Coulomb friction coefficient between ring and cable")
    mass: Annotated[float, Quantity("kg", at_least=0)] = _MASS
    volume: Annotated[float, Quantity("m^3", at_least=0)] = _VOLUME
    drag_area: Annotated[float, Quantity("m^2", at_least=0)] = _DRAG_AREA
    added_mass: Annotated[float, Quantity("kg", at_least=0)] = _ADDED_MASS


def _half_for_sphere(known: dict[str, Any]) -> float:
    shape: Shape | None = known.get("shape")
    return 0.5 if shape is not None and shape.sphere is not None else 1.0


class _ShapedPoint(_Point):
    """A free point whose body is given by mass and shape."""

    is_free: ClassVar[bool] = True
    position: Position = Field(description="where its middle starts [x, y, z]")
    velocity: Velocity | None = Field(default=None, description=FIRST_VELOCITY)
    mass: Annotated[float, Quantity("kg", above=0)] = Field(description="its mass")
    shape: Shape = Field(description="its outside")
    drag_coefficient: NonNegative = Field(
        default_factory=_half_for_sphere,
        description="drag coefficient on its projected area, mean over all directions; 0.5 for a sphere, else 1",
    )
    added_mass_coefficient: NonNegative = Field(
        default_factory=_half_for_sphere,
        description="added mass over displaced mass of water; 0.5 for a sphere, else 1",
    )
    _water_density: float = PrivateAttr(SEA_WATER)

    @property
    def volume(self) -> float:
        """Volume of water it displaces, m^3."""
        return self.shape.volume

    @property
    def height(self) -> float:
        """Height over which it submerges, m."""
        return self.shape.height

    @property
    def profile(self) -> Profile:
        """How the part under water grows with the depth: `sphere` as the cap of a sphere, `linear` in proportion."""
        return self.shape.profile

    @property
    def drag_area(self) -> float:
        """Drag coefficient times area, m^2."""
        return self.drag_coefficient * self.shape.mean_area

    @property
    def added_mass(self) -> float:
        """Added mass when under water, kg, in the water of its system."""
        return self.added_mass_coefficient * self._water_density * self.volume

    @property
    def inertia(self) -> float:
        """Moment of inertia of a solid of its mass and shape, mean over its axes, kg*m^2."""
        return self.mass * self.shape.gyration

    def in_water(self, density: float) -> Self:
        """The same body in water of another density, kg/m^3."""
        copy = self.model_copy()
        copy._water_density = density
        return copy

    def __eq__(self, other: object) -> bool:
        """Equal when they describe the same body, whatever system it is in."""
        return type(self) is type(other) and self.__dict__ == other.__dict__


class PassivePoint(_ShapedPoint):
    """A small body that floats, sinks or is towed: mass, shape, buoyancy with partial submergence and drag."""

    kind: Literal["passive"] = Field(default="passive", description="`passive`")
    floating: bool = _FLOATING


class HybridPoint(_ShapedPoint):
    """A small body driven toward a commanded position by a force that gives way to the pull of its cables.

    The force is proportional to the distance and to the speed; its limit falls from `force_max` to zero as the largest
    end force of the cables joined there nears `tension_max`.
    """

    is_commanded: ClassVar[bool] = True
    kind: Literal["hybrid"] = Field(default="hybrid", description="`hybrid`")
    velocity: Velocity = Field(
        default=STILL,
        description="velocity at the start [x, y, z]; the commanded position keeps it, and `motion` is added to that",
    )
    motion: Motion | None = Field(
        default=None, description="motion of the commanded position; it stays at `position` when left out"
    )
    stiffness: Annotated[float, Quantity("N/m", above=0)] = Field(
        description="driving force per distance from the commanded position"
    )
    damping: Annotated[float, Quantity("N*s/m", at_least=0)] | None = Field(
        default=None,
        description="driving force per speed; critical, 2 sqrt(stiffness (mass + added mass)), when left out",
    )
    force_max: Annotated[float, Quantity("N", above=0)] = Field(description="largest driving force")
    tension_max: Annotated[float, Quantity("N", above=0)] = Field(
        description="pull of a cable at which the driving force has fallen to zero"
    )

    @property
    def damper(self) -> float:
        """The damping in force, given or critical, N*s/m."""
        if self.damping is not None:
            return self.damping
        return 2.0 * math.sqrt(self.stiffness * (self.mass + self.added_mass))


POINT_KINDS: dict[str, type[Part]] = {
    "fixed": FixedPoint,
    "anchor": AnchorPoint,
    "controlled": ControlledPoint,
    "free": FreePoint,
    "passive": PassivePoint,
    "hybrid": HybridPoint,
    "sliding": SlidingPoint,
}

Point = Annotated[
    Annotated[
        Annotated[FixedPoint, Tag(TAG + "fixed")]
        | Annotated[AnchorPoint, Tag(TAG + "anchor")]
        | Annotated[ControlledPoint, Tag(TAG + "controlled")]
        | Annotated[FreePoint, Tag(TAG + "free")]
        | Annotated[PassivePoint, Tag(TAG + "passive")]
        | Annotated[HybridPoint, Tag(TAG + "hybrid")]
        | Annotated[SlidingPoint, Tag(TAG + "sliding")],
        Discriminator(tag_of(POINT_KINDS)),
    ],
    BeforeValidator(known_kind("point", "a mapping with a kind and a position", POINT_KINDS)),
]


class PointLoad(Part):
    """A force or torque on a point or a body, constant or scaled by a table over time."""

    noun: ClassVar[str] = "a mapping with a point and a force"
    name: Name | None = Field(
        default=None, description="its name, for the inputs `<name>.force` and `<name>.torque` of a running simulation"
    )
    point: PlaceName = Field(
        description="what it acts on: the name of a point, of a body (at its origin), or `body.attachment`"
    )
    force: Force = Field(default=(0.0, 0.0, 0.0), description="force [x, y, z]")
    torque: Torque = Field(default=(0.0, 0.0, 0.0), description="torque [x, y, z]")
    table: tuple[Annotated[tuple[Seconds, Number], Row("t factor")], ...] | None = Field(
        default=None,
        description="rows [t, factor] that scale force and torque, linear between rows, held beyond the ends",
    )

    def relations(self) -> Iterator[Mistake]:
        if self.table is not None:
            yield from increasing_times(self.table, "table")
