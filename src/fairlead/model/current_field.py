"""A current that changes over time and from place to place, on a grid."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from itertools import pairwise, product
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationInfo, model_validator

from fairlead.model.csv_columns import MOST_ROWS, Unreadable, folder_of, opened, read_columns
from fairlead.model.part import Part, all_of, exactly_one
from fairlead.model.problems import Mistake
from fairlead.model.values import Metres, Seconds, Text, Velocity

AXES = ("t", "x", "y", "z")
PARTS = ("vx", "vy", "vz")


class CurrentField(Part):
    """Velocities on a grid of times and places: linear between, held beyond its ends. It is added to `current`."""

    t: tuple[Seconds, ...] = Field(default=(0.0,), description="times, growing; steady when left out")
    x: tuple[Metres, ...] = Field(default=(0.0,), description="values of x, growing; alike along x when left out")
    y: tuple[Metres, ...] = Field(default=(0.0,), description="values of y, growing; alike along y when left out")
    z: tuple[Metres, ...] = Field(default=(0.0,), description="heights, growing; alike at all depths when left out")
    velocity: tuple[Velocity, ...] | None = Field(
        default=None, description="a row [vx, vy, vz] for each t, in it each x, each y and each z: z changes fastest"
    )
    file: Text | None = Field(
        default=None,
        description="the same in a CSV file: columns t, x, y, z (those that matter), vx, vy and vz, a line for each "
        "time and place in any order; a result holds it as `velocity`",
    )

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, "velocity", "file")

    def relations(self) -> Iterator[Mistake]:
        if self.velocity is None:
            return
        count = 1
        for name in AXES:
            axis = getattr(self, name)
            count *= len(axis)
            if not axis:
                yield Mistake((name,), "must hold at least one number")
            if any(not b > a for a, b in pairwise(axis)):
                yield Mistake((name,), "must grow from number to number")
        if len(self.velocity) != count:
            sizes = " x ".join(str(len(getattr(self, name))) for name in AXES)
            message = f"holds {len(self.velocity)} rows where t, x, y and z ask for {sizes} = {count}"
            yield Mistake(("velocity",), message)
        elif count > MOST_ROWS:
            yield Mistake(("velocity",), f"holds more than {MOST_ROWS} rows", "thin it out: it is linear between")

    @model_validator(mode="before")
    @classmethod
    def _with_what_the_file_holds(cls, data: Any, info: ValidationInfo) -> Any:
        given = {key for key in data if data[key] is not None} if isinstance(data, Mapping) else set()
        if given != {"file"} or not isinstance(data["file"], str):
            return data
        try:
            return read_field(folder_of(info) / data["file"])
        except Unreadable as reason:
            raise all_of("CurrentField", [reason.mistake()]) from None

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Numbers along t, x, y and z."""
        return len(self.t), len(self.x), len(self.y), len(self.z)

    @property
    def fastest(self) -> float:
        """The largest speed in it, m/s."""
        return max((sum(v * v for v in row) ** 0.5 for row in self.velocity or ()), default=0.0)


def read_field(path: Path) -> dict[str, Any]:
    """Axes and velocities of a CSV file."""
    with opened(path) as stream:
        header = [name.strip() for name in next(csv.reader(stream), [])]
    axes = [name for name in AXES if name in header]
    rows = read_columns(path, [("file", name) for name in (*axes, *(name for name in PARTS if name in header))])
    parts = [name in header for name in PARTS]
    if not parts[0] or not parts[1]:
        raise Unreadable("file", f"{path} has no columns vx and vy", "its first line names t, x, y, z, vx, vy and vz")
    values = {row[: len(axes)]: (*row[len(axes) :], *(() if parts[2] else (0.0,))) for row in rows}
    return on_grid(axes, values, str(path))


def on_grid(axes: list[str], values: Mapping[Any, tuple[float, ...]], name: str) -> dict[str, Any]:
    """Axes and velocities of a field given by place; `Unreadable` where a node of the grid is missing."""
    grid = [sorted({place[k] for place in values}) for k in range(len(axes))]
    rows = []
    for place in product(*grid):
        if place not in values:
            where = ", ".join(f"{axis} = {value:g}" for axis, value in zip(axes, place, strict=True))
            raise Unreadable("file", f"{name} has no velocity at {where}", "every node of the grid needs one")
        rows.append(list(values[place]))
    return {**{axis: list(numbers) for axis, numbers in zip(axes, grid, strict=True)}, "velocity": rows}
