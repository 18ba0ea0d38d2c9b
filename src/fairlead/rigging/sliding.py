"""Lines and bodies that slide over the seabed in a steady tow: friction at rest in the frame of the tow.

Everything moves with one velocity V. What presses on the bed with N along its normal n feels Coulomb's friction against
the motion along the bed, −μ N V_t/|V_t| with V_t = V − (V·n) n. No step and no stiffness of the bed is in it.
"""

from __future__ import annotations

import math

import numpy as np

from fairlead.algebra.compiled import kernel
from fairlead.algebra.records import Tables
from fairlead.algebra.small import add_scaled, dot, scale
from fairlead.algebra.turns import rotations
from fairlead.sea.water import bed_below

LEAST = 1e-12
"""Speed along the bed [m/s] below which nothing slides."""


def sliding(friction: float, tow: np.ndarray | None) -> np.ndarray:
    """μ and V (4,) for `slide_of`; zeros where nothing slides."""
    return np.zeros(4) if tow is None or friction <= 0.0 else np.array([friction, *tow])


@kernel
def slide_of(slide, push, n):
    """Friction (3) on what the bed pushes with a force `push` ≥ 0 along its normal n."""
    velocity = (slide[1], slide[2], slide[3])
    along = add_scaled(velocity, -dot(velocity, n), n)
    speed = math.sqrt(dot(along, along))
    return scale(-slide[0] * push / speed if speed > LEAST else 0.0, along)


@kernel
def slide_along(slide, push):
    """Friction (3) on what a smooth bed pushes with a force (3)."""
    size = math.sqrt(dot(push, push))
    if size == 0.0 or slide[0] == 0.0:
        return (0.0, 0.0, 0.0)
    return slide_of(slide, size, scale(1.0 / size, push))


def dragged(
    slide: np.ndarray, places: np.ndarray, presses: np.ndarray, shear: np.ndarray, sea: np.ndarray
) -> np.ndarray:
    """Where friction is anchored under sliding points (n, 3) that press on the bed with forces (n,): behind each by as
    far as its shear spring [N/m] (n,) bears, so that it slides on from the first step."""
    normals = np.asarray(bed_below(places, sea)[1])
    along = slide[1:] - (normals @ slide[1:])[:, None] * normals
    speed = np.linalg.norm(along, axis=1)
    reach = slide[0] * presses / np.where(shear > 0.0, shear, np.inf)
    return np.asarray(places - (reach / np.maximum(speed, LEAST))[:, None] * along)


def drag_feet(tables: Tables, slide: np.ndarray) -> None:
    """Let the feet of all hubs that stand on the bed slide on from the first step."""
    hubs, state = tables.hub, tables.hub_state
    turns = rotations(state.turn)
    for h in range(tables.standing_hubs):
        for k in range(int(hubs.feet[h])):
            reach = hubs.foot_reach[h]
            lever = (-reach if k in (1, 2) else reach, -reach if k >= 2 else reach, hubs.foot_level[h])
            place = (state.position[h] + turns[h] @ np.array(lever))[None]
            height, normal = bed_below(place, tables.reals)
            gap = normal[..., 2] * (place[..., 2] - height) - hubs.foot_radius[h]
            press = np.asarray(hubs.foot_stiffness[h] * np.maximum(0.0, -gap)).reshape(1)
            shear = np.array([hubs.foot_shear[h]])
            tables.standing.feet[h, 4 * k : 4 * k + 3] = dragged(slide, place, press, shear, tables.reals)[0]
            tables.standing.feet[h, 4 * k + 3] = press[0]
