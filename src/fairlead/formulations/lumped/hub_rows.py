"""Constants of free points and free bodies as `fairlead.loads.rigid_body` reads them."""

from __future__ import annotations

import numpy as np

from fairlead.loads import rigid_body as r
from fairlead.model import System
from fairlead.model.bodies import FreeBody
from fairlead.model.points import Point


def point_row(point: Point, system: System) -> np.ndarray:
    """A free or passive point: the same in all directions."""
    rho, g = system.environment.water_density, system.environment.gravity
    assert point.kind in ("free", "passive", "hybrid")
    row = np.zeros(r.BODY_COLUMNS)
    row[r.BODY_MASS] = point.mass
    row[r.BODY_ADDED : r.BODY_ADDED + 3] = point.added_mass if rho > 0 else 0.0
    row[r.BODY_LIFT], row[r.BODY_HEIGHT] = rho * g * point.volume, point.height
    row[r.BODY_SPHERE] = float(point.profile == "sphere")
    row[r.BODY_DRAG : r.BODY_DRAG + 3] = 0.5 * rho * point.drag_area
    return row


def body_row(body: FreeBody, system: System) -> np.ndarray:
    """A free body about its own axes."""
    rho, g = system.environment.water_density, system.environment.gravity
    wet = float(rho > 0)
    row = np.zeros(r.BODY_COLUMNS)
    row[r.BODY_MASS], row[r.BODY_LIFT], row[r.BODY_HEIGHT] = body.mass, rho * g * body.volume, body.height
    for at, values in (
        (r.BODY_ADDED, wet * np.array(body.added_mass)),
        (r.BODY_INERTIA, body.inertia),
        (r.BODY_INERTIA_ADDED, wet * np.array(body.added_inertia)),
        (r.BODY_CENTRE, body.centre_of_buoyancy),
        (r.BODY_DRAG, 0.5 * rho * np.array(body.drag_area)),
        (r.BODY_DRAG_MOMENT, wet * np.array(body.drag_moment)),
    ):
        row[at : at + 3] = values
    return row
