"""The one compiled call: steps with what is then to be seen, or one look at forces, loads, torques, masses, signals.

All of it is one entry, so that what the tasks share is compiled once.
"""

from __future__ import annotations

from fairlead.algebra.compiled import entry, kernel
from fairlead.loads.extremes import begin_extremes, report_extremes

from .arrays import (
    COMPLIANCE, FIRST, N_CABLES, N_CONTROLLED, N_NODES, W_CURVATURE, W_FORCE, W_SLOPE, WATER, Y_POSITION, cable_at,
    cable_reals, node_at, put, vector_of,
)  # fmt: skip
from .curve import curvatures
from .extremes import note_extremes
from .forces import OK, outside_forces, point_loads, twist_of_curve
from .inertia import accelerate
from .midpoint import midpoint_step
from .observe import observe
from .sea_loads import added_masses
from .signals import command, twist
from .verlet import forces, refresh_tangents, verlet_step

VERLET, MIDPOINT, FORCES, ACCELERATIONS, LOADS, TORQUES, MASSES, SIGNALS = range(8)
"""Tasks. FORCES: all forces into W_FORCE, tensions and torques into y; ACCELERATIONS: those too. LOADS: loads alone
into W_FORCE. TORQUES: of all cables into `out`, the gradients of their twists into W_TWIST_ELEMENT and W_TWIST_NODE.
MASSES: added masses across and along of all nodes into `out`, tangents into W_SLOPE. SIGNALS: commands of all
controlled points (3 each), then twists of all cables, into `out`."""


@kernel
def loads_alone(t, ints, reals, y, work):
    """Weight, water, seabed and point loads into W_FORCE."""
    for k in range(ints[W_FORCE], ints[W_FORCE] + 3 * ints[N_NODES]):
        work[k] = 0.0
    for c in range(ints[N_CABLES]):
        outside_forces(t, c, ints, reals, y, work)
    point_loads(t, ints, reals, work)


@kernel
def torques(t, u, ints, reals, y, work, out):
    """Torques of all cables that hold their twist."""
    for c in range(ints[N_CABLES]):
        first = ints[cable_at(ints, c) + FIRST]
        x, curved = ints[Y_POSITION] + 3 * first, ints[W_CURVATURE] + 3 * first
        curvatures(c, y, x, False, ints, reals, work, curved)
        total, _ = twist_of_curve(c, y, x, curved, ints, reals, work)
        out[c] = (total + twist(t, c, u, ints, reals)) / reals[cable_reals(ints, c) + COMPLIANCE]


@kernel
def masses(t, ints, reals, y, work, out):
    """Added masses of all nodes."""
    for i in range(ints[N_NODES]):
        tangent, place = vector_of(work, ints[W_SLOPE] + 3 * i), vector_of(y, ints[Y_POSITION] + 3 * i)
        out[2 * i], out[2 * i + 1] = added_masses(t, place, tangent, reals, node_at(ints, i))


@entry
def run(task, t, y, n, h, u, ints, reals, work, copy, out):
    """n steps of size h from t, in place; then, when `out` has room for it, one observation of the state reached.

    `copy` is scratch of the size of `y`. n = 0 observes alone. For the tasks that take no steps see above. Returns a
    status; the place of a fault is in `work`.
    """
    status = OK
    if task == SIGNALS:
        for k in range(ints[N_CONTROLLED]):
            put(out, 3 * k, command(t, k, u, ints, reals))
        for c in range(ints[N_CABLES]):
            out[3 * ints[N_CONTROLLED] + c] = twist(t, c, u, ints, reals)
        return OK
    if task > MIDPOINT or ints[WATER] == 1:
        refresh_tangents(ints, reals, y, work)
    if task == LOADS:
        loads_alone(t, ints, reals, y, work)
    elif task == TORQUES:
        torques(t, u, ints, reals, y, work, out)
    elif task == MASSES:
        masses(t, ints, reals, y, work, out)
    elif task > MIDPOINT:
        status, _, _, _ = forces(t, False, 1.0, u, ints, reals, y, work)
        if status == OK and task == ACCELERATIONS:
            for c in range(ints[N_CABLES]):
                accelerate(t, c, ints, reals, y, work)
    if task > MIDPOINT:
        return status
    begin_extremes(n, out, ints, y)
    for step in range(n):
        if task == VERLET:
            status = verlet_step(t + step * h, h, u, ints, reals, y, work)
        else:
            status = midpoint_step(t + step * h, h, u, ints, reals, y, work)
        if status != OK:
            return status
        note_extremes(t + (step + 1) * h, task == VERLET, ints, reals, y, work)
    if out.shape[0] > 0:
        for k in range(y.shape[0]):
            copy[k] = y[k]
        status = observe(t + n * h, h, u, ints, reals, copy, work, out)
        report_extremes(ints, y, out)
    return status
