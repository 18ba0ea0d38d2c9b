"""What messages say about drives and sensors: by column, by x, y and z, or by latitude and longitude of an antenna."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from .earth import Frame
from .file import TwinFile
from .sources import DriveChoice, SensorChoice

ATTITUDE = ("heading", "roll", "pitch")


class Hearing:
    """From the messages of inputs to values in the system's axes.

    start  place of a drive or sensor as the twin has it at its start, (3,) m
    """

    def __init__(self, file: TwinFile, start: Callable[[str], np.ndarray]) -> None:
        origin = file.clock.origin
        self.frame = Frame(origin.latitude, origin.longitude, origin.heading) if origin is not None else None
        """Where the system's axes lie on the earth; None before the first fix of a twin whose file does not say."""
        self.shift = np.zeros(3)
        """From the first fix to where the file has the point, where the file does not say."""
        self.headings: dict[str, dict[str, float]] = {}
        self._start = start
        self._choices: list[tuple[str, DriveChoice | SensorChoice]] = [*file.drive.items(), *file.sensors.items()]

    def values(self, source: str, fields: Mapping[str, float]) -> Iterator[tuple[str, Any, np.ndarray | None]]:
        """What a message of an input says about every drive and sensor that names it; last what a receiver itself said,
        before its lever arm and the ship's heading made something else of it."""
        attitude = self.headings.setdefault(source, {})
        for key in ATTITUDE:
            if np.isfinite(angle := _number(fields.get(key))):
                attitude[key] = angle
        for name, choice in self._choices:
            owner, _, column = (choice.source or "").partition(".")
            if owner != source:
                continue
            value, said = self._value(name, fields, column, getattr(choice, "lever", (0.0, 0.0, 0.0)), attitude)
            if value is not None:
                yield name, value, said

    def _value(
        self, name: str, fields: Mapping[str, float], column: str, arm: tuple[float, ...], attitude: Mapping[str, float]
    ) -> tuple[Any, np.ndarray | None]:
        """What a message says about a drive or sensor, None where that is nothing; and the latitude and longitude that
        it was made of."""
        if column and column in fields:
            return fields[column], None
        keys = [f"{column}.{axis}" if column else axis for axis in "xyz"]
        if all(key in fields for key in keys):
            return [fields[key] for key in keys], None
        if column or "latitude" not in fields or "longitude" not in fields:
            return None, None
        latitude, longitude, height = (_number(fields.get(k, 0.0)) for k in ("latitude", "longitude", "height"))
        if not (abs(latitude) <= 90.0 and abs(longitude) <= 360.0 and np.isfinite(height)):
            return np.nan, None
        turned = self.frame or Frame(latitude, longitude)
        lever = turned.lever(arm, *(attitude.get(key, 0.0) for key in ATTITUDE))
        if self.frame is None:
            self.frame = turned
            self.shift = (self._start(name) - turned.local(latitude, longitude) - lever) * (1.0, 1.0, 0.0)
        said = np.array([latitude, longitude])
        return turned.local(latitude, longitude, height) + lever + self.shift, said


def _number(value: Any) -> float:
    """NaN where it is none."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return float("nan")
