"""From a `System` and its first geometry to the tables of the point masses."""

from __future__ import annotations

import math

import numpy as np

from fairlead.algebra import block_cholesky
from fairlead.algebra.records import Tables
from fairlead.model import Cable, CableType, System
from fairlead.model.anchors import HELD, held_on_bed
from fairlead.model.places import Place
from fairlead.payout.control import NO_CONTROL
from fairlead.rigging.axial import LAWS
from fairlead.rigging.elements import attached, bed_row, compact_row, line_row
from fairlead.rigging.floater_rows import Floating
from fairlead.rigging.hubs import Built, add_prescribed, fill_hubs, hub_counts, hub_names, release_row
from fairlead.rigging.point_loads import load_rows
from fairlead.rigging.rope_rows import NO_ROPE, add_ropes
from fairlead.rigging.rows import Collected, Row
from fairlead.rigging.winches import add_winches, winch_rows
from fairlead.shape.layout import Geometry

from .joint_rows import add_joints
from .rod_rows import add_rods
from .schema import AUTO, CARRIED, DAMPED, DAMPING_ONLY, FILTERED, NO_COMPRESSION, OFF, SCHEMA, UNDAMPED

_GEOMETRIC = {"off": OFF, "undamped": UNDAMPED, "damped": DAMPED, "auto": AUTO}
_PUSHED = {"carried": CARRIED, "none": NO_COMPRESSION, "damping_only": DAMPING_ONLY}


def element_row(kind: CableType, length: float, system: System) -> Row:
    """Properties of one element of the given type and unstretched length; what its nodes share stands as their half."""
    half, env = 0.5 * length, system.environment
    pushed = system.simulation.lumped.compression or ("carried" if kind.ei > 0 else "none")
    return {
        **line_row(kind, half, env), **bed_row(kind, half, env), "length": length, "stiffness": kind.ea,
        "damping_time": kind.damping_axial(length), "bending": kind.ei, "bending_time": kind.damping_bending,
        "pushed": _PUSHED[pushed], "rope": NO_ROPE,
    }  # fmt: skip


def wake_row(kind: CableType, system: System) -> Row:
    """What vortices do to an element: ½ρ D C_l, diameter, and their frequency."""
    d, vortices = kind.drag_diameter, kind.vortices
    if vortices is None:
        return {"lift": 0.0, "diameter": d, "centre": 0.0, "width": 0.0}
    lift = 0.5 * system.environment.water_density * d * vortices.lift
    return {"lift": lift, "diameter": d, "centre": vortices.frequency, "width": vortices.band}


def build(system: System, geometry: Geometry) -> Built:
    """Compile the system."""
    held = [name for name, point in system.points.items() if not point.is_free]
    driven = [name for name, body in system.bodies.items() if not body.is_free]
    places = dict.fromkeys(end.point for cable in system.cables.values() for end in (cable.start, cable.end))
    places |= dict.fromkeys(name for joint in system.joints.values() for name in (joint.parent, joint.child))
    carried = [name for name in places if name.partition(".")[0] in driven and name not in driven]
    parts = Collected()
    parts.prescribed, parts.hubs = [*held, *driven, *carried], hub_names(system)
    parts.rope_of = add_ropes(system, parts)
    for name, cable in system.cables.items():
        add_cable(parts, system, name, cable, geometry)
    add_joints(parts, system, geometry)
    add_rods(parts, system)
    floating = Floating.of(system, parts.hubs, geometry.axes)
    plan = hub_plan(parts, floating.edges)
    afloat = floating.collect(parts, plan)
    inputs = add_prescribed(parts, system, geometry)
    add_winches(parts, parts.winches, inputs)
    for winch, turning in zip(parts.winches, parts.turning, strict=True):
        if winch.controller["kind"] == NO_CONTROL:  # it begins to turn with a run
            turning.clear()

    def hub_of(place: Place, name: str) -> Row | None:
        return {"hub": parts.hubs.index(place.owner_name)} if place.is_free else None

    parts.load, parts.push = load_rows(system, hub_of, lambda place, name: place.on_body, parts.sample, inputs)
    parts.nominal = parts.element if parts.winches else []
    settings = system.simulation.lumped
    block = 6 if any(name in system.bodies for name in parts.hubs) else 3
    nodes, hubs, bonds = sum(map(len, parts.nodes)), len(parts.hubs), len(parts.bond)
    tables = parts.tables(
        SCHEMA,
        system.environment,
        {
            **hub_counts(system, plan), "nodes": nodes, "givens": nodes if settings.given_water else 0,
            "matrix_numbers": plan.slot_count * block**2, "unknowns": hubs * block,
            "creeping": len(parts.element) if parts.rope else 0, "bond_pairs": bonds**2,
            "bond_answers": 6 * hubs * bonds, "joined_hubs": hubs if bonds else 0, **afloat,
        },
        hub_size=block,
        law=LAWS[settings.strain],
        slackens=any(row["pushed"] == NO_COMPRESSION for row in parts.element),
        geometric=FILTERED if settings.is_second_order else _GEOMETRIC[settings.geometric_stiffness],
    )  # fmt: skip
    tables.settings.theta = 0.5 if settings.is_second_order else settings.theta
    tables.settings.second_order = settings.is_second_order
    tables.settings.wave_reach = math.inf if settings.wave_reach is None else settings.wave_reach
    fill_hubs(tables, plan, parts.hubs, system, geometry)
    put_first_state(tables, parts, system)
    return Built(tables, tuple(parts.hubs), inputs, floating.names)


