"""Bodies that float at the surface: do they right themselves, and by how much."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairlead.model.bodies import Derived, FreeBody
from fairlead.model.problems import Mistake, Problem
from fairlead.words import number

if TYPE_CHECKING:
    from fairlead.model.system import System


def metacentric_radii(body: FreeBody, density: float) -> tuple[float, float]:
    """BM of a body with a metacentric height, in roll and pitch, m: GM less the height of B above G.

    It floats by itself at the draught of a wall-sided body of its volume and height, B half that draught above its
    underside.
    """
    assert body.metacentric_height is not None
    buoyancy = height_of_buoyancy(body, density)
    roll, pitch = (gm - buoyancy for gm in body.metacentric_height)
    return roll, pitch


def height_of_buoyancy(body: FreeBody, density: float) -> float:
    """Height of the middle of its wet part above its centre of mass where a wall-sided body floats by itself, m."""
    wet = body.mass / (density * body.volume)
    return body.centre_of_buoyancy[2] - 0.5 * body.height * (1.0 - wet)


def put_on_water(system: System) -> None:
    """Give bodies with a waterplane the metacentric heights that follow: GM = KB + I/V - KG, V = m/ρ.

    Without water nothing rights them, and nothing follows.
    """
    density = system.environment.water_density
    for name, body in system.bodies.items():
        if isinstance(body, FreeBody) and body.waterplane is not None and density > 0.0:
            buoyancy = height_of_buoyancy(body, density)
            radii = (density * second / body.mass for second in body.waterplane.second_moment)
            floating = body.model_copy()
            floating.__dict__["metacentric_height"] = Derived(radius + buoyancy for radius in radii)
            system.bodies[name] = floating


def block_of(body: FreeBody, density: float) -> tuple[float, float]:
    """Length and width of the wall-sided block with the volume, the height and the metacentres of a body, m.

    Its waterplane has the area A = V/H and the second moments BM m/ρ; where these are not those of a rectangle of that
    area, it is one of the right radii of gyration, evenly filled.
    """
    area, displaced = body.volume / body.height, body.mass / density
    roll, pitch = metacentric_radii(body, density)
    return math.sqrt(12.0 * pitch * displaced / area), math.sqrt(12.0 * roll * displaced / area)


def metacentre_checks(system: System) -> Iterator[Mistake]:
    """Metacentric heights of bodies that do not float, or that no waterplane gives."""
    density = system.environment.water_density if system.environment is not None else None
    for name, body in (system.bodies or {}).items():
        if not isinstance(body, FreeBody) or not density or body.metacentric_height is None:
            continue
        if None in (body.mass, body.volume, body.height, body.centre_of_buoyancy):
            continue
        where = ("bodies", name, "metacentric_height")
        if body.mass >= density * body.volume:
            message = (
                f"the body does not float by itself: its {number(body.mass, 6)} kg are not less than the "
                f"{number(density * body.volume, 6)} kg of water it displaces"
            )
            yield Mistake(where, message, "remove it, or check 'mass' and 'volume'")
            continue
        radii = metacentric_radii(body, density)
        for value, radius, freedom in zip(body.metacentric_height, radii, ("roll", "pitch"), strict=True):
            if not radius > 0.0:
                message = (
                    f"{value:g} m in {freedom} is less than any waterplane gives: the middle of its wet part alone is "
                    f"{value - radius:.4g} m above its centre of mass"
                )
                yield Mistake(where, message, f"use more than {value - radius:.4g} m, or check 'centre_of_buoyancy'")


def never_righted(system: System) -> Iterator[Problem]:
    """Bodies that float in the surface and that nothing rights."""
    density = system.environment.water_density
    joined = {place.partition(".")[0] for joint in system.joints.values() for place in (joint.parent, joint.child)}
    hulls = system.hydro.hulls if system.hydro is not None else {}
    for name, body in system.bodies.items():
        if not isinstance(body, FreeBody) or name in joined or name in hulls:
            continue
        has_shape = body.shape is not None or body.metacentric_height is not None
        top = body.place(body.centre_of_buoyancy)[2] + 0.5 * body.height
        if has_shape or body.mass >= density * body.volume or top < 0.0 or body.centre_of_buoyancy[2] > 0.0:
            continue
        message = (
            f"floats, but nothing rights it: its buoyancy always acts {-body.centre_of_buoyancy[2]:.3g} m below its "
            "centre of mass"
            if body.centre_of_buoyancy[2] < 0.0
            else "floats, but nothing rights it: its buoyancy always acts at its centre of mass"
        )
        hint = (
            "give its 'shape' (box, cylinder or sphere), its 'waterplane', its 'metacentric_height: [roll, pitch]', or "
            "a 'centre_of_buoyancy' above its centre of mass"
        )
        yield system.problem(f"bodies.{name}", message, hint)
