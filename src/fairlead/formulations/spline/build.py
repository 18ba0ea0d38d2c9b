"""From a `System` and its first geometry to the flat arrays of the splines."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fairlead.algebra.cubic_spline import Curve, band, end_tangent
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.loads.end_motion import control_records
from fairlead.loads.end_twist import TWIST_INTS, TWIST_REALS, twist_axis, twist_numbers
from fairlead.loads.slender import EXTENSIVE, SLENDER_REALS, slender_row
from fairlead.model import Cable, CableType, System
from fairlead.model.anchors import held_on_bed
from fairlead.model.points import FreePoint
from fairlead.sea import water
from fairlead.shape.layout import Geometry

from . import arrays as a


MOST_ELEMENTS = 3000
"""Elements of one cable: beyond it the matrices, full before they are banded, no longer fit."""
FREE, FIXED = -1, -2


@dataclass
class Tables:
    """Rows collected while compiling."""

    cables: list[list[int]] = field(default_factory=list)
    cable_reals: list[np.ndarray] = field(default_factory=list)
    elements: list[list[float]] = field(default_factory=list)
    nodes: list[np.ndarray] = field(default_factory=list)
    held: list[int] = field(default_factory=list)
    places: list[np.ndarray] = field(default_factory=list)
    table: list[float] = field(default_factory=list)
    bands: list[float] = field(default_factory=list)
    node_of_point: dict[str, int] = field(default_factory=dict)
    twists: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Built:
    """Compiled arrays, the state at t = 0 before it is brought to rest, and cables with an input for their twist."""

    ints: np.ndarray
    reals: np.ndarray
    y0: np.ndarray
    twists: tuple[str, ...]


def refuse(system: System) -> None:
    """Raise for what the features do not tell: cables joined in a free point, bodies that turn, unknown names."""
    ends: dict[str, str] = {}
    for name, cable in system.cables.items():
        if cable.element_count > MOST_ELEMENTS:
            raise UnsupportedSystem(
                f"cables.{name}: {cable.element_count} elements are more than the {MOST_ELEMENTS} the formulation "
                "'spline' takes in one cable; use fewer: a spline needs far fewer elements than bars do"
            )
        for side, end in (("start", cable.start), ("end", cable.end)):
            point = system.points.get(end.point)
            if not isinstance(point, FreePoint):
                continue
            if end.point in ends:
                raise UnsupportedSystem(
                    f"cables.{name}.{side}: the formulation 'spline' cannot join cables in the free point "
                    f"'{end.point}' (it is also an end of '{ends[end.point]}'); make them sections of one cable, or "
                    "use formulation: bars"
                )
            ends[end.point] = name
            if end.joint == "clamp" or point.inertia > 0:
                raise UnsupportedSystem(
                    f"points.{end.point}: the formulation 'spline' has no free points that turn; use a ball joint and "
                    "no inertia there, or use formulation: bars"
                )
    for name, point in system.points.items():
        if isinstance(point, FreePoint) and name not in ends:
            raise UnsupportedSystem(f"points.{name}: a free point without a cable; the formulation 'spline' has none")
    for load in system.loads:
        if any(load.torque) and load.point in ends:
            raise UnsupportedSystem(
                f"loads: a torque on '{load.point}', which the formulation 'spline' cannot carry; turn the end by "
                "simulation.spline.twists, or use formulation: bars"
            )
    settings = system.simulation.spline
    for name in settings.twists:
        if name not in system.cables:
            raise UnsupportedSystem(f"simulation.spline.twists.{name}: there is no cable of that name")
        if any(system.types[kind].gj == 0 for kind in system.cables[name].type_names):
            raise UnsupportedSystem(
                f"simulation.spline.twists.{name}: the cable has no torsional stiffness along its whole length; give "
                "its types a torsional_stiffness"
            )


def bed_row(kind: CableType, system: System) -> dict[int, float]:
    """Seabed of a metre of cable, by its column among the nodes' constants."""
    bed = system.environment.seabed
    if bed is None:
        return {}
    width = kind.contact_diameter
    return {a.BED_STIFFNESS: bed.stiffness * width, a.BED_DAMPING: bed.damping * width,
            a.BED_SHEAR: bed.friction_stiffness * width}  # fmt: skip


