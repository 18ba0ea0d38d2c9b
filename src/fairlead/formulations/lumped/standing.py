"""Free points and bodies (hubs) that stand on the seabed, by `loads.landing`: after the solve."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.rigging.standing import book_feet, hub_reaction

from .ends import ZERO3


@kernel
def reaction_on(h, sys):
    """Normal force of the bed on hub h, powers of friction and damping, elastic energy (see `bed_reaction`)."""
    balance = sys.balance[h]
    return hub_reaction(h, balance.acceleration, balance.spin_rate if sys.hub_size == 6 else ZERO3, sys)


@kernel
def book_standing(sys):
    """Work of friction and damping under all hubs in this step."""
    book_feet(sys.standing_hubs, reaction_on, sys.scheme.book, sys)
