"""The scenarios of a study as an engine runs them: each to a row of numbers and a status, whatever goes wrong."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fairlead.ensembles.bench import Bench
from fairlead.ensembles.engine import Batch
from fairlead.ensembles.sampler import Stopped, sampled
from fairlead.ensembles.wanted import Column
from fairlead.formulations.contract import Failure, UnsupportedSystem
from fairlead.model.problems import ModelError
from fairlead.simulate.errors import SimulationError
from fairlead.statics import StaticsError

from .check import Ready
from .costs import Costs

COMPLETE = "complete"


@dataclass(frozen=True)
class StudyJob:
    """Scenarios of a study, any of them in any order."""

    ready: Ready
    costs: Costs

    @property
    def columns(self) -> list[Column]:
        """What the numbers of a scenario are."""
        return columns(self.ready)

    def run(self, numbers: np.ndarray, bench: Bench, stop: Callable[[], bool]) -> Batch:
        began = time.perf_counter()
        rows, status, failed_at = [], [], []
        for i in map(int, numbers):
            try:
                row, words, at = self._one(i, bench, stop)
            except Stopped:
                break
            rows.append(row)
            status.append(words)
            failed_at.append(at)
        values = np.array(rows).reshape(len(rows), len(self.columns))
        return Batch(numbers[: len(rows)], values, status, np.array(failed_at), time.perf_counter() - began)

    def _one(self, i: int, bench: Bench, stop: Callable[[], bool]) -> tuple[np.ndarray, str, float]:
        nothing = np.full(len(self.columns), np.nan)
        if stop():
            raise Stopped
        alike = self.costs.alike(i)
        try:
            simulation = bench.simulation(self.ready.scenario(i), alike)
            outcome = sampled(simulation, self.ready.wanted, self.ready.file.run.discard, stop)
        except ModelError as error:
            return nothing, f"refused: {error}", np.nan
        except UnsupportedSystem as error:
            return nothing, f"refused: {error}", np.nan
        except StaticsError as error:
            return nothing, f"failed: {error}", 0.0
        except SimulationError as error:
            return nothing, f"failed: {error}", error.failure.time
        except (ArithmeticError, ValueError) as error:  # no reason to lose the others
            bench.forget(alike)
            return nothing, f"failed: {type(error).__name__}: {error}", np.nan
        if isinstance(outcome, Failure):
            bench.forget(alike)
            return nothing, f"failed: {outcome}", outcome.time
        return outcome, COMPLETE, np.nan


def columns(ready: Ready) -> list[Column]:
    """What the numbers of every scenario are, in order."""
    return [column for one in ready.wanted for column in one.columns(ready.kept_time)]
