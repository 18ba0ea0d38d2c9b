"""From a `System` and its first geometry to the flat arrays of the bars."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fairlead.algebra import block_cholesky, quaternion
from fairlead.algebra.records import Rows, Tables
from fairlead.loads.body_record import body_record, free_owner
from fairlead.loads.commands import Command, commands_of
from fairlead.model import Cable, CableType, System
from fairlead.model.anchors import HELD, held_on_bed
from fairlead.payout.control import control_row, control_state
from fairlead.sea import water
from fairlead.sea.tables import SEA_HEAD
from fairlead.shape.layout import Geometry

from .commands import control_rows
from .rows import bar_row, half_stiffness, joint_rows, lump_rows
from .schema import AUTO, COMMON_BETA, DAMPED, LITERAL, OFF, RULE, SCHEMA, UNDAMPED

_TUNING = {"rule": RULE, "common_beta": COMMON_BETA, "literal": LITERAL}
_GEOMETRIC = {"off": OFF, "undamped": UNDAMPED, "damped": DAMPED, "auto": AUTO}
_SPARE_BARS = 2
"""Bars allotted to a winch beyond what its greatest length needs: the one at the drum may be short."""


Record = dict[str, Any]
"""A row of a table, by the names of its fields."""


@dataclass
class Collected:
    """Rows collected while compiling."""

    prescribed: list[str]
    """Names of fixed and controlled points, prescribed bodies and those of their attachments that cables use."""
    hubs: list[str]
    """Names of free points and bodies."""
    cables: list[Record] = field(default_factory=list)
    bars: list[Record] = field(default_factory=list)
    joints: list[Record] = field(default_factory=list)
    ends: list[Record] = field(default_factory=list)
    bodies: list[Record] = field(default_factory=list)
    samples: list[float] = field(default_factory=list)
    lumps: list[Record] = field(default_factory=list)
    forces: list[np.ndarray] = field(default_factory=list)
    edges: list[tuple[int, int]] = field(default_factory=list)
    riders: list[Record] = field(default_factory=list)
    pairs: list[tuple[int, int]] = field(default_factory=list)
    winches: list[Record] = field(default_factory=list)
    drums: list[Record] = field(default_factory=list)
    controllers: list[list[float]] = field(default_factory=list)
    winch_states: list[Record] = field(default_factory=list)
    winch_rates: list[list[float]] = field(default_factory=list)
    pristine: list[Record] = field(default_factory=list)


@dataclass(frozen=True)
class Built:
    """Tables with the state at t = 0, names of the hubs, inputs."""

    tables: Tables
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
    found = Collected(prescribed, hubs)
    for name, cable in system.cables.items():
        add_cable(found, system, name, cable, rings, geometry)
    plan = block_cholesky.analyse(len(hubs), found.edges)

    def slot(row: int, column: int) -> int:
        """Where the block of two hubs stands; that of the transposed block is told by a negative number."""
        known = plan.slots.get((row, column))
        return known if known is not None else -plan.slots[(column, row)] - 1

    carried = 0
    for record in found.cables:
        for rider in found.riders[record["riders"] : record["riders"] + record["rider_count"]]:
            if record["end_hub"] not in (-1, rider["hub"]):
                rider["slot"] = slot(record["end_hub"], rider["hub"])
            rider["carried"] = carried
            carried += record["allotted_count"]

    commands = commands_of(system)
    inputs = list(commands)
    controls = control_rows(list(commands.values()), _driven_points(system, prescribed, inputs), found.samples)
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
    for k, record in enumerate(found.winches):
        slices[f"{list(system.cables)[record['cable']]}.winch.rate"] = slice(top + k, top + k + 1)
    loads, pushes = load_rows(system, hubs, found.samples, slices, top + len(found.winches))
    sea = water.pack(system.environment)
    settings = system.simulation.bars

    named = [-hubs.index(n) - 1 if n in hubs else prescribed.index(n) for n in (*system.points, *system.bodies)]
    hosts = list(system.cables)
    counts = {
        "bars": len(found.bars), "joints": len(found.joints), "cables": len(found.cables), "hubs": len(hubs),
        "hubs_and_one": len(hubs) + 1, "points": len(prescribed), "controlled": len(inputs), "loads": len(loads),
        "slots": plan.slot_count, "entries": len(plan.column_slots), "updates": len(plan.updates),
        "samples": len(found.samples), "carried": carried, "named": len(named), "lumps": len(found.lumps),
        "frames": len(frames), "hybrids": len(hybrids), "sliders": len(rings), "riders": len(found.riders),
        "pairs": len(found.pairs), "winches": len(found.winches), "pristine": len(found.pristine),
        "standing_hubs": len(hubs) if system.environment.seabed is not None else 0, "bodies": len(system.bodies),
        "sea_rows": len(sea) - SEA_HEAD,
    }  # fmt: skip
    t = SCHEMA.allocate(
        counts, tuning=_TUNING[settings.tuning], geometric=_GEOMETRIC[settings.geometric_stiffness],
        loosens=any(row["one_way"] for row in found.joints),
    )  # fmt: skip
    t.reals[: len(sea)] = sea
    t.settings.alpha, t.settings.epsilon, t.settings.theta = settings.alpha, settings.epsilon, settings.theta
    for table, rows in (
        (t.cable, found.cables), (t.control, controls), (t.load, loads), (t.push, pushes), (t.rider, found.riders),
        (t.winch, found.winches), (t.drum, found.drums), (t.winch_state, found.winch_states), (t.bar, found.bars),
        (t.joint, found.joints), (t.end, found.ends), (t.lump, found.lumps), (t.pristine_bar, found.pristine),
        (t.bar_state, found.bodies), (t.drive, [hybrid_row(system, name) for name in hybrids]),
        (t.ring, [slider_row(system, name) for name in rings]),
    ):  # fmt: skip
        fill(table, rows)
    t.order.hub, t.column_start.entry, t.update_start.update = plan.order, plan.column_start, plan.update_start
    t.column_row.hub, t.column_slot.slot, t.block("update")[:] = plan.column_rows, plan.column_slots, plan.updates
    t.name.which, t.owner.frame, t.sample.number = named, owners, found.samples
    t.pair.slot = [slot(row, column) for row, column in found.pairs]
    for k, (position, rotation) in enumerate(frames):
        t.frame.position[k], t.frame.rotation[k] = position, rotation
    for k, name in enumerate(hybrids):
        t.hybrid.hub[k], t.hybrid.control[k] = hubs.index(name), inputs.index(f"{name}.position")
    for k, (name, host) in enumerate(rings.items()):
        t.slider.ring[k], t.slider.host[k] = hubs.index(name), hosts.index(host)
    for k, name in enumerate(hubs):
        t.block("hub")[k] = body_record(free_owner(system, name), system)
    hold_massless(t)
    t.point.position = np.array(offsets).reshape(-1, 3)
    for k, command in enumerate(commands.values()):
        t.command.position[k], t.command.cutoff[k] = command.base, command.cutoff
    t.block("controller")[:] = np.array(found.controllers).reshape(t.block("controller").shape)
    t.block("winch_rate")[:] = np.array(found.winch_rates).reshape(t.block("winch_rate").shape)
    first_state(t, found, list(commands.values()), rings, system, geometry)
    return Built(t, tuple(hubs), slices)


def hold_massless(t: Tables) -> None:
    """A point without mass is of one piece with the first cable that ends in it: its element there pushes as well.

    Were all its joints loose at once, nothing would say where it goes. The first element of a cable has two joints of
    its own, at either end, the others that at their end.
    """
    held: set[int] = set()
    for c in range(t.cables):
        first, count = int(t.cable.first[c]) + c, int(t.cable.count[c])
        for hub, element in ((int(t.cable.start_hub[c]), 0), (int(t.cable.end_hub[c]), count - 1)):
            if hub >= 0 and hub not in held and t.hub.mass[hub] == 0.0:
                t.joint.one_way[first + (element + 1 if element else 0) : first + element + 2] = 0.0
                held.add(hub)


def fill(table: Rows, records: list[Record]) -> None:
    """Write the rows of a table, column by column."""
    for name in records[0] if records else ():
        setattr(table, name, [record[name] for record in records])


def _driven_points(system: System, prescribed: list[str], inputs: list[str]) -> list[int]:
    """Prescribed point that each command moves; −1 for hybrid points and bodies."""
    names = [name.rpartition(".")[0] for name in inputs]
    return [prescribed.index(n) if n in system.points and system.points[n].kind == "controlled" else -1 for n in names]


def hybrid_row(system: System, name: str) -> Record:
    """Drive of a hybrid point."""
    point = system.points[name]
    assert point.kind == "hybrid"
    return {
        "stiffness": point.stiffness, "damping": point.damper, "force_max": point.force_max,
        "tension_max": point.tension_max,
    }  # fmt: skip


def slider_row(system: System, name: str) -> Record:
    """Stiffness of a ring's rows across, of its friction's spring and stops (both the host's EA/L), and its μ."""
    point = system.points[name]
    assert point.kind == "sliding"
    stiffest = max(system.types[s.type_name].ea / s.length for s in system.cables[point.cable].segments(system))
    return {"across": stiffest, "grip": stiffest, "friction": point.friction}


@dataclass
class Laid:
    """A cable's bars in sweep order: constants, types, lengths, nodes, and what is spare at a drum."""

    rows: list[Record]
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


def lay(found: Collected, system: System, name: str, cable: Cable, geometry: Geometry, reverse: bool) -> Laid:
    """The bars of a cable in sweep order: from a prescribed point where it has one."""
    segments = cable.segments(system)
    kinds = [system.types[s.type_name] for s in segments]
    lengths = np.array([s.length for s in segments])
    rows = [bar_row(kind, length, system) for kind, length in zip(kinds, lengths, strict=True)]
    for i, lumps in lump_rows(cable, lengths, system).items():
        rows[i]["lump_first"], rows[i]["lump_count"] = len(found.lumps), len(lumps)
        found.lumps += lumps
    nodes = np.asarray(geometry.nodes[name], dtype=float)
    if reverse:
        rows, kinds, lengths, nodes = rows[::-1], kinds[::-1], lengths[::-1], nodes[::-1]
        for row in rows:
            for lump in found.lumps[int(row["lump_first"]) : int(row["lump_first"] + row["lump_count"])]:
                lump["offset"] *= -1.0
    winch, spare, drum_last = cable.winch, 0, False
    if winch is not None:
        drum_last = (winch.end == "end") != reverse
        if winch.mode == "drum":
            longest = length_limits(cable, system)[1]
            spare = max(0, math.ceil((longest - cable.total_length) / cable.drum_length)) + _SPARE_BARS
    return Laid(rows, kinds, lengths, nodes, reverse, spare, drum_last)


def add_cable(
    found: Collected, system: System, name: str, cable: Cable, rings: dict[str, str], geometry: Geometry
) -> None:
    """Add one cable in sweep order: from a prescribed point where it has one."""
    ends = [cable.start, cable.end]
    free = [system.place(end.point).is_free for end in ends]
    reverse = free[0] and not free[1]
    if reverse:
        ends = ends[::-1]
    laid = lay(found, system, name, cable, geometry, reverse)
    chords = np.diff(laid.nodes, axis=0)
    tangents = chords / np.linalg.norm(chords, axis=1)[:, None]
    frames = quaternion.along(tangents)
    index, count = len(found.cables), len(laid.rows)
    record: Record = {
        "first": len(found.bars) + laid.unused, "count": count, "reversed": int(reverse),
        "rotary": int(any(k.ei > 0 or k.gj > 0 for k in laid.kinds)), "allotted_first": len(found.bars),
        "allotted_count": count + laid.spare,
    }  # fmt: skip
    for side, (end, which) in enumerate(zip(ends, ("start", "end"), strict=True)):
        place = system.place(end.point)
        record[f"{which}_hub"] = found.hubs.index(place.owner_name) if place.is_free else -1
        record[f"{which}_point"] = found.prescribed.index(end.point) if not place.is_free else -1
        record[f"{which}_clamp"] = int(end.joint == "clamp")
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
        lever = place.offset if place.is_free else (0.0, 0.0, 0.0)
        found.ends.append({"frame": frame, "release_time": time, "release_tension": tension, "lever": lever})
    carried = [(found.hubs.index(ring), k) for k, (ring, host) in enumerate(rings.items()) if host == name]
    add_riders(found, record, carried)
    found.cables.append(record)
    if cable.winch is not None:
        add_winch(found, system, cable, index, record, laid)

    before, after = laid.unused, laid.spare - laid.unused
    drum = laid.nodes[-1 if laid.drum_last else 0]
    rest: Record = {"position": drum, "turn": (1.0, 0.0, 0.0, 0.0)}
    middles = 0.5 * (laid.nodes[1:] + laid.nodes[:-1])
    bodies: list[Record] = [{"position": p, "turn": q} for p, q in zip(middles, frames, strict=True)]
    spare_row = [laid.rows[-1 if laid.drum_last else 0]]
    found.bars += spare_row * before + laid.rows + spare_row * after
    joints = joint_rows(laid.kinds, laid.lengths, system)
    one_way = joints[-1 if laid.drum_last else 0]["one_way"]
    none = [{"stiffness": np.zeros(3), "damping": np.zeros(3), "one_way": one_way}]
    found.joints += none * before + joints + none * after
    pulls = np.asarray(geometry.tensions[name], dtype=float)[:: -1 if reverse else 1, None] * tangents
    forces = 0.5 * (np.vstack([pulls[:1], pulls]) + np.vstack([pulls, pulls[-1:]]))
    found.forces.append(np.vstack([np.zeros((before, 3)), forces, np.zeros((after, 3))]))
    found.bodies += [rest] * before + bodies + [rest] * after


def _in_body(frame: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    """A frame (quaternion) as seen from a body that is turned by `rotation` (3, 3)."""
    own = quaternion.from_matrix(rotation) * [1.0, -1.0, -1.0, -1.0]
    return np.array(quaternion.product.py_func(tuple(own), tuple(frame)))


def add_riders(found: Collected, record: Record, rings: list[tuple[int, int]]) -> None:
    """The hubs carried through a cable: that at its start where there is one, and the rings on it (hub, ring)."""
    riders = [(record["start_hub"], -1)] if record["start_hub"] >= 0 else []
    riders += rings
    record["riders"], record["rider_count"] = len(found.riders), len(riders)
    for k, (hub, ring) in enumerate(riders):
        found.riders.append({"hub": hub, "slider": ring, "carried": 0, "slot": 0, "pairs": len(found.pairs)})
        found.pairs += [(before, hub) for before, _ in riders[:k]]
        others = {before for before, _ in riders[:k]} | {record["end_hub"]}
        found.edges += [(other, hub) for other in others - {-1, hub}]


def length_limits(cable: Cable, system: System) -> tuple[float, float]:
    """Least and greatest length at which a winch stops; a bar beyond what its schedule reaches where none is given."""
    assert cable.winch is not None
    least, most = cable.length_limits(system.simulation.duration)
    return least, most if cable.winch.length_max is not None else most + cable.drum_length


def add_winch(found: Collected, system: System, cable: Cable, index: int, record: Record, laid: Laid) -> None:
    """Add the winch of a cable, and its bars at their nominal lengths."""
    winch = cable.winch
    assert winch is not None
    rows = 0 if winch.table is None else len(winch.table)
    least, most = length_limits(cable, system)
    found.winches.append(
        {
            "cable": index, "at_end": int(laid.drum_last), "rescaling": int(winch.mode == "rescale"),
            "allotted_first": record["allotted_first"], "allotted_count": record["allotted_count"],
            "pristine": len(found.pristine), "first": len(found.samples), "rows": rows,
        }
    )  # fmt: skip
    if winch.table is not None:
        found.samples += [number for row in winch.table for number in row]
    found.drums.append(
        {
            "shortest": least, "longest": most, "split_at": winch.split, "merge_at": winch.merge,
            "merge_after_split": winch.merge_after_reversal, "rate": winch.rate_at(0.0) if not rows else 0.0,
        }
    )  # fmt: skip
    found.controllers.append(control_row(winch))
    found.winch_rates.append(control_state(winch))
    first = 1.0 if winch.mode == "rescale" else float(laid.lengths[-1 if laid.drum_last else 0])
    found.winch_states.append({"paid_out": cable.total_length, "first_length": first, "count": float(len(laid.rows))})
    pristine = []
    for row, kind, length in zip(laid.rows, laid.kinds, laid.lengths, strict=True):
        halves = half_stiffness(kind, length)
        pristine.append(row | {"half_stiffness": halves[::2], "half_time": halves[1::2]})
    spare = [pristine[-1 if laid.drum_last else 0]]
    found.pristine += spare * laid.unused + pristine + spare * (laid.spare - laid.unused)


def load_rows(
    system: System, hubs: list[str], samples: list[float], slices: dict[str, slice], top: int
) -> tuple[list[Record], list[Record]]:
    """Loads on free points and bodies (a load on a held point is carried by its support); named ones get inputs."""
    loads: list[Record] = []
    pushes: list[Record] = []
    for load in system.loads:
        place = system.place(load.point)
        if not place.is_free:
            continue
        rows = load.table or ()
        named = top if load.name is not None else -1
        loads.append({"hub": hubs.index(place.owner_name), "first": len(samples), "rows": len(rows), "input": named})
        pushes.append({"force": load.force, "torque": load.torque, "lever": place.offset})
        samples += [number for row in rows for number in row]
        if load.name is not None:
            slices[f"{load.name}.force"], slices[f"{load.name}.torque"] = slice(top, top + 3), slice(top + 3, top + 6)
            top += 6
    return loads, pushes


def first_state(
    t: Tables, found: Collected, commands: list[Command], rings: dict[str, str], system: System, geometry: Geometry
) -> None:
    """The state at t = 0: all where it is first laid out and under its first tension, at rest but for moving points.

    Bars and winches are there already.
    """
    for h, name in enumerate(found.hubs):
        t.hub_state.turn[h, 0] = 1.0
        if name in geometry.bodies:
            t.hub_state.position[h] = geometry.bodies[name].position
            t.hub_state.turn[h] = quaternion.from_matrix(geometry.bodies[name].rotation)
        else:
            t.hub_state.position[h] = geometry.points[name]
    for k, command in enumerate(commands):
        t.controls.position[k], t.controls.velocity[k] = command.at_start()
    for k, (name, c) in enumerate(zip(rings, t.slider.host.tolist(), strict=True)):
        element = geometry.sliders[name].element
        if t.cable.reversed[c]:
            element = t.cable.count[c] - 1 - element
        t.ring_state.on_bar[k] = t.cable.first[c] + element
    t.multipliers.force = np.vstack(found.forces)
    t.attached.joined = 1.0
    t.slack_since.time = -1.0
    t.standing.landed_at = -1.0
    for c, cable in enumerate(system.cables.values()):
        held = held_on_bed(system, cable)[:: -1 if t.cable.reversed[c] else 1]
        first, last = t.cable.first[c], t.cable.first[c] + t.cable.count[c] - 1
        for end, side in ((2 * first, 0), (2 * last + 1, 1)):
            if held[side]:
                t.contact.normal_force[end] = HELD
