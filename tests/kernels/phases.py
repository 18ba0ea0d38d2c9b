"""Steps of bars in phases, as a GPU takes them, by one core; compiled with the entries, whose kernels it shares."""

from __future__ import annotations

from fairlead.algebra.compiled import entry
from fairlead.formulations.bars.phases import PHASES
from fairlead.formulations.bars.schema import SCHEMA

prepare = PHASES.prepare
forward, back, _, end = (phase.kernel for phase in PHASES.steps)
system = SCHEMA.view


@entry
def by_phases(t, y, n, h, u, ints, reals, work, kind, passes):
    """n steps of size h from t, in place; `passes` counts steps whose first pass is the last, and the others."""
    sys = system(ints, reals, y, work)
    prepare(kind, h, sys)
    status = 0
    for step in range(n):
        now = t + step * h
        status = forward(now, u, sys)
        if status == 0:
            status = back(now, u, sys)
        passes[0 if sys.before.wrong == 0.0 else 1] += 1
        if status == 0:
            status = end(now, u, sys)
        if status != 0:
            return status
    return status
