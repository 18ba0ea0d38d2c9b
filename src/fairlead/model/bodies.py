"""Rigid bodies with six degrees of freedom, to whose attachments cables are joined."""

import math
from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from fairlead.model.kinds import OfKind
from fairlead.model.members import Member
from fairlead.model.motion import CUTOFF, FIRST_VELOCITY, FOLLOW, STILL, BodyMotion, Follow
from fairlead.model.part import Part
from fairlead.model.problems import Mistake
from fairlead.model.slamming import Slamming
from fairlead.model.solids import Shape, sphere_diameter
from fairlead.model.trade_words import NET, TRACK, Net, Track, net_mistake, track_mistakes, with_net, with_track
from fairlead.model.values import Angles, Name, NonNegative, Position, Quantity, Row, Velocity, Whole

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]

_Area = Annotated[float, Quantity("m^2", at_least=0)]
_Mass = Annotated[float, Quantity("kg", at_least=0)]
_Inertia = Annotated[float, Quantity("kg*m^2", at_least=0)]
_RotationalDrag = Annotated[float, Quantity("N*m*s^2/rad^2", at_least=0)]
_Solid = Annotated[float, Quantity("kg*m^2", above=0, cure="a sphere of mass m and radius r has 0.4 m r^2")]
_Axes = Row("x y z")
_Six = Annotated[
    tuple[NonNegative, NonNegative, NonNegative, NonNegative, NonNegative, NonNegative], Row("x y z roll pitch yaw")
]
_Metacentric = Annotated[float, Quantity("m")]
_Second = Annotated[float, Quantity("m^4", above=0)]
_MASSLESS = (
    "no force can move a body without mass: give what it weighs, or leave it out and join its cable to its parent"
)


def rotation_matrix(angles_deg: Vector) -> Matrix:
    """R = Rz(yaw) Ry(pitch) Rx(roll), from the frame of the body to the global one; angles [roll, pitch, yaw]."""
    (cr, sr), (cp, sp), (cy, sy) = ((math.cos(a), math.sin(a)) for a in map(math.radians, angles_deg))
    return (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )


class BodyAt(OfKind):
    """What all bodies share: where they start. Other points of a body are given in its own frame."""

    is_free: ClassVar[bool] = False
    position: Position = Field(description="where its origin starts [x, y, z]; the centre of mass of a free body")
    orientation_deg: Angles = Field(
        default=(0.0, 0.0, 0.0),
        description="how it is turned at the start [roll, pitch, yaw]: Rz(yaw) Ry(pitch) Rx(roll)",
    )

    @property
    def start_position(self) -> Vector:
        """Where its origin is at t = 0, its motion included (3,), m."""
        x, y, z = self.position
        dx, dy, dz, *_ = self.moved_at_start
        return x + dx, y + dy, z + dz

    @property
    def start_angles_deg(self) -> Vector:
        """Roll, pitch and yaw at t = 0, its motion included (3,), degrees."""
        roll, pitch, yaw = self.orientation_deg
        *_, a, b, c = self.moved_at_start
        return roll + a, pitch + b, yaw + c

    @property
    def moved_at_start(self) -> tuple[float, ...]:
        """How far it is from its position and orientation at t = 0: three moves (m) and three turns (degrees)."""
        return (0.0,) * 6

    @property
    def understood(self) -> bool:
        """Whether it is known where it starts; it may not be in a system that has mistakes."""
        return self.position is not None and self.orientation_deg is not None

    def lever(self, offset: Vector) -> Vector:
        """An attachment, as the file gives it, from the origin of the body in its own frame (3,), m."""
        return offset

    def place(self, offset: Vector) -> Vector:
        """Where a point of the body, given from its origin in its own frame (3,), is at t = 0, m."""
        x, y, z = offset
        rows = rotation_matrix(self.start_angles_deg)
        a, b, c = (o + r[0] * x + r[1] * y + r[2] * z for o, r in zip(self.start_position, rows, strict=True))
        return a, b, c


