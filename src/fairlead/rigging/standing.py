"""Points and bodies that stand on the seabed (`loads.landing`): what all formulations do with them after a solution.

`reaction(h, sys)` is a formulation's kernel that gives what `bed_reaction` does for its stander h: normal force, powers
of friction and damping, energy in the bed.
"""

from __future__ import annotations

from fairlead.algebra.compiled import fold, kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import row_start
from fairlead.loads.landing import BED_MEMORY, put_landing, remember_feet

from .observation import add_elastic


@fold
def feet_powers(count, reaction, sys):
    """Powers of friction and damping under all standers [W]."""
    friction, damping = 0.0, 0.0
    for h in range(count):
        _, rubbing, damped, _ = reaction(h, sys)
        friction += rubbing
        damping += damped
    return friction, damping


@fold
def book_feet(count, reaction, book, sys):
    """Work of friction and damping under all standers in this step; `book` makes a power a work."""
    ledger = sys.ledger
    for h in range(count):
        _, rubbing, damping, _ = reaction(h, sys)
        ledger.friction += book * rubbing
        ledger.damping += book * damping


@kernel
def remember_standing(sys):
    """Friction memory and landings of all hubs that may stand, after the move; see `remember_feet`."""
    for h in range(sys.standing_hubs):
        state, hub, memory = sys.hub_state[h], sys.hub[h], sys.standing[h]
        remember_feet(
            state.position, rotation(state.turn), sys.reals, row_start(hub, sys.reals), sys.y, row_start(memory, sys.y),
            sys.work, row_start(sys.feet[h], sys.work),
        )  # fmt: skip


@kernel
def standing_hub(k, sys):
    """The hub that the k-th point or body of the file is, where it has feet to stand on; else −1."""
    h = -sys.name[k].which - 1
    return h if 0 <= h < sys.standing_hubs and sys.hub[h].feet > 0.0 else -1


@fold
def put_landings(out, at, totals, count, stander, reaction, memory, sys):
    """Write what is reported of landings, and add the energy in the bed to the totals that end at `totals`.

    stander  kernel of k and sys: which stander the k-th point or body of the file is, −1 for none
    memory   where what the standers remember begins in `y`
    """
    for k in range(count):
        h = stander(k, sys)
        if h >= 0:
            normal, _, _, stored = reaction(h, sys)
            add_elastic(out, totals, stored)
            put_landing(normal, sys.y, memory + BED_MEMORY * h, out, at)
            at += 3
    return at
