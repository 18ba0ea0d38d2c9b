"""One member from its start to its end, folded into statistics as it goes; no history is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from fairlead.formulations.contract import Failure
from fairlead.simulate.block import fill
from fairlead.simulate.schedule import Schedule
from fairlead.simulate.simulation import Simulation

from .channels import places
from .collector import Collector, Question
from .together import SAMPLES, Stopped, kept_samples
from .wanted import Wanted


def sampled(
    simulation: Simulation, wanted: Sequence[Wanted], discard: float, stop: Callable[[], bool] = lambda: False
) -> np.ndarray | Failure:
    """Run a simulation for its whole duration; its statistics from `discard` [s] on, or why it could not go on.

    Raises `Stopped` when `stop` says so.
    """
    compiled, settings = simulation.compiled, simulation.system.simulation
    shape, schedule = compiled.shape, Schedule(simulation.time, settings.duration, settings.output_every, settings.step)
    table = np.full((1, SAMPLES, shape.size), np.nan)
    rows, times = list(table[0]), np.empty(SAMPLES)
    with_ends = any(one.channel.quantity == "force" for one in wanted)
    first = simulation.outputs().row
    home = places(simulation.system, [one.channel for one in wanted], first, shape)
    kept = kept_samples(schedule, discard)
    question = Question(wanted, shape, schedule.time(kept), settings.duration - discard)
    collector = Collector(question, home[None])
    if kept == 0:
        table[0, 0], times[0] = first, schedule.start
        collector.take(table, times, 0, 1)
    done = 0
    while done < schedule.intervals:
        if stop():
            raise Stopped
        count = min(SAMPLES, schedule.intervals - done)
        failure = fill(simulation, schedule, done, rows[:count])
        if failure is not None:
            return failure
        times[:count] = [schedule.time(done + 1 + k) for k in range(count)]
        if with_ends:
            for row in rows[:count]:
                compiled.take_off_bed(row)
        collector.take(table, times, max(0, kept - done - 1), count)
        done += count
    found: np.ndarray = collector.rows()[0]
    return found
