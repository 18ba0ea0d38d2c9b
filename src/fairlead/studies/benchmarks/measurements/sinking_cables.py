"""1000 s of the sinking cables beside MoorDyn, each at its best step that stays near its own refined solution.

Both programs run the same physics (constant drag coefficients, no bending stiffness) and are judged by the largest
node error at 100, 300 and 500 s: MoorDyn within 0.1 m of its own refined solution, this program within 0.15 m.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from fairlead.formulations.contract import Compiled
from fairlead.studies.benchmarks.cable_cases import compiled
from fairlead.studies.benchmarks.record import Record
from fairlead.studies.benchmarks.sinking_case import common_case

DURATION = 1000.0
CHECK_TIMES = (100, 300, 500)
TOLERANCE = 0.15
"""m, largest node error against the refined solution."""
PEER_TOLERANCE = 0.1
"""m, likewise for the other program."""
REFINED_STEP = 0.005
STEPS = (1.0, 0.5, 0.4, 1 / 3, 0.25, 0.2, 0.1)
"""Tried from the largest; the first within the tolerance is the best."""
REPEATS = 3


def measure() -> Iterator[Record]:
    """CPU time of stepping alone (observations of the state every 100 s included), least of a few."""
    refined = shapes(compiled(common_case(REFINED_STEP)), REFINED_STEP, max(CHECK_TIMES))[0]
    for step in STEPS:
        system = compiled(common_case(step))
        coarse, _ = shapes(system, step, max(CHECK_TIMES))
        error = float(np.linalg.norm(coarse - refined, axis=-1).max())
        if error <= TOLERANCE:
            break
    else:
        raise RuntimeError(f"no step of {STEPS} stays within {TOLERANCE} m of the refined solution")
    cpu = min(shapes(system, step, DURATION)[1] for _ in range(REPEATS))
    yield Record(f"sinking cables, error at a step of {step:g} s", error, "m", "tolerance", TOLERANCE)
    yield Record("sinking cables, faster than real time", DURATION / cpu, "1")
    name, peer_cpu, peer_error = peer()
    if peer_error is not None:
        yield Record(f"{name}, its error", peer_error, "m", "tolerance", PEER_TOLERANCE)
    yield Record(f"sinking cables, CPU for {DURATION:g} s", cpu, "s", name, peer_cpu)


def shapes(system: Compiled, h: float, duration: float) -> tuple[np.ndarray, float]:
    """Node positions at the check times (3, nodes, 3) [m] and the CPU time of `duration` seconds [s]."""
    y, u, row = system.initial_state(), system.initial_inputs(), system.shape.empty_row()
    n = round(100 / h)
    kept, cpu = [], 0.0
    for k in range(round(duration / 100)):
        began = time.process_time()
        failure = system.advance(100.0 * k, y, n, h, u, "semi_implicit")
        if failure is not None:
            raise RuntimeError(str(failure))
        system.observe(100.0 * (k + 1), y, u, h, row)
        cpu += time.process_time() - began
        if 100 * (k + 1) in CHECK_TIMES:
            kept.append(np.vstack([system.shape.node_table(row, c)[:, :3] for c in system.shape.cables]))
    return np.array(kept), cpu


def peer() -> tuple[str, float | None, float | None]:
    """MoorDyn's best stable setting in the same run, where it is installed: its name, CPU time and error."""
    from fairlead.studies.benchmarks.peers import moordyn_sinking

    best = moordyn_sinking.BEST
    try:
        runs = [moordyn_sinking.run(best.step, best.scheme) for _ in range(2)]
    except ImportError as missing:
        return str(missing), None, None
    error = max(moordyn_sinking.errors(runs[0], moordyn_sinking.refined()))
    return f"MoorDyn, {best.scheme} {1e3 * best.step:g} ms", min(r["cpu_seconds"] for r in runs), error
