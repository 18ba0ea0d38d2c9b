"""Eight members at a time on one core, from their start to their end: the same as `sampler` does with one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairlead.algebra.lanes import WIDTH
from fairlead.algebra.packs import pack_array
from fairlead.formulations.contract import Failure
from fairlead.formulations.kernel_compiled import KernelCompiled
from fairlead.simulate.simulation import Simulation

from .collector import Collector, Question
from .in_waves import lines_feel_waves
from .members import Member
from .together import SAMPLES, why_unwatched
from .wanted import Wanted


def why_not(simulation: Simulation, wanted: Sequence[Wanted]) -> str | None:
    """Why a system, or what is kept of it, cannot run in packs; None where it can."""
    compiled = simulation.compiled
    if isinstance(compiled, KernelCompiled) and (why := compiled.no_pack()) is not None:
        return why
    if (why := why_unwatched(simulation, wanted)) is not None:
        return why
    assert isinstance(compiled, KernelCompiled)
    tables = compiled.tables(compiled.initial_state())
    # a single run sums waves eight bars or eight waves at a time, quicker than a pack one bar and wave after the other:
    # four bars that feel them cost what a pack gains on a floater
    if compiled.formulation == "bars" and tables.floaters > 0 and lines_feel_waves(compiled):
        return "floaters whose lines feel waves are quicker so; bars: {wave_reach: 0} leaves waves to floaters alone"
    return None


class Pack:
    """Up to eight members of one kind; where there are fewer, the last one stands in for those that are missing."""

    def __init__(self, members: Sequence[Member]) -> None:
        self.members, self.compiled = tuple(members), members[0].compiled
        filled = [*members, *[members[-1]] * (WIDTH - len(members))]
        self.constants, self.y = _side_by_side([m.constants for m in filled]), _side_by_side([m.state for m in filled])
        with self.compiled.turn:
            self.work = _side_by_side([self.compiled.work] * WIDTH)
        self.status = np.zeros(WIDTH)
        """0 of a member that is well, else why it stopped, as a run of its own would say."""

    def run(self, t: float, n: int, h: float, every: int, asked: np.ndarray, home: np.ndarray, out: np.ndarray) -> None:
        """n steps of h [s] from t [s]; see the entry."""
        compiled = self.compiled
        assert compiled.pack is not None
        compiled.pack(
            float(t), self.y, n, float(h), self.members[0].inputs, compiled.ints, self.constants, self.work,
            compiled.kind, self.status, every, asked, home, out,
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


class PackedMembers:
    """A pack, what is kept of its samples, and their statistics; the `Company` of one core.

    asked  how each channel is told; homes: where ways are measured from, (member, channel, 2)
    """

    def __init__(self, members: Sequence[Member], question: Question, asked: np.ndarray, homes: np.ndarray) -> None:
        self._pack, self._asked, self._count = Pack(members), asked, len(members)
        self._home = np.concatenate([homes, np.repeat(homes[-1:], WIDTH - len(members), axis=0)])
        self._out = np.empty((WIDTH, SAMPLES, max(1, 3 * len(asked))))
        self._collector = Collector(question, homes)

    @property
    def status(self) -> np.ndarray:
        return self._pack.status[: self._count]

    def run(self, t: float, n: int, h: float, every: int) -> None:
        self._pack.run(t, n, h, every, self._asked, self._home, self._out)

    def fold(self, times: np.ndarray, first: int, last: int) -> None:
        self._collector.take(self._out[: self._count], times, first, last, self.status)

    def failure(self, k: int, t: float) -> Failure:
        found = self._pack.failure(k, t)
        assert found is not None
        return found

    def rows(self) -> np.ndarray:
        return self._collector.rows()
