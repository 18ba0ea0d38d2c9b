"""One node: the mass and the loads of its two half links, and its contact with the seabed.

`node` is where the node's constants begin in `reals`, whose head is the sea; `s` is how much longer its half links are
than at the start (1 unless line is paid out or in).
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add_scaled, dot, outer_scaled, scale, subtract, symadd
from fairlead.loads.buoyancy import bar_height, buoyancy_energy, submergence
from fairlead.loads.drag import NONE, axial_secant, normal_secant
from fairlead.loads.seabed_contact import bed_push, remember_push
from fairlead.sea.water import BED_X, BED_Y, BED_Z, GRAVITY, WAVE_COUNT, elevation, fluid, surface_rise

from .arrays import (
    ACTIVE, ADDED_AXIAL, ADDED_NORMAL, BED_DAMPING, BED_SHEAR, BED_STIFFNESS, CONTACT_FORCE, DIAMETER, DRAG_AXIAL,
    DRAG_LAW, DRAG_NORMAL, FRICTION, LIFT, MASS, NODE_DRAG, NORMAL_BIAS, NORMAL_MASS, RADIUS, REYNOLDS, SHARE,
    SHEAR_MASS, STEP, WEIGHT, WORK_BED, WORK_FRICTION, Y_LEDGER, contact_at, kept_contact_at, node_at, put,
    vector_of,
)  # fmt: skip

ZERO3 = (0.0, 0.0, 0.0)


@kernel
def wetness(t, node, s, x, tangent, reals):
    """Submerged fraction of a node's half links and the height over which they submerge [m]."""
    reach = s * reals[node + SHARE] + reals[node + DIAMETER]
    z = x[2] - elevation(t, x[0], x[1], reals)
    if z <= -reach:
        return 1.0, reach
    height = bar_height(s * reals[node + SHARE] * tangent[2], reals[node + DIAMETER])
    return submergence(z, height), height


@kernel
def node_water(t, node, s, x, v, tangent, turn, reals):
    """Inertia and loads of a node.

    Returns the mass across and along the cable, with added mass [kg]; the drag secants across and along [N s/m]; the
    drag, with what accelerating water carries along, σ(ρV + A) a (3) [N]; buoyancy less weight, upwards [N]; and the
    power of unequal added masses that turn with the cable, of wetting more of it and of a surface that rises above it
    [W]: dE/dt of the water beside the work of its forces, −(A_n − A_t)(v·t)(v·ṫ) + ½σ̇ vᵀAv + σB η̇. `turn` is v·ṫ.
    """
    sigma, height = wetness(t, node, s, x, tangent, reals)
    mass = s * reals[node + MASS]
    added_n, added_t = s * sigma * reals[node + ADDED_NORMAL], s * sigma * reals[node + ADDED_AXIAL]
    up = s * (sigma * reals[node + LIFT] - reals[node + WEIGHT])
    along = dot(v, tangent)
    rise = surface_rise(t, x, v, reals)
    power = (added_t - added_n) * along * turn + s * sigma * reals[node + LIFT] * rise
    if 0.0 < sigma < 1.0:
        swept = added_n * (dot(v, v) - along * along) + added_t * along * along
        power -= 0.5 * (v[2] - rise) / (height * sigma) * swept
    cn, ct, drag = 0.0, 0.0, ZERO3
    law = reals[node + DRAG_LAW]
    waves = reals[WAVE_COUNT] > 0.0
    if sigma > 0.0 and (law != NONE or waves):
        flow, push, _, _ = fluid(t, x[0], x[1], x[2], reals)
        u = subtract(v, flow)
        axial = dot(u, tangent)
        total = dot(u, u)
        if law == NODE_DRAG:
            cn = s * sigma * reals[node + DRAG_NORMAL] * math.sqrt(total)
            ct = cn
        else:
            reynolds = reals[node + REYNOLDS]
            across = math.sqrt(max(0.0, total - axial * axial))
            cn = s * sigma * normal_secant(law, reals[node + DRAG_NORMAL], across, reynolds)
            ct = s * sigma * axial_secant(law, reals[node + DRAG_AXIAL], abs(axial), math.sqrt(total), reynolds)
        drag = add_scaled(scale(-cn, u), (cn - ct) * axial, tangent)
        if waves:
            displaced = s * sigma * reals[node + LIFT] / reals[GRAVITY]
            drag = add_scaled(drag, displaced + added_n, push)
            drag = add_scaled(drag, (added_t - added_n) * dot(push, tangent), tangent)
    return mass + added_n, mass + added_t, cn, ct, drag, up, power


