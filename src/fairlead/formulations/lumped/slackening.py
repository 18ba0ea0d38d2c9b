"""Elements that do not push: which of them are taut is decided together with the accelerations of the step.

The tension of such an element over the step is T = max(0, β + G·(t·Δa)), with β and G of its spring and damper as any
other element has them (`element.spring`). With θ = 1 that is the backward Euler step of a spring that only pulls: its
energy is a convex function of the stretch, so that the step takes energy or leaves it and never gives any, however
large it is. Judging by what is known before the solve instead lets an element run past its length in one step and
throws it back in the next with all its speed.

The accelerations minimise φ(a) = ½aᵀMa − fᵀa + Σ max(0, T)²/2G, which is strictly convex. Newton's method on its
gradient is to solve with those elements that are thought taut, to see which of them push and which of the others would
pull, and to solve again until none does; where nothing goes slack or comes taut it costs no pass. By itself it may go
round in circles, though: lines that come taut along many elements in one step do. So no pass goes further towards what
it has found than to where φ is least on the way, which ends, and after few passes. It needs no product with M: what a
pass finds obeys M a − f = −Σ τ ∂(t·Δa)/∂a with the tensions τ of its taut elements, and what lies between two passes
obeys it with what lies between their tensions, so that with e = t·Δa

    dφ/ds = Σ (e' − e)[max(0, β + G(e + s(e' − e))) − τ − s(τ' − τ)]

along the way from one (e, τ) to the next (e', τ'). `apart` and `pull` of an element are its e and τ.

A blow brings a tension of which the step before knew nothing, and with it a string stiffness across the line. With the
tension that was expected the step would throw a line of little mass about. So where an element pulls harder than was
expected by more than the step bears (`outruns`), the step is solved again with the string stiffness of what it pulls.
"""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.eights import in_eights
from fairlead.algebra.lanes import WIDTH, all_lanes, any_lane, common, like, where
from fairlead.algebra.records import expected
from fairlead.algebra.small import add_scaled, dot, subtract
from fairlead.rigging.ropes import off_piece

from .assembly import of_one_kind
from .hubs import solve_once
from .schema import FILTERED, NO_COMPRESSION, OFF

BOTH_WAYS, PASSES = 40, 400
"""Passes in which ropes and string stiffness may follow what was found, and the most passes there are. A line that
comes taut from one end to the other in one step takes as many as it has elements."""
HALVINGS = 30
"""Of the way in which the least φ is looked for."""
TAUTER, CLOSELY, LOOSELY = 2.0, 0.02, 0.0005
"""By how much a tension may outrun the one expected: see `outruns`."""
NOTHING = 1.0e-13
"""Strain by which an element may push or pull and count as neither."""


@inlined
def is_filtered(sys):
    """Whether the string stiffness is that of the second-order step."""
    return common(sys.scheme.geometric) == FILTERED


@inlined
def leeway(tension, passes, chord, element, sys):
    """How far the tension of an element may be from the one that its string stiffness was taken with, after some
    passes [N].

    In the second-order step the matrix is off by b₁h²ΔT/l across the element. That may be `LOOSELY` of the mass, beyond
    which lines that turn fast gain energy, and `CLOSELY` of the string stiffness, beyond which a step that resolves
    nothing of the motion is unstable (`scheme`). Each pass may leave a little more.
    """
    h = sys.scheme.step
    mass = element.mass + element.added_normal
    return (1.0 + 0.5 * passes) * (CLOSELY * abs(tension) + LOOSELY * mass * chord.span / (h * h))


@inlined
def outruns(tension, taut, passes, chord, element, sys):
    """Whether the tension of a taut element is so far from the one expected that the step is to be solved again; and
    the tension to take for it then.

    In the second-order step that is as far from what was found as it may be: so the solution does not jump where a
    tension comes to the limit. In the first-order step, and in a loose cable (`scheme`), it is what was found, where
    this is more than `TAUTER` times the expected and the step does not resolve the motion across.
    """
    harder = taut & (tension > TAUTER * chord.string)
    if any_lane(harder):
        harder = harder & is_quick(tension / chord.span, element, sys)
    if is_filtered(sys):
        room = leeway(tension, passes, chord, element, sys)
        more, loose = tension - chord.string, sys.scheme.loose > 0.0
        off = taut & (abs(more) > room)
        near = max(0.0, where(more > 0.0, tension - room, tension + room))
        return where(loose, harder, off), where(loose, tension, near)
    return harder, tension


