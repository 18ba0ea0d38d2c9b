"""What a bar costs in a step: sinking, hanging, on the seabed, in waves, and whether it grows with their number."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.studies.benchmarks.cable_cases import awash, compiled, hanging, microseconds, resting
from fairlead.studies.benchmarks.record import Record
from fairlead.studies.benchmarks.sinking_case import paper_case

SINKING, RESTING, WAVES = 0.28, 0.17, 1.0
"""Goals, µs a bar a step: with bending and torsion, of a pinned chain, of a hose in a hundred waves."""
COUNTS = (100, 1000, 10_000)


def measure() -> Iterator[Record]:
    """CPU time of stepping alone, best of a few."""
    sinking = microseconds(compiled(paper_case(0.0125)), 2000)
    yield Record("sinking cables, a bar a step", sinking, "µs", "goal", SINKING)
    costs = {count: microseconds(compiled(hanging(count), "bars"), 200_000 // count) for count in COUNTS}
    for count, cost in costs.items():
        peer = (f"{COUNTS[0]} bars", costs[COUNTS[0]]) if count != COUNTS[0] else ("", None)
        yield Record(f"hanging cable of {count} bars, a bar a step", cost, "µs", *peer)
    chain = microseconds(compiled(resting(COUNTS[0]), "bars"), 2000)
    yield Record(f"chain of {COUNTS[0]} bars on a rough seabed, a bar a step", chain, "µs", "goal", RESTING)
    waves = microseconds(compiled(awash(COUNTS[0]), "bars"), 1000)
    yield Record(f"hose of {COUNTS[0]} bars in 100 waves, a bar a step", waves, "µs", "goal", WAVES)
