"""What the links feel at rest, as compiled functions for statics and modes."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.small import ZERO3, add_scaled, cross, dot, scale, subtract, vector_of
from fairlead.rigging.point_loads import load_of
from fairlead.rigging.stillness import put_signals

from .joint import bend_ratio
from .link import link_loads, lump_loads, torques_on
from .schema import SCHEMA

system = SCHEMA.view


@entry
def signals_at(t, u, y, ints, reals, work, commands, loads):
    """All commands (controlled, 3) and the forces and torques of all loads (loads, 6) at time t."""
    put_signals(t, u, system(ints, reals, y, work), commands, loads)


@kernel
def push(forces, node, c, force):
    """Add c times a force to that on a node."""
    for k in range(3):
        forces[node, k] += c * force[k]


@kernel
def turn(forces, node, length, way):
    """Add a generalised force on the direction of the link below a node, across it: a pair of forces on its ends."""
    push(forces, node, -1.0 / length, way)
    push(forces, node + 1, 1.0 / length, way)


@kernel
def bend(k, above, below):
    """Generalised forces −∂U/∂q of a joint's bending energy on the directions above and below it, across them."""
    c, gain = dot(above, below), k * bend_ratio(above, below)
    return scale(gain, add_scaled(below, -c, above)), scale(gain, add_scaled(above, -c, below))


@entry
def rest_forces(t, places, y, ints, reals, work, outside, inside, masses, inertia):
    """What acts on nodes at rest at `places` (nodes, 3); what it is written to holds zeros before.

    outside, inside (nodes, 3): loads, but for the seabed's, and forces of bending; masses (links, 6): n00, n01, n11,
    t00, t01, t11 of each link; inertia (nodes,): of what sits on a node.
    """
    sys = system(ints, reals, y, work)
    for c in range(sys.chains):
        chain, end = sys.chain[c], sys.end[c]
        above, before, node = end.start_axis, 0.0, chain.first + c
        for j in range(chain.first, chain.first + chain.count):
            p = vector_of(places[node], 0)
            chord = subtract(vector_of(places[node + 1], 0), p)
            length = math.sqrt(dot(chord, chord))
            q = scale(1.0 / length, chord)
            n00, n01, n11, t00, t01, t11, f0, f1, _ = link_loads(
                t, j, p, q, ZERO3, ZERO3, ZERO3, ZERO3, ZERO3, 0.0, sys
            )  # fmt: skip
            push(outside, node, 1.0, f0)
            push(outside, node + 1, 1.0, f1)
            turn(outside, node, length, cross(torques_on(t, j, sys), q))
            masses[j, 0], masses[j, 1], masses[j, 2] = n00, n01, n11
            masses[j, 3], masses[j, 4], masses[j, 5] = t00, t01, t11
            on_above, on_below = bend(sys.link[j].bending, above, q)
            turn(inside, node, length, on_below)
            if j > chain.first:
                turn(inside, node - 1, before, on_above)
            above, before, node = q, length, node + 1
        on_above, _ = bend(end.stop_bending, above, end.stop_axis)
        turn(inside, node - 1, before, on_above)
    for node in range(sys.nodes):
        body = sys.sitting[node].body
        if body >= 0:
            place = vector_of(places[node], 0)
            inertia[node], force, _ = lump_loads(t, sys.lump[body], place, ZERO3, ZERO3, ZERO3, 0.0, sys.reals)
            push(outside, node, 1.0, force)
    for i in range(sys.loads):
        force, _ = load_of(t, i, sys)
        push(outside, sys.load[i].on, 1.0, force)