class Waterplane(Part):
    """Where the surface cuts a floating body, upright and at rest: what rights it and what brings it back in heave."""

    noun: ClassVar[str] = "a mapping with area and second_moment"
    area: Annotated[float, Quantity("m^2", above=0)] = Field(description="its area A: heave is as stiff as ρ g A")
    second_moment: Annotated[tuple[_Second, _Second], Row("roll pitch")] = Field(
        description="its second moments about the axes of roll and of pitch through its middle, L B^3/12 and L^3 B/12 "
        "of a rectangle: BM is either over the volume in the water"
    )


class Derived(tuple[float, ...]):
    """Values that follow from others of the system: they are used and shown, but not written as if they were given."""


_ATTACHMENTS: Any = Field(
    default={}, description="places to join cables to, by name: [x, y, z] in the frame of the body"
)


def _volume_of(known: dict[str, Any]) -> float:
    shape: Shape | None = known.get("shape")
    return 0.0 if shape is None else shape.volume


def _height_of(known: dict[str, Any]) -> float:
    shape: Shape | None = known.get("shape")
    waterplane: Waterplane | None = known.get("waterplane")
    if shape is not None:
        return shape.height
    volume = known.get("volume") or 0.0
    return sphere_diameter(volume) if waterplane is None else volume / waterplane.area


def _or_one(schema: dict[str, Any]) -> None:
    """JSON Schema of three areas that one number may stand for."""
    three = {key: schema.pop(key) for key in ("maxItems", "minItems", "prefixItems", "type") if key in schema}
    schema["anyOf"] = [{"type": ["number", "string"], "unit": "m^2"}, three]


class Windage(Part):
    """What of a body the wind meets: F = ½ ρ C A |u| u in its own axes, u the wind against its centre of effort.

    Of a body with a `shape` the part above the water counts, by volume; of others all of the area, as long as the
    centre of effort is above the water.
    """

    area: Annotated[tuple[_Area, _Area, _Area], _Axes] = Field(
        description="area seen along its own axes [x, y, z]: its front, its side, its deck; one number for all three",
        json_schema_extra=_or_one,
    )
    coefficient: NonNegative = Field(default=1.0, description="force coefficient of the area")
    centre: Position = Field(default=(0.0, 0.0, 0.0), description="centre of effort [x, y, z], in its own frame")

    @classmethod
    def expanded(cls, data: object) -> object:
        if isinstance(data, dict) and isinstance(data.get("area"), (int, float, str)):
            return {**data, "area": [data["area"]] * 3}
        return data


class BodyDamping(Part):
    """Damping of a body's own motion, against standing water: −(b + q|v|) v along and about each of its own axes."""

    linear: _Six = Field(default=(0.0,) * 6, description="b: N s/m along x, y and z, N m s about them [6]")
    quadratic: _Six = Field(default=(0.0,) * 6, description="q: N s^2/m^2 along x, y and z, N m s^2 about them [6]")


