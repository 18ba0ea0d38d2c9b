"""Rods: slender cylinders that the water meets piece by piece, at the place and speed of each.

A rod is a whole body with `strips`, along its z axis, or one of the `members` of a body, anywhere in it. It is cut into
n pieces of the length l = L/n. A piece at c + s k from the centre of mass of the body (c the middle of the rod, k its
axis) is a cylinder that the water about it cuts: with its volume V under water, a share σ of the whole, and the water's
velocity u and acceleration a there, across (n) the axis,

    F = ½ρ C_d d l σ |u_n − v_n|(u_n − v_n) + m_a a_n + ρV a + ρ g V e_z,   m_a = C_a ρ A l σ,   M = m_a (1 − k kᵀ).

Each end adds its drag and added mass along the axis, as far as it is wet. ρ V a is the pressure of the undisturbed
waves on sides and ends; what is above the water feels none of it. A rod has no mass here: that is the body's.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.records import INTS, REALS, Table
from fairlead.algebra.small import add, add_scaled, cross, dot, scale, subtract
from fairlead.loads.cut_solid import cut_cylinder
from fairlead.sea.water import DENSITY, GRAVITY, fluid, surface_rise

NONE3 = (0.0, 0.0, 0.0)
ROD_COUNTS = "rods rod_hubs"
ROD_TABLES = (
    Table("rod", INTS, "hub strips", per="rods"),
    # rods of a hub: the first and how many; strips of all; whether the hub is nothing but one rod
    Table("rod_of", INTS, "first count strips whole", per="rod_hubs"),
    # middle and axes in the frame of the body (the rod's own axes in columns, z along it) and length;
    # ½ρC_d A and added mass, across of a piece and along of an end
    Table("rod_law", REALS, "middle:3 axes:9 length diameter drag added end_drag end_added", per="rods"),
)


@kernel
def strip_arm(j, rod, law):
    """Where piece j is, from the centre of mass in the frame of the body (3) [m]."""
    return arm_at(law.length * ((j + 0.5) / rod.strips - 0.5), law)


@kernel
def end_arm(side, law):
    """The same of an end: A (0), B (1)."""
    return arm_at(law.length * (side - 0.5), law)


@kernel
def arm_at(s, law):
    """A place s along the rod from its middle, from the centre of mass in the frame of the body (3) [m]."""
    axes = law.axes
    return add_scaled(law.middle, s, (axes[2], axes[5], axes[8]))


@kernel
def cut_strip(depth, up, length, diameter):
    """Volume V of a piece under water that stands `depth` above its middle, ∫V dd, the moment of V about the middle,
    dV/dd and −∂V/∂up; all in the rod's axes, `up` the vertical."""
    whole = 0.25 * math.pi * diameter * diameter * length
    reach = 0.5 * (length * abs(up[2]) + diameter * math.sqrt(up[0] * up[0] + up[1] * up[1]))
    if depth >= reach:
        return whole, whole * depth, NONE3, 0.0, NONE3
    if depth <= -reach:
        return 0.0, 0.0, NONE3, 0.0, NONE3
    sunk, wet, grows, first, edge = cut_cylinder(depth, up, 0.5 * diameter, 0.5 * length)
    return wet, sunk, first, grows, edge


@kernel
def strip_loads(t, place, v, k, up, length, law, reals):
    """Of a piece at `place` that moves with v: push (drag and accelerated water) (3) [N], drag secant [N s/m] and added
    mass [kg] across the axis k, lift [N] and ρg times the moment of its volume about the middle (the rod's axes)."""
    flow, push, surface, _ = fluid(t, place[0], place[1], place[2], reals)
    wet, _, first, _, _ = cut_strip(surface - place[2], up, length, law.diameter)
    share = wet / (0.25 * math.pi * law.diameter * law.diameter * length)
    u = subtract(flow, v)
    u = add_scaled(u, -dot(k, u), k)
    across = add_scaled(push, -dot(k, push), k)
    secant, added = share * law.drag * math.sqrt(dot(u, u)), share * law.added
    density = reals[DENSITY]
    force = add_scaled(add_scaled(scale(secant, u), added, across), density * wet, push)
    return force, secant, added, density * reals[GRAVITY] * wet, scale(density * reals[GRAVITY], first)


@kernel
def end_loads(t, place, v, k, law, reals):
    """Of an end of the rod: push along the axis k [N], drag secant [N s/m] and added mass [kg] along it."""
    flow, push, surface, _ = fluid(t, place[0], place[1], place[2], reals)
    share = min(1.0, max(0.0, 0.5 + (surface - place[2]) / law.diameter))
    u = dot(k, subtract(flow, v))
    secant, added = share * law.end_drag * abs(u), share * law.end_added
    return secant * u + added * dot(k, push), secant, added


@kernel
def strip_power(t, place, v, k, up, w, turning, length, law, reals):
    """Power of the water on a piece beyond that of its lift in still water [W]; `turning` is dk/dt, w in rod axes.

    With it go the work −ρgζ dV/dt of a surface that is not at 0, and what turning and wetting change in ½ v·M v.
    """
    force, _, added, _, _ = strip_loads(t, place, v, k, up, length, law, reals)
    power = dot(force, v) - added * dot(v, turning) * dot(v, k)
    _, _, surface, _ = fluid(t, place[0], place[1], place[2], reals)
    _, _, _, grows, edge = cut_strip(surface - place[2], up, length, law.diameter)
    if grows > 0.0:
        whole = 0.25 * math.pi * law.diameter * law.diameter * length
        rising = v[2] - surface_rise(t, place, v, reals)
        wetting = -(grows * rising + dot(edge, cross(up, w)))
        along = dot(v, k)
        moving = 0.5 * law.added / whole * (dot(v, v) - along * along)
        power += wetting * (moving - reals[DENSITY] * reals[GRAVITY] * surface)
    return power


@kernel
def strip_energies(t, place, v, k, up, length, law, reals):
    """Kinetic energy of the added mass of a piece and potential of its buoyancy [J]."""
    _, _, surface, _ = fluid(t, place[0], place[1], place[2], reals)
    wet, sunk, _, _, _ = cut_strip(surface - place[2], up, length, law.diameter)
    along = dot(v, k)
    share = wet / (0.25 * math.pi * law.diameter * law.diameter * length)
    kinetic = 0.5 * share * law.added * (dot(v, v) - along * along)
    return kinetic, reals[DENSITY] * reals[GRAVITY] * (sunk - wet * surface)


@kernel
def point_of_rod(arm, place, v, w):
    """Where a point at `arm` from the centre of mass is and how it moves, all in global axes; its way's bend."""
    swing = cross(w, arm)
    return add(place, arm), add(v, swing), cross(w, swing)
