"""Mass: from forces on the nodes to their accelerations, and kinetic energy.

The cable's own mass is a constant banded matrix M (the consistent one decays as 0.27 to the power of the distance in
nodes; lumped it is diagonal), kept with its inverse over the free nodes. In water the added mass of the nodes joins it,
which turns with the cable: then conjugate gradients, preconditioned by M⁻¹, solve (M + A)a = F in a few steps.

`values` and `out` are tables of vectors, one a node, such as `sys.acceleration`.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import ZERO3, add, add_scaled, dot, subtract

from .schema import FREE
from .sea_loads import added_inertia, added_masses

MOST_ITERATIONS = 60
CLOSE = 1e-13


@kernel
def band_row(i, cable, half, band, values, sys):
    """Row i, counted along the cable, of a banded matrix on the vectors of its nodes."""
    row = band + i * (2 * half + 1) + half - i
    total = ZERO3
    for j in range(max(0, i - half), min(cable.count, i + half) + 1):
        total = add_scaled(total, sys.band[row + j].entry, values[cable.first + j].xyz)
    return total


@kernel
def mass_row(i, cable, values, sys):
    """Row i of M·values."""
    return band_row(i, cable, cable.half, cable.band, values, sys)


@kernel
def mass_product(cable, values, sys, out):
    """out ← M·values."""
    for i in range(cable.count + 1):
        out[cable.first + i].xyz = mass_row(i, cable, values, sys)


@kernel
def inverse_product(cable, values, sys, out):
    """out ← M⁻¹·values."""
    for i in range(cable.count + 1):
        out[cable.first + i].xyz = band_row(i, cable, cable.inverse_half, cable.inverse_band, values, sys)


@kernel
def node_water(t, i, a, sys):
    """Added mass of node i on a vector."""
    tangent = sys.tangent[i].xyz
    return added_inertia(added_masses(t, sys.position[i].xyz, tangent, i, sys), tangent, a)


@kernel
def add_water(t, cable, values, sys, out):
    """out += A·values over the nodes of a cable: the added mass of the water."""
    for i in range(cable.first, cable.first + cable.count + 1):
        out[i].xyz = add(out[i].xyz, node_water(t, i, values[i].xyz, sys))


@kernel
def clear_held(cable, values, sys):
    """Nothing on held nodes."""
    for i in range(cable.first, cable.first + cable.count + 1, cable.count):
        if sys.held[i].control != FREE:
            values[i].xyz = ZERO3


@kernel
def product(cable, a, b):
    """Sum of a·b over the nodes of a cable, number by number."""
    total = 0.0
    for i in range(cable.first, cable.first + cable.count + 1):
        f, g = a[i].xyz, b[i].xyz
        total = total + f[0] * g[0] + f[1] * g[1] + f[2] * g[2]
    return total


@kernel
def accelerate(t, c, sys):
    """Accelerations of the free nodes of cable c from the forces; those of held nodes are kept.

    In water the held nodes' accelerations act through M here; in air they act at the kicks (`pull_start`), exactly.
    """
    cable = sys.cable[c]
    nodes = range(cable.first, cable.first + cable.count + 1)
    force, z = sys.force, sys.product
    if sys.water == 0:
        inverse_product(cable, force, sys, z)
        for i in nodes:
            if sys.held[i].control == FREE:
                sys.acceleration[i].xyz = z[i].xyz
        return
    a, residual, way, image = sys.acceleration, sys.residual, sys.way, sys.image
    # residual = F − (M + A) a with the accelerations of the step before as a first guess
    mass_product(cable, a, sys, residual)
    add_water(t, cable, a, sys, residual)
    for i in nodes:
        residual[i].xyz = subtract(force[i].xyz, residual[i].xyz)
    clear_held(cable, residual, sys)
    size = product(cable, force, force)
    inverse_product(cable, residual, sys, z)
    for i in nodes:
        way[i].xyz = z[i].xyz
    old = product(cable, residual, z)
    for _ in range(MOST_ITERATIONS):
        if not product(cable, residual, residual) > CLOSE * CLOSE * size:
            break
        mass_product(cable, way, sys, image)
        add_water(t, cable, way, sys, image)
        clear_held(cable, image, sys)
        step = old / product(cable, way, image)
        for i in nodes:
            a[i].xyz = add_scaled(a[i].xyz, step, way[i].xyz)
            residual[i].xyz = add_scaled(residual[i].xyz, -step, image[i].xyz)
        inverse_product(cable, residual, sys, z)
        new = product(cable, residual, z)
        for i in nodes:
            way[i].xyz = add_scaled(z[i].xyz, new / old, way[i].xyz)
        old = new


@kernel
def kinetic_energy(t, cable, sys):
    """½ vᵀ(M + A)v of a cable; `product` holds its momenta then."""
    mass_product(cable, sys.velocity, sys, sys.product)
    if sys.water == 1:
        add_water(t, cable, sys.velocity, sys, sys.product)
    energy = 0.0
    for i in range(cable.first, cable.first + cable.count + 1):
        energy += 0.5 * dot(sys.product[i].xyz, sys.velocity[i].xyz)
    return energy
