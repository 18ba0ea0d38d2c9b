"""The one compiled call of a run: some steps, then what is to be seen.

It comes in three: `run` where all cables are pinned, `run_rotary` where bending or torsional stiffness or a clamp makes
rotation rows, and `run_rigged` for systems with rings or winches. Inside, `whole` is None in the first and `rig` in the
first two, which numba knows when it compiles: systems without them wait for no kernels they do not use, and carry
nothing along in their sweep that they do not have.
"""

from __future__ import annotations

from fairlead.algebra.compiled import entry, kernel
from fairlead.loads.extremes import begin_extremes, report_extremes

from .observe import observe
from .schema import system
from .step import OK, advance, prepare


@kernel
def steps_and_sight(t, n, h, u, rig, whole, sys, kind, copy, out):
    """n steps of size h from t, in place; then, when `out` has room for it, one observation of the state reached."""
    prepare(kind, h, rig, sys)
    begin_extremes(n, out, sys.ints, sys.y)
    status = advance(t, n, h, u, rig, whole, sys)
    if status == OK and out.shape[0] > 0:
        for k in range(copy.shape[0]):
            copy[k] = sys.y[k]
        status = observe(t + n * h, u, rig, whole, system(sys.ints, sys.reals, copy, sys.work), out)
        report_extremes(sys.ints, sys.y, out)
    return status


@entry
def run(t, y, n, h, u, ints, reals, work, kind, copy, out):
    """n steps of size h from t, in place; then, when `out` has room for it, one observation of the state reached.

    `copy` is scratch of the size of `y`. n = 0 observes alone. Returns a status; the place of a fault is in `fault`.
    """
    return steps_and_sight(t, n, h, u, None, None, system(ints, reals, y, work), kind, copy, out)


@entry
def run_rotary(t, y, n, h, u, ints, reals, work, kind, copy, out):
    """As `run`, for systems with rotation rows."""
    return steps_and_sight(t, n, h, u, None, True, system(ints, reals, y, work), kind, copy, out)


@entry
def run_rigged(t, y, n, h, u, ints, reals, work, kind, copy, out):
    """As `run`, for systems with rings or winches."""
    return steps_and_sight(t, n, h, u, True, True, system(ints, reals, y, work), kind, copy, out)
