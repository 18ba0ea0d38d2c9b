"""The bars at rest: balance, mass and steps for `fairlead.algebra.damped_newton`, and its entry."""

from __future__ import annotations

import math

from fairlead.algebra.bordered_band import END, Bordered, add_block, add_to_border, copy
from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.damped_newton import KEPT, LOADS
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import (
    ZERO3, add, add_scaled, cross, dot, matadd_scaled, matscale, matvec, outer, scale, subtract, transpose,
    transposed_matvec,
)  # fmt: skip
from fairlead.rigging.cummins import is_afloat
from fairlead.rigging.frames import lever_columns
from fairlead.rigging.settling import STICKING, rest_kernels, step_body

from .element import axis_of
from .schema import plain_system, system
from .still import (
    ONE, Still, ahead, arrive, body_of, force_of, holds, law_of, lever_of, loads, moment_of, seen, side_of, turn_of,
)  # fmt: skip
from .tangent import index_of, set_reach, tangent


@kernel
def put_force(case, body, sign, force, moment, o, R, F, lever):
    """Add force and moment of a joint to the body of one of its sides."""
    f = scale(-sign, force)
    torque = add_scaled(cross(o, transposed_matvec(R, f)), -sign, matvec(F, transposed_matvec(lever, moment)))
    for k in range(3):
        case.out[body, k] += f[k]
        case.out[body, 3 + k] += torque[k]


@kernel
def balance(case, y, mode, v, column):
    """Forces on the degrees of freedom: see `damped_newton`."""
    loads(case, y)
    sys = seen(case, y)
    gap2, widest, stress = 0.0, 0.0, 0.0
    if mode != LOADS:
        for c in range(sys.cables):
            for i in range(sys.cable[c].count + 1):
                joint = sys.cable[c].first + c + i
                if not holds(c, i, sys):
                    case.gaps[joint] = 0.0
                    continue
                p1, o1, R1, q1, F1 = side_of(c, i, 0, sys)
                p2, o2, R2, q2, F2 = side_of(c, i, 1, sys)
                s, u = turn_of(q1, q2)
                gap, kept = subtract(p2, p1), sys.multipliers[joint].force
                miss = add_scaled(gap, -1.0 / law_of(case, joint, kept, sys)[1], kept)
                case.gaps[joint, 0], case.gaps[joint, 1], case.gaps[joint, 2] = miss
                gap2 += dot(miss, miss)
                widest = max(widest, abs(miss[0]), abs(miss[1]), abs(miss[2]))
                stress = max(stress, math.sqrt(dot(kept, kept)))
                force, moment = kept, moment_of(case, joint, u)
                if mode != KEPT:
                    force = force_of(case, joint, gap, kept, sys)
                one, two = body_of(c, i, 0, sys), body_of(c, i, 1, sys)
                if one >= 0:
                    put_force(case, one, -1.0, force, moment, o1, R1, F1, lever_of(s, u, 0))
                if two >= 0:
                    put_force(case, two, 1.0, force, moment, o2, R2, F2, lever_of(s, u, 1))
    for body in range(case.out.shape[0]):
        for k in range(6):
            v[6 * body + k, column] = case.out[body, k]
    return gap2, widest, stress


@kernel
def pull_ends(case, y, m):
    """Forces of the joints at both ends of every cable on what they are joined to: see `damped_newton`."""
    sys = seen(case, y)
    for c in range(sys.cables):
        for side in range(2):
            i = sys.cable[c].count * side
            p1, _, _, _, _ = side_of(c, i, 0, sys)
            p2, _, _, _, _ = side_of(c, i, 1, sys)
            joint = sys.cable[c].first + c + i
            force = force_of(case, joint, subtract(p2, p1), sys.multipliers[joint].force, sys)
            force = scale((1.0 if side == 0 else -1.0) if holds(c, i, sys) else 0.0, force)
            for k in range(3):
                m.ends[c, END * side + k] = force[k]


@kernel
def add_mass(case, y, m):
    """Mass of all bodies with added mass: see `rest_kernels`. That of floaters by coefficients is left in `matrix`."""
    loads(case, y)
    sys = seen(case, y)
    for c in range(sys.cables):
        first = sys.cable[c].allotted_first
        for i in range(first, first + sys.cable[c].allotted_count):
            at, R, inertia = 6 * i - m.chain[c, 0], rotation(sys.bar_state[i].turn), case.inertia[i]
            across, along, coupling, jx, jz = inertia[0], inertia[1], inertia[2], inertia[3], inertia[4]
            if case.spare[i] > 0.0:
                across, along, coupling, jx, jz = 1.0, 1.0, 0.0, 1.0, 1.0
            axis = axis_of(R)
            swing = matscale(coupling, (-R[1], R[0], 0.0, -R[4], R[3], 0.0, -R[7], R[6], 0.0))
            add_block(m, c, at, at, 1.0, matadd_scaled(matscale(across, ONE), along - across, outer(axis, axis)))
            add_block(m, c, at, at + 3, 1.0, swing)
            add_block(m, c, at + 3, at, 1.0, transpose(swing))
            add_block(m, c, at + 3, at + 3, 1.0, (jx, 0.0, 0.0, 0.0, jx, 0.0, 0.0, 0.0, jz))
    for h in range(sys.hubs):
        if not is_afloat(h, sys):
            R, inertia = rotation(sys.hub_state[h].turn), case.inertia[sys.bars + h]
            for k in range(3):
                for p in range(3):
                    for q in range(3):
                        add_to_border(m, 6 * h + p, 6 * h + q, R[3 * p + k] * inertia[k] * R[3 * q + k])
                add_to_border(m, 6 * h + 3 + k, 6 * h + 3 + k, inertia[3 + k])


