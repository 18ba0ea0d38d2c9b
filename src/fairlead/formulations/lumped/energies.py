"""Kinetic energy and gravity potential of one element."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add_scaled, dot, scale
from fairlead.loads.body import body_energies
from fairlead.loads.buoyancy import buoyancy_energy

from .arrays import (
    ADDED_AXIAL, ADDED_NORMAL, BUOYANCY, DIAMETER, LUMP_ADDED, LUMP_BUOYANCY, LUMP_COUNT, LUMP_FIRST, LUMP_HEIGHT,
    LUMP_MASS, LUMP_SHARE, MASS, WEIGHT, lump_at, vector_of,
)  # fmt: skip
from .element import wet_part


@kernel
def still_energies(t, element, one, axis, ints, reals, y):
    """Kinetic energy (with added mass) and gravity potential (with buoyancy) of an element with its attachments [J].

    `element` is where its constants begin in `reals`, `one` where its first node begins in `y`, `axis` its direction.
    """
    p1, v1, p2, v2 = vector_of(y, one), vector_of(y, one + 3), vector_of(y, one + 6), vector_of(y, one + 9)
    sigma, height, z = wet_part(t, p1, p2, reals[element + DIAMETER], reals)
    across = reals[element + MASS] + sigma * reals[element + ADDED_NORMAL]
    along = reals[element + MASS] + sigma * reals[element + ADDED_AXIAL]
    s1, s2 = dot(v1, axis), dot(v2, axis)
    kinetic = 0.5 * (across * (dot(v1, v1) + dot(v2, v2)) + (along - across) * (s1 * s1 + s2 * s2))
    gravity = reals[element + WEIGHT] * (p1[2] + p2[2])
    gravity += buoyancy_energy(2.0 * reals[element + BUOYANCY], z, height)
    first = int(reals[element + LUMP_FIRST])
    for k in range(first, first + int(reals[element + LUMP_COUNT])):
        lump = lump_at(ints, k)
        f = reals[lump + LUMP_SHARE]
        moving, lifted = body_energies(
            t, add_scaled(scale(1.0 - f, p1), f, p2), add_scaled(scale(1.0 - f, v1), f, v2), reals[lump + LUMP_MASS],
            reals[lump + LUMP_ADDED], reals[lump + LUMP_BUOYANCY], reals[lump + LUMP_HEIGHT], reals,
        )  # fmt: skip
        kinetic += moving
        gravity += lifted
    return kinetic, gravity
