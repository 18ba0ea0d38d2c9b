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

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import dot, subtract

from .arrays import (
    CABLE_COUNT, CABLE_FIRST, ELEMENT_STEPS, ELEMENT_STEPS_DAMPED, NO_COMPRESSION, N_CABLES, PUSHED, SLACKENS, TAUT,
    TENSION_BIAS, TENSION_G, WORK_DRAG, WORK_DRIVES, Y_LEDGER, acceleration_at, cable_at, element_at, element_work_at,
    vector_of,
)  # fmt: skip
from .hubs import solve_once

BOTH_WAYS, PASSES = 20, 40
"""Passes in which elements may come taut again, and the most passes there are; after the first of them only what
pushes is let go, which ends for certain."""


@kernel
def part_speed(e, node, ints, work):
    """t·Δa of element e, whose first node is `node`: how fast the accelerations draw its ends apart."""
    apart = subtract(vector_of(work, acceleration_at(ints, node + 1)), vector_of(work, acceleration_at(ints, node)))
    return dot(vector_of(work, element_work_at(ints, e)), apart)


@kernel
def changes(loosen, ints, reals, work):
    """Let go of elements that push and, unless only to `loosen`, take in those that would pull; how many there were."""
    found = 0
    for c in range(ints[N_CABLES]):
        cable = cable_at(ints, c)
        first = ints[cable + CABLE_FIRST]
        for e in range(first, first + ints[cable + CABLE_COUNT]):
            if reals[element_at(ints, e) + PUSHED] != NO_COMPRESSION:
                continue
            kept = element_work_at(ints, e)
            pulls = work[kept + TENSION_BIAS] + work[kept + TENSION_G] * part_speed(e, e + c, ints, work) > 0.0
            taut = work[kept + TAUT] == 1.0
            if pulls != taut and (taut or not loosen):
                work[kept + TAUT] = 0.0 if taut else 1.0
                found += 1
    return found


@kernel
def solve(t, u, ints, reals, y, work):
    """All accelerations and end forces at time t. Returns 0, or 2 when the hub system is not positive definite."""
    ledger = ints[Y_LEDGER]
    drag, drives = y[ledger + WORK_DRAG], y[ledger + WORK_DRIVES]
    steps, damped = y[ledger + ELEMENT_STEPS], y[ledger + ELEMENT_STEPS_DAMPED]
    status = 0
    for k in range(PASSES):
        status = solve_once(t, u, k == 0, ints, reals, y, work)
        if status != 0 or ints[SLACKENS] == 0 or changes(k >= BOTH_WAYS, ints, reals, work) == 0:
            break
        y[ledger + WORK_DRAG], y[ledger + WORK_DRIVES] = drag, drives
        y[ledger + ELEMENT_STEPS], y[ledger + ELEMENT_STEPS_DAMPED] = steps, damped
    return status
