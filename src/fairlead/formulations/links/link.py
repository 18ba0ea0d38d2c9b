"""One link: its inertia and the loads of the water on it.

A link runs from its upper node p along the unit vector q; any point of it moves with v + s·l·q̇, s from 0 to 1. Inertia
and implicit drag come as six numbers: blocks n_ab(I − qqᵀ) + t_ab qqᵀ between its two nodes, ab = 00, 01, 11.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.small import ZERO3, add, add_scaled, dot, scale
from fairlead.loads.body import body_loads
from fairlead.loads.buoyancy import bar_height, buoyancy_energy, submergence
from fairlead.loads.drag import NONE, secants
from fairlead.rigging.elements import compact_energies
from fairlead.rigging.point_loads import load_of
from fairlead.sea.water import elevation, flow_below, fluid, surface

GAUSS = 0.5 / math.sqrt(3.0)
"""Gauss points lie at s = ½ ± GAUSS."""


@kernel
def implicit_part(h, c, inertia):
    """h·c·θ with θ = (1 + z)/(2 + z), z = h c/m: damping −c v is then second order for small z and never overshoots.

    v₁ = v₀(1 − z/(1 + θz)) = 2 v₀/(2 + 2z + z²), the (0, 2) Padé form of exp(−z).
    """
    z = h * c / inertia
    return h * c * (1.0 + z) / (2.0 + z)


@inlined
def shared(m00, m01, m11, s, mass):
    """A matrix of the two nodes of a link with a mass at the part s of it added."""
    r = 1.0 - s
    return m00 + r * r * mass, m01 + r * s * mass, m11 + s * s * mass


@kernel
def lump_loads(t, lump, p, v, vm, b, h, sea):
    """Inertia with, times the step, drag [kg], force (3) [N] and power of the drag [W] of a point mass.

    b is the part of its acceleration that bends its path without changing the velocity that a kick changes; implicit
    drag must not count it.
    """
    mass, added, lift, height = lump.mass, lump.added, lump.buoyancy, lump.height
    inertia, _, force, _ = body_loads(t, p, v, mass, added, lift, 0.0, height, sea)
    _, c, _, power = body_loads(t, p, vm, mass, added, lift, lump.drag, height, sea)
    if c > 0.0:
        flow, _, _, _ = fluid(t, p[0], p[1], p[2], sea)
        force = (force[0] - c * (v[0] - flow[0]), force[1] - c * (v[1] - flow[1]), force[2] - c * (v[2] - flow[2]))
        implicit = implicit_part(h, c, inertia) if inertia > 0.0 else h * c
        inertia += implicit
        force = add_scaled(force, implicit, b)
    return inertia, force, power


@kernel
def link_loads(t, j, p, q, v, w, vm, wm, b, h, sys):
    """Inertia and loads of link j.

    v, w (= q̇) are the velocities at the beginning of the step, vm, wm those in its middle, which the drag coefficients
    and the power are taken at; b is the centripetal part of the upper node's acceleration, that of all links above.

    Returns
    -------
    n00, n01, n11, t00, t01, t11 : inertia with added mass and, times the step, drag [kg]
    f0, f1 : forces on the upper and lower node [N]
    power  : of the water on the link [W]: drag, and what turning and wetting change in the energy of the added mass

    Mass is that of a uniform rod, m/6·[[2, 1], [1, 2]], which is m at the middle with m l²/12 about it. Added mass acts
    on the true acceleration (Morison form). Drag is taken at two Gauss points, and so is what the acceleration a of the
    water under waves carries along, σ(ρV + A) a; buoyancy where its potential wants it.
    """
    link, lumps, sea, waves = sys.link[j], sys.carried[j], sys.reals, sys.sea.stirred > 0.0
    length, mass = link.length, link.mass
    x, y, z = add_scaled(p, 0.5 * length, q)
    height = bar_height(q[2] * length, link.diameter)
    level, rise, slope_x, slope_y = surface(t, x, y, sea)
    sigma = submergence(z - level, height)
    across = mass + sigma * link.added_normal
    along = mass + sigma * link.added_axial
    n00, n01, n11 = across / 3.0, across / 6.0, across / 3.0
    t00, t01, t11 = along / 3.0, along / 6.0, along / 3.0
    lift = sigma * link.buoyancy
    s = 0.5 - 0.5 * (1.0 - sigma) * q[2] * length / height
    if sigma == 0.0:
        s = 0.5
    f0 = (0.0, 0.0, (1.0 - s) * lift - 0.5 * link.weight)
    f1 = (0.0, 0.0, s * lift - 0.5 * link.weight)
    middle = add_scaled(vm, 0.5 * length, wm)
    rise += middle[0] * slope_x + middle[1] * slope_y
    power = sigma * (link.added_axial - link.added_normal) * dot(middle, wm) * dot(middle, q)
    power += lift * rise
    if 0.0 < sigma < 1.0:
        wetting = ((0.5 - sigma) * q[2] * length * length * wm[2] / height - middle[2] + rise) / height
        a = dot(middle, q)
        moved = link.added_normal * (dot(middle, middle) - a * a + length * length * dot(wm, wm) / 12.0)
        power += 0.5 * wetting * (moved + link.added_axial * a * a)
    bend = -length * dot(wm, wm)
    if sigma > 0.0 and (link.drag_law != NONE or waves):
        law, reynolds = link.drag_law, link.reynolds
        displaced = link.buoyancy / sys.sea.gravity if waves else 0.0
        carried_n = 0.5 * sigma * (displaced + link.added_normal)
        carried_t = 0.5 * sigma * (displaced + link.added_axial)
        offset = GAUSS
        for _ in range(2):
            offset = -offset
            s = 0.5 + offset
            r = 1.0 - s
            dx, dy, dz = scale(offset * length, q)
            above = level + dx * slope_x + dy * slope_y
            flow, push = flow_below(t, x + dx, y + dy, z + dz, above, sea)
            vx, vy, vz = add_scaled(vm, s * length, wm)
            ux, uy, uz = vx - flow[0], vy - flow[1], vz - flow[2]
            a = ux * q[0] + uy * q[1] + uz * q[2]
            total = ux * ux + uy * uy + uz * uz
            across2 = max(0.0, total - a * a)
            cn, ct = secants(law, sigma * link.drag_normal, sigma * link.drag_axial, reynolds, across2, a)
            a *= cn - ct
            carried = add_scaled(scale(carried_n, push), (carried_t - carried_n) * dot(push, q), q)
            power += carried[0] * vx + carried[1] * vy + carried[2] * vz
            power -= (cn * ux - a * q[0]) * vx + (cn * uy - a * q[1]) * vy + (cn * uz - a * q[2]) * vz
            hn, ht = implicit_part(h, cn, 0.5 * across), implicit_part(h, ct, 0.5 * along)
            n00, n01, n11 = shared(n00, n01, n11, s, hn)
            t00, t01, t11 = shared(t00, t01, t11, s, ht)
            vx, vy, vz = add_scaled(v, s * length, w)
            ux, uy, uz = vx - flow[0], vy - flow[1], vz - flow[2]
            a = (cn - ct) * (ux * q[0] + uy * q[1] + uz * q[2])
            force = add(carried, (a * q[0] - cn * ux, a * q[1] - cn * uy, a * q[2] - cn * uz))
            path = add_scaled(b, s * bend, q)
            force = add_scaled(add_scaled(force, hn, path), (ht - hn) * dot(path, q), q)
            f0 = add_scaled(f0, r, force)
            f1 = add_scaled(f1, s, force)
    for k in range(lumps.first, lumps.first + lumps.count):
        lump = sys.lump[k]
        s = lump.share
        r = 1.0 - s
        place, path = add_scaled(p, s * length, q), add_scaled(b, s * bend, q)
        speed, middle = add_scaled(v, s * length, w), add_scaled(vm, s * length, wm)
        inertia, force, lump_power = lump_loads(t, lump, place, speed, middle, path, h, sea)
        power += lump_power
        n00, n01, n11 = shared(n00, n01, n11, s, inertia)
        t00, t01, t11 = shared(t00, t01, t11, s, inertia)
        f0 = add_scaled(f0, r, force)
        f1 = add_scaled(f1, s, force)
    return n00, n01, n11, t00, t01, t11, f0, f1, power


@kernel
def link_energies(t, j, p, q, v, w, sys):
    """Kinetic energy with added mass and gravity potential with buoyancy of a link and its lumps [J].

    ∫|v + s l q̇|² over the link is |v_m|² + l²|q̇|²/12 with v_m its middle's velocity.
    """
    link, lumps, sea = sys.link[j], sys.carried[j], sys.reals
    length = link.length
    x, y, z = add_scaled(p, 0.5 * length, q)
    height = bar_height(q[2] * length, link.diameter)
    z -= elevation(t, x, y, sea)
    sigma = submergence(z, height)
    across = link.mass + sigma * link.added_normal
    along = link.mass + sigma * link.added_axial
    u = add_scaled(v, 0.5 * length, w)
    a = dot(u, q)
    kinetic = 0.5 * (across * (dot(u, u) - a * a + length * length * dot(w, w) / 12.0) + along * a * a)
    gravity = link.weight * (p[2] + 0.5 * length * q[2]) + buoyancy_energy(link.buoyancy, z, height)
    for k in range(lumps.first, lumps.first + lumps.count):
        lump = sys.lump[k]
        s = lump.share * length
        moving, lifted = compact_energies(t, add_scaled(p, s, q), add_scaled(v, s, w), lump, sea)
        kinetic += moving
        gravity += lifted
    return kinetic, gravity


@kernel
def torques_on(t, link, sys):
    """Torque of all point loads that turn a link."""
    total = ZERO3
    for i in range(sys.loads):
        if sys.load[i].link == link:
            _, torque = load_of(t, i, sys)
            total = add(total, torque)
    return total
