"""What is stored in a cable: energy of motion, of height, of stretch and bend and of the bed under it."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import dot, scale, subtract
from fairlead.rigging.elements import compact_energies
from fairlead.sea.water import bed_gap

from .bending import bending_energy
from .links import link_energy
from .node import node_energies, state_of


@kernel
def body_sum(t, first, count, x, v, sys):
    """Kinetic and potential energy of bodies at one place [J]."""
    kinetic, gravity = 0.0, 0.0
    for b in range(first, first + count):
        k, g = compact_energies(t, x, v, sys.body[b], sys.reals)
        kinetic += k
        gravity += g
    return kinetic, gravity


@kernel
def cable_energies(t, c, sys):
    """Kinetic and gravity energy of cable c, of its links' stretch, and of its bend and the bed under it [J]."""
    cable, s = sys.cable[c], sys.paid[c].factor
    bends, bed = cable.bends == 1, sys.sea.bed > 0.0
    kinetic, gravity, stretch, bend = 0.0, 0.0, 0.0, 0.0
    for j in range(cable.count + 1):
        node, carried, state = sys.node[cable.node + j], sys.carried[cable.node + j], state_of(cable, j, sys)
        x, v = state.position, state.velocity
        before = state_of(cable, max(0, j - 1), sys).position
        after = state_of(cable, min(cable.count, j + 1), sys).position
        span = subtract(after, before)
        width = math.sqrt(dot(span, span))
        tangent = scale(1.0 / width, span) if width > 0.0 else (0.0, 0.0, 1.0)
        k, g = node_energies(t, node, s, x, v, tangent, sys)
        more_k, more_g = body_sum(t, carried.first, carried.count, x, v, sys)
        kinetic += k + more_k
        gravity += g + more_g
        if j < cable.count:
            chord = subtract(after, x)
            length = s * sys.link[cable.link + j].length
            stretch += link_energy(cable.link + j, math.sqrt(dot(chord, chord)), length, sys)
        if bends and 0 < j < cable.count:
            bend += bending_energy(c, j, sys)
        if bed:
            gap = min(0.0, bed_gap(x, node.radius, sys.reals))
            bend += 0.5 * s * node.bed_stiffness * gap * gap
    return kinetic, gravity, stretch, bend
