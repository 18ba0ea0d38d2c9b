"""Free points and bodies (hubs) that stand on the seabed, by `loads.landing`: after the solve."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import row_start
from fairlead.algebra.small import matvec
from fairlead.loads.landing import bed_reaction, put_landing, remember_feet

from .ends import ZERO3


@kernel
def reaction_on(h, sys):
    """Normal force of the bed on hub h, powers of friction and damping, elastic energy (see `bed_reaction`)."""
    hub, balance = sys.hub[h], sys.balance[h]
    R = rotation(hub.turn)
    turning = ZERO3
    if sys.hub_size == 6:
        turning = matvec(R, balance.spin_rate)
    return bed_reaction(
        hub.velocity, matvec(R, hub.spin), balance.acceleration, turning, 0.5 * sys.scheme.step, sys.scheme.g_per_c,
        sys.reals, row_start(sys.body[h], sys.reals), sys.work, row_start(sys.foot[h], sys.work),
    )  # fmt: skip


@kernel
def book_standing(sys):
    """Work of friction and damping under all hubs in this step."""
    ledger, book = sys.ledger, sys.scheme.book_step
    for h in range(sys.standing):
        _, rubbing, damping, _ = reaction_on(h, sys)
        ledger.friction += book * rubbing
        ledger.damping += book * damping


@kernel
def remember_standing(sys):
    """Friction memory and landings of all hubs, after the move."""
    for h in range(sys.standing):
        remember_feet(
            sys.hub[h].position, rotation(sys.hub[h].turn), sys.reals, row_start(sys.body[h], sys.reals), sys.y,
            row_start(sys.landing[h], sys.y), sys.work, row_start(sys.foot[h], sys.work),
        )  # fmt: skip


@kernel
def put_standing(at, elastic, sys, out):
    """Write what is reported of landings from `at` on; add the energy in the bed to the column `elastic`."""
    for k in range(sys.places):
        h = -sys.seen[k].place - 1
        if 0 <= h < sys.standing and sys.body[h].feet > 0.0:
            normal, _, _, stored = reaction_on(h, sys)
            out[elastic] += stored
            put_landing(normal, sys.y, row_start(sys.landing[h], sys.y), out, at)
            at += 3
