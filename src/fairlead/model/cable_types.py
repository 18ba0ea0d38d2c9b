"""What cables are made of."""

import math
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Discriminator, Field, Tag
from pydantic.annotated_handlers import GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from fairlead.model.catalogue import CATALOGUE, GRADES
from fairlead.model.environment import Environment, weight_per_metre
from fairlead.model.part import TAG, Part, exactly_one, one_or_parts
from fairlead.model.problems import Mistake, wrong
from fairlead.model.ropes import Axial, secant
from fairlead.model.values import Metres, Quantity, Row

_Seconds = Annotated[float, Quantity("s", at_least=0)]


class DampingTime(Part):
    """Internal damping as a time for each way of deforming: c = time * k. One number stands for all three."""

    noun: ClassVar[str] = "a time or a mapping of times"
    axial: _Seconds = Field(default=0.0, description="damping time of stretching")
    bending: _Seconds = Field(default=0.0, description="damping time of bending")
    torsion: _Seconds = Field(default=0.0, description="damping time of twisting")

    @classmethod
    def expanded(cls, data: object) -> object:
        if isinstance(data, (int, float, str)) and not isinstance(data, bool):
            time = Quantity("s", at_least=0).read(data)
            return {"axial": time, "bending": time, "torsion": time}
        return data

    __get_pydantic_json_schema__ = one_or_parts({"type": ["number", "string"], "unit": "s"})


MOST_COEFFICIENT = 1e4
_Drag = Annotated[float, Quantity(at_least=0, at_most=MOST_COEFFICIENT, cure="a round cable has about 1.2 across it")]
_Added = Annotated[float, Quantity(at_least=0, at_most=MOST_COEFFICIENT, cure="a round cable has 1 across it")]
"""Coefficients beyond the largest are a slip: whatever hangs on such a cable would be moored in the water."""


class DragCoefficients(Part):
    """Constant drag coefficients."""

    normal: _Drag = Field(description="coefficient across the cable, on the area diameter * length")
    axial: _Drag = Field(description="coefficient along the cable, on the area chosen by `axial_area`")
    axial_area: Literal["surface", "projected"] = Field(
        default="surface",
        description="reference area of `axial`: surface = pi * diameter * length, projected = diameter * length",
    )

    @classmethod
    def expanded(cls, data: object) -> object:
        if isinstance(data, Mapping) and data.get("kind") in ("reynolds", "none"):
            raise wrong("holds a law where coefficients belong", f"write the law by itself: drag: {data['kind']}")
        return data


class AddedMass(Part):
    """Added-mass coefficients: added mass per length = coefficient * water density * cross-section area."""

    normal: _Added = Field(default=1.0, description="coefficient across the cable")
    axial: _Added = Field(default=0.0, description="coefficient along the cable; about 0 for a smooth one")


def _drag_tag(value: Any) -> str:
    return TAG + ("law" if isinstance(value, str) or value is None else "coefficients")


Drag = Annotated[
    Annotated[Literal["reynolds", "none"], Tag(TAG + "law")] | Annotated[DragCoefficients, Tag(TAG + "coefficients")],
    Discriminator(_drag_tag),
]


_Thickness = Annotated[float, Quantity("m", at_least=0)]
_Density = Annotated[float, Quantity("kg/m^3", at_least=0)]


class Vortices(Part):
    """Vortices behind the cable, which push it across the flow and fall in step with its motion (`lumped`)."""

    lift: Annotated[float, Quantity(at_least=0)] = Field(description="lift coefficient on the diameter of drag")
    frequency: Annotated[float, Quantity(above=0)] = Field(
        default=0.18, description="frequency of shedding times diameter over speed, where the cable is still"
    )
    band: Annotated[float, Quantity(at_least=0)] = Field(
        default=0.08, description="by how much it goes to either side, to follow a cable that swings"
    )

    def relations(self) -> Iterator[Mistake]:
        if self.band >= self.frequency:
            yield Mistake(("band",), "is as wide as the frequency: vortices would stand still", "make it smaller")


LARGEST_CHAIN = 0.3
"""Nominal diameter above which no chain is made, m."""
_FROM_CATALOGUE = frozenset({"diameter", "mass_per_length", "axial_stiffness", "drag", "added_mass", "breaking_load"})
"""Keys of a cable type that a catalogue gives."""


