"""What is reported of a state, in the names all formulations share, and the one compiled call of a run."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel, looping_entry
from fairlead.algebra.small import add_scaled, dot, scale, subtract, unit, vector_of
from fairlead.loads.extremes import begin_extremes, report_extremes
from fairlead.results.observation import NODE_COLUMNS, NODE_POSITION, NODE_TENSION
from fairlead.rigging.commands import put_commands
from fairlead.rigging.observation import node_line, put_ends, put_line, put_points, put_totals, works_of
from fairlead.rigging.point_loads import take_loads

from .extremes import element_tension, node_rows, note_extremes, state_at
from .forms import gradients
from .runs import product
from .schema import system
from .sea_loads import at_rows, water_energies
from .step import NEWTON, OK, RANGE, begin, fill, force_rows, midpoint_step
from .twist import still_torque

STEPS, FORCES, LEFT_OVER, SIGNALS = range(4)


@kernel
def node_tension(c, i, sys):
    """Tension at node i of cable c [N], on the line through the middles of the two elements nearest to it.

    It is the mean of the last step, since at large steps what stretches faster than them rings from one to the next.
    """
    cable = sys.cable[c]
    e = cable.first - c + (min(max(i - 1, 0), cable.count - 2) if cable.count > 1 else 0)
    other = e + (1 if cable.count > 1 else 0)
    h0, h1 = sys.element[e].length, sys.element[other].length
    return node_line(i, cable.count, h0, h1, element_tension(e, sys), element_tension(other, sys))


@kernel
def element_shear(node, element, z, sys):
    """EI r‴ across the element that begins at a node [N]."""
    if element.ei == 0.0:
        return 0.0
    start, end, m = node_rows(node, sys), node_rows(node + 1, sys), sys.state
    d = unit(subtract(at_rows(end, z, sys), at_rows(start, z, sys)))
    q = subtract(at_rows(end + 3 * m, z, sys), at_rows(start + 3 * m, z, sys))
    q = scale(element.ei / element.length, add_scaled(q, -dot(q, d), d))
    return math.sqrt(dot(q, q))


@kernel
def shown(c, i, sys):
    """What is to be seen of node i of cable c, in the state whose z and ż stand in `new` and `speed`."""
    cable, z = sys.cable[c], sys.new.start
    torque = sys.twist[cable.twist].shown if cable.twist >= 0 else 0.0
    rows, beside = node_rows(cable.first + i, sys), cable.first + min(i, cable.count - 1)
    element, bent = sys.element[beside - c], at_rows(rows + 3 * sys.state, z, sys)
    shear, bending = element_shear(beside, element, z, sys), element.ei * math.sqrt(dot(bent, bent))
    place, velocity = at_rows(rows, z, sys), at_rows(rows, sys.speed.start, sys)
    return place, velocity, node_tension(c, i, sys), shear, bending, torque, (0.0, 0.0, 0.0)


@kernel
def end_force(c, side, sys, out):
    """Force of cable c on what holds its start (0) or end (1) [N]; at a free point its tension.

    That of a held end is the mean of the last step: what does work with it when the end moves and the cable follows.
    """
    cable = sys.cable[c]
    held = cable.start if side == 0 else cable.finish
    if held >= 0:
        return scale(-1.0, sys.reaction[held].xyz)
    node = cable.first + side * cable.count
    at, other = NODE_COLUMNS * node, NODE_COLUMNS * (node + (1 if side == 0 else -1))
    inward = subtract(vector_of(out, other + NODE_POSITION), vector_of(out, at + NODE_POSITION))
    return scale(out[at + NODE_TENSION], unit(inward))


@kernel
def seen_state(k, sys):
    """Place and velocity of point k in the state that is looked at."""
    return state_at(k, sys.new.start, sys.speed.start, sys)


@kernel
def observe(t, u, sys, out):
    """Fill one observation row for the state at t. Returns a status."""
    m, reals, work = sys.state, sys.reals, sys.work
    z, v = sys.new.start, sys.speed.start
    fill(sys.coordinate.start, sys.ends.start, 1.0, sys, z)
    fill(sys.rate.start, sys.end_rate.start, 0.0, sys, v)
    gradients(z, sys.gradient.start, sys.strain.start, sys)
    kinetic, gravity, elastic, most, at = 0.0, 0.0, 0.0, -math.inf, 0
    for j in range(sys.twists):
        torque, _ = still_torque(t, j, u, sys)
        sys.twist[j].shown = torque
        elastic += 0.5 * torque * torque * sys.torsion[j].compliance
    for c in range(sys.cables):
        at, largest = put_line(out, at, c, sys.cable[c].count, 0, False, shown, sys)
        most = max(most, largest)
    for c in range(sys.cables):
        at = put_ends(out, at, end_force(c, 0, sys, out), end_force(c, 1, sys, out))
    for a in range(sys.tensions):
        elastic += 0.5 * sys.strain[a].value ** 2
    for i in range(m):
        elastic += 0.5 * sys.new[i].value * product(reals, sys.bending.start + i * m, work, z, m)
        kinetic += 0.5 * sys.speed[i].value * product(reals, sys.mass.start + i * m, work, v, m)
        gravity += sys.weight[i].value * sys.new[i].value
    if sys.water == 1:
        added, lifted = water_energies(t, z, v, sys)
        kinetic += added
        gravity += lifted
    at = put_points(out, at, sys.points, seen_state, sys)
    put_totals(out, at, kinetic, gravity, elastic, works_of(sys.ledger), most)
    return OK


@kernel
def healthy(sys):
    """Whether all coordinates and rates are finite and none is beyond reason."""
    for i in range(sys.modes):
        if not abs(sys.coordinate[i].value) < 1e6 or not abs(sys.rate[i].value) < 1e6:
            return False
    return True


@looping_entry
def run(t, y, n, h, u, ints, reals, work, task, copy, out):
    """STEPS: n steps of size h from t, then, when `out` has room for it, one observation. FORCES: by all of z on the
    state at rest, into `out`; LEFT_OVER: on the state as it moves. SIGNALS: commands of all controlled points (3 each)
    into `out`. Returns a status; the time of a fault is in `fault`."""
    sys = system(ints, reals, y, work)
    take_loads(u, sys)
    if task == SIGNALS:
        put_commands(t, u, sys, out)
        return OK
    if FORCES <= task <= LEFT_OVER:
        return force_rows(t, u, task == LEFT_OVER, sys, out)
    if n > 0 and not begin(t, h, sys):
        return NEWTON
    begin_extremes(n, out, ints, y)
    for step in range(n):
        status = midpoint_step(t + step * h, h, u, sys)
        if status == OK and not healthy(sys):
            status = RANGE
        if status != OK:
            sys.fault.time = t + step * h
            return status
        note_extremes(t + (step + 1) * h, sys)
    if out.shape[0] > 0:
        status = observe(t + n * h, u, sys, out)
        report_extremes(ints, y, out)
        return status
    return OK
