"""Members of one kind from their start to their end, stepped together and folded into statistics as they go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from fairlead.formulations.contract import Failure
from fairlead.formulations.kernel_compiled import KernelCompiled
from fairlead.results.extremes import (
    CABLE_KEPT,
    END_EXTREMES,
    KEPT_CLEARANCE_MIN,
    KEPT_CURVATURE_MAX,
    KEPT_TENSION_MAX,
    KEPT_TENSION_MIN,
    NODE_EXTREMES,
    NODE_TENSION_MAX,
    NODE_TENSION_MIN,
    POINT_ACCELERATION_MAX,
    POINT_EXTREMES,
)
from fairlead.rigging.watching import ASKED, AT_NODE, EXTREME, HIGH, LEAST, LOW, MOST, OFFSET, PLACE, SPEED
from fairlead.simulate.schedule import ROUNDING, Schedule
from fairlead.simulate.simulation import Simulation

from .channels import ABSENT, COLUMN, Channel, places
from .collector import Question
from .members import Member
from .wanted import Wanted

SAMPLES = 32
"""Samples between two looks at the clock and at what was computed."""
NOTHING = [EXTREME, 0, 0, -1, -1, 0]
"""How a channel is told whose owner is not there: not at all."""


class Stopped(Exception):
    """Somebody asked for the end."""


def kept_samples(schedule: Schedule, discard: float) -> int:
    """Number of the first sample that is kept."""
    least = schedule.start + discard - ROUNDING * schedule.step
    return next((k for k in range(schedule.intervals) if schedule.time(k) >= least), schedule.intervals)


def why_unwatched(simulation: Simulation, wanted: Sequence[Wanted]) -> str | None:
    """Why what is kept of a system cannot be told in the middle of its steps; None where it can."""
    compiled = simulation.compiled
    if not isinstance(compiled, KernelCompiled):
        return f"formulation '{compiled.formulation}' has neither packs nor steps for a GPU"
    if simulation.is_driven or not np.isnan(simulation.commands).all():
        return "its inputs are set live"
    for channel in (one.channel for one in wanted):
        if not channel.owner or channel.quantity == "force":
            return f"'{channel.name}' is not among what packs and a GPU tell; keep tensions and motions"
    return None


def _asked(channel: Channel, compiled: KernelCompiled) -> list[int]:
    """How a channel is told: a row of `rigging.watching`."""
    shape = compiled.shape
    extremes, first = shape.extremes, compiled.layout["extremes"].start
    quantity = channel.quantity
    if channel.rule(shape)[0] == ABSENT:
        return NOTHING
    if channel.owner in shape.cables:
        c = shape.cables.index(channel.owner)
        cable = first + NODE_EXTREMES * extremes.nodes + CABLE_KEPT * c
        if quantity == "tension" and channel.end >= 0:
            node = channel.end * (shape.nodes_per_cable[c] - 1)
            at = first + NODE_EXTREMES * (sum(shape.nodes_per_cable[:c]) + node)
            return [AT_NODE, c, node, at + NODE_TENSION_MIN, at + NODE_TENSION_MAX, 0]
        return {
            "tension": [MOST, c, 0, -1, cable + KEPT_TENSION_MAX, 0],
            "tension_min": [LEAST, c, 0, cable + KEPT_TENSION_MIN, -1, 0],
            "curvature": [EXTREME, c, 0, -1, cable + KEPT_CURVATURE_MAX, 1],
            "clearance": [EXTREME, c, 0, cable + KEPT_CLEARANCE_MIN, -1, 0],
        }[quantity]
    k = shape.points.index(channel.owner)
    if quantity == "acceleration":
        before = NODE_EXTREMES * extremes.nodes + (CABLE_KEPT + 2 * END_EXTREMES) * extremes.cables
        return [EXTREME, k, 0, -1, first + before + POINT_EXTREMES * k + POINT_ACCELERATION_MAX, 1]
    if quantity in "xyz":
        return [PLACE, k, "xyz".index(quantity), -1, -1, 0]
    return [SPEED if quantity == "speed" else OFFSET, k, 0, -1, -1, 0]


def _rules(asked: np.ndarray) -> np.ndarray:
    """How statistics are made of a row of such numbers: value, least and largest of each channel."""
    found = []
    for c, row in enumerate(asked):
        low, high = 3 * c + 1 if row[LOW] >= 0 else -1, 3 * c + 2 if row[HIGH] >= 0 else -1
        found.append([ABSENT, 0, 0, 0, -1, -1] if list(row) == NOTHING else [COLUMN, 3 * c, 1, 1, low, high])
    return np.array(found, dtype=np.int64).reshape(len(asked), 6)


class Company(Protocol):
    """Members of one kind that are stepped together, sampled and folded into statistics."""

    @property
    def status(self) -> np.ndarray:
        """0 of a member that is well, else why it stopped, as a run of its own would say (member,)."""

    def run(self, t: float, n: int, h: float, every: int) -> None:
        """n steps of h [s] from t [s], sampled at t and every so many later, not at the end. With n = 0 there is one
        sample, and no more steps can be taken."""

    def fold(self, times: np.ndarray, first: int, last: int) -> None:
        """Take the samples of that run from `first` up to `last` into the statistics of those that are well."""

    def failure(self, k: int, t: float) -> Failure:
        """Why member k stopped in the run that began at t [s]."""

    def rows(self) -> np.ndarray:
        """The numbers that those of each member come to, (member, column)."""


def sampled_together(
    members: Sequence[Member],
    wanted: Sequence[Wanted],
    discard: float,
    company: Callable[[Sequence[Member], Question, np.ndarray, np.ndarray], Company],
    stop: Callable[[], bool] = lambda: False,
) -> list[np.ndarray | Failure]:
    """Run members of one kind for their whole duration; of each its statistics from `discard` [s] on, or why it could
    not go on. One that fails leaves the digits of the others as they are.

    company  who steps them, made of members, what is asked for, how each channel is told, and where ways are measured
             from (member, channel, 2)

    Raises `Stopped` when `stop` says so.
    """
    compiled, settings = members[0].compiled, members[0].system.simulation
    schedule = Schedule(0.0, settings.duration, settings.output_every, settings.step)
    channels = [one.channel for one in wanted]
    asked = np.array([_asked(channel, compiled) for channel in channels], dtype=np.int64).reshape(len(channels), ASKED)
    kept = kept_samples(schedule, discard)
    question = Question(wanted, compiled.shape, schedule.time(kept), settings.duration - discard, _rules(asked))
    together = company(members, question, asked, _homes(members, channels))
    failures: dict[int, Failure] = {}

    def follow(first: int, samples: int, n: int, h: float, every: int) -> None:
        """n steps from sample `first`, with so many samples."""
        began = schedule.time(first)
        together.run(began, n, h, every)
        for k in map(int, np.flatnonzero(together.status)):
            if k not in failures:
                failures[k] = together.failure(k, began)
        times = np.array([schedule.time(first + k) for k in range(samples)])
        together.fold(times, min(samples, max(0, kept - first)), samples)

    done, h = 0, settings.step
    while done < schedule.intervals and len(failures) < len(members):
        if stop():
            raise Stopped
        n, h = schedule.steps(done)
        count = min(SAMPLES, schedule.whole_intervals - done) if done < schedule.whole_intervals else 1
        follow(done, count, n * count, h, n)
        done += count
    if len(failures) < len(members):
        follow(done, 1, 0, h, 1)
    return [failures.get(k, row) for k, row in enumerate(together.rows())]


def _homes(members: Sequence[Member], channels: list[Channel]) -> np.ndarray:
    """(member, channel, 2): places that ways are measured from; those that share a system and a start share them."""
    known: dict[tuple[int, int], np.ndarray] = {}
    for member in members:
        alike = id(member.system), id(member.state)
        if alike not in known:
            known[alike] = _home(member, channels)
    found = np.stack([known[id(member.system), id(member.state)] for member in members])
    return found.reshape(len(members), len(channels), 2)


def _home(member: Member, channels: list[Channel]) -> np.ndarray:
    """(channel, 2): places that ways are measured from."""
    compiled = member.compiled
    row = compiled.shape.empty_row()
    if any(channel.quantity == "offset" for channel in channels):
        with compiled.turn:
            compiled.reals[:] = member.constants
            compiled.observe(0.0, member.state.copy(), member.inputs, member.system.simulation.step, row)
    return places(member.system, channels, row, compiled.shape)
