"""The bars at rest: forces, stiffness, mass and steps for `fairlead.algebra.damped_newton`.

Degrees of freedom: for each bar, then each hub, a global displacement (3) and a body rotation (3). Joints are treated
analytically (a difference quotient of stiff springs would drown the string stiffness), loads by central differences,
one body's loads depending on that body alone. The rows of a chain are the bars allotted to a cable, six each; its ends
are the hubs or prescribed points it is joined to.

The joint forces λ kept in the state (its `multipliers`) are unknowns of their own beside the shape: a step of
Newton's method moves both, λ ← k(C + J δx). The string stiffness comes from λ, never from the gaps, so a sideways
step δ costs an imbalance λδ²/L and not EA·δ²/L², and stiff cables are as easy as soft ones.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from fairlead.algebra.bordered_band import END, Bordered, add_block, add_to_border, copy
from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.damped_newton import KEPT, LOADS
from fairlead.algebra.quaternion import product, rotation
from fairlead.algebra.records import with_state
from fairlead.algebra.small import (
    ZERO3, add, add_scaled, cross, dot, matadd_scaled, matmul, matscale, matvec, outer, scale, skew, subtract,
    transpose, transposed_matvec,
)  # fmt: skip
from fairlead.rigging.cummins import is_afloat
from fairlead.rigging.frames import held_turn, lever_columns
from fairlead.rigging.settling import (
    DIFFERENCE, STICKING, lead, move_along, note_places, place_all, put_way, rest_kernels, step_body,
)  # fmt: skip

from .element import axis_of
from .ropes import is_rope, quick_stiffness, rest_gap, rest_pull
from .schema import plain_system, system
from .static_loads import loads_at_rest
from .topology import is_attached

ONE = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


class Still(NamedTuple):
    """A system held still: seen in some state, room for another, where places go, and the joints.

    start, goal: commands (controls, 3) at the beginning and in the end; before (points, 7): place and turn of each
    point; gaps (joints, 3): how far each is from its kept force [m]; joint (joints, 4): axial stiffness and those about
    the three axes; loose (hubs,): 1 where no torque counts; spare (bars,): stiffness that holds line still on a winch
    where it is, 0 of bars in use; out, inertia, change (bodies, 6): loads, inertias and loads ahead; quick: whether
    what is loaded is loaded quickly
    """

    t: float
    u: np.ndarray
    sys: Any
    probe: np.ndarray
    start: np.ndarray
    goal: np.ndarray
    before: np.ndarray
    gaps: np.ndarray
    joint: np.ndarray
    loose: np.ndarray
    spare: np.ndarray
    out: np.ndarray
    inertia: np.ndarray
    change: np.ndarray
    quick: bool


@kernel
def seen(case, y):
    """The system in state y."""
    return with_state(case.sys, y)


# --- places ----------------------------------------------------------------------------------------------------------
@kernel
def arrive(case, y, share):
    """The state at rest with prescribed points and bodies at a share of their way."""
    sys = seen(case, y)
    for i in range(sys.bars):
        sys.bar_state[i].velocity = sys.bar_state[i].spin = ZERO3
    for h in range(sys.hubs):
        sys.hub_state[h].velocity = sys.hub_state[h].spin = ZERO3
    lead(case, share, sys)


@kernel
def point_of(c, side, sys):
    """Prescribed point of an end of cable c, or −1."""
    return sys.cable[c].start_point if side == 0 else sys.cable[c].end_point


@kernel
def ahead(case, y, m, share):
    """The way of prescribed ends from where they are to a share of their way, and the turn of their clamps."""
    sys = seen(case, y)
    note_places(case, sys)
    copy(y, case.probe)
    arrive(case, case.probe, share)
    for c in range(sys.cables):
        for side in range(2):
            put_way(case, m, c, side, point_of(c, side, sys), sys)
    place_all(sys)


# --- joints ----------------------------------------------------------------------------------------------------------
@kernel
def body_of(c, i, side, sys):
    """The body at a side of joint i of cable c: a bar, behind the bars a hub, or −1."""
    cable = sys.cable[c]
    if side == 0 and i == 0:
        return sys.bars + cable.start_hub if cable.start_hub >= 0 else -1
    if side == 1 and i == cable.count:
        return sys.bars + cable.end_hub if cable.end_hub >= 0 else -1
    return cable.first + i - 1 + side


@kernel
def side_of(c, i, side, sys):
    """A side of joint i of cable c: its place, its offset and turn in its body, its frame and that in body axes.

    Prescribed points turn in global axes.
    """
    body = body_of(c, i, side, sys)
    if 0 <= body < sys.bars:
        bar = sys.bar_state[body]
        R = rotation(bar.turn)
        o = (0.0, 0.0, sys.bar[body].length * (0.5 if side == 0 else -0.5))
        return add_scaled(bar.position, o[2], axis_of(R)), o, R, bar.turn, ONE
    end = sys.end[2 * c + side]
    if body >= 0:
        hub = sys.hub_state[body - sys.bars]
        R = rotation(hub.turn)
        return add(hub.position, matvec(R, end.lever)), end.lever, R, product(hub.turn, end.frame), rotation(end.frame)
    k = point_of(c, side, sys)
    frame = product(held_turn(k, sys), end.frame)
    return sys.point_now[k].position, ZERO3, ONE, frame, rotation(frame)


@kernel
def holds(c, i, sys):
    """Whether joint i of cable c holds: no end of a cable that was released."""
    if i == 0:
        return is_attached(2 * c, sys)
    return i < sys.cable[c].count or is_attached(2 * c + 1, sys)


@kernel
def turn_of(one, two):
    """Turn s, u from the frame of one side to that of the other: nothing at all between frames that are the same, where
    products of their numbers would leave what rounding leaves."""
    near = 1.0 if one[0] * two[0] + one[1] * two[1] + one[2] * two[2] + one[3] * two[3] >= 0.0 else -1.0
    axis, change = (one[1], one[2], one[3]), (near * two[1] - one[1], near * two[2] - one[2], near * two[3] - one[3])
    u = add_scaled(scale(one[0], change), one[0] - near * two[0], axis)
    u = subtract(u, cross(axis, change))
    return math.sqrt(max(0.0, 1.0 - dot(u, u))), u


@kernel
def lever_of(s, u, side):
    """s·1 ∓ S(u), which turns a rate of either side into that of 2u."""
    return matadd_scaled(matscale(s, ONE), -1.0 if side == 0 else 1.0, skew(u))


@kernel
def law_of(case, joint, kept, sys):
    """Stiffness of a joint along the force it was left with, and across it, where it is the secant [N/m]."""
    if sys.ropes == 0 or not is_rope(joint, sys):
        return case.joint[joint, 0], case.joint[joint, 0]
    tension = max(math.sqrt(dot(kept, kept)), 1.0e-6)
    gap, stiff = rest_gap(joint, tension, sys)
    return quick_stiffness(joint, tension, sys) if case.quick else stiff, tension / gap


@kernel
def force_of(case, joint, gap, kept, sys):
    """Force of a joint by its gap."""
    if sys.ropes == 0 or not is_rope(joint, sys):
        return scale(case.joint[joint, 0], gap)
    size = math.sqrt(dot(gap, gap))
    return scale(rest_pull(joint, size, math.sqrt(dot(kept, kept)), sys) / max(size, 1.0e-12), gap)


@kernel
def moment_of(case, joint, u):
    """Moment of a joint in the frame of its first side."""
    k = case.joint[joint]
    return (2.0 * k[1] * u[0], 2.0 * k[2] * u[1], 2.0 * k[3] * u[2])


@kernel
def put_force(case, body, sign, force, moment, o, R, F, lever):
    """Add force and moment of a joint to the body of one of its sides."""
    f = scale(-sign, force)
    torque = add_scaled(cross(o, transposed_matvec(R, f)), -sign, matvec(F, transposed_matvec(lever, moment)))
    for k in range(3):
        case.out[body, k] += f[k]
        case.out[body, 3 + k] += torque[k]


@kernel
def loads(case, y):
    """Loads on all bodies, into `out`."""
    loads_at_rest(case.t, case.u, case.out, case.inertia, seen(case, y))
    bars = case.spare.shape[0]
    for i in range(bars):
        if case.spare[i] > 0.0:
            case.out[i] = 0.0
    for h in range(case.loose.shape[0]):
        if case.loose[h] == 1:
            case.out[bars + h, 3:] = 0.0


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


# --- stiffness -------------------------------------------------------------------------------------------------------
@kernel
def index_of(c, i, side, m, sys):
    """Where the body at a side of joint i stands among the rows and ends of its chain."""
    cable = sys.cable[c]
    if side == 0 and i == 0:
        return m.chain[c, 1]
    return m.chain[c, 1] + END if side == 1 and i == cable.count else 6 * (cable.first + i - 1 + side) - m.chain[c, 0]


@kernel
def add_pair(case, m, c, joint, a, b, one, two, kept, s, u, sys):
    """Add the stiffness −∂(force, moment)/∂(move, turn) of side a of a joint, `one`, against moves of side b, `two`.

    Of a side: where it stands, whether it is prescribed, its offset and turn in its body, U, and its frame there.
    """
    k = case.joint[joint]
    rows, held, o, R, U_a, F_a = one
    columns, _, _, _, U_b, F_b = two
    row_sign, column_sign = (-1.0 if a == 0 else 1.0), (-1.0 if b == 0 else 1.0)
    along, across = law_of(case, joint, kept, sys)
    axial = row_sign * column_sign * across
    add_block(m, c, rows, columns, axial, ONE)
    add_block(m, c, rows, columns + 3, axial, U_b)
    add_block(m, c, rows + 3, columns, axial, transpose(U_a))
    add_block(m, c, rows + 3, columns + 3, axial, matmul(transpose(U_a), U_b))
    if along != across:
        line = matscale(1.0 / max(dot(kept, kept), 1.0e-300), outer(kept, kept))
        more = row_sign * column_sign * (along - across)
        add_block(m, c, rows, columns, more, line)
        add_block(m, c, rows, columns + 3, more, matmul(line, U_b))
        add_block(m, c, rows + 3, columns, more, matmul(transpose(U_a), line))
        add_block(m, c, rows + 3, columns + 3, more, matmul(transpose(U_a), matmul(line, U_b)))
    if k[1] != 0.0 or k[3] != 0.0:
        # moment on the body of side a: −sign·F·leverᵀ·λ with λ = K·2u and 2δu = Σ sign·lever·Fᵀ·δθ
        moment = moment_of(case, joint, u)
        turn = matscale(column_sign, matmul(lever_of(s, u, b), transpose(F_b)))
        stiff = (
            k[1] * turn[0], k[1] * turn[1], k[1] * turn[2], k[2] * turn[3], k[2] * turn[4], k[2] * turn[5],
            k[3] * turn[6], k[3] * turn[7], k[3] * turn[8],
        )  # fmt: skip
        lever = lever_of(s, u, a)
        change = matmul(transpose(lever), stiff)
        # and the lever itself changes: δs·λ ± δu × λ with δs = −½ u·(δθ₂ − δθ₁)
        change = matadd_scaled(change, 1.0, outer(moment, scale(-0.5 * column_sign, matvec(F_b, u))))
        change = matadd_scaled(change, 0.5 * row_sign, matmul(skew(moment), turn))
        add_block(m, c, rows + 3, columns + 3, row_sign, matmul(F_a, change))
        if a == b and held:  # the moment on a prescribed point turns with the clamp, whose axes it is in
            add_block(m, c, rows + 3, columns + 3, -row_sign, skew(matvec(F_a, transposed_matvec(lever, moment))))
    if a == b:  # a joint force turns about the body it acts on: −S(o)S(f)
        f = scale(-row_sign, transposed_matvec(R, kept))
        add_block(m, c, rows + 3, columns + 3, -1.0, matmul(skew(o), skew(f)))


@kernel
def add_joint(case, m, c, i, sys):
    """Add the stiffness of joint i of cable c."""
    joint = sys.cable[c].first + c + i
    _, o1, R1, q1, F1 = side_of(c, i, 0, sys)
    _, o2, R2, q2, F2 = side_of(c, i, 1, sys)
    s, u = turn_of(q1, q2)
    kept = sys.multipliers[joint].force
    one = (index_of(c, i, 0, m, sys), body_of(c, i, 0, sys) < 0, o1, R1, lever_columns(R1, o1), F1)
    two = (index_of(c, i, 1, m, sys), body_of(c, i, 1, sys) < 0, o2, R2, lever_columns(R2, o2), F2)
    add_pair(case, m, c, joint, 0, 0, one, one, kept, s, u, sys)
    add_pair(case, m, c, joint, 0, 1, one, two, kept, s, u, sys)
    add_pair(case, m, c, joint, 1, 0, two, one, kept, s, u, sys)
    add_pair(case, m, c, joint, 1, 1, two, two, kept, s, u, sys)


@kernel
def change_loads(case, y, which, d, probe):
    """Twice `DIFFERENCE` times −∂loads/∂x of all bodies, into `change`, where every one is moved or turned along its
    degree of freedom d, or hub `which` alone."""
    for side in range(2):
        copy(y, case.probe)
        by = DIFFERENCE if side == 0 else -DIFFERENCE
        for i in range(probe.bars if which < 0 else 0):
            move_along(probe.bar_state[i], d, by)
        for h in range(probe.hubs):
            if which < 0 or h == which:
                move_along(probe.hub_state[h], d, by)
        loads(case, case.probe)
        for body in range(case.out.shape[0]):
            for k in range(6):
                case.change[body, k] = case.out[body, k] - (case.change[body, k] if side == 1 else 0.0)


@kernel
def tangent(case, y, m):
    """Stiffness −∂forces/∂x with the string stiffness of the kept joint forces: see `damped_newton`."""
    sys = seen(case, y)
    for c in range(sys.cables):
        for i in range(sys.cable[c].count + 1):
            if holds(c, i, sys):
                add_joint(case, m, c, i, sys)
    set_reach(case, y, m)
    probe = seen(case, case.probe)
    rows, w = m.band.shape[0], m.band.shape[1] // 2
    for row in range(rows):
        m.band[row, w] += case.spare[row // 6]
    apart = sys.ptos > 0  # then hubs feel each other
    for turn in range(6 * sys.hubs + 6 if apart else 6):
        d, which = turn % 6, turn // 6 - 1
        change_loads(case, y, which, d, probe)
        for body in range(case.out.shape[0]):
            for k in range(6):
                value = case.change[body, k] / (2.0 * DIFFERENCE)
                if 6 * body < rows:
                    if which < 0:
                        m.band[6 * body + k, d - k + w] += value
                elif (which >= 0) == apart:
                    column = 6 * (which if apart else body) - (0 if apart else rows) + d
                    add_to_border(m, 6 * body - rows + k, column, value)


@kernel
def set_reach(case, y, m):
    """Ends of cables move with hubs and prescribed points: see `rest_kernels`."""
    for c in range(m.chain.shape[0]):
        for p in range(2 * END):
            for q in range(END):
                m.reach[c, p, q] = 1.0 if p % END == q else 0.0


# --- mass ------------------------------------------------------------------------------------------------------------
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


# --- steps -----------------------------------------------------------------------------------------------------------
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
def find_rest(t, y, u, ints, reals, work, joint, loose, spare, probe, trial, start, goal, before, gaps, out, inertia,
              change, chain, site, sizes, band, across, back, corner, reach, border, factor, follow, reduced, local,
              ends, v, levers, kinds, scales, length, task, pieces, patience, memory, report):  # fmt: skip
    """Search for an equilibrium in a `plain_system`, or do a task: see `rest_kernels`."""
    case = Still(t, u, plain_system(ints, reals, y, work), probe, start, goal, before, gaps, joint, loose, spare, out,
                 inertia, change, task == STICKING)  # fmt: skip
    m = Bordered(chain, site, sizes, band, across, back, corner, reach, border, factor, follow, reduced, local, ends)
    return find(case, m, y, trial, v, levers, kinds, scales, length, task, pieces, patience, memory, report)


@entry
def find_rest_rigged(t, y, u, ints, reals, work, joint, loose, spare, probe, trial, start, goal, before, gaps, out,
                     inertia, change, chain, site, sizes, band, across, back, corner, reach, border, factor, follow,
                     reduced, local, ends, v, levers, kinds, scales, length, task, pieces, patience, memory,
                     report):  # fmt: skip
    """The same in any system."""
    case = Still(t, u, system(ints, reals, y, work), probe, start, goal, before, gaps, joint, loose, spare, out,
                 inertia, change, task == STICKING)  # fmt: skip
    m = Bordered(chain, site, sizes, band, across, back, corner, reach, border, factor, follow, reduced, local, ends)
    return find(case, m, y, trial, v, levers, kinds, scales, length, task, pieces, patience, memory, report)
