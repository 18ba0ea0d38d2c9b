"""Roll φ, pitch θ and yaw ψ of a body: R = R_z(ψ) R_y(θ) R_x(φ), and what their rates mean in body axes."""

from __future__ import annotations

import math

from .compiled import kernel
from .quaternion import product


@kernel
def from_angles(angles):
    """q = q_z(ψ)∘q_y(θ)∘q_x(φ)."""
    roll, pitch, yaw = angles
    qx = (math.cos(0.5 * roll), math.sin(0.5 * roll), 0.0, 0.0)
    qy = (math.cos(0.5 * pitch), 0.0, math.sin(0.5 * pitch), 0.0)
    qz = (math.cos(0.5 * yaw), 0.0, 0.0, math.sin(0.5 * yaw))
    return product(product(qz, qy), qx)


@kernel
def angles_of(R):
    """Roll, pitch and yaw of a rotation matrix; a pitch of a right angle, where the others are one, is no error."""
    return (math.atan2(R[7], R[8]), -math.asin(max(-1.0, min(1.0, R[6]))), math.atan2(R[3], R[0]))


@kernel
def spin_of_angles(angles, rates):
    """w = (φ̇ − ψ̇ sin θ, θ̇ cos φ + ψ̇ cos θ sin φ, −θ̇ sin φ + ψ̇ cos θ cos φ)."""
    sr, cr, sp, cp = math.sin(angles[0]), math.cos(angles[0]), math.sin(angles[1]), math.cos(angles[1])
    a, b, c = rates
    return (a - c * sp, b * cr + c * cp * sr, -b * sr + c * cp * cr)


@kernel
def spin_rate_of_angles(angles, rates, accelerations):
    """ẇ, the derivative of `spin_of_angles`."""
    sr, cr, sp, cp = math.sin(angles[0]), math.cos(angles[0]), math.sin(angles[1]), math.cos(angles[1])
    a, b, c = rates
    da, db, dc = accelerations
    return (
        da - dc * sp - c * b * cp,
        db * cr - b * a * sr + dc * cp * sr - c * b * sp * sr + c * a * cp * cr,
        -db * sr - b * a * cr + dc * cp * cr - c * b * sp * cr - c * a * cp * sr,
    )
