"""From a system's `hydro` section to water with hulls in it: incident wave, meshes, absorbing zone, checks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fairlead.model import System
from fairlead.model.hydro import HullShape, default_panel_size
from fairlead.model.waves import RegularWaves
from fairlead.sea.waves import wave_components

from . import hulls as shapes
from .hulls import Hull, HullError
from .hydrostatics import hydrostatics
from .incident import IncidentWave, regular, still
from .mechanism import Mechanism, Motion, Some
from .mesh_checks import MeshError, check_closed, check_panels
from .mesh_files import hull_of, read_mesh, waterlines
from .panels import Floats, Panels
from .surface import FreeSurface, absorbing
from .surface_mesh import SurfaceMesh, disc, rings_about
from .triangles import triangles_about
from .water import Water

MATRICES = {"refresh": "stage", "iterate": "iterative", "freeze": "step"}
COARSEST = 4.0
"""Largest panels of a hull, in those that it has when nothing is said."""
FILTER = 0.2
"""Share of sawteeth taken off the surface each step, on the incident wave: without it steep waves drift for ever."""


@dataclass(frozen=True)
class Basin:
    """The water of a system, and what was chosen for it."""

    water: Callable[[Sequence[bool]], Water]
    """Makes the water for those hulls that are solved for: one truth value for each."""
    wave: IncidentWave
    names: tuple[str, ...]
    """Bodies with hulls."""
    hulls: tuple[Hull, ...]
    """Of all of them, halved where the case is symmetric."""
    starts: tuple[Motion, ...]
    """How they start."""
    symmetric: bool
    inside: Floats
    """Panels of the surface where waves are not absorbed (m,), bool."""
    radius: float
    damping_from: float


def incident_wave(system: System) -> IncidentWave:
    """The wave of the environment, by the theory the `hydro` section asks for."""
    environment, hydro = system.environment, system.hydro
    assert hydro is not None
    waves, depth, g = environment.waves, environment.depth, environment.gravity
    if waves is None:
        return still(depth, g)
    if isinstance(waves, RegularWaves):
        theory = hydro.theory
        if theory == "auto":
            theory = "airy" if hydro.mode == "linear" else "fenton"
        if hydro.mode == "linear" and theory != "airy":
            raise MeshError(f"hydro.theory: '{theory}' has no meaning in mode 'linear'; use airy or auto")
        phase = math.radians(waves.phase_deg)
        return regular(theory, waves.height, waves.period, depth, g, waves.direction_deg, phase, waves.ramp)
    if hydro.theory not in ("auto", "airy"):
        raise MeshError(f"hydro.theory: '{hydro.theory}' is for regular waves; an irregular sea is linear: use airy")
    a, kx, ky, omega, phases = wave_components(environment).T.copy()
    return IncidentWave(a, a * g / omega, kx, ky, omega, phases, float(depth), g, 0.0, waves.ramp)


def hull_in_body(shape: HullShape, name: str, height: float, folder: Path, rotation: Floats | None = None) -> Hull:
    """The hull a shape describes, in the frame of its body, which starts at z = `height`, turned by `rotation`."""
    usual = default_panel_size(shape) if shape.mesh is None else 0.0
    size = shape.panel_size or usual
    if size > COARSEST * usual:
        raise MeshError(
            f"hydro.hulls.{name}.panel_size: panels of {size:g} m are too large to show the hull; use "
            f"{COARSEST * usual:.2g} m at the most, or leave it out"
        )
    offset = np.array(shape.centre)
    z = height + offset[2]
    if shape.mesh is not None:
        mesh = shape.mesh
        panels = read_mesh(folder / mesh.file, mesh.scale, mesh.inverted)
        return hull_of(
            Panels(panels.vertices + offset, panels.quads),
            f"hydro.hulls.{name}.mesh.file: {folder / mesh.file}",
            np.array([0.0, 0.0, height]),
            rotation,
        )
    if shape.sphere is not None:
        r = 0.5 * shape.sphere.diameter
        _wet(name, z - r)
        around = round(2.0 * math.pi * r / size)
        if z + r <= 0.0:
            return shapes.sphere(r, around).shifted(offset)
        _rim(name, z - r * math.cos(math.radians(35.0)))
        _rim(name, -(z + r * math.cos(math.radians(30.0))), "deck")
        return shapes.floating_sphere(r, around).shifted(offset)
    if shape.cylinder is not None:
        r, h = 0.5 * shape.cylinder.diameter, shape.cylinder.height
        bottom, top = -0.5 * h, 0.5 * h
        _through(name, z + bottom, z + top)
        rows = round(-(z + bottom) / size)
        return shapes.cylinder(r, bottom, top, round(2.0 * math.pi * r / size), rows).shifted(offset)
    if shape.box is not None:
        bottom, top = -0.5 * shape.box.height, 0.5 * shape.box.height
        _through(name, z + bottom, z + top)
        hull = shapes.box(shape.box.length, shape.box.width, bottom, top, size)
        return Hull(hull.rigid, hull.lines, max(shapes.FEWEST_ROWS, round(-(z + bottom) / size))).shifted(offset)
    profile = np.array(shape.profile)
    _through(name, z + profile[0, 1], z + profile[-1, 1])
    around = round(2.0 * math.pi * profile[:, 0].max() / size)
    steps = np.linalg.norm(np.diff(profile, axis=0), axis=1).sum()
    return shapes.revolution(profile, around, max(2, round(steps / size))).shifted(offset)


def _wet(name: str, lowest: float) -> None:
    if lowest >= 0.0:
        raise MeshError(
            f"hydro.hulls.{name}: the hull is out of the water, its lowest point at z = {lowest:.4g} m; lower "
            f"bodies.{name}"
        )


def _rim(name: str, level: float, what: str = "bottom") -> None:
    if level >= 0.0:
        side = "out of" if what == "bottom" else "under"
        raise MeshError(
            f"hydro.hulls.{name}: the {what} of the hull starts {side} the water by {level:.4g} m; a floating sphere "
            "needs its middle near the surface, a submerged one must be all under water"
        )


def _through(name: str, bottom: float, top: float) -> None:
    _wet(name, bottom)
    if top <= 0.0:
        raise MeshError(
            f"hydro.hulls.{name}: its top is at z = {top:.4g} m, under water, where a cylinder, a box or a profile "
            "goes through the surface; raise the body, or say 'through_surface: true' for one that is under it, for a "
            "while or for ever"
        )


def plane_of_symmetry(system: System, wave: IncidentWave, hulls: list[Hull], starts: list[Motion]) -> str:
    """Why the half y ≥ 0 is not enough for a system; empty when it is."""
    if not wave.symmetric:
        return "the waves do not run along x"
    if system.hydro and system.hydro.surface.centre is not None and abs(system.hydro.surface.centre[1]) > 1e-9:
        return "hydro.surface.centre is not in the plane y = 0"
    for name, hull, start in zip(system.hydro.hulls if system.hydro else (), hulls, starts, strict=True):
        parts = [hull.rigid.vertices] if hull.lines is None else [hull.rigid.vertices, hull.lines.reshape(-1, 3)]
        y = np.concatenate(parts)[:, 1]
        size = float(np.ptp(y)) or 1.0
        if abs(start.place[1]) > 1e-9 * size or abs(float(y.max() + y.min())) > 1e-6 * size:
            return f"the hull of '{name}' is not in the plane y = 0"
        if np.abs(start.rotation[1] - [0.0, 1.0, 0.0]).max() > 1e-9:
            return f"'{name}' starts turned out of the plane y = 0"
        across = (hull.rigid.corners[:, :, 1].min(axis=1) < -1e-6 * size) & (
            hull.rigid.corners[:, :, 1].max(axis=1) > 1e-6 * size
        )
        if across.any():
            return f"the mesh of '{name}' has panels across the plane y = 0"
    places = [("points", name, getattr(point, "position", None)) for name, point in system.points.items()]
    places += [("bodies", name, body.position) for name, body in system.bodies.items()]
    for kind, name, place in places:
        if place is not None and abs(place[1]) > 1e-9:
            return f"{kind}.{name} is not in the plane y = 0"
    for name, body in system.bodies.items():
        for attachment, place in body.attachments.items():
            if abs(place[1]) > 1e-9:
                return f"bodies.{name}.attachments.{attachment} is not in the plane y = 0"
    for place, part in (
        *((f"points.{name}", point) for name, point in system.points.items()),
        *((f"bodies.{name}", body) for name, body in system.bodies.items()),
    ):
        if _moves_across(getattr(part, "motion", None)):
            return f"{place}.motion leads out of the plane y = 0"
    if system.inputs:
        return f"inputs.{next(iter(system.inputs))} may lead out of the plane y = 0"
    for index, load in enumerate(system.loads):
        if load.force[1] or load.torque[0] or load.torque[2]:
            return f"loads[{index}] acts out of the plane y = 0"
    for index, spring in enumerate(system.hydro.springs if system.hydro else ()):
        if spring.dof == "sway" or abs(spring.at[1]) > 1e-9 or (spring.anchor and abs(spring.anchor[1]) > 1e-9):
            return f"hydro.springs[{index}] is not in the plane y = 0"
    return ""


def _moves_across(motion: Any) -> bool:
    """Whether a motion of the file has a part across the plane y = 0: y, roll or yaw."""
    if motion is None:
        return False
    rows = [row[1:] for row in motion.table or ()]
    rows += [(*wave.amplitude, *getattr(wave, "rotation_deg", ())) for wave in motion.sines]
    return getattr(motion, "raos", None) is not None or any(any(row[1:4:2]) or any(row[5:]) for row in rows)


def closed_hull(shape: HullShape, name: str, folder: Path) -> Hull:
    """The hull of a body that goes through the surface, in the frame of its body: all of it."""
    offset = np.array(shape.centre)
    if shape.mesh is not None:
        panels = read_mesh(folder / shape.mesh.file, shape.mesh.scale, shape.mesh.inverted)
        check_closed(panels, f"hydro.hulls.{name}.mesh.file: {folder / shape.mesh.file}")
        return Hull(Panels(panels.vertices + offset, panels.quads))
    size = shape.panel_size or default_panel_size(shape)
    if shape.sphere is not None:
        around = round(math.pi * shape.sphere.diameter / size)
        return shapes.sphere(0.5 * shape.sphere.diameter, around).shifted(offset)
    if shape.box is not None:
        half = 0.5 * shape.box.height
        hull = shapes.box(shape.box.length, shape.box.width, -half, half, size)
    elif shape.cylinder is not None:
        r, half = 0.5 * shape.cylinder.diameter, 0.5 * shape.cylinder.height
        hull = shapes.cylinder(r, -half, half, round(2.0 * math.pi * r / size), 1)
    else:
        profile = np.array(shape.profile)
        hull = shapes.revolution(profile, round(2.0 * math.pi * profile[:, 0].max() / size), 1)
    return shapes.closed(hull, size).shifted(offset)


def build_basin(system: System, mechanism: Mechanism, folder: Path, passing: dict[str, Hull] | None = None) -> Basin:
    """The water of a system whose mechanism is ready. Raises `MeshError` or `WaveTooSteep` with place and cure.

    passing: closed hulls of bodies that go through the surface, by name.
    """
    passing = passing or {}
    hydro, environment = system.hydro, system.environment
    assert hydro is not None
    wave = incident_wave(system)
    starts = mechanism.motions(0.0, mechanism.initial_state())
    names = tuple(hydro.hulls)
    linear = hydro.mode == "linear"
    hulls = [passing[name] if name in passing
             else hull_in_body(hydro.hulls[name], name, float(start.place[2]), folder, start.rotation)
             for name, start in zip(names, starts, strict=True)]  # fmt: skip
    why = plane_of_symmetry(system, wave, hulls, starts)
    if hydro.symmetry and why:
        raise MeshError(f"hydro.symmetry: the case is not symmetric: {why}; remove it, or use false")
    symmetric = not why if hydro.symmetry is None else hydro.symmetry
    lines = []
    for name, hull, start in zip(names, hulls, starts, strict=True):
        if name in passing:
            check_panels(hull.rigid, f"hydro.hulls.{name}")
            continue
        try:
            panels, line = hull.placed(start.place, start.rotation)
        except HullError as error:
            raise MeshError(
                f"hydro.hulls.{name}: it does not float as it starts: {error}; see bodies.{name}.position and "
                "orientation_deg"
            ) from None
        check_panels(panels, f"hydro.hulls.{name}")
        check_closed(panels, f"hydro.hulls.{name}", open_at=None if hull.lines is None and not _cut(panels) else 0.0)
        _inside_water(name, panels, environment.depth, hull.piercing or _cut(panels))
        if hull.piercing:
            lines.append(line)
        elif _cut(panels):
            if not linear:
                raise MeshError(
                    f"hydro.hulls.{name}: a mesh through the surface cannot follow it; use mode: linear, or describe "
                    "the hull as a cylinder, a box or a profile"
                )
            lines += waterlines(panels)
    mesh, radius, start_damping = _surface(system, wave, names, hulls, starts, lines, set(passing))
    if symmetric:
        mesh, hulls = mesh.halved(), [hull.halved() for hull in hulls]
    rest = mesh.at()
    strength = hydro.surface.damping
    if strength is None:
        strength = wave.steepest[1] or math.sqrt(environment.gravity / radius) * 2.0
    centre = (float(mesh.centre[0]), float(mesh.centre[1]))
    damping = absorbing(rest, start_damping, radius, strength, centre)
    surface = FreeSurface(mesh, damping, gravity=environment.gravity, symmetric=symmetric, linear=linear)
    restoring = [] if not linear else [
        hydrostatics(hull.finer().wetted(start.place, start.rotation), symmetric)
        .stiffness(start.place, 0.0, start.place, environment.water_density, environment.gravity)
        for hull, start in zip(hulls, starts, strict=True)
    ]  # fmt: skip
    smoothing = hydro.filter
    if smoothing is None:
        smoothing = 0.0 if linear else FILTER

    def water(solved: Sequence[bool]) -> Water:
        which = [k for k, there in enumerate(solved) if there]
        return Water(
            surface, [hulls[k] for k in which], mechanism if all(solved) else Some(mechanism, which), wave,
            density=environment.water_density, depth=None if math.isinf(environment.depth) else environment.depth,
            matrices=MATRICES[hydro.matrices], smoothing=smoothing, restoring=restoring if linear else None,
        )  # fmt: skip

    return Basin(
        water, wave, names, tuple(hulls), tuple(starts), symmetric, np.asarray(damping == 0.0), radius, start_damping
    )


def _cut(panels: Panels) -> bool:
    """Whether a hull ends at z = 0."""
    size = float(np.median(panels.diameters))
    return bool(panels.vertices[panels.quads.ravel(), 2].max() > -1e-6 * size)


def _inside_water(name: str, panels: Panels, depth: float, piercing: bool) -> None:
    z = panels.vertices[np.unique(panels.quads), 2]
    if z.min() <= -depth:
        raise MeshError(
            f"hydro.hulls.{name}: the hull reaches z = {z.min():.4g} m, into the seabed at z = {-depth:.4g} m; raise "
            "the body or make the water deeper"
        )
    if not piercing and z.max() >= 0.0:
        raise MeshError(f"hydro.hulls.{name}: the submerged hull reaches z = {z.max():.4g} m; lower bodies.{name}")


def _surface(
    system: System, wave: IncidentWave, names: tuple[str, ...], hulls: list[Hull], starts: list[Motion],
    lines: list[np.ndarray], passing: set[str],
) -> tuple[SurfaceMesh, float, float]:  # fmt: skip
    """The whole mesh of the free surface, its radius and where absorption starts."""
    assert system.hydro is not None
    chosen = system.hydro.surface
    places = np.array([start.place[:2] for start in starts])
    staying = [k for k, name in enumerate(names) if name not in passing] or list(range(len(names)))
    middle = np.array(chosen.centre) if chosen.centre is not None else places[staying].mean(axis=0)
    centre = (float(middle[0]), float(middle[1]))
    reach = max(
        float(np.linalg.norm(panels.vertices[np.unique(panels.quads), :2] - middle, axis=1).max())
        for panels in (hull.wetted(start.place, start.rotation) for hull, start in zip(hulls, starts, strict=True))
    )
    length = wave.wavelength if math.isfinite(wave.wavelength) else 6.0 * reach
    radius = chosen.radius if chosen.radius is not None else 2.0 * length
    start = chosen.damping_from if chosen.damping_from is not None else 0.5 * radius
    outer = chosen.outer if chosen.outer is not None else 0.1 * length
    for name, place in zip(names, places, strict=True):
        if np.linalg.norm(place - middle) >= start:
            raise MeshError(
                f"bodies.{name}: stands {np.linalg.norm(place - middle):.4g} m from the middle of the surface, in or "
                f"beyond its absorbing zone (from {start:.4g} m); move hydro.surface.centre or use a larger "
                "hydro.surface.radius"
            )
    if reach >= start:
        raise MeshError(
            f"hydro.surface: the hulls reach {reach:.4g} m from the middle of the surface, into its absorbing zone "
            f"(from {start:.4g} m); use a larger hydro.surface.radius"
        )
    if len(lines) > 1:
        return triangles_about(lines, centre, radius, outer), radius, start
    if lines:
        return rings_about(lines[0], centre, radius, outer, chosen.inner), radius, start
    columns = chosen.columns or 32
    inner = chosen.inner if chosen.inner is not None else min(outer, 4.0 * reach / (columns / 4.0))
    return disc(centre, radius, columns, inner, outer), radius, start
