"""The named points where cables end, how they move, and loads on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, ConfigDict, Discriminator, Field, Tag

from fairlead.model.part import TAG, Part, all_of, exactly_one
from fairlead.model.problems import Mistake, listed, shown, suggestion, wrong
from fairlead.model.values import Force, Metres, Name, Number, Position, Quantity, Row, Seconds, Torque


def increasing_times(table: Sequence[tuple[float, ...]], *location: str) -> Iterator[Mistake]:
    """Mistakes in a table whose first column must be times that grow from row to row."""
    if not table:
        yield Mistake(location, "must hold at least one row")
    for index in range(1, len(table)):
        if not table[index][0] > table[index - 1][0]:
            times = f"{table[index][0]:g} s after {table[index - 1][0]:g} s"
            yield Mistake((*location, index), f"times must grow from row to row, not {times}")


class Harmonic(Part):
    """A sine: offset = amplitude * sin(2 pi t / period + phase), faded in over `ramp`."""

    amplitude: Position = Field(description="amplitude of the offset [x, y, z]")
    period: Annotated[float, Quantity("s", above=0)] = Field(description="period of the sine")
    phase_deg: Annotated[float, Quantity("deg")] = Field(default=0.0, description="phase at t = 0")
    ramp: Annotated[float, Quantity("s", at_least=0)] = Field(
        default=0.0, description="time over which the motion grows from nothing to full"
    )


class Motion(Part):
    """How a controlled point moves about its position: a table or a sine."""

    table: tuple[Annotated[tuple[Seconds, Metres, Metres, Metres], Row("t x y z")], ...] | None = Field(
        default=None,
        description="rows [t, x, y, z]: offsets from `position`, linear between rows, held beyond the ends",
    )
    harmonic: Harmonic | None = Field(default=None, description="a sine about `position`")

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, "table", "harmonic")

    def relations(self) -> Iterator[Mistake]:
        if self.table is not None:
            yield from increasing_times(self.table, "table")


def _kind_required(schema: dict[str, Any]) -> None:
    schema["required"] = ["kind", *schema.get("required", [])]


class _Point(Part):
    """What all points share."""

    # In Python the class tells the kind; a file has to.
    model_config = ConfigDict(json_schema_extra=_kind_required)
    kind: str

    def model_post_init(self, context: Any) -> None:
        # A point made in Python need not give its kind, but written down it always shows it.
        self.model_fields_set.add("kind")


class FixedPoint(_Point):
    """A point that never moves: an anchor, a hook on a wall."""

    kind: Literal["fixed"] = Field(default="fixed", description="`fixed`")
    position: Position = Field(description="where it is [x, y, z]: x north, y west, z up from the mean surface")


class ControlledPoint(_Point):
    """A point that follows a motion, or inputs given while the simulation runs, through a second-order filter."""

    kind: Literal["controlled"] = Field(default="controlled", description="`controlled`")
    position: Position = Field(description="where it starts and about which it moves [x, y, z]")
    cutoff: Annotated[float, Quantity("rad/s", above=0)] = Field(
        default=10.0, description="cut-off frequency of the filter that smooths its motion"
    )
    motion: Motion | None = Field(default=None, description="its motion; it stays at `position` when left out")


class FreePoint(_Point):
    """A point that goes where the forces take it: a junction of cables, a buoy, a weight, a loose end."""

    kind: Literal["free"] = Field(default="free", description="`free`")
    position: Position | None = Field(
        default=None, description="where it starts [x, y, z]; found from its cables when left out"
    )
    mass: Annotated[float, Quantity("kg", at_least=0)] = Field(default=0.0, description="mass of a body at the point")
    volume: Annotated[float, Quantity("m^3", at_least=0)] = Field(
        default=0.0, description="volume of water it displaces"
    )
    drag_area: Annotated[float, Quantity("m^2", at_least=0)] = Field(
        default=0.0, description="drag coefficient times area, the same in all directions"
    )
    added_mass: Annotated[float, Quantity("kg", at_least=0)] = Field(
        default=0.0, description="added mass when under water"
    )
    inertia: Annotated[float, Quantity("kg*m^2", at_least=0)] = Field(
        default=0.0, description="moment of inertia, the same about all axes"
    )


POINT_KINDS: dict[str, type[Part]] = {"fixed": FixedPoint, "controlled": ControlledPoint, "free": FreePoint}


def _kind_tag(value: Any) -> str | None:
    kind = value.get("kind") if isinstance(value, Mapping) else getattr(value, "kind", None)
    return TAG + kind if isinstance(kind, str) and kind in POINT_KINDS else None


def _of_known_kind(value: Any) -> Any:
    if isinstance(value, Mapping) and _kind_tag(value) is None:
        kind = value.get("kind")
        if kind is None:
            mistake = Mistake((), "'kind' is missing", f"add 'kind: {listed(POINT_KINDS)}'", True)
        else:
            mistake = Mistake(("kind",), f"{shown(kind)} is no kind of point", suggestion(kind, POINT_KINDS))
        raise all_of("Point", [mistake])
    if not isinstance(value, (Mapping, Part)):
        raise wrong(f"must be a mapping with a kind and a position, not {shown(value)}")
    return value


Point = Annotated[
    Annotated[
        Annotated[FixedPoint, Tag(TAG + "fixed")]
        | Annotated[ControlledPoint, Tag(TAG + "controlled")]
        | Annotated[FreePoint, Tag(TAG + "free")],
        Discriminator(_kind_tag),
    ],
    BeforeValidator(_of_known_kind),
]


class PointLoad(Part):
    """A force or torque on a point, constant or scaled by a table over time."""

    noun: ClassVar[str] = "a mapping with a point and a force"
    point: Name = Field(description="name of the point it acts on")
    force: Force = Field(default=(0.0, 0.0, 0.0), description="force [x, y, z]")
    torque: Torque = Field(default=(0.0, 0.0, 0.0), description="torque [x, y, z]")
    table: tuple[Annotated[tuple[Seconds, Number], Row("t factor")], ...] | None = Field(
        default=None,
        description="rows [t, factor] that scale force and torque, linear between rows, held beyond the ends",
    )

    def relations(self) -> Iterator[Mistake]:
        if self.table is not None:
            yield from increasing_times(self.table, "table")
