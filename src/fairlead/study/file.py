"""The study file: what varies, how it is combined, what is run and what is kept of every run.

    study: storm extremes
    system: mooring.yaml
    vary:
      environment.waves:      {scatter: scatter.csv, columns: [significant_height, peak_period], weight: hours}
      environment.waves.seed: {seeds: 10}
    run: {duration: 3 h, discard: 300 s}
    keep:
      north.tension@end: [mean, max, {rainflow: {m: [3]}}]

Values have units as in a model file, and mistakes are all told at once, each with its line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import Field, PrivateAttr, ValidationError

from fairlead.model.loader import parsed, read_as, read_text
from fairlead.model.part import Part, exactly_one
from fairlead.model.problems import Mistake, Problem, shown, wrong
from fairlead.model.source import Source, place_problem
from fairlead.model.values import Quantity, Text, Whole

_Part = TypeVar("_Part", bound=Part)
Count = Annotated[int, Whole(1, 10_000_000)]
Time = Annotated[float, Quantity("s", above=0)]
KINDS = ("values", "scatter", "seeds", "uniform", "normal", "lose")
DESIGNS = ("product", "sample", "sobol", "latin", "saltelli", "morris", "table")
COUNTED = DESIGNS[1:-1]
"""Designs of which a number is asked for."""
_WORST = re.compile(r"(worst|least) (\d+) of (\S+)")
_CONVERGED = re.compile(r"(mean|p(\d+(?:\.\d+)?))(?: of (\w+))? within (\S.*)")


class Variation(Part):
    """What one place of the system takes for values: a list, the rows of a scatter diagram, seeds, a distribution."""

    noun: ClassVar[str] = "a list of values or a mapping such as {uniform: [1, 2]}"
    values: tuple[Any, ...] | None = Field(default=None, description="values, each as the model file would have it")
    weights: tuple[Annotated[float, Quantity(at_least=0)], ...] | None = Field(
        default=None, description="how much each of `values` counts; all the same when left out"
    )
    scatter: Text | None = Field(default=None, description="CSV file of which every row is a value of several places")
    columns: tuple[Text, ...] | None = Field(
        default=None, description="columns of `scatter`, each named as the place below this one that it is for"
    )
    weight: Text | None = Field(default=None, description="column of `scatter` that says how much a row counts")
    seeds: Annotated[int, Whole(1, 1_000_000)] | None = Field(
        default=None, description="so many seeds: 1, 2, … in a product, drawn in other designs"
    )
    uniform: tuple[Any, ...] | None = Field(default=None, description="[least, largest], equally likely between")
    normal: tuple[Any, ...] | None = Field(default=None, description="[mean, standard deviation]")
    truncate: tuple[Any, ...] | None = Field(default=None, description="[least, largest] that `normal` may give")
    lose: Literal["each"] | tuple[Text, ...] | None = Field(
        default=None, description="of `cables`: intact, then without each cable in turn, or each of those named"
    )

    @classmethod
    def expanded(cls, data: object) -> object:
        return {"values": data} if isinstance(data, list | tuple) else data

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, *KINDS)

    @property
    def kind(self) -> str:
        return next(name for name in KINDS if getattr(self, name) is not None)

    def relations(self) -> Iterator[Mistake]:
        for name in ("uniform", "normal", "truncate"):
            given = getattr(self, name)
            if given is not None and len(given) != 2:
                yield Mistake((name,), f"must hold two values, not {len(given)}", "give [least, largest]"
                              if name != "normal" else "give [mean, standard deviation]")  # fmt: skip
        for name, owner in (("weights", "values"), ("columns", "scatter"), ("weight", "scatter"),
                            ("truncate", "normal")):  # fmt: skip
            if getattr(self, name) is not None and getattr(self, owner) is None:
                yield Mistake((name,), f"belongs to '{owner}', which is not given", f"remove it or add '{owner}'", True)
        if self.scatter is not None and not self.columns:
            yield Mistake((), "'columns' is missing", "name the columns of the scatter file that are to be used", True)
        if self.values is not None and not self.values:
            yield Mistake(("values",), "must hold at least one value")
        if self.weights is not None and self.values is not None:
            if len(self.weights) != len(self.values):
                yield Mistake(("weights",), f"holds {len(self.weights)} numbers for {len(self.values)} values")
            elif not sum(self.weights) > 0.0:
                yield Mistake(("weights",), "must not all be zero")


class Design(Part):
    """How what varies is combined to scenarios."""

    noun: ClassVar[str] = "product, or a mapping such as {sample: 500}"
    product: bool | None = Field(default=None, description="every value with every other; distributions are drawn")
    sample: Count | None = Field(default=None, description="so many scenarios drawn at random")
    sobol: Count | None = Field(default=None, description="so many points of a scrambled Sobol sequence; best 2ⁿ")
    latin: Count | None = Field(default=None, description="so many scenarios of a Latin hypercube")
    saltelli: Count | None = Field(
        default=None, description="n·(d + 2) scenarios for Sobol indices of d things that vary; n best 2ⁿ"
    )
    morris: Count | None = Field(
        default=None, description="n·(d + 1) scenarios for Morris' elementary effects of d things that vary"
    )
    table: Text | None = Field(default=None, description="CSV file: a column a path, a row a scenario")

    @classmethod
    def expanded(cls, data: object) -> object:
        return {"product": True} if data == "product" else data

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        yield from exactly_one(given, *DESIGNS)

    @property
    def kind(self) -> str:
        return next(name for name in DESIGNS if getattr(self, name) is not None)

    @property
    def count(self) -> int:
        """The number that was asked for; 0 of a product or a table."""
        return int(getattr(self, self.kind)) if self.kind in COUNTED else 0


class RunChoice(Part):
    """How every scenario is run; what is left out is as in the system's file."""

    duration: Time | None = Field(default=None, description="simulated time of every scenario")
    discard: Annotated[float, Quantity("s", at_least=0)] = Field(
        default=0.0, description="time at the beginning that statistics leave out"
    )
    step: Time | None = Field(default=None, description="time step")
    sample: Time | None = Field(
        default=None, description="time between samples for statistics; extremes are those of every step all the same"
    )

    def relations(self) -> Iterator[Mistake]:
        if self.duration is not None and self.discard >= self.duration:
            message = f"{self.discard:.9g} s leave nothing of a run of {self.duration:.9g} s"
            yield Mistake(("discard",), message, "discard less, or run longer")


