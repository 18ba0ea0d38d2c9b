"""Joints between bodies, from the file into the tree."""

from __future__ import annotations

import numpy as np

from fairlead.model import System
from fairlead.rigging.joint_frames import joint_at_start, spring_row
from fairlead.shape.layout import Geometry

from .growth import Link
from .parts import Owner, Parts
from .rows import hub_row
from .schema import FIXED, PRISMATIC, REVOLUTE, SPHERICAL

_KINDS = {"revolute": REVOLUTE, "prismatic": PRISMATIC, "spherical": SPHERICAL, "fixed": FIXED}


def add_joint(parts: Parts, system: System, geometry: Geometry, link: Link) -> None:
    """A joint between a body in the tree and one that is not yet in it.

    Its coordinate starts at 0; that of a prismatic one with how far its two places are apart.
    """
    joint = system.joints[link.name]
    stands = joint_at_start(system, geometry, link.name)
    near, far, axis = stands.parent, stands.child, stands.axis
    if link.reversed:
        near, far, axis = far, near, -axis
    owner = parts.owners[link.near.owner_name]
    shift = np.array(link.far.offset)
    number = parts.tree.add(
        owner.number, _KINDS[joint.kind], np.array(link.near.offset) - owner.shift, near[1].T @ far[1], far[1].T @ axis
    )
    parts.tree.joints[-1] |= spring_row(joint)
    body = system.bodies[link.far.owner_name]
    assert body.kind == "free"
    parts.stands(number, far[0] + far[1] @ shift, far[1])
    parts.starts[number] = stands.start
    parts.water_at(number, True, hub_row(body, system, -shift))
    parts.owners[link.far.owner_name] = Owner(number, shift)
