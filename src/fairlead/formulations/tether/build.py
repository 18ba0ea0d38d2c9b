"""From a `System` and its first geometry to the tables of the tether."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fairlead.algebra import quaternion
from fairlead.algebra.records import Tables
from fairlead.loads.body_record import free_owner
from fairlead.loads.commands import point_command
from fairlead.loads.hung_body import HUNG_OFFSET
from fairlead.model import Cable, CableType, System
from fairlead.model.anchors import held_on_bed
from fairlead.model.places import Place
from fairlead.rigging.commands import add_controlled_points
from fairlead.rigging.elements import attached, bed_row, compact_row, line_row, point_row
from fairlead.rigging.hanging import hung_rows
from fairlead.rigging.point_loads import load_rows
from fairlead.rigging.rows import Collected, Row
from fairlead.rigging.winches import rate_inputs, winch_rows
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


@dataclass(frozen=True)
class Built:
    """The compiled system with its state at t = 0, the gains, and how many steps are made for one of the file's."""

    tables: Tables
    gains: Gains
    substeps: int
    inputs: dict[str, slice]


def half_link(kind: CableType, length: float, system: System, law: str) -> Row:
    """Constants that half a link gives to a node; all of them add up but the sizes."""
    env, share, factor = system.environment, 0.5 * length, system.simulation.tether.drag_factor
    row = {**line_row(kind, share, env), **bed_row(kind, share, env), "share": share}
    if law != "morison":
        row |= {"added_normal": 0.0, "added_axial": 0.0}
    if law == "nodes" and (factor is not None or kind.drag != "none"):
        usual = 0.5 * env.water_density * kind.drag_diameter * share
        usual *= kind.drag.normal if not isinstance(kind.drag, str) else 1.2
        row |= {"drag_law": NODE_DRAG, "drag_normal": usual if factor is None else 0.5 * factor}
    return row


_SIZES = ("drag_law", "reynolds", "diameter", "radius")
"""What of a node its two half links do not add up to: the larger one counts."""


def joined(left: Row | None, right: Row | None) -> Row:
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
        for column in ("mass", "weight", "buoyancy"):
            total = sum(float(row[column]) for row in nodes)
            for row in nodes:
                row[column] = total / len(nodes)
    ends = [system.place(end.point).owner_name for end in (cable.start, cable.end)]
    for row, held in zip((nodes[0], nodes[-1]), held_on_bed(system, cable), strict=True):
        if held:
            row |= {"bed_stiffness": 0.0, "bed_damping": 0.0, "bed_shear": 0.0}
    rows.cable.append(
        {
            "node": len(rows.node), "link": len(rows.link), "count": len(kinds), "start": points.index(ends[0]),
            "end": points.index(ends[1]), "bends": any(kind.ei > 0 for kind in kinds) and len(kinds) > 1,
        }
    )  # fmt: skip
    rows.node += nodes
    rows.carried += attachments(rows, cable, lengths, system)
    rows.link += [{"length": length, "stiffness": kind.ea} for length, kind in zip(lengths, kinds, strict=True)]
    rows.times += [kind.damping_axial(length) for length, kind in zip(lengths, kinds, strict=True)]
    inner = [
        {"stiffness": 0.5 * (a.ei + b.ei) / (0.5 * (l1 + l2)), "time": 0.5 * (a.damping_bending + b.damping_bending)}
        for a, b, l1, l2 in zip(kinds, kinds[1:], lengths, lengths[1:], strict=False)
    ]
    free = {"stiffness": 0.0, "time": 0.0}
    rows.joint += [free, *inner, free]
    places = np.asarray(geometry.nodes[name], dtype=float)
    tensions = np.asarray(geometry.tensions[name], dtype=float)
    if chosen["first_shape"] == "paper":
        places = paper_nodes(places[0], places[-1], float(lengths.sum()), len(lengths), f"cables.{name}")
        tensions = np.zeros(len(lengths))
    rows.places.append(places)
    rows.tensions.append(tensions)


def attachments(rows: Collected, cable: Cable, lengths: np.ndarray, system: System) -> list[Row]:
    """Which bodies each node carries: each clump weight and float is shared between the two nodes beside it, by the
    lever rule."""
    held: dict[int, list[Row]] = {}
    for i, part, item in attached(cable, lengths):
        for node, share in ((i, 1.0 - part), (i + 1, part)):
            if share > 0.0:
                numbers = (item.mass, item.volume, item.drag_area, item.added_mass)
                own = compact_row(system.environment, *(share * number for number in numbers))
                held.setdefault(node, []).append(own)
    carried = [{"first": 0, "count": 0} for _ in range(len(lengths) + 1)]
    for node, bodies in held.items():
        carried[node] = {"first": len(rows.body), "count": len(bodies)}
        rows.body += bodies
    return carried


