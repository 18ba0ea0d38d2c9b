"""Points and bodies that stand on the seabed (`loads.landing`): what all formulations do with them after a solution.

`reaction(h, sys)` is a formulation's kernel that gives what `bed_reaction` does for its stander h: normal force, powers
of friction and damping, energy in the bed.
"""

from __future__ import annotations

from fairlead.algebra.compiled import fold, kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import row_start
from fairlead.algebra.small import cross, matvec, subtract, symvec
from fairlead.loads.landing import BED_MEMORY, bed_reaction, press_foot, put_landing, remember_feet

from .observation import add_elastic


@kernel
def press_hub(t, k, h, R, sys):
    """Foot k of hub h, turned by R: whether it presses on the seabed, its lever, and a matrix and a force at the end of
    that, by the accelerations of the hub (see `press_foot`)."""
    body, hub, scheme = sys.hub_state[h], sys.hub[h], sys.scheme
    w = matvec(R, body.spin)
    active, lever, matrix, force = press_foot(
        t, k, body.position, R, body.velocity, w, sys.reals, row_start(hub, sys.reals), sys.y,
        row_start(sys.standing[h], sys.y), scheme.step, scheme.g_per_c, scheme.g_per_k, scheme.d_per_k, sys.work,
        row_start(sys.feet[h], sys.work),
    )  # fmt: skip
    return active, lever, matrix, subtract(force, symvec(matrix, cross(w, cross(w, lever))))


@kernel
def hub_reaction(h, acceleration, spin_rate, sys):
    """What the bed does to hub h after the solve, by its accelerations (global; in body axes): see `bed_reaction`."""
    body, scheme = sys.hub_state[h], sys.scheme
    R = rotation(body.turn)
    return bed_reaction(
        body.velocity, matvec(R, body.spin), acceleration, matvec(R, spin_rate), 0.5 * scheme.step, scheme.g_per_c,
        sys.reals, row_start(sys.hub[h], sys.reals), sys.work, row_start(sys.feet[h], sys.work),
    )  # fmt: skip


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
