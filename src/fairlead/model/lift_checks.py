"""What goes wrong with lifts: a crane tip in the ground, a payload that will not sink."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairlead.model.places import Place, find_place
from fairlead.model.problems import Mistake, Problem
from fairlead.words import number

if TYPE_CHECKING:
    from fairlead.model.cables import Cable
    from fairlead.model.system import System


def lift_checks(system: System) -> Iterator[Mistake]:
    """Winches that stand below the seabed."""
    bed = system.environment.seabed if system.environment is not None else None
    if bed is None or bed.depth is None:
        return
    for name, cable in (system.cables or {}).items():
        winch = cable.winch
        end = None if winch is None or winch.end is None else cable.start if winch.end == "start" else cable.end
        place = None if end is None or end.point is None else find_place(system, end.point)
        if end is None or place is None or place.position is None:
            continue
        level = bed.level(*place.position[:2])
        if place.position[2] < level:
            message = (
                f"the winch at '{end.point}' is {number(level - place.position[2], 3)} m below the seabed, which is at "
                f"z = {level:.6g} m there"
            )
            owner = f"the body '{place.owner_name}'" if place.on_body else f"the point '{place.owner_name}'"
            yield Mistake(("cables", name, "winch", "end"), message, f"raise {owner}, or make the water deeper")


def floating_payloads(system: System) -> Iterator[Problem]:
    """Payloads on a wire from above that are lighter than the water they displace: they float on a slack wire."""
    water = system.environment.water_density
    for name, cable in system.cables.items():
        for near, far in ((cable.start.point, cable.end.point), (cable.end.point, cable.start.point)):
            above, below = system.place(near), system.place(far)
            if above.is_free or not _hangs(system, cable, above, below):
                continue
            payload = below.owner
            mass, displaced = getattr(payload, "mass", 0.0), water * (getattr(payload, "volume", 0.0) or 0.0)
            if mass >= displaced or getattr(payload, "floating", False):
                continue
            section = "bodies" if below.on_body else "points"
            message = (
                f"is lighter than water and will not sink on '{name}': {number(mass)} kg < {number(displaced)} kg = "
                f"{number(water)} kg/m^3 * {number(payload.volume)} m^3"  # type: ignore[union-attr,arg-type]
            )
            more = number(displaced - mass, 3)
            hint = f"add more than {more} kg of ballast, check its volume, or say 'floating: true'"
            yield system.problem(f"{section}.{below.owner_name}", message, hint)


def _hangs(system: System, cable: Cable, above: Place, below: Place) -> bool:
    """Whether something free hangs from above by this cable alone: no other cable and no joint holds it."""
    if not below.is_free or above.position is None or below.position is None:
        return False
    name = below.owner_name
    ends = [end.point.partition(".")[0] for other in system.cables.values() for end in (other.start, other.end)]
    joined = [place.partition(".")[0] for joint in system.joints.values() for place in (joint.parent, joint.child)]
    return above.position[2] > below.position[2] and ends.count(name) == 1 and name not in joined
