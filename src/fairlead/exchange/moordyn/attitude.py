"""Attitudes: MoorDyn turns by R = Rx(roll) Ry(pitch) Rz(yaw), we by Rz(yaw) Ry(pitch) Rx(roll); angles in degrees."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .rows import Vector

Matrix = tuple[Vector, Vector, Vector]


def matrix(angles_deg: Vector) -> Matrix:
    """R = Rx Ry Rz of MoorDyn's angles, from the frame of a body to the global one."""
    (cr, sr), (cp, sp), (cy, sy) = ((math.cos(a), math.sin(a)) for a in map(math.radians, angles_deg))
    return (
        (cp * cy, -cp * sy, sp),
        (cr * sy + sr * sp * cy, cr * cy - sr * sp * sy, -sr * cp),
        (sr * sy - cr * sp * cy, sr * cy + cr * sp * sy, cr * cp),
    )


def turned(angles_deg: Vector, offset: Vector) -> Vector:
    """An offset in the frame of a body in global axes."""
    x, y, z = (sum(r * o for r, o in zip(row, offset, strict=True)) for row in matrix(angles_deg))
    return x, y, z


def attitude_deg(angles_deg: Vector) -> Vector:
    """MoorDyn's angles as ours; one angle alone is the same in both."""
    if sum(angle != 0.0 for angle in angles_deg) < 2:
        return angles_deg
    return our_angles(matrix(angles_deg))


def our_angles(r: Sequence[Sequence[float]]) -> Vector:
    """Our angles of an attitude (3, 3), Rz Ry Rx."""
    pitch = math.asin(max(-1.0, min(1.0, -r[2][0])))
    roll, yaw = math.atan2(r[2][1], r[2][2]), math.atan2(r[1][0], r[0][0])
    return math.degrees(roll), math.degrees(pitch), math.degrees(yaw)


def angles_of(attitude: Matrix) -> Vector:
    """MoorDyn's angles of an attitude."""
    pitch = math.asin(max(-1.0, min(1.0, attitude[0][2])))
    roll = math.atan2(-attitude[1][2], attitude[2][2])
    yaw = math.atan2(-attitude[0][1], attitude[0][0])
    return math.degrees(roll), math.degrees(pitch), math.degrees(yaw)


def upright_deg(a: Vector, b: Vector) -> Vector:
    """Our angles of a body whose own z runs from a to b."""
    x, y, z = (q - p for p, q in zip(a, b, strict=True))
    pitch = math.atan2(math.hypot(x, y), z)
    return 0.0, math.degrees(pitch), math.degrees(math.atan2(y, x))
