"""Bend stiffeners: a tapered sleeve over the end of a cable, written out as short sections of stiffer types.

A sleeve of outer diameter D(s), from the root at the clamp to the tip, adds E π (D⁴ − d⁴)/64 to the bending stiffness
of the cable of diameter d, and its own mass and volume. It does not stretch with the cable: the axial stiffness stays.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from fairlead.model.cables import Cable, End, Section
from fairlead.model.problems import Mistake

if TYPE_CHECKING:
    from fairlead.model.cable_types import CableType
    from fairlead.model.cables import Stiffener
    from fairlead.model.system import System


def tapered(kind: CableType, stiffener: Stiffener, at: float) -> CableType:
    """The type of a cable inside a stiffener, at a share of its length from the root."""
    tip = kind.diameter if stiffener.tip_diameter is None else stiffener.tip_diameter
    outer = stiffener.root_diameter + at * (tip - stiffener.root_diameter)
    sleeve = math.pi / 4 * (outer**2 - kind.diameter**2)
    bending = stiffener.youngs_modulus * math.pi / 64 * (outer**4 - kind.diameter**4)
    update: dict[str, Any] = {
        "diameter": outer,
        "mass_per_length": kind.mass_per_metre + stiffener.density * sleeve,
        "density": None,
        "bending_stiffness": kind.ei + bending,
    }
    if kind.youngs_modulus is not None:
        update |= {"youngs_modulus": None, "axial_stiffness": kind.ea}
    return kind.model_copy(update=update)


def put_stiffeners(system: System) -> list[Mistake]:
    """Write the stiffeners at the ends of all cables out as sections and types; mistakes where that cannot be."""
    mistakes: list[Mistake] = []
    for name, cable in list(system.cables.items()):
        for side in ("start", "end"):
            end: End = getattr(cable, side)
            if end.stiffener is None:
                continue
            where = ("cables", name, side, "stiffener")
            found = _written_out(system, cable, side, end.stiffener, where)
            if isinstance(found, Mistake):
                mistakes.append(found)
                continue
            cable = found
            system.cables[name] = cable
    return mistakes


def _written_out(
    system: System, cable: Cable, side: str, stiffener: Stiffener, where: tuple[str, ...]
) -> Cable | Mistake:
    stretches = list(cable.stretches)
    last = stretches[0 if side == "start" else -1]
    kind = system.types.get(last.type)
    if cable.winch is not None:
        return Mistake(where, "cannot stand on a cable with a winch", "leave one of them out")
    if kind is None or last.length is None or last.elements is None:
        return Mistake(where, "needs a cable with 'length' and 'elements' there", "give these in place of each element")
    if not stiffener.length < last.length:
        message = f"is longer than the cable or section it is on: {stiffener.length:g} m, {last.length:g} m"
        return Mistake((*where, "length"), message, "make it shorter")
    tip = stiffener.root_diameter if stiffener.tip_diameter is None else stiffener.tip_diameter
    if min(stiffener.root_diameter, tip) < kind.diameter:
        message = f"is thinner than the cable, {kind.diameter:g} m"
        return Mistake((*where, "root_diameter"), message, "give the outer diameters of the sleeve")
    count, piece = stiffener.elements, stiffener.length / stiffener.elements
    sleeve = []
    for k in range(count):
        type_name = _type_name(system, tapered(kind, stiffener, (k + 0.5) / count), last.type, k)
        sleeve.append(Section(type=type_name, length=piece, elements=1))
    left = last.length - stiffener.length
    rest = Section(type=last.type, length=left, elements=max(1, round(last.elements * left / last.length)))
    if side == "start":
        stretches[:1] = [*sleeve, rest]
    else:
        stretches[-1:] = [rest, *reversed(sleeve)]
    bare = getattr(cable, side).model_copy(update={"stiffener": None})
    update = {"type": None, "length": None, "elements": None, "element_lengths": None}
    return cable.model_copy(update={**update, "sections": tuple(stretches), side: bare})


def _type_name(system: System, kind: CableType, base: str, k: int) -> str:
    """Name of a type of the system that is equal to this one; a new one where there is none yet."""
    for number in range(1, 10_000):
        name = f"{base[:40]}-stiffener-{number}-{k + 1}"
        if name not in system.types:
            system.types[name] = kind
        if system.types[name] == kind:
            return name
    raise ValueError("too many stiffeners")