def _catalogued(data: Mapping[str, Any]) -> dict[str, Any]:
    """What the catalogue says of a type; stand-ins where its keys are wrong, of which they tell themselves."""
    entry = CATALOGUE.get(str(data.get("catalogue")), CATALOGUE["chain_studless"])
    d, corrosion, mean_load = (
        _read(data.get(name), quantity)
        for name, quantity in (
            ("nominal_diameter", Quantity("m", above=0)),
            ("corrosion", Quantity("m", at_least=0)),
            ("mean_load", Quantity(at_least=0, at_most=1)),
        )
    )
    d = 0.1 if d is None or d > LARGEST_CHAIN * 10 else d
    grade = data.get("grade")
    known = grade if isinstance(grade, str) and grade in GRADES else "R4"
    values = entry.values(d, known, min(corrosion or 0.0, 0.99 * d), mean_load)
    possible = values["breaking_load"] > 0.0 and values["axial_stiffness"] > 0.0
    return values if possible else entry.values(0.1, "R4", 0.0, None)


def _read(value: object, quantity: Quantity) -> float | None:
    try:
        return None if value is None else quantity.read(value)
    except ValueError:
        return None


class CableType(Part):
    """A kind of cable: one entry a name, used by any number of cables."""

    catalogue: Literal[
        "chain_studless", "chain_studlink", "wire_six_strand", "wire_spiral_strand", "polyester", "nylon", "hmpe"
    ] | None = Field(
        default=None,
        description="what it is, for a cable known by its `nominal_diameter`: gives every key that is not given "
        "here (`fairlead types` shows them and their sources)",
    )  # fmt: skip
    nominal_diameter: Annotated[float, Quantity("m", above=0)] | None = Field(
        default=None, description="of the bar of a chain or of a rope as it is sold; for `catalogue`"
    )
    grade: Literal["R3", "R3S", "R4", "R4S", "R5"] | None = Field(
        default=None, description="grade of a chain of the `catalogue`; R4 when left out"
    )
    corrosion: Annotated[float, Quantity("m", at_least=0)] | None = Field(
        default=None, description="what its nominal diameter may lose: `breaking_load` is that of what is left"
    )
    mean_load: Annotated[float, Quantity(at_least=0, at_most=1)] | None = Field(
        default=None,
        description="mean tension over breaking load: a rope of the `catalogue` has its dynamic stiffness there, its "
        "static one when left out",
    )
    diameter: Annotated[float, Quantity("m", above=0)] = Field(
        description="outer diameter, for buoyancy, added mass and, without `drag_diameter`, drag"
    )
    density: Annotated[float, Quantity("kg/m^3", above=0)] | None = Field(
        default=None, description="mean density over the cross-section; or give `mass_per_length`"
    )
    mass_per_length: Annotated[float, Quantity("kg/m", above=0)] | None = Field(
        default=None, description="mass in air of one metre; or give `density`"
    )
    axial_stiffness: Annotated[float, Quantity("N", above=0)] | None = Field(
        default=None, description="EA, force per strain; or give `youngs_modulus`, or a curve in `axial`"
    )
    youngs_modulus: Annotated[float, Quantity("Pa", above=0)] | None = Field(
        default=None, description="E of the full cross-section, EA = E * pi * diameter^2 / 4; or give `axial_stiffness`"
    )
    axial: Axial | None = Field(
        default=None, description="how it stretches, where one stiffness does not say it: ropes (`lumped`, `bars`)"
    )
    bending_stiffness: Annotated[float, Quantity("N*m^2", at_least=0)] = Field(
        default=0.0, description="EI, moment per curvature"
    )
    torsional_stiffness: Annotated[float, Quantity("N*m^2", at_least=0)] = Field(
        default=0.0, description="GJ, torque per twist per metre"
    )
    damping_time: DampingTime = Field(
        default=DampingTime.unsaid(),
        description="internal damping, damping = time * stiffness: one time, or one each for axial, bending, torsion",
    )
    damping_ratio: Annotated[float, Quantity(at_least=0)] | None = Field(
        default=None,
        description="damping of stretching as a part of the critical one of an element, ζ; instead of an axial "
        "`damping_time`, which is then ζ l √(m/EA) for an element of length l",
    )
    drag: Drag = Field(
        default="reynolds",
        description="`reynolds`: coefficients follow the Reynolds number; `none`; or constant coefficients",
    )
    added_mass: AddedMass = Field(default=AddedMass.unsaid(), description="added-mass coefficients")
    drag_diameter: Annotated[float, Quantity("m", above=0)] = Field(
        default_factory=lambda known: known.get("diameter", 1.0),
        description="diameter that drag is taken on, and the Reynolds number, as for a chain or a rope with growth or "
        "fairing; added mass keeps to `diameter`; as `diameter` when left out",
    )
    contact_diameter: Annotated[float, Quantity("m", above=0)] = Field(
        default_factory=lambda known: known.get("diameter", 1.0),
        description="diameter that meets the seabed; as `diameter` when left out",
    )
    vortices: Vortices | None = Field(
        default=None, description="vibration by vortices across the flow; none when left out"
    )
    growth: tuple[Annotated[tuple[Metres, _Thickness, _Density], Row("z thickness density")], ...] = Field(
        default=(),
        description="marine growth by height: rows [z, thickness, density], linear between them, constant beyond; "
        "thicker by twice as much for buoyancy, added mass, drag and the seabed, and heavier; each element has that of "
        "the depth it is first laid at",
    )
    floating: bool = Field(
        default=False,
        description="`true` where it is meant to be lighter than water: no warning then says that it rises",
    )
    breaking_load: Annotated[float, Quantity("N", above=0)] | None = Field(
        default=None,
        description="tension at which it breaks (MBL): results tell how much of it is used; changes no motion",
    )
    minimum_bend_radius: Annotated[float, Quantity("m", above=0)] | None = Field(
        default=None, description="radius to which it may be bent (MBR): results tell how near it comes"
    )

    @classmethod
    def expanded(cls, data: object) -> object:
        """With all that the catalogue says; keys given beside it win."""
        if not isinstance(data, Mapping) or data.get("catalogue") is None:
            return data
        other = {"mass_per_length": "density", "axial_stiffness": "youngs_modulus"}
        if isinstance(axial := data.get("axial"), Mapping) and ("table" in axial or "working_curves" in axial):
            other["axial_stiffness"] = "axial"
        return {k: v for k, v in _catalogued(data).items() if data.get(other.get(k, k)) is None} | {
            key: value for key, value in data.items() if value is not None
        }

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        if "catalogue" in given and "nominal_diameter" not in given:
            yield Mistake((), "'nominal_diameter' is missing beside 'catalogue'", "add it", True)
        for name in ("nominal_diameter", "grade", "corrosion", "mean_load"):
            if name in given and "catalogue" not in given:
                yield Mistake((name,), "has no meaning without 'catalogue'", "add the catalogue, or remove it", True)
        yield from exactly_one(given, "density", "mass_per_length")
        if "axial" not in given or {"axial_stiffness", "youngs_modulus"} <= given:
            yield from exactly_one(given, "axial_stiffness", "youngs_modulus")

    def relations(self) -> Iterator[Mistake]:
        heights = [row[0] for row in self.growth]
        if len(set(heights)) < len(heights):
            yield Mistake(("growth",), "gives a height twice", "give each z once")
        if self.damping_ratio is not None and self.damping_time.axial > 0:
            yield Mistake(("damping_ratio",), "is given, and an axial 'damping_time' too", "keep one of them", True)
        if self.axial is not None:
            yield from self._rope_mistakes(self.axial)
        if self.catalogue is None or self.nominal_diameter is None:
            return
        entry = CATALOGUE[self.catalogue]
        if (self.corrosion or 0.0) >= self.nominal_diameter:
            yield Mistake(("corrosion",), "leaves nothing of the nominal diameter", "it is a part of it, in m")
        if self.grade is not None and not entry.graded:
            yield Mistake(("grade",), f"has no meaning for a {entry.title}", "remove it", True)
        if self.mean_load is not None and entry.dynamic is None:
            yield Mistake(("mean_load",), f"has no meaning for a {entry.title}", "remove it", True)
        if entry.graded and self.nominal_diameter > LARGEST_CHAIN:
            message = f"{self.nominal_diameter:g} m is beyond the chains that are made, whose strength this is"
            yield Mistake(("nominal_diameter",), message, f"stay below {LARGEST_CHAIN:g} m; was it meant in mm?")
        self._follow_catalogue()

    def _rope_mistakes(self, axial: Axial) -> Iterator[Mistake]:
        """What of a rope's stiffnesses does not fit together."""
        given = self.axial_stiffness is not None or self.youngs_modulus is not None
        if axial.curve is not None:
            if given:
                key = "axial_stiffness" if self.axial_stiffness is not None else "youngs_modulus"
                yield Mistake((key,), "has no meaning beside a curve in 'axial'", "remove it, or the curve", True)
            return
        if not given:
            yield Mistake((), "'axial_stiffness' is missing: that of slow loads", "add it, or a curve in 'axial'", True)
        elif self.ea >= axial.stiffness_at(0.0):
            message = f"{axial.stiffness_at(0.0):.4g} N is not above the static stiffness of {self.ea:.4g} N"
            yield Mistake(("axial", "dynamic_stiffness"), message, "a rope is stiffer under quick loads")
        if axial.creeps and (self.damping_ratio or self.damping_time.axial > 0.0):
            key = "damping_ratio" if self.damping_ratio else "damping_time"
            yield Mistake((key,), "cannot stand beside the dampers of 'axial'", "remove it", True)

    def _follow_catalogue(self) -> None:
        """What the catalogue says is not given: it follows when the nominal diameter changes."""
        said = type(self).model_construct(**_catalogued(self.__dict__))
        for name in _FROM_CATALOGUE & self.model_fields_set:
            value, own = getattr(said, name), getattr(self, name)
            if own == value or (isinstance(value, dict) and own == type(own)(**value)):
                self.model_fields_set.discard(name)

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Its diameter is needed unless the catalogue gives it."""
        reference = handler(core)
        full = handler.resolve_ref_schema(reference)
        full.pop("required", None)
        full["anyOf"] = [{"required": ["diameter"]}, {"required": ["catalogue", "nominal_diameter"]}]
        return reference

    @property
    def area(self) -> float:
        """Area of the cross-section A, m2."""
        return math.pi * self.diameter**2 / 4

    @property
    def mass_per_metre(self) -> float:
        """Mass in air m, kg/m, from either way of giving it."""
        return self.mass_per_length if self.mass_per_length is not None else (self.density or 0.0) * self.area

    @property
    def mean_density(self) -> float:
        """Mass over displaced volume, kg/m3, from either way of giving it."""
        return self.density if self.density is not None else (self.mass_per_length or 0.0) / self.area

    @property
    def ea(self) -> float:
        """Axial stiffness EA, N, from either way of giving it; of a curve that of its end, seen from its beginning."""
        if self.axial is not None and self.axial.curve is not None:
            return secant(self.axial.curve)
        return self.axial_stiffness if self.axial_stiffness is not None else (self.youngs_modulus or 0.0) * self.area

    @property
    def ei(self) -> float:
        """Bending stiffness EI, N m2."""
        return self.bending_stiffness

    @property
    def gj(self) -> float:
        """Torsional stiffness GJ, N m2."""
        return self.torsional_stiffness

    def damping_axial(self, length: float) -> float:
        """Damping time of stretching of an element of unstretched `length` (m), s: c = time * k.

        A ratio ζ is that of the fastest motion along a cable, in which every other node goes to and fro. Each node has
        the mass m l between two springs k = EA / l, so that ω² = 4 k / (m l), and critical damping is c = 2 k / ω.
        """
        if self.damping_ratio is None:
            return self.damping_time.axial
        time: float = self.damping_ratio * length * (self.mass_per_metre / self.ea) ** 0.5
        return time

    @property
    def damping_bending(self) -> float:
        """Damping time of bending, s."""
        return self.damping_time.bending

    @property
    def damping_torsion(self) -> float:
        """Damping time of twisting, s."""
        return self.damping_time.torsion

    @property
    def is_damped(self) -> bool:
        """Whether it has internal damping of any kind."""
        return max(self.damping_axial(1.0), self.damping_bending, self.damping_torsion) > 0.0

    @property
    def contact_diameter_or_default(self) -> float:
        """Diameter that meets the seabed, m."""
        return self.contact_diameter

    def growth_at(self, z: float) -> tuple[float, float]:
        """Thickness (m) and density (kg/m3) of the growth at a height; none above the surface."""
        rows = sorted(self.growth)
        if not rows or z > 0.0:
            return 0.0, 0.0
        below = [row for row in rows if row[0] <= z] or rows[:1]
        above = [row for row in rows if row[0] >= z] or rows[-1:]
        (low, *first), (high, *last) = below[-1], above[0]
        part = 0.0 if high <= low else (z - low) / (high - low)
        thickness, density = (a + part * (b - a) for a, b in zip(first, last, strict=True))
        return thickness, density

    def grown(self, thickness: float, density: float) -> "CableType":
        """The same under so much growth: D + 2t for buoyancy, added mass, drag and the bed, and the mass of the ring.

        Drag coefficients stay: on the larger diameter the force grows by (D + 2t)/D, and so does the area.
        """
        wide = self.diameter + 2.0 * thickness
        mass = self.mass_per_metre + density * math.pi / 4 * (wide**2 - self.diameter**2)
        by_curve = self.axial is not None and self.axial.curve is not None
        changes = {
            "diameter": wide, "mass_per_length": mass, "density": None, "youngs_modulus": None,
            "axial_stiffness": None if by_curve else self.ea, "drag_diameter": self.drag_diameter + 2.0 * thickness,
            "contact_diameter": self.contact_diameter + 2.0 * thickness, "growth": (),
        }  # fmt: skip
        return self.model_copy(update=changes)

    def weight_in_water(self, environment: Environment) -> float:
        """Weight of a metre in still water, N/m; negative when it floats."""
        return weight_per_metre(environment, self.mass_per_metre, self.area)
