"""How fast a slack cable of splines runs: Escalante et al., Example 1, lumped and consistent, both integrators."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.formulations import compile_system
from fairlead.shape.layout import first_geometry
from fairlead.studies.benchmarks.record import Record
from fairlead.studies.benchmarks.timing import step_seconds
from fairlead.studies.verification.checks.spline_slack_cable import example

REPEATS = 5
DURATION = 10.0  # s
GOAL = 60.0
"""Simulated seconds a second of CPU time: goal of either of the two explicit ways."""
CASES = (
    ("lumped, 32 elements, Verlet", 32, "lumped", "verlet", 0.00025),
    ("consistent, 16 elements, Verlet", 16, "consistent", "verlet", 0.0004),
    ("consistent, 16 elements, midpoint rule, step 0.02 s", 16, "consistent", "midpoint", 0.02),
)


def measure() -> Iterator[Record]:
    """CPU time of a simulated second, best of a few; the goal is one of the first two."""
    for name, elements, mass, integrator, step in CASES:
        cost = milliseconds(elements, mass, integrator, step)
        goal = ("goal, 60 times real time", 1e3 / GOAL) if integrator == "verlet" else ("", None)
        yield Record(f"slack cable of splines, {name}, a simulated second", cost, "ms", *goal)


def milliseconds(elements: int, mass: str, integrator: str, step: float) -> float:
    """CPU time of a simulated second of Example 1, ms."""
    system = example(1, elements, step=step, output_every=0.1, spline__mass=mass)
    compiled = compile_system(system, first_geometry(system))
    return 1e3 * step_seconds(compiled, round(DURATION / step), step, integrator, REPEATS) / step
