"""The water, the current, the waves, the seabed and the wind."""

import math
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field

from fairlead.model.bathymetry import Bathymetry
from fairlead.model.current_field import CurrentField
from fairlead.model.motion import increasing_times
from fairlead.model.part import Part, exactly_one, none_beside
from fairlead.model.problems import Location, Mistake
from fairlead.model.values import Metres, Number, Quantity, Row, Seconds, Velocity
from fairlead.model.waves import SeveralWaves, Waves, breaking_height


class _Flow(Part):
    """A velocity, or a speed and a direction."""

    velocity: Velocity | None = Field(default=None, description="its velocity [x, y, z]")
    speed: Annotated[float, Quantity("m/s", at_least=0)] | None = Field(
        default=None, description="its speed, instead of `velocity`; needs `direction_deg`"
    )
    direction_deg: Annotated[float, Quantity("deg")] | None = Field(
        default=None, description="direction it flows towards, from x (north), positive towards y (west)"
    )

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, "velocity", "speed")
        if "speed" in given and "direction_deg" not in given:
            yield Mistake((), "'direction_deg' is missing beside 'speed'", "add the direction it flows towards")
        if "direction_deg" in given and "speed" not in given:
            yield Mistake(("direction_deg",), "has no meaning without 'speed'", "add 'speed' or remove it", True)

    @property
    def vector(self) -> tuple[float, float, float]:
        """Its velocity (3,), m/s."""
        if self.velocity is not None:
            return self.velocity
        speed, angle = self.speed or 0.0, math.radians(self.direction_deg or 0.0)
        return (speed * math.cos(angle), speed * math.sin(angle), 0.0)


class _Sample(Part):
    z: Metres = Field(description="height of the sample, negative below the surface")


class CurrentSample(_Flow, _Sample):
    """The current at one height, as a velocity or as a speed and a direction."""


class Wind(_Flow):
    """The wind, as a velocity or as a speed and a direction: steady, or with gusts. It pushes bodies that say how."""

    gusts: tuple[Annotated[tuple[Seconds, Number], Row("t factor")], ...] = Field(
        default=(),
        description="rows [t, factor] of the wind over time as a multiple of its velocity: linear between them, held "
        "beyond the ends; statics takes the velocity itself, the mean",
    )
    air_density: Annotated[float, Quantity("kg/m^3", above=0)] = Field(
        default=1.225, description="density of the air; that of 15 °C at the sea"
    )

    def relations(self) -> Iterator[Mistake]:
        if self.gusts:
            yield from increasing_times(self.gusts, "gusts")


def _surveyed_depth(known: dict[str, Any]) -> Any:
    survey = known.get("bathymetry")
    return None if survey is None else -float(survey.relief.at(0.0, 0.0)[0])


class Seabed(Part):
    """A bottom that pushes back and rubs: flat, sloping or as surveyed. Leave `seabed` out for deep water."""

    bathymetry: Bathymetry | None = Field(
        default=None, description="the bottom as it was surveyed: depths on a grid, or soundings; needs no `depth`"
    )
    depth: Annotated[float, Quantity("m", above=0)] = Field(
        default_factory=_surveyed_depth,
        description="water depth at x = y = 0; beside `bathymetry` the depth that waves feel, as surveyed there when "
        "left out",
    )
    slope: Annotated[tuple[Number, Number], Row("dz/dx dz/dy")] = Field(
        default=(0.0, 0.0), description="rise of the bed per metre north and per metre west [dz/dx, dz/dy]"
    )
    stiffness: Annotated[float, Quantity("N/m^3", above=0)] = Field(
        default=1e5, description="pressure per depth of penetration, on the contact diameter"
    )
    damping: Annotated[float, Quantity("N*s/m^3", at_least=0)] = Field(
        default=0.0, description="pressure per speed of penetration"
    )
    friction: Annotated[float, Quantity(at_least=0)] = Field(default=0.0, description="Coulomb friction coefficient")
    friction_stiffness: Annotated[float, Quantity("N/m^3", above=0)] = Field(
        default_factory=lambda known: known.get("stiffness", 1e5),
        description="shear stress per displacement before the cable slips; as `stiffness` when left out",
    )

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        if not given & {"depth", "bathymetry"}:
            yield Mistake((), "'depth' is missing", "add it: water depth at x = y = 0; or give 'bathymetry'", True)
        yield from none_beside(given, "bathymetry", "slope")

    def relations(self) -> Iterator[Mistake]:
        if self.depth is not None and not self.depth > 0:
            hint = "depths count downwards; where it is land, give 'depth', the depth that waves feel"
            yield Mistake(("bathymetry",), f"the seabed is dry at x = y = 0 (depth {self.depth:g} m)", hint)

    def at(self, x: Any, y: Any) -> tuple[Any, Any, Any]:
        """Height z of the bed at places [m], and its slopes dz/dx and dz/dy there."""
        if self.bathymetry is not None:
            return self.bathymetry.relief.at(x, y)
        return -self.depth + self.slope[0] * x + self.slope[1] * y, self.slope[0], self.slope[1]

    def level(self, x: Any, y: Any) -> Any:
        """Height z of the bed at places, m."""
        return self.at(x, y)[0]


