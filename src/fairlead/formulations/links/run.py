"""The one compiled call of a run: some steps, then what is to be seen."""

from __future__ import annotations

from fairlead.algebra.compiled import entry
from fairlead.loads.extremes import begin_extremes, report_extremes

from .observe import observe
from .schema import SCHEMA
from .step import OK, advance

system = SCHEMA.view


@entry
def run(t, y, n, h, u, ints, reals, work, kind, copy, out):
    """n steps of size h from t, in place; then, when `out` has room for it, one observation of the state reached.

    `copy` is scratch of the size of `y`; there is one scheme, whatever `kind` says. n = 0 observes alone. Returns a
    status; the place of a fault is in `fault`.
    """
    sys = system(ints, reals, y, work)
    begin_extremes(n, out, ints, y)
    status = advance(t, n, h, u, sys)
    if status == OK and out.shape[0] > 0:
        for k in range(y.shape[0]):
            copy[k] = y[k]
        sys.step.size = h
        status = observe(t + n * h, u, system(ints, reals, copy, work), out)
        report_extremes(ints, y, out)
    return status
