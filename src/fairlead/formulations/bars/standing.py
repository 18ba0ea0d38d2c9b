"""Free points and bodies (hubs) that stand on the seabed, by `loads.landing`: after the solve."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import row_start
from fairlead.algebra.small import matvec
from fairlead.loads.landing import BED_KEPT, bed_reaction
from fairlead.rigging.standing import book_feet, remember_stander


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
    book_feet(sys.standing_hubs, reaction_on, sys.scheme.book, sys)


@kernel
def remember_standing(sys):
    """Friction memory and landings of all hubs, after the move."""
    for h in range(sys.standing_hubs):
        remember_stander(sys.hub_state[h], sys.hub[h], sys.standing[h], sys.feet.start + BED_KEPT * h, sys)


@kernel
def stander(k, sys):
    """The hub that the k-th point or body of the file is, where it has feet to stand on; else −1."""
    h = -sys.name[k].which - 1
    return h if 0 <= h < sys.standing_hubs and sys.hub[h].feet > 0.0 else -1