MEASURED = ("record", "components")
"""Kinds of waves that are data: of these a warning tells that they are too steep, and nothing is refused."""


class Environment(Part):
    """The sea. All keys may be left out."""

    water_density: Annotated[float, Quantity("kg/m^3", at_least=0)] = Field(
        default=1025.0, description="density of the water; 0 for a system in air"
    )
    gravity: Annotated[float, Quantity("m/s^2", at_least=0)] = Field(
        default=9.81, description="acceleration of gravity, downwards"
    )
    viscosity: Annotated[float, Quantity("m^2/s", above=0)] = Field(
        default=1.35e-6, description="kinematic viscosity of the water, for Reynolds numbers"
    )
    current: tuple[CurrentSample, ...] = Field(
        default=(), description="samples of the current over depth: linear between them, constant beyond the ends"
    )
    current_field: CurrentField | None = Field(
        default=None, description="a current that changes over time and from place to place, on a grid"
    )
    waves: Waves | None = Field(default=None, description="waves on the surface; a flat sea when left out")
    seabed: Seabed | None = Field(default=None, description="the bottom; none when left out")
    wind: Wind | None = Field(default=None, description="the air that flows; it does nothing when left out")

    def relations(self) -> Iterator[Mistake]:
        first: dict[float, int] = {}
        for index, sample in enumerate(self.current):
            if sample.z in first:
                place = f"current[{first[sample.z]}]"
                yield Mistake(("current", index, "z"), f"{sample.z:g} m is given twice", f"it is also the z of {place}")
            first.setdefault(sample.z, index)
        if self.current_field is not None and self.gravity == 0:
            cure = "remove it, or give the sea its weight"
            yield Mistake(("current_field",), "cannot stand beside 'gravity: 0'", cure, True)
        yield from self._impossible_waves()

    def _impossible_waves(self) -> Iterator[Mistake]:
        if self.waves is None:
            return
        if self.water_density == 0 or self.gravity == 0:
            missing = "water_density" if self.water_density == 0 else "gravity"
            cure = "remove them, or give the sea its weight"
            yield Mistake(("waves",), f"cannot stand beside '{missing}: 0'", cure, True)
            return
        for place, train, height, limit in self.breaking_trains():
            if train.kind not in MEASURED:
                key = {"regular": ("height",), "jonswap": ("significant_height",)}.get(train.kind, ())
                message = f"{height:.4g} m is too high: waves of {train.main_period:.4g} s break above {limit:.3g} m"
                yield Mistake((*place, *key), message, "make them lower or longer")

    def breaking_trains(self) -> Iterator[tuple[Location, Any, float, float]]:
        """Trains of waves higher than those of their main period can be: place, train, height and limit [m]."""
        for place, train in self.trains:
            limit = breaking_height(train.main_period, self.depth, self.gravity)
            if train.main_height > limit:
                yield place, train, train.main_height, limit

    @property
    def trains(self) -> tuple[tuple[Location, Any], ...]:
        """The trains of waves, one or several, each beside its place in the environment."""
        if isinstance(self.waves, SeveralWaves):
            return tuple((("waves", "trains", index), train) for index, train in enumerate(self.waves.trains))
        return ((("waves",), self.waves),) if self.waves is not None else ()

    @property
    def depth(self) -> float:
        """Depth of the water at x = y = 0, m; infinite without a seabed."""
        return self.seabed.depth if self.seabed is not None else math.inf

    @property
    def current_table(self) -> list[tuple[float, tuple[float, float, float]]]:
        """The current as (z, (vx, vy, vz)) in m and m/s, from the lowest sample to the highest; still water has one."""
        return sorted((sample.z, sample.vector) for sample in self.current) or [(0.0, (0.0, 0.0, 0.0))]


def weight_per_metre(environment: Environment, mass: float, area: float) -> float:
    """Weight in still water of a metre with `mass` kg/m and `area` m2: N/m, negative when it floats."""
    return (mass - environment.water_density * area) * environment.gravity
