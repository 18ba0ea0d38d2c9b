"""Free points and bodies (hubs) that stand on the seabed, by `loads.landing`: after the solve."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import row_start
from fairlead.algebra.small import matvec
from fairlead.loads.landing import bed_reaction
from fairlead.rigging.standing import book_feet

from .ends import ZERO3


@kernel
def reaction_on(h, sys):
    """Normal force of the bed on hub h, powers of friction and damping, elastic energy (see `bed_reaction`)."""
    hub, balance = sys.hub_state[h], sys.balance[h]
    R = rotation(hub.turn)
    turning = ZERO3
    if sys.hub_size == 6:
        turning = matvec(R, balance.spin_rate)
    return bed_reaction(
        hub.velocity, matvec(R, hub.spin), balance.acceleration, turning, 0.5 * sys.scheme.step, sys.scheme.g_per_c,
        sys.reals, row_start(sys.hub[h], sys.reals), sys.work, row_start(sys.feet[h], sys.work),
    )  # fmt: skip


@kernel
def book_standing(sys):
    """Work of friction and damping under all hubs in this step."""
    book_feet(sys.standing_hubs, reaction_on, sys.scheme.book, sys)
