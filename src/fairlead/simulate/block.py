"""Samples one after the other into rows of a table, with as little between them as can be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairlead.formulations.contract import Failure

from .health import unhealthy
from .outputs import Outputs
from .schedule import Schedule
from .simulation import Simulation


def fill(simulation: Simulation, schedule: Schedule, first: int, rows: Sequence[np.ndarray]) -> Failure | None:
    """Advance from sample `first` of a schedule, one sample a row: the same numbers, bit for bit, as from `attempt`.

    rows  (size,) each, contiguous

    What the seabed carries at anchors is still in the end forces: `Compiled.take_off_bed` takes it off a row. On
    failure the simulation is no longer to be used and the rows mean nothing.
    """
    if simulation.is_driven:
        return _one_by_one(simulation, schedule, first, rows)
    compiled, integrator, u = simulation.compiled, simulation.integrator, simulation.commands
    y = simulation.state
    with compiled.turn:
        for k, row in enumerate(rows, first):
            n, h = schedule.steps(k)
            compiled.begin_interval(y)
            failure = integrator.advance(schedule.time(k), y, n, h, u)
            if failure is not None:
                return failure
            row.fill(np.nan)
            compiled.observe(schedule.time(k + 1), y, u, integrator.observation_step(h), row)
    for k, row in enumerate(rows, first + 1):
        failure = unhealthy(Outputs(schedule.time(k), row, compiled.shape), y, compiled)
        if failure is not None:
            return failure
    simulation.went(schedule.time(first + len(rows)), y)
    return None


def _one_by_one(simulation: Simulation, schedule: Schedule, first: int, rows: Sequence[np.ndarray]) -> Failure | None:
    for k, row in enumerate(rows, first):
        outcome = simulation.attempt(*schedule.steps(k), schedule.time(k + 1))
        if isinstance(outcome, Failure):
            return outcome
        row[:] = outcome.row
    return None
