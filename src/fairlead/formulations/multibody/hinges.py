"""Joints between bodies, from the file into the tree."""

from __future__ import annotations

import math

import numpy as np

from fairlead.algebra.angles import angles_of
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import System
from fairlead.model.joints import DenavitHartenberg
from fairlead.shape.layout import Geometry

from .growth import Link
from .parts import Owner, Parts
from .rows import hub_row
from .schema import FIXED, PRISMATIC, REVOLUTE, SPHERICAL

_KINDS = {"revolute": REVOLUTE, "prismatic": PRISMATIC, "spherical": SPHERICAL, "fixed": FIXED}
_MEETS = 1e-6
"""m, relative to the size of things: how well the two places of a joint must fall together at t = 0."""


def add_joint(parts: Parts, system: System, geometry: Geometry, link: Link) -> None:
    """A joint between a body in the tree and one that is not yet in it.

    Its coordinate starts at 0; that of a prismatic one with how far its two places are apart.
    """
    joint = system.joints[link.name]
    if not link.far.on_body or (link.near.is_free and not link.near.on_body):
        point = link.far if not link.far.on_body else link.near
        raise UnsupportedSystem(
            f"joints.{link.name}: '{point.owner_name}' is a free point, and joints are between bodies; make it a body"
        )
    near, far = _pose(system, geometry, link.near.owner_name), _pose(system, geometry, link.far.owner_name)
    owner = parts.owners[link.near.owner_name]
    shift = np.array(link.far.offset)
    here, there = near[0] + near[1] @ link.near.offset, far[0] + far[1] @ shift
    axis, apart = np.array([0.0, 0.0, 1.0]), there - here
    if joint.kind in ("revolute", "prismatic"):
        parent, child = (far, near) if link.reversed else (near, far)
        if joint.dh is not None:
            _check_dh(link, joint.dh, parent, child)
            axis = child[1] @ axis
        else:
            axis = parent[1] @ np.array(joint.axis) / np.linalg.norm(joint.axis or 1.0)
        axis = -axis if link.reversed else axis
    start = float(apart @ axis) if joint.kind == "prismatic" else 0.0
    missed = float(np.linalg.norm(apart - start * axis))
    if missed > _MEETS * max(1.0, float(np.linalg.norm(here))):
        raise UnsupportedSystem(
            f"joints.{link.name}: its two places are {missed:.3g} m apart at t = 0; move '{link.far.owner_name}' so "
            f"that they meet: its joint belongs at ({', '.join(f'{x:.6g}' for x in here)})"
        )
    number = parts.tree.add(
        owner.number, _KINDS[joint.kind], np.array(link.near.offset) - owner.shift, near[1].T @ far[1], far[1].T @ axis
    )
    row = parts.tree.joints[number]
    row |= {"spring": joint.stiffness, "damper": joint.damping, "rest": joint.rest}
    if joint.limits is not None:
        row["low"], row["high"] = joint.limits
        row |= {"stop": joint.limit_stiffness, "stop_damper": joint.limit_damping}
    body = system.bodies[link.far.owner_name]
    assert body.kind == "free"
    parts.stands(number, there, far[1])
    parts.starts[number] = start
    parts.water_at(number, True, hub_row(body, system, -shift))
    parts.owners[link.far.owner_name] = Owner(number, shift)


def _pose(system: System, geometry: Geometry, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Where a point or body is at t = 0 and how it is turned."""
    if name in system.points:
        return np.asarray(geometry.points[name], dtype=float), np.eye(3)
    pose = geometry.bodies[name]
    return np.asarray(pose.position, dtype=float), np.asarray(pose.rotation, dtype=float)


def _check_dh(
    link: Link, dh: DenavitHartenberg, parent: tuple[np.ndarray, np.ndarray], child: tuple[np.ndarray, np.ndarray]
) -> None:
    """Refuse bodies that do not stand as their Denavit–Hartenberg numbers say."""
    a_, alpha, d, theta = dh.a, math.radians(dh.alpha_deg), dh.d, math.radians(dh.theta_deg)
    ca, sa, ct, st = math.cos(alpha), math.sin(alpha), math.cos(theta), math.sin(theta)
    turn = np.array([[ct, -st, 0.0], [st * ca, ct * ca, -sa], [st * sa, ct * sa, ca]])
    position = parent[0] + parent[1] @ np.array([a_, -sa * d, ca * d])
    rotation = parent[1] @ turn
    if np.linalg.norm(position - child[0]) > _MEETS * max(1.0, a_, d) or np.abs(rotation - child[1]).max() > 1e-6:
        roll, pitch, yaw = (math.degrees(angle) for angle in angles_of.py_func(tuple(rotation.ravel())))
        raise UnsupportedSystem(
            f"joints.{link.name}.dh: the child does not stand where these numbers put it; give it position "
            f"[{', '.join(f'{x:.9g}' for x in position)}] and orientation_deg [{roll:.9g}, {pitch:.9g}, {yaw:.9g}]"
        )
