"""The one compiled call of a run: some steps, then what is to be seen. Winches have a call of their own: most systems
have none, and need not wait until what they take is compiled."""

from __future__ import annotations

from fairlead.algebra.compiled import entry
from fairlead.loads.extremes import begin_extremes, report_extremes

from .observe import observe
from .schema import system
from .step import OK, one_step, prepare
from .winch import set_rates, turn_winches, unfold


@entry
def run(t, y, n, h, u, ints, reals, work, kind, copy, out):
    """n steps of size h from t, in place; then, when `out` has room for it, one observation of the state reached.

    `copy` is scratch of the size of `y`. n = 0 observes alone. Returns a status; the place of a fault is in `work`.
    """
    sys = system(ints, reals, y, work)
    prepare(kind, h, sys)
    begin_extremes(n, out, ints, y)
    status = OK
    for step in range(n):
        status = one_step(t + step * h, u, sys)
        if status != OK:
            return status
    if out.shape[0] > 0:
        for k in range(y.shape[0]):
            copy[k] = y[k]
        status = observe(t + n * h, u, sys, system(ints, reals, copy, work), out)
        report_extremes(ints, y, out)
    return status


@entry
def run_rigged(t, y, n, h, u, ints, reals, work, kind, copy, out):
    """The same for a system with winches."""
    sys = system(ints, reals, y, work)
    prepare(kind, h, sys)
    unfold(sys)
    begin_extremes(n, out, ints, y)
    status = OK
    for step in range(n):
        now = t + step * h
        set_rates(now, u, sys)
        status = one_step(now, u, sys)
        if status != OK:
            return status
        turn_winches(now + h, sys)
    if out.shape[0] > 0:
        for k in range(y.shape[0]):
            copy[k] = y[k]
        scratch = system(ints, reals, copy, work)
        set_rates(t + n * h, u, scratch)  # forces are those of the coming step
        status = observe(t + n * h, u, sys, scratch, out)
        report_extremes(ints, y, out)
    return status
