"""From a `System` and its first geometry to the flat arrays of the bars."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from fairlead.algebra import block_cholesky, quaternion
from fairlead.loads import drag
from fairlead.model import Cable, CableType, ControlledPoint, System
from fairlead.sea import water
from fairlead.shape.layout import Geometry

from . import arrays as a

_TUNING = {"rule": a.RULE, "common_beta": a.COMMON_BETA, "literal": a.LITERAL}
_GEOMETRIC = {"off": a.OFF, "undamped": a.UNDAMPED, "damped": a.DAMPED, "auto": a.AUTO}


@dataclass
class Tables:
    """Rows collected while compiling."""

    cables: list[list[int]] = field(default_factory=list)
    bars: list[np.ndarray] = field(default_factory=list)
    joints: list[list[float]] = field(default_factory=list)
    ends: list[list[float]] = field(default_factory=list)
    bodies: list[np.ndarray] = field(default_factory=list)
    table: list[float] = field(default_factory=list)
    edges: list[tuple[int, int]] = field(default_factory=list)
    lumps: list[list[float]] = field(default_factory=list)
    forces: list[np.ndarray] = field(default_factory=list)


@dataclass(frozen=True)
class Built:
    """Compiled arrays and the state at t = 0."""

    ints: np.ndarray
    reals: np.ndarray
    y0: np.ndarray


def bar_row(kind: CableType, length: float, system: System) -> np.ndarray:
    """Constants of one bar of the given type and unstretched length."""
    env = system.environment
    rho, g, d = env.water_density, env.gravity, kind.diameter
    displaced = rho * kind.area * length
    mass = kind.mass_per_metre * length
    row = np.zeros(a.BAR_COLUMNS)
    row[a.LENGTH], row[a.DIAMETER], row[a.MASS] = length, d, mass
    row[a.ADDED_NORMAL] = kind.added_mass.normal * displaced
    row[a.ADDED_AXIAL] = kind.added_mass.axial * displaced
    row[a.INERTIA] = mass * (d**2 / 16 + length**2 / 12)
    row[a.INERTIA_ADDED] = row[a.ADDED_NORMAL] * length**2 / 12
    row[a.SPIN_INERTIA] = mass * d**2 / 8
    row[a.WEIGHT], row[a.BUOYANCY] = mass * g, displaced * g
    half = 0.5 * rho * d * 0.5 * length  # ½ρ·d·L/2: one Gauss point stands for half the bar
    row[a.REYNOLDS] = d / env.viscosity
    if kind.drag == "reynolds":
        row[a.DRAG_LAW], row[a.DRAG_NORMAL], row[a.DRAG_AXIAL] = drag.REYNOLDS, half, math.pi * half
    elif kind.drag == "none":
        row[a.DRAG_LAW] = drag.NONE
    else:
        area = math.pi if kind.drag.axial_area == "surface" else 1.0
        row[a.DRAG_LAW] = drag.CONSTANT
        row[a.DRAG_NORMAL] = half * kind.drag.normal
        row[a.DRAG_AXIAL] = half * area * kind.drag.axial
    bed = env.seabed
    if bed is not None:
        footprint = kind.contact_diameter * 0.5 * length
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
        row[a.LUMP_OFFSET] = item.at - 0.5 * (starts[i] + starts[i + 1])
        row[a.LUMP_MASS], row[a.LUMP_ADDED] = item.mass, item.added_mass if rho > 0 else 0.0
        row[a.LUMP_BUOYANCY], row[a.LUMP_DRAG] = rho * g * item.volume, 0.5 * rho * item.drag_area
        row[a.LUMP_HEIGHT] = sphere_diameter(item.volume)
        held.setdefault(i, []).append(row)
    return held


def sphere_diameter(volume: float) -> float:
    """Diameter of the sphere of that volume, at least 0.1 m: the height over which a body is taken to submerge [m]."""
    return float(max(0.1, (6.0 * volume / math.pi) ** (1.0 / 3.0)))


def joint_rows(kinds: list[CableType], lengths: np.ndarray) -> list[list[float]]:
    """Stiffness and damping of the joints of a cable: half an element on either side, in series."""
    halves = [
        (
            kind.ea * 2 / length, kind.damping_axial,
            kind.ei * 2 / length, kind.damping_bending,
            kind.gj * 2 / length, kind.damping_torsion,
        )
        for kind, length in zip(kinds, lengths, strict=True)
    ]  # fmt: skip
    rows = []
    for left, right in zip([None, *halves], [*halves, None], strict=True):
        row: list[float] = []
        for k in range(0, 6, 2):
            sides = [s for s in (left, right) if s is not None]
            stiff = [s[k] for s in sides]
            total = 1.0 / sum(1.0 / s for s in stiff) if all(s > 0 for s in stiff) else 0.0
            time = sum(s[k + 1] for s in sides) / len(sides)
            row += [total, time * total]
        rows.append(row)
    return rows


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
    prescribed = [name for name, p in system.points.items() if p.kind != "free"]
    hubs = [name for name, p in system.points.items() if p.kind == "free"]
    controlled = [name for name in prescribed if system.points[name].kind == "controlled"]
    tables = Tables()
    for name, cable in system.cables.items():
        add_cable(tables, system, name, cable, prescribed, hubs, geometry)

    plan = block_cholesky.analyse(len(hubs), tables.edges)
    carried = 0
    for row in tables.cables:
        start, end = row[a.START_HUB], row[a.END_HUB]
        if start >= 0:
            row[a.CABLE_CARRIED] = carried
            carried += row[a.CABLE_COUNT]
            if start != end:
                slot = plan.slots.get((end, start))
                row[a.CABLE_SLOT] = slot if slot is not None else -plan.slots[(start, end)] - 1

    controls_int, controls_real = control_rows(system, controlled, prescribed, tables.table)
    loads_int, loads_real = load_rows(system, hubs, tables.table)
    sea = water.pack(system.environment)
    settings = system.simulation.bars

    header = np.zeros(a.HEADER, dtype=np.int64)
    header[a.N_BARS], header[a.N_CABLES], header[a.N_HUBS] = len(tables.bars), len(tables.cables), len(hubs)
    header[a.N_POINTS], header[a.N_CONTROLLED], header[a.N_LOADS] = len(prescribed), len(controlled), len(loads_int)
    header[a.N_SLOTS], header[a.N_ENTRIES] = plan.slot_count, len(plan.column_slots)
    header[a.N_UPDATES] = len(plan.updates)
    header[a.N_SEA], header[a.N_TABLE], header[a.N_CARRIED] = len(sea), len(tables.table), carried
    header[a.TUNING], header[a.GEOMETRIC] = _TUNING[settings.tuning], _GEOMETRIC[settings.geometric_stiffness]
    header[a.N_NAMED], header[a.N_LUMPS] = len(system.points), len(tables.lumps)
    a.set_offsets(header)
    named = [hubs.index(n) * -1 - 1 if n in hubs else prescribed.index(n) for n in system.points]

    ints = np.concatenate(
        [
            header, np.array(tables.cables, dtype=np.int64).ravel(), controls_int.ravel(), loads_int.ravel(),
            plan.order, plan.column_start, plan.column_rows, plan.column_slots, plan.updates.ravel(), plan.update_start,
            np.array(named, dtype=np.int64),
        ]
    )  # fmt: skip
    parameters = np.zeros(a.SETTING_COUNT)
    parameters[a.ALPHA], parameters[a.EPSILON], parameters[a.THETA] = settings.alpha, settings.epsilon, settings.theta
    places = np.array([geometry.points[n] for n in prescribed]).reshape(-1, 3)
    reals = np.concatenate(
        [
            sea, parameters, *tables.bars, np.ravel(tables.joints), np.ravel(tables.ends),
            hub_rows(system, hubs).ravel(), places.ravel(), controls_real.ravel(), loads_real.ravel(),
            np.ravel(tables.lumps), tables.table,
        ]
    )  # fmt: skip
    y0 = first_state(ints, tables, hubs, controlled, system, geometry)
    return Built(ints.astype(np.int64), reals.astype(np.float64), y0)


def add_cable(
    tables: Tables, system: System, name: str, cable: Cable, prescribed: list[str], hubs: list[str], geometry: Geometry
) -> None:
    """Add one cable in sweep order: from a prescribed point where it has one."""
    segments = cable.segments(system)
    kinds = [system.types[s.type_name] for s in segments]
    lengths = np.array([s.length for s in segments])
    rows = [bar_row(kind, length, system) for kind, length in zip(kinds, lengths, strict=True)]
    for i, lumps in lump_rows(cable, lengths, system).items():
        rows[i][a.LUMP_FIRST], rows[i][a.LUMP_COUNT] = len(tables.lumps), len(lumps)
        tables.lumps += lumps
    nodes = np.asarray(geometry.nodes[name], dtype=float)
    ends = [cable.start, cable.end]
    reverse = ends[0].point in hubs and ends[1].point in prescribed
    if reverse:
        rows, kinds, lengths, nodes, ends = rows[::-1], kinds[::-1], lengths[::-1], nodes[::-1], ends[::-1]
        for row in rows:
            for lump in tables.lumps[int(row[a.LUMP_FIRST]) : int(row[a.LUMP_FIRST] + row[a.LUMP_COUNT])]:
                lump[a.LUMP_OFFSET] *= -1.0
    chords = np.diff(nodes, axis=0)
    tangents = chords / np.linalg.norm(chords, axis=1)[:, None]
    frames = quaternion.along(tangents)
    middles = 0.5 * (nodes[1:] + nodes[:-1])

    record = [0] * a.CABLE_COLUMNS
    record[a.CABLE_FIRST], record[a.CABLE_COUNT] = len(tables.bars), len(rows)
    record[a.CABLE_REVERSED] = int(reverse)
    record[a.CABLE_ROTARY] = int(any(k.ei > 0 or k.gj > 0 for k in kinds))
    record[a.CABLE_CARRIED] = -1
    columns = ((a.START_HUB, a.START_POINT, a.START_CLAMP), (a.END_HUB, a.END_POINT, a.END_CLAMP))
    for side, (end, (hub, point, clamp)) in enumerate(zip(ends, columns, strict=True)):
        record[hub] = hubs.index(end.point) if end.point in hubs else -1
        record[point] = prescribed.index(end.point) if end.point in prescribed else -1
        record[clamp] = int(end.joint == "clamp")
        direction = None
        if end.direction is not None:
            direction = np.array(end.direction) * (-1.0 if reverse else 1.0)
        frame = clamp_frame(frames[-1 if side else 0], direction)
        time, tension = math.inf, math.inf
        if end.release is not None:
            time = end.release.time if end.release.time is not None else math.inf
            tension = end.release.tension if end.release.tension is not None else math.inf
        tables.ends.append([*frame, time, tension])
    if record[a.START_HUB] >= 0:
        tables.edges.append((record[a.START_HUB], record[a.END_HUB]))
    tables.cables.append(record)
    tables.bars += rows
    tables.joints += joint_rows(kinds, lengths)
    pulls = np.asarray(geometry.tensions[name], dtype=float)[:: -1 if reverse else 1, None] * tangents
    tables.forces.append(0.5 * (np.vstack([pulls[:1], pulls]) + np.vstack([pulls, pulls[-1:]])))
    for middle, frame in zip(middles, frames, strict=True):
        tables.bodies.append(np.concatenate((middle, frame, np.zeros(6))))


def control_rows(
    system: System, controlled: list[str], prescribed: list[str], table: list[float]
) -> tuple[np.ndarray, np.ndarray]:
    """Controlled points; their motion tables go to `table`."""
    ints = np.zeros((len(controlled), a.CONTROL_INTS), dtype=np.int64)
    reals = np.zeros((len(controlled), a.CONTROL_REALS))
    for k, name in enumerate(controlled):
        point = system.points[name]
        assert point.kind == "controlled"
        ints[k, 0] = prescribed.index(name)
        reals[k, :3], reals[k, 3] = point.position, point.cutoff
        if point.motion is None:
            continue
        if point.motion.table is not None:
            ints[k, 1:] = a.MOTION_TABLE, len(table), len(point.motion.table)
            table += [number for row in point.motion.table for number in row]
        elif point.motion.harmonic is not None:
            wave = point.motion.harmonic
            ints[k, 1] = a.MOTION_HARMONIC
            reals[k, 4:7] = wave.amplitude
            reals[k, 7:] = 2 * math.pi / wave.period, math.radians(wave.phase_deg), wave.ramp
    return ints, reals


def load_rows(system: System, hubs: list[str], table: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """Loads on free points (a load on a held point is carried by its support)."""
    loads = [load for load in system.loads if load.point in hubs]
    ints = np.zeros((len(loads), a.LOAD_INTS), dtype=np.int64)
    reals = np.zeros((len(loads), a.LOAD_REALS))
    for k, load in enumerate(loads):
        ints[k, 0] = hubs.index(load.point)
        reals[k] = *load.force, *load.torque
        if load.table is not None:
            ints[k, 1:] = len(table), len(load.table)
            table += [number for row in load.table for number in row]
    return ints, reals


def hub_rows(system: System, hubs: list[str]) -> np.ndarray:
    """Constants of the free points."""
    rho, g = system.environment.water_density, system.environment.gravity
    rows = np.zeros((len(hubs), a.HUB_COLUMNS))
    for row, name in zip(rows, hubs, strict=True):
        point = system.points[name]
        assert point.kind == "free"
        row[a.HUB_MASS], row[a.HUB_INERTIA] = point.mass, point.inertia
        row[a.HUB_ADDED] = point.added_mass if rho > 0 else 0.0
        row[a.HUB_BUOYANCY], row[a.HUB_DRAG] = rho * g * point.volume, 0.5 * rho * point.drag_area
        row[a.HUB_HEIGHT] = sphere_diameter(point.volume)
    return rows


def first_velocity(point: ControlledPoint) -> np.ndarray:
    """Velocity of a controlled point's commanded motion at t = 0, (3,)."""
    motion = point.motion
    if motion is None:
        return np.zeros(3)
    if motion.table is not None:
        table = np.array(motion.table)
        i = int(np.searchsorted(table[:, 0], 0.0, side="right"))
        if not 0 < i < len(table):
            return np.zeros(3)
        return np.asarray((table[i, 1:] - table[i - 1, 1:]) / (table[i, 0] - table[i - 1, 0]))
    wave = motion.harmonic
    if wave is None or wave.ramp > 0:
        return np.zeros(3)
    return np.array(wave.amplitude) * (2 * math.pi / wave.period * math.cos(math.radians(wave.phase_deg)))


def first_state(
    ints: np.ndarray, tables: Tables, hubs: list[str], controlled: list[str], system: System, geometry: Geometry
) -> np.ndarray:
    """The state at t = 0: all where it is first laid out and under its first tension, at rest but for moving points."""
    y = np.zeros(sum(size for _, size, _, _ in a.state_parts(ints)))
    state = a.state_of(ints, y)
    state.bars[:] = np.array(tables.bodies)
    for row, name in zip(state.hubs, hubs, strict=True):
        row[:3] = geometry.points[name]
        row[3] = 1.0
    for row, name in zip(state.controls, controlled, strict=True):
        point = system.points[name]
        assert point.kind == "controlled"
        row[:3], row[3:] = geometry.points[name], first_velocity(point)
    state.multipliers[:] = np.vstack(tables.forces)
    state.attached[:] = 1.0
    state.slack_since[:] = -1.0
    return y
