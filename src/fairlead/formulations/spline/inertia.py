"""Mass: from forces on the nodes to their accelerations, and kinetic energy.

The cable's own mass is a constant banded matrix M (the consistent one decays as 0.27 to the power of the distance in
nodes; lumped it is diagonal), kept with its inverse over the free nodes. In water the added mass of the nodes joins it,
which turns with the cable: then conjugate gradients, preconditioned by M⁻¹, solve (M + A)a = F in a few steps.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import dot

from .arrays import (
    CABLE_INTS, COUNT, FIRST, I_HELD, R_BANDS, W_FORCE, W_SLOPE, W_SOLVE, WATER, Y_ACCELERATION,
    Y_POSITION, cable_at, node_at, put, vector_of,
)  # fmt: skip
from .sea_loads import added_inertia, added_masses

MASS_BAND, INVERSE_BAND = 0, 1
MOST_ITERATIONS = 60
CLOSE = 1e-13


@kernel
def banded_product(c, which, values, at, ints, reals, out, to):
    """out ← M·values or M⁻¹·values of cable c (3 a node): `which` is MASS_BAND or INVERSE_BAND."""
    cable = cable_at(ints, c)
    count = ints[cable + COUNT]
    half = ints[cable + CABLE_INTS + 2 * which]
    band = ints[R_BANDS] + ints[cable + CABLE_INTS + 2 * which + 1]
    for i in range(count + 1):
        row = band + i * (2 * half + 1) + half - i
        x, y, z = 0.0, 0.0, 0.0
        for j in range(max(0, i - half), min(count, i + half) + 1):
            f = reals[row + j]
            k = at + 3 * j
            x += f * values[k]
            y += f * values[k + 1]
            z += f * values[k + 2]
        put(out, to + 3 * i, (x, y, z))


@kernel
def add_water(t, c, values, at, ints, reals, y, work, out, to):
    """out += A·values over the free nodes of cable c: the added mass of the water."""
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    for i in range(count + 1):
        node, tangent = node_at(ints, first + i), vector_of(work, ints[W_SLOPE] + 3 * (first + i))
        masses = added_masses(t, vector_of(y, ints[Y_POSITION] + 3 * (first + i)), tangent, reals, node)
        f = added_inertia(masses, tangent, vector_of(values, at + 3 * i))
        for k in range(3):
            out[to + 3 * i + k] += f[k]


@kernel
def clear_held(c, values, at, ints):
    """Nothing on held nodes."""
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    for i in range(0, count + 1, count):
        if ints[ints[I_HELD] + first + i] != -1:
            put(values, at + 3 * i, (0.0, 0.0, 0.0))


@kernel
def accelerate(t, c, ints, reals, y, work):
    """y's accelerations of the free nodes of cable c from W_FORCE; those of held nodes are kept.

    In water the held nodes' accelerations act through M here; in air they act at the kicks (`PULL`), exactly.
    """
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    size = 3 * (count + 1)
    force, a = ints[W_FORCE] + 3 * first, ints[Y_ACCELERATION] + 3 * first
    spot = ints[W_SOLVE] + 12 * first
    z = spot
    if ints[WATER] == 0:
        banded_product(c, INVERSE_BAND, work, force, ints, reals, work, z)
        for i in range(count + 1):
            if ints[ints[I_HELD] + first + i] == -1:
                put(y, a + 3 * i, vector_of(work, z + 3 * i))
        return
    residual, way, answer = spot + size, spot + 2 * size, spot + 3 * size
    # residual = F − (M + A) a with the accelerations of the step before as a first guess
    banded_product(c, MASS_BAND, y, a, ints, reals, work, residual)
    add_water(t, c, y, a, ints, reals, y, work, work, residual)
    scale = 0.0
    for k in range(size):
        work[residual + k] = work[force + k] - work[residual + k]
    clear_held(c, work, residual, ints)
    for k in range(size):
        scale += work[force + k] * work[force + k]
    banded_product(c, INVERSE_BAND, work, residual, ints, reals, work, z)
    old = 0.0
    for k in range(size):
        work[way + k] = work[z + k]
        old += work[residual + k] * work[z + k]
    for _ in range(MOST_ITERATIONS):
        left = 0.0
        for k in range(size):
            left += work[residual + k] * work[residual + k]
        if not left > CLOSE * CLOSE * scale:
            break
        banded_product(c, MASS_BAND, work, way, ints, reals, work, answer)
        add_water(t, c, work, way, ints, reals, y, work, work, answer)
        clear_held(c, work, answer, ints)
        steep = 0.0
        for k in range(size):
            steep += work[way + k] * work[answer + k]
        step = old / steep
        for k in range(size):
            y[a + k] += step * work[way + k]
            work[residual + k] -= step * work[answer + k]
        banded_product(c, INVERSE_BAND, work, residual, ints, reals, work, z)
        new = 0.0
        for k in range(size):
            new += work[residual + k] * work[z + k]
        for k in range(size):
            work[way + k] = work[z + k] + new / old * work[way + k]
        old = new


@kernel
def kinetic_energy(t, c, v, ints, reals, y, work):
    """½ vᵀ(M + A)v of cable c with the velocities from `v` on in y; W_SOLVE holds M v then."""
    cable = cable_at(ints, c)
    first, count = ints[cable + FIRST], ints[cable + COUNT]
    momentum = ints[W_SOLVE] + 12 * first
    banded_product(c, MASS_BAND, y, v, ints, reals, work, momentum)
    if ints[WATER] == 1:
        add_water(t, c, y, v, ints, reals, y, work, work, momentum)
    energy = 0.0
    for i in range(count + 1):
        energy += 0.5 * dot(vector_of(work, momentum + 3 * i), vector_of(y, v + 3 * i))
    return energy
