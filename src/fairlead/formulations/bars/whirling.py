"""Systems whose energy the step of bars does not keep: set turning, held nowhere, without water and without damping."""

from __future__ import annotations

import numpy as np

from fairlead.model import System
from fairlead.model.physical import adrift
from fairlead.rigging.first_velocity import FirstVelocities

STILL = 1e-6
"""rad/s: cables that turn more slowly are not set turning."""


def whirling(system: System) -> tuple[str, float] | None:
    """The first cable of such a part of a system and how fast its cables are set turning [rad/s]; None without one."""
    if system.environment.water_density > 0:
        return None
    first = FirstVelocities(system)
    for names in adrift(system):
        cables = [system.cables[name] for name in names]
        kinds = {part.type_name for cable in cables for part in cable.segments(system)}
        damped = any(system.types[kind].damping_axial(1.0) > 0 for kind in kinds)
        if sum(cable.element_count for cable in cables) == 1 or damped:
            continue
        rates = [
            float(np.linalg.norm(first.of(cable.end.point) - first.of(cable.start.point))) / cable.total_length
            for cable in cables
        ]
        if max(rates) > STILL:
            return names[0], max(rates)
    return None


def whirling_note(system: System, h: float) -> str | None:
    """What to tell before such a system is run with steps of h; None where there is nothing to tell."""
    found = whirling(system)
    if found is None:
        return None
    name, rate = found
    return (
        f"simulation.formulation: cables.{name} turns at about {rate:.2g} rad/s, held nowhere, without water and "
        f"damping: bars does not keep the energy of such a system (here {rate * h:.2g} rad a step; a loop of four "
        "cables lost 5 % in 20 s at 0.003 and 16 % at 0.03); use formulation: lumped"
    )
