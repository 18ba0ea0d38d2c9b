"""Joint coordinates: how they advance, and how they are found again from where things are.

The two turns of a cable element are singular where the element lies along the axis of the first (q₂ = ±90°). Long
before that the frame in which they are counted is laid along the element anew. Its spin about the element's own axis,
which no joint can hold, then changes, and with it all rates further out: they are found again from the global motion
of every node and body, which stays as it is. A split and a merge at a drum use the same way back.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import product, turned, unit_turn
from fairlead.algebra.small import cross, dot, matmul, scale, subtract, transpose, transposed_matvec

from .joints import base_of, direction_of, four, is_active, kind_of, place, place_all, speeds_of, three
from .lines import near_end
from .schema import CABLE, FREE, SPHERICAL


@kernel
def put_three(table, i, vector):
    """Write three values in a row."""
    table[i].value, table[i + 1].value, table[i + 2].value = vector


@kernel
def put_four(table, i, q):
    """Write four values in a row."""
    table[i].value, table[i + 1].value, table[i + 2].value, table[i + 3].value = q


@kernel
def straight_of(kind):
    """How many of a joint's coordinates go on as their speeds do; those behind them are a quaternion."""
    if kind == SPHERICAL:
        return 0
    return 3 if kind == FREE else speeds_of(kind)


@kernel
def drift(h, sys, before, first):
    """Let all coordinates go on for a time h with speeds in `before` from `first` on (speeds in the order of y)."""
    speed = first
    for j in range(sys.bodies):
        body = sys.body[j]
        q, n = body.coordinate, speeds_of(body.kind)
        if is_active(body, sys):
            straight = straight_of(body.kind)
            for k in range(straight):
                sys.coordinate[q + k].value += h * before[speed + k]
            if straight < n:
                w = speed + straight
                turn = four(sys.coordinate, q + straight)
                turn = turned(turn, h * before[w], h * before[w + 1], h * before[w + 2])
                put_four(sys.coordinate, q + straight, turn)
        speed += n


@kernel
def coordinate_rates(sys, rate):
    """q̇ of all joints into those of the state `rate`: their speeds, and ½ q∘(0, ω) for rotations."""
    for j in range(sys.bodies):
        body = sys.body[j]
        q, v, straight = body.coordinate, body.speed, straight_of(body.kind)
        live = is_active(body, sys)
        for k in range(straight):
            rate.coordinate[q + k].value = sys.speed[v + k].value if live else 0.0
        if straight < speeds_of(body.kind):
            half = scale(0.5, three(sys.speed, v + straight))
            turning = product(four(sys.coordinate, q + straight), (0.0, half[0], half[1], half[2]))
            put_four(rate.coordinate, q + straight, turning)


@kernel
def unit_again(sys):
    """Make all quaternions unit."""
    for j in range(sys.bodies):
        body = sys.body[j]
        if body.kind in (SPHERICAL, FREE):
            at = body.coordinate + straight_of(body.kind)
            put_four(sys.coordinate, at, unit_turn(four(sys.coordinate, at)))


@kernel
def quaternion_from(R):
    """Quaternion of a rotation matrix, by its largest component."""
    s, x, y, z = 1.0 + R[0] + R[4] + R[8], 1.0 + R[0] - R[4] - R[8], 1.0 - R[0] + R[4] - R[8], 1.0 - R[0] - R[4] + R[8]
    if s >= x and s >= y and s >= z:
        return unit_turn((s, R[7] - R[5], R[2] - R[6], R[3] - R[1]))
    if x >= y and x >= z:
        return unit_turn((R[7] - R[5], x, R[1] + R[3], R[2] + R[6]))
    if y >= z:
        return unit_turn((R[2] - R[6], R[1] + R[3], y, R[5] + R[7]))
    return unit_turn((R[3] - R[1], R[2] + R[6], R[5] + R[7], z))


@kernel
def remember(sys):
    """Keep where every body is and how it moves."""
    for j in range(sys.bodies):
        record, old = sys.record[sys.bases + j], sys.old[j]
        old.rotation, old.position = record.rotation, record.position
        old.velocity, old.spin = record.velocity, record.spin


@kernel
def turns_to(direction, R):
    """Turns q₁, q₂ that lay the z axis of the frame R along a unit direction: (s₁c₂, −s₂, c₁c₂) in that frame."""
    x, y, z = transposed_matvec(R, direction)
    return math.atan2(x, z), -math.asin(min(1.0, max(-1.0, y)))


