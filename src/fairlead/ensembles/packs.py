"""Eight members at a time on one core, from their start to their end: the same as `sampler` does with one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from fairlead.algebra.lanes import WIDTH
from fairlead.algebra.packs import pack_array
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
from fairlead.sea.water import WAVE_COUNT
from fairlead.simulate.schedule import Schedule
from fairlead.simulate.simulation import Simulation

from .channels import ABSENT, COLUMN, Channel, places
from .collector import Collector, Question
from .members import Member
from .sampler import SAMPLES, Stopped, kept_samples
from .wanted import Wanted

AT_NODE, MOST, LEAST, PLACE, SPEED, OFFSET, EXTREME = range(7)
"""What packs can tell of a sample, as `formulations.bars.watching` counts it."""
NOTHING = [ABSENT, 0, 0, -1, -1, 0]


def why_not(simulation: Simulation, wanted: Sequence[Wanted]) -> str | None:
    """Why a system, or what is kept of it, cannot run in packs; None where it can."""
    compiled = simulation.compiled
    if not isinstance(compiled, KernelCompiled):
        return f"formulation '{compiled.formulation}' has no packs"
    if (why := compiled.no_pack()) is not None:
        return why
    if simulation.is_driven or not np.isnan(simulation.commands).all():
        return "its inputs are set live"
    asked = [one.channel for one in wanted]
    for channel in asked:
        if not channel.owner or channel.quantity == "force":
            return f"'{channel.name}' is not among what packs tell; keep tensions and motions"
    if _lines_of_floaters_feel_waves(compiled):
        return "floaters whose lines feel waves are quicker so; bars: {wave_reach: 0} leaves waves to floaters alone"
    return None


def _lines_of_floaters_feel_waves(compiled: KernelCompiled) -> bool:
    """Whether there are floaters and, at the start, bars within the reach of waves. A single run sums these waves eight
    at a time, quicker than a pack does one after the other; four such bars cost what a pack gains on a floater."""
    if compiled.formulation != "bars" or compiled.reals[WAVE_COUNT] == 0.0:
        return False
    tables = compiled.tables(compiled.initial_state())
    heights = tables.bar_state.position[:, 2]
    return tables.floaters > 0 and bool((heights >= -tables.settings.wave_reach).any())


def _asked(channel: Channel, compiled: KernelCompiled) -> list[int]:
    """How a channel is told: a row of `formulations.bars.watching`."""
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
        low, high = 3 * c + 1 if row[3] >= 0 else -1, 3 * c + 2 if row[4] >= 0 else -1
        found.append([ABSENT, 0, 0, 0, -1, -1] if list(row) == NOTHING else [COLUMN, 3 * c, 1, 1, low, high])
    return np.array(found, dtype=np.int64).reshape(len(asked), 6)


class Pack:
    """Up to eight members of one kind; where there are fewer, the last one stands in for those that are missing."""

    def __init__(self, members: Sequence[Member]) -> None:
        self.members, self.compiled = tuple(members), members[0].compiled
        filled = [*members, *[members[-1]] * (WIDTH - len(members))]
        self.constants, self.y = _side_by_side([m.constants for m in filled]), _side_by_side([m.state for m in filled])
        self.work = _side_by_side([self.compiled.work] * WIDTH)
        self.status = np.zeros(WIDTH)
        """0 of a member that is well, else why it stopped, as a run of its own would say."""

    def run(
        self, t: float, n: int, h: float, every: int, first: int, asked: np.ndarray, home: np.ndarray, out: np.ndarray
    ) -> None:
        """n steps of h [s] from t [s]; see the entry."""
        compiled = self.compiled
        assert compiled.pack is not None
        compiled.pack(
            float(t), self.y, n, float(h), self.members[0].inputs, compiled.ints, self.constants, self.work,
            compiled.kind, self.status, every, first, asked, home, out,
        )  # fmt: skip

    def failure(self, lane: int, t: float) -> Failure | None:
        """Why a member stopped, if it did."""
        if self.status[lane] == 0:
            return None
        compiled = self.compiled
        with compiled.turn:
            compiled.work[:] = self.work[:, lane]
            return compiled.failure(int(self.status[lane]), t, np.ascontiguousarray(self.y[:, lane]))


def _side_by_side(rows: Sequence[np.ndarray]) -> np.ndarray:
    found = pack_array(len(rows[0]))
    for k, row in enumerate(rows):
        found[:, k] = row
    return found


class Company(Protocol):
    """Members of one kind that are stepped together, seen and folded into statistics."""

    @property
    def status(self) -> np.ndarray:
        """0 of a member that is well, else why it stopped, as a run of its own would say (member,)."""

    def run(self, t: float, n: int, h: float, every: int, first: int) -> None:
        """n steps of h [s] from t [s], seen at every so many, from the first of those samples on (0: that at t)."""

    def fold(self, times: np.ndarray, first: int, last: int) -> None:
        """Take the samples of that run from `first` up to `last` into the statistics of those that are well."""

    def failure(self, k: int, t: float) -> Failure:
        """Why member k stopped in the run that began at t [s]."""

    def rows(self) -> np.ndarray:
        """The numbers that those of each member come to, (member, column)."""


class PackedMembers:
    """A pack, what is kept of its samples, and their statistics; the `Company` of one core.

    asked  how each channel is told; homes: where ways are measured from, (member, channel, 2)
    """

    def __init__(self, members: Sequence[Member], question: Question, asked: np.ndarray, homes: np.ndarray) -> None:
        self._pack, self._asked, self._count = Pack(members), asked, len(members)
        filled = np.concatenate([homes, np.repeat(homes[-1:], WIDTH - len(members), axis=0)])
        self._home = np.ascontiguousarray(np.moveaxis(filled, 0, 2)).reshape(-1)
        self._out = np.empty((WIDTH, SAMPLES + 1, max(1, 3 * len(asked))))
        self._collector = Collector(question, homes)

    @property
    def status(self) -> np.ndarray:
        return self._pack.status[: self._count]

    def run(self, t: float, n: int, h: float, every: int, first: int) -> None:
        self._pack.run(t, n, h, every, first, self._asked, self._home, self._out)

    def fold(self, times: np.ndarray, first: int, last: int) -> None:
        self._collector.take(self._out[: self._count], times, first, last, self.status)

    def failure(self, k: int, t: float) -> Failure:
        found = self._pack.failure(k, t)
        assert found is not None
        return found

    def rows(self) -> np.ndarray:
        return self._collector.rows()


def sampled_together(
    members: Sequence[Member],
    wanted: Sequence[Wanted],
    discard: float,
    stop: Callable[[], bool] = lambda: False,
    company: Callable[[Sequence[Member], Question, np.ndarray, np.ndarray], Company] = PackedMembers,
) -> list[np.ndarray | Failure]:
    """Run members of one kind for their whole duration; of each its statistics from `discard` [s] on, or why it could
    not go on. One that fails leaves the digits of the others as they are.

    company  who steps them: by default a pack, which has room for eight

    Raises `Stopped` when `stop` says so.
    """
    compiled, settings = members[0].compiled, members[0].system.simulation
    schedule = Schedule(0.0, settings.duration, settings.output_every, settings.step)
    channels = [one.channel for one in wanted]
    asked = np.array([_asked(channel, compiled) for channel in channels], dtype=np.int64).reshape(len(channels), 6)
    kept = kept_samples(schedule, discard)
    question = Question(wanted, compiled.shape, schedule.time(kept), settings.duration - discard, _rules(asked))
    together = company(members, question, asked, _homes(members, channels))
    times, failures, done = np.empty(SAMPLES + 1), dict[int, Failure](), 0
    while done < schedule.intervals and len(failures) < len(members):
        if stop():
            raise Stopped
        n, h = schedule.steps(done)
        whole = done < schedule.whole_intervals
        count = min(SAMPLES, schedule.whole_intervals - done) if whole else 1
        begun = 0 if done == 0 else 1
        together.run(schedule.time(done), n * count, h, n, begun)
        rows = count + 1 - begun
        times[:rows] = [schedule.time(done + begun + k) for k in range(rows)]
        for k in map(int, np.flatnonzero(together.status)):
            if k not in failures:
                failures[k] = together.failure(k, schedule.time(done))
        together.fold(times, max(0, kept - done - begun), rows)
        done += count
    return [failures.get(k, row) for k, row in enumerate(together.rows())]


class Companies:
    """Who runs members of one kind together, and how many at once: packs, on a core."""

    most = WIDTH

    def sampled(
        self, members: Sequence[Member], wanted: Sequence[Wanted], discard: float, stop: Callable[[], bool]
    ) -> list[np.ndarray | Failure]:
        """Up to `most` of one kind; see `sampled_together`."""
        return sampled_together(members, wanted, discard, stop)


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
