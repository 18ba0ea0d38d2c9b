"""Places that cables and loads are joined to: points, bodies and attachments of bodies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairlead.model.bodies import Vector
from fairlead.model.body_kinds import Body
from fairlead.model.points import Point

if TYPE_CHECKING:
    from fairlead.model.system import System


@dataclass(frozen=True)
class Place:
    """What a name such as `A`, `vessel` or `vessel.tip` stands for.

    owner: the point or body; owner_name: its name; attachment: the name after the dot, or None; offset: (3,) from the
    origin of a body in its own frame, m, zero for a point; position: (3,) at t = 0, motion included, m, None where it
    is not given.
    """

    owner: Point | Body
    owner_name: str
    on_body: bool
    attachment: str | None
    offset: Vector
    position: Vector | None

    @property
    def is_free(self) -> bool:
        """Whether it goes where the forces take it."""
        return self.owner.is_free


def find_place(system: System, name: str) -> Place | None:
    """The place of that name; None where there is none (or, in a system with mistakes, where it is not understood)."""
    owner_name, dot, attachment = name.partition(".")
    point = (system.points or {}).get(owner_name)
    if point is not None and not dot:
        return Place(point, owner_name, False, None, (0.0, 0.0, 0.0), _point_start(point))
    body = (system.bodies or {}).get(owner_name)
    if body is None:
        return None
    offset = (body.attachments or {}).get(attachment) if dot else (0.0, 0.0, 0.0)
    if offset is None:
        return None
    known = body.understood
    if dot and known:
        offset = body.lever(offset)
    return Place(body, owner_name, True, attachment if dot else None, offset, body.place(offset) if known else None)


def end_names(system: System) -> Iterator[str]:
    """Every name a cable end may be joined to."""
    yield from system.points or ()
    for name, body in (system.bodies or {}).items():
        yield from (f"{name}.{attachment}" for attachment in getattr(body, "attachments", None) or ())


def _point_start(point: Point) -> Vector | None:
    if point.position is None or point.kind != "controlled" or point.motion is None:
        return point.position
    if not point.motion.understood:
        return None
    x, y, z = point.position
    dx, dy, dz = point.motion.at_start
    return x + dx, y + dy, z + dz
