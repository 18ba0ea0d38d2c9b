"""The one compiled call: steps with what is then to be seen, or one look at forces, loads, torques, masses, signals.

All of it is one entry, so that what the tasks share is compiled once.
"""

from __future__ import annotations

from fairlead.algebra.compiled import entry, kernel
from fairlead.loads.extremes import begin_extremes, report_extremes
from fairlead.rigging.commands import put_commands
from fairlead.rigging.point_loads import take_loads

from .curve import curvatures
from .extremes import note_extremes
from .forces import OK, outside_forces, point_loads, twist, twist_of_curve
from .inertia import accelerate
from .midpoint import midpoint_step
from .observe import observe
from .schema import system
from .sea_loads import added_masses
from .verlet import clear_forces, forces, refresh_tangents, verlet_step

VERLET, MIDPOINT, FORCES, ACCELERATIONS, LOADS, TORQUES, MASSES, SIGNALS = range(8)
"""Tasks. FORCES: all forces into `force`, tensions and torques into y; ACCELERATIONS: those too. LOADS: loads alone
into `force`. TORQUES: of all cables into `out`, the gradients of their twists into `twist_element` and `twist_node`.
MASSES: added masses across and along of all nodes into `out`, tangents into `tangent`. SIGNALS: commands of all
controlled points (3 each), then twists of all cables, into `out`."""


@kernel
def loads_alone(t, sys):
    """Weight, water, seabed and point loads into `force`."""
    clear_forces(sys)
    for c in range(sys.cables):
        outside_forces(t, c, sys)
    point_loads(t, sys)


@kernel
def torques(t, u, sys, out):
    """Torques of all cables that hold their twist."""
    for c in range(sys.cables):
        curvatures(c, sys.position, False, sys, sys.curvature)
        total, _ = twist_of_curve(c, sys.position, sys.curvature, sys)
        out[c] = (total + twist(t, c, u, sys)) / sys.torsion[c].compliance


@kernel
def masses(t, sys, out):
    """Added masses of all nodes."""
    for i in range(sys.nodes):
        out[2 * i], out[2 * i + 1] = added_masses(t, sys.position[i].xyz, sys.tangent[i].xyz, i, sys)


@entry
def run(t, y, n, h, u, ints, reals, work, task, copy, out):
    """n steps of size h from t, in place; then, when `out` has room for it, one observation of the state reached.

    `copy` is scratch of the size of `y`. n = 0 observes alone. For the tasks that take no steps see above. Returns a
    status; the place of a fault is in `fault`.
    """
    sys = system(ints, reals, y, work)
    take_loads(u, sys)
    status = OK
    if task == SIGNALS:
        put_commands(t, u, sys, out)
        for c in range(sys.cables):
            out[3 * sys.controlled + c] = twist(t, c, u, sys)
        return OK
    if task > MIDPOINT or sys.water == 1:
        refresh_tangents(sys)
    if task == LOADS:
        loads_alone(t, sys)
    elif task == TORQUES:
        torques(t, u, sys, out)
    elif task == MASSES:
        masses(t, sys, out)
    elif task > MIDPOINT:
        status, _, _, _ = forces(t, False, 1.0, u, sys)
        if status == OK and task == ACCELERATIONS:
            for c in range(sys.cables):
                accelerate(t, c, sys)
    if task > MIDPOINT:
        return status
    begin_extremes(n, out, ints, y)
    for step in range(n):
        if task == VERLET:
            status = verlet_step(t + step * h, h, u, sys)
        else:
            status = midpoint_step(t + step * h, h, u, sys)
        if status != OK:
            return status
        note_extremes(t + (step + 1) * h, task == VERLET, sys)
    if out.shape[0] > 0:
        for k in range(y.shape[0]):
            copy[k] = y[k]
        status = observe(t + n * h, h, u, system(ints, reals, copy, work), out)
        report_extremes(ints, y, out)
    return status
