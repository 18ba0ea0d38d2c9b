"""A rigid body in the water: inertia, loads and energy. A buoy, a payload, a deflector; a point with mass is one too.

Its constants stand in a flat record; its origin is its centre of mass and its axes are its principal ones. The water
sees it as a body that submerges over a height about its centre of buoyancy, evenly or as a sphere does, or as a box or
a cylinder that is cut by the surface as it is turned, and so rights itself. The water may move, accelerate and rise and
fall: waves act through the same call, over the length and width of a body with a shape (`wave_plane`). So does the
wind.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, cross, dot, matvec, scale, subtract, transposed_matvec
from fairlead.loads.buoyancy import submergence
from fairlead.loads.cut_solid import cut_box, cut_cylinder
from fairlead.loads.wave_plane import mean_flow, wave_plane
from fairlead.loads.wind import wind_load
from fairlead.sea.water import DENSITY, GRAVITY, WAVE_COUNT, flow_below, surface

(
    BODY_MASS, BODY_ADDED, BODY_INERTIA, BODY_INERTIA_ADDED, BODY_DISPLACED, BODY_CENTRE, BODY_HEIGHT, BODY_SHAPE,
    BODY_DRAG, BODY_DRAG_MOMENT, BODY_SLAM, BODY_FEET, FOOT_REACH, FOOT_LEVEL, FOOT_RADIUS, FOOT_STIFFNESS,
    FOOT_DAMPING, FOOT_SHEAR, BODY_LENGTH, BODY_WIDTH, BODY_AIR, BODY_WINDAGE, BODY_EFFORT, BODY_DAMPED, BODY_LINEAR,
    BODY_QUADRATIC,
) = 0, 1, 4, 7, 10, 11, 14, 15, 16, 19, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 36, 39, 40, 46  # fmt: skip
BODY_COLUMNS = 52
"""The record: mass; added mass (3); moments of inertia (3); added ones (3); displaced mass ρV; centre of buoyancy (3);
height; how it submerges (evenly, as a sphere, a box, a cylinder); ½ρ C_d A along each axis (3); quadratic rotational
drag (3); slamming ½ρ C_s A; then how it stands on the seabed (see `loads.landing`): number of feet, how far they reach
out along x and y, their level in the body's frame, radius, stiffness, damping and shear stiffness of each; length and
width of a box, or the diameter of a cylinder (length); how the wind meets it, ½ρC A in the air along each axis (3) and
centre of effort (3); whether its own motion is damped, and by which linear (6) and quadratic (6) factors."""
ALWAYS, EVEN, SPHERE, BOX, CYLINDER = -1.0, 0.0, 1.0, 2.0, 3.0
"""How a body submerges; ALWAYS: it is all under water wherever it is."""
CALM, WHOLE, ABOVE = 0.0, 1.0, 2.0
"""How the wind meets a body: not, on all of its area while its centre of effort is in the air, or on the part of it
that is above the water."""


@kernel
def immersed(d, k, reals, body):
    """What of a body is under water that stands d above its centre of buoyancy; k (3): the vertical in its axes.

    Returns
    -------
    wet   : σ, the share of its volume
    grows : ∂σ/∂d [1/m]
    sunk  : ∫ σ dd [m]: the potential of its buoyancy over ρgV
    lever : σ times the place of the wet part's middle from the centre of buoyancy (3) [m]
    edge  : −∂σ/∂k (3)

    Evenly σ = ξ, a sphere σ = ξ²(3 − 2ξ), ξ the wet part of its height: buoyancy then acts at the centre of buoyancy
    however the body is turned. A box and a cylinder are cut by the surface (`cut_solid`).
    """
    height, shape = reals[body + BODY_HEIGHT], reals[body + BODY_SHAPE]
    none = (0.0, 0.0, 0.0)
    if shape < -0.5:
        return 1.0, 0.0, d, none, none
    if shape > 1.5:
        length, width = reals[body + BODY_LENGTH], reals[body + BODY_WIDTH]
        if shape > 2.5:
            F, V, A, first, edge = cut_cylinder(d, k, 0.5 * length, 0.5 * height)
            over = 4.0 / (math.pi * length * length * height)
        else:
            F, V, A, first, edge = cut_box(d, k, (0.5 * length, 0.5 * width, 0.5 * height))
            over = 1.0 / (length * width * height)
        return over * V, over * A, over * F, scale(over, first), scale(over, edge)
    xi = submergence(-d, height)
    deeper = d - 0.5 * height if d > 0.5 * height else 0.0
    if shape > 0.5:
        sunk = height * xi * xi * xi * (1.0 - 0.5 * xi)
        return xi * xi * (3.0 - 2.0 * xi), 6.0 * xi * (1.0 - xi) / height, sunk + deeper, none, none
    return xi, 1.0 / height if 0.0 < xi < 1.0 else 0.0, 0.5 * height * xi * xi + deeper, none, none


@kernel
def sea_above(t, place, R, v, w, reals, body):
    """Surface above the centre of buoyancy [m], its rate there [m/s], its slope γ (3) along the body's axes and the
    rate of that (3); v: velocity of the centre (global). A body without sides sees one place, and no slope."""
    none = (0.0, 0.0, 0.0)
    if reals[WAVE_COUNT] < 0.5:
        return 0.0, 0.0, none, none
    shape = reals[body + BODY_SHAPE]
    if shape > 1.5:
        length, width, height = reals[body + BODY_LENGTH], reals[body + BODY_WIDTH], reals[body + BODY_HEIGHT]
        return wave_plane(t, place, R, v, w, length, width, height, shape > 2.5, reals)
    height, rise, by_x, by_y = surface(t, place[0], place[1], reals)
    return height, rise + v[0] * by_x + v[1] * by_y, none, none


@kernel
def water_around(t, place, R, wet, lever, level, slope, reals, body):
    """Velocity (3) and acceleration (3) of the water around the wet part of a body, and the couple (3) of the latter
    per mass of water [m²/s²], in its axes."""
    shape = reals[body + BODY_SHAPE]
    if shape > 1.5 and reals[WAVE_COUNT] > 0.5 and wet > 0.0:
        length, width, height = reals[body + BODY_LENGTH], reals[body + BODY_WIDTH], reals[body + BODY_HEIGHT]
        middle = scale(1.0 / wet, lever)
        at = add(place, matvec(R, middle))
        return mean_flow(t, at, middle, R, wet, level, slope, length, width, height, shape > 2.5, reals)
    flow, push = flow_below(t, place[0], place[1], place[2], level, reals)
    return flow, push, (0.0, 0.0, 0.0)


@kernel
def rigid_body_loads(t, p, R, v, w, reals, body):
    """Inertia and loads of a body at p, turned by R, moving with v (global) and w (body axes).

    Returns
    -------
    mass, drag        : effective mass with added mass [kg] and drag secant [N s/m] along each body axis
    inertia, damping  : moments of inertia [kg m²] and rotational drag secant [N m s] about each
    force, torque     : global [N], body [N m]: weight, buoyancy, drag, σ(ρV + A)·a of the water's acceleration a,
                        slamming, and the gyroscopic −w × (J w)
    power             : of water and air on the body [W]

    Buoyancy acts at the middle of the part under water, where the body has a shape, and so rights it. Added mass acts
    on the true acceleration (Morison form); when it differs between the axes, the turn of the body changes the water's
    kinetic energy by u·(w × A u) a second beyond the work of its forces, and so does a change of the wet part, by
    ½σ̇(v·A v + w·J_A w). The accelerated water pushes with ρ∫a dV on the part under water (Froude–Krylov) and with A a
    where the added mass is, at the origin. Waves tilt the plane that cuts a body with a shape by γ, so k = up − γ in
    `immersed`; the potential ρg(F − η̄V) of buoyancy then leaves γ̇·∫x dV to the work of the water. Its own motion may be
    damped, by (b + q|v|) v along and about each axis, whatever the water does. While the body goes in, with the speed
    −ḣ of its underside relative to the surface, slamming ½ρ C_s A ḣ²·dσ/dξ pushes it up at its centre of buoyancy. The
    wind acts at its centre of effort (`wind_load`); whether that is in the air is judged by the surface at the centre
    of buoyancy.
    """
    centre = (reals[body + BODY_CENTRE], reals[body + BODY_CENTRE + 1], reals[body + BODY_CENTRE + 2])
    place = add(p, matvec(R, centre))
    own = transposed_matvec(R, v)
    moved = add(own, cross(w, centre))
    going = matvec(R, moved)
    up = (R[6], R[7], R[8])
    level, rising, slope, sloping = sea_above(t, place, R, going, w, reals, body)
    wet, grows, _, lever, edge = immersed(level - place[2], subtract(up, slope), reals, body)
    flow, push, couple = water_around(t, place, R, wet, lever, level, slope, reals, body)
    u = transposed_matvec(R, subtract(v, flow))
    speed = wet * math.sqrt(dot(u, u))
    spin = wet * math.sqrt(dot(w, w))
    added, drag, turning = body + BODY_ADDED, body + BODY_DRAG, body + BODY_DRAG_MOMENT
    c = (speed * reals[drag], speed * reals[drag + 1], speed * reals[drag + 2])
    d = (spin * reals[turning], spin * reals[turning + 1], spin * reals[turning + 2])
    a = (wet * reals[added], wet * reals[added + 1], wet * reals[added + 2])
    slowed = (0.0, 0.0, 0.0)
    if reals[body + BODY_DAMPED] > 0.0:
        slowed, hindered = own_damping(own, w, reals, body)
        d = add(d, hindered)
    m = reals[body + BODY_MASS]
    i, extra = body + BODY_INERTIA, body + BODY_INERTIA_ADDED
    e = (wet * reals[extra], wet * reals[extra + 1], wet * reals[extra + 2])
    j = (reals[i] + e[0], reals[i + 1] + e[1], reals[i + 2] + e[2])
    displaced = wet * reals[body + BODY_DISPLACED]
    own_push = transposed_matvec(R, push)
    at_origin = (a[0] * own_push[0] - c[0] * u[0], a[1] * own_push[1] - c[1] * u[1], a[2] * own_push[2] - c[2] * u[2])
    at_origin = subtract(at_origin, (slowed[0] * own[0], slowed[1] * own[1], slowed[2] * own[2]))
    c = add(c, slowed)
    at_centre = scale(displaced, own_push)
    turned = add(scale(reals[body + BODY_DISPLACED], cross(lever, own_push)), scale(displaced, couple))
    power = dot(turned, w) + reals[body + BODY_DISPLACED] * reals[GRAVITY] * dot(lever, sloping)
    power += dot(own, cross(w, (a[0] * own[0], a[1] * own[1], a[2] * own[2])))
    power -= d[0] * w[0] * w[0] + d[1] * w[1] * w[1] + d[2] * w[2] * w[2]
    if grows > 0.0:
        rise = going[2] - rising
        water = -reals[body + BODY_DISPLACED] * reals[GRAVITY] * level
        for k in range(3):
            water += 0.5 * (reals[added + k] * own[k] * own[k] + reals[extra + k] * w[k] * w[k])
        power -= (grows * rise + dot(edge, subtract(cross(up, w), sloping))) * water  # σ̇ times it
        if rise < 0.0 and reals[body + BODY_SLAM] > 0.0:
            s = -reals[body + BODY_SLAM] * grows * reals[body + BODY_HEIGHT] * rise
            at_centre = add(at_centre, scale(-s * rise, up))
            c = (c[0] + s * up[0] * up[0], c[1] + s * up[1] * up[1], c[2] + s * up[2] * up[2])
    heel = (0.0, 0.0, 0.0)
    if reals[body + BODY_AIR] > CALM:
        blown, heel, secants = wind_on(t, wet, level - p[2], R, v, w, reals, body)
        at_origin, c = add(at_origin, blown), add(c, secants)
        power += dot(heel, w)
    power += dot(at_origin, own) + dot(at_centre, moved)
    lift = displaced * reals[GRAVITY]
    force = add(matvec(R, add(at_origin, at_centre)), (0.0, 0.0, lift - m * reals[GRAVITY]))
    torque = add(add(heel, turned), cross(centre, add(at_centre, scale(lift, up))))
    torque = add(torque, scale(reals[body + BODY_DISPLACED] * reals[GRAVITY], cross(lever, up)))
    torque = subtract(torque, cross(w, (j[0] * w[0], j[1] * w[1], j[2] * w[2])))
    torque = (torque[0] - d[0] * w[0], torque[1] - d[1] * w[1], torque[2] - d[2] * w[2])
    return (m + a[0], m + a[1], m + a[2]), c, j, d, force, torque, power


@kernel
def own_damping(v, w, reals, body):
    """Secants (3) of the damping of a body's own motion v [N s/m] and spin w [N m s], both in its axes."""
    return damping_along(v, reals, body + BODY_LINEAR, body + BODY_QUADRATIC), damping_along(
        w, reals, body + BODY_LINEAR + 3, body + BODY_QUADRATIC + 3
    )


