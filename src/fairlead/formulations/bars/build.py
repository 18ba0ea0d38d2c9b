"""From a `System` and its first geometry to the flat arrays of the bars."""

from __future__ import annotations

import math
from collections.abc import Sized
from dataclasses import dataclass, field

import numpy as np

from fairlead.algebra import block_cholesky, quaternion
from fairlead.loads.body_record import body_record, free_owner
from fairlead.loads.commands import Command, commands_of
from fairlead.loads.landing import LANDED_AT
from fairlead.model import Cable, CableType, System
from fairlead.model.anchors import HELD, held_on_bed
from fairlead.payout.control import control_row, control_state
from fairlead.sea import water
from fairlead.shape.layout import Geometry

from . import arrays as a
from .commands import control_rows
from .rows import bar_row, half_stiffness, joint_rows, lump_rows

_TUNING = {"rule": a.RULE, "common_beta": a.COMMON_BETA, "literal": a.LITERAL}
_GEOMETRIC = {"off": a.OFF, "undamped": a.UNDAMPED, "damped": a.DAMPED, "auto": a.AUTO}
_SPARE_BARS = 2
"""Bars allotted to a winch beyond what its greatest length needs: the one at the drum may be short."""


@dataclass
class Tables:
    """Rows collected while compiling."""

    prescribed: list[str]
    """Names of fixed and controlled points, prescribed bodies and those of their attachments that cables use."""
    hubs: list[str]
    """Names of free points and bodies."""
    cables: list[list[int]] = field(default_factory=list)
    bars: list[np.ndarray] = field(default_factory=list)
    joints: list[list[float]] = field(default_factory=list)
    ends: list[list[float]] = field(default_factory=list)
    bodies: list[np.ndarray] = field(default_factory=list)
    table: list[float] = field(default_factory=list)
    lumps: list[list[float]] = field(default_factory=list)
    forces: list[np.ndarray] = field(default_factory=list)
    edges: list[tuple[int, int]] = field(default_factory=list)
    riders: list[list[int]] = field(default_factory=list)
    pairs: list[tuple[int, int]] = field(default_factory=list)
    winches_int: list[list[int]] = field(default_factory=list)
    winches: list[list[float]] = field(default_factory=list)
    winch_states: list[list[float]] = field(default_factory=list)
    pristine: list[np.ndarray] = field(default_factory=list)


@dataclass(frozen=True)
class Built:
    """Compiled arrays and the state at t = 0."""

    ints: np.ndarray
    reals: np.ndarray
    y0: np.ndarray
    hubs: tuple[str, ...]
    inputs: dict[str, slice]


def clamp_frame(bar: np.ndarray, direction: np.ndarray | None) -> np.ndarray:
    """Rest frame of a clamp: the bar's own frame, turned the shortest way so that its axis follows `direction`."""
    if direction is None:
        return bar
    axis = np.array(quaternion.rotation.py_func(tuple(bar))).reshape(3, 3)[:, 2]
    goal = direction / np.linalg.norm(direction)
    c = 1.0 + float(axis @ goal)
    if c < 1e-9:
        return quaternion.from_axis(goal)
    turn = np.array([c, *np.cross(axis, goal)])
    return np.array(quaternion.product.py_func(turn / np.linalg.norm(turn), bar))


