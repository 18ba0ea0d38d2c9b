"""What a tree may hang from: fixed and controlled points, and bodies with a prescribed motion."""

from __future__ import annotations

import numpy as np

from fairlead.loads.commands import commands_of
from fairlead.model import System
from fairlead.model.bodies import rotation_matrix

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
        own = [commands[part] for part in (f"{name}.position", f"{name}.rotation") if part in commands]
        if own:
            first = len(parts.commands)
            parts.rows.moved.append({"base": number, "position": first, "angles": first + 1 if len(own) > 1 else -1})
            parts.commands += own
        parts.owners[name] = Owner(number, np.zeros(3))
