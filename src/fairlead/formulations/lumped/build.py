"""From a `System` and its first geometry to the flat arrays of the point masses."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from fairlead.algebra import block_cholesky, quaternion
from fairlead.loads import drag
from fairlead.loads.body_record import body_record, free_owner
from fairlead.loads.commands import Command, commands_of
from fairlead.loads.landing import LANDED_AT
from fairlead.model import Cable, CableType, System
from fairlead.model.anchors import HELD, held_on_bed
from fairlead.model.solids import sphere_diameter
from fairlead.sea import water
from fairlead.shape.layout import Geometry

from . import arrays as a
from .winch_rows import WinchRows, allotted, winch_rows

_GEOMETRIC = {"off": a.OFF, "undamped": a.UNDAMPED, "damped": a.DAMPED, "auto": a.AUTO}
_PUSHED = {"carried": a.CARRIED, "none": a.NO_COMPRESSION, "damping_only": a.DAMPING_ONLY}


@dataclass
class Tables:
    """Rows collected while compiling; `prescribed`, `hubs` are the names of places that are held or free.

    Of the prescribed places the first `points` are points, then come prescribed bodies and places on them.
    """

    prescribed: list[str]
    hubs: list[str]
    points: int
    winches: list[WinchRows] = field(default_factory=list)
    cables: list[list[int]] = field(default_factory=list)
    elements: list[np.ndarray] = field(default_factory=list)
    ends: list[list[float]] = field(default_factory=list)
    nodes: list[np.ndarray] = field(default_factory=list)
    tensions: list[np.ndarray] = field(default_factory=list)
    lumps: list[list[float]] = field(default_factory=list)
    edges: list[tuple[int, int]] = field(default_factory=list)
    table: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Built:
    """Compiled arrays, the state at t = 0, the names of the hubs and the inputs."""

    ints: np.ndarray
    reals: np.ndarray
    y0: np.ndarray
    hubs: tuple[str, ...]
    inputs: dict[str, slice]


def element_row(kind: CableType, length: float, system: System) -> np.ndarray:
    """Constants of one element of the given type and unstretched length; what its nodes share stands as their half."""
    env = system.environment
    rho, d = env.water_density, kind.diameter
    half = 0.5 * length
    row = np.zeros(a.ELEMENT_COLUMNS)
    row[a.LENGTH], row[a.STIFFNESS], row[a.DAMPING_TIME] = length, kind.ea, kind.damping_axial
    row[a.BENDING], row[a.BENDING_TIME] = kind.ei, kind.damping_bending
    row[a.PUSHED] = _PUSHED[system.simulation.lumped.compression or ("carried" if kind.ei > 0 else "none")]
    row[a.MASS], row[a.WEIGHT] = kind.mass_per_metre * half, kind.mass_per_metre * half * env.gravity
    displaced = rho * kind.area * half
    row[a.BUOYANCY], row[a.DIAMETER] = displaced * env.gravity, d
    row[a.ADDED_NORMAL], row[a.ADDED_AXIAL] = kind.added_mass.normal * displaced, kind.added_mass.axial * displaced
    pressed = 0.5 * rho * d * half
    row[a.REYNOLDS] = d / env.viscosity
    if kind.drag == "none" or rho == 0.0:
        row[a.DRAG_LAW] = drag.NONE
    elif kind.drag == "reynolds":
        row[a.DRAG_LAW], row[a.DRAG_NORMAL], row[a.DRAG_AXIAL] = drag.REYNOLDS, pressed, math.pi * pressed
    else:
        area = math.pi if kind.drag.axial_area == "surface" else 1.0
        row[a.DRAG_LAW] = drag.CONSTANT
        row[a.DRAG_NORMAL], row[a.DRAG_AXIAL] = pressed * kind.drag.normal, pressed * area * kind.drag.axial
    bed = env.seabed
    if bed is not None:
        footprint = kind.contact_diameter * half
        row[a.RADIUS] = 0.5 * kind.contact_diameter
        row[a.BED_STIFFNESS] = bed.stiffness * footprint
        row[a.BED_DAMPING] = bed.damping * footprint
        row[a.BED_SHEAR] = bed.friction_stiffness * footprint
    return row


def lump_rows(cable: Cable, lengths: np.ndarray, system: System) -> dict[int, list[list[float]]]:
    """Clump weights and floats by the element that carries them, each a row of LUMP_COLUMNS numbers."""
    starts = np.concatenate(([0.0], np.cumsum(lengths)))
    rho, g = system.environment.water_density, system.environment.gravity
    held: dict[int, list[list[float]]] = {}
    for item in cable.attachments:
        i = min(int(np.searchsorted(starts, item.at, side="right")) - 1, len(lengths) - 1)
        row = [0.0] * a.LUMP_COLUMNS
        row[a.LUMP_SHARE] = (item.at - starts[i]) / lengths[i]
        row[a.LUMP_MASS], row[a.LUMP_ADDED] = item.mass, item.added_mass if rho > 0 else 0.0
        row[a.LUMP_BUOYANCY], row[a.LUMP_DRAG] = rho * g * item.volume, 0.5 * rho * item.drag_area
        row[a.LUMP_HEIGHT] = sphere_diameter(item.volume)
        held.setdefault(i, []).append(row)
    return held


def build(system: System, geometry: Geometry) -> Built:
    """Compile the system."""
    held = [name for name, point in system.points.items() if not point.is_free]
    driven = [name for name, body in system.bodies.items() if not body.is_free]
    places = dict.fromkeys(end.point for cable in system.cables.values() for end in (cable.start, cable.end))
    carried = [name for name in places if name.partition(".")[0] in driven]
    tables = Tables(
        prescribed=[*held, *driven, *carried],
        points=len(held),
        hubs=[name for name, point in system.points.items() if point.is_free]
        + [name for name, body in system.bodies.items() if body.is_free],
    )
    for name, cable in system.cables.items():
        add_cable(tables, system, name, cable, geometry)
    plan = block_cholesky.analyse(len(tables.hubs), tables.edges)
    for row in tables.cables:
        start, end = row[a.START_HUB], row[a.END_HUB]
        if start >= 0 and end >= 0 and start != end:
            slot = plan.slots.get((end, start))
            row[a.CABLE_SLOT] = slot if slot is not None else -plan.slots[(start, end)] - 1
    commands = commands_of(system)
    names = list(commands)
    inputs = {name: slice(3 * k, 3 * k + 3) for k, name in enumerate(names)}
    top = 3 * len(names)
    for k, winch in enumerate(tables.winches):
        inputs[f"{winch.cable}.winch.rate"] = slice(top + k, top + k + 1)
    controls_int, controls_real = control_rows(commands, tables)
    loads_int, loads_real = load_rows(system, tables, inputs, top + len(tables.winches))
    frames = [[names.index(f"{name}.position"), names.index(f"{name}.rotation")] for name in driven]
    owners = [-1] * len(held) + [driven.index(name.partition(".")[0]) for name in (*driven, *carried)]
    offsets = [
        system.place(name).offset if owner >= 0 else tuple(geometry.points[name])
        for name, owner in zip(tables.prescribed, owners, strict=True)
    ]
    hybrids = [name for name in tables.hubs if name in system.points and system.points[name].kind == "hybrid"]
    sea = water.pack(system.environment)
    settings = system.simulation.lumped

    header = np.zeros(a.HEADER, dtype=np.int64)
    header[a.N_NODES], header[a.N_ELEMENTS] = sum(map(len, tables.nodes)), len(tables.elements)
    header[a.N_CABLES], header[a.N_HUBS] = len(tables.cables), len(tables.hubs)
    header[a.N_POINTS], header[a.N_CONTROLLED] = len(tables.prescribed), len(names)
    header[a.N_FRAMES], header[a.N_HYBRIDS], header[a.N_WINCHES] = len(frames), len(hybrids), len(tables.winches)
    header[a.N_BODIES] = len(system.bodies)
    header[a.N_LOADS], header[a.N_SLOTS], header[a.N_ENTRIES] = len(loads_int), plan.slot_count, len(plan.column_slots)
    header[a.N_UPDATES], header[a.N_SEA], header[a.N_TABLE] = len(plan.updates), len(sea), len(tables.table)
    header[a.N_NAMED], header[a.N_LUMPS] = len(system.points) + len(system.bodies), len(tables.lumps)
    header[a.BLOCK] = 6 if any(name in system.bodies for name in tables.hubs) else 3
    header[a.GREEN] = settings.strain == "green"
    header[a.SLACKENS] = any(row[a.PUSHED] == a.NO_COMPRESSION for row in tables.elements)
    header[a.GEOMETRIC] = _GEOMETRIC[settings.geometric_stiffness]
    header[a.N_STANDING] = len(tables.hubs) if system.environment.seabed is not None else 0
    a.set_offsets(header)
    named = [
        -tables.hubs.index(n) - 1 if n in tables.hubs else tables.prescribed.index(n)
        for n in (*system.points, *system.bodies)
    ]

    ints = _flat(
        np.int64, header, tables.cables, controls_int, loads_int, plan.order, plan.column_start, plan.column_rows,
        plan.column_slots, plan.updates, plan.update_start, named, owners, frames,
        [[tables.hubs.index(name), names.index(f"{name}.position")] for name in hybrids],
        [winch.ints for winch in tables.winches],
    )  # fmt: skip
    hubs = [body_record(free_owner(system, name), system) for name in tables.hubs]
    reals = _flat(
        np.float64, sea, [settings.theta], tables.elements, tables.ends, hubs, offsets, controls_real, loads_real,
        tables.lumps, tables.table, [_hybrid_row(system, name) for name in hybrids],
        [winch.reals for winch in tables.winches], tables.elements if tables.winches else [],
    )  # fmt: skip
    y0 = first_state(ints, tables, commands, system, geometry)
    return Built(ints, reals, y0, tuple(tables.hubs), inputs)


def _flat(kind: type, *parts: object) -> np.ndarray:
    return np.concatenate([np.asarray(part, dtype=kind).ravel() for part in parts])


def _hybrid_row(system: System, name: str) -> list[float]:
    point = system.points[name]
    assert point.kind == "hybrid"
    return [point.stiffness, point.damper, point.force_max, point.tension_max]


def add_cable(tables: Tables, system: System, name: str, cable: Cable, geometry: Geometry) -> None:
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
        lumps = {len(rows) - 1 - i: [[1.0 - lump[0], *lump[1:]] for lump in held] for i, held in lumps.items()}
    spare = allotted(system, name) - len(rows)
    for i, held in lumps.items():
        rows[i][a.LUMP_FIRST], rows[i][a.LUMP_COUNT] = len(tables.lumps), len(held)
        tables.lumps += held
    fresh = rows[0].copy()
    fresh[a.LUMP_FIRST] = fresh[a.LUMP_COUNT] = 0.0
    nodes = np.vstack([np.repeat(nodes[:1], spare, axis=0), nodes])
    tension = np.concatenate([np.zeros(spare), tension])

    record = [0] * a.CABLE_COLUMNS
    record[a.CABLE_FIRST], record[a.CABLE_COUNT] = len(tables.elements) + spare, len(rows)
    record[a.CABLE_ALLOTTED_FIRST], record[a.CABLE_ALLOTTED_COUNT] = len(tables.elements), len(rows) + spare
    record[a.CABLE_REVERSED] = int(reverse)
    record[a.CABLE_BENDS] = int(any(kind.ei > 0 for kind in kinds))
    columns = ((a.START_HUB, a.START_POINT, a.START_CLAMP), (a.END_HUB, a.END_POINT, a.END_CLAMP))
    chords = np.diff(nodes[spare:], axis=0)
    for side, (end, place, (hub, point, clamp)) in enumerate(zip(ends, places, columns, strict=True)):
        record[hub] = tables.hubs.index(place.owner_name) if place.is_free else -1
        record[point] = -1 if place.is_free else tables.prescribed.index(end.point)
        record[clamp] = int(end.joint == "clamp")
        direction = chords[-1 if side else 0]
        if end.direction is not None:
            direction = np.array(end.direction) * (-1.0 if reverse else 1.0)
        if place.on_body:
            direction = geometry.bodies[place.owner_name].rotation.T @ direction
        time, pull = math.inf, math.inf
        if end.release is not None:
            time = end.release.time if end.release.time is not None else math.inf
            pull = end.release.tension if end.release.tension is not None else math.inf
        tables.ends.append([*(direction / np.linalg.norm(direction)), time, pull, *place.offset])
    if record[a.START_HUB] >= 0 and record[a.END_HUB] >= 0:
        tables.edges.append((record[a.START_HUB], record[a.END_HUB]))
    if cable.winch is not None:
        tables.winches.append(winch_rows(system, name, len(tables.cables), len(rows), tables.table))
    tables.cables.append(record)
    tables.elements += [fresh] * spare + rows
    tables.nodes.append(nodes)
    tables.tensions.append(tension)


def control_rows(commands: dict[str, Command], tables: Tables) -> tuple[np.ndarray, np.ndarray]:
    """Records of the commands; their motion tables go to `tables.table`."""
    ints = np.zeros((len(commands), a.CONTROL_INTS), dtype=np.int64)
    reals = np.zeros((len(commands), a.CONTROL_REALS))
    for k, (name, command) in enumerate(commands.items()):
        owner = name.removesuffix(".position")
        ints[k, 0] = tables.prescribed.index(owner) if owner in tables.prescribed[: tables.points] else -1
        ints[k, 1:] = command.record(tables.table)
        reals[k] = *command.base, command.cutoff
    return ints, reals


def load_rows(system: System, tables: Tables, inputs: dict[str, slice], top: int) -> tuple[np.ndarray, np.ndarray]:
    """Loads on free points and bodies (a held one carries its own); those with a name become inputs from `top` on."""
    loads = [(load, system.place(load.point)) for load in system.loads if system.place(load.point).is_free]
    ints = np.zeros((len(loads), a.LOAD_INTS), dtype=np.int64)
    reals = np.zeros((len(loads), a.LOAD_REALS))
    for k, (load, place) in enumerate(loads):
        ints[k, 0] = tables.hubs.index(place.owner_name)
        reals[k] = *load.force, *load.torque, *place.offset
        if load.table is not None:
            ints[k, 1:3] = len(tables.table), len(load.table)
            tables.table += [number for row in load.table for number in row]
        ints[k, 3] = -1
        if load.name is not None:
            ints[k, 3] = top
            inputs[f"{load.name}.force"], inputs[f"{load.name}.torque"] = slice(top, top + 3), slice(top + 3, top + 6)
            top += 6
    return ints, reals


def first_state(
    ints: np.ndarray, tables: Tables, commands: dict[str, Command], system: System, geometry: Geometry
) -> np.ndarray:
    """The state at t = 0: all where it is first laid out and under its first tension, at rest but for moving points."""
    y = np.zeros(sum(size for _, size, _, _ in a.state_parts(ints)))
    state = a.state_of(ints, y)
    state.nodes[:, :3] = np.vstack(tables.nodes)
    for row, name in zip(state.hubs, tables.hubs, strict=True):
        if name in system.points:
            row[:3], row[3] = geometry.points[name], 1.0
        else:
            pose = geometry.bodies[name]
            row[:3], row[3:7] = pose.position, quaternion.from_matrix(pose.rotation)
    for row, command in zip(state.controls, commands.values(), strict=True):
        row[:3], row[3:] = command.at_start()
    state.tension[:] = np.concatenate(tables.tensions)
    state.attached[:] = 1.0
    state.slack_since[:] = -1.0
    state.standing[:, LANDED_AT] = -1.0
    for row, winch in zip(state.winches, tables.winches, strict=True):
        row[:] = winch.state
    for c, (record, cable) in enumerate(zip(tables.cables, system.cables.values(), strict=True)):
        held = held_on_bed(system, cable)[:: -1 if record[a.CABLE_REVERSED] else 1]
        first = record[a.CABLE_FIRST] + c
        for node, here in zip((first, first + record[a.CABLE_COUNT]), held, strict=True):
            if here:
                state.contact[node, 3] = HELD
    return y
