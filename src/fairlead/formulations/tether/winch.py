"""Length paid out and in: all links of a cable grow or shrink together."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.loads.signals import table_value
from fairlead.payout.rules import limited_rate

from .arrays import (
    I_WINCHES, N_CONTROLLED, N_WINCHES, R_TABLE, R_WINCHES, STEP, WINCH_INTS, WINCH_REALS, WORK_DRIVES, Y_GROWTH,
    Y_LEDGER, Y_SCALE,
)  # fmt: skip
from .energies import cable_energies


@kernel
def pay_out(t, u, ints, reals, y, work):
    """Let every winch pay out for half a step: link lengths and node masses of its cable are multiplied by L(t)/L(0).

    Line so made has the place and the speed of the line around it; the energy that takes is booked as the drive's (the
    work of the tension on line that passes the winch is booked with the links). Half of it goes before and half after
    the nodes move.
    """
    h = 0.5 * work[STEP]
    for w in range(ints[N_WINCHES]):
        record, at = ints[I_WINCHES] + WINCH_INTS * w, ints[R_WINCHES] + WINCH_REALS * w
        c = ints[record]
        rate = u[3 * ints[N_CONTROLLED] + w]
        if math.isnan(rate):
            rate = 0.0
            if ints[record + 2] > 0:
                rate = table_value(t + 0.5 * h, reals, ints[R_TABLE] + ints[record + 1], ints[record + 2], 2, 1)
        factor = y[ints[Y_SCALE] + c]
        rate = limited_rate(rate, factor * reals[at], reals[at + 1], reals[at + 2], h)
        y[ints[Y_GROWTH] + c] = rate / reals[at]
        if rate == 0.0:
            continue
        k, g, _, b = cable_energies(t, c, ints, reals, y)
        y[ints[Y_SCALE] + c] = factor + h * rate / reals[at]
        more_k, more_g, _, more_b = cable_energies(t, c, ints, reals, y)
        y[ints[Y_LEDGER] + WORK_DRIVES] += more_k - k + more_g - g + more_b - b
