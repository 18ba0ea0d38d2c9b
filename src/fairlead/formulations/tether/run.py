"""The one compiled call of a run: some steps, then what is to be seen."""

from __future__ import annotations

from fairlead.algebra.compiled import entry
from fairlead.loads.extremes import begin_extremes, report_extremes

from .observe import observe
from .step import OK, advance, prepare


@entry
def run(t, y, n, h, u, ints, reals, work, kind, copy, out):
    """n steps of size h from t, in place; then, when `out` has room for it, one observation of the state reached.

    The forces that are observed are those of the step that would follow, made on `copy`, scratch of the size of `y`.
    n = 0 observes alone. Returns a status; the place of a fault is in `work`.
    """
    prepare(kind, h, work)
    begin_extremes(n, out, ints, y)
    status = advance(t, y, n, u, ints, reals, work)
    if status == OK and out.shape[0] > 0:
        for k in range(y.shape[0]):
            copy[k] = y[k]
        status = advance(t + n * h, copy, 1, u, ints, reals, work)
        observe(t + n * h, y, ints, reals, work, out)
        report_extremes(ints, y, out)
    return status
