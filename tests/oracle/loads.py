"""Inertia and loads of one bar or free point: a 6x6 matrix and 6 forces (global force, body torque)."""

import numpy as np

from oracle.joint_gains import drag_share
from oracle.parts import UP
from oracle.quaternions import EYE, cross, skew

LEAST_HEIGHT = 0.1
"""m: height over which a free point without volume is taken to submerge."""


def height(bar, R):
    """Height over which a bar submerges, smooth when it lies level."""
    return np.hypot(R[2, 2] * bar.length, bar.diameter)


def submergence(bar, z, R):
    """Wetted fraction of a bar whose centre is at height z."""
    return np.clip(0.5 - z / height(bar, R), 0.0, 1.0)


def point_submergence(point, z):
    """Wetted fraction of a point: a sphere of its volume, by the bar's formula with no length."""
    return np.clip(0.5 - z / max(LEAST_HEIGHT, np.cbrt(6.0 * point.volume / np.pi)), 0.0, 1.0)


def gyroscopic_torque(inertia, w, h):
    """Torque that turns w about the axis of a round bar over a step h.

    Left alone, (w_x, w_y) turns in the body at the rate Ω = (Jz - Jx)/Jx w_z. The step from w to w' that keeps its
    length is the Cayley turn w' - w = ½ h Ω e_z × (w' + w); Jx (w' - w)/h is the torque, -w × Jw when h vanishes.
    """
    across, along = inertia[0, 0], inertia[2, 2]
    half = 0.5 * h * (along - across) / across * w[2] * skew(UP)
    after = np.linalg.solve(EYE - half, (EYE + half) @ w)
    return across * (after - w) / h if h > 0.0 else -cross(w, inertia @ w)


def bar_terms(bar, state, i, sea, h):
    """Of bar i without its joints. In the second-order step drag is that of the motion foreseen for its middle, by the
    accelerations felt in the step before, on the motion at its start."""
    L = bar.length
    second, ahead = state.felt is not None, np.zeros(6)
    if second:
        ahead = 0.5 * h * state.felt[i]
    R, v, w, z = state.R[i], state.v[i], state.w[i], state.p[i, 2]
    t, sigma = R[:, 2], submergence(bar, z, R)
    displaced = sea.water_density * bar.volume
    added_n, added_t = sigma * bar.added_normal * displaced, sigma * bar.added_axial * displaced
    inertia = bar.inertia + added_n * L**2 / 12.0 * np.diag([1.0, 1.0, 0.0])

    A, F = np.zeros((6, 6)), np.zeros(6)
    A[:3, :3] = (bar.mass + added_n) * EYE + (added_t - added_n) * np.outer(t, t)
    A[3:, 3:] = inertia
    F[3:] = gyroscopic_torque(inertia, w, h)

    buoyancy = displaced * sea.gravity * sigma * UP
    # the potential B (H/2 - z)²/2H of a partly submerged bar turns with H(tilt): -dV/dtilt at this lever
    lever = -0.5 * L * (1.0 - sigma) * R[2, 2] * L / height(bar, R) * UP
    F[:3] += buoyancy - bar.mass * sea.gravity * UP
    F[3:] += cross(lever, R.T @ buoyancy)

    if bar.drag is not None:
        dampers = []
        for offset in (-L / (2.0 * np.sqrt(3.0)), L / (2.0 * np.sqrt(3.0))):
            r = offset * UP
            relative = R.T @ (v - sea.current(z + (R @ r)[2])) + cross(w, r)
            J = np.hstack([R.T, -skew(r)])  # local velocity of the Gauss point from (global v, body w)
            middle = relative + J @ ahead
            speed_n = np.hypot(middle[0], middle[1])
            Cn, Ct = bar.drag.coefficients(speed_n, np.linalg.norm(middle))
            dynamic = 0.5 * sea.water_density * sigma * 0.5 * L
            c_n = dynamic * bar.diameter * Cn * speed_n
            c_t = dynamic * bar.drag.axial_perimeter * Ct * abs(middle[2])
            c = np.array([c_n, c_n, c_t])
            dampers.append((c, J))
            F -= J.T @ (c * relative)
        total = sum(c for c, _ in dampers)
        masses = bar.mass + np.array([added_n, added_n, added_t])
        when = drag_share(total, masses, h) if second else h
        for c, J in dampers:
            A += J.T @ ((when * c)[:, None] * J)

    for offset, lump in bar.lumps:
        r = offset * UP
        J = np.hstack([EYE, -R @ skew(r)])  # global velocity of the lump
        gained = J @ state.felt[i] if second else None
        mass, force = point_terms(lump, state.p[i] + R @ r, v + R @ cross(w, r), sea, h, gained)
        inert, _ = point_terms(lump, state.p[i] + R @ r, v, sea, 0.0)  # without the step's drag
        A += J.T @ mass[:3, :3] @ J
        spin = w + ahead[3:]
        F += J.T @ (force[:3] - inert[:3, :3] @ (R @ cross(spin, cross(spin, r))))
    return A, F


def point_terms(point, p, v, sea, h, felt=None):
    """Of a free point at p (3,) with velocity v (3,); in the second-order step with the acceleration felt before."""
    sigma = point_submergence(point, p[2])
    A, F = np.zeros((6, 6)), np.zeros(6)
    A[3:, 3:] = point.inertia * EYE
    relative = v - sea.current(p[2])
    middle = relative if felt is None else relative + 0.5 * h * felt
    c = 0.5 * sea.water_density * point.drag_area * sigma * np.linalg.norm(middle)
    added = sigma * point.added_mass if sea.water_density > 0.0 else 0.0
    when = h if felt is None else drag_share(c, point.mass + added, h)
    A[:3, :3] = (point.mass + added + when * c) * EYE
    F[:3] = (sigma * sea.water_density * point.volume - point.mass) * sea.gravity * UP - c * relative
    return A, F
