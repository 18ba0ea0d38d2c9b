"""From what instruments say to what the twin calls it: places on the globe become places in the model, at the driven
point instead of the antenna."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fairlead.twin import TwinFile
from fairlead.twin.sources import DriveChoice, SensorChoice

from .inputs.geodesy import Frame
from .inputs.rows import ALL
from .inputs.stamps import Measured
from .recording.log import Heard, replace_file

GLOBE = ("latitude", "longitude")
HEADINGS = ("heading", "course")
ANGLES = ("heading", "course", "latitude", "longitude")


@dataclass(frozen=True)
class _Route:
    name: str
    """Of the drive or the sensor."""
    on_globe: bool
    lever: NDArray[np.float64]
    owner: str


class Routes:
    """Takes measured values to the twin's names.

    file   of the twin
    epoch  UTC of the twin's time 0, s since 1970
    place  position in the model, (3,), m, of a driven point as the model has it, by the name of the drive
    kept   file in which an origin is kept that the first fix sets
    """

    def __init__(
        self,
        file: TwinFile,
        epoch: float,
        place: Callable[[str], NDArray[np.float64]],
        kept: Path | None = None,
    ):
        self.epoch = epoch
        self.refused: Counter[str] = Counter()
        self._place, self._kept = place, kept
        self._headings: dict[str, float] = {}
        self._frame: Frame | None = None
        self._offset = np.zeros(3)
        if file.clock.origin is not None:
            origin = file.clock.origin
            self._frame = Frame(origin.latitude, origin.longitude, origin.heading)
        elif kept is not None and kept.exists():
            found = json.loads(kept.read_text(encoding="utf-8"))
            self._frame, self._offset = Frame(*found["origin"]), np.array(found["offset"])
        self._routes: dict[str, list[_Route]] = {}
        choices: list[tuple[str, DriveChoice | SensorChoice]] = [*file.drive.items(), *file.sensors.items()]
        for name, choice in choices:
            if choice.source is None:
                continue
            owner, _, field = choice.source.partition(".")
            source = file.inputs.get(owner)
            columns = {} if source is None else source.columns
            nmea = source is not None and source.kind == "nmea"
            on_globe = not field and (nmea or set(GLOBE) <= columns.keys())
            whole = "position" if nmea else next(iter(columns), ALL) if len(columns) == 1 else ALL
            lever = np.array(getattr(choice, "lever", (0.0, 0.0, 0.0)), dtype=np.float64)
            route = _Route(name, on_globe, lever, owner)
            self._routes.setdefault(f"{owner}.{field or whole}", []).append(route)

    @property
    def wanted(self) -> tuple[str, ...]:
        """Channels that anything listens to."""
        return tuple(self._routes)

    def take(self, measured: list[Measured]) -> tuple[Heard, ...]:
        """What the twin is to hear, in the order in which it was measured."""
        out = []
        for one in measured:
            owner, _, field = one.name.partition(".")
            if field in HEADINGS and (field == "heading" or owner not in self._headings):
                self._headings[owner] = one.values[0]
            for route in self._routes.get(one.name, ()):
                values = self._values(route, field, one.values)
                if values is not None:
                    out.append(Heard(route.name, values, one.stamp - self.epoch))
        return tuple(out)

    def _values(self, route: _Route, field: str, values: tuple[float, ...]) -> tuple[float, ...] | None:
        if not route.on_globe:
            return tuple(map(math.radians, values)) if field in ANGLES else values
        if route.lever.any() and route.owner not in self._headings:
            self.refused[f"{route.name}: no heading yet, which its lever needs"] += 1
            return None
        if len(values) < 2:
            return None
        latitude, longitude, height = (*values, 0.0)[:3]
        arm = np.zeros(3)
        if self._frame is None:
            self._set_origin(route, latitude, longitude, height)
        assert self._frame is not None
        if route.lever.any():
            arm = self._frame.of_ship(route.lever, self._headings[route.owner])
        place = self._frame.place(latitude, longitude, height) + arm + self._offset
        return tuple(float(v) for v in place)

    def _set_origin(self, route: _Route, latitude: float, longitude: float, height: float) -> None:
        """The first fix is where the model has the driven point."""
        self._frame = Frame(latitude, longitude)
        arm = self._frame.of_ship(route.lever, self._headings.get(route.owner, 0.0))
        self._offset = self._place(route.name) - self._frame.place(latitude, longitude, height) - arm
        if self._kept is not None:
            text = json.dumps({"origin": [latitude, longitude], "offset": self._offset.tolist()})
            replace_file(self._kept, text.encode("utf-8"))
