"""A system that has lost a cable."""

from __future__ import annotations

from fairlead.model import System


def without_cable(system: System, name: str) -> System:
    """The system without one of its cables and without what was there for it alone: points that nothing else is
    joined to, with their loads and inputs."""
    cables = {key: cable for key, cable in system.cables.items() if key != name}
    used = {end.point for cable in cables.values() for end in (cable.start, cable.end)}
    lost = system.cables[name]
    gone = {end.point for end in (lost.start, lost.end) if end.point in system.points and end.point not in used}
    parts = {key: getattr(system, key) for key in system.model_fields_set}
    parts |= {"cables": cables, "points": {key: point for key, point in system.points.items() if key not in gone}}
    if "loads" in parts:
        parts["loads"] = tuple(load for load in system.loads if load.point not in gone)
    if "inputs" in parts:
        parts["inputs"] = {
            key: value for key, value in system.inputs.items() if key.partition(".")[0] not in {name, *gone}
        }
    if "outputs" in parts and system.outputs.cables is not None:
        left = tuple(key for key in system.outputs.cables if key != name)
        parts["outputs"] = system.outputs.model_copy(update={"cables": left or None})
    return type(system).model_validate(parts, context={"source": system.source})
