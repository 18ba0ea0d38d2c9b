"""From a `System` and its first geometry to the tables of the tether."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fairlead.algebra import quaternion
from fairlead.algebra.records import Tables
from fairlead.formulations.hanging import hung_rows
from fairlead.loads import drag
from fairlead.loads.body_record import free_owner
from fairlead.loads.commands import point_command
from fairlead.loads.end_motion import control_records
from fairlead.loads.hung_body import HUNG_OFFSET
from fairlead.model import Cable, CableType, System
from fairlead.model.anchors import held_on_bed
from fairlead.sea import water
from fairlead.sea.tables import SEA_HEAD
from fairlead.shape.layout import Geometry

from .gains import Gains, Mesh, substeps_for, suggest
from .schema import (
    CONTROLLED, DIFFERENCE, ELASTIC, EXACT, FIXED, FORMULA, FREE, HUNG, LENGTH_ITSELF, NODE_DRAG, SCHEMA, STRAIN,
    TENSION_ONLY, TEXT, TO_DISTANCE, TWO_WAY,
)  # fmt: skip
from .start import paper_nodes

_PAPER = {
    "error": "paper", "rate": "difference", "aim": "length", "masses": "equal", "drag": "nodes", "first_shape": "paper",
}  # fmt: skip
_CORRECTED = {
    "error": "strain", "rate": "velocity", "aim": "elastic", "masses": "tributary", "drag": "morison",
    "first_shape": "chain",
}  # fmt: skip
_POINT_KIND = {"free": FREE, "fixed": FIXED, "controlled": CONTROLLED}


def definitions(system: System) -> dict[str, str]:
    """Which definition of the tether is in force, by the names of its settings."""
    settings = system.simulation.tether
    chosen = _PAPER if settings.mode == "paper" else _CORRECTED
    return {name: getattr(settings, name) or value for name, value in chosen.items()}


def tension_only(system: System) -> bool:
    """Whether links go slack instead of pushing: as the file says, else where nothing is stiff in bending.

    Links that keep their length whatever they bear, as the paper's do, are rods unless the file says otherwise.
    """
    settings = system.simulation.tether
    if settings.tension_only is not None:
        return settings.tension_only
    used = {segment.type_name for cable in system.cables.values() for segment in cable.segments(system)}
    return settings.mode == "corrected" and not settings.keeps_length and all(system.types[k].ei == 0 for k in used)


@dataclass
class Collected:
    """Rows collected while compiling, by the names of their fields, and what else is known of links and nodes."""

    cables: list[dict[str, Any]] = field(default_factory=list)
    nodes: list[dict[str, Any]] = field(default_factory=list)
    carried: list[dict[str, Any]] = field(default_factory=list)
    links: list[dict[str, Any]] = field(default_factory=list)
    joints: list[dict[str, Any]] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    places: list[np.ndarray] = field(default_factory=list)
    tensions: list[np.ndarray] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    signals: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Built:
    """The compiled system with its state at t = 0, the gains, and how many steps are made for one of the file's."""

    tables: Tables
    gains: Gains
    substeps: int
    inputs: dict[str, slice]


def half_link(kind: CableType, length: float, system: System, law: str) -> dict[str, Any]:
    """Constants that half a link gives to a node; all of them add up but the sizes."""
    env, d = system.environment, kind.diameter
    share = 0.5 * length
    displaced = env.water_density * kind.area * share
    row: dict[str, Any] = dict.fromkeys(SCHEMA.table["node"].fields, 0.0)
    mass = kind.mass_per_metre * share
    row |= {"mass": mass, "share": share, "diameter": d, "weight": mass * env.gravity, "lift": displaced * env.gravity}
    row["reynolds"] = d / env.viscosity
    pressure = 0.5 * env.water_density * d * share
    if law == "morison":
        row |= {"added_normal": kind.added_mass.normal * displaced, "added_axial": kind.added_mass.axial * displaced}
    if kind.drag == "none":
        row["drag_law"] = drag.NONE
    elif kind.drag == "reynolds":
        row |= {"drag_law": drag.REYNOLDS, "drag_normal": pressure, "drag_axial": math.pi * pressure}
    else:
        round_about = math.pi if kind.drag.axial_area == "surface" else 1.0
        row["drag_law"] = drag.CONSTANT
        row |= {"drag_normal": pressure * kind.drag.normal, "drag_axial": pressure * round_about * kind.drag.axial}
    if law == "nodes" and (system.simulation.tether.drag_factor is not None or kind.drag != "none"):
        factor = system.simulation.tether.drag_factor
        usual = pressure * (kind.drag.normal if not isinstance(kind.drag, str) else 1.2)
        row |= {"drag_law": NODE_DRAG, "drag_normal": usual if factor is None else 0.5 * factor}
    bed = env.seabed
    if bed is not None:
        footprint = kind.contact_diameter * share
        row["radius"] = 0.5 * kind.contact_diameter
        row["bed_stiffness"], row["bed_damping"] = bed.stiffness * footprint, bed.damping * footprint
        row["bed_shear"] = bed.friction_stiffness * footprint
    return row


