"""From a `System` and a reduced model of its cables to flat arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairlead.algebra.records import Tables
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.loads.end_twist import twist_axis, twist_numbers
from fairlead.loads.slender import slender_row
from fairlead.model import System
from fairlead.model.methods import Twist
from fairlead.model.places import Place
from fairlead.model.points import FreePoint
from fairlead.rigging.commands import add_controlled_points, add_points, controlled_points
from fairlead.rigging.elements import point_row
from fairlead.rigging.point_loads import load_rows
from fairlead.rigging.rows import Collected, Row
from fairlead.shape.layout import Geometry

from .assembly import Assembly
from .model_file import ReducedModel
from .operators import CableOperators, gauss_points
from .schema import FIXED, SCHEMA, TWIST_POINTS, with_products

Floats = NDArray[np.float64]
WET_POINTS = 24
"""Gauss points of the water's loads along a cable."""


@dataclass(frozen=True)
class Built:
    """Tables; the shapes (node, 3, m) of the reduced state; the inputs."""

    tables: Tables
    shapes: Floats
    assembly: Assembly
    inputs: dict[str, slice]


def refuse(system: System, model: ReducedModel) -> None:
    """Raise for what the features do not tell."""
    for name in model.cables:
        cable = system.cables[name]
        for end in (cable.start, cable.end):
            point = system.points.get(end.point)
            if point is None or point.kind not in ("fixed", "controlled", "free"):
                raise UnsupportedSystem(
                    f"cables.{name}: the formulation 'reduced' ends cables in fixed, controlled and free points, not "
                    f"in '{end.point}'; join it to one of these, or use formulation: {model.source}"
                )
        bends = [system.types[kind] for kind in cable.type_names if system.types[kind].ei > 0]
        if model.element == "straight" and (bends or "clamp" in (cable.start.joint, cable.end.joint)):
            raise UnsupportedSystem(
                f"cables.{name}: the reduced model is of straight elements, which do not bend; leave bending_stiffness "
                "and clamps out, or make the model of a run with formulation: spline"
            )
    for name, point in system.points.items():
        if isinstance(point, FreePoint) and all(
            name not in (cable.start.point, cable.end.point) for cable in system.cables.values()
        ):
            raise UnsupportedSystem(f"points.{name}: a free point without a cable; the formulation 'reduced' has none")
        if isinstance(point, FreePoint) and point.inertia > 0:
            raise UnsupportedSystem(f"points.{name}.inertia: the formulation 'reduced' has no points that turn")
    for load in system.loads:
        if any(load.torque) and isinstance(system.points.get(load.point), FreePoint):
            raise UnsupportedSystem(f"loads: a torque on '{load.point}', which the formulation 'reduced' cannot carry")


def twist_of(system: System, model: ReducedModel, name: str) -> tuple[bool, Twist | None]:
    """Whether the ends of a cable hold its twist, and how they turn."""
    cable = system.cables[name]
    given = system.simulation.spline.twists.get(name)
    clamped = cable.start.joint == cable.end.joint == "clamp"
    stiff = all(system.types[kind].gj > 0 for kind in cable.type_names)
    return model.element == "spline" and stiff and (given is not None or clamped), given


def first_pulls(assembly: Assembly, scaled: Floats, geometry: Geometry) -> Floats:
    """Pulls (p,) of the first tensions: Σ_e Ψ_ea √(EA h)_e T_e/EA_e, of tensions that pull."""
    tension = np.concatenate([np.asarray(geometry.tensions[name], dtype=float) for name in assembly.names])
    stiffness = np.concatenate([[kind.ea for kind in part.kinds] for part in assembly.parts])
    return np.asarray((np.maximum(np.nan_to_num(tension), 0.0) / stiffness) @ scaled)


def vibrating(mass: Floats, stiffness: Floats) -> Floats:
    """Directions (K, K) of length 1 among which mass and stiffness (K, K) are both diagonal."""
    lower = np.linalg.cholesky(mass)
    half = np.linalg.solve(lower, np.linalg.solve(lower, stiffness).T)
    directions = np.linalg.solve(lower.T, np.linalg.eigh(0.5 * (half + half.T))[1])
    return np.asarray(directions / np.linalg.norm(directions, axis=0))


