"""What a node of a tether costs in a step."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.formulations import compile_system
from fairlead.shape.layout import first_geometry
from fairlead.studies.benchmarks.record import Record
from fairlead.studies.benchmarks.timing import step_seconds
from fairlead.studies.verification.checks.tether_catenary import tether

GOAL = 0.15
"""µs a node a step."""
NODE_STEPS, STEP = 1_000_000, 1e-4


def measure() -> Iterator[Record]:
    """CPU time of stepping alone, with the ledger of all works, best of a few."""
    for nodes in (15, 101):
        yield Record(f"tether of {nodes} nodes, a node a step", microseconds(nodes), "µs", "goal", GOAL)


def microseconds(nodes: int) -> float:
    """CPU time of a node's step [µs]."""
    system = tether(nodes - 1, substeps=1)
    return 1e6 * step_seconds(compile_system(system, first_geometry(system)), NODE_STEPS // nodes, STEP) / nodes
