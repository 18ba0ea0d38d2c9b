"""Free points and bodies (hubs) that stand on the seabed, by `loads.landing`: after the solve."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import row_start
from fairlead.algebra.small import matvec
from fairlead.loads.landing import BED_KEPT, bed_reaction, put_landing, remember_feet


@kernel
def reaction_on(h, sys):
    """Normal force of the bed on hub h, powers of friction and damping, elastic energy (see `bed_reaction`)."""
    body, found = sys.hub_state[h], sys.hub_rhs[h]
    R = rotation(body.turn)
    return bed_reaction(
        body.velocity, matvec(R, body.spin), found.linear, matvec(R, found.angular), 0.5 * sys.scheme.step,
        sys.scheme.g_per_c, sys.reals, row_start(sys.hub[h], sys.reals), sys.work, sys.feet.start + BED_KEPT * h,
    )  # fmt: skip


@kernel
def book_standing(sys):
    """Work of friction and damping under all hubs in this step."""
    ledger = sys.ledger
    for h in range(sys.standing_hubs):
        _, rubbing, damping, _ = reaction_on(h, sys)
        ledger.friction += sys.scheme.book * rubbing
        ledger.damping += sys.scheme.book * damping


@kernel
def remember_standing(sys):
    """Friction memory and landings of all hubs, after the move."""
    for h in range(sys.standing_hubs):
        body = sys.hub_state[h]
        remember_feet(
            body.position, rotation(body.turn), sys.reals, row_start(sys.hub[h], sys.reals), sys.y,
            row_start(sys.standing[h], sys.y), sys.work, sys.feet.start + BED_KEPT * h,
        )  # fmt: skip


@kernel
def put_standing(at, elastic, sys, out):
    """Write what is reported of landings from `at` on; add the energy in the bed to the column `elastic`."""
    for k in range(sys.named):
        h = -sys.name[k].which - 1
        if 0 <= h < sys.standing_hubs and sys.hub[h].feet > 0.0:
            normal, _, _, stored = reaction_on(h, sys)
            out[elastic] += stored
            put_landing(normal, sys.y, row_start(sys.standing[h], sys.y), out, at)
            at += 3
