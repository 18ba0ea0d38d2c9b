"""A current that changes over time and from place to place, on a grid."""

from collections.abc import Iterator, Mapping
from itertools import pairwise, product
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationInfo, model_validator

from fairlead.model.csv_columns import MOST_ROWS, Row, Unreadable, folder_of, names_of_columns, read_columns
from fairlead.model.part import Part, all_of, exactly_one, none_beside
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
        yield from none_beside(given, "file", *AXES)

    def relations(self) -> Iterator[Mistake]:
        if self.velocity is None:
            return  # `choices` refuses it: what is read takes the place of its file
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

    @property
    def mean(self) -> tuple[float, float, float]:
        """The mean of its velocities (3,), m/s."""
        rows = self.velocity or ((0.0, 0.0, 0.0),)
        x, y, z = (sum(part) / len(rows) for part in zip(*rows, strict=True))
        return x, y, z


def read_field(path: Path) -> dict[str, Any]:
    """Axes and velocities of a CSV file."""
    header = names_of_columns(path)
    axes = [name for name in AXES if name in header]
    parts = [name for name in PARTS if name in header]
    if parts[:2] != ["vx", "vy"]:
        cure = "name them in its first line, beside those of t, x, y, z and vz that it has"
        raise Unreadable("file", f"{path} has no columns vx and vy", cure)
    values: dict[Row, Row] = {}

    def given_twice(row: Row, before: Row | None) -> str | None:
        place = row[: len(axes)]
        if place in values:
            return f"the velocity {_at(axes, place)} is given a second time"
        values[place] = (*row[len(axes) :], *([0.0] * (len(PARTS) - len(parts))))
        return None

    read_columns(path, [("file", name) for name in (*axes, *parts)], given_twice)
    return on_grid(axes, values, str(path))


def _at(axes: list[str], place: Row) -> str:
    where = ", ".join(f"{axis} = {value:g}" for axis, value in zip(axes, place, strict=True))
    return f"at {where}" if where else "of all places and times"


def on_grid(axes: list[str], values: Mapping[Any, tuple[float, ...]], name: str) -> dict[str, Any]:
    """Axes and velocities of a field given by place; `Unreadable` where a node of the grid is missing."""
    grid = [sorted({place[k] for place in values}) for k in range(len(axes))]
    rows = []
    for place in product(*grid):
        if place not in values:
            raise Unreadable("file", f"{name} has no velocity {_at(axes, place)}", "every node of the grid needs one")
        rows.append(list(values[place]))
    return {**{axis: list(numbers) for axis, numbers in zip(axes, grid, strict=True)}, "velocity": rows}