@kernel
def refold_rates(j, sys):
    """Rates of an element whose far node is to move as the table `old` has it; both its ends are in place.

    The rate of the arm, free of the parent's spin, is ℓ q̇₁ y₀ × t + ℓ q̇₂ x₁ × t + ℓ̇ t, three vectors at right angles.
    """
    body, r = sys.body[j], sys.bases + j
    up, _, p1, v1 = near_end(j, sys)
    chord = subtract(sys.record[r].position, p1)
    rate = subtract(subtract(sys.old[j].velocity, v1), cross(up.spin, chord))
    s1, s2 = sys.axis[6 * r].linear, sys.axis[6 * r + 1].linear
    speeds = (dot(rate, s1) / dot(s1, s1), dot(rate, s2) / dot(s2, s2), dot(rate, direction_of(sys.record[r])))
    put_three(sys.speed, body.speed, speeds)
    place(j, sys)


@kernel
def refold_element(j, sys):
    """Coordinates and rates of an element whose far node is to be where `remember` has it; its parent is in place."""
    body, old = sys.body[j], sys.old[j]
    _, _, p1, _ = near_end(j, sys)
    chord = subtract(old.position, p1)
    length = math.sqrt(dot(chord, chord))
    one, two = turns_to(scale(1.0 / length, chord), base_of(j, CABLE, sys))
    put_three(sys.coordinate, body.coordinate, (one, two, length))
    place(j, sys)
    refold_rates(j, sys)


@kernel
def refold_body(j, sys):
    """Coordinates and rates of body j from the motion that `remember` has kept; its parent is in place."""
    body = sys.body[j]
    kind = kind_of(body, sys)
    if kind == CABLE:
        refold_element(j, sys)
        return
    if kind == SPHERICAL:
        old, above = sys.old[j], sys.record[body.parent]
        turn = quaternion_from(matmul(transpose(base_of(j, kind, sys)), old.rotation))
        put_four(sys.coordinate, body.coordinate, turn)
        put_three(sys.speed, body.speed, transposed_matvec(old.rotation, subtract(old.spin, above.spin)))
    place(j, sys)


@kernel
def refold(sys):
    """Find all coordinates and rates again from the motion that `remember` has kept."""
    for j in range(sys.bodies):
        refold_body(j, sys)


@kernel
def keep_momentum(sys):
    """Place all bodies; where nodes are light, with rates found again from the velocities and spins in the table `old`.

    Those of a step are v₀ + h a, in which the momentum of every node is that of the forces on it. The joints' own
    rates, advanced by h q̈, give the same but for some ¼h³q̈²ℓ; with light nodes that swing fast across the line this is
    large, and would be a speed of the load further out.
    """
    if sys.settings.light == 0.0:
        place_all(sys)
        return
    for j in range(sys.bodies):
        body = sys.body[j]
        kind = kind_of(body, sys)
        place(j, sys)
        if kind == CABLE:
            refold_rates(j, sys)
        elif kind == SPHERICAL and body.parent >= sys.bases and sys.body[body.parent - sys.bases].kind == CABLE:
            spin = subtract(sys.old[j].spin, sys.record[body.parent].spin)
            put_three(sys.speed, body.speed, transposed_matvec(sys.record[sys.bases + j].rotation, spin))
            place(j, sys)


@kernel
def frame_along(direction, first_axis):
    """Rotation whose z is a unit direction and whose y is as near as can be to `first_axis`."""
    y = subtract(first_axis, scale(dot(first_axis, direction), direction))
    y = scale(1.0 / math.sqrt(dot(y, y)), y)
    x = cross(y, direction)
    return (x[0], y[0], direction[0], x[1], y[1], direction[1], x[2], y[2], direction[2])


@kernel
def lay_frame(body, own, sys):
    """Count the turns of an element from the frame `own` (global), its parent standing as it does."""
    above = sys.record[body.parent].rotation
    sys.frame[body.element].turn = quaternion_from(matmul(transpose(above), own))


@kernel
def rebase(sys):
    """Lay anew the frames of elements whose second turn nears the singular place; the number of frames laid.

    The state is left exactly where it was, but for roundings. All bodies must be in place.
    """
    count = 0
    for j in range(sys.bodies):
        body = sys.body[j]
        if kind_of(body, sys) == CABLE and abs(sys.coordinate[body.coordinate + 1].value) > sys.settings.rebase_at:
            # a node's rotation stays as it is, so that its children find their parent as it was
            lay_frame(body, sys.record[sys.bases + j].rotation, sys)
            count += 1
    if count > 0:
        remember(sys)
        refold(sys)
    return count
