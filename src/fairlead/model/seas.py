"""Seas beside the one train and the JONSWAP spectrum: by components, by a measured record, by a table of a spectrum."""

import math
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, model_validator

from fairlead.model.csv_columns import Unreadable, folder_of
from fairlead.model.inputs import CsvInput, read_table
from fairlead.model.kinds import OfKind
from fairlead.model.motion import increasing_times
from fairlead.model.part import all_of, exactly_one
from fairlead.model.problems import Mistake, ModelError
from fairlead.model.values import Degrees, Metres, NonNegative, Quantity, Row, Seconds, Whole

Stretching = Literal["wheeler", "vertical", "none"]
STRETCHED: Stretching = "vertical"
"""What is nearest to published tensions and to nonlinear theory; see docs/theory/waves.md."""

Height = Annotated[float, Quantity("m", above=0)]
Period = Annotated[float, Quantity("s", above=0)]
Ramp = Annotated[float, Quantity("s", at_least=0)]
DIRECTION = "direction the waves run towards, from x (north), positive towards y (west)"
STRETCHING = (
    "where the motion of the water is read near the surface: `vertical` as linear theory has it below mean water and "
    "as at mean water above, `wheeler` as far below the moving surface as linear theory below the mean one, `none` not "
    "at all above mean water"
)
RAMP = "time over which the waves grow from nothing to full; {} when left out"
SPREADING = "exponent s of cos^2s((angle)/2) about the direction; long crests when left out"
SEED = "number that chooses the random phases: the same seed gives the same sea"


class ComponentWaves(OfKind):
    """A sea as a list of regular waves: η = Σ a cos(k·x − 2πt/period + phase)."""

    kind: Literal["components"] = Field(default="components", description="`components`")
    table: tuple[Annotated[tuple[Metres, Period, Degrees, Degrees], Row("amplitude period direction phase")], ...] = (
        Field(description="rows [amplitude (m), period (s), direction_deg, phase_deg]; phase 0 is a crest at x = y = 0")
    )
    ramp: Ramp = Field(
        default_factory=lambda known: main_wave(known.get("table"))[1], description=RAMP.format("the main period")
    )
    stretching: Stretching = Field(default=STRETCHED, description=STRETCHING)

    def relations(self) -> Iterator[Mistake]:
        if not self.table:
            yield Mistake(("table",), "must hold at least one row")

    @property
    def main_period(self) -> float:
        """Period of the highest of its waves, s."""
        return main_wave(self.table)[1]

    @property
    def main_height(self) -> float:
        """Significant height, 4 √Σ½a², m; of one wave its height."""
        if len(self.table) == 1:
            return 2.0 * abs(self.table[0][0])
        return 4.0 * math.sqrt(0.5 * sum(row[0] ** 2 for row in self.table))

    @property
    def direction_deg(self) -> float:
        """Direction of the highest of its waves, degrees."""
        return main_wave(self.table)[2]


def main_wave(table: Any) -> tuple[float, float, float]:
    """Amplitude, period and direction of the highest of some waves; nothing where there are none."""
    return tuple(max(table, key=lambda row: abs(row[0]))[:3]) if table else (0.0, 0.0, 0.0)


