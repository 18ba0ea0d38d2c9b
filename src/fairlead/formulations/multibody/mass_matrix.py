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

H and C are found by the composite-rigid-body algorithm (Guillaume et al., Eqs. 3–6, corrected):

    m_j^c = m_j + Σ_children X_kᵀ m_k^c X_k,        β_j^c = β_j + Σ_children X_kᵀ (m_k^c γ_k + β_k^c),
    H_jk = S_jᵀ (kX_j)ᵀ m_k^c S_k for k in the subtree of j, else 0,
    C_j = S_jᵀ (m_j^c a_j° + β_j^c),  a_j° = X a_p° + γ_j along the ancestors of j,
    H q̈ = τ − C.

The print has m_j^c instead of m_k^c in H and no subtree test, and sums γ over all bodies up to j instead of over its
ancestors. A cable element is one joint of three axes (Eqs. 8–10).
"""

from __future__ import annotations

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.small import add, cross, dot, matvec, put, subtract, vector_of

from .articulated import carry_on
from .commands import hold_moment
from .forces import load_all
from .joints import kind_of, speeds_of
from .schema import system
from .spatial import add_bias, add_inertia, applied
from .winch import rate_at

MOTION = 24
"""Numbers of a place's motion: rotation, position, velocity, spin, acceleration and angular acceleration at v̇ = 0."""


@kernel
def fill_column(column, row, f, m, sys, H):
    """Entries of one column of H, and their mirrors, for body `row` and all above it.

    f, m: force m^c S of the column and its torque about the origin of body `row`, handed up arm by arm.
    """
    size = sys.speeds
    while row >= 0:
        body = sys.body[row]
        r = sys.bases + row
        for k in range(speeds_of(kind_of(body, sys))):
            axis, at = sys.axis[6 * r + k], body.speed + k
            H[at * size + column] = H[column * size + at] = dot(axis.linear, f) + dot(axis.angular, m)
        m = add(m, cross(sys.record[r].arm, f))
        row = body.parent - sys.bases


@kernel
def composite(sys, H, C):
    """H (size², row by row) and C (size) of the tree whose bodies are placed and loaded; joint torques are not in C.

    Axes of nodes on a drum get a unit diagonal and no bias.
    """
    size = sys.speeds
    for i in range(size * size):
        H[i] = 0.0
    for j in range(sys.bodies):
        record, up = sys.record[sys.bases + j], sys.record[sys.body[j].parent]
        record.acceleration, record.alpha = carry_on(record, up)
    for back in range(sys.bodies):
        j = sys.bodies - 1 - back
        body = sys.body[j]
        r = sys.bases + j
        record, up = sys.record[r], sys.record[body.parent]
        A, B, D = record.A, record.B, record.D
        beta_f, beta_m = record.bias, record.bias_turn
        f, m = applied(A, B, D, record.acceleration, record.alpha)
        f, m = add(f, beta_f), add(m, beta_m)
        n, at = speeds_of(kind_of(body, sys)), body.speed
        stop = sys.body[j + 1].speed if back > 0 else size
        for k in range(at + n, stop):
            H[k * size + k] = 1.0
            C[k] = 0.0
        for k in range(n):
            s, w = sys.axis[6 * r + k].linear, sys.axis[6 * r + k].angular
            C[at + k] = dot(s, f) + dot(w, m)
            force, torque = applied(A, B, D, s, w)
            fill_column(at + k, j, force, torque, sys, H)
        more_f, more_m = applied(A, B, D, record.drift, record.drift_turn)
        add_inertia(up, A, B, D, record.arm)
        add_bias(up, add(beta_f, more_f), add(beta_m, more_m), record.arm)


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
