"""Where the points of a system start: given positions, attachments of bodies, rings on their cables, loose ends hung
out, the rest from the network at rest."""

import numpy as np
from numpy.typing import NDArray

from fairlead.model import Point, System
from fairlead.shape.chain import UPWARD
from fairlead.shape.immersed import hang_in_sea
from fairlead.shape.network import Body, Member, settle_points
from fairlead.shape.plane import Plane
from fairlead.shape.rest import Leg
from fairlead.shape.rings import ring_order, slider_at, slider_position
from fairlead.shape.weight import CableWeight, point_weight

Floats = NDArray[np.float64]
ROUNDS = 8  # how often rings and the points that hang on them are placed anew
SETTLED = 1e-9  # movement of a ring between rounds that counts as none [m]


def place_points(system: System, members: dict[str, Member], seabed: Plane | None) -> dict[str, Floats]:
    """Position (3,) [m] of every point of the system and of every attachment `body.name`; `members` are its cables.

    A ring is put on the bars of its cable once the ends of that cable are known. A point that is placed by cables from
    a ring, and carries the ring's cable itself, is placed again until both agree.
    """
    attached = {
        f"{name}.{attachment}": np.array(body.place(offset), dtype=float)
        for name, body in system.bodies.items()
        for attachment, offset in body.attachments.items()
    }
    rings = ring_order(system)
    plain = [member for member in members.values() if member.start not in rings and member.end not in rings]
    known = _place(system, plain, attached, seabed)
    places = _on_cables(system, rings, known, members, seabed)
    for _ in range(ROUNDS if rings else 0):
        before = places
        known = _place(system, list(members.values()), {**attached, **before}, seabed)
        places = _on_cables(system, rings, known, members, seabed)
        if max(float(np.linalg.norm(places[name] - before[name])) for name in rings) < SETTLED:
            break
    known.update(places)
    return {name: known[name] for name in (*system.points, *attached)}


def _on_cables(
    system: System, rings: list[str], known: dict[str, Floats], members: dict[str, Member], seabed: Plane | None
) -> dict[str, Floats]:
    """Where the rings are, each on its cable laid out between its ends."""
    known, places = dict(known), {}
    for name in rings:
        point = system.points[name]
        assert point.kind == "sliding"
        host = members[point.cable]
        nodes = hang_in_sea(known[host.start], known[host.end], host.cable, seabed).nodes
        places[name] = slider_position(nodes, host.cable.lengths, slider_at(host.cable.lengths, point.at))
        known[name] = places[name]
    return places


def _place(system: System, members: list[Member], given: dict[str, Floats], seabed: Plane | None) -> dict[str, Floats]:
    """Position (3,) [m] of every point but the rings, which are among the `given` places once they are known."""
    known = {name: place for name, point in system.points.items() if (place := start_position(point)) is not None}
    known.update(given)
    joined = {end for member in members for end in (member.start, member.end)}
    unplaced = [name for name, point in system.points.items() if name not in known and point.kind != "sliding"]
    bodies = {name: _body(system, name) for name in unplaced if name in joined}
    known.update({name: np.zeros(3) for name in unplaced if name not in joined})
    known.update(_footholds(known, members))
    downstream = _downstream(system)
    loose = {
        name: (member, body)
        for name, body in bodies.items()
        if (member := _only_member(name, body, members)) is not None
    }
    _hang_out(loose, known, seabed, downstream)
    unknown = {name: body for name, body in bodies.items() if name not in known}
    if unknown:
        touching = [member for member in members if member.start in unknown or member.end in unknown]
        settled = settle_points(known, unknown, touching, seabed)
        known.update({name: settled[name] for name in unknown if name not in loose})
        _hang_out(loose, known, seabed, downstream)
        known = {**settled, **known}
    return known


def start_position(point: Point) -> Floats | None:
    """Where a point is at t = 0 (3,) [m], the motion of a controlled one included; None where it has no position.

    A hybrid point starts at its position, from which it is driven toward the commanded one."""
    if point.position is None:
        return None
    place = np.array(point.position, dtype=float)
    motion = point.motion if point.kind == "controlled" else None
    return place if motion is None else place + motion.at_start


