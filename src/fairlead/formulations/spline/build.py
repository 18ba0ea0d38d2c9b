"""From a `System` and its first geometry to the flat arrays of the splines."""

from __future__ import annotations

import numpy as np

from fairlead.algebra.cubic_spline import Curve, band, end_tangent
from fairlead.algebra.records import Tables
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.loads.end_twist import TWIST_INTS, TWIST_REALS, torsion_row, twist_axis, twist_numbers
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


def node_rows(curve: Curve, kinds: list[CableType], cable: Cable, system: System) -> tuple[list[Row], np.ndarray]:
    """Constants of the nodes of one cable, and the water's numbers of their shares of it, (nodes, SLENDER).

    Weight and buoyancy are shared out as the curve has it; drag, added mass and seabed likewise where all shares are
    positive, else by half an element on either side.
    """
    environment = system.environment
    shares = curve.load_shares(system.simulation.spline.mass == "lumped")
    safe = shares if shares.sum(axis=1).min() > 0.0 else curve.load_shares(True)
    pivots, couplings = curve.factors()
    columns = {
        "pivot": pivots, "coupling": couplings, "share": safe.sum(axis=1),
        "weight": shares @ np.array([kind.mass_per_metre * environment.gravity for kind in kinds]),
        "radius": np.array([0.5 * kind.contact_diameter for kind in (*kinds, kinds[-1])]),
    }  # fmt: skip
    if (bed := environment.seabed) is not None:
        beds = {"bed_stiffness": bed.stiffness, "bed_damping": bed.damping, "bed_shear": bed.friction_stiffness}
        for name, stiffness in beds.items():
            columns[name] = safe @ np.array([stiffness * kind.contact_diameter for kind in kinds])
            columns[name][[0, -1]] *= np.logical_not(held_on_bed(system, cable))
    water = np.array([slender_row(kind, 1.0, environment) for kind in kinds])
    wet = np.vstack([water, water[-1:]])
    wet[:, :2] = shares @ water[:, :2]  # what it displaces
    wet[:, 2:EXTENSIVE] = safe @ water[:, 2:EXTENSIVE]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)], wet


def add_twist(
    rows: Collected, name: str, curve: Curve, kinds: list[CableType], places: np.ndarray, system: System
) -> Row:
    """Add how the ends of a cable hold its twist, and how they are turned; what its own row is told of it."""
    twist = system.simulation.spline.twists.get(name)
    torsion: Row = {"axis": twist_axis(twist, places)}
    twisted = all(kind.gj > 0 for kind in kinds) and (all(curve.clamps) or twist is not None)
    turn, turning = [0] * TWIST_INTS, [0.0] * TWIST_REALS
    if twisted:
        torsion, first = torsion_row(twist, places, curve.lengths.tolist(), kinds), 3 * len(controlled_points(system))
        turn, turning = twist_numbers(twist, first + len(rows.twisted), rows.sample)
        rows.twisted.append(name)
    rows.torsion.append(torsion)
    rows.turn.append(turn)
    rows.turning.append(turning)
    return {"twisted": twisted, "follower": twisted and twist is not None and twist.torque == "follower"}


def add_cable(rows: Collected, name: str, cable: Cable, system: System, geometry: Geometry) -> None:
    """Add one cable: its curve, what holds its nodes, its masses and its twist."""
    segments = cable.segments(system)
    kinds, lengths = [system.types[s.type_name] for s in segments], np.array([s.length for s in segments])
    clamps = (cable.start.joint == "clamp", cable.end.joint == "clamp")
    curve, places = Curve(lengths, clamps), np.asarray(geometry.nodes[name], dtype=float)
    masses = curve.mass(np.array([kind.mass_per_metre for kind in kinds]), system.simulation.spline.mass == "lumped")
    nodes, wet = node_rows(curve, kinds, cable, system)
    first, held, controlled = len(rows.node), [FREE] * len(nodes), list(controlled_points(system))
    clamp = {}
    for side, end, index, order in (("start", cable.start, 0, 1), ("end", cable.end, len(lengths), -1)):
        point = system.points[end.point]
        if isinstance(point, FreePoint):
            masses[index, index] += point.mass
            nodes[index] |= point_row(point, system.environment)
            nodes[index]["weight"] += point.mass * system.environment.gravity
            rows.free.append((end.point, first + index))
        else:
            held[index] = controlled.index(end.point) if end.point in controlled else FIXED
        given = end_tangent(places[::order], lengths[::order]) * order
        clamp[side] = given if end.direction is None else np.array(end.direction) / np.linalg.norm(end.direction)
    inverse, loose = np.zeros_like(masses), np.array(held) == FREE
    inner = np.ix_(loose, loose)
    inverse[inner] = np.linalg.inv(masses[inner])
    if not system.environment.water_density > 0:  # how the accelerations of held ends act through the masses
        for index, pull in ((0, "pull_start"), (-1, "pull_end")):
            if held[index] != FREE:
                for node, number in zip(nodes, -inverse @ masses[:, index], strict=True):
                    node[pull] = number
    (half, band_rows), (inverse_half, inverse_rows) = band(masses), band(inverse)
    start = sum(part.size for part in rows.bands)
    rows.cable.append(
        {
            "first": first, "count": len(lengths), "clamp_start": clamps[0], "clamp_end": clamps[1], "half": half,
            "inverse_half": inverse_half, "band": start, "inverse_band": start + band_rows.size,
            **add_twist(rows, name, curve, kinds, places, system),
        }
    )  # fmt: skip
    rows.clamp.append(clamp)
    rows.bands += [band_rows.ravel(), inverse_rows.ravel()]
    rows.held += held
    rows.node += nodes
    rows.slender += list(wet)
    rows.element += [
        (h, k.ea, k.ei, k.damping_axial(h), k.damping_bending, k.mass_per_metre)
        for h, k in zip(lengths, kinds, strict=True)
    ]
    rows.position += list(places)
    rows.tension += list(geometry.tensions[name])


def build(system: System, geometry: Geometry) -> tuple[Tables, dict[str, slice]]:
    """Compile the system, with its state at t = 0 before it is brought to rest; also its inputs."""
    refuse(system)
    environment = system.environment
    rows = Collected()
    for name, cable in system.cables.items():
        add_cable(rows, name, cable, system, geometry)
    node_of = dict(rows.free)
    inputs = add_controlled_points(rows, system)
    add_points(rows, system, geometry, node_of)
    first = 3 * len(rows.control)
    inputs |= {f"{name}.twist": slice(first + k, first + k + 1) for k, name in enumerate(rows.twisted)}

    def at_node(place: Place, name: str) -> Row | None:
        return {"node": node_of[name]} if name in node_of else None

    rows.load, rows.push = load_rows(system, at_node, lambda place, name: False, rows.sample, inputs)
    if rows.bands:
        rows.band = {"entry": np.concatenate(rows.bands)}
    counts = {
        "shapes": SHAPES, "longest": max((row["count"] + 1 for row in rows.cable), default=0),
        "contacts": len(rows.node) if environment.seabed is not None else 0,
    }  # fmt: skip
    tables = rows.tables(
        SCHEMA, environment, counts, water=environment.water_density > 0, bed=environment.seabed is not None,
        lumped=system.simulation.spline.mass == "lumped", damped=any(kind.is_damped for kind in system.types.values()),
    )  # fmt: skip
    return tables, inputs
