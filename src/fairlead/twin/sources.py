"""What a twin hears and watches: inputs, what they drive, sensors and limits, as its file has them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from fairlead.model.part import Part, exactly_one
from fairlead.model.problems import Mistake
from fairlead.model.values import Name, Position, Quantity, Text, Whole

Time = Annotated[float, Quantity("s", above=0)]
NoTime = Annotated[float, Quantity("s", at_least=0)]
Share = Annotated[float, Quantity(at_least=0, at_most=1)]
Port = Annotated[int, Whole(1, 65535)]
CARRIERS = ("udp", "tcp", "serial", "file")
OF_LIMITS = ("tension", "depth", "height", "bend_radius", "clearance", "distance", "touchdown", "value")
LONGEST_DELAY = 60.0
"""For how long predictions are kept, s: what comes later than that cannot be compared with them."""


def from_as_source(data: object) -> object:
    """`from` is a word of Python's own; in the parts it goes by `source`."""
    if isinstance(data, Mapping) and "from" in data:
        return {"source" if key == "from" else key: value for key, value in data.items()}
    return data


class Source(Part):
    """Where messages come from and how they are read.

    What is heard has fields by name. Of NMEA these are latitude, longitude, height, heading, course and speed; of CSV,
    HTTP and MQTT the columns or keys that are named. A drive or a sensor says `from: gps` or `from: winch.tension`.
    """

    noun: ClassVar[str] = "a mapping such as {kind: nmea, udp: 127.0.0.1:10110}"
    kind: Literal["nmea", "csv_tail", "http", "mqtt", "calls"] = Field(
        description="`nmea` (0183 sentences), `csv_tail` (a file that grows), `http` (posted to the twin's server), "
        "`mqtt`, or `calls`: what a program puts into the twin itself"
    )
    udp: Text | None = Field(default=None, description="address and port to listen at, as 127.0.0.1:10110")
    tcp: Text | None = Field(default=None, description="address and port to connect to")
    serial: Text | None = Field(default=None, description="serial device, as /dev/ttyUSB0")
    baud: Annotated[int, Whole(300, 4_000_000)] = Field(default=4800, description="bits per second of `serial`")
    file: Text | None = Field(default=None, description="file, relative to this one; what is appended to it is read")
    talker: Text | None = Field(default=None, description="talker of NMEA sentences to listen to, as GP; all if left")
    host: Text | None = Field(default=None, description="MQTT broker, as 127.0.0.1:1883")
    topic: Text | None = Field(default=None, description="MQTT topic")
    time: Text | None = Field(
        default=None, description="column or key that holds the time of a measurement (UTC); its arrival if left out"
    )
    columns: dict[Text, Text] = Field(
        default={}, description="columns or keys that are read, by name, with their units: {tension: kN, length: m}"
    )
    delay: NoTime = Field(default=0.0, description="how old a message without a time of its own is when it arrives")
    silent_after: Time = Field(
        default=10.0,
        description="age of the latest message from which on it counts as silent; for what it drives at least three "
        "times the time between fixes",
    )

    def relations(self) -> Iterator[Mistake]:
        carriers = [name for name in CARRIERS if getattr(self, name) is not None]
        if self.kind == "nmea" and len(carriers) != 1:
            yield Mistake((), "an nmea input needs one of udp, tcp, serial and file", "say where it comes from", True)
        if self.kind == "csv_tail" and self.file is None:
            yield Mistake((), "'file' is missing", "name the file that grows", True)
        if self.kind == "mqtt" and (self.host is None or self.topic is None):
            yield Mistake((), "an mqtt input needs 'host' and 'topic'", "say which broker, and what to listen to", True)
        if self.kind in ("csv_tail", "http", "mqtt") and not self.columns:
            yield Mistake((), "'columns' is missing", "name what is read, with units: {tension: kN}", True)


class DriveChoice(Part):
    """An input of the system that follows what is measured."""

    noun: ClassVar[str] = "a mapping such as {from: gps, smooth: 1.5 s}"
    source: Text = Field(description="`from`: the input, or the input and its field: gps, winch.length")
    lever: Position = Field(
        default=(0.0, 0.0, 0.0),
        description="from the antenna to the driven point in the axes of the ship: forward, to port, up",
    )
    smooth: NoTime | None = Field(
        default=None,
        description="time over which fixes are smoothed by a parabola; if left out, as their own noise asks for",
    )
    speed_limit: Annotated[float, Quantity("m/s", above=0)] = Field(
        default=20.0, description="what moves faster than this from one fix to the next is implausible"
    )

    @classmethod
    def expanded(cls, data: object) -> object:
        return from_as_source({"source": data} if isinstance(data, str) else data)


class Delay(Part):
    """How late measurements come."""

    noun: ClassVar[str] = "a time, or {up_to: 9 s}"
    up_to: NoTime = Field(description="the longest that a message takes; the estimate waits for it that long")

    @classmethod
    def expanded(cls, data: object) -> object:
        return data if isinstance(data, Mapping) else {"up_to": data}

    def relations(self) -> Iterator[Mistake]:
        if self.up_to > LONGEST_DELAY:
            message = f"must be at most {LONGEST_DELAY:g} s, not {self.up_to:g} s"
            yield Mistake(("up_to",), message, "what comes later than that is of no use to a live estimate")