_SIZES = ("drag_law", "reynolds", "diameter", "radius")
"""What of a node its two half links do not add up to: the larger one counts."""


def joined(left: dict[str, Any] | None, right: dict[str, Any] | None) -> dict[str, Any]:
    """A node made of the half links on its two sides."""
    if left is None or right is None:
        only = left if left is not None else right
        assert only is not None
        return dict(only)
    return {name: max(one, right[name]) if name in _SIZES else one + right[name] for name, one in left.items()}


def add_cable(rows: Collected, system: System, name: str, cable: Cable, points: list[str], geometry: Geometry) -> None:
    """Add one cable, from its start to its end."""
    chosen = definitions(system)
    segments = cable.segments(system)
    kinds = [system.types[s.type_name] for s in segments]
    lengths = np.array([s.length for s in segments])
    halves = [half_link(kind, length, system, chosen["drag"]) for kind, length in zip(kinds, lengths, strict=True)]
    nodes = [joined(left, right) for left, right in zip([None, *halves], [*halves, None], strict=True)]
    if chosen["masses"] == "equal":
        for column in ("mass", "weight", "lift"):
            total = sum(float(row[column]) for row in nodes)
            for row in nodes:
                row[column] = total / len(nodes)
    ends = [system.place(end.point).owner_name for end in (cable.start, cable.end)]
    for row, held in zip((nodes[0], nodes[-1]), held_on_bed(system, cable), strict=True):
        if held:
            row |= {"bed_stiffness": 0.0, "bed_damping": 0.0, "bed_shear": 0.0}
    rows.cables.append(
        {
            "node": len(rows.nodes), "link": len(rows.links), "count": len(kinds), "start": points.index(ends[0]),
            "end": points.index(ends[1]), "bends": any(kind.ei > 0 for kind in kinds) and len(kinds) > 1,
        }
    )  # fmt: skip
    rows.nodes += nodes
    rows.carried += attachments(rows, cable, lengths, system)
    rows.links += [{"length": length, "stiffness": kind.ea} for length, kind in zip(lengths, kinds, strict=True)]
    rows.times += [kind.damping_axial for kind in kinds]
    inner = [
        {"stiffness": 0.5 * (a.ei + b.ei) / (0.5 * (l1 + l2)), "time": 0.5 * (a.damping_bending + b.damping_bending)}
        for a, b, l1, l2 in zip(kinds, kinds[1:], lengths, lengths[1:], strict=False)
    ]
    free = {"stiffness": 0.0, "time": 0.0}
    rows.joints += [free, *inner, free]
    places = np.asarray(geometry.nodes[name], dtype=float)
    tensions = np.asarray(geometry.tensions[name], dtype=float)
    if chosen["first_shape"] == "paper":
        places = paper_nodes(places[0], places[-1], float(lengths.sum()), len(lengths), f"cables.{name}")
        tensions = np.zeros(len(lengths))
    rows.places.append(places)
    rows.tensions.append(tensions)


