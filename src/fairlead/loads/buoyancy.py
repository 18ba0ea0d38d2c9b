"""How much of something is under water."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel


@kernel
def submergence(z, height):
    """Submerged fraction σ of a body whose middle is z above the surface and which is `height` tall.

    σ = clamp(½ − z/height, 0, 1), the form of paper 'Lumped, constrained cable modeling' Eq. 25 with an absolute,
    never vanishing height, so that a level bar is neither 0/0 nor upside down.
    """
    s = 0.5 - z / height
    if s <= 0.0:
        return 0.0
    if s >= 1.0:
        return 1.0
    return s
