"""From a `System` and its first geometry to the flat arrays of the tether."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from fairlead.algebra import quaternion
from fairlead.formulations.hanging import hung_rows
from fairlead.loads import drag
from fairlead.loads.body_record import free_owner
from fairlead.loads.commands import point_command
from fairlead.loads.end_motion import control_record
from fairlead.loads.hung_body import HUNG_OFFSET
from fairlead.model import Cable, CableType, System
from fairlead.model.anchors import held_on_bed
from fairlead.sea import water
from fairlead.shape.layout import Geometry

from . import arrays as a
from .gains import Gains, Mesh, substeps_for, suggest
from .start import paper_nodes

_PAPER = {
    "error": "paper", "rate": "difference", "aim": "length", "masses": "equal", "drag": "nodes", "first_shape": "paper",
}  # fmt: skip
_CORRECTED = {
    "error": "strain", "rate": "velocity", "aim": "elastic", "masses": "tributary", "drag": "morison",
    "first_shape": "chain",
}  # fmt: skip
_POINT_KIND = {"free": a.FREE, "fixed": a.FIXED, "controlled": a.CONTROLLED}


def definitions(system: System) -> dict[str, str]:
    """Which definition of the tether is in force, by the names of its settings."""
    settings = system.simulation.tether
    chosen = _PAPER if settings.mode == "paper" else _CORRECTED
    return {name: getattr(settings, name) or value for name, value in chosen.items()}


@dataclass
class Tables:
    """Rows collected while compiling."""

    cables: list[list[int]] = field(default_factory=list)
    nodes: list[np.ndarray] = field(default_factory=list)
    links: list[list[float]] = field(default_factory=list)
    joints: list[list[float]] = field(default_factory=list)
    bodies: list[list[float]] = field(default_factory=list)
    places: list[np.ndarray] = field(default_factory=list)
    tensions: list[np.ndarray] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    table: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Built:
    """Compiled arrays, the state at t = 0, the gains, and how many steps are made for one of the file's."""

    ints: np.ndarray
    reals: np.ndarray
    y0: np.ndarray
    gains: Gains
    substeps: int
    inputs: dict[str, slice]


def half_rows(kind: CableType, length: float, system: System, law: str) -> np.ndarray:
    """Constants that half a link gives to a node, in `NODE_COLUMNS`; all of them add up but the sizes."""
    env, d = system.environment, kind.diameter
    share = 0.5 * length
    displaced = env.water_density * kind.area * share
    row = np.zeros(a.NODE_COLUMNS)
    row[a.MASS], row[a.SHARE], row[a.DIAMETER] = kind.mass_per_metre * share, share, d
    row[a.WEIGHT], row[a.LIFT] = row[a.MASS] * env.gravity, displaced * env.gravity
    row[a.REYNOLDS] = d / env.viscosity
    pressure = 0.5 * env.water_density * d * share
    if law == "morison":
        row[a.ADDED_NORMAL], row[a.ADDED_AXIAL] = kind.added_mass.normal * displaced, kind.added_mass.axial * displaced
    if kind.drag == "none":
        row[a.DRAG_LAW] = drag.NONE
    elif kind.drag == "reynolds":
        row[a.DRAG_LAW], row[a.DRAG_NORMAL], row[a.DRAG_AXIAL] = drag.REYNOLDS, pressure, math.pi * pressure
    else:
        round_about = math.pi if kind.drag.axial_area == "surface" else 1.0
        row[a.DRAG_LAW] = drag.CONSTANT
        row[a.DRAG_NORMAL], row[a.DRAG_AXIAL] = pressure * kind.drag.normal, pressure * round_about * kind.drag.axial
    if law == "nodes" and (system.simulation.tether.drag_factor is not None or kind.drag != "none"):
        factor = system.simulation.tether.drag_factor
        usual = pressure * (kind.drag.normal if not isinstance(kind.drag, str) else 1.2)
        row[a.DRAG_LAW], row[a.DRAG_NORMAL] = a.NODE_DRAG, usual if factor is None else 0.5 * factor
    bed = env.seabed
    if bed is not None:
        footprint = kind.contact_diameter * share
        row[a.RADIUS] = 0.5 * kind.contact_diameter
        row[a.BED_STIFFNESS] = bed.stiffness * footprint
        row[a.BED_DAMPING] = bed.damping * footprint
        row[a.BED_SHEAR] = bed.friction_stiffness * footprint
    return row


