"""Joints between bodies in the tables of the point masses."""

from __future__ import annotations

import numpy as np

from fairlead.algebra.quaternion import from_matrix
from fairlead.model import System
from fairlead.model.joints import Joint
from fairlead.rigging.joint_frames import joint_at_start, spring_row
from fairlead.rigging.joints import HELD_ABOUT, HELD_ALONG, SPRING_ABOUT, SPRING_ALONG, SPRING_BALL
from fairlead.rigging.rows import Collected
from fairlead.shape.layout import Geometry

_HELD = {
    "revolute": [(HELD_ALONG, 0), (HELD_ALONG, 1), (HELD_ALONG, 2), (HELD_ABOUT, 0), (HELD_ABOUT, 1)],
    "prismatic": [(HELD_ALONG, 0), (HELD_ALONG, 1), (HELD_ABOUT, 0), (HELD_ABOUT, 1), (HELD_ABOUT, 2)],
    "spherical": [(HELD_ALONG, k) for k in range(3)],
    "fixed": [(form, k) for form in (HELD_ALONG, HELD_ABOUT) for k in range(3)],
}
"""In what each kind of joint holds: form of the bond, axis."""


def add_joints(parts: Collected, system: System, geometry: Geometry) -> None:
    """Add all joints that hold anything, with their bonds."""
    for name, joint in system.joints.items():
        if joint.kind == "free":
            continue
        stands = joint_at_start(system, geometry, name)
        frame = _frame_along(stands.axis)
        row, law, number = {}, spring_row(joint), len(parts.body_joint)
        sides = (("parent", joint.parent, stands.parent), ("child", joint.child, stands.child))
        for side, place_name, (_, rotation) in sides:
            place = system.place(place_name)
            law[f"{side}_turn"] = from_matrix(rotation.T @ frame)
            if place.is_free:
                row[side] = -parts.hubs.index(place.owner_name) - 1
                law[f"{side}_at"] = place.offset
            else:
                row[side] = parts.prescribed.index(place_name)
        bonds = [*_HELD[joint.kind], *_springs(joint)]
        parts.body_joint.append({**row, "first": len(parts.bond), "count": len(bonds)})
        parts.body_joint_law.append(law)
        parts.body_joint_state.append({"coordinate": stands.start})
        parts.bond += [{"joint": number, "form": form, "axis": axis} for form, axis in bonds]


def _springs(joint: Joint) -> list[tuple[int, int]]:
    """Bonds that spring; a hinge and a slider have one in any case, by which their coordinate is known."""
    if joint.kind == "spherical" and (joint.stiffness or joint.damping):
        return [(SPRING_BALL, k) for k in range(3)]
    return {"revolute": [(SPRING_ABOUT, 2)], "prismatic": [(SPRING_ALONG, 2)]}.get(joint.kind, [])


def _frame_along(axis: np.ndarray) -> np.ndarray:
    """A frame (3, 3) whose z axis is the one given."""
    side = np.eye(3)[int(np.argmin(np.abs(axis)))]
    x = np.cross(side, axis)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(axis, x), axis], axis=1)
