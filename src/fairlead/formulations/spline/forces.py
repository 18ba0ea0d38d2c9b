"""Forces on the nodes of a cable: the gradient of what it stores, its damping, weight, water and seabed."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.frame_twist import FLAT, binormal, twist_density, twist_gradient
from fairlead.algebra.small import ZERO3, add, add_scaled, dot, scale, subtract, unit
from fairlead.loads.end_twist import turned_angle
from fairlead.rigging.point_loads import load_of
from fairlead.sea.water import bed_normal

from .curve import curvatures, slope, substitute
from .element import (
    GAUSS, elongation, mean_strain, slope_shares, strain_by_curvature, stretch, tangent_end, tangent_start,
)  # fmt: skip
from .sea_loads import bed_loads, turning_energy, water_loads

OK, RANGE, STRAIN, NEWTON, FRAME = 0, 1, 2, 3, 4
LEAST_STRAIN, LARGEST_STRAIN = -0.45, 1.0
"""Mean Green strains between which an element is believed: pressed to a third of its length, pulled to 1.7 of it."""


@kernel
def gain(row, c, vector):
    """row += c·vector."""
    row.xyz = add_scaled(row.xyz, c, vector)


@kernel
def twist(t, c, u, sys):
    """Angle by which the end of cable c is turned against its start [rad]; none of one that does not hold its twist."""
    return turned_angle(t, c, u, sys) if sys.cable[c].twisted == 1 else 0.0


@kernel
def twist_of_curve(c, x, curved, sys):
    """Φ of cable c with nodes at x and the curvatures `curved`; its gradient by slopes and curvatures into
    `twist_element` and `twist_node`. Two Gauss points an element. Also how near the cable comes to its reference.

    With a follower torque the gradient is that of Eq. 13, ∫(r′ × r″)·δr′/|r′|³, which no potential has.
    """
    cable, p = sys.cable[c], sys.torsion[c].axis
    total, nearest = 0.0, 1.0
    for i in range(cable.first, cable.first + cable.count + 1):
        sys.twist_node[i].xyz = ZERO3
    for i in range(cable.first, cable.first + cable.count):
        h = sys.element[i - c].length
        d, c0, c1 = slope(x, i, h), curved[i].xyz, curved[i + 1].xyz
        by_slope = ZERO3
        for side in range(2):
            u = 0.5 - GAUSS if side == 0 else 0.5 + GAUSS
            s0, s1 = slope_shares(u, h)
            a = add_scaled(add_scaled(d, s0, c0), s1, c1)
            b = add_scaled(scale(1.0 - u, c0), u, c1)
            f, clear = twist_density(a, b, p)
            by_a, by_b = twist_gradient(a, b, p)
            nearest = min(nearest, clear)
            if cable.follower == 1:
                by_a, by_b = binormal(a, b), ZERO3
            w = 0.5 * h
            total += w * f
            by_slope = add_scaled(by_slope, w, by_a)
            gain(sys.twist_node[i], w, add_scaled(scale(s0, by_a), 1.0 - u, by_b))
            gain(sys.twist_node[i + 1], w, add_scaled(scale(s1, by_a), u, by_b))
        sys.twist_element[i - c].xyz = by_slope
    return total, nearest


@kernel
def twist_torque(c, alpha, alpha_rate, sys):
    """Torque of a cable that holds its twist, the power of its damping, and how near it comes to its reference."""
    cable, torsion = sys.cable[c], sys.torsion[c]
    total, nearest = twist_of_curve(c, sys.position, sys.curvature, sys)
    turn = alpha + total
    torque = turn / torsion.compliance
    if sys.damped == 0 or torsion.time <= 0.0:
        return torque, 0.0, nearest
    swift = alpha_rate
    for i in range(cable.first, cable.first + cable.count):
        swift += dot(sys.twist_element[i - c].xyz, slope(sys.velocity, i, sys.element[i - c].length))
    for i in range(cable.first, cable.first + cable.count + 1):
        swift += dot(sys.twist_node[i].xyz, sys.rate[i].xyz)
    drag = torsion.time * swift / torsion.compliance
    return torque + drag, -drag * swift, nearest


@kernel
def strain_energy_forces(c, alpha, alpha_rate, sys):
    """Internal forces of cable c, added to `force`; the force through each element into `pull`.

    F = −(g_r + Bᵀ g_C) with g the gradients by slopes and curvatures at fixed curvatures and slopes, Bᵀ = Dᵀ A⁻¹.
    Stretching stores ½ EA h ε² with ε the strain of the mean length, s = 1 + ε; what acts on the gradient of the Green
    strain is EA ε/s, kept in `tension`, and the tension is s times that. The bending rows are so the second difference
    of the moments, (EI/h)(C₋ − 2C + C₊). `alpha` is the twist given to
    the end [rad]. Returns a status and the power of internal damping.
    """
    cable = sys.cable[c]
    first, last = cable.first, cable.first + cable.count
    damped = sys.damped == 1
    curvatures(c, sys.position, False, sys, sys.curvature)
    if damped:
        curvatures(c, sys.velocity, True, sys, sys.rate)
    torque, lost = 0.0, 0.0
    if cable.twisted == 1:
        torque, lost, nearest = twist_torque(c, alpha, alpha_rate, sys)
        if nearest < FLAT:
            return FRAME, 0.0
    sys.torque[c].value = torque
    for i in range(first, last + 1):
        sys.moment[i].xyz = ZERO3
    for i in range(first, last):
        element = sys.element[i - c]
        h = element.length
        d, c0, c1 = slope(sys.position, i, h), sys.curvature[i].xyz, sys.curvature[i + 1].xyz
        strain = mean_strain(d, c0, c1, h)
        if not LEAST_STRAIN < strain < LARGEST_STRAIN:
            sys.fault.cable, sys.fault.place = c, i - first
            return STRAIN, 0.0
        s0, s1 = strain_by_curvature(c0, c1, h), strain_by_curvature(c1, c0, h)
        s = stretch(strain)
        pulling = element.ea * elongation(strain) / s
        b0, b1 = c0, c1
        if damped:
            r0, r1 = sys.rate[i].xyz, sys.rate[i + 1].xyz
            swift = dot(d, slope(sys.velocity, i, h)) + dot(s0, r0) + dot(s1, r1)
            slow = element.ea * element.time_axial * swift / (s * s)
            pulling += slow
            lost -= slow * swift * h
            time = element.time_bending
            b0, b1 = add_scaled(c0, time, r0), add_scaled(c1, time, r1)
            lost -= time * element.ei * h / 3.0 * (dot(r0, r0) + dot(r0, r1) + dot(r1, r1))
        sys.tension[i - c].value = pulling
        bend = element.ei * h / 6.0
        sys.pull[i - c].xyz = scale(pulling, d)
        gain(sys.moment[i], 1.0, add_scaled(scale(h * pulling, s0), bend, add(scale(2.0, b0), b1)))
        gain(sys.moment[i + 1], 1.0, add_scaled(scale(h * pulling, s1), bend, add(b0, scale(2.0, b1))))
    if torque != 0.0:
        for e in range(first - c, last - c):
            gain(sys.pull[e], torque / sys.element[e].length, sys.twist_element[e].xyz)
        for i in range(first, last + 1):
            gain(sys.moment[i], torque, sys.twist_node[i].xyz)
    if cable.clamp_start == 0:
        sys.moment[first].xyz = ZERO3
    if cable.clamp_end == 0:
        sys.moment[last].xyz = ZERO3
    substitute(cable, sys.moment, sys)
    for i in range(first, last):
        shear = subtract(sys.moment[i].xyz, sys.moment[i + 1].xyz)
        through = add_scaled(sys.pull[i - c].xyz, 1.0 / sys.element[i - c].length, shear)
        sys.pull[i - c].xyz = through
        gain(sys.force[i], 1.0, through)
        gain(sys.force[i + 1], -1.0, through)
    return OK, lost


@kernel
def node_tangent(c, i, x, curved, sys):
    """Unit tangent at node i of cable c, with nodes at x and the curvatures `curved`."""
    last = sys.cable[c].first + sys.cable[c].count
    k = min(i, last - 1)
    h = sys.element[k - c].length
    d, c0, c1 = slope(x, k, h), curved[k].xyz, curved[k + 1].xyz
    return unit(tangent_start(d, c0, c1, h) if i < last else tangent_end(d, c0, c1, h))


@kernel
def outside_forces(t, c, sys):
    """Weight, water and seabed on cable c, added to `force`, after the internal forces.

    Returns the powers of drag, of the bed's damping and of its friction; what new tangents change in the potential of
    buoyancy is added to the table `turned`.
    """
    cable = sys.cable[c]
    drag, damping, rubbing = 0.0, 0.0, 0.0
    for i in range(cable.first, cable.first + cable.count + 1):
        force = sys.force[i]
        f = force.xyz
        force.xyz = (f[0], f[1], f[2] - sys.node[i].weight)
        p, v = sys.position[i].xyz, sys.velocity[i].xyz
        if sys.water == 1:
            tangent = node_tangent(c, i, sys.position, sys.curvature, sys)
            sys.turned.energy += turning_energy(t, p, sys.tangent[i].xyz, tangent, i, sys)
            sys.tangent[i].xyz = tangent
            f, power, _ = water_loads(t, p, v, tangent, i, sys)
            gain(force, 1.0, f)
            drag += power
        if sys.bed == 1:
            active, slow, friction, f = bed_loads(p, v, i, sys)
            sys.bed_force[i].xyz = f
            if active:
                gain(force, 1.0, f)
                damping += slow * dot(bed_normal(p, sys.reals), v)
                rubbing += dot(friction, v)
    return drag, damping, rubbing


@kernel
def point_loads(t, sys):
    """Loads on free points, added to `force`."""
    for k in range(sys.loads):
        gain(sys.force[sys.load[k].node], 1.0, load_of(t, k, sys)[0])