def build(system: System, geometry: Geometry) -> Built:
    """Compile the system."""
    used = [end.point for cable in system.cables.values() for end in (cable.start, cable.end)]
    places = [*system.points, *system.bodies, *dict.fromkeys(name for name in used if "." in name)]
    prescribed = [name for name in places if not system.place(name).is_free]
    hubs = [name for name in (*system.points, *system.bodies) if system.place(name).is_free]
    rings = {name: point.cable for name, point in system.points.items() if point.kind == "sliding"}
    tables = Tables(prescribed, hubs)
    for name, cable in system.cables.items():
        add_cable(tables, system, name, cable, rings, geometry)
    plan = block_cholesky.analyse(len(hubs), tables.edges)

    def slot(row: int, column: int) -> int:
        """Where the block of two hubs stands; that of the transposed block is told by a negative number."""
        found = plan.slots.get((row, column))
        return found if found is not None else -plan.slots[(column, row)] - 1

    for record in tables.cables:
        for rider in tables.riders[record[a.CABLE_RIDERS] : record[a.CABLE_RIDERS] + record[a.CABLE_RIDER_COUNT]]:
            if record[a.END_HUB] not in (-1, rider[a.RIDER_HUB]):
                rider[a.RIDER_SLOT] = slot(record[a.END_HUB], rider[a.RIDER_HUB])
    carried = 0
    for record in tables.cables:
        for rider in tables.riders[record[a.CABLE_RIDERS] : record[a.CABLE_RIDERS] + record[a.CABLE_RIDER_COUNT]]:
            rider[a.RIDER_CARRIED] = carried
            carried += record[a.CABLE_ALLOTTED_COUNT]

    commands = commands_of(system)
    inputs = list(commands)
    controls_int, controls = control_rows(
        list(commands.values()), _driven_points(system, prescribed, inputs), tables.table
    )
    bodies = [name for name, body in system.bodies.items() if body.kind == "prescribed"]
    frames = [[inputs.index(f"{name}.position"), inputs.index(f"{name}.rotation")] for name in bodies]
    owners = [bodies.index(name.partition(".")[0]) if name.partition(".")[0] in bodies else -1 for name in prescribed]
    offsets = [
        system.place(name).offset if owner >= 0 else geometry.points[name]
        for name, owner in zip(prescribed, owners, strict=True)
    ]
    hybrids = [name for name in hubs if name in system.points and system.points[name].kind == "hybrid"]
    slices = {name: slice(3 * k, 3 * k + 3) for k, name in enumerate(inputs)}
    top = 3 * len(inputs)
    for k, record in enumerate(tables.winches_int):
        slices[f"{list(system.cables)[record[0]]}.winch.rate"] = slice(top + k, top + k + 1)
    loads_int, loads = load_rows(system, hubs, tables.table, slices, top + len(tables.winches_int))
    sea = water.pack(system.environment)
    settings = system.simulation.bars

    header = np.zeros(a.HEADER, dtype=np.int64)
    counts: dict[int, Sized] = {
        a.N_BARS: tables.bars, a.N_CABLES: tables.cables, a.N_HUBS: hubs, a.N_POINTS: prescribed,
        a.N_CONTROLLED: inputs, a.N_LOADS: loads_int, a.N_ENTRIES: plan.column_slots, a.N_UPDATES: plan.updates,
        a.N_SEA: sea, a.N_TABLE: tables.table, a.N_NAMED: [*system.points, *system.bodies], a.N_LUMPS: tables.lumps,
        a.N_FRAMES: frames, a.N_HYBRIDS: hybrids, a.N_SLIDERS: rings, a.N_RIDERS: tables.riders,
        a.N_BODIES: system.bodies, a.N_PAIRS: tables.pairs, a.N_WINCHES: tables.winches_int,
        a.N_PRISTINE: tables.pristine,
    }  # fmt: skip
    for index, rows in counts.items():
        header[index] = len(rows)
    header[a.N_SLOTS], header[a.N_CARRIED] = plan.slot_count, carried
    header[a.N_STANDING] = len(hubs) if system.environment.seabed is not None else 0
    header[a.LOOSENS] = any(row[a.ONE_WAY] for row in tables.joints)
    header[a.TUNING], header[a.GEOMETRIC] = _TUNING[settings.tuning], _GEOMETRIC[settings.geometric_stiffness]
    a.set_offsets(header)
    named = [-hubs.index(n) - 1 if n in hubs else prescribed.index(n) for n in (*system.points, *system.bodies)]
    hosts = list(system.cables)
    ints = [
        header, tables.cables, controls_int, loads_int, plan.order, plan.column_start, plan.column_rows,
        plan.column_slots, plan.updates, plan.update_start, named, owners, frames,
        [[hubs.index(name), inputs.index(f"{name}.position")] for name in hybrids],
        [[hubs.index(name), hosts.index(cable)] for name, cable in rings.items()],
        tables.riders, [slot(row, column) for row, column in tables.pairs], tables.winches_int,
    ]  # fmt: skip
    parameters = np.zeros(a.SETTING_COUNT)
    parameters[a.ALPHA], parameters[a.EPSILON], parameters[a.THETA] = settings.alpha, settings.epsilon, settings.theta
    reals = [
        sea, parameters, tables.bars, tables.joints, tables.ends,
        [body_record(free_owner(system, name), system) for name in hubs],
        offsets, controls, loads, tables.lumps, tables.table, [hybrid_row(system, name) for name in hybrids],
        [slider_row(system, name) for name in rings], tables.winches, tables.pristine,
    ]  # fmt: skip
    flat_ints = np.concatenate([np.asarray(part, dtype=np.int64).ravel() for part in ints])
    flat_reals = np.concatenate([np.asarray(part, dtype=np.float64).ravel() for part in reals])
    y0 = first_state(flat_ints, tables, list(commands.values()), rings, system, geometry)
    return Built(flat_ints, flat_reals, y0, tuple(hubs), slices)