def attachments(rows: Collected, cable: Cable, lengths: np.ndarray, system: System) -> list[dict[str, Any]]:
    """Which bodies each node carries: each clump weight and float is shared between the two nodes beside it, by the
    lever rule."""
    starts = np.concatenate(([0.0], np.cumsum(lengths)))
    held: dict[int, list[dict[str, Any]]] = {}
    for item in cable.attachments:
        i = min(int(np.searchsorted(starts, item.at, side="right")) - 1, len(lengths) - 1)
        part = (item.at - starts[i]) / lengths[i]
        for node, share in ((i, 1.0 - part), (i + 1, part)):
            if share > 0.0:
                numbers = (item.mass, item.volume, item.drag_area, item.added_mass)
                held.setdefault(node, []).append(body_row(system, *(share * number for number in numbers)))
    carried = [{"first": 0, "count": 0} for _ in starts]
    for node, bodies in held.items():
        carried[node] = {"first": len(rows.bodies), "count": len(bodies)}
        rows.bodies += bodies
    return carried


def body_row(system: System, mass: float, volume: float, drag_area: float, added_mass: float) -> dict[str, Any]:
    """A compact body."""
    rho, g = system.environment.water_density, system.environment.gravity
    height = max(0.1, (6.0 * volume / math.pi) ** (1.0 / 3.0))
    added = added_mass if rho > 0 else 0.0
    return {"mass": mass, "added": added, "lift": rho * g * volume, "drag": 0.5 * rho * drag_area, "height": height}


def build(system: System, geometry: Geometry) -> Built:
    """Compile the system."""
    points = [*system.points, *system.bodies]
    rows = Collected()
    for name, cable in system.cables.items():
        add_cable(rows, system, name, cable, points, geometry)
    point_rows = points_of(system, rows)
    controls = control_records(system, _controlled(system), rows.signals)
    winches, drums = winches_of(system, rows.signals)
    inputs = {f"{name}.position": slice(3 * k, 3 * k + 3) for k, name in enumerate(_controlled(system))}
    for k, name in enumerate((name for name, cable in system.cables.items() if cable.winch), 3 * len(controls.ints)):
        inputs[f"{name}.winch.rate"] = slice(k, k + 1)
    loads, pushes = loads_of(system, points, rows.signals, inputs, 3 * len(controls.ints) + len(winches))
    for cable_row in rows.cables:
        _carry_end_bodies(rows, cable_row, point_rows)
    mesh, settings = mesh_of(system, rows, points), system.simulation.tether
    substeps = settings.substeps or 1
    if settings.substeps is None and settings.mode == "corrected":
        load = expected_load(system, geometry)
        substeps = substeps_for(mesh, system.simulation.step, load, settings.proportional, settings.derivative)
    h = system.simulation.step / substeps
    gains = suggest(mesh, h, settings.proportional, settings.derivative, settings.integral)
    chosen, sea = definitions(system), water.pack(system.environment)
    counts = {
        "cables": len(rows.cables), "nodes": len(rows.nodes), "links": len(rows.links), "points": len(points),
        "controlled": len(controls.ints), "loads": len(loads), "winches": len(winches), "bodies": len(rows.bodies),
        "hung_bodies": len(system.bodies), "sea_rows": len(sea) - SEA_HEAD, "signals": len(rows.signals),
    }  # fmt: skip
    tables = SCHEMA.allocate(
        counts,
        error=STRAIN if chosen["error"] == "strain" else TO_DISTANCE,
        rate=EXACT if chosen["rate"] == "velocity" else DIFFERENCE,
        aim=ELASTIC if chosen["aim"] == "elastic" else LENGTH_ITSELF,
        sides=TENSION_ONLY if tension_only(system) else TWO_WAY,
        direction=FORMULA if settings.direction == "formula" else TEXT,
    )
    tables.reals[: len(sea)] = sea
    tables.cable.fill(rows.cables)
    tables.point.fill(point_rows)
    tables.block("control")[:], tables.block("command")[:] = controls.ints, controls.reals
    tables.load.fill(loads)
    tables.push.fill(pushes)
    tables.winch.fill(winches)
    tables.drum.fill(drums)
    tables.node.fill(rows.nodes)
    tables.carried.fill(rows.carried)
    tables.joint.fill(rows.joints)
    tables.body.fill(rows.bodies)
    tables.block("hung")[:] = hung_rows(system)
    tables.signal.number = rows.signals
    tables.link.fill(rows.links)
    tables.link.proportional, tables.link.derivative = gains.proportional, gains.derivative
    tables.link.integral = gains.integral
    put_first_state(tables, rows, system, geometry)
    return Built(tables, gains, substeps, inputs)