def stretched_out(start: Floats, lengths: Floats, plane: Plane | None, along: Floats) -> Floats:
    """Where a chain (lengths (n,) [m], from `start` (3,)) ends that goes straight down, or up, to the plane and then
    lies on it in the horizontal direction `along` (3,). Without a plane it hangs down."""
    total = float(lengths.sum())
    height = total if plane is None else float(plane.height(start))
    side = 1.0 if height >= 0.0 else -1.0
    reach = np.cumsum(lengths)
    if plane is None or total <= abs(height):
        return start - side * total * UPWARD
    count = int(np.searchsorted(reach, abs(height), side="right"))
    upright = float(reach[count - 1]) if count else 0.0
    drop = (abs(height) - upright) * float(plane.normal[2])
    foot = float(np.sqrt(lengths[count] ** 2 - drop**2))
    laid = foot + total - float(reach[count])
    return start - side * upright * UPWARD - side * drop * plane.normal + laid * plane.along(along)


def _body(system: System, name: str) -> Body:
    """Weight and force of the loads at t = 0 of a point to be placed."""
    force = np.zeros(3)
    for load in system.loads:
        if load.point == name:
            factor = 1.0 if load.table is None else float(np.interp(0.0, *np.array(load.table).T))
            force += factor * np.array(load.force)
    return Body(*point_weight(system, name), force)


def _footholds(known: dict[str, Floats], members: list[Member]) -> dict[str, Floats]:
    """A part of the system in which no point has a position starts with one of its points at the origin."""
    neighbours: dict[str, set[str]] = {}
    for member in members:
        neighbours.setdefault(member.start, set()).add(member.end)
        neighbours.setdefault(member.end, set()).add(member.start)
    seen: set[str] = set()
    footholds = {}
    for name in neighbours:
        if name in seen:
            continue
        part, front = {name}, [name]
        while front:
            fresh = neighbours[front.pop()] - part
            part |= fresh
            front += fresh
        seen |= part
        if not part & set(known):
            footholds[name] = np.zeros(3)
    return footholds


def _downstream(system: System) -> Floats:
    """Horizontal unit vector (3,) in which loose ends are laid out: with the current, else north."""
    table, field = system.environment.current_table, system.environment.current_field
    flow = np.array([velocity for _, velocity in table]).reshape(-1, 3).sum(axis=0)
    if field is not None:
        flow = flow + len(table) * np.array(field.mean)
    speed = float(np.hypot(flow[0], flow[1]))
    return np.array([flow[0] / speed, flow[1] / speed, 0.0]) if speed > 1e-9 else np.array([1.0, 0.0, 0.0])


def _only_member(name: str, body: Body, members: list[Member]) -> Member | None:
    """The one cable of a loose end, which goes straight up or down; None for a point that others pull as well."""
    ends = [member for member in members for end in (member.start, member.end) if end == name]
    if len(ends) != 1 or body.force.any():
        return None
    cable = ends[0].cable
    straight = (cable.sinks and body.wet >= 0.0) or (cable.floats and body.wet <= 0.0)
    return ends[0] if straight else None


def _hang_out(
    loose: dict[str, tuple[Member, Body]], known: dict[str, Floats], seabed: Plane | None, downstream: Floats
) -> None:
    """Place the loose ends whose other end is known."""
    for name, (member, body) in loose.items():
        other = member.end if member.start == name else member.start
        if name not in known and other in known:
            order = slice(None) if member.end == name else slice(None, None, -1)
            plane = _resting_plane(member.cable, seabed)
            lengths = _under_weight(known[other], member.cable, order, body, plane)
            known[name] = stretched_out(known[other], lengths, plane, downstream)


def _under_weight(start: Floats, cable: CableWeight, order: slice, body: Body, plane: Plane | None) -> Floats:
    """Lengths (n,) [m] of the elements of a loose cable from `start` on, stretched by what hangs from each of them:
    all that follows down to its end, or to the plane where it lies."""
    lengths = cable.lengths[order]
    height = float(lengths.sum()) if plane is None else float(plane.height(start))
    side = 1.0 if height >= 0.0 else -1.0
    nodes = start - np.concatenate(([0.0], np.cumsum(lengths)))[:, None] * side * UPWARD
    weights, extra = (side * values[order] for values in cable.at(nodes[order]))
    passed = np.cumsum(weights) - 0.5 * weights + np.cumsum(extra[:-1]) - extra[0]
    if abs(height) < lengths.sum():
        return Leg(lengths, 1.0 / cable.stiffness_laid[order], passed, abs(height), 1.0, 0.0, False).upright()[2]
    end = body.wet if nodes[-1, 2] <= 0.0 else body.dry
    tensions = weights.sum() + extra[1:].sum() + side * end - passed
    return np.asarray(lengths * (1.0 + np.maximum(tensions, 0.0) / cable.stiffness_laid[order]))


def _resting_plane(cable: CableWeight, seabed: Plane | None) -> Plane | None:
    if cable.floats:
        return Plane(cable.floating_level)
    return None if seabed is None else seabed.above(cable.contact_radius)
