"""What is stored in a cable: energy of motion, of height, of stretch and bend and of the bed under it."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import dot, scale, subtract
from fairlead.loads.body import body_energies
from fairlead.sea.water import BED_PRESENT, bed_gap

from .arrays import (
    BED_STIFFNESS, BODY_ADDED, BODY_COLUMNS, BODY_COUNT, BODY_FIRST, BODY_HEIGHT, BODY_LIFT, BODY_MASS, CABLE_BENDS,
    CABLE_COUNT, CABLE_LINK, CABLE_NODE, LENGTH, RADIUS, R_BODIES, Y_SCALE, cable_at, link_at, node_at, state_at,
    vector_of,
)  # fmt: skip
from .bending import bending_energy
from .links import link_energy
from .node import node_energies


@kernel
def body_sum(t, first, count, x, v, ints, reals):
    """Kinetic and potential energy of bodies at one place [J]."""
    kinetic, gravity = 0.0, 0.0
    for b in range(first, first + count):
        body = ints[R_BODIES] + b * BODY_COLUMNS
        k, g = body_energies(
            t, x, v, reals[body + BODY_MASS], reals[body + BODY_ADDED], reals[body + BODY_LIFT],
            reals[body + BODY_HEIGHT], reals,
        )  # fmt: skip
        kinetic += k
        gravity += g
    return kinetic, gravity


@kernel
def cable_energies(t, c, ints, reals, y):
    """Kinetic and gravity energy of cable c, of its links' stretch, and of its bend and the bed under it [J]."""
    cable = cable_at(ints, c)
    first, count, link = ints[cable + CABLE_NODE], ints[cable + CABLE_COUNT], ints[cable + CABLE_LINK]
    s = y[ints[Y_SCALE] + c]
    bends, bed = ints[cable + CABLE_BENDS] == 1, reals[BED_PRESENT] > 0.0
    kinetic, gravity, stretch, bend = 0.0, 0.0, 0.0, 0.0
    for j in range(count + 1):
        node = node_at(ints, first + j)
        x, v = vector_of(y, state_at(ints, cable, j)), vector_of(y, state_at(ints, cable, j) + 3)
        before = vector_of(y, state_at(ints, cable, max(0, j - 1)))
        after = vector_of(y, state_at(ints, cable, min(count, j + 1)))
        span = subtract(after, before)
        width = math.sqrt(dot(span, span))
        tangent = scale(1.0 / width, span) if width > 0.0 else (0.0, 0.0, 1.0)
        k, g = node_energies(t, node, s, x, v, tangent, reals)
        more_k, more_g = body_sum(t, int(reals[node + BODY_FIRST]), int(reals[node + BODY_COUNT]), x, v, ints, reals)
        kinetic += k + more_k
        gravity += g + more_g
        if j < count:
            chord = subtract(after, x)
            length = s * reals[link_at(ints, link + j) + LENGTH]
            stretch += link_energy(link + j, math.sqrt(dot(chord, chord)), length, ints, reals, y)
        if bends and 0 < j < count:
            bend += bending_energy(c, j, ints, reals, y)
        if bed:
            gap = min(0.0, bed_gap(x, reals[node + RADIUS], reals))
            bend += 0.5 * s * reals[node + BED_STIFFNESS] * gap * gap
    return kinetic, gravity, stretch, bend
