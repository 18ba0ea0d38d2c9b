"""The one compiled call of a run: some steps, then what is to be seen.

It comes in two: `run` for systems that are `plain_system`s, and `run_rigged` for all others. What the first do not have
is known when it is compiled, and left out: most systems need not wait for kernels that they do not use.
"""

from __future__ import annotations

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.records import with_state
from fairlead.loads.extremes import begin_extremes, report_extremes
from fairlead.rigging.watching import EVERY

from .observe import observe
from .schema import plain_system, system
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


@kernel
def steps_and_sight(t, n, h, u, sys, kind, copy, out):
    """n steps of size h from t, in place; then, when `out` has room for it, one observation of the state reached."""
    prepare(kind, h, sys)
    if sys.winches > 0:
        unfold(sys)
    begin_extremes(n, out, sys.ints, sys.y)
    status = OK
    for step in range(n):
        now = t + step * h
        if sys.winches > 0:
            set_rates(now, u, sys)
        status = one_step(now, u, sys)
        if status != OK:
            return status
        if sys.winches > 0:
            turn_winches(now + h, sys)
    if out.shape[0] > 0:
        for k in range(copy.shape[0]):
            copy[k] = sys.y[k]
        scratch = with_state(sys, copy)
        if sys.winches > 0:
            set_rates(t + n * h, u, scratch)  # forces are those of the coming step
        status = observe(t + n * h, u, sys, scratch, out)
        report_extremes(sys.ints, sys.y, out)
    return status


@entry
def run(t, y, n, h, u, ints, reals, work, kind, copy, out):
    """n steps of size h from t, in place; then, when `out` has room for it, one observation of the state reached.

    `copy` is scratch of the size of `y`. n = 0 observes alone. Returns a status; the place of a fault is in `work`.
    """
    return steps_and_sight(t, n, h, u, plain_system(ints, reals, y, work), kind, copy, out)


@entry
def run_rigged(t, y, n, h, u, ints, reals, work, kind, copy, out):
    """The same for systems with winches, ropes, vortices, floaters, joints or rods."""
    return steps_and_sight(t, n, h, u, system(ints, reals, y, work), kind, copy, out)
