"""The point masses at rest in compiled code: forces, stiffness and steps for `fairlead.algebra.damped_newton`.

What is solved and how it is written down is that of `linearised`: springs and bending analytically, loads by central
differences, tensions as unknowns of their own. The rows of a chain are its inner nodes; its ends are the end nodes,
each with the turn of its clamp behind it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from fairlead.algebra.bordered_band import END, Bordered, add_block, add_entry, copy
from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.damped_newton import AS_IT_STANDS, HELD, KEPT, LOADS, STRETCHED, kernels, turn_between
from fairlead.algebra.quaternion import rotation, turned
from fairlead.algebra.small import (
    add, add_scaled, cross, dot, matadd_scaled, matmul, matscale, matvec, outer, scale, skew, subtract, symvec,
    transposed_matvec,
)  # fmt: skip
from fairlead.rigging.axial import axial_slope, axial_tension
from fairlead.rigging.frames import lever_columns

from .assembly import assemble
from .bending import general, turning_rate
from .ends import ZERO3, place_end
from .hubs import begin
from .points import carry_all, clamp_direction, place_points
from .schema import CARRIED, system
from .scheme import PLAIN, set_scheme

DIFFERENCE = 1e-5
"""Half width of the load differences, m and rad."""
ONE = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


class Still(NamedTuple):
    """A system held still: its arrays, those without springs and bending, room for a state, and where places go.

    start, goal: commands (controls, 3) at the beginning and in the end; before (points, 7): place and turn of each
    point; change (nodes, 3): loads ahead
    """

    t: float
    u: np.ndarray
    ints: np.ndarray
    reals: np.ndarray
    slack: np.ndarray
    work: np.ndarray
    probe: np.ndarray
    start: np.ndarray
    goal: np.ndarray
    before: np.ndarray
    change: np.ndarray


@kernel
def springy(case, y):
    """The system in state y with its springs."""
    return system(case.ints, case.reals, y, case.work)


@kernel
def loaded(case):
    """The system without springs in the state that loads are looked at."""
    return system(case.ints, case.slack, case.probe, case.work)


# --- places ----------------------------------------------------------------------------------------------------------
@kernel
def command(case, y, share):
    """Prescribed points and bodies at a share of their way."""
    sys = springy(case, y)
    for k in range(sys.controls):
        a, b = case.start[k], case.goal[k]
        place = (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2]))
        sys.control[k].position, sys.control[k].velocity = place, ZERO3
    place_all(sys)


@kernel
def place_all(sys):
    """Prescribed points and bodies where the state has them."""
    for k in range(sys.controls):
        motion = sys.motion[k]
        motion.position, motion.velocity, motion.acceleration = sys.control[k].position, ZERO3, ZERO3
    place_points(sys)
    carry_all(sys)


@kernel
def join(sys):
    """End nodes at what they are joined to."""
    for c in range(sys.cables):
        cable = sys.cable[c]
        for side in range(2):
            place_end(2 * c + side, sys.node[cable.first + c + side * cable.count], sys)


@kernel
def arrive(case, y, share):
    """The state with prescribed places at a share of their way, end nodes with them."""
    command(case, y, share)
    join(springy(case, y))


@kernel
def stop(sys):
    """Nodes and hubs at rest."""
    for i in range(sys.nodes):
        sys.node[i].velocity = ZERO3
    for h in range(sys.hubs):
        sys.hub[h].velocity = sys.hub[h].spin = ZERO3


@kernel
def turn_of(k, sys):
    """How the body of prescribed point k is turned."""
    return sys.frame[sys.owner[k].frame].turn if sys.owner[k].frame >= 0 else (1.0, 0.0, 0.0, 0.0)


@kernel
def ahead(case, y, m, share):
    """The way of prescribed ends from where they are to a share of their way, and the turn of their clamps."""
    sys = springy(case, y)
    for k in range(sys.points):
        q, x = turn_of(k, sys), sys.point[k].position
        for i in range(3):
            case.before[k, i] = x[i]
        for i in range(4):
            case.before[k, 3 + i] = q[i]
    copy(y, case.probe)
    command(case, case.probe, share)
    for c in range(sys.cables):
        for side in range(2):
            k = sys.joint[2 * c + side].point
            if k < 0:
                continue
            x, old = sys.point[k].position, case.before[k]
            turn = turn_between((old[3], old[4], old[5], old[6]), turn_of(k, sys))
            for i in range(3):
                m.ends[c, END * side + i], m.ends[c, END * side + 3 + i] = x[i] - old[i], turn[i]
    place_all(sys)


# --- forces ----------------------------------------------------------------------------------------------------------
@kernel
def look_at(case, y):
    """Begin to look at the loads on state y: ends where they are, their pull known to what it drives."""
    copy(y, case.probe)
    sys = loaded(case)
    set_scheme(PLAIN, 0.0, sys)
    for c in range(sys.cables):
        first, count = sys.cable[c].first, sys.cable[c].count
        for side in range(2):
            hold = sys.hold[2 * c + side]
            hold.attached = 0.0
            hold.pull = max(0.0, sys.spring[first + (count - 1 if side == 1 else 0)].tension)


@kernel
def node_loads(case):
    """Loads on all nodes, into the rows."""
    sys = loaded(case)
    for c in range(sys.cables):
        assemble(c, case.t, True, sys)


@kernel
def chord(i, sys):
    """Direction and length of the element that begins at node i."""
    d = subtract(sys.node[i + 1].position, sys.node[i].position)
    span = math.sqrt(dot(d, d))
    return scale(1.0 / span, d), span


@kernel
def pull_of(e, span, sys):
    """Tension of an element by its length, its slope, and the slope that a gap is measured with."""
    element = sys.element[e]
    stretch = span / element.length
    tension = axial_tension(sys.green, stretch, element.stiffness)
    slope = axial_slope(sys.green, stretch, element.length, element.stiffness)
    if element.pushed != CARRIED and not span > element.length:
        tension, slope = 0.0, 0.0
    slope = max(0.0, slope)
    return tension, slope, slope if slope > 0.0 else element.stiffness / element.length


@kernel
def bending_stiffness(c, i, sys):
    """k [N m] of the turn at node i of cable c; 0 where nothing resists it."""
    first, count = sys.cable[c].first, sys.cable[c].count
    if i == 0 or i == count:
        if sys.joint[2 * c + (1 if i == count else 0)].clamp == 0:
            return 0.0
        element = sys.element[first + (count - 1 if i == count else 0)]
        return 2.0 * element.bending / element.length
    one, two = sys.element[first + i - 1], sys.element[first + i]
    if one.bending == 0.0 or two.bending == 0.0:
        return 0.0
    return 2.0 / (one.length / one.bending + two.length / two.bending)


@kernel
def beside(c, i, sys):
    """Directions and lengths before and after node i of cable c; a clamp stands for the element that is not there."""
    first, count = sys.cable[c].first, sys.cable[c].count
    t1, l1, t2, l2 = (0.0, 0.0, 0.0), math.inf, (0.0, 0.0, 0.0), math.inf
    if i > 0:
        t1, l1 = chord(first + c + i - 1, sys)
    else:
        t1 = clamp_direction(2 * c, sys)
    if i < count:
        t2, l2 = chord(first + c + i, sys)
    else:
        t2 = clamp_direction(2 * c + 1, sys)
    return t1, l1, t2, l2


@kernel
def pull_apart(i, force, sys):
    """A force on the vector from node i to the next."""
    sys.row[i].r = subtract(sys.row[i].r, force)
    sys.row[i + 1].r = add(sys.row[i + 1].r, force)


@kernel
def forces(case, y, mode):
    """Forces on all nodes and hubs, into the rows and balances; returns gaps and stress as `balance` does."""
    look_at(case, y)
    sys = loaded(case)
    if sys.hubs > 0:
        begin(case.t, case.u, sys)
    node_loads(case)
    if mode == LOADS:
        return 0.0, 0.0, 0.0
    sys = springy(case, y)
    gap2, widest, stress = 0.0, 0.0, 0.0
    for c in range(sys.cables):
        first, count = sys.cable[c].first, sys.cable[c].count
        for i in range(count):
            axis, span = chord(first + c + i, sys)
            tension, _, stiff = pull_of(first + i, span, sys)
            kept = sys.spring[first + i].tension
            gap = (tension - kept) / stiff
            gap2 += gap * gap
            widest, stress = max(widest, abs(gap)), max(stress, abs(kept))
            pull_apart(first + c + i, scale(-kept if mode == KEPT else -tension, axis), sys)
        if sys.cable[c].bends == 1:
            for i in range(count + 1):
                k = bending_stiffness(c, i, sys)
                if k > 0.0:
                    t1, l1, t2, l2 = beside(c, i, sys)
                    if i > 0:
                        pull_apart(first + c + i - 1, scale(k, symvec(turning_rate(t1, l1), t2)), sys)
                    if i < count:
                        pull_apart(first + c + i, scale(k, symvec(turning_rate(t2, l2), t1)), sys)
    return gap2, widest, stress


@kernel
def balance(case, y, mode, v, column):
    """Forces on the degrees of freedom: see `damped_newton`."""
    gap2, widest, stress = forces(case, y, mode)
    sys = springy(case, y)
    at, b = 0, sys.hub_size
    for c in range(sys.cables):
        first = sys.cable[c].first + c
        for i in range(1, sys.cable[c].count):
            r = sys.row[first + i].r
            for k in range(3):
                v[at + k, column] = r[k]
            at += 3
    for h in range(sys.hubs):
        force, torque = sys.balance[h].force, sys.balance[h].torque
        for k in range(b):
            v[at + b * h + k, column] = force[k] if k < 3 else torque[k - 3]
    for end in range(2 * sys.cables):
        h = sys.joint[end].hub
        if h >= 0:
            r = end_force(end, sys)
            for k in range(3):
                v[at + b * h + k, column] += r[k]
            if b == 6:
                torque = cross(sys.end[end].offset, transposed_matvec(rotation(sys.hub[h].turn), r))
                for k in range(3):
                    v[at + b * h + 3 + k, column] += torque[k]
    return gap2, widest, stress


@kernel
def end_force(end, sys):
    """Force on the end node of a cable."""
    c = end // 2
    return sys.row[sys.cable[c].first + c + (sys.cable[c].count if end % 2 == 1 else 0)].r


@kernel
def pull_ends(case, y, m):
    """Forces on all end nodes, tensions those of the stretch: see `damped_newton`."""
    forces(case, y, STRETCHED)
    sys = springy(case, y)
    for end in range(2 * sys.cables):
        force = end_force(end, sys)
        for k in range(3):
            m.ends[end // 2, END * (end % 2) + k] = force[k]


# --- stiffness -------------------------------------------------------------------------------------------------------
@kernel
def index_of(c, i, count, m):
    """Where node i of cable c stands among the rows and ends of its chain."""
    n = m.chain[c, 1]
    return n if i == 0 else n + END if i == count else 3 * (i - 1)


@kernel
def add_between(m, c, i, j, count, factor, block):
    """Add the stiffness of the vectors from node i to i + 1 against those from node j to j + 1."""
    for p in range(2):
        for q in range(2):
            sign = factor if p == q else -factor
            add_block(m, c, index_of(c, i + p, count, m), index_of(c, j + q, count, m), sign, block)


@kernel
def add_bend(m, c, i, count, k, sys):
    """Add the second derivatives of U = −k t₁·t₂ at node i; a clamp turns with its point."""
    t1, l1, t2, l2 = beside(c, i, sys)
    cosine = dot(t1, t2)
    q1, q2 = general(turning_rate(t1, l1)), general(turning_rate(t2, l2))
    if i > 0:
        side = matvec(q1, t2)
        mixed = matadd_scaled(outer(side, t1), 1.0, outer(t1, side))
        add_between(m, c, i - 1, i - 1, count, k / l1, matadd_scaled(mixed, cosine, q1))
    if i < count:
        side = matvec(q2, t1)
        mixed = matadd_scaled(outer(side, t2), 1.0, outer(t2, side))
        add_between(m, c, i, i, count, k / l2, matadd_scaled(mixed, cosine, q2))
    if 0 < i < count:
        block = matmul(q1, q2)
        add_between(m, c, i - 1, i, count, -k, block)
        add_between(m, c, i, i - 1, count, -k, matmul(q2, q1))
        return
    turn = m.chain[c, 1] + 3 + (END if i == count else 0)
    clamp, t, q, node = (t1, t2, q2, i) if i == 0 else (t2, t1, q1, i - 1)
    force = matmul(q, skew(clamp))
    back = matmul(matscale(-1.0, skew(clamp)), q)
    for p in range(2):
        at, sign = index_of(c, node + p, count, m), -k if p == 0 else k
        add_block(m, c, at, turn, sign, force)
        add_block(m, c, turn, at, sign, back)
    add_block(m, c, turn, turn, k, matadd_scaled(matscale(cosine, ONE), -1.0, outer(clamp, t)))


@kernel
def tangent(case, y, m):
    """Stiffness −∂forces/∂x with the string stiffness of the kept tensions: see `damped_newton`."""
    forces(case, y, KEPT)
    sys = springy(case, y)
    b = sys.hub_size
    for c in range(sys.cables):
        first, count = sys.cable[c].first, sys.cable[c].count
        for i in range(count):
            axis, span = chord(first + c + i, sys)
            _, slope, _ = pull_of(first + i, span, sys)
            string = sys.spring[first + i].tension / span
            block = matadd_scaled(matscale(string, ONE), slope - string, outer(axis, axis))
            add_between(m, c, i, i, count, 1.0, block)
        if sys.cable[c].bends == 1:
            for i in range(count + 1):
                k = bending_stiffness(c, i, sys)
                if k > 0.0:
                    add_bend(m, c, i, count, k, sys)
    for end in range(2 * sys.cables):
        set_reach(end, m, sys)
        h = sys.joint[end].hub
        if h >= 0 and b == 6:  # a force turns about the body it acts on: −S(o)S(f)
            f = transposed_matvec(rotation(sys.hub[h].turn), end_force(end, sys))
            lever = matmul(skew(sys.end[end].offset), skew(f))
            for p in range(3):
                for q in range(3):
                    m.border[b * h + 3 + p, b * h + 3 + q] -= lever[3 * p + q]
    add_load_stiffness(case, y, m)
    add_hub_stiffness(case, y, m)


@kernel
def set_reach(end, m, sys):
    """How the end node of a cable moves with its hub, or with its prescribed point and the turn of that."""
    c, h = end // 2, sys.joint[end].hub
    top = END * (end % 2)
    m.reach[c, top : top + END] = 0.0
    for k in range(3):
        m.reach[c, top + k, k] = 1.0
        if h < 0:
            m.reach[c, top + 3 + k, 3 + k] = 1.0
    if h >= 0 and sys.hub_size == 6:
        columns = lever_columns(rotation(sys.hub[h].turn), sys.end[end].offset)
        for p in range(3):
            for q in range(3):
                m.reach[c, top + p, 3 + q] = columns[3 * p + q]


@kernel
def shift_third(third, d, by, sys):
    """Every third node moved along axis d."""
    for i in range(third, sys.nodes, 3):
        x = sys.node[i].position
        sys.node[i].position = (
            x[0] + (by if d == 0 else 0.0), x[1] + (by if d == 1 else 0.0), x[2] + (by if d == 2 else 0.0),
        )  # fmt: skip


@kernel
def add_load_stiffness(case, y, m):
    """−∂loads/∂x of the nodes: every third node moved at once, its neighbours' loads change with it."""
    look_at(case, y)
    sys = loaded(case)
    for third in range(3):
        for d in range(3):
            shift_third(third, d, DIFFERENCE, sys)
            node_loads(case)
            for i in range(sys.nodes):
                r = sys.row[i].r
                case.change[i, 0], case.change[i, 1], case.change[i, 2] = r[0], r[1], r[2]
            shift_third(third, d, -2.0 * DIFFERENCE, sys)
            node_loads(case)
            shift_third(third, d, DIFFERENCE, sys)
            for c in range(sys.cables):
                first, count = sys.cable[c].first + c, sys.cable[c].count
                for j in range((third - first) % 3, count + 1, 3):
                    column = index_of(c, j, count, m) + d
                    for i in range(max(0, j - 1), min(count, j + 1) + 1):
                        row, r = index_of(c, i, count, m), sys.row[first + i].r
                        for p in range(3):
                            value = (r[p] - case.change[first + i, p]) / (2.0 * DIFFERENCE)
                            if value != 0.0:
                                add_entry(m, c, row + p, column, value)


