"""A body on the seabed: it stands on feet, each a unilateral spring–damper with friction by `seabed_contact`.

A body that turns has four, at the corners of the square of its footprint on its underside, so that it stands upright
and may tip; one that does not turn has one, half its height below its middle. Together the feet have the bed's
stiffness, damping and shear stiffness times the footprint.

Every body keeps `BED_MEMORY` numbers in the state (anchor of friction (3) and normal force of each foot; time and speed
of its first landing, the time negative before) and `BED_KEPT` in the scratch of a step.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, add_scaled, cross, dot, matvec, outer_scaled, symadd
from fairlead.loads.rigid_body import (
    BODY_ADDED,
    BODY_DISPLACED,
    BODY_FEET,
    BODY_MASS,
    FOOT_DAMPING,
    FOOT_LEVEL,
    FOOT_RADIUS,
    FOOT_REACH,
    FOOT_SHEAR,
    FOOT_STIFFNESS,
)  # fmt: skip
from fairlead.loads.seabed_contact import bed_push, remember_push
from fairlead.sea.water import GRAVITY

FEET = 4
LANDED_AT, LANDED_WITH = 4 * FEET, 4 * FEET + 1
BED_MEMORY = 4 * FEET + 2

PRESSED, NORMAL_G, NORMAL_BIAS, SHEAR_G, FRICTION, LEVER, SLOPE, RATE, NORMAL, WHEN = 0, 1, 2, 3, 4, 7, 10, 13, 14, 15
FOOT_KEPT = 16
BED_KEPT = FOOT_KEPT * FEET


@kernel
def foot_lever(k, R, reals, body):
    """From the origin of a body turned by R to its foot k, global (3)."""
    x, y = reals[body + FOOT_REACH], reals[body + FOOT_REACH]
    if k == 1 or k == 2:
        x = -x
    if k >= 2:
        y = -y
    return matvec(R, (x, y, reals[body + FOOT_LEVEL]))


@kernel
def press_foot(t, k, p, R, v, w, reals, body, y, memory, h, g_per_c, g_per_k, d_per_k, work, kept):
    """Foot k of a body at p, turned by R, moving with v and w (both global), over a step h; see `bed_push`.

    Returns whether it presses, its lever (3), and a matrix (6) and force (3) at the end of it: the bed pushes with
    force − matrix·(acceleration of the foot).
    """
    foot, mine = kept + FOOT_KEPT * k, memory + 4 * k
    lever = foot_lever(k, R, reals, body)
    velocity = add(v, cross(w, lever))
    heavy = reals[body + BODY_MASS] - reals[body + BODY_DISPLACED]
    fall = -reals[GRAVITY] * max(0.0, heavy) / (reals[body + BODY_MASS] + reals[body + BODY_ADDED + 2])
    active, g, bias, shear, friction, n = bed_push(
        reals, reals[body + FOOT_RADIUS], reals[body + FOOT_STIFFNESS], reals[body + FOOT_DAMPING],
        reals[body + FOOT_SHEAR], fall, add(p, lever), velocity, y, mine, h, g_per_c, g_per_k, d_per_k,
    )  # fmt: skip
    work[foot + PRESSED] = 1.0 if active else 0.0
    work[foot + SLOPE], work[foot + SLOPE + 1], work[foot + SLOPE + 2] = n
    work[foot + NORMAL_G], work[foot + NORMAL_BIAS], work[foot + SHEAR_G] = g, bias, shear
    work[foot + FRICTION], work[foot + FRICTION + 1], work[foot + FRICTION + 2] = friction
    work[foot + LEVER], work[foot + LEVER + 1], work[foot + LEVER + 2] = lever
    work[foot + RATE], work[foot + WHEN] = dot(n, velocity), t
    matrix = symadd(outer_scaled(g - shear, n), (shear, 0.0, 0.0, shear, 0.0, shear))
    return active, lever, matrix, add_scaled(friction, -bias, n)


@kernel
def bed_reaction(v, w, a, turning, ahead, g_per_c, reals, body, work, kept):
    """After the solve: what the bed does to a body with accelerations a and `turning` (global).

    v, w     velocity and angular velocity (global); the bed's work is done along those `ahead` [s] later
    g_per_c  as in `press_foot`: when the damping force is taken

    Returns the normal force [N], the powers of friction and of damping [W] and the elastic energy in the bed [J].
    """
    total, rubbing, damping, elastic = 0.0, 0.0, 0.0, 0.0
    for k in range(int(reals[body + BODY_FEET])):
        foot = kept + FOOT_KEPT * k
        work[foot + NORMAL] = 0.0
        if work[foot + PRESSED] < 0.5:
            continue
        n = (work[foot + SLOPE], work[foot + SLOPE + 1], work[foot + SLOPE + 2])
        lever = (work[foot + LEVER], work[foot + LEVER + 1], work[foot + LEVER + 2])
        gained = add(add(a, cross(turning, lever)), cross(w, cross(w, lever)))
        across = dot(n, gained)
        normal = max(0.0, -(work[foot + NORMAL_BIAS] + work[foot + NORMAL_G] * across))
        friction = (work[foot + FRICTION], work[foot + FRICTION + 1], work[foot + FRICTION + 2])
        friction = add_scaled(friction, -work[foot + SHEAR_G], add_scaled(gained, -across, n))
        velocity = add_scaled(add(v, cross(w, lever)), ahead, gained)
        slowing = -reals[body + FOOT_DAMPING] * (work[foot + RATE] + g_per_c * across)
        work[foot + NORMAL] = normal
        total += normal
        rubbing += dot(friction, velocity)
        damping += slowing * dot(n, velocity)
        elastic += (normal - slowing) ** 2 / (2.0 * reals[body + FOOT_STIFFNESS])
    return total, rubbing, damping, elastic


@kernel
def remember_feet(p, R, reals, body, y, memory, work, kept):
    """After the move: where friction holds each foot, and when and how fast the body came down first."""
    for k in range(int(reals[body + BODY_FEET])):
        foot, mine = kept + FOOT_KEPT * k, memory + 4 * k
        pressed = work[foot + PRESSED] > 0.5
        if not pressed and y[mine + 3] == 0.0:
            continue
        place = add(p, foot_lever(k, R, reals, body))
        remember_push(reals, reals[body + FOOT_SHEAR], place, True, pressed, work[foot + NORMAL], y, mine)
        landed, now = y[memory + LANDED_AT], work[foot + WHEN]
        if pressed and work[foot + NORMAL] > 0.0 and (landed < 0.0 or landed == now):
            y[memory + LANDED_AT] = now
            y[memory + LANDED_WITH] = max(y[memory + LANDED_WITH], -work[foot + RATE])


@kernel
def put_landing(normal, y, memory, out, at):
    """What is to be seen of a body on the bed: normal force, time (−1 before) and speed of its first landing."""
    out[at], out[at + 1], out[at + 2] = normal, y[memory + LANDED_AT], y[memory + LANDED_WITH]
