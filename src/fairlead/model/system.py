"""The whole system: environment, types, points, bodies, cables, loads and settings, checked together."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, ClassVar, Self

from pydantic import Field, PrivateAttr, ValidationError, ValidationInfo, model_validator
from pydantic.functional_validators import ModelWrapValidatorHandler

from fairlead.model.anchors import on_bed, on_bed_again, put_on_bed
from fairlead.model.body_kinds import Body
from fairlead.model.cable_types import CableType
from fairlead.model.cables import Cable
from fairlead.model.changes import place_values
from fairlead.model.environment import Environment
from fairlead.model.floaters import PowerTakeOff
from fairlead.model.fmu_choice import FmuChoice
from fairlead.model.hydro import Hydro
from fairlead.model.inputs import Input
from fairlead.model.joints import Joint
from fairlead.model.part import Part, mistakes_of
from fairlead.model.places import Place, end_names, find_place
from fairlead.model.points import HybridPoint, PassivePoint, Point, PointLoad
from fairlead.model.points_on_bodies import with_attachments
from fairlead.model.problems import Mistake, ModelError, Problem, suggestion
from fairlead.model.settings import OutputSettings, SimulationSettings
from fairlead.model.source import Source, place_problem
from fairlead.model.trade_words import says_words
from fairlead.model.values import Name, Text


class System(Part):
    """A system of cables in the sea, and how to simulate it."""

    noun: ClassVar[str] = "a mapping with types, points, cables and simulation"
    title: Text = Field(default="", description="what the system is, in a line")
    description: Text = Field(default="", description="more about it, for those who read the file")
    environment: Environment = Field(default=Environment.unsaid(), description="the water, the current and the seabed")
    types: dict[Name, CableType] = Field(description="cable types by name")
    points: dict[Name, Point] = Field(description="points by name: where cables end and meet")
    bodies: dict[Name, Body] = Field(default={}, description="rigid bodies by name, with attachments to join cables to")
    joints: dict[Name, Joint] = Field(default={}, description="joints by name, by which bodies hang from one another")
    ptos: dict[Name, PowerTakeOff] = Field(
        default={}, description="power take-offs by name: springs and dampers between floating bodies"
    )
    cables: dict[Name, Cable] = Field(description="cables by name")
    hydro: Hydro | None = Field(default=None, description="hulls whose water is solved for; none when left out")
    loads: tuple[PointLoad, ...] = Field(default=(), description="forces and torques on points and bodies")
    inputs: dict[Text, Input] = Field(
        default={}, description="values over time for inputs by name, such as `B.position`; those set live win"
    )
    simulation: SimulationSettings = Field(description="time and method")
    outputs: OutputSettings = Field(default=OutputSettings.unsaid(), description="what goes into the result file")
    fmu: FmuChoice = Field(default=FmuChoice.unsaid(), description="what an FMU of the system shows")

    _source: Source | None = PrivateAttr(None)
    _element_types: dict[str, tuple[str, ...]] = PrivateAttr({})
    _written: dict[str, Any] | None = PrivateAttr(None)

    @property
    def source(self) -> Source | None:
        """The file the system was read from; None when it was built in Python."""
        return self._source

    def problem(self, path: str, message: str, hint: str = "") -> Problem:
        """A problem at a place in this system, with file, line and column when it came from a file."""
        if self._source is None:
            return Problem(path, message, hint)
        line, column = self._source.locate(path) or (None, None)
        return Problem(path, message, hint, self._source.path, line, column)

    def place(self, name: str) -> Place:
        """What the end of a cable or a load named `A`, `vessel` or `vessel.tip` is joined to, and where at t = 0."""
        found = find_place(self, name)
        if found is None:
            hint = suggestion(name, [*end_names(self), *self.bodies])
            raise ModelError([Problem("", f"there is no place '{name}'", hint)])
        return found

    def element_types(self, cable: Cable) -> tuple[str, ...] | None:
        """Names of the types of a cable's elements where they are others than the file gives (`shape.growth`)."""
        if not self._element_types:
            return None
        return next((self._element_types.get(name) for name, one in self.cables.items() if one is cable), None)

    def with_element_types(self, types: dict[str, CableType], names: dict[str, tuple[str, ...]]) -> Self:
        """A copy with more types, and of cables the type of each element."""
        copy = self.model_copy(update={"types": types})
        copy._element_types = names
        return copy

    def with_settings(self, **changes: Any) -> Self:
        """A copy with other simulation settings, validated.

        Names are those of the file, nested ones joined by `__` or given as a mapping:
        `with_settings(step=0.1, bars__tuning="literal", tolerance={"relative": 1e-6})`; None goes back to the default.
        """
        settings = self.simulation.model_dump(exclude_unset=True)
        for name, value in changes.items():
            *outer, last = name.split("__")
            inner = settings
            for step in outer:
                inner = inner.setdefault(step, {})
                if not isinstance(inner, dict):
                    raise ModelError([Problem(f"simulation.{step}", "holds no settings of its own")])
            if value is None:
                inner.pop(last, None)
            elif isinstance(value, dict) and isinstance(inner.get(last), dict):
                inner[last] = {**inner[last], **value}
            else:
                inner[last] = value
        parts = {name: getattr(self, name) for name in self.model_fields_set}
        changed = type(self).model_validate({**parts, "simulation": settings})
        changed._source = self._source
        if self._written is not None:
            changed._written = {**self._written, "simulation": settings}
        return changed

    def with_values(self, values: Mapping[str, Any]) -> Self:
        """A copy with other values at the given paths, validated as a whole.

            system.with_values({"cables.line.length": 380, "environment.waves.significant_height": 5})

        Paths are those of `--set` and of messages; values those a file may hold, `"5 kN"` among them.
        """
        if not values:
            return self
        data: dict[str, Any]
        if self._written is not None:  # words such as `modules` are changed as the file has them
            data = deepcopy(self._written)
        else:
            data = self.model_dump(mode="json", exclude_unset=True)
            for name in on_bed(self):
                data["points"][name]["position"][2] = "bed"
        place_values(data, {path: on_bed_again(self, path, _plain(value)) for path, value in values.items()})
        return type(self).model_validate(data, context={"source": self._source})

    def to_dict(self) -> dict[str, Any]:
        """The system as plain dictionaries, lists and numbers, as a file would hold it; defaults are left out."""
        from fairlead.model.dump import plain

        return plain(self)

    def to_yaml(self) -> str:
        """The system as a YAML file that loads to an equal one; values left at their defaults are left out."""
        from fairlead.model.dump import yaml_text

        return yaml_text(self)

    def __repr__(self) -> str:
        from fairlead.model.shown import shown

        return shown(self).text()

    __str__ = __repr__

    def _repr_html_(self) -> str:
        from fairlead.model.shown import shown

        return shown(self).html()

    def __eq__(self, other: object) -> bool:
        """Equal when they describe the same system, wherever it was read from."""
        return isinstance(other, System) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    @model_validator(mode="wrap")
    @classmethod
    def _checked_together(cls, data: Any, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo) -> Self:
        """Adds the checks between parts, which run on whatever could be understood, and raises `ModelError`."""
        from fairlead.model.checks import cross_check
        from fairlead.model.floating import put_on_water
        from fairlead.model.partial import understood
        from fairlead.model.stiffeners import put_stiffeners

        if isinstance(data, cls):
            return data
        context = info.context or {}
        source: Source | None = context.get("source")
        mistakes: list[Mistake] = []
        system: Self | None = None
        data = with_attachments(data)
        try:
            system = handler(data)
            mistakes += put_on_bed(system)
            mistakes += put_stiffeners(system)
        except ValidationError as error:
            mistakes += mistakes_of(error)
        mistakes += cross_check(system if system is not None else understood(cls, data), context.get("complete", True))
        if system is None or mistakes:
            raise ModelError(place_problem(mistake, source) for mistake in mistakes)
        system._source = source
        if says_words(data):
            system._written = deepcopy(dict(data))
        density = system.environment.water_density
        for name, point in system.points.items():
            if isinstance(point, (PassivePoint, HybridPoint)):
                system.points[name] = point.in_water(density)
        put_on_water(system)
        if "output_every" not in system.simulation.model_fields_set:
            from fairlead.model.sampling import default_output_every

            settings = system.simulation.model_copy()
            settings.__dict__["output_every"] = default_output_every(system)
            system.__dict__["simulation"] = settings
        return system


