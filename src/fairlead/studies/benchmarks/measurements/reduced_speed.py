"""How much faster a reduced model is than the full run it was made from: Escalante et al., Examples 1 and 2."""

from __future__ import annotations

import time
from collections.abc import Iterator

import xarray as xr

from fairlead.formulations import compile_system
from fairlead.formulations.contract import Compiled
from fairlead.reduction import compiled, error, galerkin
from fairlead.shape.layout import first_geometry
from fairlead.simulate import Simulation
from fairlead.studies.benchmarks.record import Record
from fairlead.studies.verification.checks.spline_slack_cable import example

ROUNDS = 24
FULL_STEP = 0.00025  # s
SPAN = 10.0
"""s: slices of one simulated second are measured along so much of the motion."""
CASES = ((1, 9, 5, False, 0.025), (2, 12, 4, False, 0.025), (1, 8, 6, True, 0.025), (2, 12, 6, True, 0.025),
         (1, 9, 5, False, 0.05))  # fmt: skip
"""Example, modes of the motion and of the tension, whether enriched, and the step."""
WELL = 0.01
"""Error of the middle over 100 s that a model must keep to be counted."""


def measure() -> Iterator[Record]:
    """CPU time of a simulated second, reduced beside full (32 elements, Verlet): slices in turns, the best of each."""
    for number in (1, 2):
        system = example(number)
        run = Simulation(system).run()
        full = compile_system(system, first_geometry(system))
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
            own, whole = in_turns((compiled(system, model), step, "midpoint", 10), (full, FULL_STEP, "verlet", 1))
            peer = ("full run, 32 splines, Verlet", whole) if found < WELL else ("", None)
            yield Record(name, own, "ms", *peer)
        yield standard(number, run)


def standard(number: int, run: xr.Dataset) -> Record:
    """The cost of the plain projection of the paper, which locks, beside that of the two-field model on its shapes."""
    _, modes, tensions, _, step = next(case for case in CASES if case[0] == number)
    plain, ours = galerkin(run, modes, None), galerkin(run, modes, tensions, enriched=False)
    off = error(plain, run, step).middle
    name = (
        f"slack cable, Example {number}, standard projection ({modes} modes, step {step:g} s, locks: error "
        f"{100.0 * off:.2g} %), a simulated second"
    )
    system = example(number)
    own, two_field = in_turns(
        (compiled(system, plain), step, "midpoint", 10), (compiled(system, ours), step, "midpoint", 10)
    )
    return Record(name, own, "ms", f"two-field, {modes} + {tensions} modes", two_field)


def in_turns(*sides: tuple[Compiled, float, str, int]) -> list[float]:
    """CPU time of a simulated second of each side (system, step, scheme, seconds a slice), ms: the best slice of each.

    Slices are taken in turns, so that whatever else the machine does troubles both alike.
    """
    best = [float("inf")] * len(sides)
    states = [system.initial_state() for system, _, _, _ in sides]
    times = [0.0] * len(sides)
    for round_ in range(ROUNDS + 1):
        for k, (system, step, scheme, seconds) in enumerate(sides):
            if times[k] + seconds > SPAN:
                states[k], times[k] = system.initial_state(), 0.0
            u = system.initial_inputs()
            began = time.process_time()
            failure = system.advance(times[k], states[k], round(seconds / step), step, u, scheme)
            spent = (time.process_time() - began) / seconds
            if failure is not None:
                raise RuntimeError(str(failure))
            times[k] += seconds
            if round_ > 0:  # the first compiles
                best[k] = min(best[k], spent)
    return [1e3 * value for value in best]
