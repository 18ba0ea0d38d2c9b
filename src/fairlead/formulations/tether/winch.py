"""Length paid out and in: all links of a cable grow or shrink together."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.payout.rules import limited_rate
from fairlead.rigging.winches import scheduled_rate

from .energies import cable_energies


@kernel
def pay_out(t, u, sys):
    """Let every winch pay out for half a step: link lengths and node masses of its cable are multiplied by L(t)/L(0).

    Line so made has the place and the speed of the line around it; the energy that takes is booked as the drive's (the
    work of the tension on line that passes the winch is booked with the links). Half of it goes before and half after
    the nodes move.
    """
    h = 0.5 * sys.step.size
    for w in range(sys.winches):
        winch, drum = sys.winch[w], sys.drum[w]
        paid = sys.paid[winch.cable]
        rate = scheduled_rate(t + 0.5 * h, u[3 * sys.controlled + w], winch, sys.sample.start, sys.reals)
        factor = paid.factor
        rate = limited_rate(rate, factor * drum.length, drum.least, drum.greatest, h)
        paid.rate = rate / drum.length
        if rate == 0.0:
            continue
        k, g, _, b = cable_energies(t, winch.cable, sys)
        paid.factor = factor + h * rate / drum.length
        more_k, more_g, _, more_b = cable_energies(t, winch.cable, sys)
        sys.ledger.drives += more_k - k + more_g - g + more_b - b
