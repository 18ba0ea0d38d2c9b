"""The twin's file: the system, what is heard, what is estimated, what is watched, who may look, what is kept.

    system: tow.yaml
    inputs:
      gps: {kind: nmea, udp: 127.0.0.1:10110, delay: 0.2 s}
    drive:
      stern.position: {from: gps, lever: [-42, 3, 8], smooth: 1.5 s}
    sensors:
      t200: {measures: tow.position, at: 200 m, noise: 1 m, delay: {up_to: 9 s}}
    estimate:
      parameters:
        drag_normal: {of: cable, sd: 20 %, walk: 0.3 %}

Values have units as in a model file, and mistakes are all told at once, each with its line.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, PrivateAttr

from fairlead.model import ModelError
from fairlead.model.loader import load, parsed, read_as, read_text
from fairlead.model.part import Part
from fairlead.model.problems import Mistake, Problem, nearest, suggestion
from fairlead.model.source import Source as Text_
from fairlead.model.source import place_problem
from fairlead.model.values import Flag, Quantity, Text, Whole

from .sources import DriveChoice, LimitChoice, Port, SensorChoice, Source, Time

PARTS = "system, inputs, drive, sensors and estimate"
PARAMETERS = ("current", "drag_normal", "drag_axial", "anchor")


@dataclass(frozen=True)
class Frequency(Quantity):
    """Marks a float that may be written as a number in Hz or as text: `10 Hz`."""

    unit: str = "rad/s"

    def read(self, value: object) -> float:
        if not isinstance(value, str):
            return super().read(value)
        try:
            return super().read(float(value))
        except ValueError:
            return Quantity("rad/s", above=0).read(value) / (2.0 * math.pi)


class Origin(Part):
    """Where the system's x = y = 0 lies on the earth, and which way x points."""

    latitude: Annotated[float, Quantity("deg", at_least=-90, at_most=90)] = Field(description="north positive")
    longitude: Annotated[float, Quantity("deg", at_least=-180, at_most=360)] = Field(description="east positive")
    heading_of_x: Literal["north"] | Annotated[float, Quantity("deg", at_least=-360, at_most=360)] = Field(
        default="north", description="`north`, or the angle from north to x, clockwise"
    )

    @property
    def heading(self) -> float:
        """Of x, degrees from north, clockwise."""
        return 0.0 if self.heading_of_x == "north" else float(self.heading_of_x)


class ClockChoice(Part):
    """How the twin keeps time and place."""

    rate: Annotated[float, Frequency(above=0, at_most=100)] = Field(
        default=10.0, description="how often the twin shows itself"
    )
    behind: Annotated[float, Quantity("s", at_least=0, at_most=60)] = Field(
        default=0.0,
        description="how far the twin stays behind the clock, so that the fixes that drive it are there: it then moves "
        "between them, and does not guess ahead of them",
    )
    origin: Origin | None = Field(
        default=None, description="where x = y = 0 lies; the first fix is where the file has the point if left out"
    )


class ParameterChoice(Part):
    """Something of the system that is not well known, and how well it is."""

    noun: ClassVar[str] = "a mapping such as {of: cable, sd: 20 %, walk: 0.3 %}"
    kind: Text | None = Field(
        default=None,
        description="current, drag_normal, drag_axial, anchor, or the path of a property; its name here if left out",
    )
    of: Text | tuple[Text, ...] | None = Field(
        default=None, description="cable types or cables of a drag; the point that is the anchor"
    )
    towards: Text | None = Field(
        default=None, description="of an anchor: the point along the way to which it may be off"
    )
    levels: tuple[Annotated[float, Quantity("m", at_most=0)], ...] = Field(
        default=(), description="of a current: heights at which it is estimated, linear between them"
    )
    sd: Any = Field(description="standard deviation of what is known before anything is heard: 0.25 m/s, 20 %")
    walk: Any = Field(default=0.0, description="how far it may wander in the time `per`, standard deviation")
    per: Time = Field(default=10.0, description="the time that `walk` is about")