def _driven_points(system: System, prescribed: list[str], inputs: list[str]) -> list[int]:
    """Prescribed point that each command moves; −1 for hybrid points and bodies."""
    names = [name.rpartition(".")[0] for name in inputs]
    return [prescribed.index(n) if n in system.points and system.points[n].kind == "controlled" else -1 for n in names]


def hybrid_row(system: System, name: str) -> list[float]:
    """Drive of a hybrid point."""
    point = system.points[name]
    assert point.kind == "hybrid"
    return [point.stiffness, point.damper, point.force_max, point.tension_max]


def slider_row(system: System, name: str) -> list[float]:
    """Stiffness of a ring's rows across, of its friction's spring and stops (both the host's EA/L), and its μ."""
    point = system.points[name]
    assert point.kind == "sliding"
    stiffest = max(system.types[s.type_name].ea / s.length for s in system.cables[point.cable].segments(system))
    return [stiffest, stiffest, point.friction]


@dataclass
class Laid:
    """A cable's bars in sweep order: constants, types, lengths, nodes, and what is spare at a drum."""

    rows: list[np.ndarray]
    kinds: list[CableType]
    lengths: np.ndarray
    nodes: np.ndarray
    reverse: bool
    spare: int
    drum_last: bool

    @property
    def unused(self) -> int:
        """Spare bars before the first in use."""
        return 0 if self.drum_last else self.spare


def lay(tables: Tables, system: System, name: str, cable: Cable, geometry: Geometry, reverse: bool) -> Laid:
    """The bars of a cable in sweep order: from a prescribed point where it has one."""
    segments = cable.segments(system)
    kinds = [system.types[s.type_name] for s in segments]
    lengths = np.array([s.length for s in segments])
    rows = [bar_row(kind, length, system) for kind, length in zip(kinds, lengths, strict=True)]
    for i, lumps in lump_rows(cable, lengths, system).items():
        rows[i][a.LUMP_FIRST], rows[i][a.LUMP_COUNT] = len(tables.lumps), len(lumps)
        tables.lumps += lumps
    nodes = np.asarray(geometry.nodes[name], dtype=float)
    if reverse:
        rows, kinds, lengths, nodes = rows[::-1], kinds[::-1], lengths[::-1], nodes[::-1]
        for row in rows:
            for lump in tables.lumps[int(row[a.LUMP_FIRST]) : int(row[a.LUMP_FIRST] + row[a.LUMP_COUNT])]:
                lump[a.LUMP_OFFSET] *= -1.0
    winch, spare, drum_last = cable.winch, 0, False
    if winch is not None:
        drum_last = (winch.end == "end") != reverse
        if winch.mode == "drum":
            longest = length_limits(cable, system)[1]
            spare = max(0, math.ceil((longest - cable.total_length) / cable.drum_length)) + _SPARE_BARS
    return Laid(rows, kinds, lengths, nodes, reverse, spare, drum_last)


