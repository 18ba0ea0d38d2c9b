"""The point masses at rest: balance, mass and steps for `fairlead.algebra.damped_newton`, and its entry."""

from __future__ import annotations

from fairlead.algebra.bordered_band import END, Bordered, add_block, copy
from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.damped_newton import LOADS, STRETCHED
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add_scaled, cross, dot, subtract, transpose, transposed_matvec
from fairlead.rigging.settling import STICKING, rest_kernels, step_body

from .bending import general
from .points import chord
from .schema import plain_system, system
from .still import Still, ahead, arrive, end_force, forces, join, pull_of, springy
from .tangent import index_of, set_reach, tangent


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
                torque = cross(sys.end[end].offset, transposed_matvec(rotation(sys.hub_state[h].turn), r))
                for k in range(3):
                    v[at + b * h + 3 + k, column] += torque[k]
    return gap2, widest, stress


@kernel
def pull_ends(case, y, m):
    """Forces on all end nodes, tensions those of the stretch: see `damped_newton`."""
    forces(case, y, STRETCHED)
    sys = springy(case, y)
    for end in range(2 * sys.cables):
        force = end_force(end, sys)
        for k in range(3):
            m.ends[end // 2, END * (end % 2) + k] = force[k]


@kernel
def add_mass(case, y, m):
    """Mass of all nodes with added mass: see `rest_kernels`. That of the hubs is left in `matrix`."""
    forces(case, y, LOADS)
    sys = case.loads
    for c in range(sys.cables):
        first, count = sys.cable[c].first + c, sys.cable[c].count
        for i in range(count + 1):
            here, row = index_of(c, i, count, m), sys.row[first + i]
            add_block(m, c, here, here, 1.0, general(row.D))
            if i < count:
                ahead = index_of(c, i + 1, count, m)
                add_block(m, c, here, ahead, 1.0, row.A)
                add_block(m, c, ahead, here, 1.0, transpose(row.A))


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
        step_body(sys.hub_state[h], at + b * h, v, column, share, b == 6)
    join(sys)


@kernel
def remember(case, y):
    """Keep the tensions of the stretch: see `rest_kernels`."""
    sys = springy(case, y)
    for c in range(sys.cables):
        first, count = sys.cable[c].first, sys.cable[c].count
        for i in range(count):
            sys.spring[first + i].tension, _, _ = pull_of(first + i, chord(first + c + i, sys)[1], sys)


find = rest_kernels(balance, tangent, displace, ahead, arrive, pull_ends, set_reach, add_mass, remember)


@entry
def find_rest(t, y, u, ints, reals, slack, work, slide, probe, trial, start, goal, before, gaps, change, chain, site,
              sizes, band, across, back, corner, reach, border, factor, follow, reduced, local, ends, v, levers, kinds,
              scales, length, task, pieces, patience, memory, report):  # fmt: skip
    """Search for an equilibrium in a `plain_system`, or do a task: see `rest_kernels`."""
    springs, loads = plain_system(ints, reals, y, work), plain_system(ints, slack, probe, work)
    case = Still(t, u, springs, loads, start, goal, before, gaps, change, task == STICKING, slide)
    m = Bordered(chain, site, sizes, band, across, back, corner, reach, border, factor, follow, reduced, local, ends)
    return find(case, m, y, trial, v, levers, kinds, scales, length, task, pieces, patience, memory, report)


@entry
def find_rest_rigged(t, y, u, ints, reals, slack, work, slide, probe, trial, start, goal, before, gaps, change, chain,
                     site, sizes, band, across, back, corner, reach, border, factor, follow, reduced, local, ends, v,
                     levers, kinds, scales, length, task, pieces, patience, memory, report):  # fmt: skip
    """The same in any system."""
    springs, loads = system(ints, reals, y, work), system(ints, slack, probe, work)
    case = Still(t, u, springs, loads, start, goal, before, gaps, change, task == STICKING, slide)
    m = Bordered(chain, site, sizes, band, across, back, corner, reach, border, factor, follow, reduced, local, ends)
    return find(case, m, y, trial, v, levers, kinds, scales, length, task, pieces, patience, memory, report)
