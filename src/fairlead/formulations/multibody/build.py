"""From a `System` and its first geometry to the tables of a tree."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fairlead.algebra.quaternion import from_matrix
from fairlead.algebra.records import Tables
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.loads.body_record import free_owner
from fairlead.loads.commands import commands_of
from fairlead.model import System
from fairlead.model.bodies import rotation_matrix
from fairlead.model.places import Place
from fairlead.rigging.axial import LAWS
from fairlead.rigging.commands import command_row, first_row, motion_row, position_inputs
from fairlead.rigging.elements import attached
from fairlead.rigging.joint_frames import joint_at_start, spring_row
from fairlead.rigging.point_loads import load_rows
from fairlead.rigging.rows import Row
from fairlead.rigging.winches import add_winches, winch_rows
from fairlead.shape.layout import Geometry

from .growth import Growth, Link, grow
from .parts import Owner, Parts
from .rows import element_row, hub_row, lump_row
from .schema import (
    CABLE, CLIP, FIXED, FREE, PAPER, PRISMATIC, REVOLUTE, ROD, SCHEMA, SPHERICAL, TRANSLATION,
)  # fmt: skip
from .tree import WORLD

_JOINTS = {"revolute": REVOLUTE, "prismatic": PRISMATIC, "spherical": SPHERICAL, "fixed": FIXED}
_SLACK = {"clip": CLIP, "paper": PAPER, "rod": ROD}
LIGHT = 0.02
"""Mass of a node beside that which it carries, below which its swing across the line must not reach the load."""
REBASE_ANGLE = 1.2
"""rad: second turn of an element beyond which its frame is laid anew; at π/2 it would be singular."""


@dataclass(frozen=True)
class Built:
    """The compiled system with its state before it is folded (bodies stand in the table `old`), and names of things."""

    tables: Tables
    first_axes: np.ndarray
    inputs: dict[str, slice]
    body_names: tuple[str, ...]
    """Point or body that each body of the tree is; empty for the inner nodes of cables."""


def build(system: System, geometry: Geometry) -> Built:
    """Compile the system."""
    growth = grow(system)
    parts = Parts()
    add_bases(parts, system, growth)
    links = list(growth.links)
    for root in growth.roots:
        add_root(parts, system, geometry, root)
    while links:
        link = next(link for link in links if link.near.owner_name in parts.owners)
        links.remove(link)
        if link.section == "cables":
            add_cable(parts, system, geometry, link)
        else:
            add_joint(parts, system, geometry, link)
    return assemble(parts, system)


def add_bases(parts: Parts, system: System, growth: Growth) -> None:
    """What trees hang from: fixed and controlled points and prescribed bodies, with the commands that move them."""
    commands = commands_of(system)
    for name in growth.bases:
        if name in system.points:
            point = system.points[name]
            assert point.position is not None
            number = parts.tree.add_base(point.position)
        else:
            body = system.bodies[name]
            number = parts.tree.add_base(body.start_position, np.array(rotation_matrix(body.start_angles_deg)))
        own = [commands[part] for part in (f"{name}.position", f"{name}.rotation") if part in commands]
        if own:
            first = len(parts.commands)
            parts.rows.moved.append({"base": number, "position": first, "angles": first + 1 if len(own) > 1 else -1})
            parts.commands += own
        parts.owners[name] = Owner(number, np.zeros(3))


def add_root(parts: Parts, system: System, geometry: Geometry, name: str) -> None:
    """A body or point from which a floating tree grows."""
    if name in system.bodies:
        number = parts.tree.add(WORLD, FREE)
        pose = geometry.bodies[name]
        parts.stands(number, pose.position, pose.rotation)
        parts.water_at(number, True, hub_row(free_owner(system, name), system, np.zeros(3)))
    else:
        number = parts.tree.add(WORLD, TRANSLATION)
        parts.stands(number, geometry.points[name])
        parts.water_at(number, False, hub_row(free_owner(system, name), system, np.zeros(3)))
    parts.owners[name] = Owner(number, np.zeros(3))


def add_cable(parts: Parts, system: System, geometry: Geometry, link: Link) -> None:
    """A cable, from the end nearer to the base outward: a body for each of its nodes, the last one its far end."""
    cable = system.cables[link.name]
    order = -1 if link.reversed else 1
    segments = cable.segments(system)[::order]
    nodes = np.asarray(geometry.nodes[link.name], dtype=float)[::order]
    spare = 0
    if cable.winch is not None:
        spare = _add_winch(parts, system, link)
    near = parts.owners[link.near.owner_name]
    number, place = near.number, np.array(link.near.offset) - near.shift
    rows = [element_row(system.types[segment.type_name], segment.length, system) for segment in segments]
    body = len(parts.tree.bodies)
    parts.cables[link.name] = {
        "body": body, "count": spare + len(rows), "element": len(parts.rows.element), "reversed": link.reversed,
    }  # fmt: skip
    index = list(system.cables).index(link.name)
    for slot in range(-spare, len(rows)):
        number = parts.tree.add(number, CABLE, place, element=len(parts.rows.element), cable=index)
        place = np.zeros(3)
        parts.rows.element.append(rows[max(slot, 0)])
        parts.rows.line.append(segments[slot].length if slot >= 0 else 0.0)
        parts.stands(number, nodes[slot + 1] if slot >= 0 else nodes[0])
    parts.active[link.name] = len(rows)
    parts.first_axes[link.name] = first_axis(system, nodes, link)
    first = len(parts.tree.bases) + body + spare
    _add_attachments(parts, system, link, first, [segment.length for segment in segments])
    _hang(parts, system, geometry, link, number, nodes[-1])


def add_joint(parts: Parts, system: System, geometry: Geometry, link: Link) -> None:
    """A joint between a body in the tree and one that is not yet in it.

    Its coordinate starts at 0; that of a prismatic one with how far its two places are apart.
    """
    joint = system.joints[link.name]
    stands = joint_at_start(system, geometry, link.name)
    near, far, axis = stands.parent, stands.child, stands.axis
    if link.reversed:
        near, far, axis = far, near, -axis
    owner = parts.owners[link.near.owner_name]
    shift = np.array(link.far.offset)
    number = parts.tree.add(
        owner.number, _JOINTS[joint.kind], np.array(link.near.offset) - owner.shift, near[1].T @ far[1], far[1].T @ axis
    )
    parts.tree.joints[-1] |= spring_row(joint)
    body = system.bodies[link.far.owner_name]
    assert body.kind == "free"
    parts.stands(number, far[0] + far[1] @ shift, far[1])
    parts.starts[number] = stands.start
    parts.water_at(number, True, hub_row(body, system, -shift))
    parts.owners[link.far.owner_name] = Owner(number, shift)


def _hang(parts: Parts, system: System, geometry: Geometry, link: Link, number: int, end: np.ndarray) -> None:
    """What is at the far end of a cable: a point is its last node, a body turns freely about it."""
    name, shift = link.far.owner_name, np.array(link.far.offset)
    if not link.far.on_body:
        parts.water_at(number, False, hub_row(free_owner(system, name), system, np.zeros(3)))
        parts.owners[name] = Owner(number, np.zeros(3))
        return
    number = parts.tree.add(number, SPHERICAL)
    parts.stands(number, end, geometry.bodies[name].rotation)
    parts.water_at(number, True, hub_row(free_owner(system, name), system, -shift))
    parts.owners[name] = Owner(number, shift)


def _add_attachments(parts: Parts, system: System, link: Link, first: int, lengths: list[float]) -> None:
    """Share each clump weight and float between the two nodes beside it, by the lever rule."""
    cable = system.cables[link.name]
    if cable.attachments and cable.winch is not None:
        raise UnsupportedSystem(
            f"cables.{link.name}.attachments: the formulation 'multibody' carries none on a cable with a winch; use "
            "formulation: bars"
        )
    for i, part, item in attached(cable, np.array(lengths[:: -1 if link.reversed else 1])):
        near, far = (len(lengths) - 1 - i, 1.0 - part) if link.reversed else (i, part)
        for node, share in ((near, 1.0 - far), (near + 1, far)):
            if share > 0.0 and node > 0:
                row = lump_row(system, share, item.mass, item.volume, item.drag_area, item.added_mass)
                parts.water_at(first + node - 1, False, row)


def _add_winch(parts: Parts, system: System, link: Link) -> int:
    """A winch at the near end of a cable; returns how many elements are kept on its drum for later."""
    cable = system.cables[link.name]
    winch = cable.winch
    assert winch is not None
    if (winch.end == "end") != link.reversed:
        raise UnsupportedSystem(
            f"cables.{link.name}.winch.end: the formulation 'multibody' pays out at the end that hangs from something "
            f"held, the {'end' if link.reversed else 'start'}; put the winch there, or use formulation: bars"
        )
    own = winch_rows(system, link.name, parts.rows.sample)
    parts.rows.winches.append(own)
    spare = math.ceil((float(own.limits["longest"]) - cable.total_length) / cable.drum_length)
    return max(0, spare) + 1


def first_axis(system: System, nodes: np.ndarray, link: Link) -> np.ndarray:
    """Axis of the first turn of a cable's elements, (3,): normal to the plane in which most motion is expected.

    That is the vertical plane of its ends; of a cable that hangs straight down, the plane of the motion of its upper
    end or of the current; else the plane of x and z.
    """
    chosen = system.simulation.multibody.first_axis
    if chosen is not None:
        axis = np.array(chosen) / np.linalg.norm(chosen)
    else:
        span = nodes[-1] - nodes[0]
        plane = np.array([span[0], span[1], 0.0])
        if np.linalg.norm(plane) < 1e-3 * np.linalg.norm(span):
            plane = _motion_direction(system, link)
        axis = np.cross([0.0, 0.0, 1.0], plane) / np.linalg.norm(plane)
    along = (nodes[1] - nodes[0]) / np.linalg.norm(nodes[1] - nodes[0])
    if abs(axis @ along) > 0.9:
        axis = np.eye(3)[int(np.argmin(np.abs(along)))]
    return np.asarray(axis)


def _motion_direction(system: System, link: Link) -> np.ndarray:
    """Horizontal direction in which the near end of a cable moves, or the current flows; x where neither does."""
    motion = getattr(link.near.owner, "motion", None)
    moves = []
    if motion is not None and motion.sines:
        moves += [np.array(wave.amplitude) for wave in motion.sines]
    elif motion is not None and motion.table is not None:
        table = np.array(motion.table)[:, 1:4]
        moves.append(table[int(np.argmax(np.linalg.norm(table - table[0], axis=1)))] - table[0])
    moves += [np.array(velocity) for _, velocity in system.environment.current_table]
    if system.environment.current_field is not None:
        moves.append(np.array(system.environment.current_field.mean))
    for move in moves:
        plane = np.array([move[0], move[1], 0.0])
        if np.linalg.norm(plane) > 1e-9:
            return plane
    return np.array([1.0, 0.0, 0.0])


def assemble(parts: Parts, system: System) -> Built:
    """All rows in their tables, and the state at t = 0 but for the coordinates of cables and bodies hung from them."""
    tree, settings = parts.tree, system.simulation.multibody
    inputs = position_inputs([command.input for command in parts.commands])
    rows, named = parts.rows, (*system.points, *system.bodies)
    add_winches(rows, rows.winches, inputs, turning="drum")
    rows.load, rows.push = loads_of(parts, system, inputs)
    rows.cable = [parts.cables[name] for name in system.cables]
    rows.control = [motion_row(command, rows.sample) for command in parts.commands]
    rows.command, rows.controls = (list(map(row, parts.commands)) for row in (command_row, first_row))
    seen = [parts.owners[name] for name in named]
    rows.seen, rows.origin = [owner.number for owner in seen], [-owner.shift for owner in seen]
    standing = len(rows.solid) if system.environment.seabed is not None else 0
    counts = {**tree.counts, "standing": standing, "points": len(system.points)}
    tables = rows.tables(SCHEMA, system.environment, counts, slack=_SLACK[settings.slack], law=LAWS[settings.strain])
    tables.settings.theta, tables.settings.rebase_at = settings.theta, REBASE_ANGLE
    tree.fill(tables)
    put_first_state(tables, parts, list(system.cables))
    tables.settings.light = 1.0 if has_light_nodes(tables) else 0.0
    names = [""] * len(tree.bodies)
    for name, owner in parts.owners.items():
        if owner.number >= len(tree.bases):
            names[owner.number - len(tree.bases)] = name
    first_axes = np.array([parts.first_axes[name] for name in system.cables]).reshape(-1, 3)
    return Built(tables, first_axes, inputs, tuple(names))


def has_light_nodes(tables: Tables) -> bool:
    """Whether a node of a cable weighs less than a part `LIGHT` of what hangs from it further out."""
    own, body, element = np.zeros(tables.records), tables.body, tables.element
    np.add.at(own, tables.solid.record, tables.hull.mass)
    own[tables.bases :] = np.maximum(own[tables.bases :], tables.joint.mass)
    cable = body.element >= 0
    e, node = body.element[cable], tables.bases + np.flatnonzero(cable)
    line = element.mass[e] * tables.line.length[e]
    np.add.at(own, node, element.share_far[e] * line)
    np.add.at(own, body.parent[cable], element.share_near[e] * line)
    carried = own.copy()
    for j in reversed(range(tables.bodies)):
        carried[body.parent[j]] += carried[tables.bases + j]
    return bool(np.any(own[node] < LIGHT * (carried[node] - own[node])))


def loads_of(parts: Parts, system: System, inputs: dict[str, slice]) -> tuple[list[Row], list[Row]]:
    """Loads on free points and bodies; those with a name are inputs."""
    for i, load in enumerate(system.loads):
        place = system.place(load.point)
        if any(load.torque) and place.is_free and not place.on_body:
            raise UnsupportedSystem(
                f"loads[{i}].torque: points of the formulation 'multibody' do not turn; put it on a body, or use "
                "formulation: bars"
            )

    def record_of(place: Place, name: str) -> Row | None:
        return {"record": parts.owners[place.owner_name].number} if place.is_free else None

    loads, wrenches = load_rows(system, record_of, lambda place, name: place.on_body, parts.rows.sample, inputs)
    free = [place for place in (system.place(load.point) for load in system.loads) if place.is_free]
    for wrench, place in zip(wrenches, free, strict=True):
        wrench["offset"] = np.array(place.offset) - parts.owners[place.owner_name].shift
    return loads, wrenches


def put_first_state(tables: Tables, parts: Parts, cables: list[str]) -> None:
    """The state at t = 0, at rest; turns and lengths of elements are folded in by a kernel."""
    stands = [parts.motion[r] for r in range(tables.bases, tables.records)]
    tables.old.fill(stands)
    tables.contact.fill({"anchor": row["position"]} for row in stands)
    coordinates = tables.coordinate.value
    for j, (kind, q) in enumerate(zip(tables.body.kind, tables.body.coordinate, strict=True)):
        if kind in (FREE, TRANSLATION):
            coordinates[q : q + 3] = stands[j]["position"]
        if kind == FREE:
            coordinates[q + 3 : q + 7] = from_matrix(stands[j]["rotation"].reshape(3, 3))
        if kind == SPHERICAL:
            coordinates[q] = 1.0
        if kind == PRISMATIC:
            coordinates[q] = parts.starts[tables.bases + j]
    tables.frame.turn[:, 0] = 1.0
    tables.paid.count, tables.snap.slack_since = [parts.active[name] for name in cables], -1.0
    tables.landing.landed_at = -1.0