_SIZES = [a.DRAG_LAW, a.REYNOLDS, a.DIAMETER, a.RADIUS]
"""Columns of a node that its two half links do not add up to: the larger one counts."""


def joined(left: np.ndarray | None, right: np.ndarray | None) -> np.ndarray:
    """A node made of the half links on its two sides."""
    if left is None or right is None:
        only = left if left is not None else right
        assert only is not None
        return np.array(only)
    row: np.ndarray = left + right
    row[_SIZES] = np.maximum(left[_SIZES], right[_SIZES])
    return row


def add_cable(tables: Tables, system: System, name: str, cable: Cable, points: list[str], geometry: Geometry) -> None:
    """Add one cable, from its start to its end."""
    chosen = definitions(system)
    segments = cable.segments(system)
    kinds = [system.types[s.type_name] for s in segments]
    lengths = np.array([s.length for s in segments])
    halves = [half_rows(kind, length, system, chosen["drag"]) for kind, length in zip(kinds, lengths, strict=True)]
    rows = [joined(left, right) for left, right in zip([None, *halves], [*halves, None], strict=True)]
    if chosen["masses"] == "equal":
        for column in (a.MASS, a.WEIGHT, a.LIFT):
            total = sum(float(row[column]) for row in rows)
            for row in rows:
                row[column] = total / len(rows)
    record = [0] * a.CABLE_COLUMNS
    record[a.CABLE_NODE], record[a.CABLE_LINK], record[a.CABLE_COUNT] = len(tables.nodes), len(tables.links), len(kinds)
    ends = [system.place(end.point).owner_name for end in (cable.start, cable.end)]
    record[a.CABLE_START], record[a.CABLE_END] = points.index(ends[0]), points.index(ends[1])
    record[a.CABLE_BENDS] = int(any(kind.ei > 0 for kind in kinds) and len(kinds) > 1)
    for row, held in zip((rows[0], rows[-1]), held_on_bed(system, cable), strict=True):
        if held:
            row[[a.BED_STIFFNESS, a.BED_DAMPING, a.BED_SHEAR]] = 0.0
    add_attachments(tables, cable, lengths, rows, system)
    tables.cables.append(record)
    tables.nodes += rows
    tables.links += [[length, 0.0, 0.0, 0.0, kind.ea] for length, kind in zip(lengths, kinds, strict=True)]
    tables.times += [kind.damping_axial for kind in kinds]
    inner = [
        [0.5 * (one.ei + two.ei) / (0.5 * (l1 + l2)), 0.5 * (one.damping_bending + two.damping_bending)]
        for one, two, l1, l2 in zip(kinds, kinds[1:], lengths, lengths[1:], strict=False)
    ]
    tables.joints += [[0.0, 0.0], *inner, [0.0, 0.0]]
    nodes = np.asarray(geometry.nodes[name], dtype=float)
    tensions = np.asarray(geometry.tensions[name], dtype=float)
    if chosen["first_shape"] == "paper":
        nodes = paper_nodes(nodes[0], nodes[-1], float(lengths.sum()), len(lengths), f"cables.{name}")
        tensions = np.zeros(len(lengths))
    tables.places.append(nodes)
    tables.tensions.append(tensions)


def add_attachments(tables: Tables, cable: Cable, lengths: np.ndarray, rows: list[np.ndarray], system: System) -> None:
    """Share each clump weight and float between the two nodes beside it, by the lever rule."""
    starts = np.concatenate(([0.0], np.cumsum(lengths)))
    held: dict[int, list[list[float]]] = {}
    for item in cable.attachments:
        i = min(int(np.searchsorted(starts, item.at, side="right")) - 1, len(lengths) - 1)
        part = (item.at - starts[i]) / lengths[i]
        for node, share in ((i, 1.0 - part), (i + 1, part)):
            if share > 0.0:
                numbers = (item.mass, item.volume, item.drag_area, item.added_mass)
                held.setdefault(node, []).append(body_row(system, *(share * number for number in numbers)))
    for node, bodies in held.items():
        rows[node][a.BODY_FIRST], rows[node][a.BODY_COUNT] = len(tables.bodies), len(bodies)
        tables.bodies += bodies


