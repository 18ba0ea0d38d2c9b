"""How much faster a reduced model is than the full run it was made from: Escalante et al., Examples 1 and 2."""

from __future__ import annotations

import time
from collections.abc import Iterator

from fairlead.formulations import compile_system
from fairlead.formulations.contract import Compiled
from fairlead.reduction import compiled, error, galerkin
from fairlead.shape.layout import first_geometry
from fairlead.simulate import Simulation
from fairlead.studies.benchmarks.record import Record
from fairlead.studies.verification.checks.spline_slack_cable import example

REPEATS = 20
FULL_STEP, STEP = 0.00025, 0.025  # s
SLICE = 1.0
"""s simulated in one measurement: short, so that the best of many is undisturbed."""
CASES = ((1, 9, 5, False, 0.025), (2, 12, 4, False, 0.025), (1, 8, 6, True, 0.025), (2, 12, 6, True, 0.025),
         (1, 9, 5, False, 0.05))  # fmt: skip
"""Example, modes of the motion and of the tension, whether enriched, and the step."""
WELL = 0.01
"""Error of the middle over 100 s that a model must keep to be counted."""


def measure() -> Iterator[Record]:
    """CPU time of a simulated second, reduced beside full (32 elements, Verlet), best of many, in one run."""
    for number in (1, 2):
        system = example(number)
        run = Simulation(system).run()
        full = milliseconds(compile_system(system, first_geometry(system)), FULL_STEP, "verlet")
        for case, modes, tensions, enriched, step in CASES:
            if case != number:
                continue
            model = galerkin(run, modes, tensions, enriched=enriched)
            found = error(model, run, step).middle
            kind = "enriched" if enriched else "two-field"
            name = (
                f"slack cable, Example {number}, reduced ({kind}, {modes} + {tensions} modes, step {step:g} s, error "
                f"{100.0 * found:.2f} %), a simulated second"
            )
            cost = milliseconds(compiled(system, model), step, "midpoint")
            peer = ("full run, 32 splines, Verlet", full) if found < WELL else ("", None)
            yield Record(name, cost, "ms", *peer)


def milliseconds(system: Compiled, step: float, scheme: str) -> float:
    """CPU time of a simulated second, ms: the best slice of the motion's first."""
    u, best = system.initial_inputs(), float("inf")
    system.advance(0.0, system.initial_state(), 1, step, u, scheme)
    parts = 10 if scheme == "midpoint" else 1
    for _ in range(REPEATS):
        y = system.initial_state()
        began = time.process_time()
        failure = system.advance(0.0, y, parts * round(SLICE / step), step, u, scheme)
        best = min(best, (time.process_time() - began) / parts)
        if failure is not None:
            raise RuntimeError(str(failure))
    return 1e3 * best / SLICE
