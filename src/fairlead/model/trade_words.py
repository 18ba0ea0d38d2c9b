"""Words of the trade that stand for what the model already has: buoyancy modules, net panels, a ship's track.

Each is written out when a file is read (`Part.expanded`): modules become `attachments`, a net a `drag_area`, a track a
`velocity` or a `motion`. A word that contradicts what stands beside it stays, and is reported as a mistake.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from fairlead.model.part import Part, exactly_one
from fairlead.model.problems import Mistake, ModelError
from fairlead.model.units import UnitError, read_quantity
from fairlead.model.values import Degrees, Metres, Quantity, Row, Whole

FRESH = 1000.0
"""Density of fresh water, kg/m³: what is lighter floats in any water."""
MOST_MODULES = 5000
_Along = Annotated[float, Quantity("m", at_least=0)]


class Modules(Part):
    """Equal modules along a cable: buoyancy modules, clump weights, floats of a seismic streamer."""

    noun: ClassVar[str] = "a mapping with every or count, and mass and volume of one module"
    type: Literal["float", "weight"] | None = Field(
        default=None, description="`float` is checked to be lighter than water, `weight` to be heavier"
    )
    every: Annotated[float, Quantity("m", above=0)] | None = Field(
        default=None, description="distance between modules along the unstretched cable; or `count`"
    )
    count: Annotated[int, Whole(1, MOST_MODULES)] | None = Field(
        default=None, description="number of modules, evenly from `from` to `to`; or `every`"
    )
    __annotations__["from"] = _Along | None
    locals()["from"] = Field(default=None, description="where the first one is, from the start; 0 when left out")
    to: _Along | None = Field(default=None, description="where the last one may be; the cable's end when left out")
    mass: Annotated[float, Quantity("kg", at_least=0)] = Field(default=0.0, description="mass of one module")
    volume: Annotated[float, Quantity("m^3", at_least=0)] = Field(default=0.0, description="volume of one module")
    drag_area: Annotated[float, Quantity("m^2", at_least=0)] = Field(
        default=0.0, description="drag coefficient times area of one module, the same in all directions"
    )
    added_mass: Annotated[float, Quantity("kg", at_least=0)] = Field(
        default=0.0, description="added mass of one module when under water"
    )

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, "every", "count")

    def relations(self) -> Iterator[Mistake]:
        floats = FRESH * self.volume > self.mass
        if self.type == "float" and not floats:
            message = f"does not float: {self.mass:g} kg in {self.volume:g} m^3"
            yield Mistake(("type",), message, "check mass and volume, or say 'type: weight'")
        if self.type == "weight" and floats:
            message = f"does not sink: {self.mass:g} kg in {self.volume:g} m^3"
            yield Mistake(("type",), message, "check mass and volume, or say 'type: float'")
        first = getattr(self, "from")
        if first is not None and self.to is not None and not first < self.to:
            yield Mistake(("to",), f"must lie behind 'from': {self.to:g} m after {first:g} m", "exchange the two")

    def places(self, length: float) -> list[float] | str:
        """Where modules are along a cable of a length [m], or why they cannot be."""
        first, last = getattr(self, "from") or 0.0, length if self.to is None else self.to
        if last > length * (1.0 + 1e-9):
            return f"reach to {last:g} m, and the cable is {length:g} m long"
        if self.count is not None:
            step = (last - first) / (self.count - 1) if self.count > 1 else 0.0
            return [first + step * k for k in range(self.count)]
        assert self.every is not None
        count = math.floor((last - first) / self.every * (1.0 + 1e-12)) + 1
        if count > MOST_MODULES:
            return f"would be {count:,}, and {MOST_MODULES:,} is the most"
        return [first + self.every * k for k in range(count)]


def attached(modules: Sequence[Modules], length: float) -> list[dict[str, float]] | str:
    """The attachments that modules stand for, or why they cannot be."""
    found = []
    for one in modules:
        places = one.places(length)
        if isinstance(places, str):
            return places
        keys = ("mass", "volume", "drag_area", "added_mass")
        found += [{"at": place, **{key: getattr(one, key) for key in keys}} for place in places]
    return found


def with_modules(data: object) -> object:
    """A cable of a file with its modules as attachments; as it is where that cannot be."""
    if not isinstance(data, Mapping) or not data.get("modules"):
        return data
    given = data["modules"]
    try:
        modules = [Modules.model_validate(one) for one in (given if isinstance(given, list | tuple) else [given])]
        found = attached(modules, _length_of(data))
    except (ModelError, UnitError, TypeError, ValueError):
        return data
    if isinstance(found, str):
        return data
    rest = {key: value for key, value in data.items() if key != "modules"}
    return {**rest, "attachments": [*(data.get("attachments") or ()), *found]}


def _length_of(data: Mapping[str, Any]) -> float:
    """Unstretched length of a cable of a file, m."""
    if data.get("sections"):
        return math.fsum(_length_of(section) for section in data["sections"])
    if data.get("element_lengths"):
        return math.fsum(map(_metres, data["element_lengths"]))
    return _metres(data["length"]) if "length" in data else math.nan


def _metres(value: Any) -> float:
    return read_quantity(value, "m") if isinstance(value, str) else float(value)


class Net(Part):
    """A net panel: its drag by area and solidity, after Løland (1991), for flow across it.

    C_D = 0.04 + (−0.04 + 0.33 S + 6.54 S² − 4.88 S³) cos θ, θ between the flow and the normal of the panel.
    """

    noun: ClassVar[str] = "a mapping with area and solidity"
    area: Annotated[float, Quantity("m^2", above=0)] = Field(description="area of the panel, twine and openings")
    solidity: Annotated[float, Quantity(above=0, at_most=0.5)] = Field(
        description="area of the twine over that of the panel"
    )
    normal: Literal["x", "y", "z"] = Field(
        default="x", description="axis of a body across which the panel stands; a point has the same drag all around"
    )

    def drag(self, cosine: float) -> float:
        """Drag coefficient times area for flow at an angle to its normal, m²."""
        s = self.solidity
        return self.area * (0.04 + (-0.04 + 0.33 * s + 6.54 * s**2 - 4.88 * s**3) * cosine)


def with_net(data: object, along_axes: bool) -> object:
    """A point, attachment or body of a file with its net in its drag area; as it is where that cannot be."""
    if not isinstance(data, Mapping) or not data.get("net") or data.get("drag_area"):
        return data
    try:
        net = Net.model_validate(data["net"])
    except ModelError:
        return data
    across, edge = net.drag(1.0), net.drag(0.0)
    area: Any = [across if axis == net.normal else edge for axis in "xyz"] if along_axes else across
    return {**{key: value for key, value in data.items() if key != "net"}, "drag_area": area}


NET: Any = Field(default=None, description="a net panel, in place of `drag_area`: its area and solidity")


def net_mistake() -> Iterator[Mistake]:
    """Of a net that was not written out: there is a drag area beside it."""
    yield Mistake(("net",), "cannot stand beside 'drag_area'", "keep one of them", True)


CORNER_ROWS = 8
"""Pieces of a turn."""


class Track(Part):
    """Where a ship goes: a course and a speed, or waypoints."""

    noun: ClassVar[str] = "a mapping with course_deg and speed, or waypoints"
    course_deg: Degrees | None = Field(default=None, description="course over ground, from x (north) towards y (west)")
    speed: Annotated[float, Quantity("m/s", above=0)] | None = Field(default=None, description="speed over ground")
    waypoints: tuple[Annotated[tuple[Metres, Metres], Row("x y")], ...] | None = Field(
        default=None, description="places [x, y] one after the other, with `speed`; it starts at the first at t = 0"
    )
    turn: Annotated[float, Quantity("s", above=0)] = Field(
        default=60.0, description="time of a turn at a waypoint, at most the time of the shorter leg beside it"
    )

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, "course_deg", "waypoints")
        if "speed" not in given:
            yield Mistake((), "'speed' is missing", "add it: speed over ground", about_key=True)

    def relations(self) -> Iterator[Mistake]:
        if self.waypoints is None:
            return
        if len(self.waypoints) < 2:
            yield Mistake(("waypoints",), "must hold two places or more", "add one, or give a course")
        for i in range(1, len(self.waypoints)):
            if math.dist(self.waypoints[i - 1], self.waypoints[i]) < 1e-3:
                yield Mistake(("waypoints", i), "is the place before it", "remove it")

    def rows(self) -> list[tuple[float, float, float, float]]:
        """Time [s], place [m] and heading [deg] along the waypoints: legs at constant speed, corners as parabolas that
        touch both legs, so that the velocity does not jump."""
        assert self.waypoints is not None
        assert self.speed is not None
        legs = [math.dist(a, b) / self.speed for a, b in zip(self.waypoints, self.waypoints[1:], strict=False)]
        times = [math.fsum(legs[:i]) for i in range(len(self.waypoints))]

        def at(t: float) -> tuple[float, float]:
            i = max(0, min(len(legs) - 1, next((k for k, time in enumerate(times[1:]) if t <= time), len(legs) - 1)))
            (ax, ay), (bx, by) = self.waypoints[i], self.waypoints[i + 1]  # type: ignore[index]
            s = (t - times[i]) / legs[i]
            return ax + s * (bx - ax), ay + s * (by - ay)

        places = [(0.0, *self.waypoints[0])]
        for i in range(1, len(legs)):
            half = 0.5 * min(self.turn, legs[i - 1], legs[i])
            (ax, ay), (px, py), (cx, cy) = at(times[i] - half), self.waypoints[i], at(times[i] + half)
            for k in range(CORNER_ROWS + 1):
                s = k / CORNER_ROWS
                one, two, three = (1.0 - s) ** 2, 2.0 * s * (1.0 - s), s * s
                time = times[i] + (2.0 * s - 1.0) * half
                if time > places[-1][0] + 1e-9:
                    places.append((time, one * ax + two * px + three * cx, one * ay + two * py + three * cy))
        if times[-1] > places[-1][0] + 1e-9:
            places.append((times[-1], *self.waypoints[-1]))
        return _with_headings(places)


def _with_headings(places: list[tuple[float, float, float]]) -> list[tuple[float, float, float, float]]:
    """The same with the heading along the way [deg], without jumps of a whole turn."""
    rows, before = [], None
    for i, (t, x, y) in enumerate(places):
        (_, ax, ay), (_, bx, by) = places[max(0, i - 1)], places[min(len(places) - 1, i + 1)]
        heading = math.degrees(math.atan2(by - ay, bx - ax))
        if before is not None:
            heading = before + (heading - before + 180.0) % 360.0 - 180.0
        rows.append((t, x, y, heading))
        before = heading
    return rows


def with_track(data: object, turns: bool) -> object:
    """A body (which `turns`) or point of a file with its track as velocity or motion; as it is where that cannot be."""
    if not isinstance(data, Mapping) or not data.get("track") or track_conflicts(data):
        return data
    try:
        track = Track.model_validate(data["track"])
        position = [_metres(value) for value in data.get("position") or ()]
    except (ModelError, UnitError, TypeError, ValueError):
        return data
    rest = {key: value for key, value in data.items() if key != "track"}
    if track.waypoints is None:
        assert track.course_deg is not None
        assert track.speed is not None
        course = math.radians(track.course_deg)
        rest["velocity"] = [track.speed * math.cos(course), track.speed * math.sin(course), 0.0]
        if turns and "orientation_deg" not in rest:
            rest["orientation_deg"] = [0.0, 0.0, track.course_deg]
        return rest
    (x0, y0), z0 = track.waypoints[0], position[2] if len(position) == 3 else 0.0
    rest["position"] = [x0, y0, z0]
    rows = track.rows()
    yaw = rows[0][3]
    if turns and "orientation_deg" not in rest:
        rest["orientation_deg"] = [0.0, 0.0, yaw]
    turned = [[0.0, 0.0, heading - yaw] if turns else [] for _, _, _, heading in rows]
    table = [[t, x - x0, y - y0, 0.0, *turn] for (t, x, y, _), turn in zip(rows, turned, strict=True)]
    rest["motion"] = {"table": table, "interpolation": "linear"}
    return rest


def track_conflicts(data: Mapping[str, Any]) -> list[str]:
    """Keys that a track cannot stand beside: a course moves it by `velocity`, waypoints by `motion` as well."""
    waypoints = isinstance(data.get("track"), Mapping) and "waypoints" in data["track"]
    return [key for key in (("velocity", "motion") if waypoints else ("velocity",)) if data.get(key)]


TRACK: Any = Field(default=None, description="where it goes: `{course_deg, speed}` or `{waypoints, speed}`")


def track_mistakes(velocity: Sequence[float], motion: object) -> Iterator[Mistake]:
    """Of a track that was not written out: `velocity` or `motion` stands beside it."""
    beside = "motion" if motion is not None and not any(velocity) else "velocity"
    yield Mistake(("track",), f"cannot stand beside '{beside}'", "keep one of them", True)


WORDS = ("modules", "net", "track", "stiffener")


def says_words(data: object) -> bool:
    """Whether plain data of a system holds a word of this kind anywhere."""
    if isinstance(data, Mapping):
        return any((key in WORDS and value) or says_words(value) for key, value in data.items())
    return isinstance(data, list | tuple) and any(map(says_words, data))
