"""From a `System` and its first geometry to the flat arrays of the bars."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fairlead.algebra import block_cholesky, quaternion
from fairlead.algebra.lanes import WIDTH
from fairlead.algebra.records import Tables
from fairlead.model import Cable, CableType, System
from fairlead.model.anchors import HELD, held_on_bed
from fairlead.model.places import Place
from fairlead.rigging.floater_rows import Floating
from fairlead.rigging.hubs import Built, add_prescribed, fill_hubs, hub_counts, hub_names, release_row
from fairlead.rigging.point_loads import load_rows
from fairlead.rigging.rope_rows import NO_ROPE, add_ropes
from fairlead.rigging.rows import Collected, Row
from fairlead.rigging.winches import add_winches, winch_rows
from fairlead.shape.layout import Geometry

from .rows import bar_row, half_stiffness, joint_rows, lump_rows
from .schema import AUTO, COMMON_BETA, DAMPED, LITERAL, OFF, RULE, SCHEMA, UNDAMPED
from .slider import FIRM

_TUNING = {"rule": RULE, "common_beta": COMMON_BETA, "literal": LITERAL}
_GEOMETRIC = {"off": OFF, "undamped": UNDAMPED, "damped": DAMPED, "auto": AUTO}
_SPARE_BARS = 2
"""Bars allotted to a winch beyond what its greatest length needs: the one at the drum may be short."""


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


def takes_second_order(system: System) -> bool:
    """Whether the semi-implicit step is the second-order one: by default not where rings slide on cables, since a ring
    under load vibrates on its line and only the first-order step damps that."""
    settings = system.simulation.bars
    rings = any(point.kind == "sliding" for point in system.points.values())
    return settings.is_second_order and (settings.scheme is not None or not rings)


def build(system: System, geometry: Geometry) -> Built:
    """Compile the system."""
    used = [end.point for cable in system.cables.values() for end in (cable.start, cable.end)]
    places = [*system.points, *system.bodies, *dict.fromkeys(name for name in used if "." in name)]
    prescribed = [name for name in places if not system.place(name).is_free]
    hubs = hub_names(system)
    rings = {name: point.cable for name, point in system.points.items() if point.kind == "sliding"}
    found = Collected()
    found.prescribed, found.hubs = prescribed, hubs
    found.rope_of = add_ropes(system, found)
    for name, cable in system.cables.items():
        add_cable(found, system, name, cable, rings, geometry)
    floating = Floating.of(system, hubs, geometry.axes)
    plan = block_cholesky.analyse(len(hubs), [*found.edges, *floating.edges])
    afloat = floating.collect(found, plan)

    carried = 0
    for record in found.cable:
        for rider in found.rider[record["riders"] : record["riders"] + record["rider_count"]]:
            if record["end_hub"] not in (-1, rider["hub"]):
                rider["slot"] = plan.slot(record["end_hub"], rider["hub"])
            rider["carried"] = carried
            carried += record["allotted_count"]

    slices = add_prescribed(found, system, geometry)
    movers = {row["point"]: k for k, row in enumerate(found.control)}
    for k, row in enumerate(found.owner):
        row["control"] = movers.get(k, -1) if row["frame"] < 0 else found.frame[row["frame"]]["position"]
    found.slider = [{"ring": hubs.index(name), "host": list(system.cables).index(host)} for name, host in rings.items()]
    found.ring = [slider_row(system, name) for name in rings]
    add_winches(found, found.winches, slices, "drum", "winch_rate")

    def hub_of(place: Place, name: str) -> Row | None:
        return {"hub": hubs.index(place.owner_name)} if place.is_free else None

    found.load, found.push = load_rows(system, hub_of, lambda place, name: True, found.sample, slices)
    settings = system.simulation.bars
    found.pair = [plan.slot(row, column) for row, column in found.pairs]
    counts = {
        **hub_counts(system, plan), "carried": carried, "creeping": len(found.joint) if found.rope else 0,
        "abreast": WIDTH, "turning": len(found.joint) if turns(found.cable) else 0, **afloat,
    }  # fmt: skip
    t = found.tables(
        SCHEMA, system.environment, counts, tuning=_TUNING[settings.tuning],
        geometric=_GEOMETRIC[settings.geometric_stiffness], loosens=any(row["one_way"] for row in found.joint),
        second=takes_second_order(system),
    )  # fmt: skip
    t.settings.alpha, t.settings.epsilon, t.settings.theta = settings.alpha, settings.epsilon, settings.theta
    t.settings.wave_reach = math.inf if settings.wave_reach is None else settings.wave_reach
    fill_hubs(t, plan, hubs, system, geometry)
    hold_massless(t)
    first_state(t, found, rings, system, geometry)
    return Built(t, tuple(hubs), slices, floating.names)


def turns(cables: list[Row]) -> bool:
    """Whether any joint of these cables has rotation rows."""
    return any(row["rotary"] or row["start_clamp"] or row["end_clamp"] for row in cables)


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


def slider_row(system: System, name: str) -> Row:
    """Stiffness of a ring's rows across, of its friction's spring and stops (both the host's EA/L), its μ, and the
    host's EI/L."""
    point = system.points[name]
    assert point.kind == "sliding"
    segments = [(system.types[s.type_name], s.length) for s in system.cables[point.cable].segments(system)]
    stiffest = max(kind.ea / length for kind, length in segments)
    bending = max(kind.ei / length for kind, length in segments)
    return {"across": stiffest, "grip": stiffest, "friction": point.friction, "bending": bending}


@dataclass
class Laid:
    """A cable's bars in sweep order: constants, types, lengths, nodes, and what is spare at a drum."""

    rows: list[Row]
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
        rows[i]["lump_first"], rows[i]["lump_count"] = len(found.lump), len(lumps)
        found.lump += lumps
    nodes = np.asarray(geometry.nodes[name], dtype=float)
    if reverse:
        rows, kinds, lengths, nodes = rows[::-1], kinds[::-1], lengths[::-1], nodes[::-1]
        for row in rows:
            for lump in found.lump[int(row["lump_first"]) : int(row["lump_first"] + row["lump_count"])]:
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
    count = len(laid.rows)
    record: Row = {
        "first": len(found.bar) + laid.unused, "count": count, "reversed": int(reverse),
        "rotary": int(any(k.ei > 0 or k.gj > 0 for k in laid.kinds)), "allotted_first": len(found.bar),
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
        lever = place.offset if place.is_free else (0.0, 0.0, 0.0)
        found.end.append({"frame": frame, **release_row(end), "lever": lever})
    carried = [(found.hubs.index(ring), k) for k, (ring, host) in enumerate(rings.items()) if host == name]
    add_riders(found, record, carried)
    found.cable.append(record)
    if cable.winch is not None:
        add_winch(found, system, name, cable, record, laid)

    before, after = laid.unused, laid.spare - laid.unused
    drum = laid.nodes[-1 if laid.drum_last else 0]
    rest: Row = {"position": drum, "turn": (1.0, 0.0, 0.0, 0.0)}
    middles = 0.5 * (laid.nodes[1:] + laid.nodes[:-1])
    bodies: list[Row] = [{"position": p, "turn": q} for p, q in zip(middles, frames, strict=True)]
    spare_row = [laid.rows[-1 if laid.drum_last else 0]]
    found.bar += spare_row * before + laid.rows + spare_row * after
    joints = joint_rows(laid.kinds, laid.lengths, system, found.rope_of)
    one_way = joints[-1 if laid.drum_last else 0]["one_way"]
    rope: Row = {"rope": NO_ROPE, "rope_length": 0.0, "beside": 0.0}
    none = [{"stiffness": np.zeros(3), "damping": np.zeros(3), "one_way": one_way, **rope}]
    found.joint += none * before + joints + none * after
    pulls = np.asarray(geometry.tensions[name], dtype=float)[:: -1 if reverse else 1, None] * tangents
    forces = 0.5 * (np.vstack([pulls[:1], pulls]) + np.vstack([pulls, pulls[-1:]]))
    found.forces.append(np.vstack([np.zeros((before, 3)), forces, np.zeros((after, 3))]))
    found.bar_state += [rest] * before + bodies + [rest] * after


def _in_body(frame: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    """A frame (quaternion) as seen from a body that is turned by `rotation` (3, 3)."""
    own = quaternion.from_matrix(rotation) * [1.0, -1.0, -1.0, -1.0]
    return np.array(quaternion.product.py_func(tuple(own), tuple(frame)))


def add_riders(found: Collected, record: Row, rings: list[tuple[int, int]]) -> None:
    """The hubs carried through a cable: that at its start where there is one, and the rings on it (hub, ring)."""
    riders = [(record["start_hub"], -1)] if record["start_hub"] >= 0 else []
    riders += rings
    record["riders"], record["rider_count"] = len(found.rider), len(riders)
    for k, (hub, ring) in enumerate(riders):
        found.rider.append({"hub": hub, "slider": ring, "carried": 0, "slot": 0, "pairs": len(found.pairs)})
        found.pairs += [(before, hub) for before, _ in riders[:k]]
        others = {before for before, _ in riders[:k]} | {record["end_hub"]}
        found.edges += [(other, hub) for other in others - {-1, hub}]


def length_limits(cable: Cable, system: System) -> tuple[float, float]:
    """Least and greatest length at which a winch stops; a bar beyond what its schedule reaches where none is given."""
    assert cable.winch is not None
    least, most = cable.length_limits(system.simulation.duration)
    return least, most if cable.winch.length_max is not None else most + cable.drum_length


def add_winch(found: Collected, system: System, name: str, cable: Cable, record: Row, laid: Laid) -> None:
    """Add the winch of a cable, and its bars at their nominal lengths."""
    winch = cable.winch
    assert winch is not None
    rows = winch_rows(
        system, name, found.sample, length_limits(cable, system)[1], at_end=laid.drum_last,
        rescaling=winch.mode == "rescale", allotted_first=record["allotted_first"],
        allotted_count=record["allotted_count"], pristine=len(found.pristine_bar),
    )  # fmt: skip
    found.winches.append(rows)
    first = 1.0 if winch.mode == "rescale" else float(laid.lengths[-1 if laid.drum_last else 0])
    found.winch_state.append({"paid_out": cable.total_length, "first_length": first, "count": float(len(laid.rows))})
    pristine = []
    for row, kind, length in zip(laid.rows, laid.kinds, laid.lengths, strict=True):
        halves = half_stiffness(kind, length)
        pristine.append(row | {"half_stiffness": halves[::2], "half_time": halves[1::2]})
    spare = [pristine[-1 if laid.drum_last else 0]]
    found.pristine_bar += spare * laid.unused + pristine + spare * (laid.spare - laid.unused)


def first_state(t: Tables, found: Collected, rings: dict[str, str], system: System, geometry: Geometry) -> None:
    """The state at t = 0: all where it is first laid out and under its first tension, at rest but for moving points.

    Bars, hubs, controls and winches are there already.
    """
    for k, (name, c) in enumerate(zip(rings, t.slider.host.tolist(), strict=True)):
        element = geometry.sliders[name].element
        if t.cable.reversed[c]:
            element = t.cable.count[c] - 1 - element
        t.ring_state.on_bar[k] = t.ring_state.left[k] = bar = t.cable.first[c] + element
        t.ring_state.pull[k] = np.linalg.norm(np.vstack(found.forces)[bar + c : bar + c + 2], axis=1).mean()
        t.ring_state.short[k] = -t.ring_state.pull[k] / (FIRM * t.ring.across[k])  # stretched by its pull
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
