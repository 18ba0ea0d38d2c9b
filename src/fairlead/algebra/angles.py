"""Roll φ, pitch θ and yaw ψ of a body: R = R_z(ψ) R_y(θ) R_x(φ), and what their rates mean in body axes."""

from __future__ import annotations

import math

from .compiled import kernel
from .quaternion import product

UPRIGHT = 1e-8
"""Cosine of a pitch that counts as 90°."""


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
    """Roll, pitch and yaw (3) of a rotation matrix (nine numbers), pitch within ±90°: the inverse of `from_angles`.

    θ = atan2(−R₃₁, √(R₃₂² + R₃₃²)) is as good at 90° as anywhere; an arcsine loses half its digits there, or its
    argument leaves its range. Only ψ ∓ φ can be seen there: φ is then 0.
    """
    level = math.sqrt(R[7] * R[7] + R[8] * R[8])
    pitch = math.atan2(-R[6], level)
    if level < UPRIGHT:
        return 0.0, pitch, math.atan2(-R[1], R[4])
    return math.atan2(R[7], R[8]), pitch, math.atan2(R[3], R[0])


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
