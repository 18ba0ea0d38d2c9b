"""A rough guess of how a cable hangs, good enough for warnings. The exact first geometry is `fairlead.shape`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairlead.model.cables import Cable

if TYPE_CHECKING:
    from fairlead.model.system import System


@dataclass(frozen=True)
class Hanging:
    """The guess: chord (m), smallest radius of curvature (m) and tensions (N) where they can be told."""

    chord: float
    radius: float | None = None
    tension_start: float | None = None
    tension_end: float | None = None

    def tension(self, end: str) -> float | None:
        """Tension at `start` or `end`, N."""
        return self.tension_start if end == "start" else self.tension_end


def hanging(system: System, cable: Cable) -> Hanging | None:
    """The cable as a catenary of its mean weight between the positions of its points; None where one is not known.

    Only the chord is given for a cable that is taut, carries attachments, weighs nothing or reaches the seabed.
    """
    start, end = system.place(cable.start.point).position, system.place(cable.end.point).position
    if start is None or end is None:
        return None
    chord, length = math.dist(start, end), cable.total_length
    rise = end[2] - start[2]
    span = math.hypot(end[0] - start[0], end[1] - start[1])
    lengths = [part.total_length for part in cable.stretches]
    kinds = [system.types[name] for name in cable.type_names]
    sea = system.environment
    weight = math.fsum(kind.weight_in_water(sea) * part for kind, part in zip(kinds, lengths, strict=True)) / length
    if cable.attachments or weight == 0 or not length > chord * (1 + 1e-6):
        return Hanging(chord)
    parameter = catenary_parameter(span, rise, length)
    # Heights of the ends above the vertex of the catenary (below it, for a cable that floats).
    drop = rise if weight > 0 else -rise
    shift = parameter * math.atanh(drop / length)
    above_start = parameter * (math.cosh((span / 2 - shift) / parameter) - 1) if parameter > 0 else (length - drop) / 2
    above_end = above_start + drop
    if weight > 0 and sea.seabed is not None and parameter >= 0:
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        if span / 2 > abs(shift) and start[2] - above_start < sea.seabed.level(*middle):
            return Hanging(chord)
    stiffest = max(kind.ei for kind in kinds)
    bend = (stiffest / abs(weight)) ** (1 / 3)
    pull = abs(weight)
    return Hanging(chord, max(parameter, bend), pull * (parameter + above_start), pull * (parameter + above_end))


def catenary_parameter(span: float, rise: float, length: float) -> float:
    """H / w (m) of an inextensible catenary: root a of sqrt(length^2 - rise^2) = 2 a sinh(span / 2a); 0 if it folds."""
    if span <= 1e-9 * length:
        return 0.0
    ratio = math.sqrt(max(length**2 - rise**2, span**2)) / span
    low, high = 0.0, 1.0
    while math.sinh(high) / high < ratio and high < 500:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        if middle > 0 and math.sinh(middle) / middle > ratio:
            high = middle
        else:
            low = middle
    return span / (2 * high)