def hub_plan(parts: Collected, edges: list[tuple[int, int]]) -> block_cholesky.Analysis:
    """How the hubs are solved for, coupled by `edges` too; cables between two get the slot, −1 − slot transposed."""
    pairs = [(one["hub"], two["hub"]) for one, two in zip(parts.joint[::2], parts.joint[1::2], strict=True)]
    plan = block_cholesky.analyse(len(parts.hubs), [*edges, *(pair for pair in pairs if min(pair) >= 0)])
    for row, (start, end) in zip(parts.cable, pairs, strict=True):
        if min(start, end) >= 0 and start != end:
            row["slot"] = plan.slot(end, start)
    return plan


def add_cable(parts: Collected, system: System, name: str, cable: Cable, geometry: Geometry) -> None:
    """Add one cable in sweep order: from its drum where it has one, else from a prescribed point where it has one."""
    segments = cable.segments(system)
    kinds = [system.types[s.type_name] for s in segments]
    lengths = np.array([s.length for s in segments])
    rows = [element_row(kind, length, system) for kind, length in zip(kinds, lengths, strict=True)]
    wakes = [wake_row(kind, system) for kind in kinds]
    for row, segment in zip(rows, segments, strict=True):
        row["rope"] = parts.rope_of.get(segment.type_name, NO_ROPE)
    lumps: dict[int, list[Row]] = {}
    for i, share, item in attached(cable, lengths):
        lump = compact_row(system.environment, item.mass, item.volume, item.drag_area, item.added_mass)
        lumps.setdefault(i, []).append({**lump, "share": share})
    nodes = np.asarray(geometry.nodes[name], dtype=float)
    tension = np.asarray(geometry.tensions[name], dtype=float)
    ends = [cable.start, cable.end]
    places = [system.place(end.point) for end in ends]
    reverse = places[0].is_free and not places[1].is_free
    if cable.winch is not None and cable.winch.mode == "drum":
        reverse = cable.winch.end == "end"
    if reverse:
        rows, wakes, nodes, tension = rows[::-1], wakes[::-1], nodes[::-1], tension[::-1]
        ends, places = ends[::-1], places[::-1]
        lumps = {
            len(rows) - 1 - i: [{**lump, "share": 1.0 - lump["share"]} for lump in held] for i, held in lumps.items()
        }
    spare, first, fresh = spare_elements(system, cable), len(parts.element), rows[0].copy()
    for i, held in lumps.items():
        rows[i] |= {"lump_first": len(parts.lump), "lump_count": len(held)}
        parts.lump += held
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
        direction = direction / np.linalg.norm(direction)
        parts.end.append({"direction": direction, **release_row(end), "offset": place.offset})
        parts.joint.append(joint)
    if cable.winch is not None:
        rescales = cable.winch.mode == "rescale"
        first_length = 1.0 if rescales else cable.drum_length
        parts.winches.append(winch_rows(system, name, parts.sample, rescales=rescales))
        parts.drum.append({"paid_out": cable.total_length, "first_length": first_length, "count": len(rows)})
    parts.cable.append(
        {
            "first": first + spare, "count": len(rows), "allotted_first": first, "allotted_count": len(rows) + spare,
            "reversed": reverse, "bends": any(kind.ei > 0 for kind in kinds),
        }
    )  # fmt: skip
    parts.element += [fresh] * spare + rows
    sheds = any(kind.vortices is not None for kind in system.types.values())
    if sheds and system.simulation.integrator not in ("rk2", "rk4"):
        parts.wake += [wakes[0]] * spare + wakes
    parts.nodes.append(nodes)
    parts.tensions.append(tension)


def spare_elements(system: System, cable: Cable) -> int:
    """Elements to be kept ready on a drum, for the greatest length."""
    if cable.winch is None or cable.winch.mode == "rescale":
        return 0
    _, most = cable.length_limits(system.simulation.duration)
    return max(0, math.ceil((most - cable.total_length) / cable.drum_length - 1e-9)) + 1


def put_first_state(tables: Tables, parts: Collected, system: System) -> None:
    """The state at t = 0: all where it is first laid out and under its first tension, at rest but for moving points."""
    tables.node.position = np.vstack([np.zeros((0, 3)), *parts.nodes])
    tables.spring.tension = tables.spring.earlier = np.concatenate([np.zeros(0), *parts.tensions])
    tables.hold.attached, tables.slack.since, tables.standing.landed_at = 1.0, -1.0, -1.0
    for c, (record, cable) in enumerate(zip(parts.cable, system.cables.values(), strict=True)):
        if parts.wake:  # once round along what is out of each cable: no swing is left without a push
            out, count = record["first"], record["count"]
            tables.shed.phase[out : out + count] = 2.0 * math.pi * (np.arange(count) + 0.5) / count
        held = held_on_bed(system, cable)[:: -1 if record["reversed"] else 1]
        first = record["first"] + c
        for node, here in zip((first, first + record["count"]), held, strict=True):
            if here:
                tables.grip.normal_force[node] = HELD
