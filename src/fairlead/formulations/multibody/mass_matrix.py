"""H and C of the whole system with all its loads, for a coupling that needs the mass matrix itself.

`CompiledMultibody.mass_and_bias(t, y, u)` gives H (speeds, speeds), C (speeds,) and τ (speeds,) of

    H v̇ = τ − C + Jᵀ f

at a state `y`. H holds dry and added mass, the latter of what is in the water at that moment. C holds weight,
buoyancy, drag, wave forces and loads of the file with their sign turned, and all that is quadratic in the speeds. τ
holds the springs and dampers of joints and the tension of cables. f is whatever a caller adds: the pressure on a
hull, for instance.

`Carrier.speeds_of(name)` tells which entries belong to a free root, in the order of `y`: velocity of its origin in
global axes (3), then angular velocity in *body* axes (3); v̇ has the same order and holds the plain time derivatives of
these six numbers. The Jacobians of `Carrier.equations` map v̇ to the acceleration of a body: (a, α) = J v̇ + what is left
at v̇ = 0, both in global axes and of the body's origin, so that a force f and a torque n there (global) enter as
Jᵀ (f, n).
"""

from __future__ import annotations

from fairlead.algebra.compiled import entry
from fairlead.algebra.small import add, cross, matvec, put, subtract, vector_of

from .commands import hold_moment
from .composite import composite
from .forces import load_all
from .joints import speeds_of
from .schema import system
from .winch import rate_at

MOTION = 24
"""Numbers of a place's motion: rotation, position, velocity, spin, acceleration and angular acceleration at v̇ = 0."""


@entry
def mass_and_bias(t, y, u, ints, reals, work, H, C):
    """H (size², row by row) and C (size) at t; joint torques (tension among them) are left in `work`."""
    sys = system(ints, reals, y, work)
    hold_moment(t, u, sys)
    for c in range(sys.cables):
        sys.payout[c].rate = rate_at(t, c, 0.0, u, sys)
    load_all(t, sys)
    composite(sys, H, C)


@entry
def move_places(y, ints, reals, work, records, offsets, motions, jacobians):
    """Motions and Jacobians of places on bodies, all bodies in place and C found.

    `offsets[k]` (3) is place k in the tree's frame of the body with `records[k]`. motions[k] (MOTION): rotation,
    position, velocity, angular velocity, and at v̇ = 0 the acceleration and angular acceleration, global axes.
    jacobians[k] (6, speeds), zero before: ∂(velocity, angular velocity)/∂(speeds). Speed i of an ancestor with the
    axis (s, w) at its origin p_i moves a place p by (s + w × (p − p_i), w).
    """
    sys = system(ints, reals, y, work)
    for k in range(records.shape[0]):
        own, out = sys.record[records[k]], motions[k]
        arm, w = matvec(own.rotation, vector_of(offsets[k], 0)), own.spin
        place = add(own.position, arm)
        for i in range(9):
            out[i] = own.rotation[i]
        put(out, 9, place)
        put(out, 12, add(own.velocity, cross(w, arm)))
        put(out, 15, w)
        put(out, 18, add(own.acceleration, add(cross(own.alpha, arm), cross(w, cross(w, arm)))))
        put(out, 21, own.alpha)
        record = records[k]
        while record >= sys.bases:
            body = sys.body[record - sys.bases]
            lever = subtract(place, sys.record[record].position)
            for i in range(speeds_of(body.kind)):
                axis, column = sys.axis[6 * record + i], body.speed + i
                moved, turn = add(axis.linear, cross(axis.angular, lever)), axis.angular
                for row in range(3):
                    jacobians[k, row, column] = moved[row]
                    jacobians[k, 3 + row, column] = turn[row]
            record = body.parent
