"""One node: the mass and the loads of its two half links, and its contact with the seabed.

`node` is the row of its constants; `s` is how much longer its half links are than at the start (1 unless line is paid
out or in).
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import ZERO3, add_scaled, dot, scale, subtract
from fairlead.loads.buoyancy import bar_height, buoyancy_energy, submergence
from fairlead.loads.drag import NONE, secants
from fairlead.rigging.bed import free_fall, pressed, remember_touch, touch_bed
from fairlead.sea.water import elevation, fluid, surface_rise

from .schema import NODE_DRAG


@kernel
def state_of(cable, j, sys):
    """Position and velocity of node j of a cable: a row of the nodes, or of the points it ends in."""
    if j == 0:
        return sys.point_state[cable.start]
    if j == cable.count:
        return sys.point_state[cable.end]
    return sys.node_state[cable.node + j]


@kernel
def wetness(t, node, s, x, tangent, sys):
    """Submerged fraction of a node's half links and the height over which they submerge [m]."""
    reach = s * node.share + node.diameter
    z = x[2] - elevation(t, x[0], x[1], sys.reals)
    if z <= -reach:
        return 1.0, reach
    height = bar_height(s * node.share * tangent[2], node.diameter)
    return submergence(z, height), height


@kernel
def node_water(t, node, s, x, v, tangent, turn, tilt, sys):
    """Inertia and loads of a node.

    Returns the mass across and along the cable, with added mass [kg]; the drag secants across and along [N s/m]; the
    drag, with what accelerating water carries along, σ(ρV + A) a (3) [N]; buoyancy less weight, upwards [N]; and the
    power of unequal added masses that turn with the cable, of wetting more of it, of a surface that rises above it and
    of the height H over which it submerges [W]: dE/dt of the water beside the work of its forces,
    −(A_n − A_t)(v·t)(v·ṫ) + ½σ̇ vᵀAv + σB η̇ + ½Bσ(1 − σ)Ḣ. `turn` is v·ṫ and `tilt` the upward part of ṫ [1/s].
    """
    sigma, height = wetness(t, node, s, x, tangent, sys)
    mass = s * node.mass
    added_n, added_t = s * sigma * node.added_normal, s * sigma * node.added_axial
    up = s * (sigma * node.buoyancy - node.weight)
    along = dot(v, tangent)
    rise = surface_rise(t, x, v, sys.reals)
    power = (added_t - added_n) * along * turn + s * sigma * node.buoyancy * rise
    if 0.0 < sigma < 1.0:
        swept = added_n * (dot(v, v) - along * along) + added_t * along * along
        reach = s * node.share
        growth = reach * reach * tangent[2] * tilt / height
        wetting = ((0.5 - sigma) * growth - v[2] + rise) / height
        power += 0.5 * wetting / sigma * swept
        power += 0.5 * s * node.buoyancy * sigma * (1.0 - sigma) * growth
    cn, ct, drag = 0.0, 0.0, ZERO3
    law = node.drag_law
    waves = sys.sea.stirred > 0.0
    if sigma > 0.0 and (law != NONE or waves):
        flow, push, _, _ = fluid(t, x[0], x[1], x[2], sys.reals)
        u = subtract(v, flow)
        axial = dot(u, tangent)
        total = dot(u, u)
        if law == NODE_DRAG:
            cn = s * sigma * node.drag_normal * math.sqrt(total)
            ct = cn
        else:
            across2 = max(0.0, total - axial * axial)
            wet = s * sigma
            cn, ct = secants(law, wet * node.drag_normal, wet * node.drag_axial, node.reynolds, across2, axial)
        drag = add_scaled(scale(-cn, u), (cn - ct) * axial, tangent)
        if waves:
            displaced = s * sigma * node.buoyancy / sys.sea.gravity
            drag = add_scaled(drag, displaced + added_n, push)
            drag = add_scaled(drag, (added_t - added_n) * dot(push, tangent), tangent)
    return mass + added_n, mass + added_t, cn, ct, drag, up, power


@kernel
def node_energies(t, node, s, x, v, tangent, sys):
    """Kinetic energy with added mass and potential of weight less buoyancy [J]."""
    sigma, height = wetness(t, node, s, x, tangent, sys)
    along = dot(v, tangent)
    mass = s * node.mass
    kinetic = 0.5 * (mass + s * sigma * node.added_normal) * (dot(v, v) - along * along)
    kinetic += 0.5 * (mass + s * sigma * node.added_axial) * along * along
    z = x[2] - elevation(t, x[0], x[1], sys.reals)
    return kinetic, s * (node.weight * x[2] + buoyancy_energy(node.buoyancy, z, height))


@kernel
def touch(i, s, x, v, sys):
    """Contact of node i with the seabed in this step, kept in `touch`; True when it acts (see `seabed_contact`)."""
    node, kept, h = sys.node[i], sys.touch[i], sys.step.size
    fall = free_fall(node.weight, node.buoyancy, node.mass + node.added_normal)
    kept.push = ZERO3
    kept.matrix, kept.force = touch_bed(
        x, v, node.radius, s * node.bed_stiffness, s * node.bed_damping, s * node.bed_shear, fall, True, kept,
        sys.contact[i], h, h, h * h, h, sys,
    )  # fmt: skip
    return kept.active > 0.5


@kernel
def settle_contact(i, s, v, a, x, sys):
    """After the node's acceleration a is known and it stands at x: book the contact's work and keep its memory."""
    node, kept = sys.node[i], sys.touch[i]
    normal = 0.0
    if kept.active > 0.5:
        h, n = sys.step.size, kept.normal
        normal, friction, across = pressed(kept, a)
        kept.push = add_scaled(friction, normal, n)
        mean = add_scaled(v, 0.5 * h, a)
        damping = -s * node.bed_damping * (dot(n, v) + h * across)
        sys.ledger.friction += h * dot(friction, mean)
        sys.ledger.bed += h * damping * dot(n, mean)
    remember_touch(s * node.bed_shear, x, True, kept.active > 0.5, normal, sys.contact[i], sys)