def body_row(system: System, mass: float, volume: float, drag_area: float, added_mass: float) -> list[float]:
    """A compact body as a row of `BODY_COLUMNS`."""
    rho, g = system.environment.water_density, system.environment.gravity
    height = max(0.1, (6.0 * volume / math.pi) ** (1.0 / 3.0))
    return [mass, added_mass if rho > 0 else 0.0, rho * g * volume, 0.5 * rho * drag_area, height]


def build(system: System, geometry: Geometry) -> Built:
    """Compile the system."""
    points = [*system.points, *system.bodies]
    tables = Tables()
    for name, cable in system.cables.items():
        add_cable(tables, system, name, cable, points, geometry)
    point_rows, control_ints, control_reals = point_tables(system, tables)
    winch_ints, winch_reals = winch_tables(system, tables.table)
    inputs = {f"{name}.position": slice(3 * k, 3 * k + 3) for k, name in enumerate(_controlled(system))}
    for k, name in enumerate((name for name, cable in system.cables.items() if cable.winch), 3 * len(control_ints)):
        inputs[f"{name}.winch.rate"] = slice(k, k + 1)
    loads_int, loads_real = load_tables(system, points, tables.table, inputs, 3 * len(control_ints) + len(winch_ints))
    hung = hung_rows(system)
    for c, record in enumerate(tables.cables):
        _carry_end_bodies(tables, record, point_rows, c)
    mesh, settings = mesh_of(system, tables, points), system.simulation.tether
    substeps = settings.substeps or 1
    if settings.substeps is None and settings.mode == "corrected":
        load = expected_load(system, geometry)
        substeps = substeps_for(mesh, system.simulation.step, load, settings.proportional, settings.derivative)
    h = system.simulation.step / substeps
    gains = suggest(mesh, h, settings.proportional, settings.derivative, settings.integral)
    links = np.array(tables.links)
    links[:, a.PROPORTIONAL], links[:, a.DERIVATIVE] = gains.proportional, gains.derivative
    links[:, a.INTEGRAL] = gains.integral
    sea = water.pack(system.environment)
    header = np.zeros(a.HEADER, dtype=np.int64)
    header[a.N_CABLES], header[a.N_NODES], header[a.N_LINKS] = len(tables.cables), len(tables.nodes), len(links)
    header[a.N_POINTS], header[a.N_CONTROLLED], header[a.N_LOADS] = len(points), len(control_ints), len(loads_int)
    header[a.N_BODIES], header[a.N_WINCHES], header[a.N_HUNG] = len(tables.bodies), len(winch_ints), len(hung)
    header[a.N_SEA], header[a.N_TABLE] = len(sea), len(tables.table)
    chosen = definitions(system)
    header[a.ERROR] = a.STRAIN if chosen["error"] == "strain" else a.TO_DISTANCE
    header[a.RATE] = a.EXACT if chosen["rate"] == "velocity" else a.DIFFERENCE
    header[a.AIM] = a.ELASTIC if chosen["aim"] == "elastic" else a.LENGTH_ITSELF
    header[a.LINKS] = a.TENSION_ONLY if settings.tension_only else a.TWO_WAY
    header[a.SIGN] = a.FORMULA if settings.direction == "formula" else a.TEXT
    a.set_offsets(header)
    ints = np.concatenate(
        [header, *(np.ravel(table) for table in (tables.cables, point_rows, control_ints, loads_int, winch_ints))]
    ).astype(np.int64)
    reals = np.concatenate(
        [
            sea, *tables.nodes, links.ravel(), np.ravel(tables.joints), control_reals.ravel(), loads_real.ravel(),
            np.ravel(tables.bodies), winch_reals.ravel(), hung.ravel(), tables.table,
        ]
    ).astype(np.float64)  # fmt: skip
    return Built(ints, reals, first_state(ints, links, tables, system, geometry), gains, substeps, inputs)


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
    return load


def _carry_end_bodies(tables: Tables, record: list[int], point_rows: np.ndarray, cable: int) -> None:
    """An attachment right at an end is carried by the point there."""
    for node, point in (
        (record[a.CABLE_NODE], record[a.CABLE_START]),
        (record[a.CABLE_NODE] + record[a.CABLE_COUNT], record[a.CABLE_END]),
    ):
        row = tables.nodes[node]
        first, count = int(row[a.BODY_FIRST]), int(row[a.BODY_COUNT])
        row[a.BODY_COUNT] = 0.0
        if point_rows[point, 0] == a.FREE:
            own = tables.bodies[point_rows[point, 1]]
            for body in tables.bodies[first : first + count]:
                own[:4] = [one + other for one, other in zip(own[:4], body[:4], strict=True)]
                own[a.BODY_HEIGHT] = max(own[a.BODY_HEIGHT], body[a.BODY_HEIGHT])