def _controlled(system: System) -> list[str]:
    return [name for name, point in system.points.items() if point.kind == "controlled"]


def expected_load(system: System, geometry: Geometry) -> float:
    """A tension that links must hold [N]: of the first shape, of a cable's weight or of the current across it."""
    env = system.environment
    speed2 = max((sum(part * part for part in velocity) for _, velocity in env.current_table), default=0.0)
    load = max((float(np.max(np.abs(tensions))) for tensions in geometry.tensions.values()), default=0.0)
    for cable in system.cables.values():
        kinds = [(segment.length, system.types[segment.type_name]) for segment in cable.segments(system)]
        load = max(load, abs(sum(length * kind.weight_in_water(env) for length, kind in kinds)))
        load = max(load, sum(0.6 * env.water_density * kind.diameter * length * speed2 for length, kind in kinds))
    return float(load)


def _carry_end_bodies(rows: Collected, cable: dict[str, Any], points: list[dict[str, Any]]) -> None:
    """An attachment right at an end is carried by the point there."""
    for node, point in ((cable["node"], cable["start"]), (cable["node"] + cable["count"], cable["end"])):
        carried = rows.carried[node]
        first, count = carried["first"], carried["count"]
        carried["count"] = 0
        if points[point]["kind"] == FREE:
            own = rows.bodies[points[point]["which"]]
            for body in rows.bodies[first : first + count]:
                own |= {name: own[name] + body[name] for name in ("mass", "added", "lift", "drag")}
                own["height"] = max(own["height"], body["height"])


def points_of(system: System, rows: Collected) -> list[dict[str, Any]]:
    """The points and, behind them, the bodies that hang in a cable; a free point is a body of its own."""
    found: list[dict[str, Any]] = []
    controlled = 0
    for point in system.points.values():
        row = {"kind": _POINT_KIND[point.kind], "which": 0}
        if point.kind == "free":
            row["which"] = len(rows.bodies)
            rows.bodies.append(body_row(system, point.mass, point.volume, point.drag_area, point.added_mass))
        elif point.kind == "controlled":
            row["which"] = controlled
            controlled += 1
        found.append(row)
    return found + [{"kind": HUNG, "which": b} for b in range(len(system.bodies))]


