"""One side of the seismic front end: how much faster than real time, and what a bar costs with hubs and a ring."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.studies.benchmarks.cable_cases import compiled, microseconds
from fairlead.studies.benchmarks.record import SPEED, Record
from fairlead.studies.seismic import Spread

BARS = 278
GOALS = {0.1: 300.0, 0.025: 75.0}
"""Speed against real time to reach, by step [s]; the paper's laptop made 3, both sides at once, at 0.025 s."""
COST = 1.2
"""µs a bar a step."""


def measure() -> Iterator[Record]:
    """CPU time of stepping alone, best of a few."""
    for step, goal in GOALS.items():
        cost = microseconds(compiled(Spread(step=step).system("port")), 400)
        speed = step / (cost * 1e-6 * BARS)
        yield Record(f"seismic front end, one side, step {step:g} s, speed", speed, SPEED, "goal", goal)
    yield Record("seismic front end, a bar a step", cost, "µs", "goal", COST)
