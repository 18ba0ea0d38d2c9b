"""H and C of the whole system with all its loads, for a coupling that needs the mass matrix itself.

`CompiledMultibody.mass_and_bias(t, y, u)` gives H (speeds, speeds), C (speeds,) and τ (speeds,) of

    H v̇ = τ − C + Jᵀ f

at a state `y`. H holds dry and added mass, the latter of what is in the water at that moment. C holds weight,
buoyancy, drag, wave forces and loads of the file with their sign turned, and all that is quadratic in the speeds. τ
holds the springs and dampers of joints and the tension of cables. f is whatever a caller adds: the pressure on a
hull, for instance.

`CompiledMultibody.speeds_of(name)` tells which entries belong to a free root, in the order of `y`: velocity of its
origin in global axes (3), then angular velocity in *body* axes (3); v̇ has the same order and holds the plain time
derivatives of these six numbers. `CompiledMultibody.jacobian(t, y, u, name)` maps v̇ to the acceleration of any body:
(a, α) = J v̇ + what is left at v̇ = 0, both in global axes and of the body's origin, so that a force f and a torque n
there (global) enter as Jᵀ (f, n).
"""

from __future__ import annotations

import numpy as np

from fairlead.algebra.compiled import entry
from fairlead.algebra.small import add, cross, matvec, subtract

from . import arrays as a
from .arrays import (
    ACCELERATION, AT_V, AXES, HALF, KIND, N_BASES, N_CABLES, PARENT, POSITION, PREDICTED, ROTATION, SPEEDS, SPIN, STEP,
    THETA_STEP, VELOCITY, W_RATES, Y_V, body_at, matrix_of, put, put_matrix, record_at, vector_of,
)  # fmt: skip
from .commands import move_bases, rest_bases
from .composite import composite
from .forces import load_all
from .winch import rate_at

MOTION = 24
"""Numbers of a place's motion: rotation, position, velocity, spin, acceleration and angular acceleration at v̇ = 0."""


@entry
def mass_and_bias(t, y, u, ints, reals, work, H, C):
    """H (size², row by row) and C (size) at t; joint torques (tension among them) are left in `work`."""
    work[STEP], work[HALF], work[THETA_STEP], work[PREDICTED] = 0.0, 0.0, 0.0, 0.0
    rest_bases(ints, reals, work)
    move_bases(t, u, ints, reals, y, work)
    for c in range(ints[N_CABLES]):
        work[ints[W_RATES] + c] = rate_at(t, c, 0.0, u, ints, reals, y, work)
    load_all(t, ints, reals, y, work)
    composite(ints, y, work, H, C)


def record_of(ints: np.ndarray, work: np.ndarray, record: int) -> np.ndarray:
    """What is kept of a base or body in `work` after the bodies have been placed, (RECORD,)."""
    at = int(ints[a.W_RECORDS]) + a.RECORD * record
    return work[at : at + a.RECORD]


@entry
def move_places(ints, work, records, offsets, motions, jacobians):
    """Motions and Jacobians of places on bodies, all bodies in place and C found.

    `offsets[k]` (3) is place k in the tree's frame of the body with `records[k]`. motions[k] (MOTION): rotation,
    position, velocity, angular velocity, and at v̇ = 0 the acceleration and angular acceleration, global axes.
    jacobians[k] (6, speeds), zero before: ∂(velocity, angular velocity)/∂(speeds). Speed i of an ancestor with the
    axis (s, w) at its origin p_i moves a place p by (s + w × (p − p_i), w).
    """
    for k in range(records.shape[0]):
        at, out = record_at(ints, records[k]), motions[k]
        R = matrix_of(work, at + ROTATION)
        arm = matvec(R, vector_of(offsets[k], 0))
        place, w = add(vector_of(work, at + POSITION), arm), vector_of(work, at + SPIN)
        turning = vector_of(work, at + ACCELERATION + 3)
        drift = add(vector_of(work, at + ACCELERATION), add(cross(turning, arm), cross(w, cross(w, arm))))
        put_matrix(out, 0, R)
        put(out, 9, place)
        put(out, 12, add(vector_of(work, at + VELOCITY), cross(w, arm)))
        put(out, 15, w)
        put(out, 18, drift)
        put(out, 21, turning)
        record = records[k]
        while record >= ints[N_BASES]:
            body, kept = body_at(ints, record - ints[N_BASES]), record_at(ints, record)
            lever = subtract(place, vector_of(work, kept + POSITION))
            for i in range(SPEEDS[ints[body + KIND]]):
                s, turn = vector_of(work, kept + AXES + 6 * i), vector_of(work, kept + AXES + 6 * i + 3)
                moved, column = add(s, cross(turn, lever)), ints[body + AT_V] - ints[Y_V] + i
                for row in range(3):
                    jacobians[k, row, column] = moved[row]
                    jacobians[k, 3 + row, column] = turn[row]
            record = ints[body + PARENT]
