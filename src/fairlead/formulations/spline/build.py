"""From a `System` and its first geometry to the flat arrays of the splines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairlead.algebra.cubic_spline import Curve, band, end_tangent
from fairlead.algebra.records import Tables
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.loads.end_twist import twist_axis, twist_numbers
from fairlead.loads.slender import EXTENSIVE, slender_row
from fairlead.model import Cable, CableType, System
from fairlead.model.anchors import held_on_bed
from fairlead.model.places import Place
from fairlead.model.points import FreePoint
from fairlead.rigging.commands import add_controlled_points, add_points, controlled_points
from fairlead.rigging.elements import point_row
from fairlead.rigging.junctions import refuse_junctions
from fairlead.rigging.point_loads import load_rows
from fairlead.rigging.rows import Collected, Row
from fairlead.shape.layout import Geometry

from .schema import FIXED, FREE, SCHEMA, SHAPES


MOST_ELEMENTS = 3000
"""Elements of one cable: beyond it the matrices, full before they are banded, no longer fit."""


@dataclass(frozen=True)
class Built:
    """Tables with the state at t = 0 before it is brought to rest, and the inputs."""

    tables: Tables
    inputs: dict[str, slice]


@dataclass(frozen=True)
class Line:
    """A cable before the tables are there: what their sizes depend on."""

    name: str
    cable: Cable
    first: int
    curve: Curve
    held: list[int]
    """Controls of its nodes."""
    masses: np.ndarray
    inverse: np.ndarray
    """Mass matrix (n+1, n+1) with the bodies of free points, and its inverse over the free nodes."""
    bands: tuple[tuple[int, np.ndarray], ...]
    """Half widths and rows of both."""

    @property
    def nodes(self) -> slice:
        return slice(self.first, self.first + len(self.held))

    @property
    def ends(self) -> tuple[int, int]:
        """Its first and last node."""
        return self.first, self.first + len(self.held) - 1

    def kinds(self, system: System) -> list[CableType]:
        """Types of its elements."""
        return [system.types[segment.type_name] for segment in self.cable.segments(system)]


def refuse(system: System) -> None:
    """Raise for what the features do not tell: cables joined in a free point, bodies that turn, unknown names."""
    for name, cable in system.cables.items():
        if cable.element_count > MOST_ELEMENTS:
            raise UnsupportedSystem(
                f"cables.{name}: {cable.element_count} elements are more than the {MOST_ELEMENTS} the formulation "
                "'spline' takes in one cable; use fewer: a spline needs far fewer elements than bars do"
            )
    free = refuse_junctions(system, "spline")
    for end in (end for cable in system.cables.values() for end in (cable.start, cable.end)):
        if end.point in free and (end.joint == "clamp" or getattr(system.points[end.point], "inertia", 0.0) > 0):
            raise UnsupportedSystem(
                f"points.{end.point}: the formulation 'spline' has no free points that turn; use a ball joint and no "
                "inertia there, or use formulation: bars"
            )
    for load in system.loads:
        if any(load.torque) and load.point in free:
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


def line_of(name: str, cable: Cable, first: int, system: System, controlled: list[str]) -> Line:
    """One cable whose first node is `first`: its curve, what holds its nodes, its masses."""
    segments = cable.segments(system)
    curve = Curve(
        np.array([s.length for s in segments]), (cable.start.joint == "clamp", cable.end.joint == "clamp")
    )  # fmt: skip
    per_length = np.array([system.types[s.type_name].mass_per_metre for s in segments])
    masses = curve.mass(per_length, system.simulation.spline.mass == "lumped")
    held = [FREE] * (len(segments) + 1)
    for index, end in ((0, cable.start), (-1, cable.end)):
        point = system.points[end.point]
        if isinstance(point, FreePoint):
            masses[index, index] += point.mass
        else:
            held[index] = controlled.index(end.point) if end.point in controlled else FIXED
    inverse, free = np.zeros_like(masses), np.array(held) == FREE
    inner = np.ix_(free, free)
    inverse[inner] = np.linalg.inv(masses[inner])
    return Line(name, cable, first, curve, held, masses, inverse, (band(masses), band(inverse)))


def fill_nodes(t: Tables, line: Line, system: System) -> None:
    """Constants of the nodes of one cable.

    Weight and buoyancy are shared out as the curve has it; drag, added mass and seabed likewise where all shares are
    positive, else by half an element on either side.
    """
    kinds, nodes, bed = line.kinds(system), line.nodes, system.environment.seabed
    shares = line.curve.load_shares(system.simulation.spline.mass == "lumped")
    safe = shares if shares.sum(axis=1).min() > 0.0 else line.curve.load_shares(True)
    t.node.pivot[nodes], t.node.coupling[nodes] = line.curve.factors()
    t.node.share[nodes] = safe.sum(axis=1)
    t.node.weight[nodes] = shares @ np.array([kind.mass_per_metre * system.environment.gravity for kind in kinds])
    t.node.radius[nodes] = [0.5 * kind.contact_diameter for kind in (*kinds, kinds[-1])]
    if bed is not None:
        for column, stiffness in (
            (t.node.bed_stiffness, bed.stiffness), (t.node.bed_damping, bed.damping),
            (t.node.bed_shear, bed.friction_stiffness),
        ):  # fmt: skip
            column[nodes] = safe @ np.array([stiffness * kind.contact_diameter for kind in kinds])
            for end, held in zip(line.ends, held_on_bed(system, line.cable), strict=True):
                column[end] *= not held
    water = np.array([slender_row(kind, 1.0, system.environment) for kind in kinds])
    rows = t.block("slender")[nodes]
    rows[:, :2] = shares @ water[:, :2]  # what it displaces
    rows[:, 2:EXTENSIVE] = safe @ water[:, 2:EXTENSIVE]
    rows[:, EXTENSIVE:] = water[np.minimum(np.arange(len(rows)), len(kinds) - 1), EXTENSIVE:]


def fill_point(t: Tables, node: int, point: FreePoint, system: System) -> None:
    """The body of a free point at its node."""
    for name, value in point_row(point, system.environment).items():
        getattr(t.node, name)[node] = value
    t.node.weight[node] += point.mass * system.environment.gravity


def fill_masses(t: Tables, c: int, line: Line, start: int, wet: bool) -> None:
    """Bands of the mass matrix and of its inverse from number `start` on, and the pull of held ends through it."""
    if not wet:
        for index, column in ((0, t.node.pull_start), (-1, t.node.pull_end)):
            if line.held[index] != FREE:
                column[line.nodes] = -line.inverse @ line.masses[:, index]
    (half, rows), (inverse_half, inverse_rows) = line.bands
    t.cable.half[c], t.cable.inverse_half[c] = half, inverse_half
    t.cable.band[c], t.cable.inverse_band[c] = start, start + rows.size
    t.band.entry[start : start + rows.size] = rows.ravel()
    t.band.entry[start + rows.size : start + rows.size + inverse_rows.size] = inverse_rows.ravel()


def fill_cable(t: Tables, c: int, line: Line, system: System, geometry: Geometry) -> None:
    """Cable number c, but for its masses and its twist."""
    cable, nodes = line.cable, np.asarray(geometry.nodes[line.name], dtype=float)
    lengths, elements = line.curve.lengths, slice(line.first - c, line.first - c + len(line.curve.lengths))
    t.cable.first[c], t.cable.count[c] = line.first, len(lengths)
    t.cable.clamp_start[c], t.cable.clamp_end[c] = line.curve.clamps
    t.torsion.axis[c] = twist_axis(system.simulation.spline.twists.get(line.name), nodes)
    t.held.control[line.nodes] = line.held
    fill_nodes(t, line, system)
    sides = ((t.clamp.start, 1.0, nodes, lengths), (t.clamp.end, -1.0, nodes[::-1], lengths[::-1]))
    for node, end, (clamps, sign, from_end, from_lengths) in zip(
        line.ends, (cable.start, cable.end), sides, strict=True
    ):
        point = system.points[end.point]
        if isinstance(point, FreePoint):
            fill_point(t, node, point, system)
        inward = end_tangent(from_end, from_lengths) * sign
        clamps[c] = inward if end.direction is None else np.array(end.direction) / np.linalg.norm(end.direction)
    t.block("element")[elements] = [
        (h, k.ea, k.ei, k.damping_axial(h), k.damping_bending, k.mass_per_metre)
        for h, k in zip(lengths, line.kinds(system), strict=True)
    ]
    t.position.xyz[line.nodes] = nodes
    t.tension.value[elements] = geometry.tensions[line.name]


def twists_of(lines: list[Line], system: System) -> dict[int, str]:
    """Cables whose ends hold their twist, by their numbers; an input is set aside for each."""
    found = {}
    for c, line in enumerate(lines):
        clamped = all(line.curve.clamps)
        if all(kind.gj > 0 for kind in line.kinds(system)) and (
            clamped or line.name in system.simulation.spline.twists
        ):
            found[c] = line.name
    return found


def fill_twist(t: Tables, c: int, line: Line, system: System, record: list[int], numbers: list[float]) -> None:
    """How the ends of a cable hold its twist, with the record of its motion."""
    given = system.simulation.spline.twists.get(line.name)
    pairs = list(zip(line.curve.lengths, line.kinds(system), strict=True))
    t.cable.twisted[c], t.cable.follower[c] = 1, given is not None and given.torque == "follower"
    t.torsion.compliance[c] = sum(length / kind.gj for length, kind in pairs)
    time = sum(length * kind.damping_torsion for length, kind in pairs)
    t.torsion.time[c] = time / line.cable.total_length
    t.block("turn")[c], t.block("turning")[c] = record, numbers


def build(system: System, geometry: Geometry) -> Built:
    """Compile the system."""
    refuse(system)
    environment = system.environment
    controlled = list(controlled_points(system))
    lines: list[Line] = []
    for name, cable in system.cables.items():
        lines.append(line_of(name, cable, lines[-1].ends[1] + 1 if lines else 0, system, controlled))
    node_of = {
        end.point: node
        for line in lines
        for node, end in zip(line.ends, (line.cable.start, line.cable.end), strict=True)
        if isinstance(system.points[end.point], FreePoint)
    }
    rows = Collected()
    twists = twists_of(lines, system)
    turns = {
        c: twist_numbers(system.simulation.spline.twists.get(name), 3 * len(controlled) + k, rows.sample)
        for k, (c, name) in enumerate(twists.items())
    }
    inputs = add_controlled_points(rows, system)
    add_points(rows, system, geometry, node_of)
    inputs |= {f"{name}.twist": slice(turns[c][0][3], turns[c][0][3] + 1) for c, name in twists.items()}

    def at_node(place: Place, name: str) -> Row | None:
        return {"node": node_of[name]} if name in node_of else None

    rows.load, rows.push = load_rows(system, at_node, lambda place, name: False, rows.sample, inputs)
    sizes = [len(line.held) for line in lines]
    counts = {
        "cables": len(lines), "nodes": sum(sizes), "elements": sum(sizes) - len(lines), "shapes": SHAPES,
        "longest": max(sizes, default=0), "contacts": sum(sizes) if environment.seabed is not None else 0,
        "entries": sum(band.size for line in lines for _, band in line.bands),
    }  # fmt: skip
    t = rows.tables(
        SCHEMA, environment, counts, water=environment.water_density > 0, bed=environment.seabed is not None,
        lumped=system.simulation.spline.mass == "lumped", damped=any(kind.is_damped for kind in system.types.values()),
    )  # fmt: skip
    start = 0
    for c, line in enumerate(lines):
        fill_cable(t, c, line, system, geometry)
        fill_masses(t, c, line, start, environment.water_density > 0)
        start += sum(band.size for _, band in line.bands)
        if c in turns:
            fill_twist(t, c, line, system, *turns[c])
    return Built(t, inputs)