def add_cable(
    tables: Tables, system: System, name: str, cable: Cable, rings: dict[str, str], geometry: Geometry
) -> None:
    """Add one cable in sweep order: from a prescribed point where it has one."""
    ends = [cable.start, cable.end]
    free = [system.place(end.point).is_free for end in ends]
    reverse = free[0] and not free[1]
    if reverse:
        ends = ends[::-1]
    laid = lay(tables, system, name, cable, geometry, reverse)
    chords = np.diff(laid.nodes, axis=0)
    tangents = chords / np.linalg.norm(chords, axis=1)[:, None]
    frames = quaternion.along(tangents)
    index, count = len(tables.cables), len(laid.rows)
    record = [0] * a.CABLE_COLUMNS
    record[a.CABLE_ALLOTTED_FIRST], record[a.CABLE_ALLOTTED_COUNT] = len(tables.bars), count + laid.spare
    record[a.CABLE_FIRST], record[a.CABLE_COUNT] = len(tables.bars) + laid.unused, count
    record[a.CABLE_REVERSED] = int(reverse)
    record[a.CABLE_ROTARY] = int(any(k.ei > 0 or k.gj > 0 for k in laid.kinds))
    columns = ((a.START_HUB, a.START_POINT, a.START_CLAMP), (a.END_HUB, a.END_POINT, a.END_CLAMP))
    for side, (end, (hub, point, clamp)) in enumerate(zip(ends, columns, strict=True)):
        place = system.place(end.point)
        record[hub] = tables.hubs.index(place.owner_name) if place.is_free else -1
        record[point] = tables.prescribed.index(end.point) if not place.is_free else -1
        record[clamp] = int(end.joint == "clamp")
        direction = None
        if end.direction is not None:
            direction = np.array(end.direction) * (-1.0 if reverse else 1.0)
        frame = clamp_frame(frames[-1 if side else 0], direction)
        if place.on_body:  # a clamp at a body turns with it
            frame = _in_body(frame, geometry.bodies[place.owner_name].rotation)
        time, tension = math.inf, math.inf
        if end.release is not None:
            time = end.release.time if end.release.time is not None else math.inf
            tension = end.release.tension if end.release.tension is not None else math.inf
        tables.ends.append([*frame, time, tension, *(place.offset if place.is_free else (0.0, 0.0, 0.0))])
    carried = [(tables.hubs.index(ring), k) for k, (ring, host) in enumerate(rings.items()) if host == name]
    add_riders(tables, record, carried)
    tables.cables.append(record)
    if cable.winch is not None:
        add_winch(tables, system, cable, index, record, laid)

    before, after = laid.unused, laid.spare - laid.unused
    drum = laid.nodes[-1 if laid.drum_last else 0]
    rest = np.concatenate((drum, [1.0, 0, 0, 0], np.zeros(6)))
    middles = 0.5 * (laid.nodes[1:] + laid.nodes[:-1])
    bodies = [np.concatenate((middle, frame, np.zeros(6))) for middle, frame in zip(middles, frames, strict=True)]
    spare_row = [laid.rows[-1 if laid.drum_last else 0]]
    tables.bars += spare_row * before + laid.rows + spare_row * after
    joints = joint_rows(laid.kinds, laid.lengths, system)
    none = [[0.0] * a.ONE_WAY + joints[-1 if laid.drum_last else 0][a.ONE_WAY :]]
    tables.joints += none * before + joints + none * after
    pulls = np.asarray(geometry.tensions[name], dtype=float)[:: -1 if reverse else 1, None] * tangents
    forces = 0.5 * (np.vstack([pulls[:1], pulls]) + np.vstack([pulls, pulls[-1:]]))
    tables.forces.append(np.vstack([np.zeros((before, 3)), forces, np.zeros((after, 3))]))
    tables.bodies += [rest] * before + bodies + [rest] * after


