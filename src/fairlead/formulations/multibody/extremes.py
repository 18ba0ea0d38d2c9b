"""What a step adds to the extremes: tensions, curvatures and places along the cables, end forces, points."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, cross, dot, matvec, scale, subtract, symvec
from fairlead.loads.extremes import bend_between, first_extreme
from fairlead.rigging.extremes import note_ends, note_line, note_points

from .joints import direction_of, first_active
from .lines import near_end, shared_loads
from .schema import CLIP
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
def keep_ends(t, sys):
    """Keep the forces of all cables, placed and solved for at time t, on what is at their ends."""
    for c in range(sys.cables):
        cable, end = sys.cable[c], sys.end[c]
        end.near, _ = end_forces(t, cable.body + first_active(c, sys), sys)
        _, end.far = end_forces(t, cable.body + cable.count - 1, sys)


@kernel
def one_way(pull, sys):
    """A tension as it is, or nothing where elements only pull and it would push."""
    return max(0.0, pull) if sys.slack == CLIP else pull


@kernel
def tension_at(c, i, sys):
    """Tension at node i of cable c off its drum: the mean of its elements; at an end the force there along the last.

    A slack element has no tension, though drag and inertia of its half still act on the end: these are in `force_end`.
    """
    cable = sys.cable[c]
    slot = first_active(c, sys) + i
    j = cable.body + slot
    if i == 0:
        return one_way(dot(sys.end[c].near, direction_of(sys.record[sys.bases + j])), sys)
    if slot == cable.count:
        return one_way(-dot(sys.end[c].far, direction_of(sys.record[sys.bases + j - 1])), sys)
    return 0.5 * (one_way(tension_of(j - 1, sys), sys) + one_way(tension_of(j, sys), sys))


@kernel
def seen(c, i, sys):
    """Tension, square of the curvature and place at node i of cable c off its drum."""
    cable = sys.cable[c]
    slot = first_active(c, sys) + i
    j, e, bend = cable.body + slot, cable.element + slot, 0.0
    if i > 0 and slot < cable.count:
        behind, ahead = direction_of(sys.record[sys.bases + j - 1]), direction_of(sys.record[sys.bases + j])
        bend = bend_between(behind, ahead, 0.5 * (sys.line[e - 1].length + sys.line[e].length))
    place, _ = node_state(j, i, sys)
    return tension_at(c, i, sys), bend, place


@kernel
def node_state(j, i, sys):
    """Place and velocity of node i of a cable off its drum; body j is that of the next node."""
    if i == 0:
        _, _, place, velocity = near_end(j, sys)
        return place, velocity
    return sys.record[sys.bases + j - 1].position, sys.record[sys.bases + j - 1].velocity


@kernel
def seen_at(k, sys):
    """Place and velocity of point or body k of the file."""
    record = sys.record[sys.seen[k].record]
    c = matvec(record.rotation, sys.origin[k].offset)
    return add(record.position, c), add(record.velocity, cross(record.spin, c))


@kernel
def note_extremes(t, sys):
    """Fold what is placed and solved for at time t into the extremes."""
    keep_ends(t, sys)
    at = first_extreme(sys.ints, sys.y)
    for c in range(sys.cables):
        spare, reverse = first_active(c, sys), sys.cable[c].reversed == 1
        at = note_line(t, c, at, sys.cable[c].count - spare, spare, reverse, seen, sys)
        note_ends(t, c, sys.end[c].near, sys.end[c].far, reverse, sys)
    note_points(t, sys.places, seen_at, sys)
