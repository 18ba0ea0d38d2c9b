"""What a node of the lumped formulation costs in a step, beside a bar, and that the cost is linear in their number."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.model import System
from fairlead.studies.benchmarks.measurements.bar_cost import compiled, hanging, microseconds
from fairlead.studies.benchmarks.record import Record

GOAL = 0.5
"""µs a node a step."""
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


def resting(count: int) -> System:
    """A mooring chain, most of which lies on the seabed."""
    return System.model_validate(
        {
            "environment": {"seabed": {"depth": 20.0, "friction": 0.5}},
            "types": {"chain": {"diameter": 0.05, "density": 7000, "axial_stiffness": 1e8}},
            "points": {
                "A": {"kind": "fixed", "position": [0, 0, -19.97]},
                "B": {"kind": "fixed", "position": [0.9 * count, 0, -1]},
            },
            "cables": {"chain": {"type": "chain", "length": count, "elements": count, "start": "A", "end": "B"}},
            "simulation": {"start": "catenary", "duration": 1, "step": 0.02},
        }
    )