@kernel
def damping_along(v, reals, b, q):
    """b + q|v| of three motions, whose factors begin at b and at q."""
    return (
        reals[b] + reals[q] * abs(v[0]),
        reals[b + 1] + reals[q + 1] * abs(v[1]),
        reals[b + 2] + reals[q + 2] * abs(v[2]),
    )


@kernel
def wind_on(t, wet, level, R, v, w, reals, body):
    """What `wind_load` gives for the part of a body in the air; `wet` of it is not, `level` is that of the water."""
    area, at = body + BODY_WINDAGE, body + BODY_EFFORT
    effort = (reals[at], reals[at + 1], reals[at + 2])
    share = 1.0 - wet
    if reals[body + BODY_AIR] == WHOLE:
        share = 1.0 if dot((R[6], R[7], R[8]), effort) >= level else 0.0
    if reals[DENSITY] == 0.0:
        share = 1.0
    return wind_load(t, scale(share, (reals[area], reals[area + 1], reals[area + 2])), effort, R, v, w, reals)


@kernel
def rigid_body_energies(t, p, R, v, w, reals, body):
    """Kinetic energy with added mass and gravity potential with buoyancy [J].

    The potential of the buoyancy is ρgV times ∫ σ dd up to the depth d of the body, and −σζ for the height ζ of the
    surface itself, so that waves above a body well under water do not change it.
    """
    centre = matvec(R, (reals[body + BODY_CENTRE], reals[body + BODY_CENTRE + 1], reals[body + BODY_CENTRE + 2]))
    place = add(p, centre)
    still = (0.0, 0.0, 0.0)
    level, _, slope, _ = sea_above(t, place, R, still, still, reals, body)
    wet, _, sunk, _, _ = immersed(level - place[2], subtract((R[6], R[7], R[8]), slope), reals, body)
    u = transposed_matvec(R, v)
    kinetic = 0.0
    for k in range(3):
        kinetic += (reals[body + BODY_MASS] + wet * reals[body + BODY_ADDED + k]) * u[k] * u[k]
        kinetic += (reals[body + BODY_INERTIA + k] + wet * reals[body + BODY_INERTIA_ADDED + k]) * w[k] * w[k]
    potential = reals[body + BODY_MASS] * p[2] + reals[body + BODY_DISPLACED] * (sunk - wet * level)
    return 0.5 * kinetic, reals[GRAVITY] * potential
