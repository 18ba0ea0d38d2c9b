"""Coefficients of a hull from its mesh, computed by Capytaine where that is installed (`fairlead[capytaine]`).

The mesh is read, checked and cut at the water here, and its hydrostatics are ours; Capytaine solves for the waves it
makes and for those it meets, with a lid inside the hull against irregular frequencies. Capytaine writes e^{-iωt}:
forces are turned round.
"""

from __future__ import annotations

import importlib
import logging
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from fairlead.floaters import DOFS, CoefficientError, Coefficients
from fairlead.floaters.reading import HOW_TO_COMPUTE

from .hydrostatics import hydrostatics
from .mesh_checks import MeshError, check_closed
from .mesh_files import cut, read_mesh
from .panels import Panels

FREQUENCIES = 40
HIGHEST = 3.0
"""Highest frequency, over √(g/L) of the length L = ∛V of the hull."""
PANELS_A_WAVE = 6.0
"""Panels that the shortest wave must be long."""
HEADINGS = np.radians(np.arange(-180.0, 181.0, 15.0))


def coefficients_of(
    path: str | Path, *, water_density: float = 1025.0, gravity: float = 9.80665, depth: float | None = None,
    omega: Sequence[float] | np.ndarray | None = None,
) -> Coefficients:  # fmt: skip
    """Coefficients of the hull whose mesh is in `path`, floating as it stands there: z = 0 is the water.

    Moments and motions are about the origin of the mesh. `omega` [rad/s] are the frequencies; by default as high as the
    size of the hull asks for and its panels allow.
    """
    place = Path(path)
    hull = _wet(place)
    solver = _capytaine(place)
    still = hydrostatics(hull)
    notes = []
    if omega is None:
        high = HIGHEST * math.sqrt(gravity / still.volume ** (1.0 / 3.0))
        allowed = math.sqrt(2.0 * math.pi * gravity / (PANELS_A_WAVE * float(np.median(hull.diameters))))
        if allowed < high:
            notes.append(f"panels are too large for waves above {allowed:.3g} rad/s; a finer mesh reaches {high:.3g}")
        omega = np.linspace(1.0, FREQUENCIES, FREQUENCIES) * (min(high, allowed) / FREQUENCIES)
    frequencies = np.asarray(omega, float)
    water = {"water_depth": math.inf if depth is None else depth, "rho": water_density, "g": gravity}
    body = _body(solver, hull, still.waterplane_area > 0.0)
    answers = _Answers(solver, body, water)
    radiated, met = [], []
    with _errors_alone():
        for w in frequencies.tolist():  # all of a frequency together: Capytaine keeps its matrices
            radiated.append(answers.radiated(w))
            met.append([answers.met(w, beta) for beta in HEADINGS.tolist()])
        zero, infinite = answers.limit(0.0), answers.limit(math.inf)
    weightless = still.stiffness(np.zeros(3), 0.0, np.zeros(3), water_density, gravity)
    return Coefficients(
        omega=frequencies, added_mass=np.array([one for one, _ in radiated]),
        damping=np.array([one for _, one in radiated]), headings=HEADINGS, excitation=np.swapaxes(met, 0, 1).conj(),
        stiffness=weightless, added_mass_infinite=infinite, added_mass_zero=zero, volume=np.array([still.volume]),
        centre_of_buoyancy=still.centre_of_buoyancy[None], density=water_density, gravity=gravity,
        depth=float(water["water_depth"]), format="mesh", source=str(place), notes=tuple(notes),
    )  # fmt: skip


def _wet(path: Path) -> Panels:
    """The panels of a mesh below the water, normals out of the fluid."""
    try:
        panels = read_mesh(path)
        if float(panels.vertices[:, 2].min()) >= 0.0:
            raise MeshError(f"{path}: the whole hull is above z = 0, the water; move it down to where it floats")
        wet = cut(panels)
        check_closed(wet, str(path), open_at=0.0)
        return wet
    except MeshError as error:
        raise CoefficientError(str(error)) from None


def _capytaine(path: Path) -> Any:
    try:
        return importlib.import_module("capytaine")
    except ImportError as reason:
        raise CoefficientError(f"{path} is a mesh: {HOW_TO_COMPUTE} ({reason})") from None


@contextmanager
def _errors_alone() -> Iterator[None]:
    """Without Capytaine's warnings, such as one for every problem of short waves in deep water; ours follow."""
    log = logging.getLogger("capytaine")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(level)


def _body(capytaine: Any, hull: Panels, lid: bool) -> Any:
    """The body as Capytaine has it: normals into the fluid, a triangle with its first corner once more at the end."""
    faces = hull.quads[:, ::-1].copy()
    triangles = hull.quads[:, 2] == hull.quads[:, 3]
    faces[triangles] = hull.quads[triangles][:, [2, 1, 0, 2]]
    mesh = capytaine.Mesh(vertices=hull.vertices, faces=faces, name="hull")
    dofs = capytaine.rigid_body_dofs(rotation_center=(0.0, 0.0, 0.0))
    return capytaine.FloatingBody(mesh=mesh, lid_mesh=mesh.generate_lid() if lid else None, dofs=dofs, name="hull")


class _Answers:
    """What Capytaine says of a body in a water, motions in our order."""

    def __init__(self, capytaine: Any, body: Any, water: dict[str, float]) -> None:
        self._capytaine, self._body, self._water = capytaine, body, water
        self._solver = capytaine.BEMSolver()
        self._names = {name.lower(): name for name in body.dofs}

    def radiated(self, omega: float) -> tuple[np.ndarray, np.ndarray]:
        """A and B (6, 6), force and motion, at a frequency."""
        added, damping = np.zeros((6, 6)), np.zeros((6, 6))
        for j, motion in enumerate(DOFS):
            problem = self._capytaine.RadiationProblem(
                body=self._body, omega=omega, radiating_dof=self._names[motion], **self._water
            )
            for i, row in self._solved(problem):
                added[i, j], damping[i, j] = row["added_mass"], row["radiation_damping"]
        return added, damping

    def limit(self, omega: float) -> np.ndarray | None:
        """A at frequency 0 or ∞; None where Capytaine cannot tell (in shallow water, by its version)."""
        try:
            added, _ = self.radiated(omega)
        except (ValueError, NotImplementedError):
            return None
        return added if np.isfinite(added).all() else None

    def met(self, omega: float, heading: float) -> np.ndarray:
        """Force (6,) of a wave of 1 m of amplitude, Capytaine's sign of time."""
        force = np.zeros(6, complex)
        problem = self._capytaine.DiffractionProblem(
            body=self._body, omega=omega, wave_direction=heading, **self._water
        )
        for i, row in self._solved(problem):
            force[i] = row["Froude_Krylov_force"] + row["diffraction_force"]
        return force

    def _solved(self, problem: Any) -> Iterator[tuple[int, Any]]:
        """What acts on each motion."""
        for row in self._solver.solve(problem, keep_details=False).records:
            yield DOFS.index(str(row["influenced_dof"]).lower()), row
