"""A system as a small table: what it is made of, how it will be run, and what looks wrong in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairlead.model.physical import warnings
from fairlead.results.shown import Shown
from fairlead.words import number

if TYPE_CHECKING:
    from fairlead.model.system import System


def shown(system: System) -> Shown:
    """The cables of a system, each with its type, length and ends."""
    rows = [["cable", "type", "length", "elements", "start", "end"]]
    for name, cable in system.cables.items():
        sections = cable.stretches
        kinds = ", ".join(dict.fromkeys(section.type for section in sections))
        length = f"{number(sum(section.total_length for section in sections), 6)} m"
        rows.append([name, kinds, length, str(cable.element_count), cable.start.point, cable.end.point])
    settings = system.simulation
    counts = ((len(system.points), "point", "points"), (len(system.bodies), "body", "bodies"))
    facts = [f"formulation {settings.formulation}", f"{number(settings.duration, 6)} s in steps of {settings.step:g} s"]
    facts += [f"{count} {one if count == 1 else many}" for count, one, many in counts if count]
    if system.environment.seabed is not None:
        facts.append(f"depth {number(system.environment.seabed.depth, 6)} m")
    return Shown(system.title or "A system of cables", ", ".join(facts), rows, [str(w) for w in warnings(system)])