def node_rows(cable: Cable, curve: Curve, system: System, lumped: bool) -> np.ndarray:
    """Constants of the nodes of one cable, (n+1, NODE_REALS).

    Weight and buoyancy are shared out as the curve has it; drag, added mass and seabed likewise where all shares are
    positive, else by half an element on either side.
    """
    kinds = [system.types[s.type_name] for s in cable.segments(system)]
    rows = np.zeros((len(kinds) + 1, a.NODE_REALS))
    rows[:, a.PIVOT], rows[:, a.COUPLING] = curve.factors()
    shares, halves = curve.load_shares(lumped), curve.load_shares(True)
    safe = shares if shares.sum(axis=1).min() > 0.0 else halves
    rows[:, a.SHARE] = safe.sum(axis=1)
    rows[:, a.WEIGHT] = shares @ np.array([kind.mass_per_metre * system.environment.gravity for kind in kinds])
    water = np.array([slender_row(kind, 1.0, system.environment) for kind in kinds])
    first, last = a.SLENDER, a.SLENDER + SLENDER_REALS
    rows[:, first : first + 2] = shares @ water[:, :2]  # what it displaces
    rows[:, first + 2 : first + EXTENSIVE] = safe @ water[:, 2:EXTENSIVE]
    rows[:, first + EXTENSIVE : last] = water[np.minimum(np.arange(len(rows)), len(kinds) - 1), EXTENSIVE:]
    beds = [bed_row(kind, system) for kind in kinds]
    for column in beds[0]:
        rows[:, column] = safe @ np.array([bed[column] for bed in beds])
    for row, kind in zip(rows, [*kinds, kinds[-1]], strict=True):
        row[a.RADIUS] = 0.5 * kind.contact_diameter
    for row, held in zip((rows[0], rows[-1]), held_on_bed(system, cable), strict=True):
        if held:
            row[[a.BED_STIFFNESS, a.BED_DAMPING, a.BED_SHEAR]] = 0.0
    return rows


def add_point(row: np.ndarray, point: FreePoint, system: System) -> None:
    """The body of a free point at the end node `row`."""
    rho, g = system.environment.water_density, system.environment.gravity
    row[a.POINT_MASS], row[a.POINT_HEIGHT] = point.mass, point.height
    row[a.WEIGHT] += point.mass * g
    row[a.POINT_LIFT], row[a.POINT_DRAG] = rho * g * point.volume, 0.5 * rho * point.drag_area
    row[a.POINT_ADDED] = point.added_mass if rho > 0 else 0.0


def twist_of(tables: Tables, name: str, cable: Cable, system: System, record: list[int], reals: np.ndarray) -> None:
    """Whether and how a cable's ends hold its twist; an input is set aside for it."""
    segments = cable.segments(system)
    kinds = [system.types[s.type_name] for s in segments]
    given = system.simulation.spline.twists.get(name)
    clamped = cable.start.joint == cable.end.joint == "clamp"
    if any(kind.gj == 0 for kind in kinds) or not (given or clamped):
        return
    record[a.TWISTED] = 1
    reals[a.COMPLIANCE] = sum(s.length / kind.gj for s, kind in zip(segments, kinds, strict=True))
    reals[a.TORSION_TIME] = sum(s.length * k.damping_torsion for s, k in zip(segments, kinds, strict=True))
    reals[a.TORSION_TIME] /= cable.total_length
    ints, numbers = twist_numbers(given, len(tables.twists), tables.table)  # commands come before it: see `build`
    record[a.TWIST_KIND : a.TWIST_KIND + TWIST_INTS] = ints
    reals[a.TWIST_ANGLE : a.TWIST_ANGLE + TWIST_REALS] = numbers
    record[a.FOLLOWER] = int(given is not None and given.torque == "follower")
    tables.twists.append(name)


def add_cable(
    tables: Tables, name: str, cable: Cable, system: System, geometry: Geometry, controlled: list[str]
) -> None:
    """Add one cable."""
    lumped = system.simulation.spline.mass == "lumped"
    segments = cable.segments(system)
    kinds = [system.types[s.type_name] for s in segments]
    lengths = np.array([s.length for s in segments])
    nodes = np.asarray(geometry.nodes[name], dtype=float)
    ends = (cable.start, cable.end)
    clamps = (cable.start.joint == "clamp", cable.end.joint == "clamp")
    curve = Curve(lengths, clamps)
    first = len(tables.nodes)
    rows = node_rows(cable, curve, system, lumped)
    record, reals = [0] * (a.CABLE_INTS + a.CABLE_BANDS), np.zeros(a.CABLE_REALS)
    record[a.FIRST], record[a.COUNT] = first, len(lengths)
    record[a.CLAMP_START], record[a.CLAMP_END] = (int(clamped) for clamped in clamps)
    reals[a.AXIS : a.AXIS + 3] = twist_axis(system.simulation.spline.twists.get(name), nodes)
    held = [FREE] * len(nodes)
    masses = curve.mass(np.array([kind.mass_per_metre for kind in kinds]), lumped)
    sides = ((0, a.TANGENT_START, nodes, lengths), (-1, a.TANGENT_END, nodes[::-1], lengths[::-1]))
    for end, (index, column, from_end, from_lengths) in zip(ends, sides, strict=True):
        point = system.points[end.point]
        if isinstance(point, FreePoint):
            tables.node_of_point[end.point] = first + (0 if index == 0 else len(lengths))
            add_point(rows[index], point, system)
            masses[index, index] += point.mass
        else:
            held[index] = controlled.index(end.point) if end.point in controlled else FIXED
        inward = end_tangent(from_end, from_lengths) * (1.0 if index == 0 else -1.0)
        direction = inward if end.direction is None else np.array(end.direction) / np.linalg.norm(end.direction)
        reals[column : column + 3] = direction
    twist_of(tables, name, cable, system, record, reals)
    add_masses(tables, record, rows, masses, np.array(held) == FREE, system.environment.water_density > 0)
    tables.cables.append(record)
    tables.cable_reals.append(reals)
    tables.elements += [
        [s.length, k.ea, k.ei, k.damping_axial, k.damping_bending, k.mass_per_metre]
        for s, k in zip(segments, kinds, strict=True)
    ]
    tables.nodes += list(rows)
    tables.held += held
    tables.places += list(nodes)


