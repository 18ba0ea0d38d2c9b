"""Rigid bodies in formulations where each hangs in one cable: what is asked of a system."""

from __future__ import annotations

from collections import Counter

import numpy as np

from fairlead.algebra.recorded import blank
from fairlead.loads.body_record import body_record, free_owner
from fairlead.loads.hung_body import HUNG_COLUMNS, HUNG_OFFSET
from fairlead.model import System
from fairlead.model.needs import UnsupportedSystem

CURE = "use formulation: bars or lumped"


def require_hanging(system: System) -> None:
    """Refuse bodies that are not free, or do not hang in the end of one cable by a joint that turns."""
    formulation = system.simulation.formulation
    ends = [end for cable in system.cables.values() for end in (cable.start, cable.end)]
    owners = Counter(system.place(end.point).owner_name for end in ends)
    for name, body in system.bodies.items():
        if not body.is_free:
            raise UnsupportedSystem(f"bodies.{name}: a body of the formulation '{formulation}' is free; {CURE}")
        if owners[name] != 1:
            raise UnsupportedSystem(
                f"bodies.{name}: {owners[name]} cables end at it, and a body of the formulation '{formulation}' hangs "
                f"in one; {CURE}"
            )
    for name, cable in system.cables.items():
        for side, end in (("start", cable.start), ("end", cable.end)):
            if end.joint == "clamp" and system.place(end.point).on_body:
                raise UnsupportedSystem(
                    f"cables.{name}.{side}.joint: a body of the formulation '{formulation}' turns freely in its cable; "
                    f"use joint: ball, or {CURE.removeprefix('use ')}"
                )


def hung_rows(system: System) -> np.ndarray:
    """Bodies that hang in a cable: constants and the offset of its end, (bodies, HUNG_COLUMNS)."""
    rows = blank((len(system.bodies), HUNG_COLUMNS))
    places = [system.place(end.point) for cable in system.cables.values() for end in (cable.start, cable.end)]
    for row, name in zip(rows, system.bodies, strict=True):
        row[:HUNG_OFFSET] = body_record(free_owner(system, name), system)
        row[HUNG_OFFSET:] = next(place.offset for place in places if place.owner_name == name)
    return rows
