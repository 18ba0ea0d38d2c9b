"""From a `System` and a reduced model of its cable to flat arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.loads import drag
from fairlead.loads.end_motion import control_records
from fairlead.loads.signals import MOTION_HARMONIC, MOTION_TABLE
from fairlead.model import CableType, Harmonic, System
from fairlead.model.methods import Twist
from fairlead.sea import water
from fairlead.shape.layout import Geometry

from . import arrays as a
from .model_file import ReducedModel
from .operators import Operators, gauss_points

Floats = NDArray[np.float64]
TWIST_POINTS, WET_POINTS = 24, 24
"""Gauss points along the whole cable."""


@dataclass(frozen=True)
class Built:
    """Compiled arrays, and the shapes (node, 3, m) of the reduced state."""

    ints: np.ndarray
    reals: np.ndarray
    shapes: Floats
    operators: Operators


def refuse(system: System, model: ReducedModel) -> None:
    """Raise for what the features do not tell."""
    if len(system.cables) != 1:
        raise UnsupportedSystem(
            f"the formulation 'reduced' runs one cable and the system has {len(system.cables)}; "
            "leave the others out, or use the formulation the model was made from"
        )
    cable = next(iter(system.cables.values()))
    for end in (cable.start, cable.end):
        if system.points[end.point].kind not in ("fixed", "controlled"):
            raise UnsupportedSystem(
                f"points.{end.point}: the formulation 'reduced' holds both ends of its cable; make the point fixed or "
                f"controlled, or use formulation: {model.source}"
            )
    kinds = [system.types[name] for name in cable.type_names]
    times = {(kind.damping_axial, kind.damping_bending, kind.damping_torsion) for kind in kinds}
    if len(times) > 1:
        raise UnsupportedSystem(
            "types: the formulation 'reduced' has one damping_time for the whole cable; give its types the same, or "
            f"use formulation: {model.source}"
        )
    if model.element == "straight" and any(kind.ei > 0 for kind in kinds):
        raise UnsupportedSystem(
            "types: the reduced model is of straight elements, which do not bend; leave bending_stiffness out, or make "
            "the model of a run with formulation: spline"
        )
    twist = twist_of(system, model)
    if twist is not None and twist.torque == "follower":
        raise UnsupportedSystem(
            f"simulation.spline.twists.{model.cable}.torque: a follower torque has no energy that the formulation "
            "'reduced' could keep; use torque: conservative, or formulation: spline"
        )


def sines_of(system: System, model: ReducedModel) -> Mapping[str, tuple[Harmonic, ...]]:
    """Further sines of controlled points, as the settings of the formulation it was made from have them."""
    return getattr(getattr(system.simulation, model.source), "sines", {})


def twist_of(system: System, model: ReducedModel) -> Twist | None:
    """How the end of the cable is turned; None where its ends do not hold the twist."""
    twist = system.simulation.spline.twists.get(model.cable) if model.source == "spline" else None
    kinds = [system.types[name] for name in system.cables[model.cable].type_names]
    return twist if twist is not None and all(kind.gj > 0 for kind in kinds) else None


def shapes_of(model: ReducedModel) -> Floats:
    """Z (node, 3, K + 7): places per mode, per end and for the mean."""
    nodes, k = len(model.along), model.modes.shape[2]
    whole = np.zeros((nodes, 3, k + 7))
    whole[:, :, :k] = model.modes
    for axis in range(3):
        whole[:, axis, k + axis] = 1.0 - model.along
        whole[:, axis, k + 3 + axis] = model.along
    whole[:, :, -1] = model.mean
    return whole


def wet_row(kind: CableType, length: float, system: System) -> list[float]:
    """Constants of a wet point with its length of cable."""
    env = system.environment
    rho, d = env.water_density, kind.diameter
    row = [0.0] * a.WET_REALS
    displaced = rho * kind.area * length
    row[a.LENGTH], row[a.DIAMETER], row[a.REYNOLDS] = length, d, d / env.viscosity
    row[a.BUOYANCY] = displaced * env.gravity
    row[a.ADDED_NORMAL], row[a.ADDED_AXIAL] = kind.added_mass.normal * displaced, kind.added_mass.axial * displaced
    half = 0.5 * rho * d * length
    if kind.drag == "reynolds":
        row[a.DRAG_LAW], row[a.DRAG_NORMAL], row[a.DRAG_AXIAL] = drag.REYNOLDS, half, math.pi * half
    elif kind.drag == "none":
        row[a.DRAG_LAW] = drag.NONE
    else:
        area = math.pi if kind.drag.axial_area == "surface" else 1.0
        row[a.DRAG_LAW], row[a.DRAG_NORMAL] = drag.CONSTANT, half * kind.drag.normal
        row[a.DRAG_AXIAL] = half * area * kind.drag.axial
    return row


def along_cable(operators: Operators, shapes: Floats, arc: float) -> tuple[int, Floats, Floats, Floats]:
    """Element, and place, slope and curvature (3, m) each of z, `arc` m from the start."""
    e, place, slope, curvature = operators.at(arc)
    on = [np.asarray(np.tensordot(row, shapes, axes=(0, 0))) for row in (place, slope, curvature)]
    return e, on[0], on[1], on[2]


def twist_numbers(twist: Twist, first: Floats, table: list[float], header: np.ndarray, scalars: Floats) -> None:
    """The motion of the twist and the direction it is counted against, as in the formulation 'spline'."""
    chord = first[-1] - first[0]
    normal = np.array([chord[1], -chord[0], 0.0])
    size = float(np.linalg.norm(normal))
    axis = normal / size if size > 1e-6 * float(np.linalg.norm(chord)) else np.array([1.0, 0.0, 0.0])
    if twist.reference is not None:
        axis = np.array(twist.reference) / np.linalg.norm(twist.reference)
    scalars[a.AXIS : a.AXIS + 3] = axis
    if twist.angle_deg is not None:
        scalars[a.TWIST_ANGLE] = math.radians(twist.angle_deg)
    elif twist.table is not None:
        header[a.TWIST_KIND], header[a.TWIST_TABLE] = MOTION_TABLE, len(table)
        header[a.TWIST_ROWS] = len(twist.table)
        table += [number for t, angle in twist.table for number in (t, math.radians(angle))]
    elif twist.harmonic is not None:
        wave = twist.harmonic
        header[a.TWIST_KIND] = MOTION_HARMONIC
        scalars[a.TWIST_ANGLE], scalars[a.TWIST_AMPLITUDE] = (
            math.radians(wave.mean_deg),
            math.radians(wave.amplitude_deg),
        )
        scalars[a.TWIST_OMEGA], scalars[a.TWIST_PHASE] = 2 * math.pi / wave.period, math.radians(wave.phase_deg)
        scalars[a.TWIST_RAMP] = wave.ramp


def build(system: System, geometry: Geometry, model: ReducedModel) -> Built:
    """Compile the system on the shapes of the model."""
    refuse(system, model)
    cable = system.cables[model.cable]
    operators, shapes = Operators.of(system, model.cable, model.element), shapes_of(model)
    k, p, nodes = model.modes.shape[2], model.tensions.shape[1], len(model.along)
    length = float(operators.lengths.sum())
    controlled = [name for name, point in system.points.items() if point.kind == "controlled"]
    header, scalars = np.zeros(a.HEADER, dtype=np.int64), np.zeros(a.SCALARS)
    table: list[float] = []
    controls = control_records(system, controlled, sines_of(system, model), table)
    header[a.MODES], header[a.TENSIONS], header[a.N_NODES] = k, p, nodes
    header[a.N_POINTS], header[a.N_CONTROLLED] = len(system.points), len(controlled)
    header[a.WATER] = int(system.environment.water_density > 0)
    for place, end in ((a.HELD_START, cable.start), (a.HELD_END, cable.end)):
        header[place] = controlled.index(end.point) if end.point in controlled else a.FIXED
    kinds = operators.kinds
    scalars[a.TIME_AXIAL], scalars[a.TIME_BENDING] = kinds[0].damping_axial, kinds[0].damping_bending
    twist = twist_of(system, model)
    points: list[np.ndarray] = []
    scalars[a.COMPLIANCE] = 1.0
    if twist is not None:
        header[a.TWISTED], header[a.N_TWIST], header[a.TWIST_INPUT] = 1, TWIST_POINTS, 3 * len(controlled)
        scalars[a.COMPLIANCE] = sum(h / kind.gj for h, kind in zip(operators.lengths, kinds, strict=True))
        scalars[a.TIME_TORSION] = kinds[0].damping_torsion
        twist_numbers(twist, np.asarray(geometry.nodes[model.cable]), table, header, scalars)
        places, weights = gauss_points(TWIST_POINTS, length)
        rows = [np.concatenate(along_cable(operators, shapes, arc)[2:]) for arc in places]
        points = [weights, np.concatenate(rows).T.ravel()]
    wet: list[np.ndarray] = []
    if header[a.WATER]:
        header[a.N_WET] = WET_POINTS
        for arc, weight in zip(*gauss_points(WET_POINTS, length), strict=True):
            e, here, slope, _ = along_cable(operators, shapes, arc)
            wet += [np.array(wet_row(kinds[e], weight, system)), here.ravel(), slope.ravel()]
    header[a.N_TABLE], header[a.N_SINES] = len(table), len(controls.sines)
    sea = water.pack(system.environment)
    a.set_offsets(header, len(sea))
    ends = {cable.start.point: 0, cable.end.point: 1}
    marks = [[ends.get(name, -1), controlled.index(name) if name in controlled else -1] for name in system.points]
    ints = np.concatenate([header, controls.ints.ravel(), np.ravel(marks)]).astype(np.int64)
    scaled = operators.stiffnesses[:, None] * model.tensions
    forms = np.tensordot(scaled.T, operators.strain_forms(shapes), axes=(1, 0))
    bent = np.tensordot(operators.curvatures, shapes, axes=(1, 0))
    elements = np.column_stack([operators.lengths, [kind.ei for kind in kinds], scaled / operators.lengths[:, None]])
    reals = np.concatenate(
        [
            sea, scalars, forms.ravel(), forms[:, :k, :k].ravel(), scaled.sum(axis=0),
            operators.bending_form(shapes).ravel(), operators.mass_form(shapes).ravel(), operators.weight_form(shapes),
            *points, *wet, np.concatenate([shapes, bent], axis=1).ravel(), elements.ravel(),
            np.ravel([geometry.points[name] for name in system.points]), controls.reals.ravel(),
            controls.sines.ravel(), table,
        ]
    ).astype(np.float64)  # fmt: skip
    assert len(reals) == ints[a.R_TABLE] + len(table)
    return Built(ints, reals, shapes, operators)