class Rainflow(Part):
    """Cycles as material feels them, and the damage they do."""

    m: tuple[Annotated[float, Quantity(at_least=1, at_most=20)], ...] = Field(
        description="exponents of the S-N curve: damage is the sum of range^m over the cycles"
    )

    @classmethod
    def expanded(cls, data: object) -> object:
        if isinstance(data, Mapping) and isinstance(data.get("m"), int | float):
            return {**data, "m": [data["m"]]}
        return data

    def relations(self) -> Iterator[Mistake]:
        if not self.m:
            yield Mistake(("m",), "must hold at least one exponent", "use m: [3]")


class Statistics(Part):
    """What is kept of one channel of every scenario, as a list of names and of mappings."""

    noun: ClassVar[str] = "a list such as [mean, max, {percentiles: [90]}]"
    mean: bool = Field(default=False, description="mean of the samples")
    std: bool = Field(default=False, description="standard deviation of the samples")
    min: bool = Field(default=False, description="least of every step")
    max: bool = Field(default=False, description="largest of every step")
    percentiles: tuple[Annotated[float, Quantity(at_least=0, at_most=100)], ...] = Field(
        default=(), description="of the samples, by a histogram of at least 1,024 bins over their range"
    )
    exceeds: tuple[Any, ...] = Field(default=(), description="levels: share of the samples above each")
    upcrossings: tuple[Any, ...] = Field(default=(), description="levels: how often each is crossed upwards")
    rainflow: Rainflow | None = Field(default=None, description="rainflow cycles and their damage")
    block_maxima: Time | None = Field(default=None, description="length of blocks: the largest of every step in each")

    @classmethod
    def expanded(cls, data: object) -> object:
        if isinstance(data, str):
            data = [data]
        if not isinstance(data, list | tuple):
            return data
        merged: dict[str, Any] = {}
        for item in data:
            if isinstance(item, str):
                merged[item] = True
            elif isinstance(item, Mapping):
                merged |= item
            else:
                raise wrong(f"must hold names such as mean and mappings such as {{exceeds: [5 kN]}}, not {shown(item)}")
        return merged

    def relations(self) -> Iterator[Mistake]:
        if not any(getattr(self, name) for name in type(self).model_fields):
            yield Mistake((), "keeps nothing", f"name some of {', '.join(type(self).model_fields)}", True)


