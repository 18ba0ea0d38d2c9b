"""The seabed as it was surveyed: depths on a grid, or soundings anywhere, from which a grid is made."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, ValidationInfo, model_validator

from fairlead.model.csv_columns import Unreadable, folder_of, read_columns
from fairlead.model.part import Part, all_of, exactly_one, none_beside
from fairlead.model.problems import Mistake, ModelError
from fairlead.model.values import Metres, Quantity, Text

if TYPE_CHECKING:
    from fairlead.algebra.relief import Relief

MOST_NODES = 250_000
"""Of a grid: a result carries it."""


class Soundings(Part):
    """Depths measured anywhere: columns of a CSV file, of which a grid is made by the flat triangles between them."""

    file: Text = Field(description="the file, relative to the model file; its first line names the columns")
    x: Text = Field(default="x", description="name of the column of x (north), m")
    y: Text = Field(default="y", description="name of the column of y (west), m")
    depth: Text = Field(default="depth", description="name of the column of depths, m below the mean surface")
    spacing: Annotated[float, Quantity("m", above=0)] | None = Field(
        default=None, description="width of the cells of the grid; as far as soundings are apart when left out"
    )


class Bathymetry(Part):
    """Depths on a grid, a smooth surface between them, held beyond its edges."""

    x: tuple[Metres, ...] | None = Field(default=None, description="values of x, growing")
    y: tuple[Metres, ...] | None = Field(default=None, description="values of y, growing")
    depth: tuple[tuple[Metres, ...], ...] | None = Field(
        default=None, description="depth below the mean surface: a row for each x, in it a number for each y"
    )
    file: Text | None = Field(
        default=None,
        description="a grid in a file of its own, as MoorDyn has it: counts, values of x, values of y, rows x y depth "
        "(or all z); a result holds it as `depth`",
    )
    soundings: Soundings | None = Field(
        default=None, description="depths measured anywhere, in a CSV file; a result holds the grid made of them"
    )

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, "depth", "file", "soundings")
        for source in ("file", "soundings"):
            yield from none_beside(given, source, "x", "y")
        for axis in ("x", "y"):
            if ("depth" in given) != (axis in given) and ("depth" in given or not given & {"file", "soundings"}):
                hint = "give x, y and depth, a row of depths for each x"
                yield Mistake((), f"'{axis}' and 'depth' belong together", hint)

    def relations(self) -> Iterator[Mistake]:
        if self.depth is None or self.x is None or self.y is None:
            return  # `choices` refuses it: what is read takes the place of its file
        for name, axis in (("x", self.x), ("y", self.y)):
            if not axis:
                yield Mistake((name,), "must hold at least one number")
            if any(not b > a for a, b in pairwise(axis)):
                yield Mistake((name,), "must grow from number to number")
        if len(self.depth) != len(self.x):
            yield Mistake(("depth",), f"has {len(self.depth)} rows where x has {len(self.x)} numbers")
        for index, row in enumerate(self.depth):
            if len(row) != len(self.y):
                yield Mistake(("depth", index), f"holds {len(row)} numbers where y has {len(self.y)}")
                return
        if len(self.x) * len(self.y) > MOST_NODES:
            yield Mistake(("depth",), f"holds more than {MOST_NODES} depths", "thin it out: it is smooth between them")
        deepest = max((depth for row in self.depth for depth in row), default=0.0)
        if deepest <= 0:
            hint = f"depths count downwards: give {-deepest:g}, not {deepest:g}" if deepest else "give depths above 0"
            yield Mistake((), f"is dry everywhere: no depth is above {deepest:g} m", hint)

    @model_validator(mode="before")
    @classmethod
    def _with_what_files_hold(cls, data: Any, info: ValidationInfo) -> Any:
        """The grid in place of the name of the file it is in."""
        given = {key for key in data if data[key] is not None} if isinstance(data, Mapping) else set()
        if given not in ({"file"}, {"soundings"}):
            return data
        from fairlead.model.depth_files import gridded, read_grid

        try:
            if given == {"file"} and isinstance(data["file"], str):
                return read_grid(folder_of(info) / data["file"])
            if given == {"soundings"}:
                wanted = Soundings.model_validate(data["soundings"])
                names = [(key, getattr(wanted, key)) for key in ("x", "y", "depth")]
                path = folder_of(info) / wanted.file
                return gridded(read_columns(path, names), wanted.spacing, path)
        except ModelError:
            return data  # the field itself tells what is wrong
        except Unreadable as reason:
            where = ("soundings",) if given == {"soundings"} else ()
            raise all_of("Bathymetry", [reason.mistake(*where)]) from None
        return data

    @cached_property
    def relief(self) -> "Relief":
        """The surface through the depths, z upwards."""
        from fairlead.algebra.relief import Relief

        rows = [[-depth for depth in row] for row in self.depth or ()]
        return Relief.through(self.x or (), self.y or (), rows)
