"""A rigid body in the water: inertia, loads and energy. A buoy, a payload, a deflector; a point with mass is one too.

Its constants stand in a flat record; its origin is its centre of mass and its axes are its principal ones. The water
sees it as a body that submerges over a height about its centre of buoyancy, either evenly (a box, a spar) or as a
sphere does. The water may move, accelerate and rise and fall: waves act through the same call.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, cross, dot, matvec, scale, subtract, transposed_matvec
from fairlead.loads.buoyancy import submergence
from fairlead.sea.water import GRAVITY, elevation, fluid, surface_rise

(
    BODY_MASS, BODY_ADDED, BODY_INERTIA, BODY_INERTIA_ADDED, BODY_DISPLACED, BODY_CENTRE, BODY_HEIGHT, BODY_SPHERE,
    BODY_DRAG, BODY_DRAG_MOMENT, BODY_SLAM, BODY_FEET, FOOT_REACH, FOOT_LEVEL, FOOT_RADIUS, FOOT_STIFFNESS,
    FOOT_DAMPING, FOOT_SHEAR,
) = 0, 1, 4, 7, 10, 11, 14, 15, 16, 19, 22, 23, 24, 25, 26, 27, 28, 29  # fmt: skip
BODY_COLUMNS = 30
"""The record: mass; added mass (3); moments of inertia (3); added ones (3); displaced mass ρV; centre of buoyancy (3);
height; 1 when it submerges as a sphere; ½ρ C_d A along each axis (3); quadratic rotational drag (3); slamming ½ρ C_s A;
then how it stands on the seabed (see `loads.landing`): number of feet, how far they reach out along x and y, their
level in the body's frame, radius, stiffness, damping and shear stiffness of each."""


@kernel
def wetted(z, reals, body):
    """Submerged fraction σ of a body's volume, its centre of buoyancy z above the surface, dσ/dξ, and ξ.

    Evenly: σ = ξ; a sphere: σ = ξ²(3 − 2ξ), ξ the wet part of its height. dσ/dξ is zero where ξ does not change.
    """
    xi = submergence(z, reals[body + BODY_HEIGHT])
    if reals[body + BODY_SPHERE] > 0.5:
        return xi * xi * (3.0 - 2.0 * xi), 6.0 * xi * (1.0 - xi), xi
    return xi, 1.0 if 0.0 < xi < 1.0 else 0.0, xi


