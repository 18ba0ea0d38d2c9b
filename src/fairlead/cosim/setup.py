"""The file of a co-simulation: which FMUs, how they are wired, how long.

title: Two sides of a spread and where they are told to be
step: 0.25
duration: 500
fmus:
  rgps: rgps.yaml
  port: {file: port.yaml, start: {environment.water_density: 1027}}
  starboard: starboard.fmu
connections:
  rgps.float_1.position: port.float_1.position
  rgps.float_2.position: [starboard.float_2.position, starboard.float_3.position]
outputs: [port.lead_in_1.force_start, starboard.lead_in_1.force_start]
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import Field

from fairlead.model.part import Part, one_or_parts
from fairlead.model.problems import Mistake, suggestion
from fairlead.model.values import Flag, Name, Number, Quantity, Text

from .files import read_part

_Positive = Annotated[float, Quantity("s", above=0)]
_SAME = 1e-9
MOST_SAMPLES = 1e7


class Member(Part):
    """One FMU. A file name alone stands for an FMU without start values of its own."""

    noun: ClassVar[str] = "a file name or a mapping with 'file'"
    file: Text = Field(description="an FMU, or a model file or file of signals that is made into one on the fly")
    start: dict[Text, Flag | Number | Text | tuple[Number, ...]] = Field(
        default={}, description="parameters and inputs before the run, by name"
    )

    @classmethod
    def expanded(cls, data: object) -> object:
        return {"file": data} if isinstance(data, str) else data

    __get_pydantic_json_schema__ = one_or_parts({"type": "string"})


class Setup(Part):
    """A co-simulation: FMUs that advance side by side and exchange values after every step."""

    noun: ClassVar[str] = "a mapping with fmus, step and duration"
    title: Text = Field(default="", description="what it is, in a line")
    description: Text = Field(default="", description="more about it")
    fmus: dict[Name, Member] = Field(description="FMUs by name")
    connections: dict[Text, Text | tuple[Text, ...]] = Field(
        default={}, description="from an output to an input or several: `rgps.B.position: port.B.position`"
    )
    step: _Positive = Field(description="time between exchanges (macro step)")
    duration: _Positive = Field(description="simulated time; a whole number of steps")
    output_every: _Positive = Field(
        default_factory=lambda known: known.get("step", 1.0),
        description="time between samples in the result, a whole number of steps; every step when left out",
    )
    outputs: tuple[Text, ...] | None = Field(
        default=None, description="outputs to record, as `port.line.force_end`; all when left out"
    )
    parallel: Flag = Field(default=True, description="whether the FMUs advance in threads of their own")

    def relations(self) -> Iterator[Mistake]:
        if not self.fmus:
            yield Mistake(("fmus",), "there is no FMU", "add one: name: file")
        for name in ("duration", "output_every"):
            span: float = getattr(self, name)
            whole = max(1, round(span / self.step))
            if abs(span - whole * self.step) > _SAME * span:
                yield Mistake(
                    (name,), f"{span:.9g} s is not a whole number of steps of {self.step:.9g} s",
                    f"use {whole * self.step:.9g} s",
                )  # fmt: skip
        if self.duration / self.step > MOST_SAMPLES:
            yield Mistake(("step",), f"makes more than {MOST_SAMPLES:g} exchanges", "use a longer step")
        taken: dict[str, str] = {}
        for source, target in self.wires():
            for name in (source, target):
                yield from self._known(("connections", source), name)
            if target in taken:
                yield Mistake(
                    ("connections", source), f"'{target}' already gets its value from '{taken[target]}'",
                    "an input has one source",
                )  # fmt: skip
            taken.setdefault(target, source)
        for index, name in enumerate(self.outputs or ()):
            yield from self._known(("outputs", index), name)

    def _known(self, location: tuple[str | int, ...], name: str) -> Iterator[Mistake]:
        fmu, dot, _ = name.partition(".")
        if not dot or fmu not in self.fmus:
            yield Mistake(location, f"'{name}' begins with no name of an FMU", suggestion(fmu, self.fmus))

    def wires(self) -> Iterator[tuple[str, str]]:
        """Every connection as (from, to)."""
        for source, targets in self.connections.items():
            for target in (targets,) if isinstance(targets, str) else targets:
                yield source, target


def load_setup(path: str | Path) -> Setup:
    """Reads the file of a co-simulation. Raises `ModelError` with every mistake in it."""
    return read_part(Path(path), Setup)
