"""All accelerations of a step: cables eliminated onto their hubs, the hubs solved, and back, in passes until no joint
that only pulls has to change (`loosening`).
"""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.eights import in_eights
from fairlead.algebra.lanes import all_lanes, any_lane, pick, placed
from fairlead.algebra.packs import lane_count, lane_of

from .floating import press_afloat
from .hub_system import solve_hubs
from .hubs import begin
from .loosening import MANY, PASSES, PATIENCE, forget_strings, next_pass
from .riders import add_cable
from .ropes import change_pieces
from .slider import change_rings
from .sweep import backward, forward


@kernel
def pass_forward(t, u, status, guess, afloat, rig, whole, sys):
    """Way forward with the joints that are taut, as guessed or as they stand: cables eliminated onto their hubs, and
    the accelerations of these. Returns the status, 2 where the hub system is not positive definite.

    Hubs are few, and full of decisions: members of a pack take them in turn.
    """
    hubs = sys.hubs > 0
    if hubs:
        for k in range(lane_count(sys)):
            if pick(status, k) == 0:
                begin(t, u, afloat, lane_of(sys, k))
    for c in range(sys.cables):
        left = forward(c, t, guess, rig, whole, in_eights(sys), sys)
        if hubs:
            for k in range(lane_count(sys)):
                e_pp, e_pr, e_rr, beta_p, beta_r = pick(left, k)
                add_cable(c, e_pp, e_pr, e_rr, beta_p, beta_r, rig, whole, lane_of(sys, k))
    if hubs:
        for k in range(lane_count(sys)):
            if pick(status, k) == 0:
                status = placed(status, k, solve_hubs(t, lane_of(sys, k)))
    return status


@kernel
def pass_back(status, single, rig, whole, sys):
    """Way back: all accelerations and multipliers. Returns how many joints have to change (see `loosening`)."""
    wrong = 0.0 * status
    for c in range(sys.cables):
        wrong = backward(c, wrong, single, rig, whole, sys)
    return wrong


@inlined
def books_of(sys):
    """What a pass books, and another one books anew."""
    ledger = sys.ledger
    return ledger.drag, ledger.damping, ledger.drives, ledger.steps, ledger.steps_damped


@inlined
def open_books(books, sys):
    """Put it back."""
    ledger = sys.ledger
    ledger.drag, ledger.damping, ledger.drives, ledger.steps, ledger.steps_damped = books


@kernel
def passes(t, u, status, first, wrong, books, afloat, rig, whole, sys):
    """Passes from the `first` on, 0 or 1, until no joint that only pulls has to change; those before it have found
    so many `wrong`, and `books` are those before all. Returns the status."""
    fewest, patience, single = MANY + 0.0 * status, PATIENCE + 0.0 * status, status < 0
    for k in range(PASSES):
        if k >= first:
            status = pass_forward(t, u, status, k == 0, afloat, rig, whole, sys)
            if sys.hubs > 0 and all_lanes(status != 0):
                break
            wrong = pass_back(status, single, rig, whole, sys)
            if rig is not None:
                wrong += change_pieces(k, sys) + change_rings(sys)
        if not any_lane((status == 0) & ((wrong > 0.0) | single)) or k + 1 == PASSES:
            break
        if k == 0:
            forget_strings(wrong, sys)
        fewest, patience, single = next_pass(wrong, fewest, patience)
        open_books(books, sys)
    return status


@kernel
def solve(t, u, status, afloat, rig, whole, sys):
    """All accelerations and multipliers at time t, of members that are well (0). Returns the status, 2 where the hub
    system is not positive definite.

    A member of a pack that needs fewer passes than another is solved again to the same digits.
    """
    books = books_of(sys)
    if afloat is not None:
        press_afloat(t, status, sys)
    return passes(t, u, status, 0, 0.0 * status, books, afloat, rig, whole, sys)