@inlined
def part_speed(e, node, sys):
    """t·Δa of element e, whose first node is `node`: how fast the accelerations draw its ends apart."""
    return dot(sys.chord[e].direction, subtract(sys.row[node + 1].acceleration, sys.row[node].acceleration))


@inlined
def is_quick(stiffness, element, sys):
    """Whether a string stiffness moves an element across itself faster than the step can follow."""
    h = sys.scheme.step
    return (common(sys.scheme.geometric) != OFF) & (h * h * stiffness > element.mass + element.added_normal)


@inlined
def stays(e, node, passes, sys):
    """Whether element e, whose first node is `node`, asks neither `follow` nor `wrong` for another pass."""
    element, chord = sys.element[e], sys.chord[e]
    tension, taut = chord.tension_bias + chord.tension_g * part_speed(e, node, sys), chord.taut != 0.0
    signed = where(taut, -tension, tension)
    harder, _ = outruns(tension, taut, passes, chord, element, sys)
    pulls = common(element.pushed) == NO_COMPRESSION
    return not ((harder & (pulls | is_filtered(sys))) | (pulls & (signed > NOTHING * element.stiffness)))


@kernel
def settled(passes, rows, sys):
    """Whether no element asks for another pass, eight at a time of `rows` where there are such; False where there are
    ropes, which ask in their own way."""
    if sys.ropes > 0:
        return False
    for c in range(sys.cables):
        e, last = sys.cable[c].first, sys.cable[c].first + sys.cable[c].count
        sys.scheme.loose = sys.slack[c].loose
        while e < last:
            if rows is not None and last - e >= WIDTH and of_one_kind(e, rows):
                if not all_lanes(stays(e, e + c, passes, rows)):
                    return False
                e += WIDTH
            else:
                soon = min(e + 1, last - 1)
                expected(sys.chord.direction, soon, 3)
                expected(sys.chord.tension_g, soon, 2)
                expected(sys.chord.taut, soon, 2)
                expected(sys.row.acceleration, soon + c + 1, 3)
                if not all_lanes(stays(e, e + c, passes, sys)):
                    return False
                e += 1
    return True


@kernel
def follow(passes, sys):
    """Ropes that have come to another piece of their curve, and string stiffness of elements that pull much harder than
    it knows; how many there were."""
    found = 0.0
    for c in range(sys.cables):
        cable = sys.cable[c]
        sys.scheme.loose = sys.slack[c].loose
        for e in range(cable.first, cable.first + cable.count):
            element, chord = sys.element[e], sys.chord[e]
            taut = chord.taut != 0.0
            if not any_lane(taut):
                continue
            tension = chord.tension_bias + chord.tension_g * part_speed(e, e + c, sys)
            if sys.ropes > 0 and element.rope >= 0.0:
                held = sys.held[e]
                found += off_piece(sys.rope[int(element.rope)], held.offset + tension / held.stiffness, held, sys)
            if common(element.pushed) == NO_COMPRESSION or is_filtered(sys):
                harder, string = outruns(tension, taut, passes, chord, element, sys)
                if any_lane(harder):
                    chord.string = where(harder, string, chord.string)
                    found += where(harder, 1.0, 0.0)
    return found


@kernel
def wrong(sys):
    """How many elements push though they only pull, or would pull but are taken for slack."""
    found = 0.0
    for c in range(sys.cables):
        cable = sys.cable[c]
        for e in range(cable.first, cable.first + cable.count):
            element, chord = sys.element[e], sys.chord[e]
            if common(element.pushed) == NO_COMPRESSION:
                tension = chord.tension_bias + chord.tension_g * part_speed(e, e + c, sys)
                signed = where(chord.taut == 0.0, tension, -tension)
                found += where(signed > NOTHING * element.stiffness, 1.0, 0.0)
    return found


@kernel
def slope(s, sys):
    """dφ/ds a part s of the way to what the pass has found."""
    total = 0.0
    for c in range(sys.cables):
        cable = sys.cable[c]
        for e in range(cable.first, cable.first + cable.count):
            if common(sys.element[e].pushed) == NO_COMPRESSION:
                chord = sys.chord[e]
                there = part_speed(e, e + c, sys)
                pull = chord.taut * (chord.tension_bias + chord.tension_g * there)
                way = there - chord.apart
                tension = chord.tension_bias + chord.tension_g * (chord.apart + s * way)
                total += way * (max(0.0, tension) - chord.pull - s * (pull - chord.pull))
    return total


