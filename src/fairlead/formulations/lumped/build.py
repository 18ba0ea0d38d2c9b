"""From a `System` and its first geometry to the tables of the point masses."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fairlead.algebra import block_cholesky, quaternion
from fairlead.algebra.records import Tables, fields_of
from fairlead.loads import drag
from fairlead.loads.body_record import body_record, free_owner
from fairlead.loads.commands import Command, commands_of
from fairlead.loads.tables import MOTION
from fairlead.model import Cable, CableType, System
from fairlead.model.anchors import HELD, held_on_bed
from fairlead.model.solids import sphere_diameter
from fairlead.sea import water
from fairlead.sea.tables import SEA_HEAD
from fairlead.shape.layout import Geometry

from .schema import AUTO, CARRIED, DAMPED, DAMPING_ONLY, NO_COMPRESSION, OFF, SCHEMA, UNDAMPED
from .winch_rows import WinchRows, allotted, winch_rows

_GEOMETRIC = {"off": OFF, "undamped": UNDAMPED, "damped": DAMPED, "auto": AUTO}
_PUSHED = {"carried": CARRIED, "none": NO_COMPRESSION, "damping_only": DAMPING_ONLY}

Row = dict[str, Any]
"""A row of a table by the names of its fields."""


@dataclass
class Parts:
    """Rows collected while compiling; `prescribed`, `hubs` are the names of places that are held or free.

    Of the prescribed places the first `points` are points, then come prescribed bodies and places on them.
    """

    prescribed: list[str]
    hubs: list[str]
    points: int
    winches: list[WinchRows] = field(default_factory=list)
    cables: list[Row] = field(default_factory=list)
    joints: list[Row] = field(default_factory=list)
    ends: list[Row] = field(default_factory=list)
    elements: list[Row] = field(default_factory=list)
    lumps: list[Row] = field(default_factory=list)
    nodes: list[np.ndarray] = field(default_factory=list)
    tensions: list[np.ndarray] = field(default_factory=list)
    samples: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Built:
    """The compiled system with its state at t = 0, the names of the hubs and the inputs."""

    tables: Tables
    hubs: tuple[str, ...]
    inputs: dict[str, slice]


def element_row(kind: CableType, length: float, system: System) -> Row:
    """Properties of one element of the given type and unstretched length; what its nodes share stands as their half."""
    env = system.environment
    rho, d = env.water_density, kind.diameter
    half = 0.5 * length
    displaced, pressed = rho * kind.area * half, 0.5 * rho * d * half
    row: Row = {
        "length": length, "stiffness": kind.ea, "damping_time": kind.damping_axial, "bending": kind.ei,
        "bending_time": kind.damping_bending,
        "pushed": _PUSHED[system.simulation.lumped.compression or ("carried" if kind.ei > 0 else "none")],
        "mass": kind.mass_per_metre * half, "weight": kind.mass_per_metre * half * env.gravity,
        "buoyancy": displaced * env.gravity, "diameter": d, "added_normal": kind.added_mass.normal * displaced,
        "added_axial": kind.added_mass.axial * displaced, "reynolds": d / env.viscosity, "drag_law": drag.NONE,
    }  # fmt: skip
    if kind.drag == "reynolds" and rho > 0.0:
        row |= {"drag_law": drag.REYNOLDS, "drag_normal": pressed, "drag_axial": math.pi * pressed}
    elif kind.drag != "none" and kind.drag != "reynolds" and rho > 0.0:
        area = math.pi if kind.drag.axial_area == "surface" else 1.0
        row |= {"drag_law": drag.CONSTANT, "drag_normal": pressed * kind.drag.normal}
        row["drag_axial"] = pressed * area * kind.drag.axial
    bed = env.seabed
    if bed is not None:
        footprint = kind.contact_diameter * half
        row |= {"radius": 0.5 * kind.contact_diameter, "bed_stiffness": bed.stiffness * footprint}
        row |= {"bed_damping": bed.damping * footprint, "bed_shear": bed.friction_stiffness * footprint}
    return row


def lump_rows(cable: Cable, lengths: np.ndarray, system: System) -> dict[int, list[Row]]:
    """Clump weights and floats by the element that carries them."""
    starts = np.concatenate(([0.0], np.cumsum(lengths)))
    rho, g = system.environment.water_density, system.environment.gravity
    held: dict[int, list[Row]] = {}
    for item in cable.attachments:
        i = min(int(np.searchsorted(starts, item.at, side="right")) - 1, len(lengths) - 1)
        row = {
            "share": (item.at - starts[i]) / lengths[i], "mass": item.mass,
            "added": item.added_mass if rho > 0 else 0.0, "buoyancy": rho * g * item.volume,
            "drag": 0.5 * rho * item.drag_area, "height": sphere_diameter(item.volume),
        }  # fmt: skip
        held.setdefault(i, []).append(row)
    return held


def build(system: System, geometry: Geometry) -> Built:
    """Compile the system."""
    held = [name for name, point in system.points.items() if not point.is_free]
    driven = [name for name, body in system.bodies.items() if not body.is_free]
    places = dict.fromkeys(end.point for cable in system.cables.values() for end in (cable.start, cable.end))
    carried = [name for name in places if name.partition(".")[0] in driven]
    parts = Parts(
        prescribed=[*held, *driven, *carried],
        points=len(held),
        hubs=[name for name, point in system.points.items() if point.is_free]
        + [name for name, body in system.bodies.items() if body.is_free],
    )
    for name, cable in system.cables.items():
        add_cable(parts, system, name, cable, geometry)
    plan = hub_plan(parts)
    commands = commands_of(system)
    names = list(commands)
    inputs = {name: slice(3 * k, 3 * k + 3) for k, name in enumerate(names)}
    top = 3 * len(names)
    for k, winch in enumerate(parts.winches):
        inputs[f"{winch.name}.winch.rate"] = slice(top + k, top + k + 1)
    command_rows, goals = control_rows(commands, parts)
    loads, wrenches = load_rows(system, parts, inputs, top + len(parts.winches))
    owners = [-1] * len(held) + [driven.index(name.partition(".")[0]) for name in (*driven, *carried)]
    hybrids = [name for name in parts.hubs if name in system.points and system.points[name].kind == "hybrid"]
    sea = water.pack(system.environment)
    settings = system.simulation.lumped
    block = 6 if any(name in system.bodies for name in parts.hubs) else 3
    tables = SCHEMA.allocate(
        {
            "nodes": sum(map(len, parts.nodes)), "elements": len(parts.elements),
            "nominals": len(parts.elements) if parts.winches else 0, "cables": len(parts.cables),
            "hubs": len(parts.hubs), "standing": len(parts.hubs) if system.environment.seabed is not None else 0,
            "points": len(parts.prescribed), "frames": len(driven), "controls": len(names), "hybrids": len(hybrids),
            "loads": len(loads), "winches": len(parts.winches), "lumps": len(parts.lumps),
            "places": len(system.points) + len(system.bodies), "bodies": len(system.bodies),
            "sea_rows": len(sea) - SEA_HEAD, "samples": len(parts.samples), "slots": plan.slot_count,
            "columns": len(plan.column_start), "entries": len(plan.column_slots), "updates": len(plan.updates),
            "matrix_numbers": plan.slot_count * block**2, "unknowns": len(parts.hubs) * block,
        },
        hub_size=block,
        green=settings.strain == "green",
        slackens=any(row["pushed"] == NO_COMPRESSION for row in parts.elements),
        geometric=_GEOMETRIC[settings.geometric_stiffness],
    )  # fmt: skip
    tables.reals[: len(sea)] = sea
    tables.settings.theta = settings.theta
    tables.cable.fill(parts.cables)
    tables.joint.fill(parts.joints)
    tables.end.fill(parts.ends)
    tables.element.fill(parts.elements)
    if parts.winches:
        tables.nominal.fill(parts.elements)
    tables.lump.fill(parts.lumps)
    for name in ("winch", "limits", "controller", "drum", "turning"):
        getattr(tables, name).fill(getattr(winch, name) for winch in parts.winches)
    tables.owner.frame = owners
    tables.place.fill(
        {"position": system.place(name).offset if owner >= 0 else geometry.points[name]}
        for name, owner in zip(parts.prescribed, owners, strict=True)
    )
    tables.carrier.fill(
        {"place": names.index(f"{name}.position"), "angles": names.index(f"{name}.rotation")} for name in driven
    )
    tables.command.fill(command_rows)
    tables.goal.fill(goals)
    tables.hybrid.fill(
        {"hub": parts.hubs.index(name), "command": names.index(f"{name}.position")} for name in hybrids
    )
    tables.drive.fill(_drive_row(system, name) for name in hybrids)
    tables.load.fill(loads)
    tables.wrench.fill(wrenches)
    for row, name in zip(tables.block("body"), parts.hubs, strict=True):
        row[:] = body_record(free_owner(system, name), system)
    tables.sample.number = parts.samples
    tables.seen.place = [
        -parts.hubs.index(n) - 1 if n in parts.hubs else parts.prescribed.index(n)
        for n in (*system.points, *system.bodies)
    ]
    tables.order.hub, tables.column_start.entry = plan.order, plan.column_start
    tables.column_row.hub, tables.column_slot.slot = plan.column_rows, plan.column_slots
    tables.block("update")[:], tables.update_start.update = plan.updates, plan.update_start
    put_first_state(tables, parts, commands, system, geometry)
    return Built(tables, tuple(parts.hubs), inputs)


def hub_plan(parts: Parts) -> block_cholesky.Analysis:
    """How the hubs are solved for; cables between two of them get the slot of their coupling, −1 − slot transposed."""
    pairs = [(one["hub"], two["hub"]) for one, two in zip(parts.joints[::2], parts.joints[1::2], strict=True)]
    plan = block_cholesky.analyse(len(parts.hubs), [pair for pair in pairs if min(pair) >= 0])
    for row, (start, end) in zip(parts.cables, pairs, strict=True):
        if min(start, end) >= 0 and start != end:
            slot = plan.slots.get((end, start))
            row["slot"] = slot if slot is not None else -plan.slots[(start, end)] - 1
    return plan


def _drive_row(system: System, name: str) -> Row:
    point = system.points[name]
    assert point.kind == "hybrid"
    return {
        "stiffness": point.stiffness, "damping": point.damper, "force_max": point.force_max,
        "tension_max": point.tension_max,
    }  # fmt: skip


def add_cable(parts: Parts, system: System, name: str, cable: Cable, geometry: Geometry) -> None:
    """Add one cable in sweep order: from its drum where it has one, else from a prescribed point where it has one."""
    segments = cable.segments(system)
    kinds = [system.types[s.type_name] for s in segments]
    lengths = np.array([s.length for s in segments])
    rows = [element_row(kind, length, system) for kind, length in zip(kinds, lengths, strict=True)]
    lumps = lump_rows(cable, lengths, system)
    nodes = np.asarray(geometry.nodes[name], dtype=float)
    tension = np.asarray(geometry.tensions[name], dtype=float)
    ends = [cable.start, cable.end]
    places = [system.place(end.point) for end in ends]
    reverse = places[0].is_free and not places[1].is_free
    if cable.winch is not None and cable.winch.mode == "drum":
        reverse = cable.winch.end == "end"
    if reverse:
        rows, nodes, tension = rows[::-1], nodes[::-1], tension[::-1]
        ends, places = ends[::-1], places[::-1]
        lumps = {
            len(rows) - 1 - i: [{**lump, "share": 1.0 - lump["share"]} for lump in held] for i, held in lumps.items()
        }
    spare, first, fresh = allotted(system, name) - len(rows), len(parts.elements), rows[0].copy()
    for i, held in lumps.items():
        rows[i] |= {"lump_first": len(parts.lumps), "lump_count": len(held)}
        parts.lumps += held
    nodes = np.vstack([np.repeat(nodes[:1], spare, axis=0), nodes])
    tension = np.concatenate([np.zeros(spare), tension])
    chords = np.diff(nodes[spare:], axis=0)
    for side, (end, place) in enumerate(zip(ends, places, strict=True)):
        joint = {"hub": -1, "point": -1, "clamp": end.joint == "clamp"}
        if place.is_free:
            joint["hub"] = parts.hubs.index(place.owner_name)
        else:
            joint["point"] = parts.prescribed.index(end.point)
        direction = chords[-1 if side else 0]
        if end.direction is not None:
            direction = np.array(end.direction) * (-1.0 if reverse else 1.0)
        if place.on_body:
            direction = geometry.bodies[place.owner_name].rotation.T @ direction
        time, pull = math.inf, math.inf
        if end.release is not None:
            time = end.release.time if end.release.time is not None else math.inf
            pull = end.release.tension if end.release.tension is not None else math.inf
        direction = direction / np.linalg.norm(direction)
        row = {"direction": direction, "release_time": time, "release_tension": pull, "offset": place.offset}
        parts.ends.append(row)
        parts.joints.append(joint)
    if cable.winch is not None:
        parts.winches.append(winch_rows(system, name, len(parts.cables), len(rows), parts.samples))
    parts.cables.append(
        {
            "first": first + spare, "count": len(rows), "allotted_first": first, "allotted_count": len(rows) + spare,
            "reversed": reverse, "bends": any(kind.ei > 0 for kind in kinds),
        }
    )  # fmt: skip
    parts.elements += [fresh] * spare + rows
    parts.nodes.append(nodes)
    parts.tensions.append(tension)


def control_rows(commands: dict[str, Command], parts: Parts) -> tuple[list[Row], list[Row]]:
    """Rows of the commands; those of their motions go to `parts.samples`."""
    found, goals = [], []
    for name, command in commands.items():
        owner = name.removesuffix(".position")
        point = parts.prescribed.index(owner) if owner in parts.prescribed[: parts.points] else -1
        motion = dict(zip(fields_of(MOTION), command.record(parts.samples), strict=True))
        found.append({"point": point, **motion})
        goals.append({"position": command.base, "cutoff": command.cutoff})
    return found, goals


def load_rows(system: System, parts: Parts, inputs: dict[str, slice], top: int) -> tuple[list[Row], list[Row]]:
    """Loads on free points and bodies (a held one carries its own); those with a name become inputs from `top` on."""
    found, wrenches = [], []
    for load in system.loads:
        place = system.place(load.point)
        if not place.is_free:
            continue
        row = {"hub": parts.hubs.index(place.owner_name), "input": -1}
        if load.table is not None:
            row |= {"first": len(parts.samples), "rows": len(load.table)}
            parts.samples += [number for numbers in load.table for number in numbers]
        if load.name is not None:
            row["input"] = top
            inputs[f"{load.name}.force"], inputs[f"{load.name}.torque"] = slice(top, top + 3), slice(top + 3, top + 6)
            top += 6
        found.append(row)
        wrenches.append({"force": load.force, "torque": load.torque, "offset": place.offset})
    return found, wrenches


def put_first_state(
    tables: Tables, parts: Parts, commands: dict[str, Command], system: System, geometry: Geometry
) -> None:
    """The state at t = 0: all where it is first laid out and under its first tension, at rest but for moving points."""
    tables.node.position = np.vstack(parts.nodes)
    tables.spring.tension = np.concatenate(parts.tensions)
    tables.hold.attached, tables.slack.since, tables.landing.landed_at = 1.0, -1.0, -1.0
    for place, turn, name in zip(tables.hub.position, tables.hub.turn, parts.hubs, strict=True):
        if name in system.points:
            place[:], turn[:] = geometry.points[name], (1.0, 0.0, 0.0, 0.0)
        else:
            pose = geometry.bodies[name]
            place[:], turn[:] = pose.position, quaternion.from_matrix(pose.rotation)
    starts = [command.at_start() for command in commands.values()]
    tables.control.fill({"position": place, "velocity": velocity} for place, velocity in starts)
    for c, (record, cable) in enumerate(zip(parts.cables, system.cables.values(), strict=True)):
        held = held_on_bed(system, cable)[:: -1 if record["reversed"] else 1]
        first = record["first"] + c
        for node, here in zip((first, first + record["count"]), held, strict=True):
            if here:
                tables.grip.normal_force[node] = HELD
