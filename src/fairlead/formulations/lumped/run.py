"""The one compiled call of a run: some steps, then what is to be seen. Winches have a call of their own: most systems
have none, and need not wait until what they take is compiled."""

from __future__ import annotations

from fairlead.algebra.compiled import entry
from fairlead.loads.extremes import begin_extremes, report_extremes

from .observe import observe
from .step import OK, one_step, prepare
from .winch import set_rates, turn_winches, unfold


@entry
def run(t, y, n, h, u, ints, reals, work, kind, copy, out):
    """n steps of size h from t, in place; then, when `out` has room for it, one observation of the state reached.

    `copy` is scratch of the size of `y`. n = 0 observes alone. Returns a status; the place of a fault is in `work`.
    """
    prepare(kind, h, ints, reals, work)
    begin_extremes(n, out, ints, y)
    status = OK
    for step in range(n):
        status = one_step(t + step * h, u, ints, reals, y, work)
        if status != OK:
            return status
    if out.shape[0] > 0:
        for k in range(y.shape[0]):
            copy[k] = y[k]
        status = observe(t + n * h, y, copy, u, ints, reals, work, out)
        report_extremes(ints, y, out)
    return status


@entry
def run_rigged(t, y, n, h, u, ints, reals, work, kind, copy, out):
    """The same for a system with winches."""
    prepare(kind, h, ints, reals, work)
    unfold(ints, reals, y, work)
    begin_extremes(n, out, ints, y)
    status = OK
    for step in range(n):
        now = t + step * h
        set_rates(now, u, ints, reals, y, work)
        status = one_step(now, u, ints, reals, y, work)
        if status != OK:
            return status
        turn_winches(now + h, ints, reals, y, work)
    if out.shape[0] > 0:
        for k in range(y.shape[0]):
            copy[k] = y[k]
        set_rates(t + n * h, u, ints, reals, copy, work)  # forces are those of the coming step
        status = observe(t + n * h, y, copy, u, ints, reals, work, out)
        report_extremes(ints, y, out)
    return status
