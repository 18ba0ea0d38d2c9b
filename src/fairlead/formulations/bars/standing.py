"""Free points and bodies (hubs) that stand on the seabed, by `loads.landing`: after the solve."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.rigging.standing import book_feet, hub_reaction


@kernel
def reaction_on(h, sys):
    """Normal force of the bed on hub h, powers of friction and damping, elastic energy (see `bed_reaction`)."""
    return hub_reaction(h, sys.hub_rhs[h].linear, sys.hub_rhs[h].angular, sys)


@kernel
def book_standing(sys):
    """Work of friction and damping under all hubs in this step."""
    book_feet(sys.standing_hubs, reaction_on, sys.scheme.book, sys)