class EstimateChoice(Part):
    """How state and parameters are estimated."""

    method: Literal["etkf", "enkf", "none"] = Field(
        default="etkf", description="`etkf` (ensemble transform), `enkf` (stochastic), `none` (open loop)"
    )
    members: Annotated[int, Whole(1, 2000)] = Field(default=30, description="runs of the system side by side")
    every: Time = Field(default=10.0, description="time from one update to the next")
    predict: Time = Field(
        default=1.0, description="time between the predictions that readings are compared with, linear between them"
    )
    state: Literal["all", "parameters"] = Field(
        default="all", description="what an update changes: `all` of the state and the parameters, or `parameters` only"
    )
    parameters: dict[Text, ParameterChoice] = Field(default={}, description="what is estimated, by name")
    seed: Annotated[int, Whole(0, 2**63 - 1)] = Field(default=1, description="what all that is drawn follows from")

    def relations(self) -> Iterator[Mistake]:
        count = sum(max(1, 2 * len(choice.levels)) for choice in self.parameters.values())
        least = 2 * count + 4
        if self.method != "none" and self.members < least:
            message = f"{self.members} members are too few for {count} parameter{'s' if count != 1 else ''}"
            yield Mistake(("members",), message, f"use {least} at least (2 each and 4), better {max(20, least)}")


class LookAhead(Part):
    """How the twin looks ahead."""

    horizon: Time = Field(default=300.0, description="how far")
    every: Time = Field(default=30.0, description="how often")
    walk: Annotated[float, Quantity(at_least=0)] = Field(
        default=2.0, description="by how much parameters wander faster in a forecast than in the estimate"
    )
    step: Time = Field(default=5.0, description="time between the points of a forecast")
    plan: Text | None = Field(
        default=None, description="CSV file of what drives are planned to do: time and columns such as stern.position.x"
    )


class ServerChoice(Part):
    """Who may look at the twin."""

    bind: Text = Field(default="127.0.0.1", description="address to listen at; others than this host need a token")
    port: Port = Field(default=8765, description="port to listen at")
    viewers: Annotated[int, Whole(1, 1000)] = Field(default=50, description="how many may look at once")
    sandbox: Flag = Field(default=False, description="whether what-ifs may be asked for (with a token of their own)")


class RecordChoice(Part):
    """What is kept."""

    folder: Text = Field(default="log", description="folder of what is recorded, relative to this file")
    every: Time = Field(default=1.0, description="time between samples")
    segment: Time = Field(default=600.0, description="time in one file")
    keep: Time = Field(default=7 * 86400.0, description="age from which on files are deleted")
    checkpoint: Time = Field(default=1.0, description="time between checkpoints")
    messages: Flag = Field(default=True, description="whether all that is heard is kept, for replay")


