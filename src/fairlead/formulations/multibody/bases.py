"""What a tree may hang from: fixed and controlled points, and bodies with a prescribed motion."""

from __future__ import annotations

import numpy as np

from fairlead.loads.commands import commands_of
from fairlead.model import System
from fairlead.model.bodies import rotation_matrix

from .controls import controls_of
from .growth import Growth
from .parts import Owner, Parts


def add_bases(parts: Parts, system: System, growth: Growth) -> None:
    """Fixed and controlled points and prescribed bodies, with the commands that move them."""
    commands = commands_of(system)
    for name in growth.bases:
        if name in system.points:
            point = system.points[name]
            assert point.position is not None
            number = parts.tree.add_base(point.position)
        else:
            body = system.bodies[name]
            number = parts.tree.add_base(body.start_position, np.array(rotation_matrix(body.start_angles_deg)))
        firsts = []
        for part in (f"{name}.position", f"{name}.rotation"):
            if part in commands:
                firsts.append(len(parts.controls))
                parts.inputs[part] = slice(firsts[-1], firsts[-1] + 3)
                parts.controls += controls_of(commands[part], parts.samples)
        if firsts:
            angles = firsts[1] if len(firsts) > 1 else -1
            parts.moved.append({"base": -1 - number, "position": firsts[0], "angles": angles})
        parts.owners[name] = Owner(number, np.zeros(3))
