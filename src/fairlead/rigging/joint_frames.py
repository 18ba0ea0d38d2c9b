"""Joints between bodies as they stand at t = 0, from the file: places, axes, and what is wrong with them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from fairlead.algebra.angles import angles_of
from fairlead.model import System
from fairlead.model.joints import DenavitHartenberg, Joint
from fairlead.model.needs import UnsupportedSystem
from fairlead.results.observation import Extra
from fairlead.rigging.rows import Row
from fairlead.shape.layout import Geometry

_MEETS = 1e-6
"""m, relative to the size of things: how well the two places of a joint must fall together at t = 0."""
_Pose = tuple[np.ndarray, np.ndarray]


class JointAtStart(NamedTuple):
    """A joint at t = 0: poses of parent and child (place (3,), rotation (3, 3)), its axis (3,), global, and how far its
    two places are apart along the axis of a slider [m]."""

    parent: _Pose
    child: _Pose
    axis: np.ndarray
    start: float


def joint_at_start(system: System, geometry: Geometry, name: str) -> JointAtStart:
    """How a joint stands at t = 0; refused where its places do not meet."""
    joint = system.joints[name]
    places = [system.place(place) for place in (joint.parent, joint.child)]
    for place in places:
        if place.is_free and not place.on_body:
            raise UnsupportedSystem(
                f"joints.{name}: '{place.owner_name}' is a free point, and joints are between bodies; make it a body"
            )
    parent, child = (_pose(system, geometry, place.owner_name) for place in places)
    here, there = (p + R @ place.offset for (p, R), place in zip((parent, child), places, strict=True))
    axis, apart = np.array([0.0, 0.0, 1.0]), there - here
    if joint.dh is not None:
        _check_dh(name, joint.dh, parent, child)
        axis = child[1] @ axis
    elif joint.axis is not None:
        axis = parent[1] @ np.array(joint.axis) / np.linalg.norm(joint.axis)
    start = float(apart @ axis) if joint.kind == "prismatic" else 0.0
    missed = float(np.linalg.norm(apart - start * axis))
    if missed > _MEETS * max(1.0, float(np.linalg.norm(here))):
        raise UnsupportedSystem(
            f"joints.{name}: its two places are {missed:.3g} m apart at t = 0; move '{places[1].owner_name}' so "
            f"that they meet: its joint belongs at ({', '.join(f'{x:.6g}' for x in here)})"
        )
    return JointAtStart(parent, child, axis, start)


def spring_row(joint: Joint) -> Row:
    """Spring, damper and limits of a joint."""
    row: Row = {"spring": joint.stiffness, "damper": joint.damping, "rest": joint.rest, "low": -np.inf, "high": np.inf}
    if joint.limits is not None:
        row["low"], row["high"] = joint.limits
        row |= {"stop": joint.limit_stiffness, "stop_damper": joint.limit_damping}
    return row


def joint_extras(system: System) -> tuple[Extra, ...]:
    """Angle or stroke of every joint that has one, and the sizes of the force and the moment it carries."""
    found = []
    for name, joint in system.joints.items():
        if joint.kind == "revolute":
            found.append(Extra(f"{name}.angle", "rad", f"angle of the joint '{name}', from how it stands at t = 0"))
        if joint.kind == "prismatic":
            found.append(Extra(f"{name}.stroke", "m", f"how far the joint '{name}' is drawn out"))
        if joint.kind != "free":
            found.append(Extra(f"{name}.force", "N", f"size of the force in the joint '{name}'"))
            found.append(Extra(f"{name}.moment", "N m", f"size of the moment in the joint '{name}'"))
    return tuple(found)


def _pose(system: System, geometry: Geometry, name: str) -> _Pose:
    """Where a point or body is at t = 0 and how it is turned."""
    if name in system.points:
        return np.asarray(geometry.points[name], dtype=float), np.eye(3)
    pose = geometry.bodies[name]
    return np.asarray(pose.position, dtype=float), np.asarray(pose.rotation, dtype=float)


def _check_dh(name: str, dh: DenavitHartenberg, parent: _Pose, child: _Pose) -> None:
    """Refuse bodies that do not stand as their Denavit–Hartenberg numbers say."""
    a_, alpha, d, theta = dh.a, math.radians(dh.alpha_deg), dh.d, math.radians(dh.theta_deg)
    ca, sa, ct, st = math.cos(alpha), math.sin(alpha), math.cos(theta), math.sin(theta)
    turn = np.array([[ct, -st, 0.0], [st * ca, ct * ca, -sa], [st * sa, ct * sa, ca]])
    position = parent[0] + parent[1] @ np.array([a_, -sa * d, ca * d])
    rotation = parent[1] @ turn
    if np.linalg.norm(position - child[0]) > _MEETS * max(1.0, a_, d) or np.abs(rotation - child[1]).max() > 1e-6:
        roll, pitch, yaw = (math.degrees(angle) for angle in angles_of.py_func(tuple(rotation.ravel())))
        raise UnsupportedSystem(
            f"joints.{name}.dh: the child does not stand where these numbers put it; give it position "
            f"[{', '.join(f'{x:.9g}' for x in position)}] and orientation_deg [{roll:.9g}, {pitch:.9g}, {yaw:.9g}]"
        )