def loads_of(
    system: System, points: list[str], signals: list[float], inputs: dict[str, slice], top: int
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Loads on free points and bodies (one on a held point is carried by its support); those with a name become inputs
    from `top` on: a force, and on a body, which turns, a torque."""
    loads: list[dict[str, Any]] = []
    pushes: list[dict[str, Any]] = []
    for load in system.loads:
        place = system.place(load.point)
        if not place.is_free:
            continue
        row = {"point": points.index(place.owner_name), "input": -1}
        if load.table is not None:
            row |= {"first": len(signals), "rows": len(load.table)}
            signals += [number for line in load.table for number in line]
        if load.name is not None:
            row["input"] = top
            inputs[f"{load.name}.force"] = slice(top, top + 3)
            top += 3
            if place.on_body:
                inputs[f"{load.name}.torque"] = slice(top, top + 3)
                top += 3
        loads.append(row)
        pushes.append({"force": load.force, "torque": load.torque, "offset": place.offset})
    return loads, pushes


def winches_of(system: System, signals: list[float]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Winches: their cable and their schedule; their length and its limits."""
    winches, drums = [], []
    for c, cable in enumerate(system.cables.values()):
        if cable.winch is None:
            continue
        schedule = cable.winch.table or ([(0.0, cable.winch.rate)] if cable.winch.rate is not None else [])
        winches.append({"cable": c, "first": len(signals), "rows": len(schedule)})
        least, greatest = cable.length_limits(system.simulation.duration)
        drums.append({"length": cable.total_length, "least": least, "greatest": greatest})
        signals += [number for line in schedule for number in line]
    return winches, drums


def mesh_of(system: System, rows: Collected, points: list[str]) -> Mesh:
    """The tether as masses and springs; nodes are the points, then all nodes of all cables (ends unused).

    A cable on a winch counts with its least length, which is its stiffest.
    """
    count = len(points)
    size = count + len(rows.nodes)
    mass, added, bending, bending_time = (np.zeros(size) for _ in range(4))
    ends = np.zeros((len(rows.links), 2), dtype=np.int64)
    factor = np.ones(len(rows.links))
    for record, cable in zip(rows.cables, system.cables.values(), strict=True):
        first, links = record["node"], record["count"]
        least = least_factor(cable, system.simulation.duration)
        factor[record["link"] : record["link"] + links] = least
        index = count + first + np.arange(links + 1)
        index[0], index[-1] = record["start"], record["end"]
        ends[record["link"] : record["link"] + links] = np.column_stack((index[:-1], index[1:]))
        for j, node in enumerate(index):
            row, carried = rows.nodes[first + j], rows.carried[first + j]
            mass[node] += least * row["mass"]
            added[node] += least * max(row["added_normal"], row["added_axial"])
            for body in rows.bodies[carried["first"] : carried["first"] + carried["count"]]:
                mass[node] += body["mass"]
                added[node] += body["added"]
            spacing = row["share"] * (2.0 if j in (0, links) else 1.0)
            bending[node] = max(bending[node], rows.joints[first + j]["stiffness"] * spacing)
            bending_time[node] = max(bending_time[node], rows.joints[first + j]["time"])
    held = np.zeros(size, dtype=bool)
    for p, point in enumerate(system.points.values()):
        held[p] = point.kind != "free"
        if point.kind == "free":
            mass[p] += point.mass
            added[p] += point.added_mass
    for p, (name, body_row) in enumerate(zip(system.bodies, hung_rows(system), strict=True), len(system.points)):
        owner = free_owner(system, name)
        # what answers a pull at the end at once: the mass there is least along the line across the lever
        lever = float(np.max(np.abs(body_row[HUNG_OFFSET:]))) ** 2
        mass[p] += 1.0 / (1.0 / owner.mass + lever / float(np.min(owner.inertia)))
    used = np.unique(ends)
    renumber = np.zeros(size, dtype=np.int64)
    renumber[used] = np.arange(len(used))
    lengths, stiffness = (np.array([link[name] for link in rows.links]) for name in ("length", "stiffness"))
    return Mesh(
        renumber[ends], factor * lengths, stiffness, mass[used], (mass + added)[used], held[used], bending[used],
        bending_time[used], np.array(rows.times),
    )  # fmt: skip


def least_factor(cable: Cable, duration: float) -> float:
    """Least length of a cable in a run beside that at its start: by the schedule of its winch, half of it without."""
    if cable.winch is None:
        return 1.0
    if cable.winch.scheduled:
        return min(1.0, cable.schedule_range(duration)[0] / cable.total_length)
    return min(1.0, max(0.5, cable.length_limits(duration)[0] / cable.total_length))


def put_first_state(tables: Tables, rows: Collected, system: System, geometry: Geometry) -> None:
    """The state at t = 0: the first shape, at rest but for moving points, links under the tension of that shape.

    The integral of a link starts with what its error does not give of that tension.
    """
    tables.node_state.position = tables.contact.anchor = np.vstack(rows.places)
    tables.paid.factor = 1.0
    for p, (name, point) in enumerate(system.points.items()):
        tables.point_state.position[p] = geometry.points[name]
        if point.kind == "controlled":
            tables.point_state.velocity[p] = point_command(name, point).at_start()[1]
    for b, name in enumerate(system.bodies):
        pose = geometry.bodies[name]
        tables.body_state.position[b], tables.body_state.turn[b] = pose.position, quaternion.from_matrix(pose.rotation)
        end = pose.position + pose.rotation @ tables.hung.offset[b]
        tables.point_state.position[len(system.points) + b] = end
    chosen, link, state = definitions(system), tables.link, tables.link_state
    distances = np.concatenate([np.linalg.norm(np.diff(nodes, axis=0), axis=1) for nodes in rows.places])
    error = (distances - link.length) / (link.length if chosen["error"] == "strain" else distances)
    state.error = error
    if chosen["first_shape"] == "chain":
        missing = np.concatenate(rows.tensions) - link.proportional * error
        known = link.integral > 0.0
        state.integral[known] = missing[known] / link.integral[known]
        if tension_only(system):
            state.integral = np.maximum(state.integral, 0.0)