@kernel
def least(sys):
    """The part of the way to what the pass has found on which φ is least."""
    high = like(sys.scheme.step, 1.0)
    rises = not (slope(high, sys) <= 0.0)
    low = where(rises, 0.0, high)
    if any_lane(rises):
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            beyond = slope(middle, sys) > 0.0
            low, high = where(beyond, (low, middle), (middle, high))
    return high


@kernel
def go(s, goes, sys):
    """Go a part s of the way to what the pass has found, and take for taut what pulls there; members that do not go
    stay as they are."""
    for c in range(sys.cables):
        cable = sys.cable[c]
        for e in range(cable.first, cable.first + cable.count):
            chord = sys.chord[e]
            if common(sys.element[e].pushed) == NO_COMPRESSION:
                there = part_speed(e, e + c, sys)
                pull = chord.taut * (chord.tension_bias + chord.tension_g * there)
                apart, pulled = chord.apart + s * (there - chord.apart), chord.pull + s * (pull - chord.pull)
                taut = where(chord.tension_bias + chord.tension_g * apart > 0.0, 1.0, 0.0)
                chord.apart, chord.pull, chord.taut = where(
                    goes, (apart, pulled, taut), (chord.apart, chord.pull, chord.taut)
                )


@inlined
def solving_works(sys):
    """What a pass adds to in the ledger."""
    ledger = sys.ledger
    return ledger.drag, ledger.damping, ledger.drives, ledger.element_steps, ledger.element_steps_damped


@inlined
def undo_works(works, sys):
    """Take back what a pass has added to the ledger."""
    ledger = sys.ledger
    ledger.drag, ledger.damping, ledger.drives, ledger.element_steps, ledger.element_steps_damped = works


@kernel
def solve_first(t, u, status, sys):
    """Accelerations of a step that none was made before: it is solved once for the accelerations that a second-order
    step takes from the step before, of members that need them."""
    first = sys.history.steps == 0.0
    if common(sys.scheme.foresight) > 0.0 and any_lane(first):
        works = solving_works(sys)
        status = solve(t, u, status, sys)
        undo_works(works, sys)
        half = sys.scheme.drift
        for c in range(sys.cables):
            cable = sys.cable[c]
            for e in range(cable.first, cable.first + cable.count):
                rate, latest = sys.chord[e].rate - half * part_speed(e, e + c, sys), sys.spring[e]
                axis = sys.chord[e].direction
                sway = subtract(sys.row[e + c + 1].acceleration, sys.row[e + c].acceleration)
                sway = add_scaled(sway, -dot(sway, axis), axis)
                latest.straining, latest.sway = where(
                    first, (rate / sys.element[e].length, sway), (latest.straining, latest.sway)
                )
        for i in range(sys.nodes):
            was = sys.previous[i]
            was.acceleration = where(first, sys.row[i].acceleration, was.acceleration)
        for k in range(sys.hubs):
            was, found = sys.hub_previous[k], sys.balance[k]
            was.acceleration, was.spin_rate = where(
                first, (found.acceleration, found.spin_rate), (was.acceleration, was.spin_rate)
            )
    return status


@kernel
def solve(t, u, status, sys):
    """All accelerations and end forces at time t, of members that are well (0). Returns the status, 2 where the hub
    system is not positive definite.

    A member of a pack that needs fewer passes than another is solved again to the same digits.
    """
    works = solving_works(sys)
    fresh = status == 0
    for k in range(PASSES):
        status = solve_once(t, u, status, k == 0, sys)
        if all_lanes(status != 0) or (sys.slackens == 0 and sys.ropes == 0 and not is_filtered(sys)) or k + 1 == PASSES:
            break
        if settled(k, in_eights(sys), sys):
            break
        changed = status < 0
        if k < BOTH_WAYS:
            changed = follow(k, sys) > 0.0
        again = (status == 0) & (changed | (wrong(sys) > 0.0))
        if not any_lane(again):
            break
        part = like(sys.scheme.step, 1.0)
        if any_lane(again & (not fresh)):
            part = where(fresh, 1.0, least(sys))
        go(part, again, sys)
        fresh = where(again, changed, fresh)
        undo_works(works, sys)
    return status
