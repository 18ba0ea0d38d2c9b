"""The scenarios of a study as an engine runs them: each to a row of numbers and a status, whatever goes wrong."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np

from fairlead.ensembles.bench import Bench
from fairlead.ensembles.engine import Batch
from fairlead.ensembles.members import Member
from fairlead.ensembles.sampler import sampled
from fairlead.ensembles.together import Stopped
from fairlead.ensembles.wanted import Column
from fairlead.formulations.contract import Failure, UnsupportedSystem
from fairlead.model.problems import ModelError
from fairlead.simulate.errors import SimulationError
from fairlead.statics import StaticsError

from .check import Ready, made
from .costs import Costs

COMPLETE = "complete"
Outcome = tuple[np.ndarray, str, float]
"""Numbers, status, and when it failed [s]."""


@dataclass(frozen=True)
class StudyJob:
    """Scenarios of a study, any of them in any order."""

    ready: Ready
    costs: Costs
    many: bool = False
    """Whether scenarios run in packs, or by kernels that sample them in the middle of their steps, where there are
    any."""

    @property
    def columns(self) -> list[Column]:
        """What the numbers of a scenario are."""
        return columns(self.ready)

    def run(self, numbers: np.ndarray, bench: Bench, stop: Callable[[], bool]) -> Batch:
        began = time.perf_counter()
        done: dict[int, Outcome] = {}
        waiting: dict[Hashable, dict[int, Member]] = {}
        with suppress(Stopped):
            ready = bench.each(map(int, numbers), partial(self._one, stop=stop), not self.costs.have_one_start)
            for i, found in ready:
                if not isinstance(found, Member):
                    done[i] = found
                    continue
                together = waiting.setdefault(found.kind, {})
                together[i] = found
                if len(together) == bench.companies.most_of(found):
                    done |= self._together(waiting.pop(found.kind), bench, stop)
            for together in waiting.values():
                done |= self._together(together, bench, stop)
        ended = [i for i in map(int, numbers) if i in done]
        values = np.array([done[i][0] for i in ended]).reshape(len(ended), len(self.columns))
        failed_at = np.array([done[i][2] for i in ended])
        status = [done[i][1] for i in ended]
        return Batch(np.array(ended, dtype=int), values, status, failed_at, time.perf_counter() - began)

    def without(self, numbers: np.ndarray, status: str) -> Batch:
        """Scenarios of which there is nothing but a status."""
        nothing = np.tile(self._nothing, (len(numbers), 1))
        return Batch(numbers, nothing, [status] * len(numbers), np.full(len(numbers), np.nan), 0.0)

    def _one(self, i: int, bench: Bench, stop: Callable[[], bool]) -> Outcome | Member:
        """What scenario i comes to, or what it begins with where it runs together with others."""
        if stop():
            raise Stopped
        given = self.ready.scenarios.values(i)
        alike, values = self.costs.alike(given), self.costs.constants(given)
        if self.many and (member := bench.member(values, alike)) is not None:
            return member
        try:
            simulation = bench.simulation(made(self.ready.system, given), alike)
            if self.many and bench.companies.take(simulation, self.ready.wanted):
                return bench.taken(simulation, values, alike)
            outcome = sampled(simulation, self.ready.wanted, self.ready.file.run.discard, stop)
        except ModelError as error:
            return self._nothing, f"refused: {error}", np.nan
        except UnsupportedSystem as error:
            return self._nothing, f"refused: {error}", np.nan
        except StaticsError as error:
            return self._nothing, f"failed: {error}", 0.0
        except SimulationError as error:
            return self._nothing, f"failed: {error}", error.failure.time
        except (ArithmeticError, ValueError) as error:  # no reason to lose the others
            bench.forget(alike)
            return self._nothing, f"failed: {type(error).__name__}: {error}", np.nan
        if isinstance(outcome, Failure):
            bench.forget(alike)
        return self._told(outcome)

    def _together(self, members: dict[int, Member], bench: Bench, stop: Callable[[], bool]) -> dict[int, Outcome]:
        kept, discard = self.ready.wanted, self.ready.file.run.discard
        outcomes = bench.companies.sampled(list(members.values()), kept, discard, stop)
        return dict(zip(members, map(self._told, outcomes), strict=True))

    def _told(self, outcome: np.ndarray | Failure) -> Outcome:
        if isinstance(outcome, Failure):
            return self._nothing, f"failed: {outcome}", outcome.time
        return outcome, COMPLETE, np.nan

    @property
    def _nothing(self) -> np.ndarray:
        return np.full(len(self.columns), np.nan)


def columns(ready: Ready) -> list[Column]:
    """What the numbers of every scenario are, in order."""
    return [column for one in ready.wanted for column in one.columns(ready.kept_time)]
