"""The one compiled call of a run: some steps, then what is to be seen. Winches have a call of their own: most systems
have none, and need not wait until what they take is compiled."""

from __future__ import annotations

from fairlead.algebra.compiled import entry, kernel
from fairlead.loads.extremes import begin_extremes, report_extremes
from fairlead.rigging.watching import EVERY

from .observe import observe
from .schema import system
from .step import OK, begin_step, end_step, one_step, prepare
from .watching import look, watch
from .winch import set_rates, turn_winches, unfold


@kernel
def plain_steps(t, n, h, u, kind, sys):
    """n steps of size h from t, in place, and nothing else; of a system without winches."""
    prepare(kind, h, sys)
    status = OK
    for step in range(n):
        status = one_step(t + step * h, u, sys)
        if status != OK:
            return status
    return status


@kernel
def watched_steps(t, n, h, u, kind, seen, sys):
    """As `plain_steps`, with what is kept of samples (`rigging.watching`), of which the first is that at t; none is
    taken at the end. With n = 0 it is the only one, and the state is no longer to be used."""
    prepare(kind, h, sys)
    status = OK
    for step in range(max(1, n)):
        now, sample, sampled = t + step * h, step // seen[EVERY], step % seen[EVERY] == 0
        if sampled:
            look(now, sample, u, seen, sys)
        status = begin_step(now, u, sys)
        if sampled and status == OK:
            watch(sample, seen, sys)
        if status != OK or n == 0:
            return status
        status = end_step(now, sys)
        if status != OK:
            return status
    return status


@entry
def run_watched(t, y, n, h, u, ints, reals, work, kind, every, asked, home, out):
    """`watched_steps` of one member."""
    return watched_steps(t, n, h, u, kind, (every, asked, home, out), system(ints, reals, y, work))


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