@kernel
def rigid_body_loads(t, p, R, v, w, reals, body):
    """Inertia and loads of a body at p, turned by R, moving with v (global) and w (body axes).

    Returns
    -------
    mass, drag        : effective mass with added mass [kg] and drag secant [N s/m] along each body axis
    inertia, damping  : moments of inertia [kg m²] and rotational drag secant [N m s] about each
    force, torque     : global [N], body [N m]: weight, buoyancy, drag, σ(ρV + A)·a of the water's acceleration a,
                        slamming, and the gyroscopic −w × (J w)
    power             : of the water on the body [W]

    Added mass acts on the true acceleration (Morison form); when it differs between the axes, the turn of the body
    changes the water's kinetic energy by u·(w × A u) a second beyond the work of its forces, and so does a change of
    the wet part, by ½σ̇(v·A v + w·J_A w). The accelerated water pushes with ρV a at the centre of buoyancy
    (Froude–Krylov) and with A a where the added mass is, at the origin. While the body goes in, with the speed −ḣ of
    its underside relative to the surface, slamming ½ρ C_s A ḣ²·dσ/dξ pushes it up at its centre of buoyancy.
    """
    centre = (reals[body + BODY_CENTRE], reals[body + BODY_CENTRE + 1], reals[body + BODY_CENTRE + 2])
    place = add(p, matvec(R, centre))
    flow, push, surface, _ = fluid(t, place[0], place[1], place[2], reals)
    wet, slope, _ = wetted(place[2] - surface, reals, body)
    own = transposed_matvec(R, v)
    u = transposed_matvec(R, subtract(v, flow))
    speed = wet * math.sqrt(dot(u, u))
    spin = wet * math.sqrt(dot(w, w))
    added, drag, turning = body + BODY_ADDED, body + BODY_DRAG, body + BODY_DRAG_MOMENT
    c = (speed * reals[drag], speed * reals[drag + 1], speed * reals[drag + 2])
    d = (spin * reals[turning], spin * reals[turning + 1], spin * reals[turning + 2])
    a = (wet * reals[added], wet * reals[added + 1], wet * reals[added + 2])
    m = reals[body + BODY_MASS]
    i, extra = body + BODY_INERTIA, body + BODY_INERTIA_ADDED
    e = (wet * reals[extra], wet * reals[extra + 1], wet * reals[extra + 2])
    j = (reals[i] + e[0], reals[i + 1] + e[1], reals[i + 2] + e[2])
    displaced = wet * reals[body + BODY_DISPLACED]
    own_push = transposed_matvec(R, push)
    at_origin = (a[0] * own_push[0] - c[0] * u[0], a[1] * own_push[1] - c[1] * u[1], a[2] * own_push[2] - c[2] * u[2])
    at_centre = scale(displaced, own_push)
    moved = add(own, cross(w, centre))
    power = dot(own, cross(w, (a[0] * own[0], a[1] * own[1], a[2] * own[2])))
    power -= d[0] * w[0] * w[0] + d[1] * w[1] * w[1] + d[2] * w[2] * w[2]
    if slope > 0.0:
        going = matvec(R, moved)
        rise = going[2] - surface_rise(t, place, going, reals)
        water = -reals[body + BODY_DISPLACED] * reals[GRAVITY] * surface
        for k in range(3):
            water += 0.5 * (reals[added + k] * own[k] * own[k] + reals[extra + k] * w[k] * w[k])
        power -= slope * rise / reals[body + BODY_HEIGHT] * water  # σ̇ times it
        if rise < 0.0 and reals[body + BODY_SLAM] > 0.0:
            s = -reals[body + BODY_SLAM] * slope * rise
            at_centre = add(at_centre, (-s * rise * R[6], -s * rise * R[7], -s * rise * R[8]))
            c = (c[0] + s * R[6] * R[6], c[1] + s * R[7] * R[7], c[2] + s * R[8] * R[8])
    power += dot(at_origin, own) + dot(at_centre, moved)
    lift = displaced * reals[GRAVITY]
    force = add(matvec(R, add(at_origin, at_centre)), (0.0, 0.0, lift - m * reals[GRAVITY]))
    torque = cross(centre, add(at_centre, (lift * R[6], lift * R[7], lift * R[8])))
    torque = subtract(torque, cross(w, (j[0] * w[0], j[1] * w[1], j[2] * w[2])))
    torque = (torque[0] - d[0] * w[0], torque[1] - d[1] * w[1], torque[2] - d[2] * w[2])
    return (m + a[0], m + a[1], m + a[2]), c, j, d, force, torque, power


@kernel
def rigid_body_energies(t, p, R, v, w, reals, body):
    """Kinetic energy with added mass and gravity potential with buoyancy [J].

    The potential of the buoyancy is ρgV times the height it still has to rise, H ∫₀^ξ σ dξ about the surface, and −σζ
    for the height ζ of the surface itself, so that waves above a body well under water do not change it.
    """
    centre = matvec(R, (reals[body + BODY_CENTRE], reals[body + BODY_CENTRE + 1], reals[body + BODY_CENTRE + 2]))
    place = add(p, centre)
    surface = elevation(t, place[0], place[1], reals)
    z = place[2] - surface
    wet, _, xi = wetted(z, reals, body)
    height = reals[body + BODY_HEIGHT]
    u = transposed_matvec(R, v)
    kinetic = 0.0
    for k in range(3):
        kinetic += (reals[body + BODY_MASS] + wet * reals[body + BODY_ADDED + k]) * u[k] * u[k]
        kinetic += (reals[body + BODY_INERTIA + k] + wet * reals[body + BODY_INERTIA_ADDED + k]) * w[k] * w[k]
    sunk = 0.5 * xi * xi
    if reals[body + BODY_SPHERE] > 0.5:
        sunk = xi * xi * xi * (1.0 - 0.5 * xi)
    deeper = -0.5 * height - z if z < -0.5 * height else 0.0
    potential = reals[body + BODY_MASS] * p[2] + reals[body + BODY_DISPLACED] * (height * sunk + deeper - wet * surface)
    return 0.5 * kinetic, reals[GRAVITY] * potential
