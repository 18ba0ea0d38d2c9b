"""Free points of formulations whose cables are each on their own."""

from __future__ import annotations

from fairlead.model import System
from fairlead.model.needs import UnsupportedSystem
from fairlead.model.points import FreePoint


def refuse_junctions(system: System, formulation: str) -> dict[str, str]:
    """Raise for cables that are joined in a free point, and for free points without a cable; else the cable of each."""
    ends: dict[str, str] = {}
    for name, cable in system.cables.items():
        for side, end in (("start", cable.start), ("end", cable.end)):
            if not isinstance(system.points.get(end.point), FreePoint):
                continue
            if end.point in ends:
                raise UnsupportedSystem(
                    f"cables.{name}.{side}: the formulation '{formulation}' cannot join cables in the free point "
                    f"'{end.point}' (it is also an end of '{ends[end.point]}'); make them sections of one cable, or "
                    "use formulation: bars"
                )
            ends[end.point] = name
    for name, point in system.points.items():
        if isinstance(point, FreePoint) and name not in ends:
            raise UnsupportedSystem(
                f"points.{name}: a free point without a cable; the formulation '{formulation}' has none"
            )
    return ends