def diagonal(form: Floats, k: int) -> Floats:
    """A form (m, m) with the rounding beside the diagonal of its first k rows taken out."""
    form = form.copy()
    form[:k, :k] = np.diag(np.diag(form)[:k])
    return form


def fill_twist(t: Tables, k: int, part: CableOperators, twist: Twist | None, nodes: Floats, shapes: Floats) -> None:
    """Twist k, of one cable, but for its motion."""
    lengths = part.lengths
    t.turn.follower[k] = twist is not None and twist.torque == "follower"
    t.torsion.axis[k] = twist_axis(twist, nodes)
    t.torsion.compliance[k] = sum(h / kind.gj for h, kind in zip(lengths, part.kinds, strict=True))
    time = sum(h * kind.damping_torsion for h, kind in zip(lengths, part.kinds, strict=True))
    t.torsion.time[k] = time / lengths.sum()
    places, weights = gauss_points(TWIST_POINTS, float(lengths.sum()))
    frames = np.array([part.at(arc, shapes)[2:] for arc in places])  # (point, slope or curvature, 3, m)
    t.point_weight.value.reshape(-1, TWIST_POINTS)[k] = weights
    t.frame_column.value.reshape(t.twists, -1)[k] = frames.transpose(3, 1, 2, 0).ravel()


def fill_water(t: Tables, first: int, part: CableOperators, shapes: Floats, system: System) -> None:
    """The wet points of one cable, from number `first` on."""
    rows = t.wet_row.value.reshape(t.wets, -1)
    for k, (arc, weight) in enumerate(zip(*gauss_points(WET_POINTS, float(part.lengths.sum())), strict=True), first):
        e, place, slope, _ = part.at(arc, shapes)
        t.block("wet")[k] = [*slender_row(part.kinds[e], weight, system.environment), weight]
        rows[k] = np.concatenate([place.ravel(), slope.ravel()])


def fill_bodies(t: Tables, bodies: list[str], assembly: Assembly, shapes: Floats, system: System) -> None:
    """Bodies of free points in water."""
    for k, name in enumerate(bodies):
        point = system.points[name]
        assert isinstance(point, FreePoint)
        for field, value in point_row(point, system.environment).items():
            getattr(t.body, field)[k] = value
        t.body_row.value.reshape(len(bodies), -1)[k] = shapes[assembly.free[name][0][0]].ravel()
    t.body.mass = 0.0  # it is among the masses of the shapes