class TwinFile(Part):
    """A live twin of a system."""

    noun: ClassVar[str] = "a mapping with system, inputs, drive, sensors and estimate"
    twin: Text = Field(default="", description="what it is about, in a line")
    system: Text = Field(description="the model file, relative to this one")
    clock: ClockChoice = Field(default=ClockChoice(), description="time and place")
    inputs: dict[Text, Source] = Field(default={}, description="what is heard, by name")
    drive: dict[Text, DriveChoice] = Field(default={}, description="inputs of the system that follow measurements")
    sensors: dict[Text, SensorChoice] = Field(default={}, description="what the estimate is compared with")
    estimate: EstimateChoice = Field(default=EstimateChoice(), description="how it is estimated")
    look_ahead: LookAhead | None = Field(default=None, description="how it looks ahead")
    limits: tuple[LimitChoice, ...] = Field(default=(), description="what must not be exceeded")
    server: ServerChoice = Field(default=ServerChoice(), description="who may look")
    record: RecordChoice | None = Field(default=None, description="what is kept")

    _source: Text_ | None = PrivateAttr(None)

    @property
    def source(self) -> Text_ | None:
        """The file it was read from."""
        return self._source

    def problem(self, location: tuple[str | int, ...], message: str, hint: str = "") -> Problem:
        """A problem at a place of the file, with its line where it came from one."""
        return place_problem(_as_written(Mistake(location, message, hint)), self._source)

    @property
    def not_described(self) -> tuple[str, ...]:
        """Inputs that drives and sensors name and `inputs` does not: what a program puts into the twin."""
        named = [choice.source for choice in self.drive.values()]
        named += [choice.source for choice in self.sensors.values() if choice.source]
        return tuple(dict.fromkeys(name for name in (s.partition(".")[0] for s in named) if name not in self.inputs))

    def relations(self) -> Iterator[Mistake]:
        driven = {choice.source: name for name, choice in self.drive.items()}
        choices: list[tuple[str, str, DriveChoice | SensorChoice]] = [
            *(("drive", name, choice) for name, choice in self.drive.items()),
            *(("sensors", name, choice) for name, choice in self.sensors.items()),
        ]
        for part, name, choice in choices:
            if choice.source is None:
                continue
            owner, _, field = choice.source.partition(".")
            known, place = self.inputs.get(owner), (part, name, "source")
            near = nearest(owner, self.inputs) if known is None else None
            if near is not None:
                yield Mistake(place, f"there is no input '{owner}'", f"did you mean '{near}'?")
            columns = tuple(known.columns) if known is not None else ()
            if field and columns and field not in {*columns, *(column.rpartition(".")[0] for column in columns)}:
                yield Mistake(place, f"'{field}' is no column of the input '{owner}'", suggestion(field, columns))
            if part == "sensors" and choice.source in driven:
                message = f"'{choice.source}' drives '{driven[choice.source]}' already"
                yield Mistake(place, message, "GPS that drives a point teaches nothing: measure something else too")


def load_twin(path: str | os.PathLike[str], *, alone: bool = False) -> TwinFile:
    """Reads a twin's file; `ModelError` lists every mistake in it, each with its line.

    alone  whatever becomes of the system that it names
    """
    text, twin = read_text(path), None
    problems: list[Problem] = []
    try:
        twin = read_twin(text, str(path))
    except ModelError as error:
        problems += error.problems
    problems += [] if alone else _of_system(text, Path(path), complete=twin is not None)
    if twin is None or problems:
        raise ModelError(sorted(problems, key=lambda problem: (problem.line or 0, problem.column or 0)))
    return twin


def _of_system(text: str, path: Path, complete: bool) -> list[Problem]:
    """What is wrong with the system that a twin names: that it is not there or, where the twin has mistakes of its own
    and does not come to it, all of its mistakes."""
    data, source, _ = parsed(text, str(path), PARTS)
    name = data.get("system") if isinstance(data, dict) else None
    if not isinstance(name, str):
        return []
    file = path.parent / name
    if not file.exists():
        there = [entry.name for entry in path.parent.glob("*.yaml") if entry.name != path.name]
        return [place_problem(Mistake(("system",), f"there is no file '{name}'", suggestion(name, there)), source)]
    try:
        if not complete:
            load(file)
    except ModelError as error:
        return list(error.problems)
    return []


def read_twin(text: str, name: str = "<text>") -> TwinFile:
    """Reads a twin from YAML or JSON text; `name` stands for the file in messages."""
    twin, source = read_as(TwinFile, text, name, PARTS, _as_written)
    twin._source = source
    return twin


def _as_written(mistake: Mistake) -> Mistake:
    """A mistake at its place in the file, where `from` stands for `source`."""
    place = mistake.location
    if place[:1] in (("drive",), ("sensors",)):
        place = tuple("from" if part == "source" and k >= 2 else part for k, part in enumerate(place))
    message = mistake.message.replace("'source' is missing", "'from' is missing")
    hint = re.sub(r"\bsource\b(?=,)", "from", mistake.hint) if place[:1] in (("drive",), ("sensors",)) else mistake.hint
    return Mistake(place, message, hint, mistake.about_key)
