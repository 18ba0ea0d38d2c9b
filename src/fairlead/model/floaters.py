"""Floaters by their hydrodynamic coefficients: bodies of `kind: floating`, and power take-offs between them."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field
from pydantic.annotated_handlers import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from fairlead.model.bodies import BodyAt
from fairlead.model.motion import FIRST_VELOCITY
from fairlead.model.part import Part, exactly_one, one_or_parts
from fairlead.model.problems import Mistake, shown, wrong
from fairlead.model.values import (
    Degrees,
    Direction,
    Flag,
    MetresPerSecond,
    Name,
    Newtons,
    NonNegative,
    Number,
    PlaceName,
    Position,
    Quantity,
    Row,
    Text,
    Velocity,
    Whole,
)

Table = tuple[tuple[float, ...], ...]

_MOTIONS = "surge sway heave roll pitch yaw"
_SI = "N, m, rad and s"
_Size = Annotated[float, Quantity("m", above=0)]
_Area = Annotated[float, Quantity("m^2", at_least=0)]
_Six = Annotated[tuple[Number, Number, Number, Number, Number, Number], Row(_MOTIONS)]


@dataclass(frozen=True)
class SixBySix:
    """Marks a matrix of six motions: six rows of six numbers, or with `diagonal` six numbers on its diagonal."""

    diagonal: bool = True

    @property
    def words(self) -> str:
        return "six numbers or six by six" if self.diagonal else "six rows of six numbers"

    def read(self, value: object) -> Table:
        value = value.tolist() if hasattr(value, "tolist") else value
        wanted = "give six rows of six numbers" + (", or the six numbers of its diagonal" if self.diagonal else "")
        if not isinstance(value, (list, tuple)):
            raise wrong(f"must be a matrix of {_MOTIONS.replace(' ', ', ')}, not {shown(value)}", wanted)
        if len(value) != 6:
            raise wrong(f"must hold six rows, not {len(value)}", wanted)
        read = Quantity().read
        if self.diagonal and not any(isinstance(row, (list, tuple)) for row in value):
            numbers = [read(number) for number in value]
            return tuple(tuple(numbers[i] if i == j else 0.0 for j in range(6)) for i in range(6))
        for i, row in enumerate(value):
            if not isinstance(row, (list, tuple)) or len(row) != 6:
                raise wrong(f"row {i + 1} does not hold six numbers", wanted)
        return tuple(tuple(read(number) for number in row) for row in value)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        six = {"type": "array", "items": {"type": ["number", "string"]}, "minItems": 6, "maxItems": 6}
        matrix = {"type": "array", "items": six, "minItems": 6, "maxItems": 6}
        return {"anyOf": [six, matrix]} if self.diagonal else matrix


@dataclass(frozen=True)
class Moments:
    """Marks moments of inertia [Ixx, Iyy, Izz], or six with Ixy, Ixz and Iyz behind them (Ixy = Σ m x y)."""

    words: ClassVar[str] = "[Ixx, Iyy, Izz] or six numbers"

    def read(self, value: object) -> tuple[float, ...]:
        value = value.tolist() if hasattr(value, "tolist") else value
        wanted = "give [Ixx, Iyy, Izz] about its centre of mass; Ixy, Ixz, Iyz may follow (Ixy = sum m x y)"
        if not isinstance(value, (list, tuple)) or len(value) not in (3, 6):
            raise wrong(f"must hold three numbers or six, not {shown(value)}", wanted)
        first = Quantity("kg*m^2", above=0, cure="a sphere of mass m and radius r has 0.4 m r^2")
        return (*(first.read(one) for one in value[:3]), *(Quantity("kg*m^2").read(one) for one in value[3:]))

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"type": "array", "items": {"type": ["number", "string"]}, "minItems": 3, "maxItems": 6}


@dataclass(frozen=True)
class Depth:
    """Marks a depth of water in m that may be `infinite`."""

    words: ClassVar[str] = "number, above 0, or `infinite`"

    def read(self, value: object) -> float | str:
        return "infinite" if value in ("infinite", math.inf) else Quantity("m", above=0).read(value)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"anyOf": [{"type": ["number", "string"]}, {"const": "infinite"}], "unit": "m"}


class CoefficientFile(Part):
    """Where the coefficients come from, and how the file is to be read."""

    noun: ClassVar[str] = "a file, or a mapping with file and how it is to be read"
    file: Text = Field(
        description="path from the folder of the system's file: the root of WAMIT's and HAMS's files or any of them, "
        "`Nemoh.cal` or its folder, a `.nc` of Capytaine, a `.h5` of BEMIO"
    )
    format: Literal["wamit", "hams", "nemoh", "capytaine", "bemio"] | None = Field(
        default=None, description="what wrote it; guessed from the name when left out"
    )
    body: Annotated[int, Whole(1, 100)] = Field(default=1, description="which of several bodies in the file")
    water_density: Annotated[float, Quantity("kg/m^3", above=0)] | None = Field(
        default=None,
        description="density by which its numbers become dimensional (`wamit`, `hams`); that of the `environment` when "
        "left out",
    )
    gravity: Annotated[float, Quantity("m/s^2", above=0)] | None = Field(
        default=None, description="gravity likewise; that of the `environment` when left out"
    )
    length: _Size = Field(default=1.0, description="length by which its numbers become dimensional: WAMIT's ULEN")
    first_column: Literal["period", "frequency", "wave_number"] | None = Field(
        default=None,
        description="what the first column of `wamit` and `hams` files is; `period` when left out (HAMS: as its "
        "ControlFile.in says)",
    )
    depth: Annotated[float | str, Depth()] | None = Field(
        default=None,
        description="depth of the water they were computed for, or `infinite`; as the file says, else that of the "
        "`environment`, when left out",
    )
    reference: Position = Field(
        default=(0.0, 0.0, 0.0),
        description="where its moments are taken, in the axes of the file [x, y, z]: Capytaine's rotation centre",
    )

    motions: tuple[Literal["surge", "sway", "heave", "roll", "pitch", "yaw"], ...] = Field(
        default=("surge", "sway", "heave", "roll", "pitch", "yaw"),
        description="motions whose added mass, damping and excitation are taken; the water does nothing to the others "
        "but what `stiffness` and `damping` say: `[heave]` for a device that only heaves",
    )

    __get_pydantic_json_schema__ = one_or_parts({"type": "string"})

    @classmethod
    def expanded(cls, data: object) -> object:
        return {"file": data} if isinstance(data, str) else data

    def relations(self) -> Iterator[Mistake]:
        if not self.motions:
            yield Mistake(("motions",), "must name at least one", "e.g. [heave]")


class HydrostaticStiffness(Part):
    """What brings it back when it heaves, rolls or pitches, from the file or given here."""

    noun: ClassVar[str] = "a mapping with includes_weight, or a matrix of six by six"
    includes_weight: Flag | None = Field(
        default=None,
        description="whether the weight's share, -m g z_g in roll and pitch, is in it already; by the format of the "
        "file when left out, and in doubt an error says which of the two floats",
    )
    matrix: Annotated[Table, SixBySix(diagonal=False)] | None = Field(
        default=None, description=f"the matrix about the reference point, instead of the file's ({_SI})"
    )
    additional: Annotated[Table, SixBySix()] | None = Field(
        default=None, description=f"stiffness beside it, six numbers or six by six ({_SI})"
    )

    @classmethod
    def expanded(cls, data: object) -> object:
        return {"matrix": data} if isinstance(data, (list, tuple)) else data


class _Method(Part):
    """A part that may be written as its method alone."""

    @classmethod
    def expanded(cls, data: object) -> object:
        return {"method": data} if isinstance(data, str) else data


class Radiation(_Method):
    """The waves it makes: how the memory of the water is carried along."""

    noun: ClassVar[str] = "auto, state_space, convolution or none, or a mapping with a method"
    method: Literal["auto", "state_space", "convolution", "none"] = Field(
        default="auto",
        description="`state_space`: a few poles fitted to the coefficients; `convolution`: the integral over the past; "
        "`auto`: poles where they meet the coefficients within 1 % (or `tolerance`, where that is more), else the "
        "past; `none`: added mass at infinite frequency alone",
    )
    tolerance: Annotated[float, Quantity(above=0, at_most=0.5)] = Field(
        default=0.002,
        description="relative error of the fit that is sought with as few poles as it takes; where it is not reached, "
        "one of up to 1 % is accepted",
    )
    poles: Annotated[int, Whole(2, 60)] = Field(default=24, description="most poles of a block of coupled motions")
    band: Annotated[float, Quantity("rad/s", above=0)] | None = Field(
        default=None, description="frequency above which the coefficients are not trusted; chosen when left out"
    )
    added_mass_infinite: Annotated[Table, SixBySix()] | None = Field(
        default=None,
        description="added mass at infinite frequency, six numbers or six by six, about the reference point; that of "
        f"the file, or made from its added mass and damping (Ogilvie), when left out ({_SI})",
    )
    memory: Annotated[float, Quantity("s", above=0)] = Field(
        default=60.0, description="how long the water remembers, for `convolution`"
    )


class Excitation(_Method):
    """What the waves do to it, to first order."""

    noun: ClassVar[str] = "coefficients or none, or a mapping with phase_at"
    method: Literal["coefficients", "none"] = Field(
        default="coefficients", description="`coefficients` of the file, or `none`: no wave moves it"
    )
    phase_at: Literal["slow", "rest"] = Field(
        default="slow", description="where it meets the crests: at its slowly varying place, or where it is at rest"
    )


class Drift(_Method):
    """What the waves do to it, to second order, slowly."""

    noun: ClassVar[str] = "none, or a mapping with method and file"
    method: Literal["none", "mean", "newman", "qtf"] = Field(
        default="newman",
        description="`mean`: its mean alone; `newman`: slow variations from the diagonal; `qtf`: from the whole matrix",
    )
    file: Text | None = Field(
        default=None,
        description="mean drift (.8, .9) or difference frequencies (.12d); of several bodies, of `coefficients.body`",
    )

    def relations(self) -> Iterator[Mistake]:
        if self.method != "none" and self.file is None:
            files = "'file: ...12d'" if self.method == "qtf" else "'file: ...8' (mean drift) or '...12d'"
            yield Mistake((), f"'{self.method}' needs a file", f"add {files}", True)
        if self.method == "qtf" and self.file is not None and not self.file.endswith(("12d", "12D")):
            message = f"'{self.file}' holds mean forces, from which no whole matrix comes"
            yield Mistake(("file",), message, "give a .12d, or use 'method: newman'")


class FloaterDamping(Part):
    """Damping beside that of the waves it makes, at its reference point."""

    linear: Annotated[Table, SixBySix()] | None = Field(
        default=None, description=f"force over velocity, six numbers or six by six ({_SI})"
    )
    quadratic: _Six = Field(
        default=(0.0,) * 6, description=f"force over velocity squared of each motion, against it ({_SI})"
    )

    def relations(self) -> Iterator[Mistake]:
        for i, number in enumerate(self.quadratic):
            if number < 0.0:
                yield Mistake(("quadratic", i), f"must be at least 0, not {number:g}", "it would drive the motion")


_Heading = Annotated[tuple[Degrees, Number, Number, Number], Row("heading_deg CX CY CN")]
_AREAS = Annotated[tuple[_Area, _Area], Row("front side")]


class _Stream(Part):
    """Force of a stream of air or water: ½ ρ U² [CX A, CY A', CN A' L] by the direction it comes to."""

    area: _AREAS = Field(description="area it meets along x and along y [front, side]")
    length: _Size = Field(description="length L of the moment about z, ½ ρ U² CN A' L")
    coefficients: tuple[_Heading, ...] = Field(
        description="rows [heading_deg, CX, CY, CN]: force along its x and y, moment about z, by the direction the "
        "stream runs towards seen from the body; those of 0 to 180 are mirrored to the other side"
    )

    def relations(self) -> Iterator[Mistake]:
        if not self.coefficients:
            yield Mistake(("coefficients",), "must hold at least one row", "add [heading_deg, CX, CY, CN]")
        rows = [row[0] for row in self.coefficients]
        for i, (low, high) in enumerate(pairwise(rows)):
            if not high > low:
                message = f"headings must rise from row to row: {high:g} is not above {low:g}"
                yield Mistake(("coefficients", i + 1), message, "order the rows")


class CurrentForce(_Stream):
    """Force of the current, by coefficients of its underwater hull."""


class WindForce(_Stream):
    """Force of the wind of the `environment`, by coefficients of what is above the water."""


class Thrust(Part):
    """A rotor's thrust at a point of it, along a direction of its own axes."""

    at: Position = Field(description="where it acts [x, y, z], from the reference point")
    force: Newtons | None = Field(default=None, description="thrust")
    table: tuple[Annotated[tuple[MetresPerSecond, Newtons], Row("speed thrust")], ...] | None = Field(
        default=None, description="rows [wind speed, thrust], by the wind of the `environment` against the rotor"
    )
    direction_deg: Degrees = Field(default=0.0, description="direction it pushes to, from the body's x towards its y")
    damping: Annotated[float, Quantity("N*s/m", at_least=0)] = Field(
        default=0.0, description="aerodynamic damping dT/dU beside a given `force`: thrust lost by a metre per second"
    )

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, "force", "table")

    def relations(self) -> Iterator[Mistake]:
        if self.table is not None and self.damping:
            yield Mistake(("damping",), "the table has it already, as its slope", "remove it", True)
        for i, (low, high) in enumerate(pairwise(self.table or ())):
            if not high[0] > low[0]:
                yield Mistake(("table", i + 1), "wind speeds must rise from row to row", "order the rows")


