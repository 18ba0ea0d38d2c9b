"""The compiled calls of a run: the first folding of a shape into coordinates; some steps, then what is to be seen."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import entry
from fairlead.algebra.small import dot, scale, subtract
from fairlead.loads.extremes import begin_extremes, report_extremes

from .arrays import (
    BODY_CABLE, CABLE_ELEMENT, ELEMENT, N_BODIES, N_CABLES, OLD, POSITION, W_OLD, Y_RATE, body_at, cable_at,
    first_active, vector_of,
)  # fmt: skip
from .articulated import OK
from .commands import move_bases, rest_bases
from .coordinates import frame_along, lay_frame, refold_body
from .lines import near_end
from .observe import observe
from .step import advance
from .winch import rate_at


@entry
def fold_first(u, first_axes, y, ints, reals, work):
    """Coordinates of a first shape, whose positions, rotations and velocities stand in `work` (W_OLD).

    The frame of a cable's first element lies along it, its first axis as near as can be to `first_axes` (cables, 3);
    all others count from the element before.
    """
    rest_bases(ints, reals, work)
    move_bases(0.0, u, ints, reals, y, work)
    for c in range(ints[N_CABLES]):
        y[ints[Y_RATE] + c] = rate_at(0.0, c, 0.0, u, ints, reals, y, work)
    for j in range(ints[N_BODIES]):
        body = body_at(ints, j)
        c = ints[body + BODY_CABLE]
        if c >= 0 and ints[body + ELEMENT] == ints[cable_at(ints, c) + CABLE_ELEMENT] + first_active(ints, y, c):
            _, _, near, _ = near_end(j, body, ints, reals, work)
            chord = subtract(vector_of(work, ints[W_OLD] + OLD * j + POSITION), near)
            direction = scale(1.0 / math.sqrt(dot(chord, chord)), chord)
            axis = (first_axes[c, 0], first_axes[c, 1], first_axes[c, 2])
            lay_frame(j, body, frame_along(direction, axis), ints, work, y)
        refold_body(j, ints, reals, y, work)


@entry
def run(t, y, n, h, u, ints, reals, work, copy, out):
    """n steps of size h from t, in place; then, when `out` has room for it, one observation of the state reached.

    `copy` is scratch of the size of `y`. n = 0 observes alone. Returns a status; the place of a fault is in `work`.
    """
    begin_extremes(n, out, ints, y)
    status = advance(t, n, h, u, ints, reals, y, work)
    if status == OK and out.shape[0] > 0:
        for k in range(y.shape[0]):
            copy[k] = y[k]
        status = observe(t + n * h, copy, u, ints, reals, work, out)
        report_extremes(ints, y, out)
    return status
