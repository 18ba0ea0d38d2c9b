"""A rigid body in the water: inertia, loads and energy. A buoy, a payload, a deflector; a point with mass is one too.

Its constants stand in a flat record; its origin is its centre of mass and its axes are its principal ones. The water
sees it as a body that submerges over a height about its centre of buoyancy, either evenly (a box, a spar) or as a
sphere does.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, cross, dot, matvec, subtract, transposed_matvec
from fairlead.loads.buoyancy import submergence
from fairlead.sea.water import GRAVITY, elevation, fluid

(
    BODY_MASS, BODY_ADDED, BODY_INERTIA, BODY_INERTIA_ADDED, BODY_LIFT, BODY_CENTRE, BODY_HEIGHT, BODY_SPHERE,
    BODY_DRAG, BODY_DRAG_MOMENT,
) = 0, 1, 4, 7, 10, 11, 14, 15, 16, 19  # fmt: skip
BODY_COLUMNS = 22
"""The record: mass; added mass (3); moments of inertia (3); added ones (3); ρgV; centre of buoyancy (3); height; 1 when
it submerges as a sphere; ½ρ C_d A along each axis (3); quadratic rotational drag (3)."""


@kernel
def wetted(t, p, R, reals, body):
    """Submerged fraction σ of a body's volume, and the height z of its centre of buoyancy above the surface [m].

    Evenly: σ = ξ; a sphere: σ = ξ²(3 − 2ξ), ξ the wet part of its height.
    """
    centre = matvec(R, (reals[body + BODY_CENTRE], reals[body + BODY_CENTRE + 1], reals[body + BODY_CENTRE + 2]))
    z = p[2] + centre[2] - elevation(t, p[0], p[1], reals)
    xi = submergence(z, reals[body + BODY_HEIGHT])
    if reals[body + BODY_SPHERE] > 0.5:
        return xi * xi * (3.0 - 2.0 * xi), z
    return xi, z


@kernel
def rigid_body_loads(t, p, R, v, w, reals, body):
    """Inertia and loads of a body at p, turned by R, moving with v (global) and w (body axes).

    Returns
    -------
    mass, drag        : effective mass with added mass [kg] and drag secant [N s/m] along each body axis
    inertia, damping  : moments of inertia [kg m²] and rotational drag secant [N m s] about each
    force, torque     : global [N], body [N m]: weight, buoyancy, drag, and the gyroscopic −w × (J w)
    power             : of the water on the body [W]

    Added mass acts on the true acceleration (Morison form); when it differs between the axes, the turn of the body
    changes the water's kinetic energy by u·(w × A u) a second beyond the work of its forces.
    """
    wet, _ = wetted(t, p, R, reals, body)
    flow, _, _, _ = fluid(t, p[0], p[1], p[2], reals)
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
    j = (reals[i] + wet * reals[extra], reals[i + 1] + wet * reals[extra + 1], reals[i + 2] + wet * reals[extra + 2])
    lift = wet * reals[body + BODY_LIFT]
    push = (-c[0] * u[0], -c[1] * u[1], -c[2] * u[2])
    force = add(matvec(R, push), (0.0, 0.0, lift - m * reals[GRAVITY]))
    centre = (reals[body + BODY_CENTRE], reals[body + BODY_CENTRE + 1], reals[body + BODY_CENTRE + 2])
    torque = cross(centre, (lift * R[6], lift * R[7], lift * R[8]))
    torque = subtract(torque, cross(w, (j[0] * w[0], j[1] * w[1], j[2] * w[2])))
    torque = (torque[0] - d[0] * w[0], torque[1] - d[1] * w[1], torque[2] - d[2] * w[2])
    power = dot(push, own) - (d[0] * w[0] * w[0] + d[1] * w[1] * w[1] + d[2] * w[2] * w[2])
    power += dot(own, cross(w, (a[0] * own[0], a[1] * own[1], a[2] * own[2])))
    return (m + a[0], m + a[1], m + a[2]), c, j, d, force, torque, power


@kernel
def rigid_body_energies(t, p, R, v, w, reals, body):
    """Kinetic energy with added mass and gravity potential with buoyancy [J].

    The potential of the buoyancy is ρgV times the height it still has to rise: H ∫₀^ξ σ dξ about the surface.
    """
    wet, z = wetted(t, p, R, reals, body)
    height = reals[body + BODY_HEIGHT]
    u = transposed_matvec(R, v)
    kinetic = 0.0
    for k in range(3):
        kinetic += (reals[body + BODY_MASS] + wet * reals[body + BODY_ADDED + k]) * u[k] * u[k]
        kinetic += (reals[body + BODY_INERTIA + k] + wet * reals[body + BODY_INERTIA_ADDED + k]) * w[k] * w[k]
    xi = submergence(z, height)
    sunk = 0.5 * xi * xi
    if reals[body + BODY_SPHERE] > 0.5:
        sunk = xi * xi * xi * (1.0 - 0.5 * xi)
    deeper = -0.5 * height - z if z < -0.5 * height else 0.0
    gravity = reals[body + BODY_MASS] * reals[GRAVITY] * p[2] + reals[body + BODY_LIFT] * (height * sunk + deeper)
    return 0.5 * kinetic, gravity
