"""Marine growth along cables: every element has the growth of the depth it lies at."""

from __future__ import annotations

from fairlead.model import System
from fairlead.shape.layout import Geometry

DIGITS = 3
"""Of thickness and density: elements that are alike in these share a type."""


def with_growth(system: System, geometry: Geometry) -> System:
    """The system whose elements have grown as their depth in `geometry` says; itself where nothing grows.

    Cables on winches stay clean: what is paid out comes off the drum.
    """
    if not any(kind.growth for kind in system.types.values()):
        return system
    types, grown = dict(system.types), {}
    labels: dict[tuple[str, float, float], str] = {}
    for name, cable in system.cables.items():
        if cable.winch is not None:
            continue
        nodes, names = geometry.cables[name].nodes, []
        for i, segment in enumerate(cable.segments()):
            kind = system.types[segment.type_name]
            thickness, density = kind.growth_at(0.5 * (float(nodes[i, 2]) + float(nodes[i + 1, 2])))
            thickness, density = (float(f"{value:.{DIGITS}g}") for value in (thickness, density))
            cover = (segment.type_name, thickness, density)
            if thickness > 0.0 and cover not in labels:
                labels[cover] = f"{segment.type_name[:48]}-growth-{len(labels) + 1}"
                types[labels[cover]] = kind.grown(thickness, density)
            names.append(labels.get(cover, segment.type_name))
        grown[name] = tuple(names)
    return system.with_element_types(types, grown)
