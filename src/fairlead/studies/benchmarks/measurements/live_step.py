"""What Python adds to a step in a loop of one's own: `Simulation.step` with an input and all outputs.

Measured on the sinking cables with one end commanded and on one side of the seismic front end. The Python around the
kernels is timed with kernels that return at once, so that no difference of large numbers is taken.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.studies.benchmarks.record import Record
from fairlead.studies.benchmarks.sinking_case import paper_case
from fairlead.studies.benchmarks.timing import cpu_seconds
from fairlead.studies.seismic import Spread

STEP = 0.1
ROUNDS = 10
CALLS = 200
GOAL = 20.0
"""µs of Python a step."""
SLOW = 99
"""Of 100 steps, as many are to stay below the bound: twice the kernels and Python's goal. CPU time of the whole process
is counted, so that threads which a step wakes for nothing (those of a BLAS) show, and other programs do not."""


def measure() -> Iterator[Record]:
    """CPU time of one call, best of a few rounds."""
    cases = {
        "the sinking cables": (commanded_case(), {"B.position": (0.0, 375.0, 0.0)}),
        "the seismic front end": (Spread(step=STEP).system("port"), {"port_buoy_1.position": (-550.0, 50.0, 0.0)}),
    }
    for name, (system, command) in cases.items():
        simulation = Simulation(system)
        simulation.warm_up()
        alone = kernels(simulation)
        yield Record(f"live step of {name}, kernels alone", alone, "µs")
        yield Record(f"live step of {name}, whole", whole(simulation, command), "µs")
        slowest = slow(simulation, command)
        yield Record(f"live step of {name}, {SLOW} of 100 within", slowest, "µs", "bound", 2.0 * alone + GOAL)
        python = overhead(system, command)
        yield Record(f"live step of {name}, Python around the kernels", python, "µs", "goal", GOAL)


def commanded_case() -> System:
    """The sinking cables with the end B under command."""
    case = paper_case(STEP)
    points = {**case.points, "B": {"kind": "controlled", "position": case.points["B"].position}}
    return System.model_validate({**{name: getattr(case, name) for name in case.model_fields_set}, "points": points})


def whole(simulation: Simulation, command: dict[str, tuple[float, float, float]]) -> float:
    """`step` as it is [µs]."""
    return microseconds(lambda: simulation.step(STEP, command))


def slow(simulation: Simulation, command: dict[str, tuple[float, float, float]]) -> float:
    """What all but the slowest steps stay below [µs]."""
    times = []
    for _ in range(ROUNDS * CALLS):
        began = time.process_time()
        simulation.step(STEP, command)
        times.append(time.process_time() - began)
    return 1e6 * float(np.percentile(times, SLOW))


def kernels(simulation: Simulation) -> float:
    """One step and one observation, called directly [µs]."""
    compiled = simulation.compiled
    y, u, row = simulation.state, compiled.initial_inputs(), compiled.shape.empty_row()

    def both() -> None:
        compiled.advance(0.0, y, 1, STEP, u, compiled.scheme)
        compiled.observe(STEP, y, u, STEP, row)

    return microseconds(both)


def overhead(system: System, command: dict[str, tuple[float, float, float]]) -> float:
    """`step` with kernels that do nothing [µs]."""
    simulation = Simulation(system)
    row = simulation.outputs().row
    compiled = simulation.compiled
    compiled.advance = lambda t, y, n, h, u, scheme: None  # type: ignore[method-assign]
    compiled.observe = lambda t, y, u, h, out: out.__setitem__(slice(None), row)  # type: ignore[method-assign]
    return microseconds(lambda: simulation.step(STEP, command))


def microseconds(call: Callable[[], object]) -> float:
    """CPU time of one call [µs], best of a few rounds."""
    return 1e6 * cpu_seconds(call, ROUNDS, CALLS)