def build(system: System, geometry: Geometry) -> Built:
    """Compile the system."""
    points = [*system.points, *system.bodies]
    rows = Collected()
    for name, cable in system.cables.items():
        add_cable(rows, system, name, cable, points, geometry)
    rows.point = points_of(system, rows)
    inputs = add_controlled_points(rows, system)
    winches = [winch_rows(system, name, rows.sample) for name, cable in system.cables.items() if cable.winch]
    rate_inputs([winch.name for winch in winches], inputs)

    def point_of(place: Place, name: str) -> Row | None:
        return {"on": points.index(place.owner_name)} if place.is_free else None

    rows.load, rows.push = load_rows(system, point_of, lambda place, name: place.on_body, rows.sample, inputs)
    for cable_row in rows.cable:
        _carry_end_bodies(rows, cable_row, rows.point)
    mesh, settings = mesh_of(system, rows, points), system.simulation.tether
    substeps = settings.substeps or 1
    if settings.substeps is None and settings.mode == "corrected":
        load = expected_load(system, geometry)
        substeps = substeps_for(mesh, system.simulation.step, load, settings.proportional, settings.derivative)
    h = system.simulation.step / substeps
    gains = suggest(mesh, h, settings.proportional, settings.derivative, settings.integral)
    for winch in winches:
        line, limits = system.cables[winch.name], winch.limits
        rows.winch.append(winch.winch)
        rows.drum.append({"length": line.total_length, "least": limits["shortest"], "greatest": limits["longest"]})
    rows.hung = list(hung_rows(system))
    chosen = definitions(system)
    tables = rows.tables(
        SCHEMA,
        system.environment,
        {},
        error=STRAIN if chosen["error"] == "strain" else TO_DISTANCE,
        rate=EXACT if chosen["rate"] == "velocity" else DIFFERENCE,
        aim=ELASTIC if chosen["aim"] == "elastic" else LENGTH_ITSELF,
        sides=TENSION_ONLY if tension_only(system) else TWO_WAY,
        direction=FORMULA if settings.direction == "formula" else TEXT,
    )
    tables.link.proportional, tables.link.derivative = gains.proportional, gains.derivative
    tables.link.integral = gains.integral
    put_first_state(tables, rows, system, geometry)
    return Built(tables, gains, substeps, inputs)


def expected_load(system: System, geometry: Geometry) -> float:
    """A tension that links must hold [N]: of the first shape, of a cable's weight or of the current across it."""
    env = system.environment
    speed2 = max((sum(part * part for part in velocity) for _, velocity in env.current_table), default=0.0)
    if env.current_field is not None:
        speed2 = (math.sqrt(speed2) + env.current_field.fastest) ** 2
    load = max((float(np.max(np.abs(tensions))) for tensions in geometry.tensions.values()), default=0.0)
    for cable in system.cables.values():
        kinds = [(segment.length, system.types[segment.type_name]) for segment in cable.segments(system)]
        load = max(load, abs(sum(length * kind.weight_in_water(env) for length, kind in kinds)))
        load = max(load, sum(0.6 * env.water_density * kind.drag_diameter * length * speed2 for length, kind in kinds))
    return float(load)


def _carry_end_bodies(rows: Collected, cable: Row, points: list[Row]) -> None:
    """An attachment right at an end is carried by the point there."""
    for node, point in ((cable["node"], cable["start"]), (cable["node"] + cable["count"], cable["end"])):
        carried = rows.carried[node]
        first, count = carried["first"], carried["count"]
        carried["count"] = 0
        if points[point]["kind"] == FREE:
            own = rows.body[points[point]["which"]]
            for body in rows.body[first : first + count]:
                own |= {name: own[name] + body[name] for name in ("mass", "added", "buoyancy", "drag")}
                own["height"] = max(own["height"], body["height"])


def points_of(system: System, rows: Collected) -> list[Row]:
    """The points and, behind them, the bodies that hang in a cable; a free point is a body of its own."""
    found: list[Row] = []
    controlled = 0
    for point in system.points.values():
        row = {"kind": _POINT_KIND[point.kind], "which": 0}
        if point.kind == "free":
            row["which"] = len(rows.body)
            rows.body.append(point_row(point, system.environment))
        elif point.kind == "controlled":
            row["which"] = controlled
            controlled += 1
        found.append(row)
    return found + [{"kind": HUNG, "which": b} for b in range(len(system.bodies))]


def mesh_of(system: System, rows: Collected, points: list[str]) -> Mesh:
    """The tether as masses and springs; nodes are the points, then all nodes of all cables (ends unused).

    A cable on a winch counts with its least length, which is its stiffest.
    """
    count = len(points)
    size = count + len(rows.node)
    mass, added, bending, bending_time = (np.zeros(size) for _ in range(4))
    ends = np.zeros((len(rows.link), 2), dtype=np.int64)
    factor = np.ones(len(rows.link))
    for record, cable in zip(rows.cable, system.cables.values(), strict=True):
        first, links = record["node"], record["count"]
        least = least_factor(cable, system.simulation.duration)
        factor[record["link"] : record["link"] + links] = least
        index = count + first + np.arange(links + 1)
        index[0], index[-1] = record["start"], record["end"]
        ends[record["link"] : record["link"] + links] = np.column_stack((index[:-1], index[1:]))
        for j, node in enumerate(index):
            row, carried = rows.node[first + j], rows.carried[first + j]
            mass[node] += least * row["mass"]
            added[node] += least * max(row["added_normal"], row["added_axial"])
            for body in rows.body[carried["first"] : carried["first"] + carried["count"]]:
                mass[node] += body["mass"]
                added[node] += body["added"]
            spacing = row["share"] * (2.0 if j in (0, links) else 1.0)
            bending[node] = max(bending[node], rows.joint[first + j]["stiffness"] * spacing)
            bending_time[node] = max(bending_time[node], rows.joint[first + j]["time"])
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
    lengths, stiffness = (np.array([link[name] for link in rows.link]) for name in ("length", "stiffness"))
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
