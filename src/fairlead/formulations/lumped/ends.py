"""What a cable end is joined to: a prescribed point, a free point, or a place on a free body.

A place at offset o on a body moves as v + R(w × o) and accelerates by a + U α + R(w × (w × o)), U = −R S(o), with the
body's unknown accelerations a (global) and α (body axes).
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, cross, matvec

from .arrays import (
    BLOCK, OFFSET, W_HUB_RHS, end_at, hub_of_end, hub_state_at, node_of_end, node_state_at, point_at, point_of_end, put,
    vector_of,
)  # fmt: skip

ZERO3 = (0.0, 0.0, 0.0)


@kernel
def turn_of(y, body):
    """Rotation matrix of the hub whose state begins at `body`."""
    return rotation((y[body + 3], y[body + 4], y[body + 5], y[body + 6]))


@kernel
def lever_columns(R, o):
    """U = −R S(o), nine numbers: acceleration of a place at offset o for a unit angular acceleration."""
    return (
        R[2] * o[1] - R[1] * o[2], R[0] * o[2] - R[2] * o[0], R[1] * o[0] - R[0] * o[1],
        R[5] * o[1] - R[4] * o[2], R[3] * o[2] - R[5] * o[0], R[4] * o[0] - R[3] * o[1],
        R[8] * o[1] - R[7] * o[2], R[6] * o[2] - R[8] * o[0], R[7] * o[0] - R[6] * o[1],
    )  # fmt: skip


@kernel
def place_end(end, ints, reals, y, work):
    """Let the node of a joined cable end follow its point."""
    node = node_state_at(ints, node_of_end(ints, end))
    hub = hub_of_end(ints, end)
    if hub < 0:
        point = point_at(ints, point_of_end(ints, end))
        for k in range(6):
            y[node + k] = work[point + k]
        return
    body = hub_state_at(ints, hub)
    place, velocity = vector_of(y, body), vector_of(y, body + 7)
    if ints[BLOCK] == 6:
        R, o = turn_of(y, body), vector_of(reals, end_at(ints, end) + OFFSET)
        place = add(place, matvec(R, o))
        velocity = add(velocity, matvec(R, cross(vector_of(y, body + 10), o)))
    put(y, node, place)
    put(y, node + 3, velocity)


@kernel
def known_acceleration(end, ints, reals, y, work):
    """The part of a joined end's acceleration that is there without the hub's unknown accelerations."""
    hub = hub_of_end(ints, end)
    if hub < 0:
        return vector_of(work, point_at(ints, point_of_end(ints, end)) + 6)
    if ints[BLOCK] == 3:
        return ZERO3
    body = hub_state_at(ints, hub)
    w = vector_of(y, body + 10)
    return matvec(turn_of(y, body), cross(w, cross(w, vector_of(reals, end_at(ints, end) + OFFSET))))


@kernel
def end_acceleration(end, ints, reals, y, work):
    """Acceleration of what a joined cable end follows, after the hubs are solved."""
    known = known_acceleration(end, ints, reals, y, work)
    hub = hub_of_end(ints, end)
    if hub < 0:
        return known
    at = ints[W_HUB_RHS] + ints[BLOCK] * hub
    linear = add(known, vector_of(work, at))
    if ints[BLOCK] == 3:
        return linear
    columns = lever_columns(turn_of(y, hub_state_at(ints, hub)), vector_of(reals, end_at(ints, end) + OFFSET))
    return add(linear, matvec(columns, vector_of(work, at + 3)))