class MooringMatrix(Part):
    """What holds it where there are no cables: a stiffness about where it is at rest, and the pull there."""

    matrix: Annotated[Table, SixBySix()] = Field(
        description=f"stiffness at the reference point, six by six or the six of its diagonal ({_SI})"
    )
    preload: _Six = Field(default=(0.0,) * 6, description="force and moment on the body at rest (N, N m)")


class FloatingBody(BodyAt):
    """A floater given by its hydrodynamic coefficients: Cummins' equation about where it is at rest.

    Its origin is the reference point, where moments and motions of the coefficients are taken; `position` is where that
    is at rest.
    """

    is_free: ClassVar[bool] = True
    kind: Literal["floating"] = Field(default="floating", description="`floating`")
    position: Position = Field(description="its reference point at rest [x, y, z], of which coefficients are given")
    displaced: _Six = Field(
        default=(0.0,) * 6,
        description="by how much it starts away from rest [x, y, z (m), roll, pitch, yaw (deg)], to let it go there",
    )
    velocity: Velocity | None = Field(default=None, description=FIRST_VELOCITY)
    mass: Annotated[float, Quantity("kg", above=0)] = Field(description="its mass, without the cables")
    centre_of_mass: Position = Field(
        default=(0.0, 0.0, 0.0), description="from the reference point [x, y, z], in its own frame"
    )
    inertia: Annotated[tuple[float, ...], Moments()] = Field(
        description="moments of inertia about its centre of mass [Ixx, Iyy, Izz], or six with Ixy, Ixz, Iyz behind them"
    )
    coefficients: CoefficientFile = Field(description="its hydrodynamic coefficients: a file, and how it is read")
    mesh: Text | None = Field(
        default=None,
        description="file of its hull (.stl, .obj, .gdf and others), in its own frame from the reference point: drawn "
        "in pictures and replays, it changes no motion",
    )
    volume: Annotated[float, Quantity("m^3", above=0)] | None = Field(
        default=None, description="volume it displaces at rest; from the file where it says so"
    )
    centre_of_buoyancy: Position | None = Field(
        default=None,
        description="middle of that volume from the reference point [x, y, z]; from the file where it says so, else "
        "below or above the centre of mass, where it does not trim",
    )
    stiffness: HydrostaticStiffness = Field(
        default=HydrostaticStiffness.unsaid(), description="hydrostatic stiffness: the file's, corrected or replaced"
    )
    radiation: Radiation = Field(default=Radiation.unsaid(), description="the waves it makes")
    excitation: Excitation = Field(default=Excitation.unsaid(), description="what waves do to it, to first order")
    drift: Drift = Field(
        default=Drift.unsaid(method="none"), description="what waves do to it slowly; nothing when left out"
    )
    damping: FloaterDamping = Field(
        default=FloaterDamping.unsaid(), description="damping beside that of radiated waves"
    )
    current: CurrentForce | None = Field(default=None, description="how the current meets it; not at all when left out")
    wind: WindForce | None = Field(default=None, description="how the wind meets it; not at all when left out")
    thrust: Thrust | None = Field(default=None, description="a rotor's thrust")
    mooring: MooringMatrix | None = Field(
        default=None, description="a stiffness that holds it in place of cables, or beside them"
    )
    follow_yaw: Flag = Field(
        default=False,
        description="whether the axes of the coefficients turn with its slow yaw; they keep the heading of its rest "
        "when left out",
    )
    attachments: dict[Name, Position] = Field(
        default={}, description="places to join cables to, by name: [x, y, z] from the reference point, in its frame"
    )

    @property
    def moved_at_start(self) -> tuple[float, ...]:
        return self.displaced

    @property
    def understood(self) -> bool:
        return super().understood and self.centre_of_mass is not None and self.displaced is not None

    def relations(self) -> Iterator[Mistake]:
        largest = max(self.inertia[:3])
        if largest > (sum(self.inertia[:3]) - largest) * (1 + 1e-6):
            values = ", ".join(f"{value:.6g}" for value in self.inertia[:3])
            message = f"no body has the moments of inertia [{values}] kg*m^2: one is more than the other two together"
            yield Mistake(("inertia",), message, "check them: each is the sum of m r^2 about an axis")
        if self.orientation_deg[0] or self.orientation_deg[1]:
            message = "coefficients are those of the floater as it floats: only its yaw can be chosen"
            yield Mistake(("orientation_deg",), message, "use [0, 0, yaw]; 'displaced' starts it away from rest")


