"""Six moorings as MoorDyn files, moved to and fro, beside MoorDyn at its best stable step: CPU time of `lumped`.

Both programs run the same file with the same mesh. Each is taken at its largest step at which it is stable and right:
the tensions of the last two of six periods within 1.5 % of their range (root mean square) of MoorDyn's at a small step.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.simulate import Simulation
from fairlead.studies.benchmarks.record import Record
from fairlead.studies.benchmarks.timing import cpu_seconds
from fairlead.studies.moordyn_decks import here, kept, there
from fairlead.studies.moordyn_decks.cases import CASES, Case

NEAR = 0.015
"""Root mean square of the difference as part of the range of a tension, at most, of both programs."""
STEPS = (0.1, 0.05, 0.025, 0.02, 0.0125, 0.01)
"""s, ours, tried from the largest; the first within `NEAR` is taken."""
HOST_STEP = 0.025
"""s, which MoorDyn cuts into parts of equal length, and within which it has the ends go straight on."""
SHORT_HOST_STEP = {"riser": 0.01, "wave_energy": 0.01, "umbilical": 0.0025}
"""s, where corners in the way of the ends every 25 ms shake the line by more than `NEAR`, whatever the step within."""
PARTS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 32, 40, 50)
SCHEMES = ("RK2", "Euler")
"""MoorDyn's: the one of the decks, its usual one; and the one that costs least."""
REPEATS = 3


def measure() -> Iterator[Record]:
    """CPU time of the steps alone on both sides, the tensions not looked at meanwhile; least of a few."""
    for case in CASES:
        step = our_step(case)
        spent = 1e3 * ours(case, step)
        title = case.name.replace("_", " ")
        name = f"{title}, CPU for {case.duration:g} s, steps of {1e3 * step:g} ms"
        for scheme in SCHEMES:
            try:
                peer, its = theirs(case, scheme)
            except ImportError as missing:
                yield Record(name, spent, "ms", str(missing))
                break
            yield Record(name, spent, "ms", peer, 1e3 * its)


def off(case: Case, tensions: np.ndarray) -> float:
    """Largest root mean square, over the channels, of the difference from MoorDyn at a small step; of the range."""
    reference = kept.read(case)[0]
    apart = np.sqrt(np.mean((tensions[case.judged] - reference) ** 2, axis=0)) / np.ptp(reference, axis=0)
    return float(apart.max()) if np.isfinite(apart).all() else float("inf")


def our_step(case: Case) -> float:
    """The largest step of `lumped` that is within `NEAR`."""
    for step in STEPS:
        if off(case, here.tensions(case, {"formulation": "lumped", "step": step})[0]) <= NEAR:
            return step
    raise RuntimeError(f"no step of {STEPS} s stays within {NEAR:.1%} of MoorDyn on {case.name}.txt")


def ours(case: Case, step: float) -> float:
    """CPU time of the steps of `lumped`, s."""
    simulation = Simulation(here.imported(case, formulation="lumped", step=step))
    compiled, first, u = simulation.compiled, simulation.state, simulation.compiled.initial_inputs()
    n = round(case.duration / step)

    def go() -> None:
        failure = compiled.advance(0.0, first.copy(), n, step, u, compiled.scheme)
        if failure is not None:
            raise RuntimeError(str(failure))

    return cpu_seconds(go, REPEATS)


def theirs(case: Case, scheme: str) -> tuple[str, float]:
    """MoorDyn at its largest good step by a scheme: its name, and the CPU time of its steps, s."""
    host_step = SHORT_HOST_STEP.get(case.name, HOST_STEP)
    for parts in PARTS:
        step = host_step / parts
        spent = _good_time(case, step, scheme, host_step)
        if spent is not None:
            again = (there.tensions(case, step, scheme, host_step)[1] for _ in range(REPEATS - 1))
            return f"MoorDyn, {scheme} {1e3 * step:.3g} ms", min(spent, *again)
    shortest = 1e3 * host_step / PARTS[-1]
    raise RuntimeError(f"MoorDyn is not within {NEAR:.1%} on {case.name}.txt at {shortest:g} ms by {scheme}")


def _good_time(case: Case, step: float, scheme: str, host_step: float) -> float | None:
    """CPU time of MoorDyn's steps, s; None where it gave up or is far off."""
    try:
        tensions, spent = there.tensions(case, step, scheme, host_step)
    except RuntimeError:  # MoorDyn's only word for a NaN
        return None
    return spent if off(case, tensions) <= NEAR else None
