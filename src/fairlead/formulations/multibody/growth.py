"""Which way a system grows into trees: from what is held or moved, outward over cables and joints."""

from __future__ import annotations

from dataclasses import dataclass

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import System
from fairlead.model.places import Place


@dataclass(frozen=True)
class Link:
    """A cable or joint between two places; `near` is the one nearer to the base once the tree has grown."""

    section: str
    """`cables` or `joints`."""
    name: str
    near: Place
    far: Place
    reversed: bool
    """Whether near is the end of the cable, or the child of the joint."""


@dataclass(frozen=True)
class Growth:
    """The trees of a system: names of what is held or moved, of free roots, and the links in the order of growth."""

    bases: tuple[str, ...]
    roots: tuple[str, ...]
    links: tuple[Link, ...]


def grow(system: System) -> Growth:
    """Grow the trees of a system, or say which link closes a loop, or which point would fall through the seabed."""
    waiting = [_link(system, "cables", n, cable.start.point, cable.end.point) for n, cable in system.cables.items()]
    waiting += [
        _link(system, "joints", n, joint.parent, joint.child)
        for n, joint in system.joints.items()
        if joint.kind != "free"  # its child is a root of its own
    ]
    bases = tuple(name for name in (*system.points, *system.bodies) if not system.place(name).is_free)
    heavy = [name for name, point in system.points.items() if getattr(point, "mass", 0.0) > 0.0]
    named = dict.fromkeys((*system.bodies, *heavy, *system.points))  # bodies before points with mass before others
    free = [name for name in named if system.place(name).is_free]
    reached, links, roots = set(bases), [], []
    for link in waiting:
        if not link.near.is_free and not link.far.is_free:
            raise _loop(system, link, "both its ends are held")
    while waiting or not set(free) <= reached:
        ready = [link for link in waiting if link.near.owner_name in reached or link.far.owner_name in reached]
        if not ready:
            root = next(name for name in free if name not in reached)
            if system.environment.seabed is not None and root in system.points and root not in heavy:
                raise UnsupportedSystem(
                    f"points.{root}: the formulation 'multibody' lays the nodes beyond the first of a cable on the "
                    "seabed, and nothing holds this one up there: give it a mass, or use formulation: bars or lumped"
                )
            reached.add(root)
            roots.append(root)
            continue
        link = ready[0]
        waiting.remove(link)
        if link.near.owner_name in reached and link.far.owner_name in reached:
            raise _loop(system, link, f"'{link.far.owner_name}' hangs from something else already")
        if link.near.owner_name not in reached:
            link = Link(link.section, link.name, link.far, link.near, True)
        reached.add(link.far.owner_name)
        links.append(link)
    return Growth(bases, tuple(roots), tuple(links))


def refusal(system: System) -> str | None:
    """Why a system of parts that are all carried cannot be run: it closes a loop, or falls through the seabed."""
    try:
        grow(system)
    except UnsupportedSystem as error:
        return str(error)
    return None


def _link(system: System, section: str, name: str, first: str, second: str) -> Link:
    for place in (first, second):
        try:
            system.place(place)
        except ValueError as error:
            raise UnsupportedSystem(f"{section}.{name}: {error}") from None
    return Link(section, name, system.place(first), system.place(second), False)


def _loop(system: System, link: Link, why: str) -> UnsupportedSystem:
    what = f"{link.section}.{link.name}: the formulation 'multibody' runs trees, and this closes a loop: {why}; "
    if not system.joints:
        return UnsupportedSystem(what + "leave one end free, or use formulation: bars or lumped")
    return UnsupportedSystem(what + "leave one end free, or use formulation: lumped")
