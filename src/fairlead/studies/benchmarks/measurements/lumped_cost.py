"""What a node of the lumped formulation costs in a step, beside a bar, and that the cost is linear in their number."""

from __future__ import annotations

import time
from collections.abc import Iterator

from fairlead.formulations import compile_system
from fairlead.formulations.contract import Compiled
from fairlead.model import System
from fairlead.shape.layout import first_geometry
from fairlead.studies.benchmarks.record import Record

REPEATS = 7
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


def compiled(system: System, formulation: str) -> Compiled:
    """The system as the named formulation steps it."""
    return compile_system(system, first_geometry(system), formulation)


def microseconds(system: Compiled, steps: int) -> float:
    """CPU time of a node's step [µs], best of a few."""
    nodes = sum(nodes - 1 for nodes in system.shape.nodes_per_cable)
    h = system.system.simulation.step
    u = system.initial_inputs()
    system.advance(0.0, system.initial_state(), 1, h, u, "semi_implicit")
    best = float("inf")
    for _ in range(REPEATS):
        y = system.initial_state()
        began = time.process_time()
        failure = system.advance(0.0, y, steps, h, u, "semi_implicit")
        best = min(best, time.process_time() - began)
        if failure is not None:
            raise RuntimeError(str(failure))
    return 1e6 * best / steps / nodes


def hanging(count: int) -> System:
    """A slack rope of `count` one-metre elements between two points in a current, drag by the Reynolds number."""
    return System.model_validate(
        {
            "environment": {"current": [{"z": 0, "velocity": [0.5, 0, 0]}]},
            "types": {"rope": {"diameter": 0.05, "density": 1200, "axial_stiffness": 1e7}},
            "points": {
                "A": {"kind": "fixed", "position": [0, 0, -1]},
                "B": {"kind": "fixed", "position": [0, 0.8 * count, -1]},
            },
            "cables": {"rope": {"type": "rope", "length": count, "elements": count, "start": "A", "end": "B"}},
            "simulation": {"duration": 1, "step": 0.02},
        }
    )


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
            "simulation": {"duration": 1, "step": 0.02},
        }
    )