class Histories(Part):
    """Scenarios that are run again with full results, to be looked at."""

    scenarios: str | tuple[Annotated[int, Whole(0, 10_000_000)], ...] = Field(
        description="`worst 5 of north.tension@end` (by their largest; `least` by their least), `all`, or numbers"
    )
    every: Time | None = Field(default=None, description="time between their samples; as in the system's file if left")

    def relations(self) -> Iterator[Mistake]:
        if isinstance(self.scenarios, str) and self.scenarios != "all" and self.worst is None:
            yield Mistake(("scenarios",), f"cannot be read: {shown(self.scenarios)}",
                          "write 'worst 5 of CHANNEL', 'least 5 of CHANNEL', all, or numbers [0, 3]")  # fmt: skip

    @property
    def worst(self) -> tuple[bool, int, str] | None:
        """(by the largest, how many, of which channel), where it is said so."""
        found = _WORST.fullmatch(self.scenarios) if isinstance(self.scenarios, str) else None
        return None if found is None else (found[1] == "worst", int(found[2]), found[3])


class Keep(Part):
    """What is kept of every scenario, by channel, and whose histories are kept."""

    channels: dict[Text, Statistics] = Field(description="statistics by channel; `*` stands for any part of a name")
    histories: Histories | None = Field(default=None, description="scenarios to run again with full results")

    @classmethod
    def expanded(cls, data: object) -> object:
        if not isinstance(data, Mapping) or "channels" in data:
            return data
        rest = {key: value for key, value in data.items() if key != "histories"}
        return {"channels": rest, "histories": data.get("histories")}

    def relations(self) -> Iterator[Mistake]:
        if not self.channels:
            yield Mistake((), "keeps nothing", "name a channel: `north.tension@end: [mean, max]`", True)


class Stop(Part):
    """When to end before all scenarios are run."""

    failed: Annotated[float, Quantity(at_least=0, at_most=1)] | None = Field(
        default=None, description="share of scenarios that may fail, as 0.01 or `1 %`"
    )
    converged: dict[Text, Text] = Field(
        default={}, description="estimates that are sure enough by channel: `p99 within 2 %`, `mean of std within 1 %`"
    )

    def relations(self) -> Iterator[Mistake]:
        for channel, text in self.converged.items():
            try:
                parsed_target(text)
            except ValueError as error:
                yield Mistake(("converged", channel), str(error), "write `p99 within 2 %` or `mean of std within 1 %`")


