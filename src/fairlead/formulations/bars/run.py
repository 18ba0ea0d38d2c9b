"""The one compiled call of a run: some steps, then what is to be seen.

It comes in four: `run` where all cables are pinned and hang between prescribed points, `run_joined` where they are
pinned and joined by hubs (free points and bodies), `run_rotary` where bending or torsional stiffness or a clamp makes
rotation rows and no joint only pulls, and `run_rigged` for systems with rings, winches, ropes or floaters, or with
rotation rows and joints that only pull. Inside, there are known to be no hubs in the first, `whole` is None in the
first two, `afloat` and `rig` in the first three, and in the third `loosens` is known to be 0, all of which numba knows
when it compiles: systems without them wait for no kernels they do not use, and carry nothing along in their sweep that
they do not have. Eight members of a pack are run by `run_pack`, or `run_pack_afloat` where there are floaters; of a
study whose systems no pack carries, one member at a time by `run_watched_rotary` or `run_watched_rigged`.
"""

from __future__ import annotations

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.lanes import WIDTH, lanes, pick
from fairlead.algebra.records import with_state
from fairlead.loads.extremes import begin_extremes, report_extremes

from .observe import observe
from .schema import SCHEMA
from .step import OK, advance, prepare

pack_of = SCHEMA.pack
"""The view of eight systems side by side."""
system = SCHEMA.knowing(True)
"""The view of a system whose bars are taken eight at a time where they can be."""
bare_system = SCHEMA.knowing(True, hubs=0, standing_hubs=0)
"""The same of a system without hubs."""
taut_system = SCHEMA.knowing(True, loosens=0)
"""The same of a system without joints that only pull."""


@kernel
def pinned_steps(t, n, h, u, kind, sys):
    """n steps of size h from t, in place, and nothing else; of a system whose cables are all pinned."""
    prepare(kind, h, None, None, sys)
    return advance(t, n, h, u, OK, None, None, None, None, sys)


@kernel
def watched_steps(t, n, h, u, kind, seen, sys):
    """As `pinned_steps`, with what is kept of samples (see `advance`)."""
    prepare(kind, h, None, None, sys)
    return advance(t, n, h, u, OK, seen, None, None, None, sys)


@kernel
def watched_steps_afloat(t, n, h, u, kind, seen, sys):
    """As `watched_steps`, of a system with floaters."""
    prepare(kind, h, True, None, sys)
    return advance(t, n, h, u, OK, seen, True, None, None, sys)


@kernel
def watched_steps_alone(t, n, h, u, kind, seen, rig, sys):
    """As `watched_steps`, of a system with rotation rows, and with what `run_rigged` takes where `rig` is not None."""
    prepare(kind, h, rig, rig, sys)
    return advance(t, n, h, u, OK, seen, rig, rig, True, sys)


@kernel
def rotary_steps(t, n, h, u, kind, sys):
    """As `pinned_steps`, of a system with rotation rows."""
    prepare(kind, h, None, None, sys)
    return advance(t, n, h, u, OK, None, None, None, True, sys)


@kernel
def steps_and_sight(t, n, h, u, afloat, rig, whole, sys, kind, copy, out):
    """n steps of size h from t, in place; then, when `out` has room for it, one observation of the state reached."""
    prepare(kind, h, afloat, rig, sys)
    begin_extremes(n, out, sys.ints, sys.y)
    status = advance(t, n, h, u, OK, None, afloat, rig, whole, sys)
    if status == OK and out.shape[0] > 0:
        for k in range(copy.shape[0]):
            copy[k] = sys.y[k]
        status = observe(t + n * h, u, afloat, rig, whole, sys, with_state(sys, copy), out)
        report_extremes(sys.ints, sys.y, out)
    return status


@entry
def run(t, y, n, h, u, ints, reals, work, kind, copy, out):
    """n steps of size h from t, in place; then, when `out` has room for it, one observation of the state reached.

    `copy` is scratch of the size of `y`. n = 0 observes alone. Returns a status; the place of a fault is in `fault`.
    """
    return steps_and_sight(t, n, h, u, None, None, None, bare_system(ints, reals, y, work), kind, copy, out)


@entry
def run_joined(t, y, n, h, u, ints, reals, work, kind, copy, out):
    """As `run`, for systems with hubs."""
    return steps_and_sight(t, n, h, u, None, None, None, system(ints, reals, y, work), kind, copy, out)


@entry
def run_rotary(t, y, n, h, u, ints, reals, work, kind, copy, out):
    """As `run`, for systems with rotation rows in which no joint only pulls."""
    return steps_and_sight(t, n, h, u, None, None, True, taut_system(ints, reals, y, work), kind, copy, out)


@entry
def run_rigged(t, y, n, h, u, ints, reals, work, kind, copy, out):
    """As `run`, for systems with rings, winches, ropes or floaters, and for all others."""
    return steps_and_sight(t, n, h, u, True, True, True, system(ints, reals, y, work), kind, copy, out)


@entry
def run_watched_rotary(t, y, n, h, u, ints, reals, work, kind, every, asked, home, out):
    """n steps of size h from t, in place, of one system that `run_rotary` takes, with what is kept of samples as in
    `run_pack`. Returns a status."""
    return watched_steps_alone(t, n, h, u, kind, (every, asked, home, out), None, taut_system(ints, reals, y, work))


@entry
def run_watched_rigged(t, y, n, h, u, ints, reals, work, kind, every, asked, home, out):
    """The same of one that `run_rigged` takes."""
    return watched_steps_alone(t, n, h, u, kind, (every, asked, home, out), True, system(ints, reals, y, work))


@kernel
def steps_together(t, n, h, u, afloat, sys, kind, status, every, asked, home, out):
    """n steps of size h from t, in place, of all members that are well; see `run_pack`."""
    prepare(kind, h, afloat, None, sys)
    found = advance(t, n, h, u, lanes(status, 0), (every, asked, home, out), afloat, None, None, sys)
    for k in range(WIDTH):
        status[k] = pick(found, k)


@entry
def run_pack(t, y, n, h, u, ints, reals, work, kind, status, every, asked, home, out):
    """n steps of size h from t, in place, of eight members whose cables are all pinned; see `fairlead.algebra.packs`.

    status        (lane,), 0 of those that are well: of these it is brought up to date, with the place of a fault in
                  `fault`
    every, asked, home, out  what is kept of samples, the first at t and none at the end (see `rigging.watching`); with
                  n = 0 there is one, and the states are no longer to be used
    """
    steps_together(t, n, h, u, None, pack_of(ints, reals, y, work), kind, status, every, asked, home, out)
    return 0


@entry
def run_pack_afloat(t, y, n, h, u, ints, reals, work, kind, status, every, asked, home, out):
    """As `run_pack`, of eight members with floaters."""
    steps_together(t, n, h, u, True, pack_of(ints, reals, y, work), kind, status, every, asked, home, out)
    return 0
