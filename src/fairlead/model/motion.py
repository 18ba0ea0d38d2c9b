"""Motions given in the file: tables and sines of points and of bodies, and where they begin."""

import math
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from fairlead.model.interpolation import interpolated
from fairlead.model.part import Part, exactly_one
from fairlead.model.problems import Mistake
from fairlead.model.responses import Response, different_headings
from fairlead.model.values import Angles, Degrees, Metres, Position, Quantity, Row, Seconds

Follow = Literal["exact", "filtered"]
FOLLOW = "how it follows its motion: as it is (`exact`), or through the filter of live inputs (`filtered`)"
CUTOFF = "cut-off frequency of the filter that smooths live inputs"
STILL = (0.0, 0.0, 0.0)
FIRST_VELOCITY = (
    "velocity at the start [x, y, z]; when left out that of the tow, which all prescribed points share, or none"
)

_Period = Annotated[float, Quantity("s", above=0)]
_Ramp = Annotated[float, Quantity("s", at_least=0)]


def _one_period(known: dict[str, Any]) -> float:
    return known.get("period") or 0.0


_RAMP = "time over which the motion grows from nothing to full; one period when left out, 0 starts it with a jerk"
_BETWEEN = (
    "between the rows of `table`: `smooth`, a cubic that overshoots nowhere and begins and ends at rest, whatever the "
    "heading of the path, or `linear`"
)
_Between = Literal["smooth", "linear"]


_TABLE_RAMP = (
    "time over which a `table` grows from its first row to full; 0 takes it as it is, and a record that moves from its "
    "first row on then starts with a jerk"
)
_ROWS_OF_A_RAMP = 40
"""Rows that a ramp has at least."""


def faded(table: Sequence[tuple[float, ...]], ramp: float, straight: bool) -> tuple[tuple[float, ...], ...]:
    """A table whose offsets from its first row grow over `ramp` [s], by r(s) = s³(10 − 15 s + 6 s²), s = t/ramp."""
    if not ramp > 0.0 or len(table) < 2:
        return tuple(table)
    begin, first = table[0][0], table[0][1:]
    more = (begin + ramp * k / _ROWS_OF_A_RAMP for k in range(1, _ROWS_OF_A_RAMP + 1))
    times = sorted({row[0] for row in table} | {time for time in more if time < table[-1][0]})
    rows = []
    for time in times:
        s = min(1.0, (time - begin) / ramp)
        r = s**3 * (10.0 - 15.0 * s + 6.0 * s * s)
        values = interpolated(table, time, straight, plane=True)[0]
        rows.append((time, *(a + r * (b - a) for a, b in zip(first, values, strict=True))))
    return tuple(rows)


def first_period(table: Sequence[tuple[float, ...]]) -> float:
    """The mean period of the largest motion in a table, by its crossings of its mean [s]; 0 of one without three."""
    if len(table) < 3:
        return 0.0
    columns = list(zip(*(row[1:4] for row in table), strict=True))
    spread = [max(column) - min(column) for column in columns]
    column = columns[spread.index(max(spread))]
    mean = sum(column) / len(column)
    crossings = [i for i in range(1, len(column)) if (column[i] > mean) != (column[i - 1] > mean)]
    if len(crossings) < 3:
        return 0.0
    return float(2.0 * (table[crossings[-1]][0] - table[crossings[0]][0]) / (len(crossings) - 1))


def start_of_table(motion: "Motion | BodyMotion") -> float:
    """Until when a motion by a table starts: its ramp, or the first period of one that moves to and fro [s]."""
    if motion.table is None or not understood(motion.table, ()):
        return 0.0
    return motion.table[0][0] + (motion.ramp or first_period(motion.table))


def increasing_times(table: Sequence[tuple[float, ...]], *location: str) -> Iterator[Mistake]:
    """Mistakes in a table whose first column must be times that grow from row to row."""
    if not table:
        yield Mistake(location, "must hold at least one row")
    for index in range(1, len(table)):
        if not table[index][0] > table[index - 1][0]:
            times = f"{table[index][0]:g} s after {table[index - 1][0]:g} s"
            yield Mistake((*location, index), f"times must grow from row to row, not {times}")


def understood(table: Sequence[tuple[float, ...]] | None, sines: Sequence[Part]) -> bool:
    """Whether a motion is known in full; it may not be in a system that has mistakes."""
    if table is not None:
        return not any(True for _ in increasing_times(table))
    return bool(sines) and all(value is not None for wave in sines for value in wave.__dict__.values())


class Harmonic(Part):
    """A sine: offset = amplitude * sin(2 pi (t - start) / period + phase) from `start` on, faded in over `ramp`."""

    amplitude: Position = Field(description="amplitude of the offset [x, y, z]")
    period: _Period = Field(description="period of the sine")
    phase_deg: Degrees = Field(default=0.0, description="phase at t = 0")
    start: _Ramp = Field(default=0.0, description="time at which it begins, its phase counted from there")
    ramp: _Ramp = Field(default_factory=_one_period, description=_RAMP)

    @property
    def at_start(self) -> tuple[float, ...]:
        """Offset (3,) at t = 0, m; a motion that is faded in starts from nothing."""
        if self.ramp > 0 or self.start > 0:
            return (0.0, 0.0, 0.0)
        return tuple(amplitude * math.sin(math.radians(self.phase_deg)) for amplitude in self.amplitude)


