"""Numbers of a running system by name, for statistics: `north.tension@fairlead`, `buoy.offset`.

| channel | what it is | extremes |
|---|---|---|
| `cable.tension@place` | effective tension at an end: `start`, `end`, or the name of its place | of every step |
| `cable.tension`, `cable.tension_min` | the largest and the least effective tension along the cable | of every step |
| `cable.force@place` | size of the force of the cable on its support | of every step |
| `cable.curvature` | the largest curvature along the cable since the sample before | of every step |
| `cable.clearance` | the least height above the seabed since the sample before | of every step |
| `thing.offset` | horizontal distance of a point or body from its place in the file | of the samples |
| `thing.x`, `thing.y`, `thing.z` | its position | of the samples |
| `thing.speed` | size of its velocity | of the samples |
| `thing.acceleration` | size of its largest acceleration since the sample before | of every step |

Besides, the totals and extras of a result have the names they have there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np

from fairlead.model import System
from fairlead.model.problems import suggestion
from fairlead.results import NODE_COLUMNS, TOTALS, ObservationShape
from fairlead.results.extremes import (
    CABLE_CLEARANCE_MIN,
    CABLE_EXTREMES,
    END_EXTREMES,
    END_FORCE_MAX,
    END_FORCE_MIN,
    NODE_CURVATURE_MAX,
    NODE_EXTREMES,
    NODE_TENSION_MAX,
    NODE_TENSION_MIN,
    POINT_ACCELERATION_MAX,
    POINT_EXTREMES,
)
from fairlead.results.observation import NODE_TENSION

ABSENT, COLUMN, SIZE, OFFSET, LARGEST, LEAST = range(6)
"""How a channel follows from a row: not at all; a column; the size of three; the way from a place; over the nodes."""
FIELDS = 6
"""Of a rule: how, first column, columns, stride, and the columns of the least and the largest of the steps, or -1."""

OF_CABLES = {
    "tension": ("N", "largest effective tension along the cable"),
    "tension_min": ("N", "least effective tension along the cable"),
    "curvature": ("1/m", "largest curvature along the cable"),
    "clearance": ("m", "least height above the seabed, of all nodes: 0 where an end is fastened there"),
}
AT_ENDS = {"tension": ("N", "effective tension"), "force": ("N", "size of the force on the support")}
OF_THINGS = {
    "offset": ("m", "horizontal distance from its place"),
    "x": ("m", "position towards north"),
    "y": ("m", "position towards west"),
    "z": ("m", "height above the mean surface"),
    "speed": ("m/s", "speed"),
    "acceleration": ("m/s^2", "largest acceleration"),
}


class UnknownChannel(ValueError):
    """A name that no channel has; the text says which are near."""


@dataclass(frozen=True)
class Channel:
    """One number of every sample."""

    name: str
    owner: str
    quantity: str
    end: int
    """0 start, 1 end of a cable; -1 of none."""
    unit: str
    words: str

    def rule(self, shape: ObservationShape) -> list[int]:
        """How it follows from a row of this shape; `ABSENT` where its owner is not there."""
        absent, extremes = [ABSENT, 0, 0, 0, -1, -1], shape.extremes
        if not self.owner:
            names = (*TOTALS, *(extra.name for extra in shape.extras))
            return [COLUMN, shape.column(self.name), 1, 1, -1, -1] if self.name in names else absent
        if self.owner in shape.cables and self.quantity in (*OF_CABLES, *AT_ENDS):
            return self._of_cable(shape)
        if self.owner not in shape.points:
            return absent
        first = shape.point(self.owner).start
        if self.quantity == "offset":
            return [OFFSET, first, 2, 1, -1, -1]
        if self.quantity == "speed":
            return [SIZE, first + 3, 3, 1, -1, -1]
        if self.quantity == "acceleration":
            at = extremes.point_start + POINT_EXTREMES * shape.points.index(self.owner) + POINT_ACCELERATION_MAX
            return [COLUMN, at, 1, 1, -1, at]
        return [COLUMN, first + "xyz".index(self.quantity), 1, 1, -1, -1]

    def _of_cable(self, shape: ObservationShape) -> list[int]:
        c, kept = shape.cables.index(self.owner), shape.extremes
        nodes, peaks, count = shape.cable_nodes(c).start, shape.cable_extremes(c).start, shape.nodes_per_cable[c]
        if self.quantity == "force":
            at = kept.end_start + (2 * c + self.end) * END_EXTREMES
            return [SIZE, shape.cable_ends(c).start + 3 * self.end, 3, 1, at + END_FORCE_MIN, at + END_FORCE_MAX]
        if self.quantity == "clearance":
            at = kept.cable_start + CABLE_EXTREMES * c + CABLE_CLEARANCE_MIN
            return [COLUMN, at, 1, 1, at, -1]
        if self.quantity == "curvature":
            return [LARGEST, peaks + NODE_CURVATURE_MAX, count, NODE_EXTREMES, -1, peaks + NODE_CURVATURE_MAX]
        if self.end >= 0:
            node = self.end * (count - 1)
            at = peaks + NODE_EXTREMES * node
            now = nodes + NODE_COLUMNS * node + NODE_TENSION
            return [COLUMN, now, 1, 1, at + NODE_TENSION_MIN, at + NODE_TENSION_MAX]
        if self.quantity == "tension_min":
            return [LEAST, nodes + NODE_TENSION, count, NODE_COLUMNS, peaks + NODE_TENSION_MIN, -1]
        return [LARGEST, nodes + NODE_TENSION, count, NODE_COLUMNS, -1, peaks + NODE_TENSION_MAX]


def channels(system: System, pattern: str, extras: tuple[str, ...] = ()) -> list[Channel]:
    """The channels of a system that a name or a pattern with `*` stands for; raises `UnknownChannel`."""
    found = [channel for name, channel in _known(system, extras) if fnmatchcase(name, pattern)]
    if not found:
        names = list(dict.fromkeys(name for name, _ in _known(system, extras)))
        raise UnknownChannel(f"there is no channel '{pattern}'; {suggestion(pattern, names)}")
    return list({channel.name: channel for channel in found}.values())


def _known(system: System, extras: tuple[str, ...]) -> Iterator[tuple[str, Channel]]:
    """Every name of every channel; an end goes by `start` or `end`, its place, and the parts of that."""
    for cable, part in system.cables.items():
        for quantity, (unit, words) in OF_CABLES.items():
            yield f"{cable}.{quantity}", Channel(f"{cable}.{quantity}", cable, quantity, -1, unit, words)
        for quantity, (unit, words) in AT_ENDS.items():
            for end, (side, place) in enumerate((("start", part.start.point), ("end", part.end.point))):
                for word in dict.fromkeys((place, side, *place.split("."))):
                    name = f"{cable}.{quantity}@{word}"
                    yield name, Channel(name, cable, quantity, end, unit, f"{words} at its {side}")
    for thing in (*system.points, *system.bodies):
        for quantity, (unit, words) in OF_THINGS.items():
            yield f"{thing}.{quantity}", Channel(f"{thing}.{quantity}", thing, quantity, -1, unit, words)
    for name in (*TOTALS, *extras):
        yield name, Channel(name, "", name, -1, "N" if name == "tension_max" else "1", name.replace("_", " "))


def places(system: System, chosen: list[Channel], row: np.ndarray, shape: ObservationShape) -> np.ndarray:
    """(channel, 2): x and y that offsets are measured from, as the file has them or as they are in a first row."""
    found = np.zeros((len(chosen), 2))
    for k, channel in enumerate(chosen):
        if channel.quantity != "offset" or channel.owner not in shape.points:
            continue
        thing = system.points.get(channel.owner) or system.bodies.get(channel.owner)
        given = getattr(thing, "position", None)
        first = shape.point(channel.owner).start
        found[k] = row[first : first + 2] if given is None else given[:2]
    return found
