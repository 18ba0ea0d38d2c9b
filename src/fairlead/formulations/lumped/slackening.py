"""Elements that do not push: which of them are taut is decided together with the accelerations of the step.

The tension of such an element over the step is T = max(0, β + G·(t·Δa)), with β and G of its spring and damper as any
other element has them (`element.spring`). With θ = 1 that is the backward Euler step of a spring that only pulls: its
energy is a convex function of the stretch, so that the step takes energy or leaves it and never gives any, however
large it is. Judging by what is known before the solve instead lets an element run past its length in one step and
throws it back in the next with all its speed.

The accelerations minimise ½aᵀMa − fᵀa + Σ max(0, β + G·(t·Δa))²/2G, which is strictly convex; Newton's method on its
gradient is to solve with those elements that are thought taut, to see which of them push and which of the others would
pull, and to solve again until none does. Along a cable it is an obstacle problem, for which this ends after a few
passes; where nothing goes slack or comes taut it costs none.
"""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.small import dot, subtract
from fairlead.rigging.ropes import off_piece

from .hubs import solve_once
from .schema import NO_COMPRESSION

BOTH_WAYS, PASSES = 20, 40
"""Passes in which elements may come taut again, and the most passes there are; after the first of them only what
pushes is let go, which ends for certain."""


@inlined
def part_speed(e, node, sys):
    """t·Δa of element e, whose first node is `node`: how fast the accelerations draw its ends apart."""
    return dot(sys.chord[e].direction, subtract(sys.row[node + 1].acceleration, sys.row[node].acceleration))


@kernel
def changes(loosen, sys):
    """Let go of elements that push and, unless only to `loosen`, take in those that would pull and ropes that have come
    to another piece of their curve; how many there were."""
    found = 0
    for c in range(sys.cables):
        cable = sys.cable[c]
        for e in range(cable.first, cable.first + cable.count):
            element, chord = sys.element[e], sys.chord[e]
            tension = chord.tension_bias + chord.tension_g * part_speed(e, e + c, sys)
            if sys.ropes > 0 and element.rope >= 0.0 and chord.taut == 1.0 and not loosen:
                held = sys.held[e]
                found += off_piece(sys.rope[int(element.rope)], held.offset + tension / held.stiffness, held, sys)
            if element.pushed != NO_COMPRESSION:
                continue
            pulls = tension > 0.0
            taut = chord.taut == 1.0
            if pulls != taut and (taut or not loosen):
                chord.taut = 0.0 if taut else 1.0
                found += 1
    return found


@kernel
def solve(t, u, sys):
    """All accelerations and end forces at time t. Returns 0, or 2 when the hub system is not positive definite."""
    ledger = sys.ledger
    drag, drives = ledger.drag, ledger.drives
    steps, damped = ledger.element_steps, ledger.element_steps_damped
    status = 0
    for k in range(PASSES):
        status = solve_once(t, u, k == 0, sys)
        if status != 0 or (sys.slackens == 0 and sys.ropes == 0) or changes(k >= BOTH_WAYS, sys) == 0:
            break
        ledger.drag, ledger.drives = drag, drives
        ledger.element_steps, ledger.element_steps_damped = steps, damped
    return status
