"""H and C of the whole system with all its loads, for a coupling that needs the mass matrix itself."""

from __future__ import annotations

from fairlead.algebra.compiled import entry

from .arrays import HALF, N_CABLES, PREDICTED, STEP, THETA_STEP, W_RATES
from .commands import move_bases, rest_bases
from .composite import composite
from .forces import load_all
from .winch import rate_at


@entry
def mass_and_bias(t, y, u, ints, reals, work, H, C):
    """H (size², row by row) and C (size) at t; joint torques (tension among them) are left in `work`."""
    work[STEP], work[HALF], work[THETA_STEP], work[PREDICTED] = 0.0, 0.0, 0.0, 0.0
    rest_bases(ints, reals, work)
    move_bases(t, u, ints, reals, y, work)
    for c in range(ints[N_CABLES]):
        work[ints[W_RATES] + c] = rate_at(t, c, 0.0, u, ints, reals, y)
    load_all(t, ints, reals, y, work)
    composite(ints, y, work, H, C)