def _plain(value: Any) -> Any:
    """A part of a model as the mapping a file would hold."""
    return value.model_dump(mode="json", exclude_unset=True) if isinstance(value, Part) else value


def counts(system: System) -> dict[str, int]:
    """How big a system is.

    `bars` elements in all; `points` with a motion or a body of their own; `junctions`, the free and sliding points;
    `bodies`, where there are any; `cables`; `states` = 13 (bars + points + bodies) + cables, as the papers count them:
    a position, a quaternion and two velocities each. What a formulation keeps is another number: `layout.size` of a
    compiled system.
    """
    return _counted(system, set(system.cables), set(system.points), set(system.bodies))


def parts(system: System) -> list[dict[str, Any]]:
    """The parts of a system that share neither point nor body, each with the names of its cables and its `counts`."""
    group = {name: name for name in (*system.points, *system.bodies)}

    def root(name: str) -> str:
        while group[name] != name:
            name = group[name]
        return name

    for cable in system.cables.values():
        group[root(system.place(cable.start.point).owner_name)] = root(system.place(cable.end.point).owner_name)
    for name, point in system.points.items():
        if point.kind == "sliding":
            group[root(name)] = root(system.place(system.cables[point.cable].start.point).owner_name)
    found: dict[str, list[str]] = {}
    for name, cable in system.cables.items():
        found.setdefault(root(system.place(cable.start.point).owner_name), []).append(name)
    return [
        {
            "names": cables,
            **_counted(
                system, set(cables), {n for n in system.points if root(n) == at},
                {n for n in system.bodies if root(n) == at},
            ),
        }
        for at, cables in found.items()
    ]  # fmt: skip


def _counted(system: System, cables: set[str], points: set[str], bodies: set[str]) -> dict[str, int]:
    bars = sum(system.cables[name].element_count for name in cables)
    junctions = sum(system.points[name].kind in ("free", "sliding") for name in points)
    return {
        "bars": bars,
        "points": len(points) - junctions,
        "junctions": junctions,
        **({"bodies": len(bodies)} if bodies else {}),
        "cables": len(cables),
        "states": 13 * (bars + len(points) - junctions + len(bodies)) + len(cables),
    }
