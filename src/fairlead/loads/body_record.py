"""From what the file says of free points and bodies to the record that `loads.rigid_body` reads."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fairlead.algebra.recorded import blank
from fairlead.loads import rigid_body as r
from fairlead.loads.landing import FEET
from fairlead.model import System
from fairlead.model.bodies import BodyDamping, FreeBody
from fairlead.model.floating import block_of
from fairlead.model.points import FreePoint, HybridPoint, PassivePoint, SlidingPoint
from fairlead.model.slamming import Slamming
from fairlead.results.observation import Extra

FreeHub = FreePoint | PassivePoint | HybridPoint | SlidingPoint | FreeBody
"""What goes where the forces take it."""
STEEL = 7850.0
"""kg/m³: density by which a weight without a volume is given a footprint."""


def free_owner(system: System, name: str) -> FreeHub:
    """The free point or body of that name."""
    owner = system.place(name).owner
    assert isinstance(owner, FreeHub)
    return owner


def body_record(hub: FreeHub, system: System) -> np.ndarray:
    """Constants of a free point or body, (BODY_COLUMNS,)."""
    row = small_record(
        system, hub.mass, hub.volume, hub.drag_area, hub.added_mass, hub.height,
        not isinstance(hub, FreeBody) and hub.profile == "sphere",
    )  # fmt: skip
    row[r.BODY_INERTIA : r.BODY_INERTIA + 3] = hub.inertia
    put_damping(row, hub)
    if getattr(hub, "always_wet", False):
        row[r.BODY_SHAPE] = r.ALWAYS
    slamming: Slamming | None = getattr(hub, "slamming", None)
    if isinstance(hub, FreeBody):
        row[r.BODY_CENTRE : r.BODY_CENTRE + 3] = hub.centre_of_buoyancy
        put_shape(row, hub, system)
        put_windage(row, hub, system)
        if system.environment.water_density > 0:
            row[r.BODY_INERTIA_ADDED : r.BODY_INERTIA_ADDED + 3] = hub.added_inertia
            row[r.BODY_DRAG_MOMENT : r.BODY_DRAG_MOMENT + 3] = hub.drag_moment
    if slamming is not None:
        row[r.BODY_SLAM] = slamming_factor(slamming, row, system)
    if system.environment.seabed is not None and has_feet(hub):
        put_feet(row, hub, system)
    return row


def small_record(
    system: System, mass: float, volume: float, drag_area: Any, added_mass: Any, height: float, sphere: bool = False
) -> np.ndarray:
    """Constants of something that does not turn and does not touch the seabed by itself, (BODY_COLUMNS,)."""
    rho = system.environment.water_density
    row = blank(r.BODY_COLUMNS)
    row[r.BODY_MASS], row[r.BODY_DISPLACED], row[r.BODY_HEIGHT] = mass, rho * volume, height
    row[r.BODY_ADDED : r.BODY_ADDED + 3] = added_mass if rho > 0 else 0.0
    row[r.BODY_DRAG : r.BODY_DRAG + 3] = 0.5 * rho * np.asarray(drag_area)
    row[r.BODY_SHAPE] = r.SPHERE if sphere else r.EVEN
    return row


def put_shape(row: np.ndarray, body: FreeBody, system: System) -> None:
    """How the water cuts a body: by its shape, or by a wall-sided block that has its metacentric height."""
    shape = body.shape
    if shape is not None:
        row[r.BODY_SHAPE] = r.SPHERE if shape.sphere else r.CYLINDER if shape.cylinder else r.BOX
        row[r.BODY_LENGTH], row[r.BODY_WIDTH] = shape.sides[:2]
    elif body.metacentric_height is not None and system.environment.water_density > 0:
        row[r.BODY_SHAPE] = r.BOX
        row[r.BODY_LENGTH], row[r.BODY_WIDTH] = block_of(body, system.environment.water_density)


def put_damping(row: np.ndarray, hub: FreeHub) -> None:
    """How its own motion is damped: of a point that which is the same in all directions."""
    damping = getattr(hub, "damping", None)
    if isinstance(damping, BodyDamping):
        row[r.BODY_DAMPED] = 1.0
        row[r.BODY_LINEAR : r.BODY_LINEAR + 6] = damping.linear
        row[r.BODY_QUADRATIC : r.BODY_QUADRATIC + 6] = damping.quadratic


def put_windage(row: np.ndarray, body: FreeBody, system: System) -> None:
    """How the wind meets a body: one with a shape by the part of it above the water."""
    wind, windage = system.environment.wind, body.wind
    if wind is None or windage is None:
        return
    row[r.BODY_AIR] = r.WHOLE if body.shape is None else r.ABOVE
    factor = 0.5 * wind.air_density * windage.coefficient
    row[r.BODY_WINDAGE : r.BODY_WINDAGE + 3] = factor * np.asarray(windage.area)
    row[r.BODY_EFFORT : r.BODY_EFFORT + 3] = windage.centre


def slamming_factor(slamming: Slamming, row: np.ndarray, system: System) -> float:
    """½ρ C_s A [kg/m]; without a coefficient that which gives the water the momentum of the added mass: A_z / H."""
    if slamming.coefficient is None:
        return float(row[r.BODY_ADDED + 2] / row[r.BODY_HEIGHT])
    return 0.5 * system.environment.water_density * slamming.coefficient * slamming.area


def has_feet(hub: FreeHub) -> bool:
    """Whether it lands on the seabed by itself: it has a mass, and does not ride on a cable."""
    return hub.mass > 0 and not isinstance(hub, SlidingPoint)


def standing(system: System) -> list[str]:
    """Free points and bodies that may land on the seabed, in the order of the file; none where there is no bed."""
    if system.environment.seabed is None:
        return []
    owners = [*system.points.items(), *system.bodies.items()]
    return [name for name, owner in owners if isinstance(owner, FreeHub) and has_feet(owner)]


def landing_extras(system: System) -> list[Extra]:
    """What is reported of the landing of each free point and body, in the order of `landing.put_landing`."""
    extras = []
    for name in standing(system):
        extras.append(Extra(f"{name}.bed_force", "N", f"normal force of the seabed on '{name}'"))
        extras.append(Extra(f"{name}.landing_time", "s", f"time at which '{name}' first touched the seabed, -1 before"))
        extras.append(Extra(f"{name}.landing_speed", "m s-1", f"speed at which '{name}' first touched the seabed"))
    return extras


def footprint(hub: FreeHub) -> float:
    """Area of the underside, m²: as given, else volume over height, else that of a cube of steel of its mass."""
    given: float | None = getattr(hub, "footprint", None)
    if given is not None:
        return given
    return hub.volume / hub.height if hub.volume > 0 else float((hub.mass / STEEL) ** (2 / 3))


def put_feet(row: np.ndarray, hub: FreeHub, system: System) -> None:
    """How it stands on the seabed."""
    bed = system.environment.seabed
    assert bed is not None
    feet = FEET if isinstance(hub, FreeBody) else 1
    share = footprint(hub) / feet
    row[r.BODY_FEET] = feet
    if isinstance(hub, FreeBody):
        row[r.FOOT_REACH] = 0.5 * math.sqrt(footprint(hub))
        row[r.FOOT_LEVEL] = hub.centre_of_buoyancy[2] - 0.5 * hub.height
    else:
        row[r.FOOT_RADIUS] = 0.5 * hub.height
    row[r.FOOT_STIFFNESS], row[r.FOOT_DAMPING] = bed.stiffness * share, bed.damping * share
    row[r.FOOT_SHEAR] = bed.friction_stiffness * share