class StudyFile(Part):
    """A study: many runs of one system."""

    noun: ClassVar[str] = "a mapping with study, system, vary, design, run and keep"
    study: Text = Field(default="", description="what it is about, in a line")
    system: Text = Field(description="the model file, relative to this one")
    vary: dict[Text, Variation] = Field(default={}, description="what varies, by its path in the model file")
    design: Design = Field(default=Design(product=True), description="how it is combined")
    seed: Annotated[int, Whole(0, 2**63 - 1)] = Field(default=1, description="what all that is drawn follows from")
    run: RunChoice = Field(default=RunChoice(), description="how every scenario is run")
    keep: Keep = Field(description="what is kept of every scenario")
    stop: Stop = Field(default=Stop(), description="when to end early")
    engine: Literal["auto", "here", "dask", "gpu"] = Field(
        default="auto",
        description="who runs it: `here`, all cores of the machine; `dask`, a cluster; `gpu`; `auto`, the last where "
        "there is one that carries a large study, else `here`",
    )

    _source: Source | None = PrivateAttr(None)

    @property
    def source(self) -> Source | None:
        """The file it was read from."""
        return self._source

    def problem(self, location: tuple[str | int, ...], message: str, hint: str = "") -> Problem:
        """A problem at a place of the study, with its line where it came from a file."""
        return place_problem(Mistake(location, message, hint), self._source)

    def relations(self) -> Iterator[Mistake]:
        if self.design.kind == "table" and self.vary:
            yield Mistake(("vary",), "cannot stand beside a table, whose columns are all that varies",
                          "keep one of them")  # fmt: skip
        elif self.design.kind != "table" and not self.vary:
            yield Mistake(("vary",), "nothing varies", "name a path with values, or design: {table: cases.csv}", True)


def parsed_target(text: str) -> tuple[float | None, str, float]:
    """(percentile or None for the mean, statistic, relative width) of `p99 of max within 2 %`."""
    found = _CONVERGED.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"cannot be read: {shown(text)}")
    try:
        width = Quantity(above=0, at_most=1).read(found[4])
    except Exception as error:  # pydantic's own, which says what is wrong with the number
        raise ValueError(f"{shown(found[4])} is no share: {error}") from None
    return (None if found[2] is None else float(found[2])), found[3] or "max", width


def load_study(path: str | os.PathLike[str]) -> StudyFile:
    """Reads a study file; `ModelError` lists every mistake in it, each with its line."""
    return read_study(read_text(path), str(path))


def read_study(text: str, name: str = "<text>") -> StudyFile:
    """Reads a study from YAML or JSON text; `name` stands for the file in messages."""
    study, source = read_as(StudyFile, text, name, "study, system, vary, run and keep", _as_written)
    study._source = source
    return study


def readable_parts(text: str, name: str) -> StudyFile | None:
    """What can be read of a study with mistakes in it: every entry of `vary` and `keep`, and every other part, that is
    right by itself; None where not even its system is told."""
    data, source, _ = parsed(text, name, "study, system, vary, run and keep")
    if not isinstance(data, Mapping) or not isinstance(data.get("system"), str):
        return None
    given = data.get("keep")
    statistics = (
        {key: value for key, value in given.items() if key != "histories"} if isinstance(given, Mapping) else {}
    )
    study = StudyFile.model_construct(
        study="",
        system=data["system"],
        vary=_right(Variation, data.get("vary")),
        design=_right(Design, {"design": data.get("design")}).get("design", Design(sample=1)),
        seed=1,
        run=_right(RunChoice, {"run": data.get("run")}).get("run", RunChoice()),
        keep=Keep.model_construct(channels=_right(Statistics, statistics), histories=None),
        stop=Stop(),
    )
    study._source = source
    return study


def _right(kind: type[_Part], entries: object) -> dict[str, _Part]:
    """The entries that are a `kind` of part, by their names."""
    found = {}
    for key, value in entries.items() if isinstance(entries, Mapping) else ():
        try:
            found[str(key)] = kind.__pydantic_validator__.validate_python(value)
        except ValidationError:
            continue
    return found


def _as_written(mistake: Mistake) -> Mistake:
    """A mistake at its place in the file, where channels stand in `keep` itself."""
    place = mistake.location
    if place[:2] == ("keep", "channels"):
        place = ("keep", *place[2:])
    return Mistake(place, mistake.message, mistake.hint, mistake.about_key)