class Motion(Part):
    """How a point is moved about its position: a table, a sine, or a sum of sines."""

    table: tuple[Annotated[tuple[Seconds, Metres, Metres, Metres], Row("t x y z")], ...] | None = Field(
        default=None,
        description="rows [t, x, y, z]: offsets from `position`, held beyond the ends",
    )
    interpolation: _Between = Field(default="smooth", description=_BETWEEN)
    ramp: _Ramp = Field(default=0.0, description=_TABLE_RAMP)
    harmonic: Harmonic | None = Field(default=None, description="a sine about `position`")
    harmonics: tuple[Harmonic, ...] | None = Field(default=None, description="sines that are added, about `position`")

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, "table", "harmonic", "harmonics")

    def relations(self) -> Iterator[Mistake]:
        if self.table is not None:
            yield from increasing_times(self.table, "table")
        elif self.ramp > 0.0:
            yield Mistake(("ramp",), "belongs to 'table' here", "give each harmonic its own; RAOs follow the waves")
        if self.harmonics == ():
            yield Mistake(("harmonics",), "must hold at least one sine", "add {amplitude, period}, or remove it")

    @property
    def sines(self) -> tuple[Harmonic, ...]:
        """The sines it is the sum of; none for a table."""
        return (self.harmonic,) if self.harmonic is not None else self.harmonics or ()

    @property
    def rows(self) -> tuple[tuple[float, ...], ...]:
        """The rows of its table, faded in over its ramp."""
        return faded(self.table or (), self.ramp, self.interpolation == "linear")

    @property
    def understood(self) -> bool:
        """Whether it is known in full; it may not be in a system that has mistakes."""
        return understood(self.table, self.sines)

    @property
    def at_start(self) -> tuple[float, ...]:
        """Offset (3,) at t = 0, m."""
        if self.table is not None:
            return interpolated(self.rows, 0.0, self.interpolation == "linear", plane=True)[0]
        return tuple(map(sum, zip((0.0, 0.0, 0.0), *(wave.at_start for wave in self.sines), strict=True)))


class BodyHarmonic(Part):
    """Sines of all six motions of a body with one period: offsets and turns, faded in over `ramp`."""

    amplitude: Position = Field(default=(0.0, 0.0, 0.0), description="amplitude of the offset [x, y, z]")
    rotation_deg: Angles = Field(default=(0.0, 0.0, 0.0), description="amplitude of the turn [roll, pitch, yaw]")
    period: _Period = Field(description="period of the sines")
    phase_deg: Degrees = Field(default=0.0, description="phase of the offset at t = 0")
    rotation_phase_deg: Degrees = Field(default=0.0, description="phase of the turn at t = 0")
    start: _Ramp = Field(default=0.0, description="time at which it begins, its phase counted from there")
    ramp: _Ramp = Field(default_factory=_one_period, description=_RAMP)

    @property
    def at_start(self) -> tuple[float, ...]:
        """Offset (3,) in m and turn (3,) in degrees at t = 0, one after the other."""
        if self.ramp > 0 or self.start > 0:
            return (0.0,) * 6
        offset = math.sin(math.radians(self.phase_deg))
        turn = math.sin(math.radians(self.rotation_phase_deg))
        return (*(offset * part for part in self.amplitude), *(turn * part for part in self.rotation_deg))


class BodyMotion(Part):
    """How a body is moved about its position and orientation: a table, sines, or as a ship answers the waves."""

    table: (
        tuple[
            Annotated[
                tuple[Seconds, Metres, Metres, Metres, Degrees, Degrees, Degrees],
                Row("t x y z roll_deg pitch_deg yaw_deg"),
            ],
            ...,
        ]
        | None
    ) = Field(
        default=None,
        description="rows [t, x, y, z, roll_deg, pitch_deg, yaw_deg]: offsets from `position` and additions to "
        "`orientation_deg`, held beyond the ends",
    )
    interpolation: _Between = Field(default="smooth", description=_BETWEEN)
    ramp: _Ramp = Field(default=0.0, description=_TABLE_RAMP)
    harmonic: BodyHarmonic | None = Field(default=None, description="sines about `position` and `orientation_deg`")
    harmonics: tuple[BodyHarmonic, ...] | None = Field(
        default=None, description="sines of several periods that are added, about `position` and `orientation_deg`"
    )
    raos: tuple[Response, ...] | None = Field(
        default=None, description="how it answers the waves of the `environment`, by heading: response operators"
    )

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, "table", "harmonic", "harmonics", "raos")

    def relations(self) -> Iterator[Mistake]:
        if self.table is not None:
            yield from increasing_times(self.table, "table")
        elif self.ramp > 0.0:
            yield Mistake(("ramp",), "belongs to 'table' here", "give each harmonic its own; RAOs follow the waves")
        if self.harmonics == ():
            yield Mistake(("harmonics",), "must hold at least one sine", "add {amplitude, period}, or remove it")
        if self.raos is not None:
            yield from different_headings(self.raos)

    @property
    def sines(self) -> tuple[BodyHarmonic, ...]:
        """The sines it is the sum of; none for a table or an answer to waves."""
        return (self.harmonic,) if self.harmonic is not None else self.harmonics or ()

    @property
    def rows(self) -> tuple[tuple[float, ...], ...]:
        """The rows of its table, faded in over its ramp."""
        return faded(self.table or (), self.ramp, self.interpolation == "linear")

    @property
    def understood(self) -> bool:
        """Whether it is known in full; it may not be in a system that has mistakes."""
        return self.raos is not None or understood(self.table, self.sines)

    @property
    def at_start(self) -> tuple[float, ...]:
        """Offset (3,) in m and turn (3,) in degrees at t = 0; waves and what answers them grow from nothing."""
        if self.table is not None:
            return interpolated(self.rows, 0.0, self.interpolation == "linear", plane=True)[0]
        return tuple(map(sum, zip((0.0,) * 6, *(wave.at_start for wave in self.sines), strict=True)))
