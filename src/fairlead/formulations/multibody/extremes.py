"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, cross, dot, matvec, scale, subtract, symvec
from fairlead.loads.extremes import NOTHING, bend_between, first_extreme, note_cable, note_node
from fairlead.results.extremes import NODE_EXTREMES
from fairlead.rigging.extremes import note_ends, note_points
from fairlead.sea.water import bed_clearance

from .joints import direction_of, first_active
from .lines import near_end, shared_loads
from .string_stiffness import straightening
from .tension import tension_of


@kernel
def end_forces(t, j, sys):
    """Forces (3) of the element above body j on what is at its near and at its far end: ±(T t + S) + F − M a.

    S is what holds it straight beyond its tension, where the step asks for that: see `string_stiffness`.
    """
    record = sys.record[sys.bases + j]
    up, arm, _, _ = near_end(j, sys)
    m1, f1, m2, f2, _ = shared_loads(t, j, sys)
    w = up.spin
    near = add(up.acceleration, cross(up.alpha, arm))
    near = add(near, cross(w, cross(w, arm)))
    pull = subtract(scale(tension_of(j, sys), direction_of(record)), straightening(j, sys))
    one = subtract(add(pull, f1), symvec(m1, near))
    two = subtract(subtract(f2, pull), symvec(m2, record.acceleration))
    return one, add(two, sys.touch[j].push)


@kernel
def note_cables(t, sys):
    """Fold all cables, placed and solved for at time t."""
    ints, sea, y = sys.ints, sys.reals, sys.y
    at = first_extreme(ints, y)
    for c in range(sys.cables):
        cable = sys.cable[c]
        count, reverse, first = cable.count, cable.reversed == 1, first_active(c, sys)
        bodies, elements = cable.body, cable.element
        near, _ = end_forces(t, bodies + first, sys)
        _, far = end_forces(t, bodies + count - 1, sys)
        found = NOTHING
        _, _, place, _ = near_end(bodies + first, sys)
        behind, pull = (0.0, 0.0, 0.0), 0.0
        for i in range(first, count + 1):
            ahead, held, tension, bend = behind, pull, 0.0, 0.0
            if i < count:
                ahead = direction_of(sys.record[sys.bases + bodies + i])
                held = tension_of(bodies + i, sys)
            if i == first:
                tension = dot(near, ahead)
            elif i == count:
                tension = -dot(far, ahead)
            else:
                tension = 0.5 * (pull + held)
                length = 0.5 * (sys.line[elements + i - 1].length + sys.line[elements + i].length)
                bend = bend_between(behind, ahead, length)
            if i > first:
                place = sys.record[sys.bases + bodies + i - 1].position
            node = count - i if reverse else i
            found = note_node(y, at, node, tension, bend, bed_clearance(place, sea), found)
            behind, pull = ahead, held
        note_cable(t, c, found, ints, y)
        note_ends(t, c, near, far, reverse, sys)
        at += NODE_EXTREMES * (count + 1)


@kernel
def seen_at(k, sys):
    """Place and velocity of point or body k of the file."""
    record = sys.record[sys.seen[k].record]
    c = matvec(record.rotation, sys.origin[k].offset)
    return add(record.position, c), add(record.velocity, cross(record.spin, c))


@kernel
def note_extremes(t, sys):
    """Fold what is placed and solved for at time t into the extremes."""
    note_cables(t, sys)
    note_points(t, sys.places, seen_at, sys)