class RecordWaves(OfKind):
    """A measured history of the surface, taken apart into the regular waves of its Fourier series.

    They run in one direction and repeat themselves after the length of the record; its mean is left out.
    """

    kind: Literal["record"] = Field(default="record", description="`record`")
    table: tuple[Annotated[tuple[Seconds, Metres], Row("t elevation")], ...] | None = Field(
        default=None, description="rows [t, elevation], linear between them"
    )
    csv: CsvInput | None = Field(
        default=None, description="the same as two columns of a file; a result holds it as `table`"
    )
    direction_deg: Degrees = Field(default=0.0, description=DIRECTION)
    position: Annotated[tuple[Metres, Metres], Row("x y")] = Field(
        default=(0.0, 0.0), description="where it was measured [x, y]"
    )
    shortest_period: Period = Field(default=2.0, description="shorter waves are left out, as noise")
    ramp: Ramp = Field(default=10.0, description="time over which the waves grow from nothing to full")
    stretching: Stretching = Field(default=STRETCHED, description=STRETCHING)

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, "table", "csv")

    def relations(self) -> Iterator[Mistake]:
        if self.table is None:
            return
        yield from increasing_times(self.table, "table")
        if len(self.table) < 4:
            yield Mistake(("table",), f"has {len(self.table)} rows, too few for waves", "give a longer record")
        elif self.csv is None and not any(True for _ in increasing_times(self.table)) and self.is_still:
            hint = "make 'shortest_period' shorter, or the record longer"
            yield Mistake(("table",), f"holds no wave longer than {self.shortest_period:g} s", hint)

    @model_validator(mode="before")
    @classmethod
    def _with_what_the_csv_holds(cls, data: Any, info: ValidationInfo) -> Any:
        if not isinstance(data, Mapping) or data.get("csv") is None or data.get("table") is not None:
            return data
        try:
            wanted = CsvInput.model_validate(data["csv"])
            if len(wanted.columns) != 1:
                raise all_of("RecordWaves", [Mistake(("csv", "columns"), "must name one column, of elevations")])
            rows = read_table(wanted, folder_of(info) / wanted.file)
        except ModelError:
            return data  # the field itself tells what is wrong
        except Unreadable as reason:
            raise all_of("RecordWaves", [reason.mistake("csv")]) from None
        return {**{key: value for key, value in data.items() if key != "csv"}, "table": rows}

    @property
    def is_still(self) -> bool:
        return not len(self.series[0])

    @property
    def series(self) -> tuple[Any, Any, Any]:
        """Amplitudes a [m], ω [rad/s] and angles φ of η = Σ a cos(ωt + φ) where it was measured, each (n,)."""
        from fairlead.model.records import fourier_series

        return fourier_series(self.table or (), self.shortest_period)

    @property
    def main_period(self) -> float:
        """Period of the highest of its waves, s."""
        amplitude, omega, _ = self.series
        return 2.0 * math.pi / float(omega[amplitude.argmax()]) if len(omega) else self.shortest_period

    @property
    def main_height(self) -> float:
        """Significant height, m."""
        return 4.0 * math.sqrt(0.5 * float((self.series[0] ** 2).sum()))


class SpectrumWaves(OfKind):
    """An irregular sea with a spectrum of its own, as a sum of regular waves with random phases."""

    kind: Literal["spectrum"] = Field(default="spectrum", description="`spectrum`")
    table: tuple[Annotated[tuple[NonNegative, NonNegative], Row("omega density")], ...] = Field(
        description="rows [ω (rad/s), S (m² s/rad)], ω growing; S linear between them and 0 beyond"
    )
    direction_deg: Degrees = Field(default=0.0, description=DIRECTION)
    spreading: Annotated[float, Quantity(at_least=1, at_most=1000)] | None = Field(default=None, description=SPREADING)
    components: Annotated[int, Whole(2, 1000)] = Field(
        default=60, description="number of regular waves it is made of, each with the same share of the energy"
    )
    seed: Annotated[int, Whole(0, 2**32 - 1)] = Field(default=1, description=SEED)
    ramp: Ramp = Field(
        default_factory=lambda known: peak_of(known.get("table")), description=RAMP.format("the period of its peak")
    )
    stretching: Stretching = Field(default=STRETCHED, description=STRETCHING)

    def relations(self) -> Iterator[Mistake]:
        if len(self.table) < 2:
            yield Mistake(("table",), "must hold at least two rows")
            return
        for index in range(1, len(self.table)):
            if not self.table[index][0] > self.table[index - 1][0]:
                yield Mistake(("table", index), "ω must grow from row to row")
                return
        if not self.main_height > 0:
            yield Mistake(("table",), "holds no energy", "give densities above 0")

    @property
    def main_period(self) -> float:
        """Period of the peak, s."""
        return peak_of(self.table)

    @property
    def main_height(self) -> float:
        """Significant height, 4 √∫S dω, m."""
        pairs = zip(self.table, self.table[1:], strict=False)
        return 4.0 * math.sqrt(sum(0.5 * (b[0] - a[0]) * (a[1] + b[1]) for a, b in pairs))


def peak_of(table: Any) -> float:
    """Period of the peak of a spectrum, s; what is at ω = 0 is no wave, and no peak."""
    waves = [row for row in table or () if row[0] > 0]
    return 2.0 * math.pi / max(waves, key=lambda row: row[1])[0] if waves else 0.0
