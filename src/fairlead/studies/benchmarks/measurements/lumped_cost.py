"""What a node of the lumped formulation costs in a step, beside a bar, and that the cost is linear in their number."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.studies.benchmarks.cable_cases import awash, compiled, hanging, microseconds, resting
from fairlead.studies.benchmarks.record import Record

GOAL, WAVES = 0.16, 1.0
"""µs a node a step, without and with a hundred waves."""
COUNTS = (100, 1000, 10_000)


def measure() -> Iterator[Record]:
    """CPU time of stepping alone, best of a few."""
    costs = {count: microseconds(compiled(hanging(count), "lumped"), 200_000 // count) for count in COUNTS}
    for count, cost in costs.items():
        yield Record(f"hanging cable of {count} masses, a node a step", cost, "µs", "goal", GOAL)
    bar = microseconds(compiled(hanging(COUNTS[0]), "bars"), 200_000 // COUNTS[0])
    yield Record(f"hanging cable of {COUNTS[0]} masses, a node a step", costs[COUNTS[0]], "µs", "bars", bar)
    chain = microseconds(compiled(resting(COUNTS[0]), "lumped"), 2000)
    yield Record(f"chain of {COUNTS[0]} masses on a rough seabed, a node a step", chain, "µs", "goal", GOAL)
    waves = microseconds(compiled(awash(COUNTS[0]), "lumped"), 1000)
    yield Record(f"hose of {COUNTS[0]} masses in 100 waves, a node a step", waves, "µs", "goal", WAVES)
