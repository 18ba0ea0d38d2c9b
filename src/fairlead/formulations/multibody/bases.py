"""What a tree may hang from: fixed and controlled points, and bodies with a prescribed motion."""

from __future__ import annotations

import math

import numpy as np

from fairlead.model import System
from fairlead.model.bodies import rotation_matrix
from fairlead.model.motion import BodyMotion, Motion

from .controls import Control
from .growth import Growth
from .tables import Owner, Tables


def add_bases(tables: Tables, system: System, growth: Growth) -> None:
    """Fixed and controlled points and prescribed bodies, with the commands that move them."""
    for name in growth.bases:
        if name in system.points:
            point = system.points[name]
            assert point.position is not None
            number = tables.tree.add_base(point.position)
            if point.kind == "controlled":
                _command(tables, name, number, point.position, None, point.cutoff, point.motion)
        else:
            body = system.bodies[name]
            number = tables.tree.add_base(body.start_position, np.array(rotation_matrix(body.start_angles_deg)))
            if body.kind == "prescribed":
                _command(tables, name, number, body.position, body.orientation_deg, body.cutoff, body.motion)
        tables.owners[name] = Owner(number, np.zeros(3))


def _command(
    tables: Tables,
    name: str,
    number: int,
    position: tuple[float, float, float],
    angles_deg: tuple[float, float, float] | None,
    cutoff: float,
    motion: Motion | BodyMotion | None,
) -> None:
    first = len(tables.controls)
    tables.controls += [Control(x, cutoff, motion, 1 + k) for k, x in enumerate(position)]
    tables.inputs[f"{name}.position"] = slice(first, first + 3)
    if angles_deg is not None:
        tables.controls += [Control(math.radians(x), cutoff, motion, 4 + k) for k, x in enumerate(angles_deg)]
        tables.inputs[f"{name}.rotation"] = slice(first + 3, first + 6)
    tables.moved.append([-1 - number, first, first + 3 if angles_deg is not None else -1])