def _in_body(frame: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    """A frame (quaternion) as seen from a body that is turned by `rotation` (3, 3)."""
    own = quaternion.from_matrix(rotation) * [1.0, -1.0, -1.0, -1.0]
    return np.array(quaternion.product.py_func(tuple(own), tuple(frame)))


def add_riders(tables: Tables, record: list[int], rings: list[tuple[int, int]]) -> None:
    """The hubs carried through a cable: that at its start where there is one, and the rings on it (hub, ring)."""
    riders = [(record[a.START_HUB], -1)] if record[a.START_HUB] >= 0 else []
    riders += rings
    record[a.CABLE_RIDERS], record[a.CABLE_RIDER_COUNT] = len(tables.riders), len(riders)
    for k, (hub, ring) in enumerate(riders):
        row = [0] * a.RIDER_INTS
        row[a.RIDER_HUB], row[a.RIDER_SLIDER], row[a.RIDER_PAIRS] = hub, ring, len(tables.pairs)
        tables.riders.append(row)
        tables.pairs += [(before, hub) for before, _ in riders[:k]]
        others = {before for before, _ in riders[:k]} | {record[a.END_HUB]}
        tables.edges += [(other, hub) for other in others - {-1, hub}]


def length_limits(cable: Cable, system: System) -> tuple[float, float]:
    """Least and greatest length at which a winch stops; a bar beyond what its schedule reaches where none is given."""
    assert cable.winch is not None
    least, most = cable.length_limits(system.simulation.duration)
    return least, most if cable.winch.length_max is not None else most + cable.drum_length


def add_winch(tables: Tables, system: System, cable: Cable, index: int, record: list[int], laid: Laid) -> None:
    """Add the winch of a cable, and its bars at their nominal lengths."""
    winch = cable.winch
    assert winch is not None
    rows = 0 if winch.table is None else len(winch.table)
    least, most = length_limits(cable, system)
    tables.winches_int.append(
        [
            index, int(laid.drum_last), int(winch.mode == "rescale"), record[a.CABLE_ALLOTTED_FIRST],
            record[a.CABLE_ALLOTTED_COUNT], len(tables.pristine), len(tables.table), rows,
        ]
    )  # fmt: skip
    if winch.table is not None:
        tables.table += [number for row in winch.table for number in row]
    tables.winches.append(
        [
            least, most, winch.split, winch.merge, winch.merge_after_reversal, winch.rate_at(0.0) if not rows else 0.0,
            *control_row(winch),
        ]
    )  # fmt: skip
    first = 1.0 if winch.mode == "rescale" else float(laid.lengths[-1 if laid.drum_last else 0])
    tables.winch_states.append([cable.total_length, first, float(len(laid.rows)), 0.0, 0.0, *control_state(winch)])
    pristine = [
        np.concatenate((row, half_stiffness(kind, length)))
        for row, kind, length in zip(laid.rows, laid.kinds, laid.lengths, strict=True)
    ]
    spare = [pristine[-1 if laid.drum_last else 0]]
    tables.pristine += spare * laid.unused + pristine + spare * (laid.spare - laid.unused)


def load_rows(
    system: System, hubs: list[str], table: list[float], slices: dict[str, slice], top: int
) -> tuple[np.ndarray, np.ndarray]:
    """Loads on free points and bodies (a load on a held point is carried by its support); named ones get inputs."""
    loads = [load for load in system.loads if system.place(load.point).is_free]
    ints = np.zeros((len(loads), a.LOAD_INTS), dtype=np.int64)
    reals = np.zeros((len(loads), a.LOAD_REALS))
    for k, load in enumerate(loads):
        place = system.place(load.point)
        ints[k, 0], ints[k, 3] = hubs.index(place.owner_name), -1
        reals[k] = *load.force, *load.torque, *place.offset
        if load.table is not None:
            ints[k, 1:3] = len(table), len(load.table)
            table += [number for row in load.table for number in row]
        if load.name is not None:
            ints[k, 3] = top
            slices[f"{load.name}.force"], slices[f"{load.name}.torque"] = slice(top, top + 3), slice(top + 3, top + 6)
            top += 6
    return ints, reals


def first_state(
    ints: np.ndarray, tables: Tables, commands: list[Command], rings: dict[str, str], system: System, geometry: Geometry
) -> np.ndarray:
    """The state at t = 0: all where it is first laid out and under its first tension, at rest but for moving points."""
    y = np.zeros(sum(size for _, size, _, _ in a.state_parts(ints)))
    state = a.state_of(ints, y)
    state.bars[:] = np.array(tables.bodies)
    for row, name in zip(state.hubs, tables.hubs, strict=True):
        row[3] = 1.0
        if name in geometry.bodies:
            row[:3] = geometry.bodies[name].position
            row[3:7] = quaternion.from_matrix(geometry.bodies[name].rotation)
        else:
            row[:3] = geometry.points[name]
    for row, command in zip(state.controls, commands, strict=True):
        row[:3], row[3:] = command.at_start()
    for row, (name, host) in zip(state.sliders, rings.items(), strict=True):
        record = tables.cables[list(system.cables).index(host)]
        element = geometry.sliders[name].element
        if record[a.CABLE_REVERSED]:
            element = record[a.CABLE_COUNT] - 1 - element
        row[0] = record[a.CABLE_FIRST] + element
    state.winches[:] = np.array(tables.winch_states).reshape(-1, a.WINCH_STATE)
    state.multipliers[:] = np.vstack(tables.forces)
    state.attached[:] = 1.0
    state.slack_since[:] = -1.0
    state.standing[:, LANDED_AT] = -1.0
    for record, cable in zip(tables.cables, system.cables.values(), strict=True):
        held = held_on_bed(system, cable)[:: -1 if record[a.CABLE_REVERSED] else 1]
        last = record[a.CABLE_FIRST] + record[a.CABLE_COUNT] - 1
        for bar, side in ((record[a.CABLE_FIRST], 0), (last, 1)):
            if held[side]:
                state.contact[bar, side, 3] = HELD
    return y
