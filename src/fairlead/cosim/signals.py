"""Signals of time as an FMU of their own: commanded positions for a test, a record to be played back.

    title: Where the head floats are told to be
    signals:
      float_1.position:
        unit: m
        base: [0, 120, 0]
        harmonic: {amplitude: [0, 50, 0], angular_frequency: 0.01, begin: 100}

`fairlead fmu` makes an FMU of such a file; each signal is an output, a vector where its numbers are lists.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from fairlead import __version__
from fairlead.model.part import Part, exactly_one
from fairlead.model.points import increasing_times
from fairlead.model.problems import Mistake
from fairlead.model.units import UnitError, parse_unit
from fairlead.model.values import Number, Quantity, Seconds, Text

from .files import read_part
from .fmu.description import Header, model_description
from .fmu.packing import (
    Exported,
    check_version,
    identifier_of,
    identity,
    libraries,
    missing_targets,
    wanted_targets,
    write,
)
from .fmu.source import signals_source
from .fmu.variables import Variable, fmi_unit

_Positive = Annotated[float, Quantity("s", above=0)]
Numbers = Number | tuple[Number, ...]


def _row(value: float | tuple[float, ...]) -> tuple[float, ...]:
    return value if isinstance(value, tuple) else (value,)


class Sine(Part):
    """amplitude * sin(angular_frequency * (t - begin) + phase) from `begin` on, faded in over `ramp`."""

    amplitude: Numbers = Field(description="amplitude: a number, or a list")
    period: _Positive | None = Field(default=None, description="period; or give `angular_frequency`")
    angular_frequency: Annotated[float, Quantity("rad/s", above=0)] | None = Field(
        default=None, description="angular frequency; or give `period`"
    )
    phase_deg: Annotated[float, Quantity("deg")] = Field(default=0.0, description="phase at `begin`")
    begin: Seconds = Field(default=0.0, description="when it begins")
    ramp: Annotated[float, Quantity("s", at_least=0)] = Field(
        default=0.0, description="time over which it grows from nothing to full"
    )

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, "period", "angular_frequency")

    @property
    def omega(self) -> float:
        """rad/s"""
        return self.angular_frequency or 2.0 * math.pi / (self.period or 1.0)


class Signal(Part):
    """base + harmonic + table."""

    unit: Text = Field(default="1", description="unit, such as m, m/s or N")
    description: Text = Field(default="", description="what it is")
    base: Numbers = Field(default=0.0, description="what the rest is added to: a number, or a list")
    harmonic: Sine | None = Field(default=None, description="a sine")
    table: tuple[tuple[Number, ...], ...] | None = Field(
        default=None, description="rows [t, value ...], linear between rows, held beyond the ends"
    )

    @property
    def size(self) -> int:
        """How many numbers it has."""
        sizes = [len(_row(self.base)), len(_row(self.harmonic.amplitude)) if self.harmonic else 1]
        return max([*sizes, *(len(row) - 1 for row in self.table or ())])

    def relations(self) -> Iterator[Mistake]:
        try:
            parse_unit(self.unit)
        except UnitError as error:
            yield Mistake(("unit",), str(error), error.hint)
        if self.table is not None:
            for index, row in enumerate(self.table):
                if len(row) != len(self.table[0]) or len(row) < 2:
                    yield Mistake(("table", index), "must hold a time and as many numbers as every row", "")
                    return
            yield from increasing_times(self.table, "table")
        for name, value in (("base", self.base), ("harmonic", self.harmonic.amplitude if self.harmonic else 0.0)):
            if len(_row(value)) not in (1, self.size):
                yield Mistake((name,), f"has {len(_row(value))} numbers where there are {self.size} elsewhere")
        if self.table and len(self.table[0]) - 1 != self.size:
            yield Mistake(
                ("table",), f"has {len(self.table[0]) - 1} numbers a row where there are {self.size} elsewhere"
            )

    def records(self, tables: list[float], offset: int) -> Iterator[tuple[list[int], list[float]]]:
        """Ints and reals of each number, as `native/signals.c` reads them; its table goes to `tables`."""
        wave = self.harmonic
        start, rows, columns = offset + len(tables), len(self.table or ()), 1 + self.size
        tables += [number for row in self.table or () for number in row]
        for k in range(self.size):
            sine = [0.0] * 5
            if wave is not None:
                amplitude = _broadcast(wave.amplitude, self.size)[k]
                sine = [amplitude, wave.omega, math.radians(wave.phase_deg), wave.begin, wave.ramp]
            yield [start, rows, columns, 1 + k], [_broadcast(self.base, self.size)[k], *sine]


def _broadcast(value: float | tuple[float, ...], size: int) -> tuple[float, ...]:
    row = _row(value)
    return row * size if len(row) == 1 else row


class SignalFile(Part):
    """A file of signals."""

    title: Text = Field(default="", description="what they are, in a line")
    description: Text = Field(default="", description="more about them")
    signals: dict[Text, Signal] = Field(description="signals by name, such as `float_1.position`")
    duration: _Positive = Field(default=3600.0, description="stop time suggested to the host")
    communication_step: _Positive = Field(default=0.1, description="step suggested to the host")

    def relations(self) -> Iterator[Mistake]:
        if not self.signals:
            yield Mistake(("signals",), "there is no signal", "add one: name: {base, harmonic or table}")


def export_signals(
    source: SignalFile | str | Path,
    path: str | Path,
    version: str = "3.0",
    *,
    targets: tuple[str, ...] | None = None,
    communication_step: float | None = None,
) -> Exported:
    """Write signals (or the file that holds them) to `path` as an FMU whose outputs they are."""
    check_version(version)
    wanted, path = wanted_targets(targets), Path(path)
    file = source if isinstance(source, SignalFile) else read_part(Path(source), SignalFile)
    ints: list[list[int]] = []
    reals: list[list[float]] = []
    tables: list[float] = []
    variables: list[Variable] = []
    count = sum(signal.size for signal in file.signals.values())
    for name, signal in file.signals.items():
        first = len(ints)
        for record in signal.records(tables, 6 * count):
            ints.append(record[0])
            reals.append(record[1])
        variables.append(
            Variable(
                name=name, causality="output", unit=fmi_unit(signal.unit), description=signal.description or name,
                shape=(signal.size,) if signal.size > 1 else (), columns=tuple(range(first, len(ints))),
            )
        )  # fmt: skip
    shown = tuple(s for v in variables for s in v.scalars) if version == "2.0" else tuple(variables)
    numbers = np.concatenate([np.ravel(reals), tables])
    facts: list[Any] = [__version__, version, [(v.name, v.columns) for v in shown]]
    token, fingerprint = identity(json.dumps(facts).encode(), np.ravel(ints).tobytes(), numbers.tobytes())
    header = Header(
        name=file.title or path.stem, identifier=identifier_of(path.stem), token=token,
        description=file.description or file.title, tool=f"Fairlead {__version__}", duration=file.duration,
        communication_step=communication_step or file.communication_step,
    )  # fmt: skip
    model = signals_source(shown, np.ravel(ints), numbers, token, fingerprint)
    files = {"modelDescription.xml": model_description(header, shown, version)}
    files |= libraries(model, header.identifier, version, wanted, "signals.c", lambda target: ())
    write(path, files)
    return Exported(path, version, wanted, missing_targets(wanted, targets), shown, ())
