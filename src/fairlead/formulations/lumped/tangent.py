"""Stiffness of the point masses at rest: springs and bending analytically, loads by differences.

The tensions kept in the state are unknowns of their own beside the shape: a step of Newton's method moves both. The
string stiffness comes from them, never from the stretch, so a sideways step δ costs an imbalance Tδ²/L and not
EA·δ²/L², and stiff cables are as easy as soft ones.

The rows of a chain are its inner nodes; its ends are the end nodes, each with the turn of its clamp behind it.
"""

from __future__ import annotations

from fairlead.algebra.bordered_band import END, add_block, add_entry, add_to_border
from fairlead.algebra.compiled import kernel
from fairlead.algebra.damped_newton import KEPT
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import (
    add, dot, matadd_scaled, matmul, matscale, matvec, outer, skew, transposed_matvec,
)  # fmt: skip
from fairlead.rigging.frames import lever_columns
from fairlead.rigging.ropes import slope_now
from fairlead.rigging.settling import DIFFERENCE, along, move_along

from .bending import bending_stiffness, general, turning_rate
from .points import chord
from .still import beside, end_force, forces, hub_loads, look_at, node_loads, pull_of, springy

ONE = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


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
def slope_of(e, span, quick, sys):
    """Slope of the tension of an element by its length, under slow loads or under `quick` ones."""
    _, slope, _ = pull_of(e, span, sys)
    element = sys.element[e]
    if quick and sys.ropes > 0 and element.rope >= 0.0 and slope > 0.0:
        return slope_now(sys.rope[int(element.rope)], span / element.length - 1.0, sys.creep[e], sys) / element.length
    return slope


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
            slope = slope_of(first + i, span, case.quick, sys)
            string = sys.spring[first + i].tension / span
            block = matadd_scaled(matscale(string, ONE), slope - string, outer(axis, axis))
            add_between(m, c, i, i, count, 1.0, block)
        if sys.cable[c].bends == 1:
            for i in range(count + 1):
                k = bending_stiffness(c, i, sys)
                if k > 0.0:
                    add_bend(m, c, i, count, k, sys)
    set_reach(case, y, m)
    for end in range(2 * sys.cables):
        h = sys.joint[end].hub
        if h >= 0 and b == 6:  # a force turns about the body it acts on: −S(o)S(f)
            f = transposed_matvec(rotation(sys.hub_state[h].turn), end_force(end, sys))
            lever = matmul(skew(sys.end[end].offset), skew(f))
            for p in range(3):
                for q in range(3):
                    add_to_border(m, b * h + 3 + p, b * h + 3 + q, -lever[3 * p + q])
    add_load_stiffness(case, y, m)
    friction, case.loads.sea.bed_friction = case.loads.sea.bed_friction, 0.0  # feet of hubs do not stick
    add_hub_stiffness(case, y, m)
    case.loads.sea.bed_friction = friction


@kernel
def set_reach(case, y, m):
    """How all ends of cables move: see `rest_kernels`."""
    sys = springy(case, y)
    for end in range(2 * sys.cables):
        set_end_reach(end, m, sys)


@kernel
def set_end_reach(end, m, sys):
    """How the end node of a cable moves with its hub, or with its prescribed point and the turn of that."""
    c, h = end // 2, sys.joint[end].hub
    top = END * (end % 2)
    m.reach[c, top : top + END] = 0.0
    for k in range(3):
        m.reach[c, top + k, k] = 1.0
        if h < 0:
            m.reach[c, top + 3 + k, 3 + k] = 1.0
    if h >= 0 and sys.hub_size == 6:
        columns = lever_columns(rotation(sys.hub_state[h].turn), sys.end[end].offset)
        for p in range(3):
            for q in range(3):
                m.reach[c, top + p, 3 + q] = columns[3 * p + q]


@kernel
def shift_third(third, d, by, sys):
    """Every third node moved along axis d."""
    for i in range(third, sys.nodes, 3):
        sys.node[i].position = add(sys.node[i].position, along(d, by))


@kernel
def add_load_stiffness(case, y, m):
    """−∂loads/∂x of the nodes: every third node moved at once, its neighbours' loads change with it."""
    look_at(case, y)
    sys = case.loads
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
def add_hub_stiffness(case, y, m):
    """−∂/∂x of the hubs' own loads."""
    sys = case.loads
    b = sys.hub_size
    if sys.hubs == 0:
        return
    apart = sys.ptos > 0  # then hubs feel each other
    for turn in range(b * sys.hubs if apart else b):
        d, which = turn % b, turn // b if apart else -1
        for side in range(2):
            look_at(case, y)
            for h in range(sys.hubs):
                if which < 0 or h == which:
                    move_along(sys.hub_state[h], d, DIFFERENCE if side == 0 else -DIFFERENCE)
            hub_loads(case)
            sign = (-0.5 if side == 0 else 0.5) / DIFFERENCE
            for h in range(sys.hubs):
                force, torque = sys.balance[h].force, sys.balance[h].torque
                column = b * (which if apart else h) + d
                for k in range(b):
                    add_to_border(m, b * h + k, column, sign * (force[k] if k < 3 else torque[k - 3]))
