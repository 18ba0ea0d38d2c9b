"""How much of something is under water, and what that is worth."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.lanes import where


@kernel
def submergence(z, height):
    """Submerged fraction σ of a body whose middle is z above the surface and which is `height` tall.

    σ = clamp(½ − z/height, 0, 1): Eq. 25 of 'Lumped, constrained cable modeling' with a height that never vanishes.
    """
    s = 0.5 - z / height
    return where(s <= 0.0, 0.0, where(s >= 1.0, 1.0, s))


@kernel
def bar_height(rise, diameter):
    """Height over which a bar submerges whose ends are `rise` apart in height: √(rise² + d²), smooth when level."""
    return math.sqrt(rise * rise + diameter * diameter)


@kernel
def buoyancy_energy(lift, z, height):
    """Potential of a buoyancy `lift`·σ(z): zero above the surface, −lift·z well below it [J]."""
    if z >= 0.5 * height:
        return 0.0
    if z <= -0.5 * height:
        return -lift * z
    return lift * (0.5 * height - z) ** 2 / (2.0 * height)
