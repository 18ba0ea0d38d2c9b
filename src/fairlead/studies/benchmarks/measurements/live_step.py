"""What Python adds to a step in a loop of one's own: `Simulation.step` with an input and all outputs.

Measured on the sinking cables with one end commanded. The Python around the kernels is timed with kernels that return
at once, so that no difference of large numbers is taken.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.studies.benchmarks.record import Record
from fairlead.studies.benchmarks.sinking_case import paper_case

STEP = 0.1
ROUNDS = 20
CALLS = 500
GOAL = 20.0
"""µs of Python a step."""
COMMAND = {"B.position": (0.0, 375.0, 0.0)}


def measure() -> Iterator[Record]:
    """CPU time of one call, best of a few rounds."""
    simulation = Simulation(commanded_case())
    simulation.warm_up()
    whole = microseconds(lambda: simulation.step(STEP, COMMAND))
    yield Record("live step of the sinking cables, kernels alone", kernels(simulation), "µs")
    yield Record("live step of the sinking cables, whole", whole, "µs")
    yield Record("live step of the sinking cables, Python around the kernels", overhead(), "µs", "goal", GOAL)


def commanded_case() -> System:
    """The sinking cables with the end B under command."""
    case = paper_case(STEP)
    points = {**case.points, "B": {"kind": "controlled", "position": case.points["B"].position}}
    return System.model_validate({**{name: getattr(case, name) for name in case.model_fields_set}, "points": points})


def kernels(simulation: Simulation) -> float:
    """One step and one observation, called directly [µs]."""
    compiled = simulation.compiled
    y, u, row = simulation.state, compiled.initial_inputs(), compiled.shape.empty_row()

    def both() -> None:
        compiled.advance(0.0, y, 1, STEP, u, compiled.scheme)
        compiled.observe(STEP, y, u, STEP, row)

    return microseconds(both)


def overhead() -> float:
    """`step` with kernels that do nothing [µs]."""
    simulation = Simulation(commanded_case())
    row = simulation.outputs().row
    compiled = simulation.compiled
    compiled.advance = lambda t, y, n, h, u, scheme: None  # type: ignore[method-assign]
    compiled.observe = lambda t, y, u, h, out: out.__setitem__(slice(None), row)  # type: ignore[method-assign]
    return microseconds(lambda: simulation.step(STEP, COMMAND))


def microseconds(call: Callable[[], object]) -> float:
    """CPU time of one call [µs], best of a few rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        for _ in range(CALLS):
            call()
        best = min(best, time.process_time() - began)
    return 1e6 * best / CALLS
