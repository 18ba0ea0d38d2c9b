"""The one compiled call of a run: some steps, then what is to be seen.

It comes in two: `run` for systems that are `plain_system`s, and `run_rigged` for all others. What the first do not have
is known when it is compiled, and left out: most systems need not wait for kernels that they do not use. Members of a
study that are seen in the middle of their steps have entries of their own, likewise in two; eight at a time plain ones
alone.
"""

from __future__ import annotations

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.lanes import WIDTH, all_lanes, lanes, pick
from fairlead.algebra.records import with_state
from fairlead.loads.extremes import begin_extremes, report_extremes
from fairlead.rigging.watching import EVERY

from .observe import observe
from .schema import plain_pack, quick_system, system
from .step import OK, begin_step, end_step, one_step, prepare
from .watching import look, watch
from .winch import set_rates, turn_winches, unfold


@kernel
def steps_without_winches(t, n, h, u, kind, sys):
    """n steps of size h from t, in place, and nothing else; of a system without winches."""
    prepare(kind, h, sys)
    status = OK
    for step in range(n):
        status = one_step(t + step * h, u, status, sys)
        if status != OK:
            return status
    return status


@kernel
def watched_steps(t, n, h, u, kind, seen, sys):
    """As `steps_without_winches`, with what is kept of samples; see `advance`."""
    return advance(t, n, h, u, kind, OK, seen, sys)


@kernel
def advance(t, n, h, u, kind, status, seen, sys):
    """n steps of size h from t, in place, of all that are well, with what is kept of samples (`rigging.watching`), of
    which the first is that at t; none is taken at the end. With n = 0 it is the only one, and the state is no longer to
    be used. Returns the status."""
    prepare(kind, h, sys)
    for step in range(max(1, n)):
        now, sample, sampled = t + step * h, step // seen[EVERY], step % seen[EVERY] == 0
        if sampled:
            look(now, sample, u, seen, sys)
        status = begin_step(now, u, status, sys)
        lost = all_lanes(status != OK)
        if sampled and not lost:
            watch(sample, seen, sys)
        if lost or n == 0:
            return status
        status = end_step(now, status, sys)
        if all_lanes(status != OK):
            return status
    return status


@entry
def run_watched(t, y, n, h, u, ints, reals, work, kind, every, asked, home, out):
    """`watched_steps` of one member that is a `plain_system`."""
    return watched_steps(t, n, h, u, kind, (every, asked, home, out), quick_system(ints, reals, y, work))


@entry
def run_watched_rigged(t, y, n, h, u, ints, reals, work, kind, every, asked, home, out):
    """The same of any other."""
    return watched_steps(t, n, h, u, kind, (every, asked, home, out), system(ints, reals, y, work))


@entry
def run_pack(t, y, n, h, u, ints, reals, work, kind, status, every, asked, home, out):
    """`advance` of eight members that are `plain_system`s, side by side; see `fairlead.algebra.packs`.

    status  (lane,), 0 of those that are well: of these it is brought up to date, with the place of a fault in `fault`
    """
    sys = plain_pack(ints, reals, y, work)
    found = advance(t, n, h, u, kind, lanes(status, 0), (every, asked, home, out), sys)
    for k in range(WIDTH):
        status[k] = pick(found, k)
    return 0


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
        status = one_step(now, u, status, sys)
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
    return steps_and_sight(t, n, h, u, quick_system(ints, reals, y, work), kind, copy, out)


@entry
def run_rigged(t, y, n, h, u, ints, reals, work, kind, copy, out):
    """The same for systems with winches, ropes, vortices, floaters, joints or rods."""
    return steps_and_sight(t, n, h, u, system(ints, reals, y, work), kind, copy, out)