class SensorChoice(Part):
    """Something measured that the estimate is compared with."""

    noun: ClassVar[str] = "a mapping such as {measures: tow.position, at: 200 m, noise: 1 m}"
    measures: Text = Field(
        description="an output of the system: tow.position (with `at`), tow.force_start, tow.tension_effective, "
        "buoy.position, buoy.velocity, or a total"
    )
    at: Annotated[float, Quantity("m", at_least=0)] | None = Field(
        default=None, description="distance from the start of the cable along it"
    )
    axes: Annotated[str, Field(pattern="^[xyz]{1,3}$")] = Field(
        default="xyz", description="which coordinates of a position or velocity are measured"
    )
    source: Text | None = Field(default=None, description="`from`: the input, or the input and its field: acoustic.1")
    noise: Any = Field(description="standard deviation: 1 m, 50 N, or a share of the reading, as 5 %")
    bias: Any = Field(
        default=0.0,
        description="what a constant error may be, as `noise`: readings weigh less for it, no tension or place along a "
        "cable is told better than to it, and it is never estimated",
    )
    delay: Delay = Field(default=Delay(up_to=0.0), description="how late it may come: 2 s, or {up_to: 9 s}")
    silent_after: Time = Field(
        default=60.0,
        description="age of the latest reading from which on it counts as silent, and what is known of parameters "
        "fades: longer than the time between its readings",
    )
    offset: Text | None = Field(default=None, description="refused where it says `estimate`; see there")

    @classmethod
    def expanded(cls, data: object) -> object:
        return from_as_source(data)

    def relations(self) -> Iterator[Mistake]:
        size = re.match(r"\s*[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?", str(self.noise))
        if size is not None and float(size[0]) <= 0.0:
            yield Mistake(("noise",), "must be above 0", "no sensor is exact; say how far it is off")
        if self.offset is not None:
            yield Mistake(
                ("offset",),
                "an offset or a scale of a sensor is not estimated: with drag and current it lies on one ridge, along "
                "which the estimate runs away and claims to be sure (a load cell 10 % high was learnt as 6 to 21 % "
                "low, ± 1 %, with tensions 14 to 40 % off)",
                "calibrate it, and say how far it may be off: bias: 3 %",
                True,
            )


class LimitChoice(Part):
    """What must not be exceeded, and when to warn of it."""

    noun: ClassVar[str] = "a mapping such as {tension: tow, above: 5 kN}"
    name: Text | None = Field(default=None, description="what it is called; made of the rest if left out")
    tension: Name | None = Field(default=None, description="a cable: the largest effective tension along it")
    depth: Name | None = Field(default=None, description="a cable or point: its largest depth, positive down")
    height: Name | None = Field(default=None, description="a cable: the least height above the seabed")
    bend_radius: Name | None = Field(default=None, description="a cable: the least bend radius along it")
    clearance: tuple[Name, ...] | None = Field(
        default=None, description="[cable, cable or point]: the least distance between the nodes of both"
    )
    distance: tuple[Name, ...] | None = Field(default=None, description="[point, point]: the distance between both")
    touchdown: Name | None = Field(
        default=None, description="a cable: distance from its start to the first node on the seabed"
    )
    value: Text | None = Field(default=None, description="any output that is one number")
    above: Any = Field(default=None, description="largest allowed, with its unit: 5 kN")
    below: Any = Field(default=None, description="least allowed, with its unit: 135 m")
    amber: Share = Field(default=0.2, description="probability within the horizon from which on it is amber")
    red: Share = Field(default=0.5, description="probability from which on it is red; so it is once crossed")
    clear_after: NoTime = Field(default=30.0, description="time below half of these until it is clear again")

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, *OF_LIMITS)
        if not given & {"above", "below"}:
            yield Mistake((), "needs 'above' or 'below'", "say what is too much: above: 5 kN", True)

    def relations(self) -> Iterator[Mistake]:
        for key in ("above", "below"):
            value = getattr(self, key)
            if value is not None and not isinstance(value, str):
                hint = f"write it with its unit: {key}: {value} {UNITS[self.kind] or '1'}"
                yield Mistake((key,), "a limit without a unit is a guess", hint)
        if self.amber > self.red:
            yield Mistake(("amber",), f"{self.amber:g} is more than red, {self.red:g}", "amber comes before red")
        for key in ("clearance", "distance"):
            pair = getattr(self, key)
            if pair is not None and len(pair) != 2:
                yield Mistake((key,), f"must name two, not {len(pair)}", "write [one, other]")

    @property
    def kind(self) -> str:
        return next(name for name in OF_LIMITS if getattr(self, name) is not None)

    @property
    def of(self) -> tuple[str, ...]:
        """The names it is about."""
        found = getattr(self, self.kind)
        return found if isinstance(found, tuple) else (str(found),)


UNITS = {
    "tension": "N", "depth": "m", "height": "m", "bend_radius": "m", "clearance": "m", "distance": "m",
    "touchdown": "m", "value": "",
}  # fmt: skip
"""Of every kind of limit; of a value, that of the output."""
