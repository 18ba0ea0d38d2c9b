"""From a `System` and a reduced model of its cables to flat arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairlead.algebra.records import Tables
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.loads.end_twist import torsion_row, twist_numbers
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


def add_twist(
    rows: Collected, part: CableOperators, twist: Twist | None, nodes: Floats, shapes: Floats, at: int
) -> None:
    """Add the twist of one cable; its input is number `at`."""
    record, motion = twist_numbers(twist, at, rows.sample)
    rows.turn.append([*record, twist is not None and twist.torque == "follower"])
    rows.turning.append(motion)
    rows.torsion.append(torsion_row(twist, nodes, part.lengths.tolist(), part.kinds))
    places, weights = gauss_points(TWIST_POINTS, float(part.lengths.sum()))
    frames = np.array([part.at(arc, shapes)[2:] for arc in places])  # (point, slope or curvature, 3, m)
    rows.point_weight += list(weights)
    rows.frame_column += list(frames.transpose(3, 1, 2, 0).ravel())


def add_water(rows: Collected, part: CableOperators, shapes: Floats, system: System) -> None:
    """Add the wet points of one cable."""
    for arc, weight in zip(*gauss_points(WET_POINTS, float(part.lengths.sum())), strict=True):
        e, place, slope, _ = part.at(arc, shapes)
        rows.wet.append([*slender_row(part.kinds[e], weight, system.environment), weight])
        rows.wet_row += [*place.ravel(), *slope.ravel()]


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
    wet = environment.water_density > 0
    rows = Collected()
    controlled = list(controlled_points(system))
    inputs = add_controlled_points(rows, system)
    add_points(rows, system, geometry, {name: nodes[0] for name, (nodes, _) in assembly.free.items()})
    held = [assembly.joined[c][side] for c, side in assembly.held]
    for row, name in zip(rows.point, system.points, strict=True):
        row["held"] = held.index(name) if name in held else -1
    rows.end = [controlled.index(name) if name in controlled else FIXED for name in held]
    for c, (name, part, own) in enumerate(zip(assembly.names, assembly.parts, assembly.nodes, strict=True)):
        start, finish = (assembly.held.index((c, side)) if (c, side) in assembly.held else -1 for side in (0, 1))
        twisted, twist = twist_of(system, model, name)
        rows.cable.append(
            {
                "first": own.start, "count": len(part.lengths), "start": start, "finish": finish,
                "twist": len(rows.turn) if twisted else -1,
            }
        )  # fmt: skip
        if twisted:
            at = 3 * len(controlled) + len(rows.turn)
            inputs[f"{name}.twist"] = slice(at, at + 1)
            add_twist(rows, part, twist, np.asarray(geometry.nodes[name]), shapes[own], at)
        if wet:
            add_water(rows, part, shapes[own], system)
    for name, (nodes, _) in assembly.free.items():
        point = system.points[name]
        if wet and isinstance(point, FreePoint) and max(point.volume, point.drag_area, point.added_mass) > 0:
            rows.body.append({**point_row(point, environment), "mass": 0.0})  # that is among those of the shapes
            rows.body_row += list(shapes[nodes[0]].ravel())

    def on_shape(place: Place, name: str) -> Row | None:
        if name not in assembly.free:
            return None
        rows.push_row += list(shapes[assembly.free[name][0][0]].ravel())
        return {}

    rows.load, rows.push = load_rows(system, on_shape, lambda place, name: False, rows.sample, inputs)
    by_column = forms.transpose(1, 0, 2)  # (m, p, m): a form is its own transpose
    kinds = [kind for part in assembly.parts for kind in part.kinds]
    for name, values in {
        "form": by_column, "square": by_column[:, :, :k], "shift": scaled.sum(axis=0), "first_pull": pulls,
        "tension_damping": ease, "stiffness": diagonal(stiffness, k), "mass": diagonal(mass, k), "bending": bending,
        "damping": damping, "weight": assembly.weight_form(shapes), "share": scaled / assembly.lengths[:, None],
        "node_row": np.concatenate([shapes, assembly.curvatures(shapes)], axis=1),
    }.items():  # fmt: skip
        setattr(rows, name, {"value": values.ravel()})
    rows.element = {"length": assembly.lengths, "ei": [x.ei for x in kinds], "ea": [x.ea for x in kinds]}
    counts = with_products(
        {
            "modes": k, "tensions": p, "state": k + 3 * len(held) + 1, "held": len(held), "cables": len(assembly.names),
            "nodes": len(shapes), "elements": len(shapes) - len(assembly.names), "twists": len(rows.turn),
            "bodies": len(rows.body), "loads": len(rows.load), "wets": len(rows.wet),
        }
    )  # fmt: skip
    t = rows.tables(SCHEMA, environment, counts, water=wet, damped=bool(damping.any()))
    return Built(t, shapes, assembly, inputs)
