"""The compiled calls of a run: the first folding of a shape into coordinates; some steps, then what is to be seen."""

from __future__ import annotations

from fairlead.algebra.compiled import entry
from fairlead.algebra.small import subtract, unit
from fairlead.loads.extremes import begin_extremes, report_extremes

from .articulated import OK
from .commands import move_bases, rest_bases
from .coordinates import frame_along, lay_frame, refold_body
from .joints import at_drum
from .lines import near_end
from .observe import observe
from .schema import system
from .step import advance
from .winch import rate_at


@entry
def fold_first(u, first_axes, y, ints, reals, work):
    """Coordinates of a first shape, whose positions, rotations and velocities stand in the table `old`.

    The frame of a cable's first element lies along it, its first axis as near as can be to `first_axes` (cables, 3);
    all others count from the element before.
    """
    sys = system(ints, reals, y, work)
    rest_bases(sys)
    move_bases(0.0, u, sys)
    for c in range(sys.cables):
        sys.paid[c].rate = rate_at(0.0, c, 0.0, u, sys)
    for j in range(sys.bodies):
        body = sys.body[j]
        c = body.cable
        if c >= 0 and body.element == at_drum(c, sys):
            _, _, near, _ = near_end(j, sys)
            direction = unit(subtract(sys.old[j].position, near))
            axis = (first_axes[c, 0], first_axes[c, 1], first_axes[c, 2])
            lay_frame(body, frame_along(direction, axis), sys)
        refold_body(j, sys)


@entry
def run(t, y, n, h, u, ints, reals, work, kind, copy, out):
    """n steps of size h from t, in place; then, when `out` has room for it, one observation of the state reached.

    `copy` is scratch of the size of `y`; there is one scheme, whatever `kind` says. n = 0 observes alone. Returns a
    status; the place of a fault is in `fault`.
    """
    begin_extremes(n, out, ints, y)
    status = advance(t, n, h, u, system(ints, reals, y, work))
    if status == OK and out.shape[0] > 0:
        for k in range(y.shape[0]):
            copy[k] = y[k]
        status = observe(t + n * h, u, system(ints, reals, copy, work), out)
        report_extremes(ints, y, out)
    return status