class FreeBody(BodyAt):
    """A rigid body that goes where the forces take it: a deflector, a payload. Its origin is its centre of mass."""

    is_free: ClassVar[bool] = True
    kind: Literal["free"] = Field(default="free", description="`free`")
    velocity: Velocity | None = Field(default=None, description=FIRST_VELOCITY)
    mass: Annotated[float, Quantity("kg", above=0, cure=_MASSLESS)] = Field(description="its mass")
    inertia: Annotated[tuple[_Solid, _Solid, _Solid], Row("Ixx Iyy Izz")] = Field(
        description="moments of inertia [Ixx, Iyy, Izz] about its own axes"
    )
    shape: Shape | None = Field(
        default=None,
        description="its outside, about its centre of buoyancy: the water cuts it as it is turned, so that it rights "
        "itself; gives `volume` and `height`",
    )
    volume: Annotated[float, Quantity("m^3", at_least=0)] = Field(
        default_factory=_volume_of, description="volume of water it displaces; that of its shape, or 0, when left out"
    )
    centre_of_buoyancy: Position = Field(
        default=(0.0, 0.0, 0.0), description="middle of its volume [x, y, z], in its own frame, where buoyancy acts"
    )
    waterplane: Waterplane | None = Field(
        default=None,
        description="where the surface cuts it as it floats: rights a body that is given by `volume`, whose `height` "
        "and `metacentric_height` follow",
    )
    metacentric_height: Annotated[tuple[_Metacentric, _Metacentric], Row("roll pitch")] | None = Field(
        default=None,
        description="height of its metacentre above its centre of mass in roll and in pitch, where it floats by "
        "itself: rights a body that is given by volume and height",
    )
    height: Annotated[float, Quantity("m", above=0)] = Field(
        default_factory=_height_of,
        description="height over which it submerges, about its centre of buoyancy; that of its shape, its volume over "
        "the area of its waterplane, or that of a sphere of its volume, when left out",
    )
    drag_area: Annotated[tuple[_Area, _Area, _Area], _Axes] = Field(
        default=(0.0, 0.0, 0.0),
        description="drag coefficient times area along its own axes [x, y, z]; counts by the share of the body that is "
        "under water. `always_wet: true` counts it in full",
    )
    drag_moment: Annotated[tuple[_RotationalDrag, _RotationalDrag, _RotationalDrag], _Axes] = Field(
        default=(0.0, 0.0, 0.0), description="drag torque over turning speed squared about its own axes [x, y, z]"
    )
    added_mass: Annotated[tuple[_Mass, _Mass, _Mass], _Axes] = Field(
        default=(0.0, 0.0, 0.0), description="added mass when under water, along its own axes [x, y, z]"
    )
    added_inertia: Annotated[tuple[_Inertia, _Inertia, _Inertia], _Axes] = Field(
        default=(0.0, 0.0, 0.0), description="added inertia when under water, about its own axes [x, y, z]"
    )
    strips: Annotated[int, Whole(1, 1000)] | None = Field(
        default=None,
        description="pieces along its z axis in which the water meets a rod, each where it is and as it moves: a "
        "cylinder of which `drag_area` and `added_mass` across are spread over the pieces, and those along it over its "
        "two ends",
    )
    members: dict[Name, Member] = Field(
        default={},
        description="slender cylinders that are part of it, by name, beside its own `volume` and drag: columns of a "
        "platform, a spar. `mass` and `inertia` are those of the whole body",
    )
    damping: BodyDamping | None = Field(
        default=None, description="damping of its own motion beside the drag of the water; none when left out"
    )
    always_wet: bool = Field(
        default=False,
        description="`true`: it keeps all its buoyancy, drag and added mass out of the water too, as MoorDyn has it",
    )
    slamming: Slamming | None = Field(
        default=None, description="blow of the water while it goes in through the surface; none when left out"
    )
    footprint: Annotated[float, Quantity("m^2", above=0)] | None = Field(
        default=None,
        description="area of its underside, half its height below its centre of buoyancy, on which it stands on the "
        "seabed; its volume over its height when left out",
    )
    wind: Windage | None = Field(default=None, description="how the wind meets it; it feels no air when left out")
    floating: bool = Field(
        default=False,
        description="`true` where it is meant to float by itself: no warning then says that it will not sink, or that "
        "nothing but the water holds it",
    )
    attachments: dict[Name, Position] = _ATTACHMENTS
    net: Net | None = NET

    @classmethod
    def expanded(cls, data: object) -> object:
        return with_net(data, along_axes=True)

    def relations(self) -> Iterator[Mistake]:
        yield from net_mistake() if self.net is not None else ()
        if self.always_wet:
            for key in ("shape", "waterplane", "metacentric_height", "slamming"):
                if getattr(self, key) is not None:
                    message = "says how the surface cuts a body, and 'always_wet' that it never does"
                    yield Mistake((key,), message, "remove one of the two", True)
        largest = max(self.inertia)
        if largest > (sum(self.inertia) - largest) * (1 + 1e-6):
            values = ", ".join(f"{value:.6g}" for value in self.inertia)
            message = f"no body has the moments of inertia [{values}] kg*m^2: one is more than the other two together"
            yield Mistake(("inertia",), message, "check them: each is the sum of m r^2 about an axis")
        if self.shape is not None:
            same = {"volume": self.shape.volume, "height": self.shape.height, "metacentric_height": None}
            for key, value in same.items():  # results keep what follows from a shape beside it
                if key in self.model_fields_set and getattr(self, key) not in (None, value):
                    yield Mistake((key,), "follows from 'shape' already", "remove it, or the shape", True)
        if self.strips is not None:
            yield from self._rod_mistakes()
            if self.members:
                why = "do not go with 'strips', which make a member of all of it"
                yield Mistake(("members",), why, "keep one of the two", True)
        if self.waterplane is not None:
            for key in ("shape", "height", "metacentric_height"):
                if key in self.model_fields_set and getattr(self, key) is not None:
                    yield Mistake(("waterplane",), f"is given, and '{key}' too", "keep one of them", True)
            if self.shape is None and not self.volume > 0.0:
                message = "says how the surface cuts the body, but not how much water it displaces all under"
                yield Mistake(("waterplane",), message, "give its 'volume' as well, deck to keel")

    @property
    def displaced(self) -> float:
        """All that it displaces under water, its members included, m^3."""
        return self.volume + sum(member.volume for member in self.members.values())

    def _rod_mistakes(self) -> Iterator[Mistake]:
        """What does not go with `strips`."""
        if self.shape is None or self.shape.cylinder is None:
            message = "are pieces of a cylinder along z, and it has no such shape"
            yield Mistake(("strips",), message, "add 'shape: {cylinder: {diameter, height}}'")
        for key in ("drag_moment", "added_inertia", "slamming", "wind", "damping"):
            if key in self.model_fields_set and getattr(self, key) is not None and any(_flat(getattr(self, key))):
                yield Mistake((key,), "follows from 'strips' or does not go with them", "remove one of the two", True)
        if any(self.centre_of_buoyancy[:2]):
            yield Mistake(("centre_of_buoyancy",), "is beside the axis; a rod has its mass on it", "give [0, 0, z]")
        for key in ("drag_area", "added_mass"):
            x, y, _ = getattr(self, key)
            if x != y:
                yield Mistake((key,), f"is {x:g} along x and {y:g} along y, and a rod is round", "give the same twice")


def _flat(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


class PrescribedBody(BodyAt):
    """A rigid body that follows a motion exactly, or inputs while the simulation runs through a second-order filter."""

    kind: Literal["prescribed"] = Field(default="prescribed", description="`prescribed`")
    velocity: Velocity = Field(default=STILL, description="steady velocity [x, y, z], to which `motion` is added")
    cutoff: Annotated[float, Quantity("rad/s", above=0)] = Field(default=10.0, description=CUTOFF)
    follow: Follow = Field(default="exact", description=FOLLOW)
    motion: BodyMotion | None = Field(default=None, description="its motion; it stays where it is when left out")
    track: Track | None = TRACK
    attachments: dict[Name, Position] = _ATTACHMENTS

    @classmethod
    def expanded(cls, data: object) -> object:
        return with_track(data, turns=True)

    def relations(self) -> Iterator[Mistake]:
        yield from track_mistakes(self.velocity, self.motion) if self.track is not None else ()

    @property
    def understood(self) -> bool:
        return super().understood and (self.motion is None or self.motion.understood)

    @property
    def moved_at_start(self) -> tuple[float, ...]:
        return (0.0,) * 6 if self.motion is None else self.motion.at_start
