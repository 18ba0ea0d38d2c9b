"""Newton's method for a system at rest in compiled code, from a first shape or on from another equilibrium.

Every step solves (K + μD) dx = r as `bordered_band` does, cautious far from equilibrium and quadratic near it; see
`newton`, which does the same for every formulation. A formulation gives six kernels, whose `case` is whatever they need
beside the state y:

    balance(case, y, mode, v, column) -> gap², gap, stress     forces of LOADS, KEPT or STRETCHED into a column of v;
                                                        gaps left over [m], their squares summed and largest, stress [N]
    tangent(case, y, m)                                 fill the `Bordered` matrix m
    displace(case, y, m, v, column, share, trial)       the state after a share of the step, ends moved as m.ends says
    ahead(case, y, m, share)                            into m.ends the way of prescribed ends to their new places, and
    arrive(case, y, share)                              a state at rest with them there; share 1: all the way from the
                                                        start
    pull_ends(case, y, m)                               into m.ends the forces on the ends of chains
"""

from __future__ import annotations

import math

from .bordered_band import clear, copy, push_ends, reduce, solve
from .compiled import kernel
from .newton import (
    FORCE_TOLERANCE,
    GAP_TOLERANCE,
    HARDLY,
    LEAST_SHIFT,
    MEMORY,
    MOST_ITERATIONS,
    MOST_SHIFT,
    MOST_TURN,
    SHORTEST_SHARE,
    TURN,
)  # fmt: skip
from .quaternion import product

LOADS, KEPT, STRETCHED = 0, 1, 2
FORCE, STEP = 0, 1
"""Columns of the vectors."""
HELD, LOST, UNSTABLE = 0, 1, 2
"""How a search ends."""
SEARCH, AFRESH, AS_IT_STANDS = 0, 1, 2
"""Tasks: an equilibrium, or the stiffness about one, its tangent made anew or that of the search just made."""
SOFT = 10.0 * LEAST_SHIFT
LOOSE = 1e4
"""How much more than in the end may be left over half-way."""


@kernel
def largest(v, column, levers):
    """Square sum and largest of a column of forces, torques as forces on their levers."""
    total, most = 0.0, 0.0
    for i in range(levers.shape[0]):
        f = v[i, column] / levers[i]
        total += f * f
        most = max(most, abs(f))
    return total, most


@kernel
def merit_of(force2, gap2, stress, length):
    """What a step is to lessen."""
    merit = math.sqrt(force2 / (stress * stress) + gap2 / (length * length))
    return merit if merit < math.inf else math.inf


@kernel
def largest_turn(v, kinds):
    """Longest turn of a step [rad]; a spin moves nothing and counts not."""
    most = 0.0
    for i in range(kinds.shape[0]):
        if kinds[i] == TURN:
            most = max(most, abs(v[i, STEP]))
    return most


@kernel
def turn_between(old, new):
    """Turn from one frame to another, a vector in global axes (good to second order) [rad]."""
    q = product(new, (old[0], -old[1], -old[2], -old[3]))
    f = 2.0 if q[0] >= 0.0 else -2.0
    return (f * q[1], f * q[2], f * q[3])


