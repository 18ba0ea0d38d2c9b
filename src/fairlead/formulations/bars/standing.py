"""Free points and bodies (hubs) that stand on the seabed, by `loads.landing`: after the solve."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import matvec
from fairlead.loads.landing import BED_KEPT, BED_MEMORY, bed_reaction, put_landing, remember_feet
from fairlead.loads.rigid_body import BODY_FEET

from .arrays import (
    I_NAMED, N_NAMED, N_STANDING, WORK_DAMPING, WORK_FRICTION, W_HUB_RHS, W_STANDING, Y_LEDGER, Y_STANDING, hub_at,
    hub_state_at, quaternion_of, vector_of,
)  # fmt: skip
from .coefficients import BOOK_STEP, G_PER_C, STEP


@kernel
def reaction_on(h, ints, reals, y, work):
    """Normal force of the bed on hub h, powers of friction and damping, elastic energy (see `bed_reaction`)."""
    body, found = hub_state_at(ints, h), ints[W_HUB_RHS] + 6 * h
    R = rotation(quaternion_of(y, body))
    return bed_reaction(
        vector_of(y, body + 7), matvec(R, vector_of(y, body + 10)), vector_of(work, found),
        matvec(R, vector_of(work, found + 3)), 0.5 * work[STEP], work[G_PER_C], reals, hub_at(ints, h), work,
        ints[W_STANDING] + BED_KEPT * h,
    )  # fmt: skip


@kernel
def book_standing(ints, reals, y, work):
    """Work of friction and damping under all hubs in this step."""
    ledger = ints[Y_LEDGER]
    for h in range(ints[N_STANDING]):
        _, rubbing, damping, _ = reaction_on(h, ints, reals, y, work)
        y[ledger + WORK_FRICTION] += work[BOOK_STEP] * rubbing
        y[ledger + WORK_DAMPING] += work[BOOK_STEP] * damping


@kernel
def remember_standing(ints, reals, y, work):
    """Friction memory and landings of all hubs, after the move."""
    for h in range(ints[N_STANDING]):
        body = hub_state_at(ints, h)
        remember_feet(
            vector_of(y, body), rotation(quaternion_of(y, body)), reals, hub_at(ints, h), y,
            ints[Y_STANDING] + BED_MEMORY * h, work, ints[W_STANDING] + BED_KEPT * h,
        )  # fmt: skip


@kernel
def put_standing(at, elastic, ints, reals, y, work, out):
    """Write what is reported of landings from `at` on; add the energy in the bed to the column `elastic`."""
    for k in range(ints[N_NAMED]):
        h = -ints[ints[I_NAMED] + k] - 1
        if 0 <= h < ints[N_STANDING] and reals[hub_at(ints, h) + BODY_FEET] > 0.0:
            normal, _, _, stored = reaction_on(h, ints, reals, y, work)
            out[elastic] += stored
            put_landing(normal, y, ints[Y_STANDING] + BED_MEMORY * h, out, at)
            at += 3
