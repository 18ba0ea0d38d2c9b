"""Which step and which elements: a system run with finer and finer ones until the numbers asked for settle.

    from fairlead.studies import converge

    found = converge("mooring.yaml", tolerance=0.02)
    found.settled, found.step, found.factor, found.system

The step is halved first, then all elements, then both together as a proof. Two runs that agree prove nothing: far from
convergence they may by chance. Of three in a row, at least, the last must change less than the one before, or both
hardly. The order of convergence is p = log₂(|f₀ − f₁|/|f₁ − f₂|), and what is left of the error |f₁ − f₂|/(2ᵖ − 1) in
the finer and 2ᵖ times that in the coarser of the last two (Richardson). The settings to use are the coarsest whose
error is within the tolerance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import xarray as xr

    from fairlead.model import Cable, System
    from fairlead.model.cables import Section
    from fairlead.simulate.progress import Progress

TOLERANCE = 0.02
BUDGET = 100.0
"""Cost that may be spent, in runs of the file as it is."""
HARDLY = 0.05
"""Changes below this part of the tolerance may do what they like from run to run."""
LEAST_ORDER, MOST_ORDER, ASSUMED_ORDER = 0.5, 4.0, 1.0
"""Orders that are believed; that of two runs alone."""
EXTREMES = ("tension_max", "tension_min")
CURVATURE = "curvature_max"
BENDS = ("bars", "lumped", "links", "spline")
"""Formulations whose results tell the curvature of every step."""
STRAIGHT = 1e-4
"""A curvature below this is that of a straight cable, 1/m."""
MOVING = ("free", "sliding", "passive", "hybrid", "floating")
"""Kinds of points and bodies that move under the forces on them."""
SWINGS = ("swing.last", "swing.first", "heave.last", "heave.first")
"""Amplitudes of a point; see `results.amplitudes`."""
SMALL_SWING, SMALL_SHARE = 0.01, 1e-4
"""Amplitudes below this part of the largest of all, or of the longest cable, are measured by that."""


@dataclass(frozen=True)
class Level:
    """One run.

    step      s
    factor    elements over those of the file
    halved    what was halved to come here from `parent`: `step`, `elements`, `both`, or nothing
    values    of the outputs, in their order; NaN where the run did not get there
    changes   from the parent, each as a part of the output's scale; empty for the first
    orders    observed over the last three runs in this direction, NaN where they cannot be told
    """

    step: float
    factor: int
    halved: str
    values: tuple[float, ...]
    changes: tuple[float, ...] = ()
    orders: tuple[float, ...] = ()
    status: str = "complete"
    cpu_time: float = math.nan

    @property
    def change(self) -> float:
        """The largest change, infinite where a number is missing."""
        return max((math.inf if math.isnan(change) else change for change in self.changes), default=math.inf)

    def left(self, finer: bool) -> float:
        """Largest error that is left in this run, or in the coarser one it was refined from, as a part of the scale."""
        worst = 0.0
        for change, order in zip(self.changes, self.orders, strict=True):
            p = ASSUMED_ORDER if math.isnan(order) else min(max(order, LEAST_ORDER), MOST_ORDER)
            share = 1.0 / (2.0**p - 1.0)
            worst = max(worst, math.inf if math.isnan(change) else change * (share if finer else 1.0 + share))
        return worst if self.changes else math.inf


@dataclass
class Convergence:
    """What was found.

    outputs  names of the numbers that were watched
    levels   all runs, in their order
    settled  whether they settled within the tolerance
    reason   why not, in a sentence
    step, factor, system   the settings to use; those of the last run where nothing settled
    off      by how much the run of the file as it is differs from the last run, by output, as a part of its scale
    """

    outputs: tuple[str, ...]
    tolerance: float
    levels: list[Level] = field(default_factory=list)
    settled: bool = False
    reason: str = ""
    step: float = math.nan
    factor: int = 1
    system: System | None = None
    off: dict[str, float] = field(default_factory=dict)

    def farthest(self) -> tuple[str, float] | None:
        """The output in which the file as it is differs most from the last run, and by how much; None if unknown."""
        known = {path: off for path, off in self.off.items() if math.isfinite(off)}
        return max(known.items(), key=lambda item: item[1]) if known else None

    def rows(self) -> list[dict[str, Any]]:
        """The runs as plain rows, ready for JSON."""
        return [
            {
                "step": level.step,
                "elements_factor": level.factor,
                "halved": level.halved,
                "values": dict(zip(self.outputs, map(_number, level.values), strict=True)),
                "change": _number(level.change),
                "order": order_of(level),
                "status": level.status,
                "cpu_time": _number(level.cpu_time),
            }
            for level in self.levels
        ]


class TooMuch(Exception):
    """The next run would cost more than may be spent."""


def converge(
    system: System | str | Path,
    outputs: Sequence[str] | None = None,
    *,
    tolerance: float = TOLERANCE,
    budget: float = BUDGET,
    elements: bool = True,
    progress: Callable[[str], Progress | None] | None = None,
    told: Callable[[Level], None] | None = None,
) -> Convergence:
    """Halve step and element lengths until the outputs settle within `tolerance`.

    outputs    numbers of the summary by their paths, such as `cables.line.tension_max` or `cables.line.force_end.max`;
               by default the largest and least tension of every cable, measured by the largest, the largest
               curvature and the bend radius of clamped cables with bending stiffness, and the amplitudes of free
               points and bodies at the beginning and at the end of the run, measured by the largest of each
    budget     what may be spent, in runs of the system as it is; a run counts its steps times its elements
    elements   whether elements are halved too
    progress   a function that gives an object for each run, whose name it is told
    told       is told of each run when it is over
    """
    from fairlead.exchange.opening import open_model

    if isinstance(system, str | Path):
        system = open_model(system)[0]
    search = _Search(system, tuple(outputs) if outputs else default_outputs(system), tolerance, budget, progress, told)
    return search.carried_out(elements)


def default_outputs(system: System) -> tuple[str, ...]:
    """Largest and least tension of every cable; of one with bending stiffness that is clamped also the largest
    curvature, to which its bending moment is proportional, and the bend radius where its type tells what is allowed;
    of every free point and body how far it swings and heaves at the beginning and at the end of the run, which shows
    motion that the step damps."""
    found = [f"cables.{name}.{extreme}" for name in system.cables for extreme in EXTREMES]
    if system.simulation.formulation in BENDS:
        for name, cable in system.cables.items():
            kinds = [system.types[kind] for kind in cable.type_names]
            if any(kind.ei > 0.0 for kind in kinds) and "clamp" in (cable.start.joint, cable.end.joint):
                found.append(f"cables.{name}.{CURVATURE}")
                found += [f"cables.{name}.bend_radius_min"] * any(kind.minimum_bend_radius for kind in kinds)
    moving = [name for name, part in (*system.points.items(), *system.bodies.items()) if part.kind in MOVING]
    found += [f"points.{name}.{swing}" for name in moving for swing in SWINGS]
    return tuple(found)


def finer(system: System, step: float, factor: int) -> System:
    """The system with another step and `factor` times as many elements; samples stay where they are."""
    values: dict[str, Any] = {"simulation.step": step, "simulation.output_every": system.simulation.output_every}
    if factor > 1:
        for name, cable in system.cables.items():
            parts: list[tuple[str, Cable | Section]] = [("", cable)]
            if cable.sections is not None:
                parts = [(f".sections[{i}]", section) for i, section in enumerate(cable.sections)]
            for place, part in parts:
                if part.element_lengths:
                    cut = [length / factor for length in part.element_lengths for _ in range(factor)]
                    values[f"cables.{name}{place}.element_lengths"] = cut
                else:
                    values[f"cables.{name}{place}.elements"] = factor * (part.elements or 1)
    return system.with_values(values)


def value_of(summary: dict[str, Any], path: str) -> float:
    """A number of a summary by its path; NaN where it has none there. Raises where there is no such path."""
    from fairlead.model.problems import suggestion

    from .discovery import UnknownStudy

    found: Any = summary
    keys = path.split(".")
    for depth, key in enumerate(keys):
        if found is None:
            return math.nan
        if not isinstance(found, dict) or key not in found:
            known = list(found) if isinstance(found, dict) else []
            place = ".".join(keys[:depth]) or "the summary"
            raise UnknownStudy(f"there is no output '{path}': {place} has no '{key}'; {suggestion(key, known)}")
        found = found[key]
    if isinstance(found, dict) and "value" in found:
        found = found["value"]
    if found is None:
        return math.nan
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise UnknownStudy(f"the output '{path}' is no number; name one of {', '.join(found)} in it"
                           if isinstance(found, dict) else f"the output '{path}' is no number")  # fmt: skip
    return float(found)


class _Search:
    """The runs, what they cost, and where to go next."""

    def __init__(
        self,
        system: System,
        outputs: tuple[str, ...],
        tolerance: float,
        budget: float,
        progress: Callable[[str], Progress | None] | None,
        told: Callable[[Level], None] | None,
    ) -> None:
        self._system, self._budget, self._progress, self._told = system, budget, progress, told
        self._spent = 0.0
        self._known: dict[tuple[float, int], tuple[tuple[float, ...], str, float]] = {}
        self.found = Convergence(outputs, tolerance)

    def carried_out(self, elements: bool) -> Convergence:
        found = self.found
        step, factor = self._system.simulation.step, 1
        try:
            while True:
                step, factor = self._along(step, factor, "step")
                if elements:
                    step, factor = self._along(step, factor, "elements")
                    proof = self._level(step, factor, "both", (step / 2, 2 * factor))
                    if proof.left(finer=False) > 2.0 * found.tolerance:  # each direction may have spent its own
                        step, factor = step / 2, 2 * factor
                        continue
                found.settled = True
                break
        except TooMuch as bound:
            found.reason = str(bound)
            last = found.levels[-1]
            step, factor = last.step, last.factor
        found.step, found.factor = step, factor
        found.system = finer(self._system, step, factor)
        if len(found.levels) > 1:
            changes = self._changes(found.levels[0].values, found.levels[-1].values)
            found.off = dict(zip(found.outputs, changes, strict=True))
        return found

    def _along(self, step: float, factor: int, halved: str) -> tuple[float, int]:
        """Halve one of the two until the error is within the tolerance; the coarsest pair with which it is.

        Three runs at least: far from convergence two may agree by chance.
        """

        def halve(pair: tuple[float, int]) -> tuple[float, int]:
            return (pair[0] / 2, pair[1]) if halved == "step" else (pair[0], 2 * pair[1])

        coarse = (step, factor)
        first = self._level(*coarse, halved, halve(coarse))
        while True:
            middle = halve(coarse)
            second = self._level(*middle, halved, halve(middle))
            left = second.left(finer=True)
            if left <= self.found.tolerance and self._believed(first, second):
                if first.change + second.change + left <= self.found.tolerance:
                    return coarse
                return middle if second.left(finer=False) <= self.found.tolerance else halve(middle)
            coarse, first = middle, second

    def _believed(self, first: Level, second: Level) -> bool:
        """Whether every output changed less the second time, as in convergence, or hardly at all both times."""
        hardly = HARDLY * self.found.tolerance
        return all(
            (a <= hardly and b <= hardly) or _observed(a, b) >= LEAST_ORDER
            for a, b in zip(first.changes, second.changes, strict=True)
        )

    def _level(self, step: float, factor: int, halved: str, to: tuple[float, int]) -> Level:
        """The run `to`, held against the one it refines, which is run first where it was not yet."""
        coarse = self._values(step, factor, "")
        fine = self._values(*to, halved)
        changes = self._changes(coarse, fine)
        orders = (math.nan,) * len(changes)
        before = (2 * step, factor) if halved == "step" else (step, factor // 2) if halved == "elements" else None
        if before in self._known:
            earlier = self._changes(self._known[before][0], coarse)
            orders = tuple(_observed(a, b) for a, b in zip(earlier, changes, strict=True))
        values, status, cpu = self._known[to]
        level = Level(*to, halved, values, changes, orders, status, cpu)
        if self.found.levels and (self.found.levels[-1].step, self.found.levels[-1].factor) == to:
            self.found.levels[-1] = level
        else:
            self.found.levels.append(level)
        if self._told is not None:
            self._told(level)
        return level

    def _values(self, step: float, factor: int, halved: str) -> tuple[float, ...]:
        """The outputs of a run, from memory where it was done."""
        if (step, factor) not in self._known:
            cost = factor * self._system.simulation.step / step
            if self._spent + cost > self._budget * (1 + 1e-9):
                raise TooMuch(
                    f"the next run, with a step of {step:g} s and {factor} times the elements, costs {cost:g} runs of "
                    f"the file; {self._spent:g} of {self._budget:g} are spent"
                )
            self._spent += cost
            result = self._run(step, factor)
            values = tuple(value_of(_summary(result), path) for path in self.found.outputs)
            complete = str(result.attrs["status"]) == "complete"
            values = values if complete else (math.nan,) * len(values)
            self._known[step, factor] = values, str(result.attrs["status"]), float(result.attrs["cpu_time"])
            level = Level(step, factor, halved, *self._known[step, factor][:1], status=str(result.attrs["status"]),
                          cpu_time=float(result.attrs["cpu_time"]))  # fmt: skip
            self.found.levels.append(level)
            if not halved and self._told is not None:
                self._told(level)
        return self._known[step, factor][0]

    def _run(self, step: float, factor: int) -> xr.Dataset:
        from fairlead.simulate import Simulation

        system = finer(self._system, step, factor)
        name = f"step {step:g} s, {sum(cable.element_count for cable in system.cables.values())} elements"
        shown = self._progress(name) if self._progress is not None else None
        result = Simulation(system).run(progress=shown)
        if str(result.attrs["status"]).startswith(("stopped: interrupted", "stopped: terminated")):
            raise KeyboardInterrupt
        return result

    def _changes(self, coarse: Sequence[float], fine: Sequence[float]) -> tuple[float, ...]:
        """|coarse − fine| of every output, as a part of its scale."""
        scales = list(self._scales(fine))
        return tuple(abs(a - b) / scale for a, b, scale in zip(coarse, fine, scales, strict=True))

    def _scales(self, values: Sequence[float]) -> Iterator[float]:
        """Size of every output; a least tension is measured by the largest of its cable, and an amplitude by the
        largest of its point, where these are watched too."""
        by_name = dict(zip(self.found.outputs, values, strict=True))
        swings = {path: value for path, value in by_name.items() if path.endswith(SWINGS) and not math.isnan(value)}
        long = max((cable.total_length for cable in self._system.cables.values()), default=0.0)
        least = max(SMALL_SWING * max(swings.values(), default=0.0), SMALL_SHARE * long)
        for path, value in by_name.items():
            largest = by_name.get(path.replace("tension_min", "tension_max"), value)
            small = STRAIGHT if path.endswith(CURVATURE) else 1e-12
            if path in swings:
                point = path.rsplit(".", 2)[0]
                small = max(least, *(size for other, size in swings.items() if other.rsplit(".", 2)[0] == point))
            yield max(abs(largest), abs(value), small)


def _summary(result: xr.Dataset) -> dict[str, Any]:
    from fairlead.results import summarise

    return summarise(result)


def _observed(earlier: float, later: float) -> float:
    """log₂ of how much less the last halving changed than the one before."""
    if not (earlier > 0.0 and later > 0.0 and math.isfinite(earlier) and math.isfinite(later)):
        return math.nan
    return math.log2(earlier / later)


def order_of(level: Level) -> float | None:
    """The order of the output that changed most; None where it cannot be told."""
    if not level.changes or math.isinf(level.change):
        return None
    return _number(level.orders[level.changes.index(level.change)])


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