class PowerTakeOff(Part):
    """A spring, damper and steady force between two bodies, or a body and a fixed point, along or about an axis.

    Its coordinate is how far the second has moved from the first, along (or turned about) the axis, since rest.
    """

    between: Annotated[tuple[PlaceName, PlaceName], Row("first second")] = Field(
        description="two floating bodies, or a floating body and a fixed point"
    )
    at: Position = Field(
        default=(0.0, 0.0, 0.0), description="where it acts [x, y, z], from the reference point of the first body"
    )
    axis: Direction = Field(description="its axis, in the frame of the first body")
    rotation: Flag = Field(default=False, description="whether it turns about its axis, instead of sliding along it")
    stiffness: NonNegative = Field(default=0.0, description="spring, N/m or N*m/rad")
    damping: NonNegative = Field(default=0.0, description="damper, which takes the power, N*s/m or N*m*s/rad")
    force: Number = Field(default=0.0, description="steady force on the second, N or N*m")
    limits: Annotated[tuple[Number, Number], Row("low high")] | None = Field(
        default=None, description="end stops: least and greatest coordinate, m or rad"
    )
    limit_stiffness: Annotated[float, Quantity(above=0)] = Field(
        default=1e6, description="stiffness of the end stops, N/m or N*m/rad"
    )
    limit_damping: NonNegative = Field(default=0.0, description="damping of the end stops while they push")

    def relations(self) -> Iterator[Mistake]:
        if not 1e-100 < math.hypot(*self.axis) < 1e100:
            yield Mistake(("axis",), "must be a direction, not a vector without length", "e.g. [0, 0, 1]")
        if self.limits is not None and not self.limits[0] < self.limits[1]:
            yield Mistake(("limits",), f"{self.limits[0]:g} is not below {self.limits[1]:g}", "give [low, high]")
        if self.between[0] == self.between[1]:
            yield Mistake(("between",), f"names '{self.between[0]}' twice", "name two bodies")
        if not (self.stiffness or self.damping or self.force or self.limits):
            yield Mistake((), "has neither stiffness, damping, force nor limits", "add one of them", True)