@kernel
def node_energies(t, node, s, x, v, tangent, reals):
    """Kinetic energy with added mass and potential of weight less buoyancy [J]."""
    sigma, height = wetness(t, node, s, x, tangent, reals)
    along = dot(v, tangent)
    mass = s * reals[node + MASS]
    kinetic = 0.5 * (mass + s * sigma * reals[node + ADDED_NORMAL]) * (dot(v, v) - along * along)
    kinetic += 0.5 * (mass + s * sigma * reals[node + ADDED_AXIAL]) * along * along
    z = x[2] - elevation(t, x[0], x[1], reals)
    return kinetic, s * (reals[node + WEIGHT] * x[2] + buoyancy_energy(reals[node + LIFT], z, height))


@kernel
def touch(i, s, x, v, ints, reals, y, work):
    """Contact of node i with the seabed in this step, kept in `work`; True when it acts (see `seabed_contact`)."""
    kept, node = kept_contact_at(ints, i), node_at(ints, i)
    h = work[STEP]
    heavy = max(0.0, reals[node + WEIGHT] - reals[node + LIFT])
    fall = -reals[BED_Z] * heavy / (reals[node + MASS] + reals[node + ADDED_NORMAL])
    active, mass, bias, shear, friction = bed_push(
        reals, reals[node + RADIUS], s * reals[node + BED_STIFFNESS], s * reals[node + BED_DAMPING],
        s * reals[node + BED_SHEAR], fall, x, v, y, contact_at(ints, i), h, h, h * h, h,
    )  # fmt: skip
    work[kept + ACTIVE] = 1.0 if active else 0.0
    work[kept + NORMAL_MASS], work[kept + NORMAL_BIAS], work[kept + SHEAR_MASS] = mass, -bias, shear
    put(work, kept + FRICTION, friction)
    put(work, kept + CONTACT_FORCE, ZERO3)
    return active


@kernel
def contact_push(i, ints, reals, work):
    """Force (3) of a touching node's contact before the step's own change, and what it adds to the mass (6)."""
    kept = kept_contact_at(ints, i)
    n = (reals[BED_X], reals[BED_Y], reals[BED_Z])
    shear = work[kept + SHEAR_MASS]
    matrix = symadd(outer_scaled(work[kept + NORMAL_MASS] - shear, n), (shear, 0.0, 0.0, shear, 0.0, shear))
    return add_scaled(vector_of(work, kept + FRICTION), work[kept + NORMAL_BIAS], n), matrix


@kernel
def settle_contact(i, s, v, a, x, ints, reals, y, work):
    """After the node's acceleration a is known and it stands at x: book the contact's work and keep its memory."""
    kept = kept_contact_at(ints, i)
    normal = 0.0
    if work[kept + ACTIVE] > 0.5:
        h = work[STEP]
        n = (reals[BED_X], reals[BED_Y], reals[BED_Z])
        across = dot(n, a)
        normal = work[kept + NORMAL_BIAS] - work[kept + NORMAL_MASS] * across
        along = add_scaled(a, -across, n)
        friction = add_scaled(vector_of(work, kept + FRICTION), -work[kept + SHEAR_MASS], along)
        put(work, kept + CONTACT_FORCE, add_scaled(friction, normal, n))
        mean = add_scaled(v, 0.5 * h, a)
        ledger = ints[Y_LEDGER]
        damping = -s * reals[node_at(ints, i) + BED_DAMPING] * (dot(n, v) + h * across)
        y[ledger + WORK_FRICTION] += h * dot(friction, mean)
        y[ledger + WORK_BED] += h * damping * dot(n, mean)
    ks = s * reals[node_at(ints, i) + BED_SHEAR]
    remember_push(reals, ks, x, work[kept + ACTIVE] > 0.5, normal, y, contact_at(ints, i))