def add_masses(
    tables: Tables, record: list[int], rows: np.ndarray, masses: np.ndarray, free: np.ndarray, wet: bool
) -> None:
    """Bands of the mass matrix and of its inverse over the free nodes, and the pull of held ends through it."""
    inverse = np.zeros_like(masses)
    inner = np.ix_(free, free)
    inverse[inner] = np.linalg.inv(masses[inner])
    if not wet:
        for index, column in ((0, a.PULL_START), (-1, a.PULL_END)):
            if not free[index]:
                rows[:, column] = -inverse @ masses[:, index]
    for place, matrix in enumerate((masses, inverse)):
        half, entries = band(matrix)
        record[a.CABLE_INTS + 2 * place], record[a.CABLE_INTS + 2 * place + 1] = half, len(tables.bands)
        tables.bands += list(entries.ravel())


def load_rows(system: System, tables: Tables) -> tuple[np.ndarray, np.ndarray]:
    """Loads on free points (a load on a held point is carried by its support)."""
    loads = [load for load in system.loads if load.point in tables.node_of_point]
    ints = np.zeros((len(loads), a.LOAD_INTS), dtype=np.int64)
    for row, load in zip(ints, loads, strict=True):
        row[0] = tables.node_of_point[load.point]
        if load.table is not None:
            row[1:] = len(tables.table), len(load.table)
            tables.table += [number for entry in load.table for number in entry]
    return ints, np.array([load.force for load in loads]).reshape(-1, 3)


def build(system: System, geometry: Geometry) -> Built:
    """Compile the system."""
    refuse(system)
    controlled = [name for name, point in system.points.items() if point.kind == "controlled"]
    tables = Tables()
    for name, cable in system.cables.items():
        add_cable(tables, name, cable, system, geometry, controlled)
    for record in tables.cables:
        record[a.TWIST_INPUT] += 3 * len(controlled)
    controls = control_records(system, controlled, tables.table)
    loads_int, loads_real = load_rows(system, tables)
    sea = water.pack(system.environment)
    kinds = system.types.values()

    header = np.zeros(a.HEADER, dtype=np.int64)
    header[a.N_CABLES], header[a.N_NODES], header[a.N_ELEMENTS] = (
        len(tables.cables), len(tables.nodes), len(tables.elements),
    )  # fmt: skip
    header[a.N_POINTS], header[a.N_CONTROLLED], header[a.N_LOADS] = len(system.points), len(controlled), len(loads_int)
    header[a.N_TABLE] = len(tables.table)
    header[a.WATER] = int(system.environment.water_density > 0)
    header[a.BED] = int(system.environment.seabed is not None)
    header[a.LUMPED] = int(system.simulation.spline.mass == "lumped")
    header[a.DAMPED] = int(any(max(k.damping_axial, k.damping_bending, k.damping_torsion) > 0 for k in kinds))
    longest = max((record[a.COUNT] + 1 for record in tables.cables), default=0)
    a.set_offsets(header, len(sea), len(tables.bands), longest)

    points = [
        [tables.node_of_point.get(name, -1), controlled.index(name) if name in controlled else -1]
        for name in system.points
    ]
    ints = np.concatenate(
        [
            header, np.ravel(tables.cables), tables.held, controls.ints.ravel(), np.ravel(points), loads_int.ravel(),
        ]
    ).astype(np.int64)  # fmt: skip
    places = [geometry.points[name] for name in system.points]
    reals = np.concatenate(
        [
            sea, np.ravel(tables.cable_reals), np.ravel(tables.elements), np.ravel(tables.nodes), np.ravel(places),
            controls.reals.ravel(), loads_real.ravel(), tables.table, tables.bands,
        ]
    ).astype(np.float64)  # fmt: skip
    y0 = np.zeros(sum(size for _, size, _, _ in a.state_parts(ints)))
    start = int(ints[a.Y_POSITION])
    y0[start : start + 3 * len(tables.places)] = np.ravel(tables.places)
    for i, name in enumerate(system.cables):
        at = int(ints[a.Y_TENSION]) + tables.cables[i][a.FIRST] - i
        y0[at : at + tables.cables[i][a.COUNT]] = geometry.tensions[name]
    return Built(ints, reals, y0, tuple(tables.twists))
