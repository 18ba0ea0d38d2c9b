"""The lowering of a payload and its recovery: how much faster than real time, by three formulations."""

from __future__ import annotations

import time
from collections.abc import Iterator

from fairlead.simulate import Simulation
from fairlead.studies.benchmarks.record import SPEED, Record
from fairlead.studies.verification.checks.shipped_examples import example

GOAL = 50.0
FORMULATIONS = ("multibody", "lumped", "bars")


def measure() -> Iterator[Record]:
    """CPU time of the whole run, the machine code already there."""
    for name in FORMULATIONS:
        yield Record(f"lowering_payload, {name}, speed", speed(name), SPEED, "goal", GOAL)


def speed(formulation: str) -> float:
    """Simulated time over CPU time."""
    system = example("lowering_payload")
    Simulation(system, formulation).step(1.0)  # compiles
    simulation = Simulation(system, formulation)
    began = time.process_time()
    simulation.run(progress=False)
    return system.simulation.duration / (time.process_time() - began)
