"""From a `System` and its first geometry to the flat arrays of a tree."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fairlead.algebra.quaternion import from_matrix
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.loads.body_record import free_owner
from fairlead.loads.landing import BED_MEMORY, LANDED_AT
from fairlead.model import System
from fairlead.payout.control import control_row, control_state
from fairlead.sea import water
from fairlead.shape.layout import Geometry

from . import arrays as a
from .bases import add_bases
from .growth import Link, grow
from .hinges import add_joint
from .rows import element_row, hub_row, lump_row
from .tables import Owner, Tables
from .tree import WORLD

_SLACK = {"clip": a.CLIP, "paper": a.PAPER, "rod": a.ROD}
REBASE_ANGLE = 1.2
"""rad: second turn of an element beyond which its frame is laid anew; at π/2 it would be singular."""


@dataclass(frozen=True)
class Built:
    """Compiled arrays, the state at t = 0 before it is folded, and what people call things."""

    ints: np.ndarray
    reals: np.ndarray
    y0: np.ndarray
    old: np.ndarray
    """(bodies, 18): where the bodies are at t = 0."""
    first_axes: np.ndarray
    inputs: dict[str, slice]
    winches: tuple[str, ...]
    """Cables with a winch, in the order of their records."""
    body_names: tuple[str, ...]
    """Point or body that each body of the tree is; empty for the inner nodes of cables."""


def build(system: System, geometry: Geometry) -> Built:
    """Compile the system."""
    growth = grow(system)
    tables = Tables()
    add_bases(tables, system, growth)
    links = list(growth.links)
    for root in growth.roots:
        add_root(tables, system, geometry, root)
    while links:
        link = next(link for link in links if link.near.owner_name in tables.owners)
        links.remove(link)
        if link.section == "cables":
            add_cable(tables, system, geometry, link)
        else:
            add_joint(tables, system, geometry, link)
    return assemble(tables, system)


def add_root(tables: Tables, system: System, geometry: Geometry, name: str) -> None:
    """A body or point from which a floating tree grows."""
    if name in system.bodies:
        number = tables.tree.add(WORLD, a.FREE)
        pose = geometry.bodies[name]
        tables.stands(number, pose.position, pose.rotation)
        tables.water_at(number, True, hub_row(free_owner(system, name), system, np.zeros(3)))
    else:
        number = tables.tree.add(WORLD, a.TRANSLATION)
        tables.stands(number, geometry.points[name])
        tables.water_at(number, False, hub_row(free_owner(system, name), system, np.zeros(3)))
    tables.owners[name] = Owner(number, np.zeros(3))


def add_cable(tables: Tables, system: System, geometry: Geometry, link: Link) -> None:
    """A cable, from the end nearer to the base outward: a body for each of its nodes, the last one its far end."""
    cable = system.cables[link.name]
    order = -1 if link.reversed else 1
    segments = cable.segments(system)[::order]
    nodes = np.asarray(geometry.nodes[link.name], dtype=float)[::order]
    spare = 0
    if cable.winch is not None:
        spare = _add_winch(tables, system, link)
    near = tables.owners[link.near.owner_name]
    number, place = near.number, np.array(link.near.offset) - near.shift
    rows = [element_row(system.types[segment.type_name], system) for segment in segments]
    record = [len(tables.tree.ints), spare + len(rows), len(tables.elements), int(link.reversed)]
    index = list(system.cables).index(link.name)
    for slot in range(-spare, len(rows)):
        number = tables.tree.add(number, a.CABLE, place, element=len(tables.elements), cable=index)
        place = np.zeros(3)
        tables.elements.append(rows[max(slot, 0)])
        tables.lengths.append(segments[slot].length if slot >= 0 else 0.0)
        tables.stands(number, nodes[slot + 1] if slot >= 0 else nodes[0])
    tables.cables[link.name] = record
    tables.active[link.name] = len(rows)
    tables.first_axes[link.name] = first_axis(system, nodes, link)
    _add_attachments(tables, system, link, record[0] + spare, [segment.length for segment in segments])
    _hang(tables, system, geometry, link, number, nodes[-1])


def _hang(tables: Tables, system: System, geometry: Geometry, link: Link, number: int, end: np.ndarray) -> None:
    """What is at the far end of a cable: a point is its last node, a body turns freely about it."""
    name, shift = link.far.owner_name, np.array(link.far.offset)
    if not link.far.on_body:
        tables.water_at(number, False, hub_row(free_owner(system, name), system, np.zeros(3)))
        tables.owners[name] = Owner(number, np.zeros(3))
        return
    number = tables.tree.add(number, a.SPHERICAL)
    tables.stands(number, end, geometry.bodies[name].rotation)
    tables.water_at(number, True, hub_row(free_owner(system, name), system, -shift))
    tables.owners[name] = Owner(number, shift)


def _add_attachments(tables: Tables, system: System, link: Link, first: int, lengths: list[float]) -> None:
    """Share each clump weight and float between the two nodes beside it, by the lever rule."""
    cable = system.cables[link.name]
    if cable.attachments and cable.winch is not None:
        raise UnsupportedSystem(
            f"cables.{link.name}.attachments: the formulation 'multibody' carries none on a cable with a winch; use "
            "formulation: bars"
        )
    starts = np.concatenate(([0.0], np.cumsum(lengths)))
    for item in cable.attachments:
        at = starts[-1] - item.at if link.reversed else item.at
        i = min(int(np.searchsorted(starts, at, side="right")) - 1, len(lengths) - 1)
        part = (at - starts[i]) / lengths[i]
        for node, share in ((i, 1.0 - part), (i + 1, part)):
            if share > 0.0 and node > 0:
                row = lump_row(system, share, item.mass, item.volume, item.drag_area, item.added_mass)
                tables.water_at(first + node - 1, False, row)


def _add_winch(tables: Tables, system: System, link: Link) -> int:
    """A winch at the near end of a cable; returns how many elements are kept on its drum for later."""
    cable = system.cables[link.name]
    winch = cable.winch
    assert winch is not None
    if (winch.end == "end") != link.reversed:
        raise UnsupportedSystem(
            f"cables.{link.name}.winch.end: the formulation 'multibody' pays out at the end that hangs from something "
            f"held, the {'end' if link.reversed else 'start'}; put the winch there, or use formulation: bars"
        )
    least, greatest = cable.length_limits(system.simulation.duration)
    nominal = cable.drum_length
    schedule = winch.table or ([(0.0, winch.rate)] if winch.rate is not None else [])
    tables.winches_int.append([list(system.cables).index(link.name), len(tables.table), len(schedule)])
    marks = [winch.split, winch.merge, winch.merge_after_reversal]
    tables.winches.append([nominal, least, greatest, *marks, *control_row(winch)])
    tables.steered += control_state(winch)
    tables.winch_names.append(link.name)
    tables.table += [number for row in schedule for number in row]
    return max(0, math.ceil((greatest - cable.total_length) / nominal)) + 1


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
    for move in moves:
        plane = np.array([move[0], move[1], 0.0])
        if np.linalg.norm(plane) > 1e-9:
            return plane
    return np.array([1.0, 0.0, 0.0])


def assemble(tables: Tables, system: System) -> Built:
    """All rows as flat arrays, and the state at t = 0 but for the coordinates of cables and bodies hung from them."""
    tree, settings = tables.tree, system.simulation.multibody
    offset = len(tree.bases)
    records = {
        name: owner.number + offset if owner.number >= 0 else -1 - owner.number for name, owner in tables.owners.items()
    }
    sea = water.pack(system.environment)
    loads_int, loads = load_rows(tables, system, records)
    named = (*system.points, *system.bodies)
    header = np.zeros(a.HEADER, dtype=np.int64)
    for key, value in {
        a.N_BODIES: len(tree.ints), a.N_BASES: offset, a.N_CABLES: len(tables.cables),
        a.N_ELEMENTS: len(tables.elements), a.N_CONTROLS: len(tables.controls), a.N_MOVED: len(tables.moved),
        a.N_LOADS: len(loads), a.N_WATER: len(tables.water), a.N_WINCHES: len(tables.winches), a.N_NAMED: len(named),
        a.N_SEA: len(sea), a.N_TABLE: len(tables.table), a.N_POINTS: len(system.points),
        a.SLACK: _SLACK[settings.slack],
    }.items():  # fmt: skip
        header[key] = value
    header[a.N_Q], header[a.N_V] = tree.counts()
    header[a.N_STANDING] = len(tables.water) if system.environment.seabed is not None else 0
    a.set_offsets(header)
    water_int = [[number + offset, turns] for number, turns in tables.water_int]
    ints = np.concatenate(
        [header, tree.numbered().ravel()]
        + [
            np.array(rows, dtype=np.int64).ravel()
            for rows in (
                [tables.cables[name] for name in system.cables], [control.ints for control in tables.controls],
                tables.moved,
                loads_int, water_int, tables.winches_int, [records[name] for name in named],
            )
        ]
    ).astype(np.int64)  # fmt: skip
    centres = [-tables.owners[name].shift for name in named]
    reals = np.concatenate(
        [
            sea, [settings.theta, REBASE_ANGLE], *tree.reals, *tree.bases, *tables.elements,
            np.ravel([control.reals for control in tables.controls]), np.ravel(loads), *tables.water,
            np.ravel(tables.winches), *centres, tables.table,
        ]
    ).astype(np.float64)  # fmt: skip
    y0 = first_state(ints, tables, list(system.cables))
    old = np.array([tables.motion[j] for j in range(len(tree.ints))]).reshape(-1, a.OLD)
    inputs = dict(tables.inputs)
    for k, name in enumerate(tables.winch_names):
        inputs[f"{name}.winch.rate"] = slice(len(tables.controls) + k, len(tables.controls) + k + 1)
    names = [""] * len(tree.ints)
    for name, owner in tables.owners.items():
        if owner.number >= 0:
            names[owner.number] = name
    first_axes = np.array([tables.first_axes[name] for name in system.cables]).reshape(-1, 3)
    return Built(ints, reals, y0, old, first_axes, inputs, tuple(tables.winch_names), tuple(names))


def load_rows(tables: Tables, system: System, records: dict[str, int]) -> tuple[list[list[int]], list[list[float]]]:
    """Loads on free points and bodies (a load on a held point is carried by its support)."""
    ints, reals = [], []
    for i, load in enumerate(system.loads):
        place = system.place(load.point)
        if not place.is_free:
            continue
        if any(load.torque) and not place.on_body:
            raise UnsupportedSystem(
                f"loads[{i}].torque: points of the formulation 'multibody' do not turn; put it on a body, or use "
                "formulation: bars"
            )
        rows = load.table or ()
        ints.append([records[place.owner_name], len(tables.table), len(rows)])
        tables.table += [number for row in rows for number in row]
        reals.append([*load.force, *load.torque, *(np.array(place.offset) - tables.owners[place.owner_name].shift)])
    return ints, reals


def first_state(ints: np.ndarray, tables: Tables, cables: list[str]) -> np.ndarray:
    """The state at t = 0, at rest; turns and lengths of elements are folded in by a kernel."""
    y = np.zeros(sum(size for _, size, _, _ in a.state_parts(ints)))
    rows = ints[ints[a.I_BODIES] : ints[a.I_CABLES]].reshape(-1, a.BODY_INTS)
    for j, row in enumerate(rows):
        q = row[a.AT_Q]
        if row[a.KIND] in (a.FREE, a.TRANSLATION):
            y[q : q + 3] = tables.motion[j][9:12]
        if row[a.KIND] == a.FREE:
            y[q + 3 : q + 7] = from_matrix(tables.motion[j][:9].reshape(3, 3))
        if row[a.KIND] == a.SPHERICAL:
            y[q] = 1.0
        if row[a.KIND] == a.PRISMATIC:
            y[q] = tables.starts[j]
    for k, control in enumerate(tables.controls):
        at = ints[a.Y_CONTROLS] + 2 * k
        y[at : at + 2] = control.at_start()
    y[ints[a.Y_LENGTH] : ints[a.Y_FRAMES]] = tables.lengths
    y[ints[a.Y_FRAMES] : ints[a.Y_ACTIVE]].reshape(-1, 4)[:, 0] = 1.0
    y[ints[a.Y_ACTIVE] : ints[a.Y_RATE]] = [tables.active[name] for name in cables]
    y[ints[a.Y_STEERED] : ints[a.Y_EVENT]] = tables.steered
    y[ints[a.Y_SLACK] : ints[a.Y_STANDING]] = -1.0
    y[ints[a.Y_STANDING] : ints[a.Y_LEDGER]].reshape(-1, BED_MEMORY)[:, LANDED_AT] = -1.0
    y[ints[a.Y_CONTACT] : ints[a.Y_SLACK]].reshape(-1, 4)[:, :3] = [tables.motion[j][9:12] for j in range(len(rows))]
    return y
