"""Six moorings as MoorDyn files, moved to and fro, beside MoorDyn at its best stable step: CPU time of `lumped`.

Both programs run the same file with the same mesh. Each is taken at its largest step at which the tensions of the last
two of six periods stay near those of MoorDyn at a small step: this program within 1.5 % of their range (root mean
square), MoorDyn within 5 %, so that it is judged by its stability alone.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.simulate import Simulation
from fairlead.studies.benchmarks.record import Record
from fairlead.studies.benchmarks.timing import cpu_seconds
from fairlead.studies.moordyn_decks import here, kept, there
from fairlead.studies.moordyn_decks.cases import CASES, SAMPLE, Case

NEAR, STABLE = 0.015, 0.05
"""Root mean square of the difference as part of the range of a tension: ours at most, and MoorDyn's."""
STEPS = (0.1, 0.05, 0.025, 0.02, 0.0125, 0.01)
"""s, ours, tried from the largest; the first within `NEAR` is taken."""
HOST_STEP = 0.025
"""s, which MoorDyn cuts into parts of equal length."""
PARTS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 32, 40, 50, 64, 80, 100)
SCHEMES = ("RK2", "Euler")
"""MoorDyn's usual one, and the one that takes least of it for a step."""
REPEATS = 3


def measure() -> Iterator[Record]:
    """CPU time of the steps alone, tensions looked at every 0.1 s included, least of a few."""
    for case in CASES:
        step = our_step(case)
        try:
            peer, its = theirs(case)
        except ImportError as missing:
            peer, its = str(missing), None
        title = case.name.replace("_", " ")
        name = f"{title}, CPU for {case.duration:g} s, steps of {1e3 * step:g} ms"
        yield Record(name, 1e3 * ours(case, step), "ms", peer, None if its is None else 1e3 * its)


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
    n, row = round(SAMPLE / step), compiled.shape.empty_row()

    def go() -> None:
        y = first.copy()
        for t in case.times[:-1]:
            failure = compiled.advance(float(t), y, n, step, u, compiled.scheme)
            if failure is not None:
                raise RuntimeError(str(failure))
            compiled.observe(float(t) + SAMPLE, y, u, step, row)

    return cpu_seconds(go, REPEATS)


def theirs(case: Case) -> tuple[str, float]:
    """MoorDyn's scheme and largest stable step of least CPU time, and that time, s."""
    found: dict[str, float] = {}
    for scheme in SCHEMES:
        for parts in PARTS:
            step = HOST_STEP / parts
            spent = _stable_time(case, step, scheme)
            if spent is not None:
                again = (there.tensions(case, step, scheme, HOST_STEP)[1] for _ in range(REPEATS - 1))
                found[f"MoorDyn, {scheme} {1e3 * step:.3g} ms"] = min(spent, *again)
                break
    if not found:
        raise RuntimeError(f"MoorDyn is not stable on {case.name}.txt at {1e3 * HOST_STEP / PARTS[-1]:g} ms")
    return min(found.items(), key=lambda entry: entry[1])


def _stable_time(case: Case, step: float, scheme: str) -> float | None:
    """CPU time of MoorDyn's steps, s; None where it gave up or is far off."""
    try:
        tensions, spent = there.tensions(case, step, scheme, HOST_STEP)
    except RuntimeError:  # MoorDyn's only word for a NaN
        return None
    return spent if off(case, tensions) <= STABLE else None
