"""What a node of a tether costs in a step."""

from __future__ import annotations

import time
from collections.abc import Iterator

from fairlead.formulations import compile_system
from fairlead.shape.layout import first_geometry
from fairlead.studies.benchmarks.record import Record
from fairlead.studies.verification.checks.tether_catenary import tether

GOAL = 0.15
"""µs a node a step."""
REPEATS = 7
NODE_STEPS = 1_000_000


def measure() -> Iterator[Record]:
    """CPU time of stepping alone, with the ledger of all works, best of a few."""
    for nodes in (15, 101):
        yield Record(f"tether of {nodes} nodes, a node a step", microseconds(nodes), "µs", "goal", GOAL)


def microseconds(nodes: int) -> float:
    """CPU time of a node's step [µs]."""
    system = tether(nodes - 1, substeps=1)
    compiled = compile_system(system, first_geometry(system))
    h, u, steps = 1e-4, compiled.initial_inputs(), NODE_STEPS // nodes
    compiled.advance(0.0, compiled.initial_state(), 1, h, u, "semi_implicit")
    best = float("inf")
    for _ in range(REPEATS):
        y = compiled.initial_state()
        began = time.process_time()
        failure = compiled.advance(0.0, y, steps, h, u, "semi_implicit")
        best = min(best, time.process_time() - began)
        if failure is not None:
            raise RuntimeError(str(failure))
    return 1e6 * best / steps / nodes
