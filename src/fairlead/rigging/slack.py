"""What is said after a run of cables that lost their tension with a step too coarse for the peaks that follow.

A cable that comes taut again is a mass caught by a spring: its tension rises as a quarter of a sine to the peak T, at
most by ΔT = Ω T within a step, with Ω = ωh of that sine. So Ω is seen in the run itself, whatever load hangs on the
cable and however fine its mesh. A step that takes the spring at θh multiplies the amplitude by 1 − (θ − ½)Ω² each time,
over the π/2Ω steps of the quarter by exp(−½π(θ − ½)Ω). Where a load hangs on the cable the blow is a little faster than
ΔT/T tells and lasts longer than a quarter, together by 1.3 for a weight of an eighth of the peak, which is put on. The
step in which the cable comes taut is taken at h whatever θ is, which costs up to 3(1 − θ)Ω²/2 of a peak; and a peak
between two steps is missed by at most Ω²/8. The sum is taken for the most that a step can have cost.

Beyond ΔT = 0.25 T the blow is over within some two steps, and how fast it would have been cannot be told from them: a
rise by half the peak goes with any Ω above ½. What is known then is the least that was taken, that of the slowest blow
which rises so much in a step: (θ − ½)ΔT/T + 0.4(1 − θ)(ΔT/T)², below what such blows lose at any phase of the step.
Line that is slack all along and jerked moves like a whip, whose tip a long step overshoots: there a peak may as well be
too high, by as much as the steps before it have led the line astray, of which the blow itself tells nothing. The energy
that the step took from it would bound what it lacks, √(T² + 2k ΔE), but with the stiffness k of one element, which is
up to √n times too much for a line of n, and not at all what it has too much. So no bound is said there, but how to find
one: by another step.

A run therefore keeps states on its way and takes the seconds up to the largest tension of such cables again with a
tenth of the step (`fairlead.simulate.snaps`): where it does, what the step did to it is said as it was found, and not
at all within `ENOUGH`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fairlead.model import System
from fairlead.words import NOTE, force, number, percentage

MOST = 3
"""Cables that get a note each; more of them share one, which names so many."""
ENOUGH = 0.02
"""Part of a peak that a step may take without a word."""
LONGER = 1.3
"""How much more a step takes of a blow on a cable that carries a load."""
HARMLESS = 0.2
"""Share of the breaking load below which a peak that is not resolved is no danger."""
UNSURE = 2.0
"""How many times larger than computed such a peak is taken to be, where it was not computed again."""
STRETCHED = 0.01
"""Strain beyond which a cable is none that does not stretch."""
TOLD = 0.25
"""Largest rise within a step, as a part of the peak, from which the blow can be told."""


class Slack(NamedTuple):
    """A cable, when it first lost its tension (s, negative when it never did), and of its tensions from then on the
    largest rise within a step and the largest (N)."""

    name: str
    since: float
    rise: float
    peak: float

    @property
    def turn(self) -> float:
        """Largest rise within a step as a part of the peak."""
        return min(1.0, self.rise / self.peak) if self.since >= 0 and self.peak > 0 else 0.0

    @property
    def told(self) -> bool:
        """Whether the steps tell how fast the blow was."""
        return self.turn <= TOLD

    def low(self, theta: float) -> float:
        """Part of the peak that the step has taken: at most where the blow is told by the steps, else at least."""
        if self.told:
            damped = 1.0 - math.exp(-LONGER * 0.5 * math.pi * (theta - 0.5) * self.turn)
            return damped + (1.625 - 1.5 * theta) * self.turn**2
        return (theta - 0.5) * self.turn + 0.4 * (1.0 - theta) * self.turn**2

    def said(self, theta: float) -> str:
        """The same in words."""
        if self.told:
            return f"may be low by up to {percentage(self.low(theta))}"
        return (
            f"is low by at least {percentage(self.low(theta))} where a load is caught, and may be some times too high "
            "or low where slack line cracks like a whip (by how much, fairlead converge tells)"
        )


class Peak(NamedTuple):
    """The largest tension of a cable in a run, and with a tenth of its step (N): in all of it, or in a `span` of it, in
    which that of the run is, from one time to another (s)."""

    run: float
    fine: float
    span: tuple[float, float] | None = None

    @property
    def high(self) -> float:
        """Part of the true peak by which that of the run is too high."""
        return self.run / self.fine - 1.0 if self.fine > 0.0 else 0.0

    def said(self) -> str:
        """The same in words."""
        side = "high" if self.high > 0.0 else "low"
        away = f"{percentage(abs(self.high))} too {side}"
        part = ""
        if self.span is not None:
            part = f" (from {number(self.span[0])} to {number(self.span[1])} s, the part computed again)"
        return f"{force(self.run)}, is {force(self.fine)} with a tenth of the step{part}, and so {away}"


@dataclass(frozen=True)
class Snaps:
    """What a state keeps of the cables that lost their tension.

    since, rise, most  (cable,), of each as `Slack` has them
    theta              where in the step springs are taken
    cure               what else to do than to take a smaller step, e.g. `use` or `use bars: {theta: 0.55} or`
    substeps           of each step, in which tensions rise
    """

    names: tuple[str, ...]
    since: np.ndarray
    rise: np.ndarray
    most: np.ndarray
    theta: float
    cure: str
    substeps: int = 1

    def doubtful(self) -> list[Slack]:
        """Those whose peaks the step may have changed by more than `ENOUGH`."""
        cables = map(Slack, self.names, self.since, self.rise, self.most)
        return [c for c in cables if not c.told or c.low(self.theta) > ENOUGH]

    def notes(
        self, h: float, finer: Mapping[str, Peak], breaking: Mapping[str, float] | None = None
    ) -> tuple[str, ...]:
        """After steps of h [s]; see `slack_notes`."""
        return slack_notes(self.doubtful(), h / self.substeps, self.theta, self.cure, finer, breaking)


def slack_notes(
    cables: Iterable[Slack],
    h: float,
    theta: float,
    cure: str,
    finer: Mapping[str, Peak] | None = None,
    breaking: Mapping[str, float] | None = None,
) -> tuple[str, ...]:
    """Notes on those whose snap loads a step of h [s] has changed by more than `ENOUGH`.

    theta, cure: see `Snaps`; finer: peaks with a tenth of the step [N], by name, of cables of which it was found;
    breaking: breaking loads [N] by name, where they are known. Cables whose peak stays far below that get one note
    together, without the advice to take a smaller step.
    """
    found = sorted((c for c in cables if not c.told or c.low(theta) > ENOUGH), key=lambda c: c.since)
    known = dict(finer or {})
    harmless = {c.name: share for c in found if (share := _share(c, known.get(c.name), breaking or {})) < HARMLESS} | {
        name: peak.fine / breaking[name]
        for name, peak in known.items()
        if breaking and name in breaking and max(peak.run, peak.fine) < HARMLESS * breaking[name]
    }
    found = [c for c in found if c.name not in harmless]
    known = {name: peak for name, peak in known.items() if name not in harmless}
    return (*_doubts(found, known, h, theta, cure), *_harmless_note(harmless, h))


def _share(cable: Slack, finer: Peak | None, breaking: Mapping[str, float]) -> float:
    """The most of its breaking load that the peak of a cable may be; infinite where nothing tells it."""
    if cable.name not in breaking:
        return math.inf
    if finer is not None and finer.span is None:
        return max(finer.run, finer.fine) / breaking[cable.name]
    return UNSURE * max(cable.peak, 0.0 if finer is None else finer.fine) / breaking[cable.name]


def _harmless_note(harmless: Mapping[str, float], h: float) -> tuple[str, ...]:
    """One note on all cables that came taut in a blow and stayed far below their breaking load."""
    if not harmless:
        return ()
    worst = max(harmless, key=lambda name: harmless[name])
    more = f" and {len(harmless) - 1} more" if len(harmless) > 1 else ""
    most = percentage(max(0.01, math.ceil(100.0 * harmless[worst] - 1e-6) / 100.0))
    return (
        f"{NOTE}cables.{worst}{more}: came taut in a blow that a step of {h:g} s does not resolve; its peak stays "
        f"below {most} of the breaking load, so strength needs no smaller step",
    )


def _doubts(found: list[Slack], known: Mapping[str, Peak], h: float, theta: float, cure: str) -> tuple[str, ...]:
    """Notes on peaks that matter; see `slack_notes`."""
    wrong = sorted((name for name in known if abs(known[name].high) > ENOUGH), key=lambda name: -abs(known[name].high))
    bounded = [c for c in found if c.name not in known]
    if len(wrong) + len(bounded) > MOST:
        return (_shared_note(found, {name: known[name] for name in wrong}, bounded, h, theta, cure),)
    slack = {c.name: c for c in found}
    return (
        *(
            _note(slack[name], h, theta, cure, f"its largest tension, {known[name].said()}") if name in slack else
            f"cables.{name}: comes taut in a blow: its largest tension, {known[name].said()}; use a smaller step than "
            f"{h:g} s (`fairlead converge` finds one)"
            for name in wrong
        ),
        *(_note(c, h, theta, cure, f"that peak {c.said(theta)}") for c in bounded),
    )  # fmt: skip


def _note(cable: Slack, h: float, theta: float, cure: str, said: str) -> str:
    """The note on one cable, with what is `said` of its peak."""
    return (
        f"cables.{cable.name}: lost its tension first at t = {number(cable.since)} s, and came taut again by up to "
        f"{percentage(cable.turn)} of its peak within a step of {h:g} s: {said}; {cure} "
        f"a step of {number(h * _good(theta) / cable.turn, 2)} s"
    )


def _shared_note(
    found: list[Slack], wrong: Mapping[str, Peak], bounded: list[Slack], h: float, theta: float, cure: str
) -> str:
    """One note on many cables: those that lost their tension are `found`; of the peaks that are `wrong`, the worst
    first, it is known by how much, and those of others are `bounded` alone."""
    some = [f"that of {name}, {peak.said()}" for name, peak in list(wrong.items())[:1]]
    finer = "a smaller step (`fairlead converge` finds one)"
    if bounded:
        worst = max(bounded, key=lambda c: c.turn)
        some.append(f"that of {worst.name} {worst.said(theta)}")
        finer = f"a step of {number(h * _good(theta) / worst.turn, 2)} s"
    slack = [c for c in found if c.name in wrong or c in bounded]
    blows = len(wrong) + len(bounded) - len(slack)
    first = ", ".join(f"{c.name} ({number(c.since)} s)" for c in slack[:MOST])
    happened = [f"{len(slack)} of them lost their tension, first {first}, and came taut again by large parts of their "
                f"peaks within a step of {h:g} s"] if slack else []  # fmt: skip
    happened += [f"{blows} came taut in a blow"] if blows else []
    return f"cables: {', and '.join(happened)}: {'; '.join(some)}; {cure} {finer}"


def breaking_loads(system: System) -> dict[str, float]:
    """The least breaking load of each cable all of whose types tell theirs, N."""
    loads = {}
    for name, cable in system.cables.items():
        kinds = [system.types[type_name].breaking_load for type_name in cable.type_names]
        if kinds and all(load is not None for load in kinds):
            loads[name] = float(min(load for load in kinds if load is not None))
    return loads


def unstretched_notes(system: System, tension: float) -> tuple[str, ...]:
    """A note on a largest tension [N] of cables without stretch that would have stretched the stiffest of them.

    A blow that a cable would take up by its stretch, F = v √(EA m/L), is as hard there as its last links are straight.
    """
    used = {segment.type_name for cable in system.cables.values() for segment in cable.segments(system)}
    strain = tension / max((system.types[name].ea for name in used), default=math.inf)
    if strain < STRETCHED:
        return ()
    return (
        f"simulation.formulation: the largest tension, {force(tension)}, would stretch even the stiffest cable "
        f"by {percentage(strain)}, which '{system.simulation.formulation}' does not let it: blows are harder here "
        "than a cable makes them; use formulation: bars or lumped for snap loads",
    )


def _good(theta: float) -> float:
    """Ω at which a step takes `ENOUGH` of a peak: the root of 1.3·½π(θ − ½)Ω + (13/8 − 3θ/2)Ω²."""
    half, square = LONGER * 0.25 * math.pi * (theta - 0.5), 1.625 - 1.5 * theta
    return (-half + math.sqrt(half**2 + square * ENOUGH)) / square