def build(system: System, geometry: Geometry, model: ReducedModel) -> Built:
    """Compile the system on the shapes of the model."""
    refuse(system, model)
    assembly = Assembly.of(system, model.element, geometry.nodes)
    k, p = model.modes.shape[2], model.tensions.shape[1]
    scaled = assembly.stiffnesses[:, None] * model.tensions
    pulls = first_pulls(assembly, scaled, geometry)
    shapes = assembly.shapes(model.modes, model.mean)
    forms = np.tensordot(scaled.T, assembly.strain_forms(shapes), axes=(1, 0))
    bending, mass = assembly.bending_form(shapes), assembly.mass_form(shapes)
    # the same in coordinates of vibration
    turn = np.eye(shapes.shape[2])
    turn[:k, :k] = vibrating(mass[:k, :k], (bending + np.tensordot(pulls, forms, axes=(0, 0)))[:k, :k])
    shapes = shapes @ turn
    forms = turn.T @ forms @ turn
    bending, mass = turn.T @ bending @ turn, turn.T @ mass @ turn
    damping = turn.T @ assembly.bending_form(assembly.shapes(model.modes, model.mean), damping=True) @ turn
    stiffness = bending + np.tensordot(pulls, forms, axes=(0, 0))
    times = np.concatenate(
        [[k.damping_axial(h) for k, h in zip(part.kinds, part.lengths, strict=True)] for part in assembly.parts]
    )
    ease = model.tensions.T @ (times[:, None] * model.tensions)

    environment = system.environment
    rows = Collected()
    controlled = list(controlled_points(system))
    inputs = add_controlled_points(rows, system)
    add_points(rows, system, geometry, {name: nodes[0] for name, (nodes, _) in assembly.free.items()})
    held = [assembly.joined[c][side] for c, side in assembly.held]
    twisted = [name for name in assembly.names if twist_of(system, model, name)[0]]
    turns = [
        twist_numbers(twist_of(system, model, name)[1], place, rows.sample)
        for place, name in enumerate(twisted, start=3 * len(controlled))
    ]
    bodies = [name for name in assembly.free if environment.water_density > 0 and has_body(system, name)]
    for name, (record, _) in zip(twisted, turns, strict=True):
        inputs[f"{name}.twist"] = slice(record[3], record[3] + 1)
    loaded: list[str] = []

    def on_shape(place: Place, name: str) -> Row | None:
        if name not in assembly.free:
            return None
        loaded.append(name)
        return {}

    rows.load, rows.push = load_rows(system, on_shape, lambda place, name: False, rows.sample, inputs)
    for row, name in zip(rows.point, system.points, strict=True):
        row["held"] = held.index(name) if name in held else -1
    counts = with_products(
        {
            "modes": k, "tensions": p, "state": k + 3 * len(held) + 1, "held": len(held), "cables": len(assembly.names),
            "nodes": len(shapes), "elements": len(shapes) - len(assembly.names), "twists": len(twisted),
            "bodies": len(bodies), "loads": len(rows.load),
            "wets": WET_POINTS * len(assembly.names) if environment.water_density > 0 else 0,
        }
    )  # fmt: skip
    t = rows.tables(SCHEMA, environment, counts, water=environment.water_density > 0, damped=bool(damping.any()))
    by_column = forms.transpose(1, 0, 2)  # (m, p, m): a form is its own transpose
    t.form.value, t.square.value = by_column.ravel(), by_column[:, :, :k].ravel()
    t.shift.value, t.first_pull.value, t.tension_damping.value = scaled.sum(axis=0), pulls, ease.ravel()
    t.stiffness.value, t.mass.value = diagonal(stiffness, k).ravel(), diagonal(mass, k).ravel()
    t.bending.value, t.damping.value = bending.ravel(), damping.ravel()
    t.weight.value = assembly.weight_form(shapes)
    t.node_row.value = np.concatenate([shapes, assembly.curvatures(shapes)], axis=1).ravel()
    kinds = [kind for part in assembly.parts for kind in part.kinds]
    t.element.length, t.element.ei, t.element.ea = assembly.lengths, [x.ei for x in kinds], [x.ea for x in kinds]
    t.share.value = (scaled / assembly.lengths[:, None]).ravel()
    for c, (name, part, own) in enumerate(zip(assembly.names, assembly.parts, assembly.nodes, strict=True)):
        ends = [assembly.held.index((c, side)) if (c, side) in assembly.held else -1 for side in (0, 1)]
        t.cable.first[c], t.cable.count[c], (t.cable.start[c], t.cable.finish[c]) = own.start, len(part.lengths), ends
        t.cable.twist[c] = twisted.index(name) if name in twisted else -1
        if name in twisted:
            twist, nodes = twist_of(system, model, name)[1], np.asarray(geometry.nodes[name])
            fill_twist(t, twisted.index(name), part, twist, nodes, shapes[own])
        if t.water:
            fill_water(t, WET_POINTS * c, part, shapes[own], system)
    for j, (record, motion) in enumerate(turns):
        t.block("turn")[j, : len(record)], t.block("turning")[j] = record, motion
    fill_bodies(t, bodies, assembly, shapes, system)
    for j, name in enumerate(loaded):
        t.push_row.value.reshape(len(loaded), -1)[j] = shapes[assembly.free[name][0][0]].ravel()
    t.end.control = [controlled.index(name) if name in controlled else FIXED for name in held]
    return Built(t, shapes, assembly, inputs)


def has_body(system: System, name: str) -> bool:
    """Whether the water acts on a free point."""
    point = system.points[name]
    assert isinstance(point, FreePoint)
    return max(point.volume, point.drag_area, point.added_mass) > 0
