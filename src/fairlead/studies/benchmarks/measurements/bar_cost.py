"""What a bar costs in a step, and that the cost is linear in their number."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.formulations import compile_system
from fairlead.formulations.contract import Compiled
from fairlead.model import System
from fairlead.shape.layout import first_geometry
from fairlead.studies.benchmarks.record import Record
from fairlead.studies.benchmarks.sinking_case import paper_case
from fairlead.studies.benchmarks.timing import step_seconds

GOAL = 0.5
"""µs a bar a step."""
COUNTS = (100, 1000, 10_000)


def measure() -> Iterator[Record]:
    """CPU time of stepping alone, best of a few."""
    yield Record("sinking cables, a bar a step", microseconds(compiled(paper_case(0.0125)), 2000), "µs", "goal", GOAL)
    costs = {count: microseconds(compiled(hanging(count)), 200_000 // count) for count in COUNTS}
    for count, cost in costs.items():
        peer = (f"{COUNTS[0]} bars", costs[COUNTS[0]]) if count != COUNTS[0] else ("", None)
        yield Record(f"hanging cable of {count} bars, a bar a step", cost, "µs", *peer)


def compiled(system: System, formulation: str | None = None) -> Compiled:
    """The system as a formulation steps it, by default its file's."""
    return compile_system(system, first_geometry(system), formulation)


def microseconds(system: Compiled, steps: int) -> float:
    """CPU time of an element's step [µs], best of a few."""
    bars = sum(nodes - 1 for nodes in system.shape.nodes_per_cable)
    return 1e6 * step_seconds(system, steps) / bars


def hanging(count: int) -> System:
    """A slack cable of `count` one-metre bars between two points in a current."""
    return System.model_validate(
        {
            "environment": {"current": [{"z": 0, "velocity": [0.5, 0, 0]}]},
            "types": {"rope": {"diameter": 0.05, "density": 1200, "axial_stiffness": 1e7}},
            "points": {
                "A": {"kind": "fixed", "position": [0, 0, -1]},
                "B": {"kind": "fixed", "position": [0, 0.8 * count, -1]},
            },
            "cables": {"rope": {"type": "rope", "length": count, "elements": count, "start": "A", "end": "B"}},
            "simulation": {"start": "catenary", "duration": 1, "step": 0.02},
        }
    )