@kernel
def move_hubs(d, by, sys):
    """Every hub moved or turned along its degree of freedom d."""
    for h in range(sys.hubs):
        hub = sys.hub[h]
        if d < 3:
            x = hub.position
            hub.position = (
                x[0] + (by if d == 0 else 0.0), x[1] + (by if d == 1 else 0.0), x[2] + (by if d == 2 else 0.0),
            )  # fmt: skip
        else:
            hub.turn = turned(hub.turn, by if d == 3 else 0.0, by if d == 4 else 0.0, by if d == 5 else 0.0)


@kernel
def add_hub_stiffness(case, y, m):
    """−∂/∂x of the hubs' own loads."""
    sys = loaded(case)
    b = sys.hub_size
    if sys.hubs == 0:
        return
    for d in range(b):
        for side in range(2):
            look_at(case, y)
            move_hubs(d, DIFFERENCE if side == 0 else -DIFFERENCE, sys)
            begin(case.t, case.u, sys)
            sign = (-0.5 if side == 0 else 0.5) / DIFFERENCE
            for h in range(sys.hubs):
                force, torque = sys.balance[h].force, sys.balance[h].torque
                for k in range(b):
                    m.border[b * h + k, b * h + d] += sign * (force[k] if k < 3 else torque[k - 3])


