"""Kinetic energy and gravity potential of one element."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add_scaled, dot, scale
from fairlead.loads.buoyancy import buoyancy_energy
from fairlead.rigging.elements import compact_energies

from .element import wet_part


@kernel
def still_energies(t, e, node, axis, sys):
    """Kinetic energy (with added mass) and gravity potential (with buoyancy) of an element with its attachments [J].

    `node` is the first node of element e, `axis` its direction.
    """
    element = sys.element[e]
    one, two = sys.node[node], sys.node[node + 1]
    p1, v1, p2, v2 = one.position, one.velocity, two.position, two.velocity
    sigma, height, z = wet_part(t, p1, p2, element.diameter, sys)
    across = element.mass + sigma * element.added_normal
    along = element.mass + sigma * element.added_axial
    s1, s2 = dot(v1, axis), dot(v2, axis)
    kinetic = 0.5 * (across * (dot(v1, v1) + dot(v2, v2)) + (along - across) * (s1 * s1 + s2 * s2))
    gravity = element.weight * (p1[2] + p2[2])
    gravity += buoyancy_energy(2.0 * element.buoyancy, z, height)
    first = int(element.lump_first)
    for k in range(first, first + int(element.lump_count)):
        lump = sys.lump[k]
        f = lump.share
        p, v = add_scaled(scale(1.0 - f, p1), f, p2), add_scaled(scale(1.0 - f, v1), f, v2)
        moving, lifted = compact_energies(t, p, v, lump, sys.reals)
        kinetic += moving
        gravity += lifted
    return kinetic, gravity
