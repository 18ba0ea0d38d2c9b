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

from . import arrays as a
from .arrays import HALF, N_CABLES, PREDICTED, STEP, THETA_STEP, W_RATES
from .commands import move_bases, rest_bases
from .composite import composite
from .forces import load_all
from .winch import rate_at


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


def jacobian(ints: np.ndarray, work: np.ndarray, record: int, offset: np.ndarray) -> np.ndarray:
    """∂(velocity, angular velocity)/∂(speeds) of a place of a body, (6, speeds), global axes; all bodies in place.

    `offset` (3,) is the place in the body's frame of the tree. Speed k of an ancestor with the axis (s, w) at its
    origin p_k moves a place p by (s + w × (p − p_k), w).
    """
    J = np.zeros((6, int(ints[a.N_V])))
    own = record_of(ints, work, record)
    place = own[a.POSITION : a.POSITION + 3] + own[:9].reshape(3, 3) @ offset
    while record >= ints[a.N_BASES]:
        j = record - int(ints[a.N_BASES])
        row = ints[ints[a.I_BODIES] + a.BODY_INTS * j :][: a.BODY_INTS]
        kept, at = record_of(ints, work, record), int(row[a.AT_V] - ints[a.Y_V])
        arm = place - kept[a.POSITION : a.POSITION + 3]
        for k in range(a.SPEEDS[row[a.KIND]]):
            axis = kept[a.AXES + 6 * k : a.AXES + 6 * k + 6]
            J[:3, at + k], J[3:, at + k] = axis[:3] + np.cross(axis[3:], arm), axis[3:]
        record = int(row[a.PARENT])
    return J