@kernel
def shift_of(c, i, side, o, R, m, v, column, sys):
    """How a side of joint i of cable c moves in a step."""
    at = index_of(c, i, side, m, sys)
    n, first = m.chain[c, 1], m.chain[c, 0] + at
    x, turn = ZERO3, ZERO3
    if at >= n:
        e = m.ends[c]
        k = at - n
        x, turn = (e[k], e[k + 1], e[k + 2]), (e[k + 3], e[k + 4], e[k + 5])
    else:
        x = (v[first, column], v[first + 1, column], v[first + 2, column])
        turn = (v[first + 3, column], v[first + 4, column], v[first + 5, column])
    return add(x, matvec(lever_columns(R, o), turn))


@kernel
def displace(case, y, m, v, column, share, trial):
    """The state after a share of a step of the bodies and of the joint forces with it: see `damped_newton`."""
    copy(y, trial)
    sys, old = seen(case, trial), seen(case, y)
    for c in range(sys.cables):
        for i in range(sys.cable[c].count + 1):
            joint = sys.cable[c].first + c + i
            if not holds(c, i, sys):
                continue
            p1, o1, R1, _, _ = side_of(c, i, 0, old)
            p2, o2, R2, _, _ = side_of(c, i, 1, old)
            gap = subtract(p2, p1)
            gap = add(gap, shift_of(c, i, 1, o2, R2, m, v, column, old))
            gap = subtract(gap, shift_of(c, i, 0, o1, R1, m, v, column, old))
            kept = old.multipliers[joint].force
            along, across = law_of(case, joint, kept, old)
            new = subtract(scale(across, gap), kept)
            if along != across:  # λ + (along − across)(n·(C − λ/across)) n
                new = add_scaled(new, (along - across) * dot(kept, gap) / dot(kept, kept) + 1.0 - along / across, kept)
            sys.multipliers[joint].force = add_scaled(kept, share, new)
    for i in range(sys.bars):
        step_body(sys.bar_state[i], 6 * i, v, column, share, True)
    for h in range(sys.hubs):
        step_body(sys.hub_state[h], 6 * (sys.bars + h), v, column, share, True)


@kernel
def remember(case, y):
    """Keep the joint forces of the gaps: see `rest_kernels`."""
    sys = seen(case, y)
    for c in range(sys.cables):
        for i in range(sys.cable[c].count + 1):
            joint = sys.cable[c].first + c + i
            p1, _, _, _, _ = side_of(c, i, 0, sys)
            p2, _, _, _, _ = side_of(c, i, 1, sys)
            kept = sys.multipliers[joint]
            kept.force = force_of(case, joint, subtract(p2, p1), kept.force, sys) if holds(c, i, sys) else ZERO3


find = rest_kernels(balance, tangent, displace, ahead, arrive, pull_ends, set_reach, add_mass, remember)


@entry
def find_rest(t, y, u, ints, reals, work, joint, loose, spare, slide, probe, trial, start, goal, before, gaps, out,
              inertia, change, chain, site, sizes, band, across, back, corner, reach, border, factor, follow, reduced,
              local, ends, v, levers, kinds, scales, length, task, pieces, patience, memory, report):  # fmt: skip
    """Search for an equilibrium in a `plain_system`, or do a task: see `rest_kernels`."""
    case = Still(t, u, plain_system(ints, reals, y, work), probe, start, goal, before, gaps, joint, loose, spare, out,
                 inertia, change, task == STICKING, slide)  # fmt: skip
    m = Bordered(chain, site, sizes, band, across, back, corner, reach, border, factor, follow, reduced, local, ends)
    return find(case, m, y, trial, v, levers, kinds, scales, length, task, pieces, patience, memory, report)


@entry
def find_rest_rigged(t, y, u, ints, reals, work, joint, loose, spare, slide, probe, trial, start, goal, before, gaps,
                     out, inertia, change, chain, site, sizes, band, across, back, corner, reach, border, factor,
                     follow, reduced, local, ends, v, levers, kinds, scales, length, task, pieces, patience, memory,
                     report):  # fmt: skip
    """The same in any system."""
    case = Still(t, u, system(ints, reals, y, work), probe, start, goal, before, gaps, joint, loose, spare, out,
                 inertia, change, task == STICKING, slide)  # fmt: skip
    m = Bordered(chain, site, sizes, band, across, back, corner, reach, border, factor, follow, reduced, local, ends)
    return find(case, m, y, trial, v, levers, kinds, scales, length, task, pieces, patience, memory, report)