# --- steps -----------------------------------------------------------------------------------------------------------
@kernel
def node_move(c, i, count, m, v, column):
    """Move of node i of cable c in a step."""
    if i == 0 or i == count:
        side = END if i == count else 0
        return (m.ends[c, side], m.ends[c, side + 1], m.ends[c, side + 2])
    at = m.chain[c, 0] + 3 * (i - 1)
    return (v[at, column], v[at + 1, column], v[at + 2, column])


@kernel
def displace(case, y, m, v, column, share, trial):
    """The state after a share of a step of the masses and of the tensions with it: see `damped_newton`."""
    copy(y, trial)
    sys, old = springy(case, trial), springy(case, y)
    for c in range(sys.cables):
        first, count = sys.cable[c].first, sys.cable[c].count
        one = node_move(c, 0, count, m, v, column)
        for i in range(count):
            two = node_move(c, i + 1, count, m, v, column)
            axis, span = chord(first + c + i, old)
            tension, slope, _ = pull_of(first + i, span, old)
            kept = old.spring[first + i].tension
            new = tension + slope * dot(axis, subtract(two, one))
            sys.spring[first + i].tension = kept + share * (new - kept)
            if i + 1 < count:
                node = sys.node[first + c + i + 1]
                node.position = add_scaled(node.position, share, two)
            one = two
    at, b = m.band.shape[0], sys.hub_size
    for h in range(sys.hubs):
        hub, x = sys.hub[h], at + b * h
        hub.position = add_scaled(hub.position, share, (v[x, column], v[x + 1, column], v[x + 2, column]))
        if b == 6:
            hub.turn = turned(
                hub.turn, share * v[x + 3, column], share * v[x + 4, column], share * v[x + 5, column]
            )  # fmt: skip
    join(sys)


search, hold = kernels(balance, tangent, displace, ahead, arrive, pull_ends)


@entry
def find_rest(t, y, u, ints, reals, slack, work, probe, trial, start, goal, before, change, chain, site, sizes, band,
              across, back, corner, reach, border, factor, follow, reduced, local, ends, v, levers, kinds, scales,
              length, pieces, patience, memory, report, held):  # fmt: skip
    """Search for an equilibrium (pieces ≥ 0, see `damped_newton`), or leave the stiffness of hubs and prescribed points
    about the equilibrium y in `held` (border, border), with the matrix of the search before `AS_IT_STANDS`."""
    case = Still(t, u, ints, reals, slack, work, probe, start, goal, before, change)
    m = Bordered(chain, site, sizes, band, across, back, corner, reach, border, factor, follow, reduced, local, ends)
    stop(springy(case, y))
    arrive(case, y, 1.0 if pieces == 0 else 0.0)
    if pieces >= 0:
        return search(case, m, y, trial, v, levers, kinds, scales, length, pieces, patience, memory, report)
    hold(case, m, y, v, levers, kinds, scales, length, pieces == AS_IT_STANDS, held)
    return HELD
