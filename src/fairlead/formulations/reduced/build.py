"""From a `System` and a reduced model of its cables to flat arrays."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.loads.end_motion import control_records
from fairlead.loads.end_twist import twist_axis, twist_numbers
from fairlead.loads.slender import slender_row
from fairlead.model import System
from fairlead.model.methods import Twist
from fairlead.model.points import FreePoint
from fairlead.sea import water
from fairlead.shape.layout import Geometry

from . import arrays as a
from .assembly import Assembly
from .model_file import ReducedModel
from .operators import CableOperators, gauss_points

Floats = NDArray[np.float64]
WET_POINTS = 24
"""Gauss points of the water's loads along a cable."""


@dataclass(frozen=True)
class Built:
    """Compiled arrays; the shapes (node, 3, m) of the reduced state; the names of cables whose twist is held."""

    ints: np.ndarray
    reals: np.ndarray
    shapes: Floats
    assembly: Assembly
    twisted: tuple[str, ...]


@dataclass
class Records:
    """Integers and numbers collected while compiling."""

    table: list[float] = field(default_factory=list)
    twist_ints: list[int] = field(default_factory=list)
    twists: list[Floats] = field(default_factory=list)
    wet: list[Floats] = field(default_factory=list)
    bodies: list[Floats] = field(default_factory=list)
    load_ints: list[int] = field(default_factory=list)
    loads: list[Floats] = field(default_factory=list)


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
    records: Records, part: CableOperators, twist: Twist | None, nodes: Floats, shapes: Floats, place: int
) -> None:
    """The twist of one cable, whose angle is the input number `place`."""
    ints, motion = twist_numbers(twist, place, records.table)
    records.twist_ints += [*ints, int(twist is not None and twist.torque == "follower")]
    compliance = sum(h / kind.gj for h, kind in zip(part.lengths, part.kinds, strict=True))
    time = sum(h * kind.damping_torsion for h, kind in zip(part.lengths, part.kinds, strict=True)) / part.lengths.sum()
    places, weights = gauss_points(a.TWIST_POINTS, float(part.lengths.sum()))
    frames = np.array([part.at(arc, shapes)[2:] for arc in places])  # (point, slope or curvature, 3, m)
    columns = frames.transpose(3, 1, 2, 0)
    records.twists += [np.array([*motion, *twist_axis(twist, nodes), compliance, time]), weights, columns.ravel()]


def add_water(records: Records, part: CableOperators, shapes: Floats, system: System) -> None:
    """The wet points of one cable."""
    for arc, weight in zip(*gauss_points(WET_POINTS, float(part.lengths.sum())), strict=True):
        e, place, slope, _ = part.at(arc, shapes)
        row = [*slender_row(part.kinds[e], weight, system.environment), weight]
        records.wet += [np.array(row), place.ravel(), slope.ravel()]


def add_points(records: Records, assembly: Assembly, shapes: Floats, system: System) -> None:
    """Bodies of free points in water, and loads on free points."""
    rho, g = system.environment.water_density, system.environment.gravity
    for name, (nodes, _) in assembly.free.items():
        point = system.points[name]
        assert isinstance(point, FreePoint)
        if rho > 0 and max(point.volume, point.drag_area, point.added_mass) > 0:
            body = [rho * g * point.volume, 0.5 * rho * point.drag_area, point.added_mass, max(point.height, 0.1)]
            records.bodies += [np.array(body), shapes[nodes[0]].ravel()]
    for load in system.loads:
        if load.point in assembly.free:
            rows = load.table or ()
            records.load_ints += [len(records.table), len(rows)]
            records.table += [number for row in rows for number in row]
            records.loads += [np.array(load.force), shapes[assembly.free[load.point][0][0]].ravel()]


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
    times = np.concatenate([[kind.damping_axial for kind in part.kinds] for part in assembly.parts])
    ease = model.tensions.T @ (times[:, None] * model.tensions)

    records = Records()
    controlled = [name for name, point in system.points.items() if point.kind == "controlled"]
    controls = control_records(system, controlled, records.table)
    held = [assembly.joined[c][side] for c, side in assembly.held]
    cables: list[list[int]] = []
    twisted: list[str] = []
    for c, (name, part, own) in enumerate(zip(assembly.names, assembly.parts, assembly.nodes, strict=True)):
        holds, twist = twist_of(system, model, name)
        ends = [assembly.held.index((c, side)) if (c, side) in assembly.held else -1 for side in (0, 1)]
        cables.append([own.start, len(part.lengths), *ends, len(twisted) if holds else -1])
        if holds:
            place = 3 * len(controlled) + len(twisted)
            add_twist(records, part, twist, np.asarray(geometry.nodes[name]), shapes[own], place)
            twisted.append(name)
        if system.environment.water_density > 0:
            add_water(records, part, shapes[own], system)
    add_points(records, assembly, shapes, system)

    sea = water.pack(system.environment)
    header = np.zeros(a.HEADER, dtype=np.int64)
    header[a.MODES], header[a.TENSIONS], header[a.N_HELD] = k, p, len(held)
    header[a.N_CABLES], header[a.N_NODES] = len(cables), len(shapes)
    header[a.N_POINTS], header[a.N_CONTROLLED], header[a.N_TABLE] = (
        len(system.points), len(controlled), len(records.table),
    )  # fmt: skip
    header[a.WATER], header[a.DAMPED] = int(system.environment.water_density > 0), int(damping.any())
    header[a.N_TWISTS], header[a.N_WET] = len(twisted), len(records.wet) // 3
    header[a.N_BODIES], header[a.N_LOADS] = len(records.bodies) // 2, len(records.loads) // 2
    a.set_offsets(header, len(sea))
    points = [
        [
            held.index(name) if name in held else -1,
            controlled.index(name) if name in controlled else -1,
            assembly.free[name][0][0] if name in assembly.free else -1,
        ]
        for name in system.points
    ]
    ints = np.concatenate(
        [
            header, np.ravel(cables), [controlled.index(n) if n in controlled else a.FIXED for n in held],
            controls.ints.ravel(), np.ravel(points), records.twist_ints, records.load_ints,
        ]
    ).astype(np.int64)  # fmt: skip
    kinds = [kind for part in assembly.parts for kind in part.kinds]
    props = [[length, kind.ei, kind.ea] for length, kind in zip(assembly.lengths, kinds, strict=True)]
    elements = np.column_stack([props, scaled / assembly.lengths[:, None]])
    by_column = forms.transpose(1, 0, 2)  # (m, p, m): a form is its own transpose
    reals = np.concatenate(
        [
            sea, by_column.ravel(), by_column[:, :, :k].ravel(), scaled.sum(axis=0), pulls, ease.ravel(),
            diagonal(stiffness, k).ravel(), bending.ravel(), damping.ravel(), diagonal(mass, k).ravel(),
            assembly.weight_form(shapes), *records.twists, *records.wet, *records.bodies, *records.loads,
            np.concatenate([shapes, assembly.curvatures(shapes)], axis=1).ravel(), elements.ravel(),
            np.ravel([geometry.points[name] for name in system.points]), controls.reals.ravel(), records.table,
        ]
    ).astype(np.float64)  # fmt: skip
    assert len(reals) == ints[a.R_TABLE] + len(records.table)
    return Built(ints, reals, shapes, assembly, tuple(twisted))