def kernels(balance, tangent, displace, ahead, arrive, pull_ends):
    """The kernels `search` and `hold` of a formulation, made of its own (see above)."""

    @kernel
    def set_scale(case, y, m, v, levers, kinds, length, scale):
        """D of all degrees of freedom, the tangent of y being there; returns the sum of the sizes of all loads [N]."""
        balance(case, y, LOADS, v, FORCE)
        loads, moves, stiffest = 0.0, 0, 0.0
        rows, w = m.band.shape[0], m.band.shape[1] // 2
        for i in range(levers.shape[0]):
            loads += abs(v[i, FORCE] / levers[i])
            if kinds[i] < TURN:
                moves += 1
                stiffest = max(stiffest, abs(m.band[i, w]) if i < rows else 0.0)
        balance(case, y, STRETCHED, v, FORCE)
        _, most = largest(v, FORCE, levers)
        force = max(loads, most, 1e-6)
        hanging = max(force / (max(1, moves // 3) * length), HARDLY * stiffest)
        for i in range(levers.shape[0]):
            scale[i] = levers[i] * levers[i] * hanging
        return force

    @kernel
    def newton(case, m, y, trial, v, levers, kinds, scale, force, length, shift, tolerance,
               patience, memory):  # fmt: skip
        """Look for the equilibrium near y, in place; returns whether it was found and the iterations.

        patience: iterations without halving the merit after which it gives up; memory: room for the latest merits.
        """
        m.ends[:] = 0.0
        best, waited = math.inf, 0
        gap2, gap, stress = balance(case, y, KEPT, v, FORCE)
        force2, most = largest(v, FORCE, levers)
        for iteration in range(MOST_ITERATIONS):
            weight = max(force, stress)
            enough = tolerance * max(FORCE_TOLERANCE * force, 1e-13 * weight)
            if most <= enough and gap <= tolerance * GAP_TOLERANCE * length:
                return True, iteration
            merit = merit_of(force2, gap2, weight, length)
            memory[iteration % MEMORY] = merit
            worst = merit
            for k in range(min(iteration, MEMORY)):
                worst = max(worst, memory[k])
            if merit < 0.5 * best:
                best, waited = merit, 0
            waited += 1
            if waited > patience or not merit < math.inf:
                return False, iteration
            clear(m)
            tangent(case, y, m)
            while True:
                balance(case, y, STRETCHED, v, STEP)
                reduce(m, shift, scale, False, False)
                solve(m, v, STEP)
                turn = largest_turn(v, kinds)
                first = min(1.0, MOST_TURN / turn) if turn > 0.0 else 1.0
                share, accepted = first, False
                while not accepted and share >= SHORTEST_SHARE * first:
                    displace(case, y, m, v, STEP, share, trial)
                    gap2, gap, stress = balance(case, trial, KEPT, v, FORCE)
                    force2, most = largest(v, FORCE, levers)
                    accepted = merit_of(force2, gap2, weight, length) < (1.0 - 1e-4 * share) * worst
                    share *= 1.0 if accepted else 0.5
                if accepted:
                    break
                shift *= 10.0
                if not shift <= MOST_SHIFT:
                    return False, iteration
            copy(trial, y)
            shift = max(LEAST_SHIFT, shift * (0.1 if share == 1.0 else 0.5 if share > 0.3 else 2.0))
        return False, MOST_ITERATIONS

    @kernel
    def polish(case, m, y, trial, v, levers, scale):
        """One more full step, which near equilibrium leaves nothing but rounding; kept when it helps."""
        m.ends[:] = 0.0
        balance(case, y, STRETCHED, v, STEP)
        _, before = largest(v, STEP, levers)
        reduce(m, LEAST_SHIFT, scale, False, False)
        solve(m, v, STEP)
        displace(case, y, m, v, STEP, 1.0, trial)
        balance(case, trial, STRETCHED, v, FORCE)
        _, after = largest(v, FORCE, levers)
        if after < before:
            copy(trial, y)

    @kernel
    def search(case, m, y, trial, v, levers, kinds, scale, length, pieces,
               patience, memory, report):  # fmt: skip
        """The equilibrium from state y, in place: by itself (pieces 0), or on from the equilibrium y to new places.

        On the way to new places, cut into so many pieces, all that is free follows as the stiffness of the place before
        says, wholly and at once; then Newton's method has little to do. report: iterations, weight [N], force left over
        [N]. Returns `HELD`, or `LOST`; or `UNSTABLE` when the stiffness found is not positive.
        """
        shift = 1.0 if pieces == 0 else LEAST_SHIFT
        iterations = 0
        clear(m)
        tangent(case, y, m)
        force = set_scale(case, y, m, v, levers, kinds, length, scale)
        for piece in range(1, pieces + 1):
            if piece > 1:
                clear(m)
                tangent(case, y, m)
            share = piece / pieces
            balance(case, y, STRETCHED, v, STEP)
            m.ends[:] = 0.0
            ahead(case, y, m, share)
            push_ends(m, v, STEP)
            reduce(m, LEAST_SHIFT, scale, False, False)
            solve(m, v, STEP)
            displace(case, y, m, v, STEP, 1.0, trial)
            arrive(case, trial, share)
            copy(trial, y)
            if piece < pieces:
                held, count = newton(
                    case, m, y, trial, v, levers, kinds, scale, force, length, shift, LOOSE, patience, memory
                )
                iterations += count
                if not held:
                    return LOST
        held, count = newton(case, m, y, trial, v, levers, kinds, scale, force, length, shift, 1.0, patience, memory)
        report[0] = iterations + count
        if not held:
            return LOST
        clear(m)
        tangent(case, y, m)
        polish(case, m, y, trial, v, levers, scale)
        _, _, stress = balance(case, y, STRETCHED, v, FORCE)
        report[1] = max(force, stress)
        _, report[2] = largest(v, FORCE, levers)
        return HELD if reduce(m, SOFT, scale, False, True) == 0 else UNSTABLE

    @kernel
    def hold(case, m, y, v, levers, kinds, scale, length, fresh):
        """Stiffness of hubs and prescribed places about the equilibrium y with all else following, into m.reduced, and
        the forces on the ends of chains into m.ends. fresh: whether the tangent is that of y already.

        What nothing holds is held slightly meanwhile.
        """
        if not fresh:
            clear(m)
            tangent(case, y, m)
            set_scale(case, y, m, v, levers, kinds, length, scale)
        reduce(m, LEAST_SHIFT, scale, True, False)
        pull_ends(case, y, m)

    @kernel
    def find(case, m, y, trial, v, levers, kinds, scale, length, task, pieces, patience, memory, report):
        """Search for an equilibrium, or leave the stiffness of hubs and prescribed points about the equilibrium y in
        m.reduced: with the matrix of the search before, where it is `AS_IT_STANDS`."""
        arrive(case, y, 1.0 if task == SEARCH and pieces == 0 else 0.0)
        if task == SEARCH:
            return search(case, m, y, trial, v, levers, kinds, scale, length, pieces, patience, memory, report)
        hold(case, m, y, v, levers, kinds, scale, length, task == AS_IT_STANDS)
        return HELD

    return find
