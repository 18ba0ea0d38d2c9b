"""What is not well known of a system: a few numbers for every member, and what they do to it.

Each is zero at first, with a standard deviation, and wanders: a velocity of the current at a height [m/s], what it
differs there from the straight line between two others, the logarithm of a factor on a drag coefficient or another
property, the way of an anchor towards the ship [m].
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from fairlead.model import System
from fairlead.model.candidates import candidates
from fairlead.model.problems import suggestion

from .file import ParameterChoice
from .sensors import Accuracy, Misfit

KINDS = ("current", "drag_normal", "drag_axial", "anchor")
QUARTERS = {0.0: "north", 90.0: "east", 180.0: "south", 270.0: "west"}
HEIGHTS = 4
"""At which a current may differ at least: where a file has fewer levels, there are bends between them."""
BENT, BENDING = 0.25, 1000.0
"""By how much, as a share of the standard deviation of the levels, and the time in which it forgets that it did, s."""


@dataclass(frozen=True)
class Unknown:
    """One of these numbers."""

    name: str
    unit: str
    """As it is shown: `m/s`, `m`, or `1` of a factor."""
    sd: float
    walk: float
    """Standard deviation that a second of wandering adds, 1/√s."""
    factor: bool = False
    """Whether it is the logarithm of a factor."""
    label: str = ""
    """In words."""
    shown: bool = True
    """Whether people are told of it; what only keeps members from being too sure of the others is not."""


@dataclass(frozen=True)
class CurrentPart:
    """Additions to the current at levels and at the bends between them, linear between all and constant beyond."""

    paths: tuple[str, ...]
    base: np.ndarray
    """(sample, 3): the file's."""
    weights: np.ndarray
    """(sample, level or bend)."""
    first: int

    def values(self, theta: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
        knots = self.weights.shape[1]
        for k, path in enumerate(self.paths):
            found = np.tile(self.base[k], (len(theta), 1))
            found[:, 0] += theta[:, self.first : self.first + knots] @ self.weights[k]
            found[:, 1] += theta[:, self.first + knots : self.first + 2 * knots] @ self.weights[k]
            yield path, found


@dataclass(frozen=True)
class FactorPart:
    """A property times a factor, or with an addition."""

    paths: tuple[str, ...]
    base: tuple[float, ...]
    first: int
    factor: bool = True

    def values(self, theta: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
        for path, base in zip(self.paths, self.base, strict=True):
            x = theta[:, self.first]
            yield path, base * np.exp(x) if self.factor else base + x


@dataclass(frozen=True)
class AnchorPart:
    """A point that may be nearer to another than the file has it."""

    input: str
    base: np.ndarray
    way: np.ndarray
    first: int

    def values(self, theta: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
        yield self.input, self.base + theta[:, self.first, None] * self.way


@dataclass(frozen=True)
class Unknowns:
    """All of them, in the order of the columns of theta (member, number)."""

    numbers: tuple[Unknown, ...]
    properties: tuple[CurrentPart | FactorPart, ...]
    anchors: tuple[AnchorPart, ...]

    @property
    def sd(self) -> np.ndarray:
        return np.array([one.sd for one in self.numbers])

    @property
    def walk(self) -> np.ndarray:
        return np.array([one.walk for one in self.numbers])

    def first(self, members: int, seed: int) -> np.ndarray:
        """Drawn at the start, with mean 0 and the standard deviations asked for, (member, number)."""
        drawn = np.random.default_rng([seed, 0]).standard_normal((members, len(self.numbers)))
        if members > 1:
            drawn -= drawn.mean(axis=0)
            drawn /= np.maximum(drawn.std(axis=0, ddof=1), 1e-12)
        return np.asarray(drawn * self.sd)

    def wandered(
        self, theta: np.ndarray, seconds: float, key: list[int], times: float = 1.0, more: np.ndarray | float = 0.0
    ) -> np.ndarray:
        """After wandering for a while, `times` faster than the file says, and by a standard deviation `more` (number,).

        A walk with a slow way home, θ ← ρ θ + σ √t ξ with ρ² = 1 − σ² t / sd²: what is never seen goes back to what was
        known at first, sd and all, and does not wander off for ever. The draws have mean 0. What is `more` is none of
        the walk home, and makes nothing less known than it was at first.
        """
        drawn = np.random.default_rng(key).standard_normal(theta.shape)
        drawn -= drawn.mean(axis=0)
        home = np.sqrt(np.maximum(0.0, 1.0 - self.walk**2 * seconds / self.sd**2))
        step = times * np.sqrt(seconds) * self.walk
        if np.any(more):
            room = np.maximum(0.0, self.sd**2 - (home * theta).var(axis=0, ddof=1) - step**2)
            step = np.sqrt(step**2 + np.minimum(np.square(more), room))
        return np.asarray(home * theta + drawn * step)

    def at_most(self, theta: np.ndarray) -> np.ndarray:
        """The same with no standard deviation above that at first."""
        mean, now = theta.mean(axis=0), theta.std(axis=0, ddof=1)
        return np.asarray(mean + (theta - mean) * np.minimum(1.0, self.sd / np.maximum(now, 1e-300)))

    def at_least(self, theta: np.ndarray, share: float) -> np.ndarray:
        """The same with no standard deviation below a share of that at first (Aksoy, Zhang and Nielsen-Gammon 2006)."""
        mean, now = theta.mean(axis=0), theta.std(axis=0, ddof=1)
        return np.asarray(mean + (theta - mean) * np.maximum(1.0, share * self.sd / np.maximum(now, 1e-12 * self.sd)))

    def paths(self, theta: np.ndarray) -> dict[str, np.ndarray]:
        """Properties by path, of every member."""
        return {path: values for part in self.properties for path, values in part.values(theta)}

    def inputs(self, theta: np.ndarray) -> dict[str, np.ndarray]:
        """Inputs by name, of every member."""
        return {name: values for part in self.anchors for name, values in part.values(theta)}


def prepared(system: System, choices: dict[str, ParameterChoice]) -> System:
    """The system with what estimates need: a current sampled at the levels too, anchors that can be moved."""
    values: dict[str, Any] = {}
    for name, choice in choices.items():
        kind = choice.kind or name
        if kind == "current" and choice.levels:
            samples = sorted({(c.z, c.vector) for c in system.environment.current}, reverse=True)
            heights = sorted({z for z, _ in samples} | {*choice.levels, *bends(choice.levels)}, reverse=True)
            values["environment.current"] = [{"z": z, "velocity": list(_profile(samples, z))} for z in heights]
        if kind == "anchor" and isinstance(choice.of, str) and choice.of in system.points:
            point = system.points[choice.of]
            if point.kind in ("fixed", "anchor"):
                place = [float(x) for x in point.position]
                values[f"points.{choice.of}"] = {"kind": "controlled", "position": place}
    return system.with_values(values) if values else system


def bends(levels: tuple[float, ...]) -> list[float]:
    """Heights between the levels of a current at which it may differ from the straight line between these."""
    gaps = list(pairwise(sorted(set(levels), reverse=True)))
    counts = [0] * len(gaps)
    for _ in range(HEIGHTS - len(gaps) - 1 if gaps else 0):
        widest = max(range(len(gaps)), key=lambda k: (gaps[k][0] - gaps[k][1]) / (counts[k] + 1))
        counts[widest] += 1
    return [a + k / (n + 1) * (b - a) for (a, b), n in zip(gaps, counts, strict=True) for k in range(1, n + 1)]


def _profile(samples: list[tuple[float, tuple[float, float, float]]], z: float) -> tuple[float, ...]:
    """The file's current at a height: linear between its samples, constant beyond."""
    if not samples:
        return (0.0, 0.0, 0.0)
    heights = [height for height, _ in samples][::-1]
    return tuple(float(np.interp(z, heights, [v[k] for _, v in samples][::-1])) for k in range(3))


def unknowns(
    system: System, choices: dict[str, ParameterChoice], heading: float | None = None
) -> tuple[Unknowns, list[tuple[str, Misfit]]]:
    """What is to be estimated of a prepared system, and what is wrong with it by name.

    heading  of x, degrees from north, clockwise; None where that is not known
    """
    numbers: list[Unknown] = []
    properties: list[CurrentPart | FactorPart] = []
    anchors: list[AnchorPart] = []
    wrong: list[tuple[str, Misfit]] = []
    for name, choice in choices.items():
        try:
            kind, first = choice.kind or name, len(numbers)
            if kind == "current":
                properties.append(_current(system, choice, first))
                for c in "uv":
                    parts = {f"{c}@{z:g}": _of_current(system, c, z, heading) for z in choice.levels}
                    made = _made(name, choice, "m/s", parts)
                    numbers += made + [_bend(made[0], f"{name}.{c}~{z:g}") for z in bends(choice.levels)]
            elif kind in ("drag_normal", "drag_axial"):
                properties.append(_drag(system, choice, kind.removeprefix("drag_"), first))
                of = choice.of if isinstance(choice.of, str) else " and ".join(choice.of or ("all cables",))
                way = "across" if kind == "drag_normal" else "along"
                numbers += _made(name, choice, "1", {"": f"drag {way} {of}, factor"})
            elif kind == "anchor":
                anchors.append(_anchor(system, choice, first))
                numbers += _made(name, choice, "m", {"": f"{choice.of} nearer to {choice.towards} by"})
            else:
                made = _made(name, choice, _unit(system, kind), {"": kind})
                properties.append(_property(system, kind, first, made[0].factor))
                numbers += made
        except Misfit as misfit:
            wrong.append((name, misfit))
    return Unknowns(tuple(numbers), tuple(properties), tuple(anchors)), wrong


def _of_current(system: System, component: str, z: float, heading: float | None) -> str:
    """Words for a component of the current at a height: `current to the north at 5 m depth`."""
    axis = "uv".index(component)
    towards = None if heading is None else (heading - 90.0 * axis) % 360.0
    way = "along " + "xy"[axis] if towards not in QUARTERS else f"to the {QUARTERS[towards]}"
    given = any(np.any(sample.vector) for sample in system.environment.current)
    return f"{'change of the ' if given else ''}current {way} at {-z:g} m depth"


def _made(name: str, choice: ParameterChoice, unit: str, parts: dict[str, str]) -> list[Unknown]:
    """A number for every part of a choice, which come with their labels."""
    sd, walk = Accuracy.read("sd", choice.sd, unit), Accuracy.read("walk", choice.walk, unit)
    if unit != "1" and (sd.share or walk.share) and unit in ("m/s", "m"):
        raise Misfit("sd" if sd.share else "walk", f"must be in {unit}, not a share")
    factor = unit == "1" or bool(sd.share)
    if sd.share + sd.fixed <= 0.0:
        raise Misfit("sd", "must be above 0", "what is known exactly is not estimated")
    rate = (walk.share + walk.fixed) / np.sqrt(choice.per)
    shown = "1" if factor else unit
    first = sd.share + sd.fixed
    return [Unknown(f"{name}.{p}" if p else name, shown, first, rate, factor, label) for p, label in parts.items()]


def _bend(level: Unknown, name: str) -> Unknown:
    """What a current may differ from the straight line between two levels: members differ in it, so that they are not
    sure of a depth which no sensor sees. It is forgotten sooner than the levels are, as finer structure is."""
    sd = BENT * level.sd
    return replace(level, name=name, sd=sd, walk=sd * np.sqrt(2.0 / BENDING), label="", shown=False)


def _current(system: System, choice: ParameterChoice, first: int) -> CurrentPart:
    if not choice.levels:
        raise Misfit("levels", "'levels' is missing", "say at which heights: levels: [-5, -140]")
    levels = np.array(choice.levels)
    if len(set(choice.levels)) < len(levels):
        raise Misfit("levels", "names a height twice")
    samples, order = system.environment.current, np.argsort(levels)
    heights = [c.z for c in samples]
    knots = np.sort([*levels, *bends(choice.levels)])
    of_levels = [np.interp(heights, levels[order], (levels == z).astype(float)[order]) for z in levels]
    of_bends = [np.interp(heights, knots, (knots == z).astype(float)) for z in bends(choice.levels)]
    weights = np.stack([*of_levels, *of_bends], axis=1)
    paths = tuple(f"environment.current[{k}].velocity" for k in range(len(samples)))
    return CurrentPart(paths, np.array([c.vector for c in samples]), weights, first)


def _drag(system: System, choice: ParameterChoice, which: str, first: int) -> FactorPart:
    named = (choice.of,) if isinstance(choice.of, str) else choice.of or tuple(system.types)
    types: list[str] = []
    for name in named:
        if name in system.types:
            types.append(name)
        elif name in system.cables:
            types += system.cables[name].type_names
        else:
            near = suggestion(name, (*system.types, *system.cables))
            raise Misfit("of", f"there is no cable type or cable '{name}'", near)
    known = {c.path: c.values[0] for c in candidates(system)}
    paths = tuple(dict.fromkeys(f"types.{name}.drag.{which}" for name in types))
    for path in paths:
        if path not in known:
            kind = path.split(".")[1]
            message = f"the drag of cable type '{kind}' is a law without a coefficient"
            raise Misfit("of", message, "give it coefficients: drag: {normal: 1.2, axial: 0.01}")
    return FactorPart(paths, tuple(known[path] for path in paths), first)


def _anchor(system: System, choice: ParameterChoice, first: int) -> AnchorPart:
    if not isinstance(choice.of, str) or choice.of not in system.points:
        raise Misfit("of", f"there is no point '{choice.of}'", suggestion(choice.of, system.points))
    point = system.points[choice.of]
    if point.kind != "controlled":
        raise Misfit("of", f"'{choice.of}' is {point.kind}", "name a point that is fixed, an anchor or controlled")
    other = system.points.get(choice.towards or "")
    if other is None or getattr(other, "position", None) is None:
        near = suggestion(choice.towards, system.points)
        raise Misfit("towards", f"there is no point '{choice.towards}' with a place", near)
    base = np.array(point.position, dtype=float)
    way = np.array(other.position, dtype=float) - base
    way[2] = 0.0
    size = float(np.linalg.norm(way))
    if size == 0.0:
        raise Misfit("towards", f"'{choice.towards}' is right above it", "name a point to one side")
    return AnchorPart(f"{choice.of}.position", base, way / size, first)


def _unit(system: System, path: str) -> str:
    known = {c.path: c for c in candidates(system)}
    if path not in known:
        raise Misfit("kind", f"there is no parameter '{path}'", suggestion(path, (*KINDS, *known)))
    if known[path].shape:
        raise Misfit("kind", f"'{path}' is a vector", "a current is estimated by `current`")
    return known[path].unit


def _property(system: System, path: str, first: int, factor: bool) -> FactorPart:
    value = next(c.values[0] for c in candidates(system) if c.path == path)
    return FactorPart((path,), (value,), first, factor)
