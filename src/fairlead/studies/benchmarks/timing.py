"""Processor time of calls and of steps, the best of a few rounds: what else a machine does shows in the others."""

from __future__ import annotations

import time
from collections.abc import Callable

from fairlead.formulations.contract import Compiled

ROUNDS = 7


def cpu_seconds(call: Callable[[], object], rounds: int = ROUNDS, calls: int = 1) -> float:
    """Of one call, made `calls` times a round."""
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        for _ in range(calls):
            call()
        best = min(best, time.process_time() - began)
    return best / calls


def step_seconds(
    compiled: Compiled, steps: int, h: float | None = None, scheme: str = "semi_implicit", rounds: int = ROUNDS
) -> float:
    """Of one step of h [s], by default the file's: `steps` of them a round, each round from the first state."""
    h, u = h or compiled.system.simulation.step, compiled.initial_inputs()
    compiled.advance(0.0, compiled.initial_state(), 1, h, u, scheme)

    def march() -> None:
        failure = compiled.advance(0.0, compiled.initial_state(), steps, h, u, scheme)
        if failure is not None:
            raise RuntimeError(str(failure))

    return cpu_seconds(march, rounds) / steps