def point_tables(system: System, tables: Tables) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points (kind, body or control), bodies that hang in a cable behind them, and the controlled ones among them."""
    rows = np.zeros((len(system.points) + len(system.bodies), a.POINT_COLUMNS), dtype=np.int64)
    rows[len(system.points) :, 0], rows[len(system.points) :, 1] = a.HUNG, np.arange(len(system.bodies))
    ints: list[list[int]] = []
    reals: list[list[float]] = []
    for row, (name, point) in zip(rows, system.points.items(), strict=False):
        row[0] = _POINT_KIND[point.kind]
        if point.kind == "free":
            row[1] = len(tables.bodies)
            tables.bodies.append(body_row(system, point.mass, point.volume, point.drag_area, point.added_mass))
        elif point.kind == "controlled":
            row[1] = len(ints)
            record = control_record(system, name, tables.table)
            ints.append(record[0])
            reals.append(record[1])
    shape = np.array(ints, dtype=np.int64).reshape(-1, a.CONTROL_INTS)
    return rows, shape, np.array(reals).reshape(-1, a.CONTROL_REALS)


def load_tables(
    system: System, points: list[str], table: list[float], inputs: dict[str, slice], top: int
) -> tuple[np.ndarray, np.ndarray]:
    """Loads on free points and bodies (one on a held point is carried by its support); those with a name become inputs
    from `top` on: a force, and on a body, which turns, a torque."""
    loads = [(load, system.place(load.point)) for load in system.loads if system.place(load.point).is_free]
    ints = np.zeros((len(loads), a.LOAD_INTS), dtype=np.int64)
    reals = np.zeros((len(loads), a.LOAD_REALS))
    for row, numbers, (load, place) in zip(ints, reals, loads, strict=True):
        row[0], numbers[:] = points.index(place.owner_name), (*load.force, *load.torque, *place.offset)
        if load.table is not None:
            row[1:3] = len(table), len(load.table)
            table += [number for line in load.table for number in line]
        row[3] = -1
        if load.name is not None:
            row[3] = top
            inputs[f"{load.name}.force"] = slice(top, top + 3)
            top += 3
            if place.on_body:
                inputs[f"{load.name}.torque"] = slice(top, top + 3)
                top += 3
    return ints, reals


def winch_tables(system: System, table: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """Winches: their cable, their schedule and their limits."""
    ints, reals = [], []
    for c, cable in enumerate(system.cables.values()):
        if cable.winch is None:
            continue
        schedule = cable.winch.table or ([(0.0, cable.winch.rate)] if cable.winch.rate is not None else [])
        ints.append([c, len(table), len(schedule)])
        reals.append([cable.total_length, *cable.length_limits(system.simulation.duration)])
        table += [number for line in schedule for number in line]
    return np.array(ints, dtype=np.int64).reshape(-1, a.WINCH_INTS), np.array(reals).reshape(-1, a.WINCH_REALS)


def mesh_of(system: System, tables: Tables, points: list[str]) -> Mesh:
    """The tether as masses and springs; nodes are the points, then all nodes of all cables (ends unused).

    A cable on a winch counts with its least length, which is its stiffest.
    """
    count = len(points)
    size = count + len(tables.nodes)
    mass, added, bending, bending_time = (np.zeros(size) for _ in range(4))
    ends = np.zeros((len(tables.links), 2), dtype=np.int64)
    factor = np.ones(len(tables.links))
    for record, cable in zip(tables.cables, system.cables.values(), strict=True):
        first, links = record[a.CABLE_NODE], record[a.CABLE_COUNT]
        least = least_factor(cable, system.simulation.duration)
        factor[record[a.CABLE_LINK] : record[a.CABLE_LINK] + links] = least
        index = count + first + np.arange(links + 1)
        index[0], index[-1] = record[a.CABLE_START], record[a.CABLE_END]
        ends[record[a.CABLE_LINK] : record[a.CABLE_LINK] + links] = np.column_stack((index[:-1], index[1:]))
        for j, node in enumerate(index):
            row = tables.nodes[first + j]
            mass[node] += least * row[a.MASS]
            added[node] += least * max(row[a.ADDED_NORMAL], row[a.ADDED_AXIAL])
            for body in tables.bodies[int(row[a.BODY_FIRST]) : int(row[a.BODY_FIRST] + row[a.BODY_COUNT])]:
                mass[node] += body[a.BODY_MASS]
                added[node] += body[a.BODY_ADDED]
            spacing = row[a.SHARE] * (2.0 if j in (0, links) else 1.0)
            bending[node] = max(bending[node], tables.joints[first + j][0] * spacing)
            bending_time[node] = max(bending_time[node], tables.joints[first + j][1])
    held = np.zeros(size, dtype=bool)
    for p, point in enumerate(system.points.values()):
        held[p] = point.kind != "free"
        if point.kind == "free":
            mass[p] += point.mass
            added[p] += point.added_mass
    for p, (name, record) in enumerate(zip(system.bodies, hung_rows(system), strict=True), len(system.points)):
        owner = free_owner(system, name)
        # what answers a pull at the end at once: the mass there is least along the line across the lever
        lever = float(np.max(np.abs(record[HUNG_OFFSET:]))) ** 2
        mass[p] += 1.0 / (1.0 / owner.mass + lever / float(np.min(owner.inertia)))
    used = np.unique(ends)
    renumber = np.zeros(size, dtype=np.int64)
    renumber[used] = np.arange(len(used))
    links_table = np.array(tables.links)
    return Mesh(
        renumber[ends], factor * links_table[:, a.LENGTH], links_table[:, a.STIFFNESS], mass[used],
        (mass + added)[used], held[used], bending[used], bending_time[used], np.array(tables.times),
    )  # fmt: skip


def least_factor(cable: Cable, duration: float) -> float:
    """Least length of a cable in a run beside that at its start: by the schedule of its winch, half of it without."""
    if cable.winch is None:
        return 1.0
    if cable.winch.scheduled:
        return min(1.0, cable.schedule_range(duration)[0] / cable.total_length)
    return min(1.0, max(0.5, cable.length_limits(duration)[0] / cable.total_length))


def first_state(ints: np.ndarray, links: np.ndarray, tables: Tables, system: System, geometry: Geometry) -> np.ndarray:
    """The state at t = 0: the first shape, at rest but for moving points, links under the tension of that shape.

    The integral of a link starts with what its error does not give of that tension.
    """
    y = np.zeros(sum(size for _, size, _, _ in a.state_parts(ints)))
    y[ints[a.Y_NODES] : ints[a.Y_POINTS]].reshape(-1, 6)[:, :3] = np.vstack(tables.places)
    for row, (name, point) in zip(
        y[ints[a.Y_POINTS] : ints[a.Y_HUNG]].reshape(-1, 6), system.points.items(), strict=False
    ):
        row[:3] = geometry.points[name]
        if point.kind == "controlled":
            row[3:] = point_command(name, point).at_start()[1]
    for b, name in enumerate(system.bodies):
        pose, at = geometry.bodies[name], int(ints[a.Y_HUNG]) + a.HUNG_STATE * b
        y[at : at + 3], y[at + 3 : at + 7] = pose.position, quaternion.from_matrix(pose.rotation)
        offset = hung_rows(system)[b, HUNG_OFFSET:]
        end = int(ints[a.Y_POINTS]) + 6 * (len(system.points) + b)
        y[end : end + 3] = pose.position + pose.rotation @ offset
    chosen = definitions(system)
    distances = np.concatenate([np.linalg.norm(np.diff(nodes, axis=0), axis=1) for nodes in tables.places])
    lengths = links[:, a.LENGTH]
    error = (distances - lengths) / (lengths if chosen["error"] == "strain" else distances)
    state = y[ints[a.Y_LINKS] : ints[a.Y_CONTACT]].reshape(-1, 2)
    state[:, 1] = error
    if chosen["first_shape"] == "chain":
        missing = np.concatenate(tables.tensions) - links[:, a.PROPORTIONAL] * error
        known = links[:, a.INTEGRAL] > 0.0
        state[known, 0] = missing[known] / links[known, a.INTEGRAL]
        if system.simulation.tether.tension_only:
            state[:, 0] = np.maximum(state[:, 0], 0.0)
    y[ints[a.Y_CONTACT] : ints[a.Y_SCALE]].reshape(-1, a.CONTACT_MEMORY)[:, :3] = np.vstack(tables.places)
    y[ints[a.Y_SCALE] : ints[a.Y_GROWTH]] = 1.0
    return y
